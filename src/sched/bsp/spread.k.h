/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spread.k.h - scheduler `bsp`: which lane visits which edge of the group's members. See bsp.k.h.
 *
 * A tile is BSP_BATCH edges a lane. Two ways:
 *
 *   search   all edges of the members are numbered; the lanes take them evenly and find the owner of an edge by a
 *            binary search in the members' first numbers.
 *   degree   nested parallelism: a vertex with at least as many edges as the group has lanes is visited by the group,
 *            one with at least as many as a warp has by its warp, any other by its lane. First the group's tiles; then
 *            each warp has its own and its lanes' ones, and all wait for the warp that has most. (T. Sorensen's thesis,
 *            2018, after S. Pai, K. Pingali: A compiler for throughput optimization of graph algorithms, OOPSLA 2016.)
 *
 * Of degree each part can be left out (BSP_NESTED): without the group's, or the warps', those vertices are the next
 * smaller one's. And what would be the lanes' own can be shared by all lanes evenly, by a search among these vertices
 * alone (fine-grained): those tiles follow the group's.
 */
#ifndef RD_SCHED_BSP_SPREAD_K_H
#define RD_SCHED_BSP_SPREAD_K_H

#include "sched/bsp/group.k.h"
#include "sched/edges/owner.k.h"

#define BSP_TILE (BSP_BATCH * rd_lanes()) /* edges */

#if RD_LANES == 1

/* @return the edges of the members, and how many tiles they make: at least one. */
rd_fn rd_u32 bsp_plan_tiles(const bsp_ctx *c, bsp_group *g, rd_u32 members, rd_u32 degree, rd_u32 *tiles)
{
    g->first[0] = degree;
    *tiles = degree ? (degree - 1) / BSP_BATCH + 1 : 1;
    return degree;
}

#else

#if BSP_BY_WARP
#define BSP_TEAM RD_WARP
#else
#define BSP_TEAM 1 /* no warps: below the group there is only the lane */
#endif

/* Tiles that the warp needs for this lane's member, summed over lower lanes; and over all in *all. */
rd_fn rd_u32 bsp_warp_scan(rd_u32 x, rd_u32 *all)
{
#if BSP_BY_WARP
    const rd_u32 sum = rd_warp_scan(x);
    *all = rd_warp_shuffle(sum, RD_WARP - 1);
    return sum - x;
#else
    *all = 0;
    return 0;
#endif
}

rd_fn rd_u32 bsp_ceil(rd_u32 x, rd_u32 by)
{
    return x ? (x - 1) / by + 1 : 0;
}

/* From how many edges on a vertex is the group's, or a warp's; whether it is not its own lane's; and a tile's number
 * beyond those that the group shares. */
#if BSP_NESTS
#define BSP_BIG_FROM(c)    (bsp_option(c, BSP_NO_GROUP) ? 0xffffffffu : rd_lanes())
#define BSP_MEDIUM_FROM(c) (bsp_option(c, BSP_NO_WARP) ? 0xffffffffu : BSP_TEAM)
#define BSP_BEYOND(g, t)   ((t) - (g)->group_tiles - (g)->fine_tiles)
#define BSP_VISITED(c, many)                                                                                           \
    (bsp_fine(c) || (many) >= BSP_BIG_FROM(c) || (BSP_TEAM > 1 && (many) >= BSP_MEDIUM_FROM(c)))
#else
#define BSP_BIG_FROM(c)      rd_lanes()
#define BSP_MEDIUM_FROM(c)   BSP_TEAM
#define BSP_BEYOND(g, t)     t - g->group_tiles
#define BSP_VISITED(c, many) many >= (BSP_TEAM > 1 ? BSP_TEAM : rd_lanes())
#endif

#if BSP_NESTS
rd_fn rd_u32 bsp_fine(const bsp_ctx *c)
{
    return bsp_option(c, BSP_FINE) != 0;
}

/* Numbers the edges that are left to all lanes, `left` of them this lane's member's. @return the tiles they make. */
rd_fn rd_u32 bsp_plan_fine(bsp_group *g, rd_u32 left)
{
    rd_u32 all = 0;
    g->third[rd_lane()] = rd_group_scan(g->scratch, left, &all);
    g->fine = all;
    g->fine_tiles = bsp_ceil(all, BSP_TILE);
    return g->fine_tiles;
}
#endif

