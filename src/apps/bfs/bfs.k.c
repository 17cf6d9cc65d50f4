/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfs.k.c - breadth-first search: a vertex task offers itself to its neighbours; the first to claim a neighbour gives
 * it as a task.
 *
 * One word a vertex, `mark`: RD_NONE until the vertex is reached, then its depth, or its parent when parents are asked
 * for.
 *
 * In rounds a claim is a compare-and-swap on that word, so each vertex is given exactly once, and depths are exact.
 * Without rounds the search speculates: a claim is an atomic minimum of the depth, and a vertex that a shorter path
 * reaches later is given again. The last time it is given its depth is final, and the task then run sees that depth or
 * a better one (the scheduler's promise: what is done before giving is seen by the task). So when no task is left, no
 * edge offers less than what its target has: depths are exact. For parents, depth and parent change together, in one
 * word of 64 bits, `pair`: depth above parent, of which the minimum is taken. A parent that stays offered its final
 * depth (had that become less, a better offer would have followed), and of equal ones the lowest wins: the result is
 * the same in every run.
 *
 * Leaves (D. Troendle, "Scheduling Irregular Workloads on GPUs", 2018): a vertex whose only edge is the one back has
 * nobody to offer itself to. With `leaf` it is marked, but not given, which saves its way through the queue and costs a
 * look at its degree. A round that pulls takes what was not given for not reached, finds such a leaf once more, by its
 * one neighbour, and must leave its depth alone.
 *
 * As an own file (raddle run bfs.k.c kron:16) it finds depths; raddle bfs finds parents too.
 */
#define RD_APP_PULLS 1 /* any neighbour that is reached will do */
#include "model/frontier.k.h"

#define BFS_NONE 0xffffffffu

RD_APP(bfs, "breadth-first search: the depth of every vertex reachable from a source")
RD_SOURCE(source)
RD_ARRAY(rd_u32, mark, vertices, RD_NONE)
RD_ARRAY(rd_u64, pair, 1, 0) /* without rounds, when parents are asked for: for each vertex; else unused */
RD_ROWS(row)
RD_SCALAR(rd_u32, parents, 0)
RD_SCALAR(rd_u32, leaf, 0) /* vertices of fewer edges are no tasks */
RD_CONSTANT(BFS_PARENTS, 0)
RD_CONSTANT(BFS_LEAVES, 0)
RD_CONSTANT(BFS_EAGER, gpu * (edges < 8 * vertices) * (max_degree < 1025)) /* claims without a look: bfs.c */
RD_SET(mark, source, 0)
RD_RESULT(mark)
RD_SAMPLE("graph=kron:8")

/* A GPU's kernels are compiled for what is asked for, and so are those of own files: the look at a degree alone makes a
 * road network 5 % slower, with nobody looking. CPUs have bfs_depths (apps.def). */
#ifdef BFS_PARENTS
#define bfs_parents(a) BFS_PARENTS
#define bfs_leaves(a)  BFS_LEAVES
#define bfs_eager(a)   BFS_EAGER
#else
#define bfs_parents(a) ((a)->parents)
#define bfs_leaves(a)  ((a)->leaf)
#define bfs_eager(a)   0
#endif

/* Has v anybody to offer itself to? */
rd_fn rd_u32 bfs_goes_on(const rd_app *a, rd_u32 v)
{
    return !bfs_leaves(a) || rd_ld_const(&a->row[v + 1]) - rd_ld_const(&a->row[v]) >= a->leaf;
}

#if RD_ROUNDS

/* What a vertex offers to its neighbours as their mark. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return bfs_parents(a)
               ? u
               : rd_ld_rlx(&a->mark[u]) + 1; /* settled in an earlier round; atomic because others look at it now */
}

/* The same, when the number of the round is known: all tasks of a round have the same depth. Saves a trip to memory. */
#define RD_APP_OPENS_IN_ROUND 1
rd_fn rd_u32 rd_app_open_in_round(const rd_app *a, rd_u32 u, rd_u32 round)
{
    return bfs_parents(a) ? u : round + 1;
}

/* Worth a visit? A stale "not reached" only costs a failed claim. Few edges on many lanes: claim at once. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    return (RD_LANES > 1 && bfs_eager(a)) || rd_ld_rlx(&a->mark[v]) == BFS_NONE; /* partner: the claim below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    /* partner: the same claim in other lanes; relaxed: no other data */
    if (rd_cas_rlx(&a->mark[v], BFS_NONE, offer) == BFS_NONE && bfs_goes_on(a, v))
        rd_give(w, v);
}

#else

/* The depth that a vertex offers to its neighbours. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return (bfs_parents(a) ? (rd_u32)(rd_ld64_rlx(&a->pair[u]) >> 32) : rd_ld_rlx(&a->mark[u])) +
           1; /* partner: claims */
}

/* Worth a visit? A stale depth is too large and only costs a claim in vain. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    if (bfs_eager(a))
        return 1;
    if (bfs_parents(a)) /* of equal depths the parent may still be better */
        return (rd_u32)(rd_ld64_rlx(&a->pair[v]) >> 32) >= offer;
    return rd_ld_rlx(&a->mark[v]) > offer; /* partner: the claim below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    /* Partner: the same claims in other lanes. */
    const rd_u32 old = bfs_parents(a) ? (rd_u32)(rd_min64_rlx(&a->pair[v], (rd_u64)offer << 32 | u) >> 32)
                                      : rd_min_rlx(&a->mark[v], offer);
    if (old <= offer || !bfs_goes_on(a, v))
        return;
    if (old == BFS_NONE)
        rd_give(w, v);
    else
        rd_give_again(w, v);
}

#endif

/* The other direction: v, which is not reached, is settled by its neighbour u in a round that is numbered from 0, the
 * seeds' round. No other lane asks for v. u's mark is not looked at: in rounds it is known, and far away in memory. v
 * may be a leaf that has its depth. */
rd_fn void rd_app_pull(const rd_app *a, rd_u32 v, rd_u32 u, rd_u32 round)
{
    if (bfs_leaves(a) && rd_ld_rlx(&a->mark[v]) != BFS_NONE) /* partner: the claim of an earlier round */
        return;
    rd_st_rlx(&a->mark[v],
              bfs_parents(a) ? u : round + 1); /* atomic because others look at marks now; relaxed: no other data */
}

#ifdef RD_CHECK
#include <stdlib.h>
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    rd_u32 *depth = malloc(4ull * c->vertices + 4), *queue = malloc(4ull * c->vertices + 4), count = 0;
    rd_u64 wrong = depth && queue ? RD_RIGHT : 0;
    for (rd_u32 v = 0; v < c->vertices && depth; v++)
        depth[v] = BFS_NONE;
    if (c->vertices && wrong)
        depth[queue[count++] = a->source] = 0;
    for (rd_u32 i = 0; i < count; i++)
        for (rd_u64 e = c->row[queue[i]]; e < c->row[queue[i] + 1]; e++)
            if (depth[c->col[e]] == BFS_NONE)
                depth[queue[count++] = c->col[e]] = depth[queue[i]] + 1;
    for (rd_u32 v = 0; v < c->vertices && wrong == RD_RIGHT; v++)
        wrong = depth[v] == a->mark[v] ? RD_RIGHT : v;
    free(depth);
    free(queue);
    return wrong;
}
#endif
