/* SPDX-License-Identifier: Apache-2.0 */
/* bfs.k.c - breadth-first search: the depth of every vertex. raddle run bfs.k.c kron:16 -v */
#define RD_APP_PULLS 1
#define RD_APP_LEAST 1 /* on several ranks too: depths only fall */
#include "model/frontier.k.h"

RD_APP(depths, "breadth-first search: the depth of every vertex reachable from a source")
RD_SOURCE(source)
RD_ARRAY(rd_u32, depth, vertices, RD_NONE)
RD_CONSTANT(EAGER, gpu * (edges < 8 * vertices) * (max_degree < 1025)) /* few edges on many lanes, and no hubs */
RD_SET(depth, source, 0)
RD_RESULT(depth)

#ifndef EAGER /* compiled ahead of time, for CPUs */
#define EAGER 0
#endif

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return rd_ld_rlx(&a->depth[u]) + 1; /* partner: claims; what it offers to neighbours */
}

#define RD_APP_OPENS_IN_ROUND 1 /* in rounds that is known without a look */
rd_fn rd_u32 rd_app_open_in_round(const rd_app *a, rd_u32 u, rd_u32 round)
{
    return round + 1;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    return EAGER || rd_ld_rlx(&a->depth[v]) > offer; /* partner: claims, which EAGER makes without a look */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    const rd_u32 old = rd_min_rlx(&a->depth[v], offer); /* partner: the same in other lanes */
    if (old <= offer)
        return;
    if (old == RD_NONE)
        rd_give(w, v);
    else
        rd_give_again(w, v); /* not in rounds: there the first offer is the least */
}

rd_fn void rd_app_pull(const rd_app *a, rd_u32 v, rd_u32 u, rd_u32 round)
{
    rd_st_rlx(&a->depth[v], round + 1);
}

#ifdef RD_CHECK
#include <stdlib.h>
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    rd_u32 *depth = malloc(4ull * c->vertices + 4), *queue = malloc(4ull * c->vertices + 4), count = 0;
    rd_u64 wrong = depth && queue ? RD_RIGHT : 0;
    for (rd_u32 v = 0; v < c->vertices && depth; v++)
        depth[v] = RD_NONE;
    if (c->vertices && wrong)
        depth[queue[count++] = a->source] = 0;
    for (rd_u32 i = 0; i < count; i++)
        for (rd_u64 e = c->row[queue[i]]; e < c->row[queue[i] + 1]; e++)
            if (depth[c->col[e]] == RD_NONE)
                depth[queue[count++] = c->col[e]] = depth[queue[i]] + 1;
    for (rd_u32 v = 0; v < c->vertices && wrong == RD_RIGHT; v++)
        wrong = depth[v] == a->depth[v] ? RD_RIGHT : v;
    free(depth);
    free(queue);
    return wrong;
}
#endif
