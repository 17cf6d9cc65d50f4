/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bc.k.c - betweenness centrality: how many of the shortest ways between others lead through each vertex. U. Brandes,
 * "A faster algorithm for betweenness centrality", 2001: from each source a search that counts the shortest ways to
 * each vertex, w(v); then from the last level back, for u and the vertices v after it,
 *     d(u) = sum of w(u) / w(v) * (1 + d(v)) = w(u) * s(u)   with   s(u) = sum of 1 / w(v) + s(v)
 * of which s(u) is what is kept: then an edge brings a number of v's alone. d(u) is added to u's score. Parallel edges
 * are several ways; a loop is none.
 *
 * A source takes stages (bc/layout.k.h). In rounds SEARCH claims as bfs/bfs.k.c does, and counts ways along the edges
 * to the next level, whoever claimed it: they are complete when the round is over, and the next one passes them on.
 * Without rounds SEARCH finds depths alone, and ways are counted by a wave: a vertex is a task when all edges to it
 * from the level before have brought their ways; TALLY has counted those edges, each takes itself off, and whoever
 * takes off the last one gives the vertex. The way back is a stage a level where levels are few: each vertex of the
 * level asks those of the next. Edges are followed in their own direction, so directed graphs need no reverse. Where
 * levels are many, on cores also narrow, and the graph is symmetric it is a wave too, from those behind which nobody
 * is, of any number of levels in one stage.
 *
 * Ways are floats. Where they get too many (1e30), the host runs the source again with `bc_wide`: numbers of
 * bc/number.k.h, which are changed by compare-and-swap.
 *
 * Orders. All relaxed: within a stage words are counted up that a later round or stage reads, or stand for themselves.
 * But for taking off in a wave, which is acq_rel, so that who takes off the last sees what all the others brought.
 * The order of additions is not defined, so last digits differ from run to run.
 */
#define RD_APP_SEEDS    1
#define RD_APP_PREFETCH 1 /* says what edges look at */
#include "model/frontier.k.h"

#include "apps/bc/layout.k.h"
#include "apps/bc/number.k.h"

#define BC_NONE     0xffffffffu
#define BC_TOO_MANY 1e30f

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                   \
    buf(rd_u32, bc_depth)                                                       \
    buf(rd_u32, bc_pair) /* floats: ways to v, and s(v): 2 v, 2 v + 1 */        \
    buf(rd_u64, bc_pair64) /* the same, with bc_wide; else unused */            \
    buf(rd_f32, bc_score)                                                       \
    buf(rd_u32, bc_waits) /* of a wave: edges that have not brought anything yet */ \
    buf(rd_u32, bc_note) /* see bc/layout.k.h */                                \
    arg(rd_u32, bc_stage)                                                       \
    arg(rd_u32, bc_level) /* of PULL; of TALLY: 1, for the way back */          \
    arg(rd_u32, bc_source)                                                      \
    arg(rd_u32, bc_wide)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* ---- Numbers of vertices: which = 0, ways; 1, s ---- */

rd_fn rd_f32 bc_get(const rd_app *a, rd_u32 v, rd_u32 which)
{
    return rd_as_f32(rd_ld_rlx(&a->bc_pair[2 * (rd_u64)v + which])); /* partner: the addition below, before now */
}

rd_fn rd_u64 bc_get64(const rd_app *a, rd_u32 v, rd_u32 which)
{
    return rd_ld64_rlx(&a->bc_pair64[2 * (rd_u64)v + which]); /* partner: the swap below, before now */
}

rd_fn void bc_add64(const rd_app *a, rd_u32 v, rd_u32 which, rd_u64 x)
{
    rd_global rd_u64 *const at = &a->bc_pair64[2 * (rd_u64)v + which];
    rd_u64 old = rd_ld64_rlx(at), seen = ~old; /* partner: the same in other lanes */
    while (old != seen) {
        seen = old;
        old = rd_cas64_rlx(at, seen, bc_sum(seen, x));
    }
    if (bc_exponent(old) >= BC_LARGEST)
        rd_st_rlx(&a->bc_note[BC_MANY], 2); /* read by the host */
}

/* Along an edge to the next level: v's ways are those of u, and more. */
rd_fn void bc_pass_on(const rd_app *a, rd_u32 u, rd_u32 v)
{
    if (a->bc_wide) {
        bc_add64(a, v, 0, bc_get64(a, u, 0));
        return;
    }
    const rd_f32 ways = bc_get(a, u, 0);
    /* partner: the same in other lanes; the word holds a float */
    const rd_f32 old = rd_addf_rlx((rd_global rd_f32 *)&a->bc_pair[2 * (rd_u64)v], ways);
    if (old + ways > BC_TOO_MANY)
        rd_st_rlx(&a->bc_note[BC_MANY], 1); /* read by the host */
}

/* Along the same edge, backwards. */
rd_fn void bc_pull_back(const rd_app *a, rd_u32 u, rd_u32 v)
{
    if (a->bc_wide)
        bc_add64(a, u, 1, bc_sum(bc_inverse(bc_get64(a, v, 0)), bc_get64(a, v, 1)));
    else /* partner: the same for other edges of u */
        rd_addf_rlx((rd_global rd_f32 *)&a->bc_pair[2 * (rd_u64)u + 1], 1.0f / bc_get(a, v, 0) + bc_get(a, v, 1));
}

