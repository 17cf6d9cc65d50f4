/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.k.h - model `forkjoin`: a task spawns others and may wait for what they return. This is the whole
 * contract of such an app; docs/forkjoin.md teaches it. The smallest one, as a whole (tests/lint.sh compiles it):
 * how many nodes has a binary tree?
 *
 *     #define RD_TASK_WORDS    1
 *     #define RD_TASK_CHILDREN 2
 *     #define RD_TASK_JOIN     RD_JOIN_SUM
 *     #include "model/forkjoin.k.h"
 *
 *     #define RD_APP_ARGS(buf, arg) arg(rd_u32, depth)
 *     rd_context(rd_app, RD_APP_ARGS);
 *
 *     rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
 *     {
 *         t->word[0] = a->depth;
 *     }
 *
 *     rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
 *     {
 *         rd_task child;
 *         child.word[0] = t->word[0] - 1;
 *         if (t->word[0] == 0) {
 *             rd_return(w, 1);
 *         } else {
 *             rd_spawn(w, &child);
 *             rd_spawn(w, &child);
 *         }
 *     }
 *
 *     rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
 *     {
 *         rd_return(w, rd_sum(w) + 1);
 *     }
 *
 * WHAT AN APP DEFINES, before it includes this file
 *
 *   RD_TASK_WORDS     32-bit words of a task, 1 or more
 *   RD_TASK_CHILDREN  most tasks that one call of rd_app_task or rd_app_join spawns, 1 to 32
 *   RD_TASK_JOIN      RD_JOIN_NONE, nobody waits; RD_JOIN_SUM, a parent gets the sum of its children's values, by
 *                     rd_sum; RD_JOIN_VALUES, each of them, by rd_value
 *   (the same three numbers in rd__app.forkjoin on the host: a run checks that they agree)
 *
 * and then
 *
 *   RD_APP_ARGS(buf, arg), rd_context(rd_app, RD_APP_ARGS)   its arguments, as its host side passes them
 *   void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)         makes root task i, all its words
 *   void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)     runs a task: returns a value, or spawns
 *   void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)     unless RD_JOIN_NONE: all that the task spawned
 *                     has returned. t is the task as rd_app_task left it, and may be changed: a join may spawn
 *                     again, and is then called once more.
 *
 * rd_spawn copies the child; its words may be used again. A task that spawns nothing and returns nothing returns 0.
 * What it returns after it has spawned is dropped. rd_result(w, x) adds to the run's result; so do the values of
 * root tasks.
 *
 * WHAT IT PROMISES: no call spawns more than RD_TASK_CHILDREN, or the run fails. Functions do not wait, and have no
 * group operations.
 *
 * WHAT IT IS PROMISED
 *
 *   rd_app_seed once for each root task; rd_app_task once for each task; rd_app_join once for each call that
 *   spawned, when all it spawned have returned, on any lane. rd_value(w, i) is what the i-th child of that call
 *   returned, in the order of spawning. The result is the exact sum, modulo 2^64.
 *   What a task wrote to device memory before it spawned is seen by the task spawned; what a task and all below it
 *   wrote is seen by the join of its parent. Plain stores will do for both. Others see it through atomics only.
 *   There is no order between tasks beyond that; children of a call run newest first where nobody steals them.
 *
 * INSIDE. One lane runs one task at a time, depth first: what it spawns goes on top of its own stack, and it goes on
 * with the newest. A stack lies in device memory; slot s of a lane is next to that of its neighbour lane. It is a
 * ring, whose oldest tasks (the largest parts of the work, since depth comes first) the scheduler takes away to
 * share them. No other lane looks at it, so it needs no atomics.
 */
#ifndef RD_MODEL_FORKJOIN_K_H
#define RD_MODEL_FORKJOIN_K_H

#include "raddle/kernel.h"
#include "model/forkjoin_layout.k.h"

#if !defined(RD_TASK_WORDS) || !defined(RD_TASK_CHILDREN) || !defined(RD_TASK_JOIN)
#error "define RD_TASK_WORDS, RD_TASK_CHILDREN and RD_TASK_JOIN before you include model/forkjoin.k.h"
#endif
#if RD_TASK_WORDS < 1
#error "RD_TASK_WORDS is 1 or more: a task that knows nothing does nothing"
#endif
#if RD_TASK_CHILDREN < 1 || RD_TASK_CHILDREN > 32
#error "RD_TASK_CHILDREN is 1 to 32: spawn a task that spawns the rest"
#endif
#if RD_TASK_JOIN < 0 || RD_TASK_JOIN > 2
#error "RD_TASK_JOIN is RD_JOIN_NONE, RD_JOIN_SUM or RD_JOIN_VALUES"
#endif

