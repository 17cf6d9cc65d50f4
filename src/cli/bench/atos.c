/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atos.c - the suite `bench atos`: the task-parallel model's own comparison. Each app on each graph as persistent
 * warps, persistent blocks, discrete blocks and bulk-synchronous; and for bfs the grid of worker size x fetch size.
 * After Y. Chen and others, "Atos: a task-parallel GPU dynamic scheduling framework", 2022, tables 1 and 2 and
 * figure 5. On CPUs, whose workers are single lanes, warps and blocks are the same.
 */
#include "cli/bench/graph.h"

#include <string.h>

static const char *const standard[] = {"kron:20", "road:2048x2048:0.65", NULL};
static const char *const quick[] = {"kron:12", "road:100x100:0.65", NULL};

static const struct {
    const char *name, *sched, *launch, *settings;
} strategies[] = {{"persistent warp", "fifo", "persistent", "worker=32"},
                  {"persistent block", "fifo", "persistent", "worker=256"},
                  {"discrete block", "fifo", "discrete", "worker=256"},
                  {"bulk-synchronous", "bsp", "discrete", NULL}};

static const char *const apps[] = {"bfs", "sssp", "pr", "color"};

static int runs_under(const rd_app_info *app, const char *sched)
{
    for (const char *const *name = app->schedulers; *name; name++)
        if (strcmp(*name, sched) == 0)
            return 1;
    return 0;
}

static rd_status by_strategy(bench_list *list, const char *const *specs, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *spec = specs; *spec; spec++)
        for (size_t a = 0; a < sizeof apps / sizeof *apps; a++)
            for (size_t i = 0; status == RD_OK && i < sizeof strategies / sizeof *strategies; i++) {
                const rd_app_info *app = cli_find_app(apps[a]);
                if (!app || !runs_under(app, strategies[i].sched))
                    continue;
                bench_case item =
                    bench_graph_case(apps[a], *spec, strategies[i].sched, strategies[i].launch, strategies[i].settings);
                snprintf(item.name, sizeof item.name, "%s/%.72s/%s", apps[a], *spec, strategies[i].name);
                status = bench_add(list, &item, err);
            }
    return status;
}

/* Worker x fetch. A fetch beyond the lanes of a worker is the same as one a lane. */
static rd_status grid(bench_list *list, const char *const *specs, rd_error *err)
{
    static const char *const settings[] = {"worker=32 fetch=1",    "worker=32 fetch=8",    "worker=32 fetch=32",
                                           "worker=64 fetch=8",    "worker=64 fetch=64",   "worker=128 fetch=32",
                                           "worker=128 fetch=128", "worker=256 fetch=1",   "worker=256 fetch=16",
                                           "worker=256 fetch=64",  "worker=256 fetch=256", "worker=512 fetch=64",
                                           "worker=512 fetch=512"};
    rd_status status = RD_OK;
    for (const char *const *spec = specs; *spec; spec++)
        for (size_t i = 0; status == RD_OK && i < sizeof settings / sizeof *settings; i++) {
            bench_case item = bench_graph_case("bfs", *spec, "fifo", "persistent", settings[i]);
            snprintf(item.name, sizeof item.name, "grid/%.72s/%s", *spec, settings[i]);
            status = bench_add(list, &item, err);
        }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    const char *const *specs = bench_graph_specs(standard, quick);
    rd_status status = by_strategy(list, specs, err);
    return status == RD_OK ? grid(list, specs, err) : status;
}

const bench_suite bench_suite_atos = {
    .name = "atos",
    .summary = "apps as persistent warps, persistent and discrete blocks, and in rounds; worker x fetch",
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .close = bench_graph_close,
};
