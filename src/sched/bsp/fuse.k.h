/* SPDX-License-Identifier: Apache-2.0 */
/* fuse.k.h - scheduler `bsp` on CPUs, tasks that repeat: opening bins, and running tasks where they were found. See
 * bsp/bins.k.h. */
#ifndef RD_SCHED_BSP_FUSE_K_H
#define RD_SCHED_BSP_FUSE_K_H

#include "sched/bsp/give.k.h"

#if BSP_FUSES

/* One task, here and now; what it gives goes to the stash and to bins. */
rd_fn void bsp_run_here(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 v, rd_u32 counts)
{
    const rd_u64 begin = rd_ld_const(&c->row[v]), end = rd_ld_const(&c->row[v + 1]);
    const rd_u32 value = bsp_open(app, v, g->view.number);
    for (rd_u64 from = begin; from < end; from += BSP_BATCH) {
        edges_visit(c, app, g, v, value, from, end - from < BSP_BATCH ? end : from + BSP_BATCH, counts);
        if (g->stashed + g->late > BSP_STASH - BSP_ROOM)
            bsp_flush(c, g, counts);
    }
    g->edges += end - begin;
    g->fused++;
}

#define BSP_FUSE_LOOK 8 /* tasks between two looks */

/* Runs what is in the stash as long as it is little, and nobody waits. Big vertices, which others should share, stay in
 * it. */
rd_fn void bsp_fuse(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 counts)
{
    rd_u32 batch[BSP_FUSE_MOST], some = 1;
    while (some && g->stashed <= c->control[BSP_HERE] && !bsp_asked(g)) {
        const rd_u32 count = g->stashed;
        for (rd_u32 i = 0; i < count; i++) {
            batch[i] = g->stash[i];
            if (i < PREFETCH_ROWS)
                prefetch_row(c->row, batch[i]);
        }
        g->stashed = some = 0;
        for (rd_u32 i = 0; i < count; i++) {
            const rd_u32 v = batch[i];
            if (i + PREFETCH_ROWS < count)
                prefetch_row(c->row, batch[i + PREFETCH_ROWS]);
            if (i + PREFETCH_EDGES < count)
                prefetch_edges(c->row, c->col, app, batch[i + PREFETCH_EDGES]);
            if (i % BSP_FUSE_LOOK == BSP_FUSE_LOOK - 1 && bsp_asked(g)) {
                if (g->stashed + g->late + (count - i) > BSP_STASH)
                    bsp_flush(c, g, counts);
                for (; i < count; i++)
                    g->stash[g->stashed++] = batch[i];
                return;
            }
            if (c->span && rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v]) > BSP_BIG(c)) {
                g->stash[g->stashed++] = v;
            } else {
                bsp_run_here(c, app, g, v, counts);
                some = 1;
            }
        }
    }
}

#define BSP_FEW 64 /* tasks that are run sooner than shared */

/* Takes the tasks of a bin, which is of phase `when`, into the stash, as long as nobody asks it to leave.
 * @return 1: some had to leave the stash for the queue. */
rd_fn rd_u32 bsp_empty_bin(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_global rd_u32 *region, rd_u32 when,
                           rd_u32 counts)
{
    const rd_u32 bin = when % BSP_BIN_COUNT;
    rd_u32 chunk = region[BSP_BIN_HEADS + bin], flushed = 0, left = region[BSP_BIN_TASKS + bin];
    rd_u32 fill = (left - 1) % (BSP_CHUNK - 1) + 1;
    for (rd_u32 asked = 0; chunk && !asked;) { /* it looks after it has done something */
        rd_global rd_u32 *const words = bsp_chunk(region, chunk - 1);
        const rd_u32 next = words[0];
        for (rd_u32 i = 0; i < fill; i++) {
#ifdef RD_APP_PREFETCH
            if (i + PREFETCH_LINE < fill)
                rd_app_prefetch(app, words[1 + i + PREFETCH_LINE]);
#endif
            if (rd_app_when(app, words[1 + i]) == when) /* else it became due earlier */
                g->stash[g->stashed++] = words[1 + i];
        }
        words[0] = region[BSP_BIN_FREE];
        region[BSP_BIN_FREE] = chunk;
        if (g->stashed + g->late > BSP_STASH - BSP_ROOM) {
            bsp_flush(c, g, counts);
            flushed = 1;
        }
        chunk = next;
        left -= fill;
        fill = BSP_CHUNK - 1;
        asked = bsp_asked(g);
    }
    region[BSP_BIN_HEADS + bin] = chunk;
    region[BSP_BIN_TASKS + bin] = left;
    return flushed;
}

