/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task.k.h - what an app of tasks sees: the first include of its kernel source, after it has said
 *     RD_TASK_WORDS     32-bit words of a task
 *     RD_TASK_CHILDREN  most tasks that one call of rd_app_task or rd_app_join spawns
 *     RD_TASK_JOIN      RD_JOIN_NONE, RD_JOIN_SUM or RD_JOIN_VALUES
 * and it then defines rd_app_seed, rd_app_task and, unless RD_JOIN_NONE, rd_app_join. docs/forkjoin.md teaches it.
 *
 * One lane runs one task at a time, depth first: what it spawns goes on top of its own stack, and it goes on with the
 * newest. A stack lies in device memory; word w of entry e of a lane is next to that of its neighbour lane. It is a
 * ring, whose oldest entries (the largest parts of the work, since depth comes first) the scheduler takes away to share
 * them. No other lane looks at it, so it needs no atomics.
 */
#ifndef RD_SCHED_TASK_K_H
#define RD_SCHED_TASK_K_H

#include "raddle/kernel.h"
#include "sched/task_layout.k.h"

#define TASK_NONE  0xffffffffu
#define TASK_ROOT  0xfffffffeu /* the parent of a task that was not spawned */
#define TASK_ENTRY TASK_ENTRY_WORDS(RD_TASK_WORDS, RD_TASK_JOIN)
#define TASK_FRAME TASK_FRAME_WORDS(RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN)

typedef struct {
    rd_u32 word[RD_TASK_WORDS];
} rd_task;

/* A lane at work. Private to it. */
typedef struct {
    rd_global rd_u32 *stack; /* this lane's first word */
    rd_global rd_u32 *frame; /* frames of all lanes */
    rd_u32 mask;             /* a stack has mask + 1 entries */
    rd_u32 bottom, top;      /* entries bottom .. top - 1 are there; modulo 2^32 */
    rd_u32 free, freed;      /* the first of a list of free frames, or TASK_NONE; its length, about */
    rd_u32 spare;            /* the same, a full list */
    rd_u32 fresh, fresh_end; /* frames that were never used */
    rd_u32 ready;            /* a frame whose children have all returned, or TASK_NONE */
    rd_u32 at;               /* of the task that runs: the frame that its children return to */
    rd_u32 spawned;          /* by the task that runs */
    rd_u64 value;            /* that it returns */
    rd_u64 result;           /* sum of what root tasks returned and rd_result added, in this launch */
    rd_u32 tasks;            /* run in this launch */
    rd_u32 deepest;          /* most entries the stack had, seen now and then */
} rd_worker;

rd_fn rd_global rd_u32 *task_slot(const rd_worker *w, rd_u32 entry)
{
    return w->stack + (entry & w->mask) * (TASK_ENTRY * rd_lanes());
}

/* Puts an entry on top. There is room. */
rd_fn void task_put(rd_worker *w, rd_u32 parent, const rd_task *t)
{
    rd_global rd_u32 *slot = task_slot(w, w->top++);
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        slot[i * rd_lanes()] = t->word[i];
#if RD_TASK_JOIN != RD_JOIN_NONE
    slot[RD_TASK_WORDS * rd_lanes()] = parent;
#endif
}

/* Reads an entry. @return its parent. */
rd_fn rd_u32 task_get(const rd_worker *w, rd_u32 entry, rd_task *t)
{
    rd_global const rd_u32 *slot = task_slot(w, entry);
    RD_UNROLL
    for (rd_u32 i = 0; i < RD_TASK_WORDS; i++)
        t->word[i] = slot[i * rd_lanes()];
#if RD_TASK_JOIN != RD_JOIN_NONE
    return slot[RD_TASK_WORDS * rd_lanes()];
#else
    return TASK_ROOT;
#endif
}

/* ---- For apps ---- */

/* A new task. It runs some time: here, or wherever there is nothing else to do. */
rd_fn void rd_spawn(rd_worker *w, const rd_task *child)
{
#if RD_TASK_JOIN == RD_JOIN_VALUES
    task_put(w, w->at * RD_TASK_CHILDREN + w->spawned, child);
#else
    task_put(w, w->at, child);
#endif
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

rd_fn rd_global rd_u64 *task_values(const rd_worker *w, rd_u32 frame)
{
    return (rd_global rd_u64 *)(w->frame + (rd_u64)frame * TASK_FRAME + TASK_FRAME_VALUES(RD_TASK_WORDS));
}

#endif

#if RD_TASK_JOIN == RD_JOIN_SUM
/* In rd_app_join: the sum of what the children returned. */
rd_fn rd_u64 rd_sum(const rd_worker *w)
{
    return rd_ld64_rlx(task_values(w, w->at)); /* partner: the additions in frame_return, acquired before the join */
}
#endif

#if RD_TASK_JOIN == RD_JOIN_VALUES
/* In rd_app_join: what child i returned, in the order of spawning. */
rd_fn rd_u64 rd_value(const rd_worker *w, rd_u32 i)
{
    return task_values(w, w->at)[i];
}
#endif

/* Tasks that carry numbers: rd_bits puts one into a word, rd_float takes it out. */
#define rd_float rd_number

#endif
