/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfs.k.c - breadth-first search: a vertex task offers itself to its neighbours; the first to claim a neighbour gives
 * it as a task.
 *
 * One word a vertex, `mark`: RD_NONE until the vertex is reached, then its depth, or its parent when parents are asked
 * for. A claim is a compare-and-swap on that word, so each vertex is given exactly once. Under a scheduler that runs in
 * rounds, depths are exact.
 */
#include "sched/worker.k.h"

#define BFS_NONE 0xffffffffu

#define RD_APP_ARGS(arg) arg(rd_global rd_u32 *, mark) arg(rd_u32, parents)
rd_context(rd_app, RD_APP_ARGS);

/* What a vertex offers to its neighbours as their mark. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return a->parents
               ? u
               : rd_ld_rlx(&a->mark[u]) + 1; /* settled in an earlier round; atomic because others look at it now */
}

/* Worth a visit? A stale "not reached" only costs a failed claim. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    return rd_ld_rlx(&a->mark[v]) == BFS_NONE; /* partner: the claim below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    if (rd_cas_rlx(&a->mark[v], BFS_NONE, offer) ==
        BFS_NONE) /* partner: the same claim in other lanes; relaxed: no other data */
        rd_give(w, v);
}

/* The other direction: v asks, and takes what a settled neighbour offers. No other lane asks for v. */
rd_fn rd_u32 rd_app_settled(const rd_app *a, rd_u32 v)
{
    return rd_ld_rlx(&a->mark[v]) != BFS_NONE;
}

rd_fn void rd_app_pull(const rd_app *a, rd_u32 v, rd_u32 offer)
{
    rd_st_rlx(&a->mark[v], offer); /* atomic because others look at marks now; relaxed: no other data */
}

#include "sched/entry.k.h"
