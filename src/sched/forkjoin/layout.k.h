/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words that scheduler steal's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_SCHED_STEAL_LAYOUT_H
#define RD_SCHED_STEAL_LAYOUT_H

#include "sched/parts/deque_layout.k.h"
#include "model/forkjoin_layout.k.h"

/* Control words, on lines of their own where many groups use them. */
#define STEAL_PENDING 0  /* groups that have work, and one while seeds are left */
#define STEAL_SEED    32 /* the next seed */
#define STEAL_NEED    64 /* what a lane lacks: bits below */
#define STEAL_FRAMES  96 /* frames handed out */
#define STEAL_DEEPEST 97 /* most entries a stack had */
#define STEAL_LEFT    98 /* lists of frames left over, and their lock */
#define STEAL_LOCK    99
#define STEAL_SHAPE   100 /* the app's RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN */
#define STEAL_STATS   128 /* STEAL_COUNTS numbers of 64 bits */
#define STEAL_HUNGRY  160 /* under steal: groups most of whose lanes found nothing */
#define STEAL_FRONT   160 /* under fifo: tickets to take, and to give */
#define STEAL_REAR    192
#define STEAL_WORDS   224

#define STEAL_NEED_STACK 1
#define STEAL_NEED_FRAME 2
#define STEAL_NEED_LIMIT 4 /* not memory: a call spawned more than RD_TASK_CHILDREN */

#define STEAL_RESULT 0
#define STEAL_TASKS  1
#define STEAL_STEALS 2 /* thefts that succeeded, */
#define STEAL_FAILED 3 /* that another worker beat, */
#define STEAL_EMPTY  4 /* looks for victims in vain */
#define STEAL_STOLEN 5 /* tasks stolen */
#define STEAL_SHARED 6 /* tasks put into deques */
#define STEAL_SWAPS  7 /* tasks given from lane to lane of a group */
#define STEAL_COUNTS 8

/* Words of a group, after those of its deque: */
#define STEAL_ACTIVE      DEQUE_USER       /* it has a unit of PENDING */
#define STEAL_BLOCK       (DEQUE_USER + 1) /* next seed of its own block, */
#define STEAL_BLOCK_END   (DEQUE_USER + 2)
#define STEAL_OWN_TAIL    (DEQUE_USER + 3)
#define STEAL_RANDOM      (DEQUE_USER + 4)
#define STEAL_WAITING     (DEQUE_USER + 5) /* of a traced run: tasks of its lanes */
#define STEAL_GROUP_TASKS (DEQUE_USER + 6) /* 64 bits: tasks that it ran */

/* Words of a lane between launches; word k of all lanes of a group lie together. The ready frame counts from 1 here, so
 * that all zero is a lane that has not run yet. */
#define STEAL_LANE_BOTTOM    0
#define STEAL_LANE_TOP       1
#define STEAL_LANE_FP        2
#define STEAL_LANE_BASE      3
#define STEAL_LANE_READY     4
#define STEAL_LANE_FREE      5
#define STEAL_LANE_FREED     6
#define STEAL_LANE_FRESH     7
#define STEAL_LANE_FRESH_END 8
/* under fifo: its tickets */
#define STEAL_LANE_TAKES 9
#define STEAL_LANE_TAKE  10
#define STEAL_LANE_GIVES 11
#define STEAL_LANE_GIVE  12
#define STEAL_LANE_WORDS 13

/* Choices, bits of one argument. */
#define STEAL_BLOCKING 1 /* deques with a lock */
#define STEAL_NEAREST  2 /* the nearest victim, not any */
#define STEAL_NO_THEFT 4
#define STEAL_BLOCKS   8  /* seeds are dealt in blocks */
#define STEAL_TRACED   16 /* groups that leave say how many tasks wait */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define STEAL_ARGS(buf, arg)                                         \
    buf(rd_u32, st_control)                                          \
    buf(rd_u32, st_line) /* DEQUE_LINE words a group */              \
    buf(rd_u32, st_item) /* slots of all deques */                   \
    buf(rd_u32, st_stack)                                            \
    buf(rd_u32, st_lane_state)                                       \
    buf(rd_u32, st_frame)                                            \
    arg(rd_u32, st_stack_shift)                                      \
    arg(rd_u32, st_deque_shift)                                      \
    arg(rd_u32, st_frames)                                           \
    arg(rd_u32, st_seeds)                                            \
    arg(rd_u32, st_steps)                                            \
    arg(rd_u32, st_turns) /* of this launch; 0: until all is done */ \
    arg(rd_u32, st_choices)
#define STEAL_SHAPE_ARGS(buf, arg) \
    buf(rd_u32, control)
#define STEAL_GROW_ARGS(buf, arg) \
    buf(rd_u32, lane_state)       \
    buf(const rd_u32, stack)      \
    buf(rd_u32, larger)           \
    arg(rd_u32, shift)            \
    arg(rd_u32, larger_shift)
#define STEAL_COPY_ARGS(buf, arg) \
    buf(const rd_u32, frame)      \
    buf(rd_u32, larger)           \
    arg(rd_u32, frames)
/* clang-format on */

#endif
