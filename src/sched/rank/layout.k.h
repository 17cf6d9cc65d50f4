/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words that host and kernel sides of the schedulers `heap` and `multi` share. Plain numbers:
 * both include it. */
#ifndef RD_SCHED_RANK_LAYOUT_H
#define RD_SCHED_RANK_LAYOUT_H

#include "sched/edges/spread_layout.k.h"

/* Words of 64 bits; those that many groups hit lie on lines of their own. */
#define RANK_PENDING 0  /* tasks that wait or run */
#define RANK_LEAVE   16 /* RANK_LEAVE_...: all workers are to leave */
#define RANK_KEPT    32 /* items that a collection kept */
#define RANK_STATS   48
#define RANK_WORDS   64

/* What a queue says about itself. */
#define RANK_HINT_NONE   0 /* it seems to be empty */
#define RANK_HINT_UNSURE 1 /* the last look found nothing */
#define RANK_HINT_SOME   2

#define RANK_LEAVE_TURNS 1 /* the host wants to have a look */
#define RANK_LEAVE_FULL  2 /* the queue needs room, or a collection */
#define RANK_LEAVE_OVER  3 /* see RANK_OVER */

/* Counts, from RANK_STATS on. */
#define RANK_TASKS   0 /* run */
#define RANK_PRUNED  1 /* taken and dropped: not worth running any more */
#define RANK_FRESH   2 /* vertices given for the first time */
#define RANK_EDGES   3
#define RANK_POLLS   4 /* looks that found nothing */
#define RANK_PEAK    5 /* most tasks that waited or ran at a time */
#define RANK_AT_ONCE 6 /* tasks run by who found them, without the queue */
/* With `split`: ticks that groups were there, spent in the queue, and rested without a task. */
#define RANK_TICKS  7
#define RANK_QUEUED 8
#define RANK_RESTED 9
#define RANK_OVER   10 /* 1: a task gave more than RD_TASK_GIVES */

/* Vertices, rank/vertices.k.h, in a group of so many lanes: edges of a lane in a tile, places of the stash, vertices
 * that a group keeps to itself. In the widest groups the queue leaves less memory. */
#define RANK_WIDEST(lanes)   ((lanes) > 512)
#define RANK_BATCH_OF(lanes) (RANK_WIDEST(lanes) ? 2 : SPREAD_BATCH_OF(lanes))
#define RANK_STASH_OF(core, lanes)                                                                                     \
    (RANK_WIDEST(lanes) ? 3 * (lanes) : RANK_BATCH_OF(lanes) * (lanes) + SPREAD_SPARE_OF(core))
#define RANK_KEEP_OF(lanes) ((lanes) == 1 ? 64 : RANK_WIDEST(lanes) ? 256 : (lanes))
#define RANK_TILES          8 /* of which a group walks so many between two looks for room */

/* Kernel arguments, after those of the queue (RANK_QUEUE_ARGS); the host fills them by these names (model/args.h). */
/* clang-format off */
#define RANK_OWN_ARGS(buf, arg)                                       \
    buf(heap_item, inbox) /* inbox_room items a group */              \
    arg(rd_u32, inbox_room)                                           \
    buf(rd_u64, words)                                                \
    arg(rd_u32, fetch) /* tasks taken at once, at most inbox_room */  \
    arg(rd_u32, limit) /* of rank_queue_full */                       \
    arg(rd_u32, turns) /* that a group makes before the host looks */ \
    arg(rd_u32, near_by) /* vertices: ranks so close to the least are not queued */ \
    arg(rd_u32, few) /* vertices: with fewer that wait or run none is queued that its finder can keep; 0: never */ \
    arg(rd_u32, split) /* 1: the clock is read */
#define RANK_GRAPH_ARGS(buf, arg) \
    buf(const rd_u64, row)        \
    buf(const rd_u32, col)        \
    buf(rd_u32, hub_board) /* edges/hubs.k.h */ \
    arg(rd_u32, hub_span) /* of hubs; 0: there are none */
#define RANK_COLLECT_ARGS(buf, arg)         \
    buf(heap_item, out) /* what was kept */ \
    buf(rd_u64, words)
/* clang-format on */

#endif
