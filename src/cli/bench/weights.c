/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weights.c - the suite `bench weights`: what real weights cost. Each app that uses weights runs on the same graph with
 * whole and with real weights, 1 to 255, under each scheduler and launch; cases with real ones say how many times as
 * long they took, best run against best run.
 */
#include "cli/bench/graph.h"

#include <string.h>

static const char *const standard[] = {"kron:18", "road:1024x1024:0.65", NULL};
static const char *const quick[] = {"kron:12", "road:128x128:0.65", NULL};

/* The best runs of cases with whole weights on the graph that is measured now, on each device. */
typedef struct whole_run {
    const char *app, *spec, *sched, *launch;
    char device[32];
    double seconds;
} whole_run;
enum { RUNS_MAX = 256 };
static whole_run runs[RUNS_MAX];
static size_t run_count;

/* Of the suite's cases: as the graph's are, but for this. */
static rd_status (*run_graph)(bench_case *self, bench_sample *sample, rd_error *err);
static rd_status (*open_graph)(bench_case *self, rd_device *device, rd_error *err);
static const char *device_name;
static double least; /* of this case so far */

static int same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static whole_run *find(const bench_case *self)
{
    for (size_t i = 0; i < run_count; i++)
        if (same(runs[i].app, self->text[0]) && same(runs[i].spec, self->text[1]) &&
            same(runs[i].sched, self->text[2]) && same(runs[i].launch, self->text[3]) &&
            same(runs[i].device, device_name))
            return &runs[i];
    if (run_count == RUNS_MAX)
        return NULL;
    whole_run *one = &runs[run_count++];
    *one = (whole_run){self->text[0], self->text[1], self->text[2], self->text[3], "", 0};
    snprintf(one->device, sizeof one->device, "%s", device_name);
    return one;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    device_name = rd_device_get_info(device)->name;
    least = 0;
    return open_graph(self, device, err);
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    const rd_status status = run_graph(self, sample, err);
    const double seconds = sample->kernel_s > 0 ? sample->kernel_s : sample->total_s;
    whole_run *whole = status == RD_OK && !self->warming ? find(self) : NULL;
    if (!whole)
        return status;
    least = least <= 0 || seconds < least ? seconds : least;
    self->note[0] = '\0';
    if (self->number[0] == 0)
        whole->seconds = least;
    else if (whole->seconds > 0)
        snprintf(self->note, sizeof self->note, "%.2f x whole weights", least / whole->seconds);
    return status;
}

static rd_status add(bench_list *list, const char *app, const char *spec, int real, const char *sched,
                     const char *launch, rd_error *err)
{
    bench_case item = bench_graph_case(app, spec, sched, launch, NULL);
    run_graph = item.run;
    open_graph = item.open;
    item.run = run_case;
    item.open = open_case;
    item.number[0] = (uint64_t)real;
    snprintf(item.name, sizeof item.name, "%.16s/%.64s/%s/%.12s%s%.12s", app, spec, real ? "real" : "whole",
             sched ? sched : "default", sched ? "/" : "", sched ? launch : "");
    return bench_add(list, &item, err);
}

static rd_status app_cases(bench_list *list, const rd_app_info *app, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *spec = bench_graph_specs(standard, quick); *spec; spec++)
        for (int real = 0; real < 2 && status == RD_OK; real++) {
            status = add(list, app->name, *spec, real, NULL, NULL, err);
            for (const char *const *sched = app->schedulers; *sched; sched++)
                for (const char *const *launch = rd_scheduler_launches(*sched); *launch && status == RD_OK; launch++)
                    status = add(list, app->name, *spec, real, *sched, *launch, err);
        }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    rd_status status = RD_OK;
    run_count = 0;
    for (const rd_app_info *app = rd_apps(); app->name && status == RD_OK; app++)
        if (app->input == RD_INPUT_WEIGHTED)
            status = app_cases(list, app, err);
    return status;
}

const bench_suite bench_suite_weights = {
    .name = "weights",
    .summary = "what real weights cost, beside whole ones: graphs x schedulers x launches",
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .close = bench_graph_close,
};