#define TASK_NONE     0xffffffffu
#define TASK_ROOT     0xfffffffeu /* what a task that was not spawned returns to */
#define TASK_TOO_MANY 0xffffffffu
#define TASK_ENTRY    TASK_ENTRY_WORDS(RD_TASK_WORDS, RD_TASK_JOIN)
#define TASK_SLOT     TASK_SLOT_WORDS(RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN)
#define TASK_FRAME    TASK_FRAME_WORDS(RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN)

/* In a slot, after the task's words. */
#define TASK_HEADER RD_TASK_WORDS /* which child of its parent it is, and for a frame what forkjoin/frames.k.h says */
#define TASK_VALUE  TASK_SLOT_VALUES(RD_TASK_WORDS)
#define TASK_HEADED (RD_TASK_WORDS + (RD_TASK_JOIN != RD_JOIN_NONE)) /* words up to there */

/* GPUs move four words at once. A core would have to wait: it writes words and reads them back as one vector. */
#define TASK_VECTORS (RD_WARP > 1)

typedef struct {
    rd_u32 word[RD_TASK_WORDS];
} rd_task;

/* A lane at work. Private to it. */
typedef struct {
    rd_global rd_u32 *stack; /* this lane's first word */
    rd_u32 mask;             /* a stack has mask + 1 slots */
    rd_u32 bottom, top;      /* slots bottom .. top - 1 are in use; modulo 2^32 */
    rd_u32 at;               /* the slot of the task or join that runs */
    rd_u32 spawned;          /* by it */
    rd_u64 value;            /* that it returns */
    rd_u64 result;           /* sum of what root tasks returned and rd_result added, in this launch */
    rd_u32 tasks;            /* run in this launch */
    rd_u32 deepest;          /* most slots in use, seen now and then; or TASK_TOO_MANY */
    /* of forkjoin/frames.k.h: */
    rd_global rd_u32 *frame; /* shared frames, of all lanes */
    rd_u32 fp;               /* the slot of the newest frame; below bottom: there is none on the stack */
    rd_u32 base;             /* the shared frame that what is lowest on the stack returns to */
    rd_u32 ready;            /* a shared frame whose children have all returned, or TASK_NONE */
    rd_u32 free, freed;      /* a list of free shared frames, its first and length */
    rd_u32 fresh, fresh_end; /* shared frames that were never used */
} rd_worker;

/* Word i of a slot. */
rd_fn rd_global rd_u32 *task_word(const rd_worker *w, rd_u32 slot, rd_u32 i)
{
    return w->stack + (slot & w->mask) * (TASK_SLOT * rd_lanes()) + i;
}

#if TASK_VECTORS

/* What is in word i of a new slot: behind the header, zeros. */
rd_fn rd_u32 task_part(const rd_task *t, rd_u32 header, rd_u32 i)
{
    return i < RD_TASK_WORDS ? t->word[i < RD_TASK_WORDS ? i : 0] : i == TASK_HEADER ? header : 0;
}

/* Fills a slot: the task, and a header where there are joins. */
rd_fn void task_write(const rd_worker *w, rd_u32 slot, const rd_task *t, rd_u32 header)
{
    rd_global rd_u32x4 *to = (rd_global rd_u32x4 *)task_word(w, slot, 0);
    RD_UNROLL
    for (rd_u32 i = 0; i < TASK_HEADED; i += 4) {
        rd_u32x4 x;
        x.x = task_part(t, header, i);
        x.y = task_part(t, header, i + 1);
        x.z = task_part(t, header, i + 2);
        x.w = task_part(t, header, i + 3);
        to[i / 4] = x;
    }
}

