/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.k.h - scheduler `heap`, kernel side: one shared priority queue (heap/heap.k.h), from which workers
 * (rank/work.k.h) take some of the least tasks at a time. After C. Huang, "A Model for Concurrent Priority Queue on
 * Many-core Architectures", 2019, section 5.7, with exact termination and growth.
 *
 * Room. Before a group takes tasks, the heap must have no more than `limit` nodes. A group inserts less than a known
 * number of nodes in a turn, so `limit` leaves room for what all groups may have under way, and an insertion never
 * fails.
 */
#ifndef RD_SCHED_HEAP_SCHED_K_H
#define RD_SCHED_HEAP_SCHED_K_H

#include "heap/heap_put.k.h"

typedef heap_group rank_queue;
#define RANK_QUEUE_ARGS(buf, arg) HEAP_ARGS(buf, arg)
#define RANK_QUEUE_LIST           HEAP_BUFFER
#define RANK_QUEUE_BOARD          HEAP_BOARD
#define RANK_QUEUE_OPEN(q, a, list, board)                                                                             \
    heap_open(q, (a)->heap_items, (a)->heap_states, (a)->heap_control, (a)->heap_node, (a)->heap_nodes, list, board)

rd_fn rd_local heap_item *rank_queue_list(const rank_queue *q)
{
    return q->buf + q->x;
}

rd_fn rd_u32 rank_queue_room(const rank_queue *q)
{
    return heap_k(q);
}

rd_fn void rank_queue_insert(rank_queue *q, rd_u32 n)
{
    heap_insert(q, n);
}

rd_fn rd_u32 rank_queue_take(rank_queue *q, rd_u32 most, rd_global heap_item *out)
{
    return heap_delete(q, most, out, 0);
}

rd_fn rd_u32 rank_queue_hint(const rank_queue *q)
{
    const rd_u64 head = rd_ld64_rlx(&q->control[HEAP_HEAD]); /* partner: heap_release_head */
    return HEAP_SIZE_OF(head) || HEAP_PARTIAL_OF(head) ? RANK_HINT_SOME : RANK_HINT_NONE;
}

rd_fn rd_u32 rank_queue_full(const rank_queue *q, rd_u32 limit)
{
    /* A hint, for limit leaves room; partner: heap_release_head. */
    return HEAP_SIZE_OF(rd_ld64_rlx(&q->control[HEAP_HEAD])) > limit;
}

#define rank_queue_rest(turns) rd_pause()

rd_fn void rank_queue_close(rank_queue *q)
{
    heap_close(q);
}

#endif
