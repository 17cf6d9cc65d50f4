/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.k.h - what an app of tasks sees: the first include of its kernel source, after it has said
 *     RD_TASK_WORDS     32-bit words of a task
 *     RD_TASK_CHILDREN  most tasks that one call of rd_app_task or rd_app_join spawns, 32 at most
 *     RD_TASK_JOIN      RD_JOIN_NONE, RD_JOIN_SUM or RD_JOIN_VALUES
 * and it then defines rd_app_seed, rd_app_task and, unless RD_JOIN_NONE, rd_app_join. docs/forkjoin.md teaches it.
 *
 * One lane runs one task at a time, depth first: what it spawns goes on top of its own stack, and it goes on with the
 * newest. A stack lies in device memory; slot s of a lane is next to that of its neighbour lane. It is a ring, whose
 * oldest tasks (the largest parts of the work, since depth comes first) the scheduler takes away to share them. No
 * other lane looks at it, so it needs no atomics.
 */
#ifndef RD_SCHED_TASK_K_H
#define RD_SCHED_TASK_K_H

#include "raddle/kernel.h"
#include "model/forkjoin_layout.k.h"

#define TASK_NONE  0xffffffffu
#define TASK_ROOT  0xfffffffeu /* what a task that was not spawned returns to */
#define TASK_ENTRY TASK_ENTRY_WORDS(RD_TASK_WORDS, RD_TASK_JOIN)
#define TASK_SLOT  TASK_SLOT_WORDS(RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN)
#define TASK_FRAME TASK_FRAME_WORDS(RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN)

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
    rd_u32 deepest;          /* most slots in use, seen now and then */
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

/* A new task. It runs some time: here, or wherever there is nothing else to do. */
rd_fn void rd_spawn(rd_worker *w, const rd_task *child)
{
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

/* Tasks that carry numbers: rd_bits puts one into a word, rd_float takes it out. */
#define rd_float rd_number

#endif
