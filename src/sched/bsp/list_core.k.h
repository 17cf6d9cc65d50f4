/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_core.k.h - scheduler `bsp` on cores: tasks of a claim in a row, where a vertex is given once. Part of
 * bsp/edges_core.k.h.
 *
 * A leaf of a star is one edge. Where it is run within the round, whose control words, claims and stash are at work
 * too, it takes seventy instructions, half of which move numbers between registers and the stack. So the loop over
 * tasks and their edges is a function, which has all registers and nothing else to do than to fill the stash. It
 * returns when there is no room for a batch more, also in the midst of a vertex. It is edges_visit (edges/visit.k.h)
 * for tasks that go to the next round, all of them by way of the stash: there is no place to ask for.
 */
#ifndef RD_SCHED_BSP_LIST_CORE_K_H
#define RD_SCHED_BSP_LIST_CORE_K_H

#if BSP_BY_CORE

/* Are these rounds of tasks that are listed in the queue, and is what they give to be stashed? */
rd_fn rd_u32 bsp_runs_lists(const bsp_ctx *c)
{
    return !bsp_option(c, BSP_BITMAP) && bsp_option(c, BSP_PUSH_MASK) == BSP_PUSH_BY_GROUP;
}

/* The task that is next, what is in the stash, and how many edges were looked at. */
typedef struct {
    rd_u32 next, stashed;
    rd_u64 edges;
} bsp_ran;

/* Tasks from..to of the queue, the first from its edge *at on; `all`: so far memory may be asked for. */
rd_across(rd_apart, bsp_ran, bsp_run_list,
          (const bsp_ctx *c, const rd_app *app, rd_global const rd_u32 *queue, rd_u32 from, rd_u32 to, rd_u32 all,
           rd_u32 round, rd_local rd_u32 *stash, rd_u32 stashed, rd_u64 *at))
{
    const rd_app here = *app; /* no one else has its address, so it stays in registers */
    rd_global const rd_u64 *const row = c->row;
    rd_global const rd_u32 *const col = c->col;
    const rd_u64 big = c->span ? BSP_BIG(c) : ~(rd_u64)0;
    rd_u64 edges = 0, skip = *at;
    rd_u32 i = from;
    for (; i < to; i++) {
        const rd_u32 v = queue[i];
        const rd_u64 begin = rd_ld_const(&row[v]), degree = rd_ld_const(&row[v + 1]) - begin;
        const rd_u64 end = begin + (degree > big ? 0 : degree); /* a bigger one's edges are listed as parts */
        if (i + PREFETCH_ROWS < all)
            prefetch_row(row, queue[i + PREFETCH_ROWS]);
        if (i + PREFETCH_EDGES < all)
            prefetch_edges(row, col, app, queue[i + PREFETCH_EDGES]);
        const rd_u32 value = bsp_open(&here, v, round);
        rd_u64 e = begin + skip;
        do {
            const rd_u64 stop = end - e > BSP_BATCH ? e + BSP_BATCH : end;
            if (stashed > BSP_STASH - BSP_ROOM) {
                const bsp_ran full = {i, stashed, edges};
                *at = e - begin;
                return full;
            }
            edges += stop - e;
            for (; e < stop; e++) {
                const rd_u32 target = rd_ld_const(&col[e]);
                rd_worker w = RD_WORKER_NEW;
                if (bsp_want(&here, value, target, e))
                    rd_app_edge(&here, &w, v, value, target, e);
                if (w.given)
                    stash[stashed++] = w.task;
            }
        } while (e < end);
        skip = 0;
    }
    const bsp_ran ran = {i, stashed, edges};
    *at = 0;
    return ran;
}

#else
#define bsp_runs_lists(c) 0
#endif

#endif
