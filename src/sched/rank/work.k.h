/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.k.h - what a worker of the schedulers `heap` and `multi` does whatever the queue is. A worker is a group:
 * it takes some tasks of low rank, runs them, and inserts what they give.
 *
 * Two shapes of task: {rank, data} of 128 bits, run by one lane each (rank/tasks.k.h), and vertices with the rank that
 * the app gives them, in 64 bits, whose edges are spread over the lanes (rank/vertices.k.h).
 *
 * The queue is what the scheduler's header (heap/queue.k.h, multi/queue.k.h) defines:
 *   rank_queue                      what a group has of it
 *   RANK_QUEUE_ARGS                 its kernel arguments
 *   RANK_QUEUE_LIST, _BOARD         items and 64-bit words of group memory that it needs
 *   RANK_QUEUE_OPEN(q, a, list, board)
 *   rank_queue_list(q), _room(q)    group memory where items are gathered, and how many fit
 *   rank_queue_insert(q, n)         inserts the n items of the list; all lanes, begins with a barrier
 *   rank_queue_take(q, most, out)   up to `most` items to `out`; all lanes, in whom the count is equal
 *   rank_queue_hint(q)              lane 0: RANK_HINT_..., is there something to take?
 *   rank_queue_full(q, limit)       lane 0: is it time to leave for want of room?
 *   rank_queue_rest(turns)          after so many turns in vain
 *   rank_queue_close(q)
 *
 * Termination: parts/pending.k.h. A unit for each task that waits in the queue or is in someone's hands, and for each
 * span of a hub. PENDING is raised before tasks are inserted, and lowered when tasks are done and all they gave is
 * inserted; or later, together with the next change: `debt` is what a group has not lowered yet. It pays before it
 * looks whether PENDING is 0, and before it leaves.
 *
 * Leaving. LEAVE is set by a group that has made its turns or found no room. Each group sees it between two turns and
 * leaves with empty hands: all tasks are in the queue, spans on the board of hubs, and the host may look, collect,
 * grow, and launch again. Nobody waits for a group that has not started: it owns no task and no lock.
 */
#ifndef RD_SCHED_RANK_WORK_K_H
#define RD_SCHED_RANK_WORK_K_H

#include "model/item.k.h"
#include "sched/parts/pending.k.h"
#include "sched/rank/layout.k.h"

#define RANK_ARGS(buf, arg) RANK_QUEUE_ARGS(buf, arg) RANK_OWN_ARGS(buf, arg)
rd_context(rank_args, RANK_ARGS);

#define RANK_LEAVES 0
#define RANK_IDLE   1
#define RANK_RUNS   2
#define RANK_HELPS  3 /* takes a span of a hub: edges/hubs.k.h */

typedef struct {
    rank_queue q;
    rd_global heap_item *inbox; /* this group's */
    rd_global rd_u64 *words;
    rd_local rd_u32 *scratch;
    rd_local rd_u64 *act; /* one word: what is to be done */
    heap_item *slots;     /* what this lane gives; its own, since wide groups have no room for all of it */
    rd_u32 limit, turns, split;
    /* equal in all lanes */
    rd_u32 filled; /* items in the queue's list, to be inserted */
    rd_u32 turn, leaving;
    /* lane 0's */
    rd_u32 polls;
    rd_u64 debt, peak;
    rd_u64 opened, queued, rested; /* with `split`, by the clock */
} rank_group;

#define RANK_BOARD (RANK_QUEUE_BOARD + 1)

/* 0 where nobody wants to know. */
rd_fn rd_u64 rank_clock(const rank_group *g)
{
    return g->split && rd_lane() == 0 ? rd_clock() : 0;
}

/* A group with empty hands. list, board and scratch are group memory, slots is the lane's own. */
rd_fn void rank_open(rank_group *g, const rank_args *a, rd_local heap_item *list, rd_local rd_u64 *board,
                     rd_local rd_u32 *scratch, heap_item *slots)
{
    RANK_QUEUE_OPEN(&g->q, a, list, board);
    g->inbox = a->inbox + (rd_u64)rd_group() * a->inbox_room;
    g->words = a->words;
    g->scratch = scratch;
    g->act = board + RANK_QUEUE_BOARD;
    g->slots = slots;
    g->limit = a->limit;
    g->turns = a->turns;
    g->filled = g->turn = g->leaving = g->polls = 0;
    g->debt = g->peak = 0;
    g->split = a->split;
    g->queued = g->rested = 0;
    g->opened = rank_clock(g);
}

/* Raises PENDING by n, less what this group has not lowered yet. Lane 0. */
rd_fn void rank_pend(rank_group *g, rd_u32 n)
{
    if (n != g->debt) {
        const rd_u64 now = pending_change64(&g->words[RANK_PENDING], n, g->debt);
        g->peak = now > g->peak ? now : g->peak;
    }
    g->debt = 0;
}

