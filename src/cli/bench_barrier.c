/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_barrier.c - the suite `bench barrier`: the time of one global barrier in each form, with 1, 2, 4 and 8 groups a
 * compute unit (or as many as fit), beside that of launching an empty kernel, which is what a barrier saves. The form
 * `word` is the algorithm of CUDA's own grid sync.
 */
#include "cli/bench_micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    snprintf(self->note, sizeof self->note, "%u groups of %u", report.groups, report.lanes);
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    for (uint32_t per_unit = 1; per_unit <= 8; per_unit *= 2)
        for (const rd_name_text *micro = rd_micros(); micro->name; micro++) {
            const char *form = strncmp(micro->name, "barrier/", 8) == 0 ? micro->name + 8 : micro->name;
            bench_case item = {.unit = "barriers",
                               .per_unit = 1,
                               .open = bench_micro_open,
                               .run = run,
                               .describe = bench_micro_describe,
                               .close = bench_micro_close};
            if (form == micro->name && strcmp(form, "launch") != 0)
                continue;
            item.unit = form == micro->name ? "launches" : item.unit;
            snprintf(item.name, sizeof item.name, "%s/%u", form, per_unit);
            item.text[0] = micro->name;
            item.number[0] = per_unit;
            rd_status status = bench_add(list, &item, err);
            if (status != RD_OK)
                return status;
        }
    return RD_OK;
}

const bench_suite bench_suite_barrier = {
    .name = "barrier",
    .summary = "the global barrier: time of one, for each form and 1 to 8 groups a unit",
    .cases = cases,
};
