/* SPDX-License-Identifier: Apache-2.0 */
/*
 * color_priority.k.c - colouring in the order of degrees (largest first), without a single conflict: a vertex is
 * coloured when all its neighbours of higher priority are. After M. Jones and P. Plassmann, "A parallel graph coloring
 * heuristic", 1993, with the order of Welsh and Powell; neighbours push instead of being asked.
 *
 * Priority is the degree, then a hash of the number, which is a permutation, so no two are equal. Each vertex is a task
 * twice.
 *   First, as a seed, it counts: of its edges, those to itself and to neighbours of lower priority are seen to at once.
 *   Then, when all its edges are seen to, it takes the least colour that no neighbour of higher priority has, and
 *   visits its edges again: at each neighbour of lower priority it marks the colour as taken, and sees to the edge.
 * The seed's task itself is one more thing to be seen to. So the count is complete exactly once: mostly by one who sees
 * to an edge, and gives the vertex; or, where all neighbours have higher priority and were faster, by the seed's task,
 * which then goes on as the second.
 *
 * Layout. seen[v]: edges of v that are seen to, and the seed's task. taken: bits from word row[v] / 32 + v on; there is
 * one bit more than v has edges before those of v + 1 start, and the least free colour is not above the number of
 * edges.
 *
 * Orders. A mark is made before the edge is seen to with release; who opens v acquires the complete count, which all
 * of them led up to, so it sees all marks.
 */
#define RD_APP_HURRY 1 /* what a vertex with many edges finds is needed before it is done */
#include "sched/worker.k.h"
#include "apps/color_hash.k.h"
#include "apps/color_layout.k.h"

#define COLOR_COUNT 0x80000000u /* of what open says: this task counts; the rest is the degree */
#if RD_LANES == 1
#define COLOR_AT_ONCE 1
#else
#define COLOR_AT_ONCE 8 /* words of marks in flight */
#endif

/* clang-format off */
#define RD_APP_ARGS(arg)             \
    arg(rd_global rd_u32 *, colour)  \
    arg(rd_global rd_u32 *, seen)    \
    arg(rd_global rd_u32 *, taken)   \
    arg(rd_global const rd_u64 *, rows)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Does u, of degree du, go before v, of degree dv? */
rd_fn rd_u32 color_before(rd_u32 u, rd_u32 du, rd_u32 v, rd_u32 dv)
{
    return du != dv ? du > dv : color_hash(u) > color_hash(v);
}

/* The least colour that is not marked. */
rd_fn rd_u32 color_least(const rd_app *a, rd_u64 at, rd_u32 degree)
{
    rd_u32 least = COLOR_NONE;
    for (rd_u32 base = 0; least == COLOR_NONE && base <= degree / 32; base += COLOR_AT_ONCE) {
        rd_u32 word[COLOR_AT_ONCE];
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_AT_ONCE; k++)
            word[k] = base + k <= degree / 32 ? rd_ld_rlx(&a->taken[at + base + k]) : 0; /* complete: see above */
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_AT_ONCE; k++)
            if (least == COLOR_NONE && ~word[k])
                least = 32 * (base + k) + rd_popcount((~word[k] & (word[k] + 1)) - 1); /* the lowest bit that is 0 */
    }
    return least;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 v)
{
    const rd_u64 begin = rd_ld_const(&a->rows[v]);
    const rd_u32 degree = (rd_u32)(rd_ld_const(&a->rows[v + 1]) - begin);
    /* Both pair with the release in rd_app_edge. */
    if (rd_ld_acq(&a->seen[v]) <= degree && rd_add_acq(&a->seen[v], 1) < degree)
        return COLOR_COUNT | degree;
    const rd_u32 least = color_least(a, begin / 32 + v, degree);
    a->colour[v] = least; /* for the host */
    return least;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    const rd_u64 begin = rd_ld_const(&a->rows[v]);
    const rd_u32 degree = (rd_u32)(rd_ld_const(&a->rows[v + 1]) - begin);
    if (value & COLOR_COUNT) {
        const rd_u32 own = value - COLOR_COUNT;
        /* Relaxed: it tells nothing, and does not break the chain of those that do. Partner: the addition below. */
        if (!color_before(v, degree, u, own) && rd_add_rlx(&a->seen[u], 1) == own)
            rd_give(w, u);
        return;
    }
    const rd_u32 own = (rd_u32)(rd_ld_const(&a->rows[u + 1]) - rd_ld_const(&a->rows[u]));
    if (u == v || color_before(v, degree, u, own))
        return;
    if (value <= degree)                                                     /* a higher one is of no interest to v */
        rd_or_rlx(&a->taken[begin / 32 + v + value / 32], 1u << value % 32); /* partner: color_least */
    if (rd_add_rel(&a->seen[v], 1) == degree)                                /* pairs with the acquire in rd_app_open */
        rd_give(w, v);
}

#include "sched/entry.k.h"