/* ---- Tasks ---- */

/* The level that edges of u are about. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    if (a->bc_stage == BC_PULL)
        return a->bc_level + 1;
    const rd_u32 depth = rd_ld_rlx(&a->bc_depth[u]); /* partner: claims */
    return a->bc_stage == BC_BACK ? depth - 1 : depth + 1;
}

rd_fn void bc_note_depth(const rd_app *a, rd_u32 depth)
{
    if (rd_ld_rlx(&a->bc_note[BC_DEEPEST]) < depth) /* partner: the maximum in other lanes */
        rd_max_rlx(&a->bc_note[BC_DEEPEST], depth);
}

#if RD_ROUNDS
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 next, rd_u32 v)
{
    const rd_u32 depth = rd_ld_rlx(&a->bc_depth[v]); /* partner: the claim below; what is old costs one in vain */
    return depth == next || depth == BC_NONE;
}

/* The same question: on a core the way on which what edges look at is asked for early, which atomics would wait for. */
#if RD_CORE
#define RD_APP_WANTS_EDGE 1
rd_fn rd_u32 rd_app_want_edge(const rd_app *a, rd_u32 next, rd_u32 v, rd_u64 e)
{
    return rd_app_want(a, next, v);
}
#endif

rd_fn void bc_search(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 next, rd_u32 v)
{
    rd_u32 depth = rd_ld_rlx(&a->bc_depth[v]); /* partner: the claim below */
    if (depth == BC_NONE) {
        depth = rd_cas_rlx(&a->bc_depth[v], BC_NONE, next); /* partner: the same in other lanes */
        if (depth == BC_NONE) {
            depth = next;
            rd_give(w, v);
            bc_note_depth(a, next);
        }
    }
    if (depth == next)
        bc_pass_on(a, u, v);
}
#else
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 next, rd_u32 v)
{
    const rd_u32 depth = rd_ld_rlx(&a->bc_depth[v]); /* partner: the claim below; what is old costs one in vain */
    return a->bc_stage == BC_SEARCH ? depth > next : depth == next;
}

rd_fn void bc_search(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 next, rd_u32 v)
{
    const rd_u32 old = rd_min_rlx(&a->bc_depth[v], next); /* partner: the same in other lanes */
    if (old == BC_NONE)
        rd_give(w, v);
    else if (old > next)
        rd_give_again(w, v);
}
#endif

/* In a wave v has been brought something. */
rd_fn void bc_take_off(const rd_app *a, rd_worker *w, rd_u32 v)
{
    if (rd_add_acqrel(&a->bc_waits[v], 0xffffffffu) == 1) /* pairs with the same by the other edges to v */
        rd_give(w, v);
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 next, rd_u32 v, rd_u64 e)
{
    if (a->bc_stage == BC_SEARCH) {
        bc_search(a, w, u, next, v);
    } else if (rd_ld_rlx(&a->bc_depth[v]) == next) { /* of an earlier stage */
        if (a->bc_stage == BC_TALLY) {
            rd_add_rlx(&a->bc_waits[a->bc_level ? u : v], 1); /* partner: the same of other edges; read by a wave */
        } else if (a->bc_stage == BC_OUT) {
            bc_note_depth(a, next);
            bc_pass_on(a, u, v);
            bc_take_off(a, w, v);
        } else if (a->bc_stage == BC_BACK) {
            bc_pull_back(a, v, u);
            bc_take_off(a, w, v);
        } else {
            bc_pull_back(a, u, v);
        }
    }
}

/* See sched/edges/prefetch.k.h. */
rd_fn void rd_app_prefetch_edges(const rd_app *a, rd_u64 e)
{
}

rd_fn void rd_app_prefetch(const rd_app *a, rd_u32 v)
{
    rd_prefetch(&a->bc_depth[v]);
    rd_prefetch(&a->bc_pair[2 * (rd_u64)v]); /* with bc_wide it is not what is used, and does no harm */
}

/* ---- Seeds: the vertices of a level, or all that are reached, or the first of a wave; and what is done with every
 * vertex in the end ---- */

rd_fn void bc_finish(const rd_app *a, rd_u32 v)
{
    const rd_u64 at = 2 * (rd_u64)v;
    if (v != a->bc_source && a->bc_depth[v] != BC_NONE)
        a->bc_score[v] += a->bc_wide ? bc_product(a->bc_pair64[at], a->bc_pair64[at + 1])
                                     : rd_as_f32(a->bc_pair[at]) * rd_as_f32(a->bc_pair[at + 1]);
    a->bc_depth[v] = BC_NONE;
    if (a->bc_wide)
        a->bc_pair64[at] = a->bc_pair64[at + 1] = 0;
    else
        a->bc_pair[at] = a->bc_pair[at + 1] = 0; /* the bits of 0.0 */
}

rd_fn rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
{
    if (a->bc_stage == BC_FINISH) {
        bc_finish(a, v);
        return RD_SEED_NO;
    }
    if (a->bc_stage == BC_PULL)
        return a->bc_depth[v] == a->bc_level ? RD_SEED_NOW : RD_SEED_NO;
    const rd_u32 reached = a->bc_depth[v] != BC_NONE;
    return reached && (a->bc_stage == BC_TALLY || !a->bc_waits[v]) ? RD_SEED_NOW : RD_SEED_NO;
}
