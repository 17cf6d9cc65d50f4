/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c - the suite `bench explain`: three pairs of numbers that explain what `raddle study` finds on a device. How
 * busy launches that the host keeps going leave it (why one long launch pays or not); what one atomic for many lanes
 * saves; what a barrier that keeps lanes together costs or gains. docs/study.md says how to read them.
 */
#include "cli/bench/micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    const rd_status status = bench_micro_run(self, sample, &report, err);
    if (status == RD_OK && strncmp(self->name, "utilisation/", 12) == 0)
        snprintf(self->note, sizeof self->note, "busy %.0f %% of the time", 100 * report.kernel_s / report.total_s);
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const char *const names[] = {"utilisation/20us", "utilisation/200us", "combine/lane",
                                        "combine/warp",     "stride/free",       "stride/barrier"};
    static const char *const units[] = {"launches", "launches", "additions", "additions", "words", "words"};
    rd_status status = RD_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == RD_OK; i++) {
        bench_case item = {.unit = units[i],
                           .open = bench_micro_open,
                           .run = run,
                           .describe = bench_micro_describe,
                           .close = bench_micro_close,
                           .text = {names[i]}};
        snprintf(item.name, sizeof item.name, "%s", names[i]);
        status = bench_add(list, &item, err);
    }
    return status;
}

const bench_suite bench_suite_explain = {
    .name = "explain",
    .summary = "why switches pay: launches that the host keeps going, combined atomics, lanes kept together",
    .cases = cases,
};
