/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.k.h - running tasks, and waiting for children without a stack of calls. A task that spawns leaves a frame
 * behind: how many children have not returned, where it returns to itself, its words, the children's values. A child
 * that returns writes its value and lowers the count; the lane that brings it to zero runs the task's join, which
 * returns in turn, or spawns again into the same frame. So nothing waits, and nothing recurses.
 *
 * Frames come from one array. A lane has a list of frames that it freed, a second full list, and some never used ones.
 * When it has none it takes a list that others left over, else FRAME_CHUNK fresh ones with one addition to a shared
 * count; when both of its lists are full it leaves one over. So there are no more frames than wait at a time, plus a
 * few lists a lane. What is left over is a list of lists under a lock, for which nobody waits: who finds it taken does
 * without.
 *
 * Private and shared frames. Most children run where they were spawned. So a frame starts private: its count is read
 * and written with relaxed loads and stores, no read-modify-write. When the scheduler takes a child away from the
 * stack, it first marks the child's frame as shared (frame_share), and from then on all returns to it are atomic,
 * acquire and release: values and whatever else the children wrote are seen by the join. Why no two lanes return to a
 * private frame at a time. Take frame F of task P, private, and two children of it that have not returned. None was
 * taken away, or F would be shared. So both are on the stack of one lane, or one of them, C, runs there: it, or what it
 * spawned. Could a return of C come from another lane? Only if something below C was taken away while C's brother was
 * on the stack; but the brother is older than all that C spawned, and the oldest entry is taken first: the brother
 * would have gone before, and F would be shared. With one child left, one lane returns, and all that was done to F
 * before is seen by it: it was done before the child, or what it spawned, was taken away. A frame that spawns again in
 * its join starts private again: the join is alone with it.
 */
#ifndef RD_SCHED_FORKJOIN_K_H
#define RD_SCHED_FORKJOIN_K_H

#include "sched/task.k.h"

#define FRAME_CHUNK  16
#define FRAME_SHARED 0x80000000u

/* What all lanes share of the frames. */
typedef struct {
    rd_global rd_u32 *used; /* handed out */
    rd_global rd_u32 *left; /* the first of the lists left over, plus 1 */
    rd_global rd_u32 *lock;
    rd_u32 limit;
} frame_pool;

#if RD_TASK_JOIN == RD_JOIN_NONE

rd_fn rd_u32 frame_there(const rd_worker *w)
{
    return 1;
}

rd_fn void frame_refill(rd_worker *w, const frame_pool *pool)
{
}

rd_fn void frame_share(const rd_worker *w, rd_global const rd_u32 *entry)
{
}

rd_fn void frame_finish(rd_worker *w, rd_u32 parent, const rd_task *t)
{
}

#else

rd_fn rd_global rd_u32 *frame_word(const rd_worker *w, rd_u32 frame, rd_u32 i)
{
    return &w->frame[(rd_u64)frame * TASK_FRAME + i];
}

/* The frame of what a task returns to. */
rd_fn rd_u32 frame_of(rd_u32 parent)
{
#if RD_TASK_JOIN == RD_JOIN_VALUES
    return parent / RD_TASK_CHILDREN;
#else
    return parent;
#endif
}

/* Is there a frame for the next task? */
rd_fn rd_u32 frame_there(const rd_worker *w)
{
    return w->free != TASK_NONE || w->fresh != w->fresh_end;
}

/* This lane's lists are empty: it takes new frames, if there are any. */
rd_fn void frame_refill(rd_worker *w, const frame_pool *pool)
{
    w->freed = FRAME_CHUNK;
    w->free = w->spare;
    w->spare = TASK_NONE;
    if (w->free == TASK_NONE && rd_ld_rlx(pool->left) &&
        !rd_cas_acqrel(pool->lock, 0, 1)) { /* pairs with the releases */
        w->free = rd_ld_rlx(pool->left) - 1;
        if (w->free != TASK_NONE)
            rd_st_rlx(pool->left, *frame_word(w, w->free, TASK_FRAME_PARENT));
        rd_st_rel(pool->lock, 0); /* pairs with the exchanges here and in frame_free */
    }
    if (w->free == TASK_NONE && rd_ld_rlx(pool->used) < pool->limit) {
        const rd_u32 from = rd_add_rlx(pool->used, FRAME_CHUNK); /* partner: the same in other lanes */
        if (from < pool->limit && pool->limit - from >= FRAME_CHUNK) {
            w->fresh = from;
            w->fresh_end = from + FRAME_CHUNK;
        }
    }
}

rd_fn void frame_free(rd_worker *w, const frame_pool *pool, rd_u32 frame)
{
    rd_st_rlx(frame_word(w, frame, TASK_FRAME_COUNT), w->free); /* the link of the list */
    w->free = frame;
    if (++w->freed % FRAME_CHUNK == 0) {
        if (w->spare != TASK_NONE && !rd_cas_acqrel(pool->lock, 0, 1)) { /* pairs with the releases */
            *frame_word(w, w->spare, TASK_FRAME_PARENT) = rd_ld_rlx(pool->left);
            rd_st_rlx(pool->left, w->spare + 1);
            rd_st_rel(pool->lock, 0); /* pairs with the exchanges here and in frame_refill */
            w->spare = TASK_NONE;
        }
        if (w->spare == TASK_NONE) {
            w->spare = w->free;
            w->free = TASK_NONE;
            w->freed = 0;
        }
    }
}