/* @return the header, where there are joins. */
rd_fn rd_u32 task_read(const rd_worker *w, rd_u32 slot, rd_task *t)
{
    rd_global const rd_u32x4 *from = (rd_global const rd_u32x4 *)task_word(w, slot, 0);
    rd_u32 word[(TASK_HEADED + 3) / 4 * 4];
    RD_UNROLL
    for (rd_u32 i = 0; i < TASK_HEADED; i += 4) {
        const rd_u32x4 x = from[i / 4];
        word[i] = x.x;
        word[i + 1] = x.y;
        word[i + 2] = x.z;
        word[i + 3] = x.w;
    }
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        t->word[i] = word[i];
    return word[TASK_HEADED - 1];
}

#else

rd_fn void task_write(const rd_worker *w, rd_u32 slot, const rd_task *t, rd_u32 header)
{
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        *task_word(w, slot, i) = t->word[i];
#if RD_TASK_JOIN != RD_JOIN_NONE
    *task_word(w, slot, TASK_HEADER) = header;
#endif
}

rd_fn rd_u32 task_read(const rd_worker *w, rd_u32 slot, rd_task *t)
{
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        t->word[i] = *task_word(w, slot, i);
    return *task_word(w, slot, TASK_HEADED - 1);
}

#endif

/* ---- For apps ---- */

/* A new task. It runs some time: here, or wherever there is nothing else to do. One too many is not written, and seen
 * by task_limit. */
rd_fn void rd_spawn(rd_worker *w, const rd_task *child)
{
    if (w->spawned < RD_TASK_CHILDREN)
        task_write(w, w->at + (RD_TASK_JOIN != RD_JOIN_NONE) + w->spawned, child, w->spawned); /* above the frame */
    w->spawned++;
}

/* Adds to the result of the run. */
rd_fn void rd_result(rd_worker *w, rd_u64 x)
{
    w->result += x;
}

#if RD_TASK_JOIN != RD_JOIN_NONE

/* What this task gives to its parent; 0 unless it says. Not of a task that has spawned: its join returns. */
rd_fn void rd_return(rd_worker *w, rd_u64 value)
{
    w->value = value;
}

rd_fn rd_u64 task_load(const rd_worker *w, rd_u32 slot, rd_u32 i)
{
    return *(rd_global const rd_u64 *)task_word(w, slot, TASK_VALUE + 2 * i);
}

rd_fn void task_store(const rd_worker *w, rd_u32 slot, rd_u32 i, rd_u64 value)
{
    *(rd_global rd_u64 *)task_word(w, slot, TASK_VALUE + 2 * i) = value;
}

#endif

#if RD_TASK_JOIN == RD_JOIN_SUM
/* In rd_app_join: the sum of what the children returned. */
rd_fn rd_u64 rd_sum(const rd_worker *w)
{
    return task_load(w, w->at, 0);
}
#endif

#if RD_TASK_JOIN == RD_JOIN_VALUES
/* In rd_app_join: what child i returned, in the order of spawning. */
rd_fn rd_u64 rd_value(const rd_worker *w, rd_u32 i)
{
    return task_load(w, w->at, i);
}
#endif

#ifdef RD_ALLOW
#define RD_TEXT_(x) #x
#define RD_TEXT(x)  RD_TEXT_(x)
#define rd_spawn(w, child)                                                                                             \
    __extension__({                                                                                                    \
        rd_worker *const rd_w = (w);                                                                                   \
        RD_ALLOW(                                                                                                      \
            rd_w->spawned < RD_TASK_CHILDREN,                                                                          \
            "a call spawns more than " RD_TEXT(RD_TASK_CHILDREN) " tasks, which is RD_TASK_CHILDREN: say more "        \
                                                                 "(up to 32), or spawn a task that spawns the rest");  \
        rd_spawn(rd_w, child);                                                                                         \
    })
#define rd_value(w, i)                                                                                                 \
    __extension__({                                                                                                    \
        const rd_u32 rd_i = (i);                                                                                       \
        RD_ALLOW(rd_i < RD_TASK_CHILDREN, "no child has this number: RD_TASK_CHILDREN is " RD_TEXT(RD_TASK_CHILDREN)); \
        rd_value(w, rd_i);                                                                                             \
    })
#endif

#else /* the engine's text includes this again, after the app's */

#ifndef RD_APP_ARGS
#error "the app has no RD_APP_ARGS(buf, arg): the list of its kernel arguments, and rd_context(rd_app, RD_APP_ARGS)"
#endif

#endif