/* @return the edges of the members, and how many tiles they make: at least one. */
rd_fn rd_u32 bsp_plan_tiles(const bsp_ctx *c, bsp_group *g, rd_u32 members, rd_u32 degree, rd_u32 *tiles)
{
    const rd_u32 by_degree = bsp_option(c, BSP_BY_DEGREE) != 0, lane = rd_lane();
    const rd_u32 big = by_degree && degree >= BSP_BIG_FROM(c),
                 medium = by_degree && !big && BSP_TEAM > 1 && degree >= BSP_MEDIUM_FROM(c);
    rd_u32 total = 0, edges, warp_tiles = 0, lane_tiles = 0;
    const rd_u32 before = rd_group_scan(g->scratch, !by_degree ? degree : big ? bsp_ceil(degree, BSP_TILE) : 0, &total);
    if (lane < members)
        g->first[lane] = before;
    edges = total;
    g->group_tiles = total;
    rd_once(by_degree) {
        const rd_u32 second = bsp_warp_scan(medium ? bsp_ceil(degree, BSP_BATCH * BSP_TEAM) : 0, &warp_tiles);
        g->second[lane] = second;
        g->degree[lane] = lane < members ? degree : 0;
        g->warp_tiles = warp_tiles;
        lane_tiles = big || medium ? 0 : bsp_ceil(degree, BSP_BATCH);
#if BSP_NESTS
        rd_once(bsp_fine(c)) {
            lane_tiles = 0;
            total += bsp_plan_fine(g, big || medium ? 0 : degree);
        }
#endif
        total += rd_group_max(g->scratch, warp_tiles + lane_tiles);
        edges = rd_group_sum(g->scratch, degree);
    }
    rd_barrier(); /* members are complete */
    *tiles = by_degree ? total : bsp_ceil(total, BSP_TILE);
    *tiles = *tiles ? *tiles : 1;
    return edges;
}

/* The k-th edge of this lane in tile t. @return 0: it has none. */
rd_fn rd_u32 bsp_edge_of(const bsp_ctx *c, const bsp_group *g, rd_u32 members, rd_u32 t, rd_u32 k, rd_u32 *owner,
                         rd_u64 *edge)
{
    const rd_u32 lane = rd_lane();
    rd_u32 o = lane, i = (t * BSP_BATCH + k) * rd_lanes() + lane; /* the owner, and the number among its edges */
    *owner = 0;
    if (!bsp_option(c, BSP_BY_DEGREE)) {
        if (i >= g->group_tiles) /* without degrees: the number of all edges */
            return 0;
        o = owner_of(g->first, members, OWNER_STEP, i);
        *owner = o;
        *edge = g->from[o] + (i - g->first[o]);
        return 1;
    }
    if (t < g->group_tiles) {
        o = owner_of(g->first, members, OWNER_STEP, t);
        i -= g->first[o] * BSP_TILE;
#if BSP_NESTS
    } else if (t - g->group_tiles < g->fine_tiles) {
        i -= g->group_tiles * BSP_TILE;
        if (i >= g->fine)
            return 0;
        o = owner_of(g->third, members, OWNER_STEP, i);
        i -= g->third[o];
#endif
    } else if (BSP_BEYOND(g, t) < g->warp_tiles) {
        const rd_u32 base = lane - lane % BSP_TEAM, tile = BSP_BEYOND(g, t);
        o = base + owner_of(g->second + base, BSP_TEAM, BSP_TEAM / 2, tile);
        i = ((tile - g->second[o]) * BSP_BATCH + k) * BSP_TEAM + lane % BSP_TEAM;
    } else {
        const rd_u32 degree = g->degree[lane];
        if (BSP_VISITED(c, degree))
            return 0; /* the warp or the group has visited it */
        i = (BSP_BEYOND(g, t) - g->warp_tiles) * BSP_BATCH + k;
    }
    *owner = o;
    *edge = g->from[o] + i;
    return i < g->degree[o];
}

#endif

#endif
