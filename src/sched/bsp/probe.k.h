/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe.k.h - scheduler `bsp` on cores: what would a round look at that pulls? How many edges a vertex without a place
 * goes through until it finds one that leads to the round follows from no count: on graphs with hubs, whose neighbours
 * all list them first, it is one or two where edges at random would be ten; on web crawls and small worlds, whose
 * neighbours are neighbours, it is all of them. So when a round has found many tasks one core asks a few vertices,
 * before the next round is chosen. They also tell whether neighbours are far away in number: then a vertex that is
 * offered a place is in no near cache, where the bits of all of them are, and as likely as not in another core's.
 *
 * The core that asks is the one that turns the round (bsp_turn), at the end of its share. Others may still be adding to
 * the set, so it may count some edges too many; it alone writes what it found, and all read it behind the barrier.
 */
#ifndef RD_SCHED_BSP_PROBE_K_H
#define RD_SCHED_BSP_PROBE_K_H

#include "sched/bsp/group.k.h"

#if BSP_CAN_PULL && RD_CORE

/* Edges of v up to the first that leads to the set; at most BSP_PROBE_EDGES are looked at. far: how many of these lead
 * far, less how many do not. */
rd_fn rd_u32 bsp_probe_vertex(const bsp_ctx *c, rd_global const rd_u32 *set, rd_u32 v, rd_i32 *far)
{
    const rd_u64 begin = rd_ld_const(&c->row[v]), end = rd_ld_const(&c->row[v + 1]);
    const rd_u64 last = end - begin < BSP_PROBE_EDGES ? end : begin + BSP_PROBE_EDGES;
    rd_u64 e = begin;
    while (e < last) {
        const rd_u32 u = rd_ld_const(&c->col[e++]);
        *far += (u > v ? u - v : v - u) >> BSP_PROBE_FAR ? 1 : -1;
        if (rd_ld_rlx(&set[u / 32]) >> u % 32 & 1) /* partner: the additions of others */
            return (rd_u32)(e - begin);
    }
    return (rd_u32)(e == end ? e - begin : end - begin < 2 * BSP_PROBE_EDGES ? end - begin : 2 * BSP_PROBE_EDGES);
}

/* At the end of a round that pushed, by one core. */
rd_fn void bsp_probe(const bsp_ctx *c, bsp_group *g)
{
    rd_global const rd_u32 *const set = bsp_set(c, g->view.set);
    const rd_u32 found = rd_ld_rlx(&g->next[BSP_COUNT]); /* partner: the additions of others, some of which may come */
    const rd_u32 switches = c->direction == BSP_SWITCHING && !g->view.wary && g->view.kind == BSP_PUSH;
    rd_u32 asked = 0, edges = 0;
    rd_i32 far = 0;
    if (!switches || found < c->vertices / BSP_PROBE_SHARE)
        return;
    for (rd_u32 i = 0; i < BSP_PROBES_ASKED; i++) {
        const rd_u32 fraction = (g->view.number * BSP_PROBES_ASKED + i) * 2654435769u; /* of 2^32: spread evenly */
        const rd_u32 v = (rd_u32)((rd_u64)fraction * c->vertices >> 32);
        if (!(rd_ld_rlx(&set[v / 32]) >> v % 32 & 1)) { /* partner: likewise */
            edges += bsp_probe_vertex(c, set, v, &far);
            asked++;
        }
    }
    g->next[BSP_PROBED] = BSP_PROBED_WORD(asked, (rd_u32)(far > 0 && g->all > 1), edges);
}

#endif
#endif
