/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - what bag/bag.c and bag/bag.k.h agree on: control words. */
#ifndef RD_SCHED_BAG_LAYOUT_H
#define RD_SCHED_BAG_LAYOUT_H

#define BAG_NEXT  0 /* tasks of this round that were taken, beyond the first of each group */
#define BAG_OUT   1 /* tasks of the next round */
#define BAG_OVER  2 /* 1: a task gave more than RD_TASK_GIVES */
#define BAG_TASKS 4 /* 64 bits: tasks run in this round */
#define BAG_WORDS 8

#define BAG_MOST_GIVES 8 /* a task gives at most so many */

#define BAG_CHUNK_OF(lanes) ((lanes) == 1 ? 32 : 1) /* tasks a lane takes at once */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define BAG_ARGS(buf, arg)                        \
    buf(const rd_u64, in) /* pairs: rank, data */ \
    buf(rd_u64, out)                              \
    buf(rd_u32, control)                          \
    arg(rd_u32, count) /* tasks of this round, below 2^31 */
/* clang-format on */

#endif
