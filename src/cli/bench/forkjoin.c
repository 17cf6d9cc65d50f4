/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.c - the suite `bench forkjoin`: recursive programs of small tasks. fib, nqueens and uts with a tenth
 * of the workers, half of them and all; the scenarios SC1 (one task spawns others one by one) and SC2 (worker i would
 * have i times the work) with loops of 100 to 100,000 steps a task, on one worker too. Work is counted in tasks.
 *
 * Share of ideal: what all workers do beside what a tenth of them does. GPUs place groups on all their units in turn,
 * so that a tenth of small groups has whole units to itself and there is no tenfold to be had. So uts also runs with
 * one group as wide as can be on each unit, on a tenth of the units, on half of them and on all.
 *
 * A peer: fib by OpenMP's tasks, with as many threads as the device has, where GCC's library for them is there.
 */
#include "cli/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { PEER_FIB = 30 }; /* as fib on CPUs, below */

typedef struct forkjoin_case {
    rd_job *job;
    rd_report report; /* of the last run */
    char device[32];
    double share; /* of ideal; 0: not known */
} forkjoin_case;

static const struct program {
    const char *name, *app;
    const char *cpu, *gpu; /* input */
    const char
        *value; /* of cutoff; "block": of deal; "alone": the same, nobody steals; "unit": wide groups; NULL: none */
    const uint8_t divisor[5]; /* of the workers; ended by 0; 255: one worker */
} programs[] = {
    {"fib", "fib", "30", "40", NULL, {10, 2, 1, 0}},
    {"nqueens", "nqueens", "12", "15", NULL, {10, 2, 1, 0}},
    {"nqueens, all boards", "nqueens", "11", "15", "0", {1, 0}},
    {"uts T1", "uts", "T1", "T1", NULL, {10, 2, 1, 0}},
    {"uts T3", "uts", "T3", "T3", NULL, {1, 0}},
    {"uts T1L, T5", "uts", "T5", "T1L", NULL, {10, 2, 1, 0}},
    {"uts T1XL, T5 by units", "uts", "T5", "T1XL", "unit", {10, 2, 1, 0}},
    {"sort", "sort", "random:1000000", "random:4M", NULL, {1, 2, 0}},
    {"sc1:100", "sum", "sc1:31:100", "sc1:1023:100", NULL, {1, 2, 10, 255}},
    {"sc1:1000", "sum", "sc1:31:1000", "sc1:1023:1000", NULL, {1, 2, 10, 255}},
    {"sc1:10000", "sum", "sc1:31:10000", "sc1:1023:10000", NULL, {1, 2, 10, 255}},
    {"sc1:100000", "sum", "sc1:31:100000", "sc1:1023:100000", NULL, {1, 2, 10, 255}},
    {"sc2:100", "sum", "sc2:64:100", "sc2:1024:100", "block", {1, 2, 10, 255}},
    {"sc2:1000", "sum", "sc2:64:1000", "sc2:1024:1000", "block", {1, 2, 10, 255}},
    {"sc2:10000", "sum", "sc2:64:10000", "sc2:1024:10000", "block", {1, 2, 10, 255}},
    {"sc2:100000", "sum", "sc2:64:100000", "sc2:1024:100000", "block", {1, 2, 10, 255}},
    {"sc2:1000, no stealing", "sum", "sc2:64:1000", "sc2:1024:1000", "alone", {1, 2, 10, 255}},
    {"sc2:10000, no stealing", "sum", "sc2:64:10000", "sc2:1024:10000", "alone", {1, 2, 10, 255}},
    {"sc2:100000, no stealing", "sum", "sc2:64:100000", "sc2:1024:100000", "alone", {1, 2, 10, 255}},
};

/* One group as wide as can be on each unit. CPUs have such workers anyway. */
static rd_status set_units(rd_job *job, const rd_device_info *info, rd_error *err)
{
    char text[16];
    if (!info->is_gpu)
        return RD_OK;
    snprintf(text, sizeof text, "%u", info->max_group);
    const rd_status status = rd_job_set(job, "worker", text, err);
    snprintf(text, sizeof text, "%u", info->compute_units);
    return status == RD_OK ? rd_job_set(job, "groups", text, err) : status;
}

