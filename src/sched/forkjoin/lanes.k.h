/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes.k.h - what the schedulers of tasks have in common (steal/forkjoin.k.h, fifo/forkjoin.k.h): the kernel's
 * arguments, the state of lanes between launches, what they counted, and small kernels with which the host makes
 * buffers larger.
 */
#ifndef RD_SCHED_STEAL_LANES_K_H
#define RD_SCHED_STEAL_LANES_K_H

#include "sched/forkjoin/frames.k.h"
#include "sched/forkjoin/layout.k.h"
#include "sched/parts/pending.k.h"

#define STEAL_IDLE_TURNS 16 /* without a task, after which a launch with a limit of turns is left */
#define STEAL_PROMOTIONS 16 /* frames that a lane makes shared in one turn, to reach a task that it may give */
#define STEAL_PATIENCE   (RD_TASK_CHILDREN + 2) /* turns that a lane without room waits for others to take its tasks */
rd_context(steal_ctx, STEAL_ARGS);

/* ---- Lanes between launches ---- */

rd_fn rd_global rd_u32 *steal_lane_word(const steal_ctx *c, rd_u32 k)
{
    return &c->st_lane_state[((rd_u64)rd_group() * STEAL_LANE_WORDS + k) * rd_lanes() + rd_lane()];
}

rd_fn rd_worker steal_wake(const steal_ctx *c)
{
    rd_worker w;
    w.stack = c->st_stack + ((rd_u64)rd_group() * TASK_SLOT * rd_lanes() << c->st_stack_shift) + rd_lane() * TASK_SLOT;
    w.frame = c->st_frame;
    w.mask = (1u << c->st_stack_shift) - 1;
    w.bottom = *steal_lane_word(c, STEAL_LANE_BOTTOM);
    w.top = *steal_lane_word(c, STEAL_LANE_TOP);
    w.fp = *steal_lane_word(c, STEAL_LANE_FP);
    w.base = *steal_lane_word(c, STEAL_LANE_BASE);
    w.ready = *steal_lane_word(c, STEAL_LANE_READY) - 1; /* 0: none */
    w.free = *steal_lane_word(c, STEAL_LANE_FREE);
    w.freed = *steal_lane_word(c, STEAL_LANE_FREED);
    w.fresh = *steal_lane_word(c, STEAL_LANE_FRESH);
    w.fresh_end = *steal_lane_word(c, STEAL_LANE_FRESH_END);
    w.at = w.spawned = w.tasks = w.deepest = 0;
    w.value = w.result = 0;
    return w;
}

rd_fn void steal_sleep(const steal_ctx *c, const rd_worker *w)
{
    *steal_lane_word(c, STEAL_LANE_BOTTOM) = w->bottom;
    *steal_lane_word(c, STEAL_LANE_TOP) = w->top;
    *steal_lane_word(c, STEAL_LANE_FP) = w->fp;
    *steal_lane_word(c, STEAL_LANE_BASE) = w->base;
    *steal_lane_word(c, STEAL_LANE_READY) = w->ready + 1;
    *steal_lane_word(c, STEAL_LANE_FREE) = w->free;
    *steal_lane_word(c, STEAL_LANE_FREED) = w->freed;
    *steal_lane_word(c, STEAL_LANE_FRESH) = w->fresh;
    *steal_lane_word(c, STEAL_LANE_FRESH_END) = w->fresh_end;
}

/* For a trace: writes down how many tasks the lanes of this group have, which is `mine` of this lane. */
rd_fn void steal_tell_waiting(const steal_ctx *c, rd_local rd_u32 *scratch, rd_u32 mine)
{
    const rd_u32 all = rd_group_sum(scratch, mine);
    if (rd_lane() == 0)
        c->st_line[(rd_u64)rd_group() * DEQUE_LINE + STEAL_WAITING] = all;
}

/* What a lane that cannot go on says. framed: it is not for want of frames. */
rd_fn rd_u32 steal_need(const rd_worker *w, rd_u32 framed)
{
    return w->deepest == TASK_TOO_MANY ? STEAL_NEED_LIMIT : framed ? STEAL_NEED_STACK : STEAL_NEED_FRAME;
}