/* What is to be done? own: tasks in this group's hands, beyond those of the queue; spans: of hubs, there are some. Both
 * and `stopped` are lane 0's. @return RANK_..., in all lanes. */
rd_fn rd_u32 rank_look(rank_group *g, rd_u32 own, rd_u32 spans, rd_u32 stopped)
{
    if (rd_lane() == 0) {
        const rd_u32 hint = rank_queue_hint(&g->q), full = rank_queue_full(&g->q, g->limit);
        rd_u64 leave = rd_ld64_rlx(&g->words[RANK_LEAVE]); /* partner: the store below in other groups */
        if (!leave && (full || g->turn >= g->turns))
            rd_st64_rlx(&g->words[RANK_LEAVE], leave = full ? RANK_LEAVE_FULL : RANK_LEAVE_TURNS);
        rd_u32 leaves = leave || stopped;
        if (!own && (leaves || hint != RANK_HINT_SOME)) {
            rank_pend(g, 0);
            leaves |= pending_none64(&g->words[RANK_PENDING]);
        }
        g->polls += !leaves && !own && hint != RANK_HINT_SOME;
        g->act[0] = (rd_u64)leaves << 32 | (!own && spans && !leaves                     ? RANK_HELPS
                                            : own || (hint != RANK_HINT_NONE && !leaves) ? RANK_RUNS
                                            : leaves                                     ? RANK_LEAVES
                                                                                         : RANK_IDLE);
    }
    rd_barrier(); /* the word is there */
    const rd_u64 act = g->act[0];
    g->leaving = (rd_u32)(act >> 32);
    rd_barrier(); /* the word is read */
    return (rd_u32)act;
}

/* Tasks for the inbox, up to `most`. */
rd_fn rd_u32 rank_take(rank_group *g, rd_u32 most)
{
    const rd_u64 began = rank_clock(g);
    const rd_u32 got = rank_queue_take(&g->q, most, g->inbox);
    g->queued += rank_clock(g) - began;
    return got;
}

/* Inserts what was gathered. */
rd_fn void rank_insert(rank_group *g)
{
    const rd_u64 began = rank_clock(g);
    rank_queue_insert(&g->q, g->filled);
    g->filled = 0;
    g->queued += rank_clock(g) - began;
}

rd_fn void rank_rest(rank_group *g, rd_u32 turns)
{
    const rd_u64 began = rank_clock(g);
    rank_queue_rest(turns);
    g->rested += rank_clock(g) - began;
}

/* Each lane brings `count` items in its slots. They are inserted when there are enough to fill the list, and all
 * when `last` says so. Ends with a barrier. */
rd_fn void rank_share(rank_group *g, rd_u32 count, rd_u32 last)
{
    const rd_u32 most = rank_queue_room(&g->q);
    rd_u32 all = 0, moved = 0;
    const rd_u32 before = rd_group_scan(g->scratch, count, &all);
    rd_u32 more = all > 0 || (last && g->filled);
    while (more) {
        const rd_u32 room = most - g->filled, part = all - moved < room ? all - moved : room;
        rd_local heap_item *list = rank_queue_list(&g->q);
        for (rd_u32 i = 0; i < count; i++)
            if (before + i >= moved && before + i < moved + part)
                list[g->filled + before + i - moved] = g->slots[i];
        g->filled += part;
        moved += part;
        rd_once(g->filled == most || (last && moved == all && g->filled)) {
            if (rd_lane() == 0)
                rank_pend(g, g->filled); /* before the insertion */
            rank_insert(g);
        }
        more = moved < all;
    }
    rd_barrier(); /* slots may be used again */
}

/* n tasks of this group are done, and what they gave is inserted; `kept` new ones are in its hands. */
rd_fn void rank_done(rank_group *g, rd_u32 n, rd_u32 kept)
{
    g->debt += (rd_u64)n - kept;
}

rd_fn void rank_count(const rank_group *g, rd_u32 which, rd_u64 mine)
{
    rd_u64 all = 0;
    for (rd_u32 shift = 0; shift < 64; shift += 16) /* pieces whose sums fit a word */
        all += (rd_u64)rd_group_sum(g->scratch, (rd_u32)(mine >> shift) & 0xffff) << shift;
    if (rd_lane() == 0 && all)
        rd_add64_rlx(&g->words[RANK_STATS + which], all); /* read by the host */
}

rd_fn void rank_close(rank_group *g)
{
    rank_queue_close(&g->q);
    if (rd_lane() == 0) {
        rd_max64_rlx(&g->words[RANK_STATS + RANK_PEAK], g->peak); /* read by the host */
        rd_add64_rlx(&g->words[RANK_STATS + RANK_POLLS], g->polls);
        if (g->split) {
            rd_add64_rlx(&g->words[RANK_STATS + RANK_TICKS], rank_clock(g) - g->opened);
            rd_add64_rlx(&g->words[RANK_STATS + RANK_QUEUED], g->queued);
            rd_add64_rlx(&g->words[RANK_STATS + RANK_RESTED], g->rested);
        }
    }
}

#endif
