/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seed.k.h - seeds of frontiers, kernel side. A seed kernel of an engine puts seed i in its place, and asks
 * seed_vertex which vertex that is. Where the app says which vertices are seeds (RD_APP_SEEDS, model/frontier.k.h),
 * kernel seed_where asks it for each vertex, or each of those that it said `later` of before, and makes a list. With
 * phases that are a promise (RD_APP_DUE) all vertices wait for theirs: it asks, and makes none.
 * Where the app adds up something over edges for it (RD_APP_SEED_EDGES), a vertex of few edges is its lane's, one of
 * more its warp's, and one of very many is done by the whole group: one lane would take longer for a hub than all the
 * others for the rest.
 *
 * Orders. The adds only hand out places, and are relaxed; lists are read by later launches.
 */
#ifndef RD_SCHED_SEED_K_H
#define RD_SCHED_SEED_K_H

#include "raddle/kernel.h"
#include "sched/parts/seed_layout.k.h"

rd_fn rd_u32 seed_vertex(rd_global const rd_u32 *list, rd_u32 count, rd_u32 stride, rd_u32 i)
{
    return stride ? (rd_u32)((rd_u64)i * stride % count) : rd_ld_const(&list[i]);
}

#ifdef RD_APP_SEEDS

/* Vertices of a lane for which places are reserved at once. A core keeps the answers in an array, with a loop; other
 * lanes in registers, for which loops must be unrolled (over 1024 a compiler would not come to an end). */
#if RD_CORE
#define SEED_EACH 1024
#define SEED_UNROLL
#else
#define SEED_EACH   4
#define SEED_UNROLL RD_UNROLL
#endif

#ifdef RD_APP_SEED_EDGES

#define SEED_LANE 32   /* edges of a vertex that are one lane's */
#define SEED_WARP 1024 /* ... one warp's, where there are warps */

typedef struct {
    rd_global const rd_u64 *row;
    rd_global const rd_u32 *col;
    rd_local rd_u32 *scratch;
    rd_u32 wanted; /* what they add up to; equal in all lanes */
} seed_edges;

rd_fn rd_u32 seed_wants_edges(const rd_app *a)
{
    return (RD_APP_SEED_EDGES) != 0;
}

/* Every stride-th edge of v from `first` on. */
rd_fn rd_u32 seed_add_up(const rd_app *a, const seed_edges *s, rd_u32 v, rd_u32 first, rd_u32 stride)
{
    const rd_u64 end = rd_ld_const(&s->row[v + 1]);
    rd_u32 sum = 0;
    for (rd_u64 e = rd_ld_const(&s->row[v]) + first; e < end; e += stride)
        sum += rd_app_seed_edge(a, v, rd_ld_const(&s->col[e]), e);
    return sum;
}

/* What the edges of the lane's vertex come to; has: there is one. All lanes of the group call it. */
rd_fn rd_u32 seed_count(const rd_app *a, const seed_edges *s, rd_u32 has, rd_u32 v)
{
#if RD_LANES == 1
    return has ? seed_add_up(a, s, v, 0, 1) : 0;
#else
    const rd_u64 degree = has ? rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]) : 0;
    rd_u32 sum = degree && degree <= SEED_LANE ? seed_add_up(a, s, v, 0, 1) : 0, wide = degree > SEED_LANE;
#if RD_WARP == 32 && RD_LANES % 32 == 0
    const rd_u32 me = rd_warp_lane();
    for (rd_u32 left = rd_warp_ballot(wide && degree <= SEED_WARP); left; left &= left - 1) {
        const rd_u32 owner = rd_lowest(left);
        rd_u32 x = seed_add_up(a, s, rd_warp_shuffle(v, owner), me, RD_WARP);
        RD_UNROLL
        for (rd_u32 step = RD_WARP / 2; step > 0; step /= 2)
            x += rd_warp_shuffle(x, me ^ step);
        sum = me == owner ? x : sum;
    }
    wide = degree > SEED_WARP;
