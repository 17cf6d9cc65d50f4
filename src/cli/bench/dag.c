/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag.c - the suite `bench dag`: task graphs of tasks that do next to nothing. `chain`: the time from the end of a task
 * to the start of the one that waits for it, when it goes through the queue or deque, and of the task (which is known
 * from a run in which tasks do everything twice, and told apart); `own`: when the same worker runs it; `wide`: the time
 * of a task where rows of them, each of which waits for two, keep all workers busy.
 */
#include "cli/bench/micro.h"

#include <string.h>

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    if (status != RD_OK)
        return status;
    const int known = report.work_s > 0 && report.work_s < report.kernel_s;
    const double between = known ? 1e6 * (report.kernel_s - report.work_s) / (double)report.count : 0;
    int length = snprintf(self->note, sizeof self->note, "%u x %u, %.1f M tasks/s", report.groups, report.lanes,
                          report.kernel_s > 0 ? 1e-6 * (double)report.count / report.kernel_s : 0.0);
    if (known && length > 0 && (size_t)length < sizeof self->note)
        snprintf(self->note + length, sizeof self->note - (size_t)length, ", %.3g us from end to start", between);
    return RD_OK;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    for (const rd_name_text *micro = rd_micros(); micro->name; micro++) {
        if (strncmp(micro->name, "dag/", 4) != 0)
            continue;
        bench_case item = {.unit = "tasks",
                           .per_unit = 1,
                           .open = bench_micro_open,
                           .run = run,
                           .describe = bench_micro_describe,
                           .close = bench_micro_close};
        snprintf(item.name, sizeof item.name, "%s", micro->name + 4);
        item.text[0] = micro->name;
        item.text[1] = "small";
        rd_status status = bench_add(list, &item, err);
        if (status != RD_OK)
            return status;
    }
    return RD_OK;
}

const bench_suite bench_suite_dag = {
    .name = "dag",
    .summary = "task graphs: time from a task's end to the start of its dependant, and of a task",
    .cases = cases,
};
