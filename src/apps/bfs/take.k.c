/* SPDX-License-Identifier: Apache-2.0 */
/*
 * take.k.c - breadth-first search that claims late, "contract-expand" (D. Merrill, M. Garland, A. Grimshaw: Scalable
 * GPU graph traversal, PPoPP 2012): every neighbour of a task becomes a task of the next round, unseen; who takes it
 * looks whether it was reached before, and drops it then. Edges are read in a stream, without a look at each target's
 * mark; the lists are as long as the levels have edges.
 *
 * mark: RD_NONE until the vertex is reached, then its depth, the number of the level. A claim is a compare-and-swap, so
 * of the copies of a vertex in a round one runs; copies in later rounds find the mark of an earlier one. Relaxed: the
 * mark is all that is told, and depths of a round are alike.
 *
 * Root bfs_apart has RD_APP_APART: a round that only claims, and makes a list of what it claimed, then a round that
 * visits the edges of that list. The lanes of the second are all busy; each level costs two rounds.
 */
#define RD_APP_LATE 1
#include "model/frontier.k.h"

#define RD_APP_ARGS(buf, arg) buf(rd_u32, mark)
rd_context(rd_app, RD_APP_ARGS);

#define BFS_NONE 0xffffffffu

rd_fn rd_u32 rd_app_claim(const rd_app *a, rd_u32 v, rd_u32 level)
{
    if (level == 0) /* the source, which the host has marked */
        return 1;
    /* partner: the same claim in other lanes; most copies are late, and a look is cheaper than an atomic */
    return rd_ld_rlx(&a->mark[v]) == BFS_NONE && rd_cas_rlx(&a->mark[v], BFS_NONE, level) == BFS_NONE;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return 0;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    rd_give(w, v);
}
