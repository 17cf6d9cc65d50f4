/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deque.c - the suite `bench deque`: items a second through the deques of scheduler steal, lock-free and with a
 * lock, when owners pop what is there, when half of the workers push and the others steal, and when all do everything;
 * with 1 and 4 groups a compute unit and as many as fit. Beside the rate: how many thefts were won of those tried, and
 * the items of the busiest worker over the mean.
 */
#include "cli/bench/micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    if (report.success >= 0)
        snprintf(self->note, sizeof self->note, "%u groups of %u, %.0f %% of thefts won, share %.2f", report.groups,
                 report.lanes, 100 * report.success, report.share);
    else
        snprintf(self->note, sizeof self->note, "%u groups of %u, share %.2f", report.groups, report.lanes,
                 report.share);
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const uint32_t per_unit[] = {1, 4, 0};
    for (const rd_name_text *micro = rd_micros(); micro->name; micro++)
        for (int i = 0; strncmp(micro->name, "deque/", 6) == 0 && i < 3; i++) {
            bench_case item = {.unit = "items",
                               .open = bench_micro_open,
                               .run = run,
                               .describe = bench_micro_describe,
                               .close = bench_micro_close};
            if (per_unit[i])
                snprintf(item.name, sizeof item.name, "%s/%u", micro->name + 6, per_unit[i]);
            else
                snprintf(item.name, sizeof item.name, "%s/all", micro->name + 6);
            item.text[0] = micro->name;
            item.text[1] = "small";
            item.number[0] = per_unit[i];
            rd_status status = bench_add(list, &item, err);
            if (status != RD_OK)
                return status;
        }
    return RD_OK;
}

const bench_suite bench_suite_deque = {
    .name = "deque",
    .summary = "deques of scheduler steal: items a second, thefts won, share of the busiest worker",
    .cases = cases,
};
