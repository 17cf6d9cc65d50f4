/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sssp.k.c - shortest paths from one source, over edges of non-negative weight. A vertex task offers its neighbours the
 * way through itself; a neighbour that is improved becomes a task.
 *
 * Without rounds the search speculates and corrects (D. Troendle, "Scheduling Irregular Workloads on GPUs", 2018,
 * chapter 8): a vertex is given when it is reached first, and again, as a correction, whenever a shorter way to it
 * turns up later. Corrections go first where the scheduler can tell them apart, since what a wrong distance has
 * spread has to be done again. The last time a vertex is given its distance is final, and the task then run sees that
 * distance or a better one (the scheduler's promise: what is done before giving is seen by the task). So when no task
 * is left no edge offers less than what its target has: distances are exact.
 *
 * In rounds distances are cut into buckets of `delta` (U. Meyer, P. Sanders: Delta-stepping, 2003; A. Davidson and
 * others: Work-efficient parallel GPU methods for single-source shortest paths, IPDPS 2014, "near-far"): a vertex is
 * given for the phase of its bucket, and the scheduler runs the phases one after another. A vertex that is improved
 * within the bucket at hand is run again in the next round; one whose bucket is later waits, and is run once for all
 * improvements that come meanwhile. Whatever delta is, the argument above holds; it only decides how much is done
 * twice.
 */
#define RD_APP_URGENT   1 /* corrections go first */
#define RD_APP_PREFETCH 1 /* says what edges look at */
#define RD_APP_REPEATS  1 /* a vertex may be given again, for a phase, */
#define RD_APP_EARLY    1 /* and may run before it */
#define RD_APP_RANKS    1 /* nearest first, where the policy has an order */
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                   \
    buf(const rd_u32, weight) \
    buf(rd_u32, distance)      \
    buf(rd_u64, best)          \
    buf(rd_u32, notes)         \
    arg(rd_u32, parents)                   \
    arg(rd_u32, delta)
/* clang-format on */

#include "apps/sssp/state.k.h"

/* What a vertex offers to its neighbours: its own distance. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return sssp_distance(a, u);
}

/* Of schedulers that care for order: the nearest first. */
rd_fn rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
{
    return sssp_distance(a, v);
}

/* Worth a visit? No way through a vertex is shorter than the way to it. A stale distance is too large and only costs an
 * offer in vain. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 from, rd_u32 v)
{
    return sssp_distance(a, v) > from;
}

/* The same, with the weight. A core compares with the whole way at once: that hardly ever succeeds, so it is foreseen,
 * where a look that half of the edges pass is not; and weights come in order. Elsewhere the look saves the weight. With
 * parents an equal way may bring a better one; without, it is none, and where all weights are the same it is most of
 * them. A way that does not fit 32 bits is seen to by rd_app_edge, unless there is a shorter one already: here its sum,
 * or that and one, comes round to what is less. */
#if RD_ROUNDS && RD_CORE
#define RD_APP_WANTS_EDGE 1
/* The least distance at which v wants a way of this length. */
#ifdef SSSP_REAL
rd_fn rd_u32 sssp_worth(const rd_app *a, rd_u32 from, rd_u32 weight)
{
    return sssp_sum(from, weight) + !a->parents;
}
#else
rd_fn rd_u32 sssp_worth(const rd_app *a, rd_u32 from, rd_u32 weight)
{
    return sssp_sum(from + !a->parents, weight); /* the first sum is the same for all edges of a task */
}
#endif

rd_fn rd_u32 rd_app_want_edge(const rd_app *a, rd_u32 from, rd_u32 v, rd_u64 e)
{
    return sssp_distance(a, v) >= sssp_worth(a, from, rd_ld_const(&a->weight[e]));
}
#endif

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 from, rd_u32 v, rd_u64 e)
{
    const rd_u32 way = sssp_way(a, from, e);
    if (way == SSSP_NONE)
        return;
    const rd_u32 old = sssp_offer(a, u, from, v, way);
#if RD_ROUNDS
    if (old == SSSP_NONE)
        rd_give_later(w, v, sssp_bucket(a, way));
    else if (old > way)
        rd_give_again_later(w, v, sssp_bucket(a, way));
#else
    if (old == SSSP_NONE)
        rd_give(w, v);
    else if (old > way)
        rd_give_urgent(w, v);
#endif
}

/* See sched/edges/prefetch.k.h. */
rd_fn void rd_app_prefetch_edges(const rd_app *a, rd_u64 e)
{
    rd_prefetch(&a->weight[e]);
}

rd_fn void rd_app_prefetch(const rd_app *a, rd_u32 v)
{
    rd_prefetch(&a->distance[(rd_u64)v << a->parents]); /* the same memory, as one word or two a vertex */
}

/* The phase in which v is to run, as things are now. */
rd_fn rd_u32 rd_app_when(const rd_app *a, rd_u32 v)
{
    return sssp_bucket(a, sssp_distance(a, v));
}
