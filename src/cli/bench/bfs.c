/* SPDX-License-Identifier: Apache-2.0 */
/* bfs.c - the suite `bench bfs`: a scale-free graph with few levels and a road-like one with thousands. */
#include "cli/bench/graph.h"

static const char *const standard[] = {"kron:20", "road:2048x2048:0.65", NULL};
static const char *const quick[] = {"kron:14", "road:256x256:0.65", NULL};

static rd_status cases(bench_list *list, rd_error *err)
{
    return bench_graph_cases(list, "", "bfs", standard, quick, err);
}

const bench_suite bench_suite_bfs = {
    .name = "bfs",
    .summary = "breadth-first search: graphs x schedulers x launches",
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .close = bench_graph_close,
};
