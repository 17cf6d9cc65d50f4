/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frames.k.h - running tasks, and waiting for children without calls. A task that spawns becomes a frame: it stays in
 * its slot of the stack, below its children, with room for their values. A child that returns writes its value there.
 * When the frame is on top again all its children have returned, and its join runs, which returns in turn, or spawns
 * again. Nothing waits and nothing recurses. As long as nothing is taken away this is a stack of calls, and costs no
 * atomic and no allocation.
 *     bottom -> [frame F][a child of F][another][frame G, of a third child of F][a child of G] <- top
 * What a slot returns to is the next frame below it. Its header says which child of that it is; that of a frame also
 * has the bit TASK_IS_FRAME and the distance to the frame below, 0 if there was none.
 *
 * Sharing takes the oldest task away. What it returns to must then be found by other lanes: frame_promote moves the
 * frame at the bottom of the stack to a shared frame in an array (TASK_FRAME words: see model/forkjoin_layout.k.h),
 * with a count of the children that have not returned, and `base` names it: the lowest slots now return there. Frames
 * are promoted from the bottom upwards, so what a promoted frame returns to is shared itself. Returns to a shared frame
 * are atomic. The count is lowered with acquire and release, so that the lane which brings it to zero sees all values,
 * and whatever else the children wrote. This lane takes the frame back to its own stack (which is empty: all there was
 * returned to this frame) and runs the join.
 *
 * Shared frames come from one array. A lane has a list of free ones; when that is empty it takes a list that others
 * left over, else FRAME_CHUNK fresh ones with one addition to a shared count; when it is long it leaves a part of it
 * over. So there are no more frames than are in use at a time, plus some a lane. What is left over is a list of lists
 * under a lock for which nobody waits: who finds it taken does without.
 */
#ifndef RD_SCHED_FORKJOIN_K_H
#define RD_SCHED_FORKJOIN_K_H

#include "model/forkjoin.k.h"

#define FRAME_CHUNK 16
/* Tasks between two looks at the host's request to stop, a power of two. A lane of a GPU takes some 5 us for one. */
#if RD_LANES == 1
#define TASK_LOOK 8
#else
#define TASK_LOOK 4
#endif
#define TASK_NEVER    0x7fffffffu
#define TASK_IS_FRAME 0x80000000u
#define TASK_CHILD(h) ((h) >> 8 & 255) /* of a frame's header */
#define TASK_BELOW(h) ((h)&255)

/* What all lanes share of the frames. */
typedef struct {
    rd_global rd_u32 *used; /* handed out */
    rd_global rd_u32 *left; /* the first of the lists left over, plus 1 */
    rd_global rd_u32 *lock;
    rd_u32 limit;
} frame_pool;

/* Has a call spawned more than it may? What was too much was not written; the lane remembers, and its engine says so.
 * Compilers that see at most RD_TASK_CHILDREN calls of rd_spawn make nothing of this. */
rd_fn void task_limit(rd_worker *w)
{
    if (w->spawned > RD_TASK_CHILDREN) {
        w->spawned = RD_TASK_CHILDREN;
        w->deepest = TASK_TOO_MANY;
    }
}

#if RD_TASK_JOIN == RD_JOIN_NONE

rd_fn rd_u32 frame_on_top(const rd_worker *w)
{
    return 0;
}

rd_fn rd_u32 frame_count(const rd_worker *w)
{
    return 0;
}

rd_fn void frame_join(const rd_app *app, rd_worker *w)
{
}

rd_fn void frame_import(rd_worker *w, const frame_pool *pool)
{
}

/* The oldest slot is a task that may be taken away. */
rd_fn rd_u32 frame_prepare(rd_worker *w, const frame_pool *pool, rd_u32 most)
{
    return 1;
}

rd_fn rd_u32 frame_handle(const rd_worker *w, rd_u32 header)
{
    return TASK_ROOT;
}

rd_fn void frame_adopt(rd_worker *w, rd_u32 parent)
{
}

rd_fn void frame_finish(rd_worker *w, rd_u32 child, const rd_task *t)
{
    w->top = w->at + w->spawned;
}

#else

rd_fn rd_global rd_u32 *frame_word(const rd_worker *w, rd_u32 frame, rd_u32 i)
{
    return &w->frame[(rd_u64)frame * TASK_FRAME + i];
}

rd_fn rd_global rd_u64 *frame_value(const rd_worker *w, rd_u32 frame, rd_u32 i)
{
    return (rd_global rd_u64 *)frame_word(w, frame, TASK_FRAME_VALUES(RD_TASK_WORDS)) + i;
}

