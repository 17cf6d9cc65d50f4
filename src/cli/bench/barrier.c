/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier.c - the suite `bench barrier`: the time of one global barrier in each form, with 1, 2, 4 and 8 groups a
 * compute unit (or as many as fit), beside that of launching an empty kernel, which is what a barrier saves, and on
 * CUDA beside the grid sync of its own cooperative groups.
 */
#include "cli/bench/micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    if (status != RD_OK)
        return status;
    self->workers = report.groups;
    snprintf(self->note, sizeof self->note, "%u groups of %u", report.groups, report.lanes);
    return RD_OK;
}

/* @return the name of the case, or NULL when the microbenchmark is none of this suite's. */
static const char *form_of(const char *micro)
{
    return strncmp(micro, "barrier/", 8) == 0 ? micro + 8 : strcmp(micro, "launch") == 0 ? micro : NULL;
}

static rd_status add(bench_list *list, const char *micro, uint32_t per_unit, int optional, rd_error *err)
{
    bench_case item = {.unit = strcmp(micro, "launch") == 0 ? "launches" : "barriers",
                       .per_unit = 1,
                       .optional = optional,
                       .open = bench_micro_open,
                       .run = run,
                       .describe = bench_micro_describe,
                       .close = bench_micro_close};
    snprintf(item.name, sizeof item.name, "%s/%u", form_of(micro), per_unit);
    item.text[0] = micro;
    item.number[0] = per_unit;
    return bench_add(list, &item, err);
}

static rd_status cases(bench_list *list, rd_error *err)
{
    rd_status status = RD_OK;
    for (uint32_t per_unit = 1; per_unit <= 8 && status == RD_OK; per_unit *= 2) {
        for (const rd_name_text *micro = rd_micros(); micro->name && status == RD_OK; micro++)
            if (form_of(micro->name))
                status = add(list, micro->name, per_unit, 0, err);
        if (status == RD_OK)
            status = add(list, "barrier/gridsync", per_unit, 1, err);
    }
    return status;
}

const bench_suite bench_suite_barrier = {
    .name = "barrier",
    .summary = "the global barrier: time of one, for each form and 1 to 8 groups a unit; CUDA's own",
    .cases = cases,
};
