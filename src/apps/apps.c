/* SPDX-License-Identifier: Apache-2.0 */
/* apps.c - the table of apps: one line each. */
#include "apps/app.h"

/* clang-format off */
const rd__app *const rd__apps[] = {
    &rd__app_bfs,
    &rd__app_sssp,
    &rd__app_color,
    &rd__app_cc,
    &rd__app_pr,
    &rd__app_mis,
    &rd__app_fib,
    &rd__app_nqueens,
    &rd__app_uts,
    &rd__app_sort,
    &rd__app_sum,
    &rd__app_ray,
    &rd__app_knapsack,
    &rd__app_astar,
    NULL,
};
/* clang-format on */

int rd_app_takes_graph(const rd_app_info *app)
{
    return app && (app->input == RD_INPUT_GRAPH || app->input == RD_INPUT_WEIGHTED);
}

const rd_app_info *rd_apps(void)
{
    static rd_app_info table[sizeof rd__apps / sizeof rd__apps[0]];
    for (size_t i = 0; rd__apps[i]; i++) /* the same values whoever writes them */
        table[i] = rd__apps[i]->info;
    return table;
}
