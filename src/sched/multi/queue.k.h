/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.k.h - scheduler `multi`, kernel side: a relaxed priority queue, made of a few plain heaps (multi/heap.k.h) for
 * each worker (rank/work.k.h). H. Rihani, P. Sanders, R. Dementiev, "MultiQueues: Simple Relaxed Concurrent Priority
 * Queues", SPAA 2015; M. Williams, P. Sanders, R. Dementiev, "Engineering MultiQueues", ESA 2021.
 *
 * An insertion goes to a heap drawn at random. A deletion draws two, looks at the least rank of each and takes some
 * items from the better one. So what is taken is near the least, not the least; nothing is lost and nothing taken
 * twice. A worker stays with the heaps it drew for `stick` operations, whose lines then stay in its cache, unless it
 * finds them locked or empty. With one worker there is one heap and no relaxation: with a batch of 1 the order is
 * exact.
 *
 * Layout. Heap i is items[i * room] .. , its head head[i * MULTI_HEAD] ..: lock, least rank, count. Behind the heaps
 * come the outboxes, out_room items for each group, whose heads follow those of the heaps.
 *
 * Locks. A heap's items and its count are changed by who owns its lock, one lane. The lock is taken by a
 * compare-and-swap from 0 to 1 with acquire and given back by a store of 0 with release, so owners see what earlier
 * ones wrote, and who runs a task sees what was written before it was given (other lanes' writes come before the
 * group's barrier and so before lane 0's release). Least rank and count are also read without the lock, as hints:
 * relaxed on both sides. Nobody owns two locks, nor waits for one in particular: who finds it taken draws another.
 * There are more heaps than workers, so one is free; an owner is a running lane that does a bounded number of steps. A
 * group that is alone takes no locks.
 *
 * Nothing is overlooked. A deletion that finds two empty heaps, or locked ones, a few times tries the next few heaps in
 * turn, by their counts. When all that fails it says so, the group looks whether any task is pending at all
 * (rank_look), and tries again: after some turns it has tried every heap.
 *
 * Room. What does not fit the heap at hand goes to the group's own outbox, without a lock. A group whose outbox is in
 * use leaves after its turn, and has all others leave; the host collects (rank_collect), makes the heaps larger where
 * need be, and spreads all items evenly over them (multi_put; both in multi/collect.k.h). An outbox holds what a group
 * can insert between two looks at it: rd__rank_reserve in rank.c.
 */
#ifndef RD_SCHED_MULTI_K_H
#define RD_SCHED_MULTI_K_H

#include "sched/multi/layout.k.h"
#include "sched/multi/heap.k.h"

#define RANK_QUEUE_ARGS(buf, arg) MULTI_QUEUE_ARGS(buf, arg)

#define MULTI_GATHER MULTI_LIST_OF(RD_LANES)
#define MULTI_DRAWS  4 /* of two heaps, before heaps are tried in turn */
#define MULTI_PROBES 8 /* heaps tried in turn */
#define MULTI_NONE   0xffffffffu

typedef struct {
    rd_global heap_item *items;
    rd_global rd_u64 *heads;
    rd_u32 queues, room, out_room, stick;
    rd_local heap_item *list;
    rd_local rd_u64 *board; /* one word, through which lane 0 tells the others */
    /* lane 0's */
    rd_u64 random;
    rd_u32 first, second, takes; /* heaps to take from, and how often still */
    rd_u32 target, gives;        /* heap to insert into, and how often still */
    rd_u32 next;                 /* to be tried in turn */
    rd_u32 missed;               /* deletions in vain since the last one that was not */
    rd_u32 spilled;              /* items in the outbox */
} rank_queue;

#define RANK_QUEUE_LIST  MULTI_GATHER
#define RANK_QUEUE_BOARD 1
#define RANK_QUEUE_OPEN(q, a, list, board)                                                                             \
    multi_open(q, (a)->multi_items, (a)->multi_heads, (a)->multi_queues, (a)->multi_room, (a)->multi_out_room,         \
               (a)->multi_stick, list, board)

rd_fn void multi_open(rank_queue *q, rd_global heap_item *items, rd_global rd_u64 *heads, rd_u32 queues, rd_u32 room,
                      rd_u32 out_room, rd_u32 stick, rd_local heap_item *list, rd_local rd_u64 *board)
{
    q->items = items;
    q->heads = heads;
    q->queues = queues;
    q->room = room;
    q->out_room = out_room;
    q->stick = stick;
    q->list = list;
    q->board = board;
    q->random = (rd_group() + 1) * 0x9e3779b97f4a7c15ull;
    q->first = q->second = q->takes = q->target = q->gives = q->missed = 0;
    q->next = rd_group() % queues;
    /* Of the launch before, when someone else had all leave at the same time. */
    q->spilled = (rd_u32)rd_ld64_rlx(&heads[((rd_u64)queues + rd_group()) * MULTI_HEAD + MULTI_COUNT]);
}

/* ---- One lane ---- */

rd_fn rd_u32 multi_draw(rank_queue *q)
{
    q->random = q->random * 6364136223846793005ull + 1442695040888963407ull;
    return (rd_u32)((q->random >> 32) * q->queues >> 32);
}

rd_fn rd_u32 multi_lock(const rank_queue *q, rd_u32 i)
{
    rd_global rd_u64 *lock = &q->heads[(rd_u64)i * MULTI_HEAD + MULTI_LOCK];
    if (q->queues == 1)
        return 1;
    /* The look saves a write to a line that another one owns; the swap pairs with the release in multi_unlock. */
    return rd_ld64_rlx(lock) == 0 && rd_cas64_acq(lock, 0, 1) == 0;
}

