/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin_layout.k.h - the sizes of tasks and frames, for host and kernels. Plain numbers: both include it. */
#ifndef RD_SCHED_TASK_LAYOUT_H
#define RD_SCHED_TASK_LAYOUT_H

/* What becomes of the values that tasks return. */
#define RD_JOIN_NONE   0 /* tasks return nothing and nobody waits for them */
#define RD_JOIN_SUM    1 /* a parent gets the sum of its children's values */
#define RD_JOIN_VALUES 2 /* a parent gets the value of each child */

/* A task on its way to another lane: its words, and where it returns to. */
#define TASK_ENTRY_WORDS(words, join) ((words) + ((join) != RD_JOIN_NONE))

#define TASK_VALUE_COUNT(children, join) ((join) == RD_JOIN_VALUES ? (children) : 1)

/* A slot of a lane's stack: the task's words, then a header, then, of a frame, values of 64 bits, all in a row and a
 * multiple of 16 bytes: a lane reads or writes it with one or two accesses, which touch one or two sectors of memory
 * however deep its neighbours are. */
#define TASK_SLOT_VALUES(words) (((words) + 2) / 2 * 2)
#define TASK_SLOT_WORDS(words, children, join)                                                                         \
    (((join) == RD_JOIN_NONE ? (words) + 3 : TASK_SLOT_VALUES(words) + 2 * TASK_VALUE_COUNT(children, join) + 3) / 4 * \
     4)

/* A frame that several lanes return to: children that have not returned, where its task returns to, the task's words,
 * values. A multiple of 32 bytes, so that a frame is no more sectors of memory than need be. */
#define TASK_FRAME_COUNT         0
#define TASK_FRAME_PARENT        1
#define TASK_FRAME_TASK          2
#define TASK_FRAME_VALUES(words) (((words) + 3) / 2 * 2)
#define TASK_FRAME_WORDS(words, children, join)                                                                        \
    ((TASK_FRAME_VALUES(words) + 2 * TASK_VALUE_COUNT(children, join) + 7) / 8 * 8)

#endif