#endif
    rd_u32 owner = rd_group_min(s->scratch, wide ? rd_lane() : RD_LANES);
    while (owner < RD_LANES) { /* equal in all lanes */
        const rd_u32 whose = rd_group_broadcast(s->scratch, v, owner);
        const rd_u32 x = rd_group_sum(s->scratch, seed_add_up(a, s, whose, rd_lane(), rd_lanes()));
        if (rd_lane() == owner) {
            sum = x;
            wide = 0;
        }
        owner = rd_group_min(s->scratch, wide ? rd_lane() : RD_LANES);
    }
    return sum;
#endif
}

/* Asks for v; has: there is one. All lanes of the group call it. */
rd_fn rd_u32 seed_ask(const rd_app *a, const seed_edges *s, rd_u32 has, rd_u32 v)
{
    const rd_u32 sum = s->wanted ? seed_count(a, s, has, v) : 0;
    return has ? rd_app_is_seed_by(a, v, sum) : RD_SEED_NO;
}

#else

typedef rd_u32 seed_edges; /* none */

rd_fn rd_u32 seed_ask(const rd_app *a, const seed_edges *s, rd_u32 has, rd_u32 v)
{
    return has ? rd_app_is_seed(a, v) : RD_SEED_NO;
}

#endif

#define SEED_WHERE_ALL_ARGS(buf, arg) SEED_WHERE_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

rd_kernel(seed_where, SEED_WHERE_ALL_ARGS)
{
    rd_local_array(rd_u32, seed_scratch, RD_SCRATCH);
    const rd_app seed_app = rd_bind(RD_APP_ARGS);
    seed_edges edges;
#ifdef RD_APP_SEED_EDGES
    edges.row = seed_row;
    edges.col = seed_col;
    edges.scratch = seed_scratch;
    edges.wanted = seed_wants_edges(&seed_app);
#endif
#ifdef RD_APP_DUE
    for (rd_u64 seed_base = rd_group() * (rd_u64)rd_lanes(); seed_base < seed_asked;
         seed_base += (rd_u64)rd_groups() * rd_lanes())
        seed_ask(&seed_app, &edges, seed_base + rd_lane() < seed_asked, (rd_u32)seed_base + rd_lane());
#else
    const rd_u64 seed_tile = SEED_EACH * rd_lanes();
    for (rd_u64 seed_base = rd_group() * seed_tile; seed_base < seed_asked; seed_base += rd_groups() * seed_tile) {
        rd_u32 answer[SEED_EACH], count = 0, all = 0, now_at = 0, later_at = 0;
        SEED_UNROLL
        for (rd_u32 k = 0; k < SEED_EACH; k++) {
            const rd_u64 i = seed_base + k * rd_lanes() + rd_lane();
            const rd_u32 has = i < seed_asked, v = has && seed_listed ? rd_ld_const(&seed_from[i]) : (rd_u32)i;
            answer[k] = seed_ask(&seed_app, &edges, has, v);
            count += answer[k] == RD_SEED_NOW ? 1u : answer[k] == RD_SEED_LATER ? 1u << 16 : 0u;
        }
        const rd_u32 before = rd_group_scan(seed_scratch, count, &all);
        if (rd_lane() == 0 && (all & 0xffff)) /* partners: the same adds in other groups */
            now_at = rd_add_rlx(&seed_words[SEED_NOW], all & 0xffff);
        if (rd_lane() == 0 && all >> 16)
            later_at = rd_add_rlx(&seed_words[SEED_LATER], all >> 16);
        now_at = rd_group_broadcast(seed_scratch, now_at, 0) + (before & 0xffff);
        later_at = rd_group_broadcast(seed_scratch, later_at, 0) + (before >> 16);
        SEED_UNROLL
        for (rd_u32 k = 0; k < SEED_EACH; k++) {
            const rd_u64 i = seed_base + k * rd_lanes() + rd_lane();
            if (answer[k] != RD_SEED_NO) {
                const rd_u32 v = seed_listed ? rd_ld_const(&seed_from[i]) : (rd_u32)i;
                if (answer[k] == RD_SEED_NOW)
                    seed_now[now_at++] = v;
                else
                    seed_later[later_at++] = v;
            }
        }
    }
#endif
}

#define SEED_KERNELS(k) k(seed_where, SEED_WHERE_ALL_ARGS)
#else
#define SEED_KERNELS(k)
#endif

#endif
