/* SPDX-License-Identifier: Apache-2.0 */
/*
 * defaults.c - the suite `bench defaults`: what each graph app chooses by itself, beside every scheduler and
 * launch it could have chosen. docs/defaults.md has the rules and what they may cost.
 */
#include "cli/bench/graph.h"

static const char *const standard[] = {"kron:20", "urand:20", "road:2048x2048:0.65", NULL};
static const char *const quick[] = {"kron:12", "urand:12", "road:128x128:0.65", NULL};

static rd_status cases(bench_list *list, rd_error *err)
{
    rd_status status = RD_OK;
    for (const rd_app_info *app = rd_apps(); app->name && status == RD_OK; app++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "%s/", app->name);
        if (rd_app_takes_graph(app))
            status = bench_graph_cases(list, prefix, app->name, standard, quick, err);
    }
    return status;
}

const bench_suite bench_suite_defaults = {
    .name = "defaults",
    .summary = "what each graph app chooses by itself, beside all it could have chosen",
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .close = bench_graph_close,
};
