/* SPDX-License-Identifier: Apache-2.0 */
/* mis.c - the suite `bench mis`: independent sets of a scale-free graph and a road-like one. */
#include "cli/bench/graph.h"

static const char *const standard[] = {"kron:20", "road:2048x2048:0.65", NULL};
static const char *const quick[] = {"kron:14", "road:256x256:0.65", NULL};

static rd_status cases(bench_list *list, rd_error *err)
{
    return bench_graph_cases(list, "", "mis", standard, quick, err);
}

const bench_suite bench_suite_mis = {
    .name = "mis",
    .summary = "independent sets: graphs x schedulers x launches",
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .close = bench_graph_close,
};
