/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kcore.k.c - coreness by peeling. The k-core is what is left when vertices of less than k neighbours are taken away
 * until there are none; the coreness of a vertex is the largest k whose core has it. After V. Batagelj and M.
 * Zaversnik, 2003, and in parallel, level by level, as H. Kabir and K. Madduri, "Parallel k-core decomposition on
 * multicore platforms", 2017.
 *
 * One word a vertex, `kc_degree`: its neighbours that are left; when it is taken away, its coreness. Stage k starts
 * from the vertices that have k. A task takes its vertex away: each neighbour with more than k has one less, and
 * whoever brings it to k gives it. So each vertex is a task once, in any order. The subtraction may come too late, when
 * others brought the neighbour to k since it was looked at. Then it is added again. Only words of k and less are added
 * to, so none passes from k + 1 to k twice; and when the stage is over, what was taken away in it has k, and what is
 * left has more. So the vertices with k are those of the stage, and the next one starts from those that have k + 1.
 * Where none has, `kc_note` is the least that one has.
 *
 * The graph counts as simple: loops do not count, of parallel edges one does. They are neighbours in a row that
 * ascends.
 *
 * Orders. All atomics are relaxed: a word is all there is to know of a vertex.
 */
#include "model/frontier.k.h"

#define RD_APP_SEEDS 1

/* clang-format off */
#define RD_APP_ARGS(buf, arg)      \
    buf(rd_u32, kc_degree)         \
    buf(rd_u32, kc_note)           \
    buf(const rd_u64, kc_row)      \
    buf(const rd_u32, kc_col)      \
    arg(rd_u32, kc_level) /* k */  \
    arg(rd_u32, kc_opening) /* the first stage: degrees are not there yet */ \
    arg(rd_u32, kc_simple) /* no loops, no parallel edges */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Is edge e of u's the first one of some to the same vertex? */
rd_fn rd_u32 kcore_is_first(const rd_app *a, rd_u32 u, rd_u64 e, rd_u32 v)
{
    return e == rd_ld_const(&a->kc_row[u]) || rd_ld_const(&a->kc_col[e - 1]) != v;
}

rd_fn rd_u32 kcore_neighbours(const rd_app *a, rd_u32 u)
{
    const rd_u64 from = rd_ld_const(&a->kc_row[u]), end = rd_ld_const(&a->kc_row[u + 1]);
    rd_u32 count = 0;
    if (a->kc_simple)
        return (rd_u32)(end - from);
    for (rd_u64 e = from; e < end; e++) {
        const rd_u32 v = rd_ld_const(&a->kc_col[e]);
        count += v != u && kcore_is_first(a, u, e, v);
    }
    return count;
}

rd_fn rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
{
    const rd_u32 degree = a->kc_opening ? kcore_neighbours(a, v) : rd_ld_rlx(&a->kc_degree[v]);
    if (a->kc_opening)
        rd_st_rlx(&a->kc_degree[v], degree); /* read by later launches */
    if (degree <= a->kc_level)
        return degree == a->kc_level ? RD_SEED_NOW : RD_SEED_NO;
    if (degree < rd_ld_rlx(a->kc_note)) /* partner: the minimum in other lanes; what is old costs one in vain */
        rd_min_rlx(a->kc_note, degree);
    return RD_SEED_LATER;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return 0;
}

/* A loop leads to a vertex that has k: it is not wanted. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    return rd_ld_rlx(&a->kc_degree[v]) > a->kc_level; /* partner: the changes below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    if (!a->kc_simple && !kcore_is_first(a, u, e, v))
        return;
    const rd_u32 old = rd_add_rlx(&a->kc_degree[v], 0xffffffffu); /* partner: the same in other lanes */
    if (old == a->kc_level + 1)
        rd_give(w, v);
    else if (old <= a->kc_level) /* likewise */
        rd_add_rlx(&a->kc_degree[v], 1);
}
