/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atos.c - the suite `bench atos`: the task-parallel model's own comparison. Each app on each graph as persistent
 * warps (also with one task at a time, whose edges nothing balances), persistent blocks, discrete blocks and warps, and
 * bulk-synchronous, with the overwork of each; the same with vertices in random order, which is what colouring asks
 * for; and for bfs and pr the grid of worker size x fetch size, as a table at the end and as a picture. After Y. Chen
 * and others, "Atos: a task-parallel GPU dynamic scheduling framework", 2022: run times (table 1), overwork and
 * permuted numbers (table 4), the heat map (figure 4). Colours are given by Atos' own algorithm: guess and repair. On
 * CPUs, whose workers are single lanes, warps and blocks are the same, and blocks are left out.
 */
#include "cli/bench/graph.h"
#include "cli/bench/heatmap.h"

#include <string.h>

enum { ID_PICTURE = 50 };

static const char *const standard[] = {"kron:20", "road:2048x2048:0.65", NULL};
static const char *const quick[] = {"kron:12", "road:100x100:0.65", NULL};
static const char *picture;

static const cli_option options[] = {
    {"graph", 'g', "INPUT", "a file or generator; several times for several graphs", 1},
    {"quick", 0, NULL, "small graphs", 2},
    {"source", 'r', "VERTEX", "where to start [highest degree]", 3},
    {"set", 0, "KEY=VALUE", "an option of the app, for all cases; several times for several options", 4},
    {"seed", 0, "N", "of all that is random about the graphs", 5},
    {"permute", 0, NULL, "renumber the vertices at random, in all cases", 6},
    {"picture", 0, "FILE.ppm", "write the heat maps of worker x fetch as a picture", ID_PICTURE},
    {NULL, 0, NULL, NULL, 0},
};

static int take(int id, const char *value)
{
    if (id != ID_PICTURE)
        return bench_graph_take(id, value);
    picture = value;
    return 0;
}

static const struct {
    const char *name, *sched, *launch, *settings;
} strategies[] = {{"persistent warp", "fifo", "persistent", "worker=32"},
                  {"persistent warp, a task each", "fifo", "persistent", "worker=32 fetch=1"},
                  {"persistent block", "fifo", "persistent", "worker=256"},
                  {"discrete warp", "fifo", "discrete", "worker=32"},
                  {"discrete block", "fifo", "discrete", "worker=256"},
                  {"bulk-synchronous", "bsp", "discrete", ""}};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static const struct {
    const char *name, *label, *settings; /* of the app */
    int has_rounds;
} apps[] = {{"bfs", "bfs", "", 1},
            {"sssp", "sssp", "", 1},
            {"pr", "pr", "", 1},
            {"pr", "pr by a cursor", " find=cursor", 0},
            {"color", "color", " method=speculate", 1},
            {"color", "color by two kinds", " method=two-kinds", 0}};
enum { APPS = sizeof apps / sizeof *apps };

/* Settings of all cases: they have to last as long as the suite. */
static char text[2][APPS][STRATEGIES][64];

static int runs_under(const rd_app_info *app, const char *sched)
{
    for (const char *const *name = app->schedulers; *name; name++)
        if (strcmp(*name, sched) == 0)
            return 1;
    return 0;
}

/* How much was done that nobody needed. */
static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    const rd_status status = bench_graph_case(NULL, NULL, NULL, NULL, NULL).run(self, sample, err);
    const rd_report *report = bench_graph_report(self);
    if (status == RD_OK && report->tasks_needed)
        snprintf(self->note, sizeof self->note, "%.3f x the tasks needed",
                 (double)report->tasks / (double)report->tasks_needed);
    return status;
}

/* Workers of CPUs are single lanes whatever is asked for; cases of other widths than the first would repeat it. */
static rd_status open_width(bench_case *self, rd_device *device, rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(device);
    if (!info->is_gpu) {
        snprintf(err->text, sizeof err->text, "workers of %s are single lanes: as with worker=32", info->name);
        return err->status = RD_EDEVICE;
    }
    return bench_graph_case(NULL, NULL, NULL, NULL, NULL).open(self, device, err);
}

static void by_width(bench_case *item, const char *settings)
{
    if (strncmp(settings, "worker=", 7) != 0 || strncmp(settings, "worker=32", 9) == 0)
        return;
    item->open = open_width;
    item->optional = 1;
}

static rd_status by_strategy(bench_list *list, const char *const *specs, int permuted, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *spec = specs; *spec; spec++)
        for (size_t a = 0; a < APPS; a++)
            for (size_t i = 0; status == RD_OK && i < STRATEGIES; i++) {
                const rd_app_info *app = cli_find_app(apps[a].name);
                char *settings = text[permuted][a][i];
                const int rounds = strcmp(strategies[i].sched, "bsp") == 0;
                if (!app || !runs_under(app, strategies[i].sched) || (rounds && !apps[a].has_rounds))
                    continue;
                snprintf(settings, sizeof text[0][0][0], "%s%s%s", strategies[i].settings, apps[a].settings,
                         permuted ? " permute=1" : "");
                bench_case item =
                    bench_graph_case(apps[a].name, *spec, strategies[i].sched, strategies[i].launch, settings);
                item.run = run;
                by_width(&item, settings);
                snprintf(item.name, sizeof item.name, "%s/%.72s/%s%s", apps[a].label, *spec, strategies[i].name,
                         permuted ? "/permuted" : "");
                status = bench_add(list, &item, err);
            }
    return status;
}

static rd_status run_cell(bench_case *self, bench_sample *sample, rd_error *err)
{
    const rd_status status = bench_graph_case(NULL, NULL, NULL, NULL, NULL).run(self, sample, err);
    if (status == RD_OK && !self->warming)
        bench_heatmap_add(self->text[0], self->text[1], self->text[4],
                          sample->kernel_s > 0 ? sample->kernel_s : sample->total_s);
    return status;
}

/* Worker x fetch. A fetch beyond the lanes of a worker is the same as one a lane. */
static rd_status grid(bench_list *list, const char *const *specs, rd_error *err)
{
    static const char *const of[] = {"bfs", "pr"};
    rd_status status = RD_OK;
    for (const char *const *spec = specs; *spec; spec++)
        for (size_t a = 0; a < sizeof of / sizeof *of; a++)
            for (size_t i = 0; status == RD_OK && i < bench_heatmap_cells; i++) {
                bench_case item = bench_graph_case(of[a], *spec, "fifo", "persistent", bench_heatmap_cell[i]);
                item.run = run_cell;
                by_width(&item, bench_heatmap_cell[i]);
                snprintf(item.name, sizeof item.name, "grid/%s/%.72s/%s", of[a], *spec, bench_heatmap_cell[i]);
                status = bench_add(list, &item, err);
            }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    const char *const *specs = bench_graph_specs(standard, quick);
    rd_status status = by_strategy(list, specs, 0, err);
    if (status == RD_OK)
        status = by_strategy(list, specs, 1, err);
    return status == RD_OK ? grid(list, specs, err) : status;
}

static void summarize(FILE *out, int json)
{
    if (!json)
        bench_heatmap_print(out);
    if (picture)
        bench_heatmap_picture(picture);
}

const bench_suite bench_suite_atos = {
    .name = "atos",
    .summary = "apps as persistent warps, persistent and discrete blocks, and in rounds; worker x fetch",
    .options = options,
    .take = take,
    .cases = cases,
    .summarize = summarize,
    .close = bench_graph_close,
};
