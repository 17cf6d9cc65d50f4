/* SPDX-License-Identifier: Apache-2.0 */
/*
 * discovery.c - the suite `bench discovery`: how many of the groups that fit are found, and how long that takes,
 * for each kind of turns, for small and large groups, with little and much memory of their own. The bound is what the
 * device says fits; where none does, only the groups found are shown.
 */
#include "cli/bench/micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    if (report.bound)
        snprintf(self->note, sizeof self->note, "%u of %u groups of %u", report.groups, report.bound, report.lanes);
    else
        snprintf(self->note, sizeof self->note, "%u groups of %u", report.groups, report.lanes);
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const char *const size[] = {"small", "large"}, *const local[] = {"", "/local"};
    for (const rd_name_text *micro = rd_micros(); micro->name; micro++)
        for (uint32_t kind = 0; strncmp(micro->name, "discovery/", 10) == 0 && kind < 4; kind++) {
            bench_case item = {.unit = "groups",
                               .open = bench_micro_open,
                               .run = run,
                               .describe = bench_micro_describe,
                               .close = bench_micro_close};
            snprintf(item.name, sizeof item.name, "%s/%s%s", micro->name + 10, size[kind % 2], local[kind / 2]);
            item.text[0] = micro->name;
            item.text[1] = size[kind % 2];
            item.number[1] = kind / 2;
            rd_status status = bench_add(list, &item, err);
            if (status != RD_OK)
                return status;
        }
    return RD_OK;
}

const bench_suite bench_suite_discovery = {
    .name = "discovery",
    .summary = "occupancy discovery: groups found of those that fit, and time",
    .cases = cases,
};
