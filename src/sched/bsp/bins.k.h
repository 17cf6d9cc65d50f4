/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bins.k.h - scheduler `bsp` on CPUs, tasks that repeat: a core keeps what it finds for later phases in bins of its
 * own, one a phase, and runs a few tasks of the phase at hand itself instead of giving them to the next round. Nothing
 * of that needs an atomic. After S. Beamer and others, "The GAP Benchmark Suite", 2015 (bins), and Y. Zhang and others,
 * "Optimizing Ordered Graph Algorithms with GraphIt", CGO 2020 (fusion).
 *
 * Bins. A group has a region of its own: heads of BSP_BIN_COUNT bins, and chunks of tasks in linked lists. A bin is for
 * every BSP_BIN_COUNT-th phase, and never for two at a time: the phases of a region are less than that apart. A vertex
 * whose phase gets earlier is put into a second bin; when the later one is opened its phase is over, and it is dropped.
 * A task goes to the far set (bsp/give.k.h) when its phase is too far from the others or no chunk is left: the far set
 * has room for every vertex. Its least phase is known, so it is refilled only
 * when one of its tasks may be due; until then rounds that only open bins (BSP_OPEN) lead from phase to phase.
 *
 *   A launch may have fewer groups than there are regions, while workers are lent to another job. Then groups open the
 * bins of those that are not there along with their own, and put what they find into their own. Which regions are whose
 * follows from the number of groups, and a launch lies between two of different numbers. A core that is asked to leave
 * while it opens bins leaves the rest in them, and the launch that goes on with the round opens them again.
 *
 * Leaving. What is in the stash of a core that leaves half-way is a thousand tasks, each of which takes a way to memory
 * or two when it is written to the queue. So it is kept in the region as it is, and the launch that goes on writes it.
 *
 * Fusing. Marks keep a task from being queued twice, because a queue has room for each vertex once. What a core runs
 * itself passes no queue and is not marked; what leaves the stash for the queue is, at that moment. The stash may hold
 * a vertex twice: its second run finds the neighbours improved already.
 *
 * Orders. In a launch regions are written by one group alone. Others read SHOWN of the round, the least phase of the
 * group's bins when the round before ended and how many tasks it has, and RAN. They are written at the end of that
 * round, and again two rounds later, when a barrier or a launch lies between.
 */
#ifndef RD_SCHED_BSP_BINS_K_H
#define RD_SCHED_BSP_BINS_K_H

#include "sched/bsp/group.k.h"

rd_fn rd_global rd_u32 *bsp_region(const bsp_ctx *c, rd_u32 group)
{
    return c->bins + (rd_u64)group * c->bin_words;
}

#if BSP_FUSES

rd_fn rd_global rd_u32 *bsp_chunk(rd_global rd_u32 *region, rd_u32 chunk)
{
    return region + BSP_BIN_HEADER + (rd_u64)chunk * BSP_CHUNK;
}

/* Puts a chunk before the others of a list; head: its word in the region. @return 0: none is left. */
rd_fn rd_u32 bsp_add_chunk(const bsp_ctx *c, rd_global rd_u32 *region, rd_u32 head)
{
    const rd_u32 reused = region[BSP_BIN_FREE], fresh = region[BSP_BIN_FRESH];
    if (!reused && BSP_BIN_HEADER + (fresh + 1ull) * BSP_CHUNK > c->bin_words)
        return 0;
    const rd_u32 chunk = reused ? reused - 1 : fresh;
    rd_global rd_u32 *const words = bsp_chunk(region, chunk);
    region[BSP_BIN_FREE] = reused ? words[0] : 0;
    region[BSP_BIN_FRESH] = fresh + !reused;
    words[0] = region[head];
    region[head] = chunk + 1;
    return 1;
}

/* @return 0: there is no room for it, or its phase is too far ahead. */
rd_fn rd_u32 bsp_bin_put(const bsp_ctx *c, const bsp_group *g, rd_u32 v, rd_u32 when)
{
    if (!c->bin_words)
        return 0;
    rd_global rd_u32 *const region = g->region;
    const rd_u32 bin = when % BSP_BIN_COUNT, soon = region[BSP_BIN_SOON], top = region[BSP_BIN_TOP];
    const rd_u32 least = when < soon ? when : soon, most = soon != BSP_NEVER && top > when ? top : when;
    if (most - least >= BSP_BIN_COUNT)
        return 0;
    const rd_u32 at = region[BSP_BIN_TASKS + bin] % (BSP_CHUNK - 1);
    if (at == 0 && !bsp_add_chunk(c, region, BSP_BIN_HEADS + bin))
        return 0;
    bsp_chunk(region, region[BSP_BIN_HEADS + bin] - 1)[1 + at] = v;
    region[BSP_BIN_TASKS + bin]++;
    region[BSP_BIN_SOON] = least;
    region[BSP_BIN_TOP] = most;
    return 1;
}

/* The least phase of all groups' bins as the round began; *tasks: how many it has; *ran: of the round before, what
 * groups ran besides what the queue had. */
rd_fn rd_u32 bsp_bins_soonest(const bsp_ctx *c, rd_u32 round, rd_u32 *tasks, rd_u32 *ran)
{
    rd_u32 soonest = BSP_NEVER;
    *tasks = *ran = 0;
    for (rd_u32 i = 0; c->bin_words && i < c->control[BSP_REGIONS]; i++) {
        rd_global const rd_u32 *const shown = bsp_region(c, i) + BSP_BIN_SHOWN + 2 * (round % 2);
        *ran += bsp_region(c, i)[BSP_BIN_RAN + round % 2];
        *tasks = shown[0] < soonest ? 0 : *tasks;
        soonest = shown[0] < soonest ? shown[0] : soonest;
        *tasks += shown[0] == soonest ? shown[1] : 0;
    }
    return soonest;
}

/* At the end of a round, for the next; or of a launch that leaves it half-way. */
rd_fn void bsp_show_bins(const bsp_ctx *c, bsp_group *g)
{
    for (rd_u32 i = g->id; i < c->control[BSP_REGIONS]; i += g->all) {
        rd_global rd_u32 *const region = bsp_region(c, i);
        rd_global rd_u32 *const ran = &region[BSP_BIN_RAN + (g->view.number + 1) % 2];
        rd_global rd_u32 *const shown = region + BSP_BIN_SHOWN + 2 * ((g->view.number + 1) % 2);
        shown[0] = region[BSP_BIN_SOON];
        shown[1] = region[BSP_BIN_TASKS + shown[0] % BSP_BIN_COUNT];
        *ran = g->fused - g->fused_before + (BSP_AGAIN(g) ? *ran : 0);
        g->fused_before = g->fused;
    }
}

#endif
#endif
