/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words that engines for task graphs share with their host side. Plain numbers: both include it. */
#ifndef RD_SCHED_DAG_LAYOUT_H
#define RD_SCHED_DAG_LAYOUT_H

#include "model/dag_layout.k.h"
#include "sched/parts/deque_layout.k.h"
#include "sched/parts/ring_layout.k.h"

/* Control words, on lines of their own where many groups use them. */
#define DAG_PENDING 0   /* units: parts/pending.k.h */
#define DAG_NEXT    32  /* the number of the next new task */
#define DAG_FRONT   64  /* fifo: tickets to take, */
#define DAG_REAR    96  /* and to give; steal: seeds that there are */
#define DAG_SEED    128 /* steal: the next seed */
#define DAG_TROUBLE 160 /* DAG_TROUBLE_WORDS, model/dag_layout.k.h */
#define DAG_STATS   192 /* DAG_COUNTS numbers of 64 bits */
#define DAG_WORDS   224

#define DAG_TASKS  0 /* run */
#define DAG_BEFORE 1 /* there were before the run */
#define DAG_OWN    2 /* run right behind the one that made them ready, by the same worker */
#define DAG_STEALS 3
#define DAG_FAILED 4
#define DAG_EMPTY  5
#define DAG_COUNTS 6

#if DAG_TROUBLE + DAG_TROUBLE_WORDS > DAG_STATS || DAG_STATS + 2 * DAG_COUNTS > DAG_WORDS
#error "words of one kind reach into those of the next"
#endif

/* Words of a group, after those of its deque: what it goes on with in the next launch. Tasks and tickets count from 1,
 * so that all zero is a group that has not run yet. */
#define DAG_KEPT    DAG_USER(0) /* the task that it runs next */
#define DAG_ACTIVE  DAG_USER(1) /* units of PENDING that it has; fifo has them on cores only */
#define DAG_TAIL    DAG_USER(2) /* steal: its deque's end */
#define DAG_LIST    DAG_USER(3) /* steal: the first of those that found no room in the deque */
#define DAG_TICKET  DAG_USER(4) /* fifo: that it waits for */
#define DAG_HELD    DAG_USER(5) /* fifo on cores: tickets from that one on */
#define DAG_AT      DAG_USER(6) /* the oldest task in its circle, */
#define DAG_END     DAG_USER(7) /* and behind the newest */
#define DAG_USER(i) (DEQUE_USER + (i))

#define DAG_CIRCLE 1024 /* fifo on cores: tasks that a worker keeps; a power of two */

/* Choices, bits of one argument. */
#define DAG_QUEUED   1 /* no task is kept: all go through the queue */
#define DAG_BLOCKING 2 /* deques with a lock */
#define DAG_NEAREST  4
#define DAG_NO_THEFT 8
#define DAG_CIRCLES  16 /* fifo, on cores: workers keep tasks */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define DAG_ARGS(buf, arg)                                                       \
    buf(rd_u32, dg_control)                                                      \
    buf(rd_u32, dg_waits) /* per task: releases that are missing */              \
    buf(rd_u32, dg_line)  /* DEQUE_LINE words a group */                         \
    buf(rd_u32, dg_item)  /* the ring, or the deques */                          \
    buf(rd_u32, dg_link)  /* steal, per task: the next on its worker's list; fifo: DAG_CIRCLE words a group */ \
    buf(rd_u32, dg_seed)  /* steal: tasks that are ready at once */              \
    arg(rd_u32, dg_known) /* tasks that there are beforehand */                  \
    arg(rd_u32, dg_most)  /* that there may be */                                \
    arg(rd_u32, dg_shift) /* of the ring, or of each deque */                    \
    arg(rd_u32, dg_limit) /* turns of this launch; 0: until all is done */       \
    arg(rd_u32, dg_choices)
/* clang-format on */

#endif