/* Adds up what the lanes of this group did. */
rd_fn void steal_account(const steal_ctx *c, const rd_worker *w, rd_local rd_u32 *scratch)
{
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(c->st_control + STEAL_STATS);
    const rd_u32 low = rd_group_sum(scratch, w->tasks & 0xffff), high = rd_group_sum(scratch, w->tasks >> 16);
    rd_max_rlx(&c->st_control[STEAL_DEEPEST], w->deepest); /* all of these are read by the host */
    if (w->result)
        rd_add64_rlx(&stats[STEAL_RESULT], w->result);
    if (rd_lane() == 0) {
        const rd_u64 tasks = ((rd_u64)high << 16) + low;
        rd_add64_rlx(&stats[STEAL_TASKS], tasks);
        *(rd_global rd_u64 *)(c->st_line + (rd_u64)rd_group() * DEQUE_LINE + STEAL_GROUP_TASKS) += tasks;
    }
}

/* ---- Seeds ---- */

/* Lane 0: seeds for up to `want` lanes, from *from on: a share of those left, the smaller the fewer there are, after
 * STEAL_SEED was seen to be `next`. They have one unit of PENDING together, which who takes the last of them takes
 * away; a group that has none gets its own before.
 * @return how many. */
rd_fn rd_u32 steal_take_seeds(const steal_ctx *c, rd_u32 want, rd_u32 next, rd_u32 *active, rd_u32 *from)
{
    rd_u32 share = next < c->st_seeds ? (c->st_seeds - next) / (2 * rd_groups()) + 1 : 0;
    share = share < want ? share : want;
    if (share == 0)
        return 0;
    if (!*active)
        pending_raise(&c->st_control[STEAL_PENDING], 1);
    *active = 1;
    /* Acquire and release: pairs with itself in other groups, so that the units of all are there before the last group
     * takes away that of the seeds. */
    *from = rd_add_acqrel(&c->st_control[STEAL_SEED], share);
    const rd_u32 left = *from < c->st_seeds ? c->st_seeds - *from : 0;
    if (left && left <= share)
        pending_lower(&c->st_control[STEAL_PENDING], 1);
    return left < share ? left : share;
}

#define STEAL_RUN_ARGS(buf, arg) STEAL_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

/* ---- Small kernels for the host ---- */

/* What this program was compiled for. */
rd_kernel(steal_shape, STEAL_SHAPE_ARGS)
{
    if (rd_group() == 0 && rd_lane() == 0) {
        control[STEAL_SHAPE] = RD_TASK_WORDS;
        control[STEAL_SHAPE + 1] = RD_TASK_CHILDREN;
        control[STEAL_SHAPE + 2] = RD_TASK_JOIN;
    }
}

/* Moves each lane's entries to a larger stack. */
rd_kernel(steal_grow, STEAL_GROW_ARGS)
{
    const rd_u64 first = (rd_u64)rd_group() * STEAL_LANE_WORDS * rd_lanes() + rd_lane();
    const rd_u32 bottom = lane_state[first + STEAL_LANE_BOTTOM * rd_lanes()];
    const rd_u32 top = lane_state[first + STEAL_LANE_TOP * rd_lanes()];
    const rd_u32 entry = TASK_SLOT * rd_lanes();
    rd_global const rd_u32 *from = stack + ((rd_u64)rd_group() * entry << shift) + rd_lane() * TASK_SLOT;
    rd_global rd_u32 *to = larger + ((rd_u64)rd_group() * entry << larger_shift) + rd_lane() * TASK_SLOT;
    for (rd_u32 e = bottom; e != top; e++)
        for (rd_u32 i = 0; i < TASK_SLOT; i++)
            to[(e & ((1u << larger_shift) - 1)) * entry + i] = from[(e & ((1u << shift) - 1)) * entry + i];
}

/* Copies frames to a larger buffer. */
rd_kernel(steal_copy_frames, STEAL_COPY_ARGS)
{
    const rd_u64 words = (rd_u64)frames * TASK_FRAME, stride = (rd_u64)rd_groups() * rd_lanes();
    for (rd_u64 i = (rd_u64)rd_group() * rd_lanes() + rd_lane(); i < words; i += stride)
        larger[i] = frame[i];
}

/* clang-format off */
#define STEAL_KERNELS(k)            \
    k(steal_run, STEAL_RUN_ARGS)    \
    k(steal_shape, STEAL_SHAPE_ARGS) \
    k(steal_grow, STEAL_GROW_ARGS)  \
    k(steal_copy_frames, STEAL_COPY_ARGS)
/* clang-format on */

#endif
