/* SPDX-License-Identifier: Apache-2.0 */
/*
 * widen.k.h - scheduler `bsp`, tasks that repeat: phases of few tasks are run together. Part of bsp/group.k.h.
 *
 * How much of the order of phases pays depends on where in the graph a run is. In the midst of a social network a phase
 * has thousands of tasks; on a chain that hangs from it, one, or for many phases none, and a phase costs a barrier or
 * a launch or two. So a phase takes in those that follow it, `width` in all: twice as many as the one before where that
 * had fewer tasks than BSP_WIDEN, half as many where it had more than WIDEN_MUCH times that. Where a wide phase comes
 * to a part with many tasks, its end comes nearer with each round: what is given from then on for phases behind that
 * end waits, as for any later phase.
 *
 * Why it is right. Phases save work and are no more than that (RD_APP_EARLY): a task that runs early may be given
 * again. So only one thing is needed: that no task is lost. A task that is given runs in the phase at hand, or waits in
 * a bin or in the far set for one that ends later than this one. What waits is found when a phase begins that ends
 * there or later; a phase whose end is beyond the least phase of the far set refills from it, and bins up to the end
 * are all opened. A task in the far set is dropped then if it is due in a phase that ends before this one begins: it
 * was improved, and who did that gave it while such a phase was at hand. That holds for ends that came nearer, too: an
 * end is passed for good only when the next phase begins.
 *
 * All groups come to the same width, from words that were written a round ago.
 */
#ifndef RD_SCHED_BSP_WIDEN_K_H
#define RD_SCHED_BSP_WIDEN_K_H

#define WIDEN_MUCH  4           /* times BSP_WIDEN: a phase of more is made narrower */
#define WIDEN_LIMIT 0x10000000u /* phases in one */

/* The last phase of those that begin with `first`; never BSP_NEVER, which is none. */
rd_fn rd_u32 bsp_last_of(rd_u32 first, rd_u32 width)
{
    return BSP_NEVER - 1 - first < width ? BSP_NEVER - 1 : first + width - 1;
}

/* The width of the phase that is at hand in this round, or begins with it. ran: tasks of the round before that did not
 * pass the queue. */
rd_fn void bsp_widen(const bsp_ctx *c, rd_global const rd_u32 *now, bsp_view *v, rd_u32 ran)
{
#if BSP_WIDENS
    const rd_u32 few = c->control[BSP_WIDEN], width = now[BSP_WIDTH] ? now[BSP_WIDTH] : 1;
    v->width = width;
    if (!few)
        return;
    v->done = now[BSP_DONE] + ran;
    if (v->tasks && width > 1 && v->done + v->tasks > 2 * WIDEN_MUCH * few) {
        v->width = width > 4 ? width / 4 : 1;
        v->phase -= width - v->width;
        v->phase_before = v->phase;
    }
    if (!v->tasks) { /* a phase is over */
        v->width = v->done < few ? 2 * width : v->done > WIDEN_MUCH * few ? width - width / 2 : width;
        v->width = v->width < WIDEN_LIMIT ? v->width : WIDEN_LIMIT;
        v->done = 0;
    }
#endif
}

#if BSP_WIDENS
/* In the slot of the next round, when this one runs so many tasks. */
rd_fn void bsp_put_width(rd_global rd_u32 *next, const bsp_view *v, rd_u32 tasks)
{
    const rd_u32 done = v->done + tasks;
    next[BSP_WIDTH] = v->width;
    next[BSP_DONE] = done < 0x80000000u ? done : 0x80000000u;
}
#endif

#endif