/* Those of the phase in the bins of a region. *mine: how many there were, added up. @return as above. */
rd_fn rd_u32 bsp_open_region(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_global rd_u32 *region, rd_u32 *mine,
                             rd_u32 counts)
{
    const rd_u32 top = region[BSP_BIN_TOP], last = g->view.phase < top ? g->view.phase : top;
    rd_u32 when = region[BSP_BIN_SOON], flushed = 0, asked = 0;
    if (when > g->view.phase) /* BSP_NEVER: there are none */
        return 0;
    while (when <= last && !asked) {
        *mine += region[BSP_BIN_TASKS + when % BSP_BIN_COUNT];
        if (region[BSP_BIN_HEADS + when % BSP_BIN_COUNT])
            flushed |= bsp_empty_bin(c, app, g, region, when, counts);
        asked = region[BSP_BIN_HEADS + when % BSP_BIN_COUNT] != 0;
        when += !asked;
    }
    while (when <= top && !region[BSP_BIN_HEADS + when % BSP_BIN_COUNT])
        when++;
    region[BSP_BIN_SOON] = when <= top ? when : BSP_NEVER;
    return flushed;
}

/* By a core that leaves half-way: what is in the stash is kept. What there is no room for is written. */
rd_fn void bsp_keep_stash(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    rd_global rd_u32 *const region = g->region, *const tasks = &region[BSP_BIN_KEPT + 1];
    rd_u32 room = 1;
    while (c->bin_words && g->stashed && room) {
        const rd_u32 at = *tasks % (BSP_CHUNK - 1);
        room = at || bsp_add_chunk(c, region, BSP_BIN_KEPT);
        if (room) {
            bsp_chunk(region, region[BSP_BIN_KEPT] - 1)[1 + at] = g->stash[--g->stashed];
            ++*tasks;
        }
    }
    if (g->stashed + g->late)
        bsp_flush(c, g, counts);
}

/* What was kept in a region. */
rd_fn void bsp_write_region(const bsp_ctx *c, bsp_group *g, rd_global rd_u32 *region, rd_u32 counts)
{
    rd_u32 chunk = region[BSP_BIN_KEPT], fill = (region[BSP_BIN_KEPT + 1] - 1) % (BSP_CHUNK - 1) + 1;
    region[BSP_BIN_KEPT] = region[BSP_BIN_KEPT + 1] = 0;
    while (chunk) {
        rd_global rd_u32 *const words = bsp_chunk(region, chunk - 1);
        const rd_u32 next = words[0];
        for (rd_u32 i = 0; i < fill; i++)
            g->stash[g->stashed++] = words[1 + i];
        words[0] = region[BSP_BIN_FREE];
        region[BSP_BIN_FREE] = chunk;
        if (g->stashed + g->late > BSP_STASH - BSP_ROOM)
            bsp_flush(c, g, counts);
        chunk = next;
        fill = BSP_CHUNK - 1;
    }
}

/* By the launch that goes on: what was kept is written to the next round. */
rd_fn void bsp_write_kept(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    for (rd_u32 i = g->id; c->bin_words && i < c->control[BSP_REGIONS]; i += g->all)
        bsp_write_region(c, g, bsp_region(c, i), counts);
    if (g->stashed + g->late)
        bsp_flush(c, g, counts);
}

/* Takes the tasks of the phase out of the group's bins, and out of those of groups that are not there. On flat graphs,
 * and in phases that were widened, a few of them are run at once; else all groups share them in the next round.
 * @return 1: it was asked to leave. */
rd_fn rd_u32 bsp_open_bins(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 counts)
{
    rd_u32 mine = 0, flushed = 0, left = 0;
    for (rd_u32 i = g->id; i < c->control[BSP_REGIONS]; i += g->all) {
        rd_global rd_u32 *const region = bsp_region(c, i);
        flushed |= bsp_open_region(c, app, g, region, &mine, counts);
        left |= region[BSP_BIN_SOON] <= g->view.phase;
    }
    if (!mine)
        return 0;
    /* Not when it has more than its share and others would wait for it. */
    const rd_u32 even = mine <= BSP_FEW + g->view.binned / g->all / 4 * 5;
    const rd_u32 few = g->view.binned / g->all < c->control[BSP_SHARED];
    if ((c->flat || g->view.width > 1) && few && even && !flushed)
        bsp_fuse(c, app, g, counts);
    if (bsp_asked(g)) {
        bsp_keep_stash(c, g, counts);
        return 1;
    }
    bsp_flush(c, g, counts);
    return left;
}

#endif
#endif