rd_fn rd_u32 multi_count(const rank_queue *q, rd_u32 i)
{
    return (rd_u32)rd_ld64_rlx(&q->heads[(rd_u64)i * MULTI_HEAD + MULTI_COUNT]); /* partner: multi_unlock */
}

rd_fn rd_u64 multi_least(const rank_queue *q, rd_u32 i)
{
    return ~rd_ld64_rlx(&q->heads[(rd_u64)i * MULTI_HEAD + MULTI_LEAST]); /* partner: multi_unlock */
}

rd_fn void multi_unlock(const rank_queue *q, rd_u32 i, rd_u32 count)
{
    rd_global rd_u64 *head = &q->heads[(rd_u64)i * MULTI_HEAD];
    const rd_u64 least = count ? multi_rank(q->items[(rd_u64)i * q->room + MULTI_ROOT]) : MULTI_EMPTY;
    rd_st64_rlx(&head[MULTI_LEAST], ~least); /* partner: multi_least */
    rd_st64_rlx(&head[MULTI_COUNT], count);  /* partner: multi_count */
    if (q->queues > 1)
        rd_st64_rel(&head[MULTI_LOCK], 0); /* pairs with the acquire in multi_lock */
}

/* A heap with items, locked, or MULTI_NONE. */
rd_fn rd_u32 multi_find(rank_queue *q)
{
    rd_u32 found = q->queues == 1 && multi_count(q, 0) ? 0 : MULTI_NONE;
    for (rd_u32 i = 0; i < MULTI_DRAWS && q->queues > 1 && found == MULTI_NONE; i++) {
        if (q->takes == 0) {
            q->first = multi_draw(q);
            q->second = multi_draw(q);
            q->takes = q->stick;
        }
        const rd_u64 a = multi_least(q, q->first), b = multi_least(q, q->second);
        const rd_u32 better = b < a ? q->second : q->first;
        q->takes--;
        if ((a & b) != MULTI_EMPTY && multi_lock(q, better))
            found = better;
        else
            q->takes = 0;
    }
    for (rd_u32 i = 0; i < MULTI_PROBES && q->queues > 1 && found == MULTI_NONE; i++) {
        q->next = q->next + 1 < q->queues ? q->next + 1 : 0;
        if (multi_count(q, q->next) && multi_lock(q, q->next))
            found = q->next;
    }
    return found;
}

rd_fn rd_u32 multi_take(rank_queue *q, rd_u32 most, rd_global heap_item *out)
{
    const rd_u32 from = multi_find(q);
    rd_u32 got = 0;
    if (from != MULTI_NONE) {
        rd_global heap_item *heap = q->items + (rd_u64)from * q->room;
        const rd_u32 count = multi_count(q, from); /* it is ours: nobody changes it */
        got = most < count ? most : count;
        multi_pop_some(heap, count, got, out);
        multi_unlock(q, from, count - got);
    }
    q->missed = got ? 0 : q->missed + 1;
    return got;
}

rd_fn void multi_insert(rank_queue *q, rd_u32 n)
{
    rd_u32 done = 0, turn = 0;
    q->target = q->gives ? q->target : multi_draw(q);
    q->gives = q->gives ? q->gives - 1 : q->stick - 1;
    while (!multi_lock(q, q->target)) {
        q->target = multi_draw(q);
        q->gives = q->stick - 1;
        turn++;
        if (turn % q->queues == 0) /* all but one may be locked by those who do not run now */
            rd_pause();
    }
    rd_global heap_item *heap = q->items + (rd_u64)q->target * q->room;
    const rd_u32 count = multi_count(q, q->target), free_places = q->room - MULTI_ROOT - count;
    done = n < free_places ? n : free_places;
    multi_push_some(heap, count, q->list, done);
    multi_unlock(q, q->target, count + done);
    if (done < n) {
        rd_global heap_item *out = q->items + (rd_u64)q->queues * q->room + (rd_u64)rd_group() * q->out_room;
        while (done < n) {
            out[q->spilled] = q->list[done];
            q->spilled++;
            done++;
        }
        /* Read by the host and by later launches. */
        rd_st64_rlx(&q->heads[((rd_u64)q->queues + rd_group()) * MULTI_HEAD + MULTI_COUNT], q->spilled);
    }
}

/* ---- What rank/work.k.h asks for ---- */

rd_fn rd_local heap_item *rank_queue_list(const rank_queue *q)
{
    return q->list;
}

rd_fn rd_u32 rank_queue_room(const rank_queue *q)
{
    return RD_LANES == 1 ? MULTI_GATHER : rd_lanes();
}

rd_fn void rank_queue_insert(rank_queue *q, rd_u32 n)
{
    rd_barrier(); /* the list is complete */
    if (rd_lane() == 0)
        multi_insert(q, n);
    rd_barrier(); /* the list may be used again */
}

rd_fn rd_u32 rank_queue_take(rank_queue *q, rd_u32 most, rd_global heap_item *out)
{
    if (rd_lane() == 0)
        q->board[0] = multi_take(q, most, out);
    rd_barrier(); /* the items are there */
    const rd_u32 got = (rd_u32)q->board[0];
    rd_barrier(); /* the board is read */
    return got;
}

rd_fn rd_u32 rank_queue_hint(const rank_queue *q)
{
    return q->missed ? RANK_HINT_UNSURE : RANK_HINT_SOME;
}

rd_fn rd_u32 rank_queue_full(const rank_queue *q, rd_u32 limit)
{
    return q->spilled > limit;
}

#define rank_queue_rest(turns) rd_idle(turns, RD_IDLE_SHORT)

rd_fn void rank_queue_close(rank_queue *q)
{
    (void)q; /* it keeps no counts */
}

#endif