/* Where a task returns to, as one word, and back: a shared frame and which child. */
rd_fn rd_u32 frame_parent(rd_u32 frame, rd_u32 child)
{
#if RD_TASK_JOIN == RD_JOIN_VALUES
    return frame == TASK_ROOT ? TASK_ROOT : frame * RD_TASK_CHILDREN + child;
#else
    return frame;
#endif
}

rd_fn rd_u32 frame_of(rd_u32 parent)
{
#if RD_TASK_JOIN == RD_JOIN_VALUES
    return parent == TASK_ROOT ? TASK_ROOT : parent / RD_TASK_CHILDREN;
#else
    return parent;
#endif
}

rd_fn rd_u32 frame_child(rd_u32 parent)
{
#if RD_TASK_JOIN == RD_JOIN_VALUES
    return parent == TASK_ROOT ? 0 : parent % RD_TASK_CHILDREN;
#else
    return 0;
#endif
}

/* ---- Shared frames, free and used ---- */

rd_fn rd_u32 frame_there(const rd_worker *w)
{
    return w->freed || w->fresh != w->fresh_end;
}

/* Takes new frames, if there are any. */
rd_fn void frame_refill(rd_worker *w, const frame_pool *pool)
{
    if (rd_ld_rlx(pool->left) && !rd_cas_acqrel(pool->lock, 0, 1)) { /* pairs with the releases of the lock */
        const rd_u32 first = rd_ld_rlx(pool->left) - 1;
        if (first != TASK_NONE) {
            rd_st_rlx(pool->left, *frame_word(w, first, TASK_FRAME_PARENT)); /* partner: the look before the lock */
            w->free = first;
            w->freed = FRAME_CHUNK;
        }
        rd_st_rel(pool->lock, 0); /* pairs with the exchanges here and in frame_free */
    }
    if (!w->freed && rd_ld_rlx(pool->used) < pool->limit) {
        const rd_u32 from = rd_add_rlx(pool->used, FRAME_CHUNK); /* partner: the same in other lanes */
        if (from < pool->limit && pool->limit - from >= FRAME_CHUNK) {
            w->fresh = from;
            w->fresh_end = from + FRAME_CHUNK;
        }
    }
}

/* There is one. */
rd_fn rd_u32 frame_take(rd_worker *w)
{
    rd_u32 frame = w->fresh;
    if (w->freed) {
        frame = w->free;
        w->free = rd_ld_rlx(frame_word(w, frame, TASK_FRAME_COUNT)); /* the link: this lane's, or got by the lock */
        w->freed--;
    } else {
        w->fresh++;
    }
    return frame;
}

rd_fn void frame_free(rd_worker *w, const frame_pool *pool, rd_u32 frame)
{
    rd_st_rlx(frame_word(w, frame, TASK_FRAME_COUNT), w->free); /* the link of the list */
    w->free = frame;
    if (++w->freed > 2 * FRAME_CHUNK && !rd_cas_acqrel(pool->lock, 0, 1)) { /* pairs with the releases of the lock */
        rd_u32 last = frame;
        for (rd_u32 i = 1; i < FRAME_CHUNK; i++)
            last = rd_ld_rlx(frame_word(w, last, TASK_FRAME_COUNT)); /* links of this lane's own list */
        w->free = rd_ld_rlx(frame_word(w, last, TASK_FRAME_COUNT));
        w->freed -= FRAME_CHUNK;
        *frame_word(w, frame, TASK_FRAME_PARENT) = rd_ld_rlx(pool->left);
        rd_st_rlx(pool->left, frame + 1); /* under the lock; partner: the look in frame_refill */
        rd_st_rel(pool->lock, 0);         /* pairs with the exchanges here and in frame_refill */
    }
}

/* ---- The stack ---- */

/* Is there a frame on the stack? */
rd_fn rd_u32 frame_on_stack(const rd_worker *w)
{
    return (rd_i32)(w->fp - w->bottom) >= 0;
}

/* Is the newest slot a frame, whose children have all returned? */
rd_fn rd_u32 frame_on_top(const rd_worker *w)
{
    return w->top != w->bottom && w->fp == w->top - 1 && frame_on_stack(w);
}

/* How many slots are frames: from one to the next below it. */
rd_fn rd_u32 frame_count(const rd_worker *w)
{
    rd_u32 frames = 0, at = w->fp, below = w->top - w->bottom;
    while (below && (rd_i32)(at - w->bottom) >= 0) {
        below = TASK_BELOW(*task_word(w, at, TASK_HEADER));
        at -= below;
        frames++;
    }
    return frames;
}