static rd_status set_value(rd_job *job, const char *value, rd_error *err)
{
    const int alone = strcmp(value, "alone") == 0, block = alone || strcmp(value, "block") == 0;
    const rd_status status = rd_job_set(job, block ? "deal" : "cutoff", alone ? "block" : value, err);
    return status == RD_OK && alone ? rd_job_set(job, "victim", "none", err) : status;
}

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
    snprintf(data->device, sizeof data->device, "%s", rd_device_get_info(device)->name);
    rd_status status = rd_job_create(device, self->text[0], &data->job, err);
    if (status == RD_OK && self->text[3] && strcmp(self->text[3], "unit") == 0)
        status = set_units(data->job, rd_device_get_info(device), err);
    else if (status == RD_OK && self->text[3])
        status = set_value(data->job, self->text[3], err);
    if (status == RD_OK)
        status = rd_job_set_input(data->job, input, err);
    return status == RD_OK ? set_groups(self, data->job, err) : status;
}

/* Of the program at hand: the time of a tenth of the workers, times their number. */
static struct {
    char device[32];
    char program[sizeof((bench_case *)0)->name];
    double worker_s;
} tenth;

/* @return the share of ideal, or 0 when a tenth of the workers was not measured before. */
static double share_of_ideal(const bench_case *self, double seconds)
{
    const forkjoin_case *data = self->data;
    const size_t length = strcspn(self->name, "/");
    const double worker_s = seconds * data->report.groups;
    if (self->number[0] == 10) {
        snprintf(tenth.device, sizeof tenth.device, "%s", data->device);
        snprintf(tenth.program, sizeof tenth.program, "%.*s", (int)length, self->name);
        tenth.worker_s = worker_s;
    }
    const int same = strcmp(tenth.device, data->device) == 0 && strlen(tenth.program) == length &&
                     strncmp(tenth.program, self->name, length) == 0;
    return same && self->number[0] < 10 && worker_s > 0 ? tenth.worker_s / worker_s : 0;
}

static rd_status forkjoin_run(bench_case *self, bench_sample *sample, rd_error *err)
{
    forkjoin_case *data = self->data;
    rd_status status = rd_job_run(data->job, &data->report, err);
    if (status != RD_OK)
        return status;
    self->workers = data->report.groups;
    sample->kernel_s = data->report.kernel_s;
    sample->total_s = data->report.run_s;
    sample->work = data->report.tasks;
    data->share = share_of_ideal(self, sample->kernel_s > 0 ? sample->kernel_s : sample->total_s);
    const int end = snprintf(self->note, sizeof self->note, "%u groups of %u", data->report.groups, data->report.lanes);
    if (data->share > 0)
        snprintf(self->note + end, sizeof self->note - (size_t)end, ", %.0f %% of ideal", 100 * data->share);
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
    if (data->share > 0)
        rd_json_double(json, "share_of_ideal", data->share);
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

/* ---- The peer ---- */

static rd_status peer_open(bench_case *self, rd_device *device, rd_error *err)
{
    const rd_micro_options options = {.size = sizeof options, .count = PEER_FIB};
    rd_micro *micro = NULL;
    const rd_status status = rd_micro_open(device, "openmp/fib", &options, &micro, err);
    self->data = micro;
    return status;
}

static rd_status peer_run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    const rd_status status = rd_micro_run(self->data, &report, err);
    sample->kernel_s = report.kernel_s;
    sample->total_s = report.total_s;
    sample->work = report.count;
    return status;
}

static void peer_describe(const bench_case *self, rd_json *json)
{
    (void)self;
    rd_json_text(json, "peer", "OpenMP");
}

static void peer_close(bench_case *self)
{
    rd_micro_close(self->data);
    self->data = NULL;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    const bench_case peer = {.name = "fib/OpenMP",
                             .unit = "tasks",
                             .optional = 1,
                             .open = peer_open,
                             .run = peer_run,
                             .describe = peer_describe,
                             .close = peer_close};
    const rd_status added = bench_add(list, &peer, err);
    if (added != RD_OK)
        return added;
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
    .summary = "recursive programs of small tasks: fib, nqueens, uts, sort, synthetic ones; OpenMP's",
    .cases = cases,
};
