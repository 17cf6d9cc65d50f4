/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deque.c - the suite `bench deque`: items a second through the deques of scheduler steal, lock-free and with a
 * lock: when owners pop what is there, when they do and all steal too, when half of the workers push and the others
 * steal, and when all do everything; from one group to as many as fit, and with several items an operation. Beside the
 * rate: how many thefts were won of those tried, and the items of the busiest worker over the mean.
 */
#include "cli/bench/micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    if (!self->text[2]) /* chunks differ in more than workers */
        self->workers = report.groups;
    if (report.success >= 0)
        snprintf(self->note, sizeof self->note, "%u groups of %u, %.0f %% of thefts won, share %.2f", report.groups,
                 report.lanes, 100 * report.success, report.share);
    else
        snprintf(self->note, sizeof self->note, "%u groups of %u, share %.2f", report.groups, report.lanes,
                 report.share);
    return status;
}

static rd_status add(bench_list *list, const char *micro, uint32_t per_unit, uint32_t share, const char *more,
                     const char *name, rd_error *err)
{
    bench_case item = {.unit = "items",
                       .open = bench_micro_open,
                       .run = run,
                       .optional = strstr(micro, "/steal") != NULL, /* takes two: one worker has nobody to rob */
                       .describe = bench_micro_describe,
                       .close = bench_micro_close};
    snprintf(item.name, sizeof item.name, "%s/%s", micro + 6, name);
    item.text[0] = micro;
    item.text[1] = "small";
    item.text[2] = more;
    item.number[0] = per_unit;
    item.number[2] = share;
    return bench_add(list, &item, err);
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const struct {
        const char *name, *more;
        uint32_t per_unit, share;
    } sizes[] = {{"one", NULL, 0, UINT32_MAX},
                 {"a 16th", NULL, 0, 16},
                 {"a quarter", NULL, 0, 4},
                 {"1", NULL, 1, 0},
                 {"4", NULL, 4, 0},
                 {"all", NULL, 0, 0},
                 {"chunks of 8", "burst=8", 0, 0},
                 {"chunks of 32", "burst=32", 0, 0}};
    rd_status status = RD_OK;
    for (const rd_name_text *micro = rd_micros(); micro->name; micro++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (strncmp(micro->name, "deque/", 6) == 0 && status == RD_OK)
                status = add(list, micro->name, sizes[i].per_unit, sizes[i].share, sizes[i].more, sizes[i].name, err);
    return status;
}

const bench_suite bench_suite_deque = {
    .name = "deque",
    .summary = "deques of scheduler steal: items a second, thefts won, share of the busiest worker",
    .cases = cases,
};