/* Child `child` of the next frame below returns. */
rd_fn void frame_return(rd_worker *w, rd_u32 child, rd_u64 value)
{
    if (frame_on_stack(w)) {
#if RD_TASK_JOIN == RD_JOIN_VALUES
        task_store(w, w->fp, child, value);
#else
        task_store(w, w->fp, 0, task_load(w, w->fp, 0) + value);
#endif
    } else if (w->base == TASK_ROOT) {
        w->result += value;
    } else {
#if RD_TASK_JOIN == RD_JOIN_VALUES
        *frame_value(w, w->base, child) = value;
#else
        rd_add64_rlx(frame_value(w, w->base, 0), value); /* released by the count */
#endif
        /* pairs with itself in the other children */
        if (rd_add_acqrel(frame_word(w, w->base, TASK_FRAME_COUNT), 0xffffffffu) == 1)
            w->ready = w->base;
    }
}

/* What ran in slot `at` stays there as a frame, or returns. It is this child of the next frame below. */
rd_fn void frame_finish(rd_worker *w, rd_u32 child, const rd_task *t)
{
    if (w->spawned) {
        task_write(w, w->at, t, TASK_IS_FRAME | child << 8 | (frame_on_stack(w) ? w->at - w->fp : 0));
#if RD_TASK_JOIN == RD_JOIN_SUM && !(TASK_VECTORS && TASK_VALUE + 2 <= (TASK_HEADED + 3) / 4 * 4)
        task_store(w, w->at, 0, 0); /* else zeros are part of the last vector */
#endif
        w->fp = w->at;
        w->top = w->at + 1 + w->spawned;
    } else {
        w->top = w->at;
        frame_return(w, child, w->value);
    }
}

/* Runs the join of the frame on top. There is room for its children. */
rd_fn void frame_join(const rd_app *app, rd_worker *w)
{
    rd_task t;
    const rd_u32 header = task_read(w, w->fp, &t);
    w->at = w->fp;
    w->fp = TASK_BELOW(header) ? w->at - TASK_BELOW(header) : w->bottom - 1;
    w->spawned = 0;
    w->value = 0;
    rd_app_join(app, w, &t);
    task_limit(w);
    frame_finish(w, TASK_CHILD(header), &t);
}

/* ---- Between lanes ---- */

/* The stack is empty: what comes next returns to this parent. */
rd_fn void frame_adopt(rd_worker *w, rd_u32 parent)
{
    w->base = frame_of(parent);
    w->fp = w->bottom - 1;
}

/* Takes the ready frame to the stack, which is empty. */
rd_fn void frame_import(rd_worker *w, const frame_pool *pool)
{
    const rd_u32 frame = w->ready, parent = *frame_word(w, frame, TASK_FRAME_PARENT);
    rd_task t;
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        t.word[i] = *frame_word(w, frame, TASK_FRAME_TASK + i);
    task_write(w, w->top, &t, TASK_IS_FRAME | frame_child(parent) << 8);
    for (rd_u32 i = 0; i < TASK_VALUE_COUNT(RD_TASK_CHILDREN, RD_TASK_JOIN); i++)
#if RD_TASK_JOIN == RD_JOIN_VALUES
        task_store(w, w->top, i, *frame_value(w, frame, i));
#else
        task_store(w, w->top, i,
                   rd_ld64_rlx(frame_value(w, frame, i))); /* partner: frame_return, by way of the count */
#endif
    frame_adopt(w, parent);
    w->fp = w->top++;
    w->ready = TASK_NONE;
    frame_free(w, pool, frame);
}

/* Moves the lowest slot, a frame with something above it, to a shared frame. There is one. */
rd_fn void frame_promote(rd_worker *w)
{
    const rd_u32 frame = frame_take(w), header = *task_word(w, w->bottom, TASK_HEADER);
    rd_u32 count = 0, above = w->bottom + 1, tasks = 1;
    while (tasks && above != w->top) { /* children that have not started; a frame above them is one that has */
        tasks = !(*task_word(w, above, TASK_HEADER) & TASK_IS_FRAME);
        count++;
        above++;
    }
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        *frame_word(w, frame, TASK_FRAME_TASK + i) = *task_word(w, w->bottom, i);
    for (rd_u32 i = 0; i < TASK_VALUE_COUNT(RD_TASK_CHILDREN, RD_TASK_JOIN); i++)
#if RD_TASK_JOIN == RD_JOIN_VALUES
        *frame_value(w, frame, i) = task_load(w, w->bottom, i);
#else
        rd_st64_rlx(frame_value(w, frame, i), task_load(w, w->bottom, i)); /* published with the child taken away */
#endif
    *frame_word(w, frame, TASK_FRAME_PARENT) = frame_parent(w->base, TASK_CHILD(header));
    rd_st_rlx(frame_word(w, frame, TASK_FRAME_COUNT), count); /* published with the child, partner: frame_return */
    w->base = frame;
    w->bottom++;
}

/* Promotes up to `most` frames from the bottom, where there are two tasks above. @return 0: shared frames are missing.
 */