/* A child, the task of this entry, is about to be seen by other lanes. */
rd_fn void frame_share(const rd_worker *w, rd_global const rd_u32 *entry)
{
    const rd_u32 parent = entry[RD_TASK_WORDS * rd_lanes()];
    if (parent == TASK_ROOT)
        return;
    rd_global rd_u32 *word = frame_word(w, frame_of(parent), TASK_FRAME_COUNT);
    const rd_u32 count = rd_ld_rlx(word);
    if (!(count & FRAME_SHARED))
        rd_st_rlx(word, count | FRAME_SHARED); /* still private; published with the child, partner: frame_return */
}

/* Fills the frame w->at of a task that has spawned. */
rd_fn void frame_fill(const rd_worker *w, rd_u32 parent, const rd_task *t)
{
    rd_global rd_u32 *word = frame_word(w, w->at, 0);
    rd_st_rlx(&word[TASK_FRAME_COUNT], w->spawned); /* private until frame_share */
    word[TASK_FRAME_PARENT] = parent;
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        word[TASK_FRAME_TASK + i] = t->word[i];
#if RD_TASK_JOIN == RD_JOIN_SUM
    rd_st64_rlx(task_values(w, w->at), 0);
#endif
}

/* A task returns. The last child makes its frame ready. */
rd_fn void frame_return(rd_worker *w, rd_u32 parent, rd_u64 value)
{
    if (parent == TASK_ROOT) {
        w->result += value;
    } else {
        const rd_u32 frame = frame_of(parent);
        rd_global rd_u32 *word = frame_word(w, frame, TASK_FRAME_COUNT);
        rd_u32 count = rd_ld_rlx(word); /* private, or the mark came with the child: see frame_share */
#if RD_TASK_JOIN == RD_JOIN_VALUES
        task_values(w, frame)[parent - frame * RD_TASK_CHILDREN] = value;
#else
        rd_global rd_u64 *sum = task_values(w, frame);
        if (count & FRAME_SHARED)
            rd_add64_rlx(sum, value); /* released by the count */
        else
            rd_st64_rlx(sum, rd_ld64_rlx(sum) + value);
#endif
        if (count & FRAME_SHARED)
            count = rd_add_acqrel(word, 0xffffffffu) & ~FRAME_SHARED; /* pairs with itself in the other children */
        else
            rd_st_rlx(word, count - 1);
        w->ready = count == 1 ? frame : TASK_NONE;
    }
}

/* Runs the join of the ready frame. There is room for its children. */
rd_fn void frame_join(const rd_app *app, rd_worker *w, const frame_pool *pool)
{
    rd_task t;
    const rd_u32 frame = w->ready;
    rd_global rd_u32 *word = frame_word(w, frame, 0);
    const rd_u32 parent = word[TASK_FRAME_PARENT];
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        t.word[i] = word[TASK_FRAME_TASK + i];
    w->ready = TASK_NONE;
    w->at = frame;
    w->spawned = 0;
    w->value = 0;
    rd_app_join(app, w, &t);
    if (w->spawned) {
        frame_fill(w, parent, &t);
    } else {
        frame_free(w, pool, frame);
        frame_return(w, parent, w->value);
    }
}

/* The task that ran leaves a frame behind, or returns. */
rd_fn void frame_finish(rd_worker *w, rd_u32 parent, const rd_task *t)
{
    if (w->spawned) {
        if (w->free != TASK_NONE) {
            w->free = rd_ld_rlx(frame_word(w, w->at, TASK_FRAME_COUNT));
            w->freed--;
        } else {
            w->fresh++;
        }
        frame_fill(w, parent, t);
    } else {
        frame_return(w, parent, w->value);
    }
}

#endif

/* Is there room on the stack for what one call may spawn? */
rd_fn rd_u32 task_room(const rd_worker *w)
{
    return w->top - w->bottom + RD_TASK_CHILDREN <= w->mask + 1;
}

/* Runs the newest task. There is one, room for its children, and a frame. */
rd_fn void task_run(const rd_app *app, rd_worker *w)
{
    rd_task t;
    const rd_u32 parent = task_get(w, --w->top, &t);
    w->spawned = 0;
    w->value = 0;
#if RD_TASK_JOIN != RD_JOIN_NONE
    w->at = w->free != TASK_NONE ? w->free : w->fresh;
#endif
    rd_app_task(app, w, &t);
    w->tasks++;
    frame_finish(w, parent, &t);
}

/* Runs up to `steps` tasks and the joins that they make ready. @return 1 when room or a frame is missing. */
rd_fn rd_u32 task_steps(const rd_app *app, rd_worker *w, rd_u32 steps, const frame_pool *pool)
{
    for (rd_u32 s = 0; s < steps; s++) {
        if (!task_room(w))
            return 1;
        if (w->ready == TASK_NONE) {
            if (w->top == w->bottom)
                return 0;
            if (!frame_there(w)) {
                frame_refill(w, pool);
                if (!frame_there(w))
                    return 1;
            }
            task_run(app, w);
        }
#if RD_TASK_JOIN != RD_JOIN_NONE
        if (w->ready != TASK_NONE && task_room(w))
            frame_join(app, w, pool);
#endif
    }
    return 0;
}

#endif
