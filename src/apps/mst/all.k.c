/* SPDX-License-Identifier: Apache-2.0 */
/*
 * all.k.c - the forest of mst/mst.k.c without lists ("topology-driven", M. Burtscher, R. Nasre, K. Pingali: A
 * quantitative study of irregular programs on GPUs, 2012): each round looks at all edges of the graph, and asks all
 * vertices whether they are roots. Needs a word and a key a vertex, no memory for edges.
 *   LEAST  each edge between two trees offers its key, weight above place, to both, by atomic minimum
 *   JOIN   each root that was offered one takes its least edge, which joins two trees, and forgets it
 * The order of edges and the trees are those of mst/mst.k.c, and so is the forest.
 *
 * Orders. All relaxed, as there: roots do not change in LEAST, since only JOIN hooks, and in JOIN a vertex's least edge
 * is looked at by its own lane alone.
 */
#define RD_APP_WHOLE       1
#define RD_FOLD_NONE       0u
#define RD_FOLD_JOIN(x, y) ((x) | (y))
#define RD_SWEEP_WALKS(s)  ((s)->phase == ALL_LEAST)
#define RD_SWEEP_FLIGHT    4
#include "model/sweep.k.h"

#define ALL_FIRST 0
#define ALL_LEAST 1
#define ALL_JOIN  2

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                 \
    buf(const rd_u32, mst_weight)                                             \
    buf(rd_u32, mst_label)                                                    \
    buf(rd_u64, mst_best) /* of a root: the least key that leaves its tree */ \
    buf(rd_u32, mst_taken) /* a bit an edge */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

#include "apps/mst/trees.k.h"

/* The vertex that lists edge e. */
rd_fn rd_u32 mst_owner(const rd_sweep *s, rd_u32 e)
{
    rd_u32 low = 0, high = s->vertices; /* row[low] <= e < row[high] */
    while (high - low > 1) {
        const rd_u32 middle = low + (high - low) / 2;
        if (rd_ld_const(&s->row[middle]) <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
}

/* An edge is the one that is listed at its lower end. */
rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    if (u <= v)
        return 0;
    const rd_u32 x = mst_root(a, v), y = mst_root(a, u);
    if (x == y)
        return 0;
    const rd_u64 key = (rd_u64)mst_ordered(a, e) << 32 | (rd_u32)e;
    mst_offer(a, x, key);
    mst_offer(a, y, key);
    return 1;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (s->phase == ALL_FIRST)
        a->mst_label[v] = v;
    else if (s->phase == ALL_LEAST)
        gain->sum += fold;
    else if (a->mst_best[v] != MST_NONE) { /* of the phase before */
        const rd_u32 e = (rd_u32)a->mst_best[v];
        mst_take(a, e, mst_owner(s, e), rd_ld_const(&s->col[e]));
    }
    if (s->phase != ALL_LEAST)
        a->mst_best[v] = MST_NONE;
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    if (s->phase == ALL_LEAST)
        return gain->sum ? ALL_JOIN : RD_SWEEP_END;
    return ALL_LEAST;
}