rd_fn rd_u32 frame_prepare(rd_worker *w, const frame_pool *pool, rd_u32 most)
{
    rd_u32 enough = 1;
    while (most && enough && w->top - w->bottom > 2 && (*task_word(w, w->bottom, TASK_HEADER) & TASK_IS_FRAME)) {
        if (!frame_there(w))
            frame_refill(w, pool);
        enough = frame_there(w);
        if (enough)
            frame_promote(w);
        most--;
    }
    return enough;
}

/* Where a task with this header, of the lowest slots, returns to. TASK_NONE: it is no task. */
rd_fn rd_u32 frame_handle(const rd_worker *w, rd_u32 header)
{
    return header & TASK_IS_FRAME ? TASK_NONE : frame_parent(w->base, header);
}

#endif

/* ---- Running ---- */

/* Is there room on the stack for what one call may spawn? */
rd_fn rd_u32 task_room(const rd_worker *w)
{
    return w->top - w->bottom + RD_TASK_CHILDREN + 1 <= w->mask + 1;
}

/* A task whose words are in the first slot of the stack, which is empty, is now there; it returns to this parent. */
rd_fn void task_accept(rd_worker *w, rd_u32 parent)
{
#if RD_TASK_JOIN != RD_JOIN_NONE
    *task_word(w, w->top, TASK_HEADER) = frame_child(parent);
#endif
    frame_adopt(w, parent);
    w->top++;
}

rd_fn void task_put(rd_worker *w, rd_u32 parent, const rd_task *t)
{
    task_write(w, w->top, t, 0);
    task_accept(w, parent);
}

/* How many of the oldest tasks can be taken away, `most` at most, so that something is left here? */
rd_fn rd_u32 task_spare(const rd_worker *w, rd_u32 most)
{
    const rd_u32 load = w->top - w->bottom, there = load > most ? most : load ? load - 1 : 0;
#if RD_TASK_JOIN == RD_JOIN_NONE
    return there;
#else
    rd_u32 tasks = 0;
    while (tasks < there && !(*task_word(w, w->bottom + tasks, TASK_HEADER) & TASK_IS_FRAME))
        tasks++;
    return tasks;
#endif
}

/* Runs the newest slot, a task. There is room for its children. */
rd_fn void task_run(const rd_app *app, rd_worker *w)
{
    rd_task t;
    w->at = w->top - 1;
    const rd_u32 child = task_read(w, w->at, &t);
    w->spawned = 0;
    w->value = 0;
    rd_app_task(app, w, &t);
    w->tasks++;
    task_limit(w);
    frame_finish(w, child, &t);
}

/* Runs up to `steps` tasks and the joins that they make ready; fewer when all are to leave and somebody may wait for
 * that: on a GPU a hundred tasks take longer than others should have to. Where nobody can, the engine's looks between
 * its turns are enough. may: rd_may_be_asked(stop). @return 1 when the stack has no room for more. */
rd_fn rd_u32 task_some(const rd_app *app, rd_worker *w, rd_u32 steps, const frame_pool *pool,
                       rd_global const rd_u32 *stop, rd_u32 may)
{
    const rd_u32 look = may ? TASK_LOOK - 1 : TASK_NEVER;
    for (rd_u32 s = 0; s < steps; s++) {
        if (!task_room(w))
            return 1;
        if (w->top == w->bottom) {
            if (w->ready == TASK_NONE)
                return 0;
            frame_import(w, pool);
        }
        if (!frame_on_top(w))
            task_run(app, w);
        if (frame_on_top(w) && task_room(w))
            frame_join(app, w);
        if ((s & look) == look && rd_ld_rlx(stop)) /* pairs with the host's write; a hint only */
            return 0;
    }
    return 0;
}

/* How many tasks a lane is to run before its group's next turn: few in the group that listens for all, at each turn. */
rd_fn rd_u32 task_pace(rd_u32 pace, rd_u32 may)
{
    return rd_hears() && pace > TASK_LOOK && may ? TASK_LOOK : pace;
}

#if RD_LANES == 1
/* One lane has this apart from its engine, which then need not be compiled for speed (RD_COLD_BEGIN); with copies that
 * nobody else knows of, so that they can be in registers. */
rd_across(rd_apart, rd_u32, task_steps,
          (const rd_app *app, rd_worker *w, rd_u32 steps, const frame_pool *pool, rd_global const rd_u32 *stop,
           rd_u32 may))
{
    const rd_app own = *app;
    const frame_pool same = *pool;
    rd_worker mine = *w;
    const rd_u32 full = task_some(&own, &mine, steps, &same, stop, may);
    *w = mine;
    return full;
}
#else
#define task_steps(app, w, steps, pool, stop, may) task_some(app, w, steps, pool, stop, may)
#endif

#endif
