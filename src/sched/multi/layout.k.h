/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - what multi/multi.c and the kernels of scheduler `multi` agree on. Plain numbers: both include it. */
#ifndef RD_SCHED_MULTI_LAYOUT_H
#define RD_SCHED_MULTI_LAYOUT_H

/* Words of 64 bits of a queue's head, and of a group's outbox, which has a count alone. Two lines: processors fetch
 * lines in pairs. */
#define MULTI_LOCK  0 /* 1: someone owns the queue */
#define MULTI_LEAST 1 /* the complement of the least rank: 0, as heads are cleared to, when there is none; a hint */
#define MULTI_COUNT 2 /* items */
#define MULTI_HEAD  16

#define MULTI_EMPTY 0xffffffffffffffffull

#define MULTI_LIST_OF(lanes) ((lanes) == 1 ? 64 : (lanes)) /* items a worker gathers before it inserts them */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define MULTI_STORE_ARGS(buf, arg)                                           \
    buf(heap_item, multi_items)                                              \
    buf(rd_u64, multi_heads)                                                 \
    arg(rd_u32, multi_queues)                                                \
    arg(rd_u32, multi_room) /* of a heap, WAYS - 1 unused places included */ \
    arg(rd_u32, multi_out_room)
#define MULTI_QUEUE_ARGS(buf, arg) MULTI_STORE_ARGS(buf, arg) \
    arg(rd_u32, multi_stick)
#define MULTI_COLLECT_ARGS(buf, arg) MULTI_STORE_ARGS(buf, arg) \
    arg(rd_u32, workers)
#define MULTI_PUT_ARGS(buf, arg) MULTI_STORE_ARGS(buf, arg) \
    buf(const heap_item, in)                                \
    arg(rd_u64, in_count)
/* clang-format on */

#endif
