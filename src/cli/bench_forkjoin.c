/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_forkjoin.c - the suite `bench forkjoin`: recursive programs of small tasks. fib, nqueens and uts with all
 * workers, half of them and a tenth; the scenarios SC1 (one task spawns others one by one) and SC2 (worker i would have
 * i times the work) with loops of 100 to 100,000 steps a task, on one worker too. Work is counted in tasks.
 */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct forkjoin_case {
    rd_job *job;
    rd_report report; /* of the last run */
} forkjoin_case;

static const struct program {
    const char *name, *app;
    const char *cpu, *gpu;    /* input */
    const char *value;        /* of the option cutoff, or of deal when it is "block"; NULL: none */
    const uint8_t divisor[5]; /* of the workers; ended by 0; 255: one worker */
} programs[] = {
    {"fib", "fib", "30", "40", NULL, {1, 2, 10, 0}},
    {"nqueens", "nqueens", "12", "15", NULL, {1, 2, 10, 0}},
    {"nqueens, all boards", "nqueens", "11", "15", "0", {1, 0}},
    {"uts T1", "uts", "T1", "T1", NULL, {1, 2, 10, 0}},
    {"uts T3", "uts", "T3", "T3", NULL, {1, 0}},
    {"uts T1L, T5", "uts", "T5", "T1L", NULL, {1, 2, 10, 0}},
    {"sort", "sort", "random:1000000", "random:4M", NULL, {1, 2, 0}},
    {"sc1:100", "sum", "sc1:31:100", "sc1:1023:100", NULL, {1, 2, 10, 255}},
    {"sc1:1000", "sum", "sc1:31:1000", "sc1:1023:1000", NULL, {1, 2, 10, 255}},
    {"sc1:10000", "sum", "sc1:31:10000", "sc1:1023:10000", NULL, {1, 2, 10, 255}},
    {"sc1:100000", "sum", "sc1:31:100000", "sc1:1023:100000", NULL, {1, 2, 10, 255}},
    {"sc2:100", "sum", "sc2:64:100", "sc2:1024:100", "block", {1, 2, 10, 255}},
    {"sc2:1000", "sum", "sc2:64:1000", "sc2:1024:1000", "block", {1, 2, 10, 255}},
    {"sc2:10000", "sum", "sc2:64:10000", "sc2:1024:10000", "block", {1, 2, 10, 255}},
};

static rd_status set_groups(bench_case *self, rd_job *job, rd_error *err)
{
    char text[16];
    rd_report report;
    uint32_t groups = 1;
    if (self->number[0] == 1)
        return RD_OK;
    if (self->number[0] != 255) {
        rd_status status = rd_job_run(job, &report, err); /* tells how many there are */
        if (status != RD_OK)
            return status;
        groups = report.groups / (uint32_t)self->number[0];
    }
    snprintf(text, sizeof text, "%u", groups ? groups : 1);
    return rd_job_set(job, "groups", text, err);
}

static rd_status forkjoin_open(bench_case *self, rd_device *device, rd_error *err)
{
    const char *input = rd_device_get_info(device)->is_gpu ? self->text[2] : self->text[1];
    forkjoin_case *data = calloc(1, sizeof *data);
    self->data = data;
    if (!data) {
        snprintf(err->text, sizeof err->text, "out of host memory: a case");
        return err->status = RD_ENOMEM;
    }
    rd_status status = rd_job_create(device, self->text[0], &data->job, err);
    if (status == RD_OK && self->text[3])
        status = rd_job_set(data->job, strcmp(self->text[3], "block") == 0 ? "deal" : "cutoff", self->text[3], err);
    if (status == RD_OK)
        status = rd_job_set_input(data->job, input, err);
    return status == RD_OK ? set_groups(self, data->job, err) : status;
}

static rd_status forkjoin_run(bench_case *self, bench_sample *sample, rd_error *err)
{
    forkjoin_case *data = self->data;
    rd_status status = rd_job_run(data->job, &data->report, err);
    if (status != RD_OK)
        return status;
    sample->kernel_s = data->report.kernel_s;
    sample->total_s = data->report.run_s;
    sample->work = data->report.tasks;
    snprintf(self->note, sizeof self->note, "%u groups of %u", data->report.groups, data->report.lanes);
    return RD_OK;
}

static rd_status forkjoin_check(bench_case *self, rd_error *err)
{
    return rd_job_check(((forkjoin_case *)self->data)->job, err);
}

static void forkjoin_describe(const bench_case *self, rd_json *json)
{
    const forkjoin_case *data = self->data;
    rd_json_text(json, "sched", data->report.sched);
    rd_json_text(json, "launch", data->report.launch);
    rd_json_u64(json, "groups", data->report.groups);
    rd_json_u64(json, "lanes", data->report.lanes);
    rd_json_u64(json, "bytes_allocated", data->report.bytes_allocated);
    for (uint32_t i = 0; i < data->report.measures; i++)
        rd_json_double(json, data->report.measure[i].name, data->report.measure[i].value);
}

static void forkjoin_close(bench_case *self)
{
    forkjoin_case *data = self->data;
    if (data)
        rd_job_destroy(data->job);
    free(data);
    self->data = NULL;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        for (const uint8_t *divisor = programs[i].divisor; *divisor; divisor++) {
            bench_case item = {.unit = "tasks",
                               .open = forkjoin_open,
                               .run = forkjoin_run,
                               .check = forkjoin_check,
                               .describe = forkjoin_describe,
                               .close = forkjoin_close,
                               .text = {programs[i].app, programs[i].cpu, programs[i].gpu, programs[i].value},
                               .number = {*divisor}};
            const char *workers = *divisor == 1 ? "all" : *divisor == 2 ? "half" : *divisor == 10 ? "tenth" : "one";
            snprintf(item.name, sizeof item.name, "%s/%s", programs[i].name, workers);
            rd_status status = bench_add(list, &item, err);
            if (status != RD_OK)
                return status;
        }
    return RD_OK;
}

const bench_suite bench_suite_forkjoin = {
    .name = "forkjoin",
    .summary = "recursive programs of small tasks: fib, nqueens, uts, sort and two synthetic ones, by workers",
    .cases = cases,
};
