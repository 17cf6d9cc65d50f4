/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shapes.c - the suite `bench shapes`: every graph app on graphs of many shapes, under every scheduler, launch and
 * method it has, and by its own choice; then how the choice compares with the best, worst first.
 *
 * A method is a value of an option that the program would otherwise choose by itself: one of "auto|a|b". The time of a
 * configuration is its least one, as what else runs on a machine only adds. A run that takes much longer than the best
 * so far of its app and graph is stopped, and its time is then at least that.
 */
#include "cli/bench/graph.h"
#include "cli/bench/ratios.h"

#include <stdlib.h>
#include <string.h>

static const char *const standard[] = {"web:18",
                                       "affiliation:17",
                                       "attach:18",
                                       "smallworld:18",
                                       "mesh:512x512",
                                       "lattice:48",
                                       "caterpillar:20000:8",
                                       "caterpillar:2000:200000:2000",
                                       "caterpillar:2:200000",
                                       "cliques:10000:24",
                                       "kron:18",
                                       "urand:18",
                                       "road:512x512:0.65",
                                       "rgg:18",
                                       "grid3d:64:0.6",
                                       "tree:8:6",
                                       "star:500000",
                                       "path:5000",
                                       NULL};
static const char *const quick[] = {"web:11",
                                    "affiliation:9",
                                    "attach:11",
                                    "smallworld:11",
                                    "mesh:48x48",
                                    "lattice:9",
                                    "caterpillar:300:4",
                                    "caterpillar:100:2000:100",
                                    "cliques:100:9",
                                    "kron:11",
                                    "road:48x48:0.65",
                                    "star:2000",
                                    NULL};

/* A run is stopped after so many times the best, but not before so many seconds; the first after FIRST_S. */
enum { STOP_TIMES = 30, STOP_S = 2, FIRST_S = 120 };

enum { METHODS_MAX = 32, METHOD_TEXT = 40 };
static char methods[METHODS_MAX][METHOD_TEXT]; /* "direction=push": cases point here */
static size_t method_count;

/* What the cases of bench/graph.c do; here they are watched. */
static bench_case graph_case;

static ratio_run *run_of(const bench_case *self)
{
    return ratio_run_at((size_t)self->number[0]);
}

/* "bsp/discrete/direction=push", or what a choice turned out to be. */
static void name_run(const bench_case *self, char text[RATIO_TEXT])
{
    const char *sched = self->text[2], *launch = self->text[3];
    if (!sched) {
        const rd_report *report = bench_graph_report(self);
        sched = report->sched;
        launch = report->launch;
    }
    snprintf(text, RATIO_TEXT, "%.20s/%.20s%s%.40s", sched ? sched : "?", launch ? launch : "?",
             self->text[4] ? "/" : "", self->text[4] ? self->text[4] : "");
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    char seconds[32];
    size_t index;
    rd_status status = graph_case.open(self, device, err);
    if (status == RD_OK)
        status =
            ratio_run_new(self->text[0], self->text[1], rd_device_get_info(device)->name, !self->text[2], &index, err);
    if (status != RD_OK)
        return status;
    self->number[0] = index;
    const double best = ratio_best(index);
    ratio_run *run = run_of(self);
    run->limit = best <= 0 ? FIRST_S : STOP_TIMES * best > STOP_S ? STOP_TIMES * best : STOP_S;
    snprintf(seconds, sizeof seconds, "%u", (unsigned)run->limit + 1);
    return rd_job_set(bench_graph_job(self), "timeout", seconds, err);
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    ratio_run *run = run_of(self);
    const rd_status status = graph_case.run(self, sample, err);
    if (status == RD_ETIMEOUT) {
        run->least = run->limit;
        run->stopped = 1;
    }
    if (status == RD_OK && !self->warming) {
        const double seconds = sample->kernel_s > 0 ? sample->kernel_s : sample->total_s;
        if (run->least <= 0 || seconds < run->least)
            run->least = seconds;
        const double colours = bench_measured(bench_graph_report(self), "colours");
        run->colours = colours > run->colours ? colours : run->colours;
    }
    if (status == RD_OK || status == RD_ETIMEOUT)
        name_run(self, run->name);
    self->note[0] = '\0';
    if (status == RD_OK && !self->text[2])
        snprintf(self->note, sizeof self->note, "%.60s", run->name);
    return status;
}

static rd_status add(bench_list *list, const char *app, const char *spec, const char *sched, const char *launch,
                     const char *method, rd_error *err)
{
    bench_case item = bench_graph_case(app, spec, sched, launch, method);
    graph_case = item;
    item.open = open_case;
    item.run = run_case;
    item.optional = 1;
    if (sched)
        snprintf(item.name, sizeof item.name, "%.12s/%.60s/%.12s/%.12s%s%.24s", app, spec, sched, launch,
                 method ? "/" : "", method ? method : "");
    else
        snprintf(item.name, sizeof item.name, "%.12s/%.60s/default", app, spec);
    return bench_add(list, &item, err);
}

/* @return a text of "key=value" that lasts, or NULL when there are too many. */
static const char *method_text(const char *key, const char *value, size_t length)
{
    char text[METHOD_TEXT];
    snprintf(text, sizeof text, "%.20s=%.*s", key, (int)(length < 18 ? length : 18), value);
    for (size_t i = 0; i < method_count; i++)
        if (strcmp(methods[i], text) == 0)
            return methods[i];
    if (method_count == METHODS_MAX)
        return NULL;
    memcpy(methods[method_count], text, sizeof text);
    return methods[method_count++];
}

/* A case for each value of options that are "auto|a|b"; not of those that take numbers too. */
static rd_status add_methods(bench_list *list, const rd_option_info *option, const char *app, const char *spec,
                             const char *sched, const char *launch, rd_error *err)
{
    rd_status status = RD_OK;
    for (; option && option->key; option++) {
        if (!option->value || strncmp(option->value, "auto|", 5) != 0 || strstr(option->value, ".."))
            continue;
        for (const char *value = option->value + 5; status == RD_OK;) {
            const size_t length = strcspn(value, "|");
            const char *method = method_text(option->key, value, length);
            if (method)
                status = add(list, app, spec, sched, launch, method, err);
            if (!value[length])
                break;
            value += length + 1;
        }
    }
    return status;
}

static rd_status add_app(bench_list *list, const rd_app_info *app, const char *spec, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *sched = app->schedulers; *sched; sched++)
        for (const char *const *launch = rd_scheduler_launches(*sched); *launch && status == RD_OK; launch++) {
            status = add(list, app->name, spec, *sched, *launch, NULL, err);
            if (status == RD_OK)
                status = add_methods(list, app->options, app->name, spec, *sched, *launch, err);
            if (status == RD_OK)
                status =
                    add_methods(list, rd_scheduler_options(app->name, *sched), app->name, spec, *sched, *launch, err);
        }
    return status == RD_OK ? add(list, app->name, spec, NULL, NULL, NULL, err) : status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *spec = bench_graph_specs(standard, quick); *spec; spec++)
        for (const rd_app_info *app = rd_apps(); app->name && status == RD_OK; app++)
            if (rd_app_takes_graph(app))
                status = add_app(list, app, *spec, err);
    return status;
}

static void close_suite(void)
{
    bench_graph_close();
    ratios_free();
}

const bench_suite bench_suite_shapes = {
    .name = "shapes",
    .summary = "every graph app on many shapes: its choice beside all schedulers, launches, methods",
    .trials = 5,
    .time_limit = 10,
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .summarize = ratios_print,
    .close = close_suite,
};
