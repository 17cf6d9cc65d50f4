/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_sched.k.h - scheduler `heap`, kernel side: one shared priority queue (heap/heap.k.h). A worker is a group: it
 * takes some of the least tasks, runs them, and inserts what they give. After C. Huang, "A Model for Concurrent
 * Priority Queue on Many-core Architectures", 2019, section 5.7, with exact termination and growth.
 *
 * Two shapes of task: {rank, data} of 128 bits, run by one lane each (heap_ranked.k.h), and vertices with the rank that
 * the app gives them, in 64 bits, whose edges are spread over the lanes (heap_vertices.k.h).
 *
 * Termination. PENDING counts tasks that wait in the heap or are in someone's hands. It is raised before tasks are
 * inserted, by a group whose own tasks still count, and lowered when those are done and all they gave is inserted. So 0
 * means that there are none and none can come.
 *
 * Room. Before a group takes tasks, the heap must have no more than `limit` nodes. A group inserts less than a known
 * number of nodes in a turn, so `limit` leaves room for what all groups may have under way, and an insertion never
 * fails. When the heap is fuller, or a group has made its turns, LEAVE is set, and each group leaves after its turn
 * with empty hands: all tasks are in the heap, the host may look, collect, grow, and launch again.
 *
 * Nobody waits for a group that has not started: it owns no node and no task.
 */
#ifndef RD_SCHED_HEAP_SCHED_K_H
#define RD_SCHED_HEAP_SCHED_K_H

#ifndef RD_RANKED
#define HEAP_ITEM 64
#endif
#include "heap/heap_put.k.h"
#include "sched/heap_sched_layout.k.h"

/* clang-format off */
#define RANK_ARGS(arg) HEAP_ARGS(arg)                                              \
    arg(rd_global heap_item *, inbox) /* k items a group */                        \
    arg(rd_global rd_u64 *, words)                                                 \
    arg(rd_u32, fetch) /* tasks taken at once, at most k */                        \
    arg(rd_u32, limit) /* nodes in the heap beyond which nothing is taken */       \
    arg(rd_u32, turns) /* that a group makes before the host looks */              \
    arg(rd_u32, near_by) /* vertices: ranks so close to the least are not queued */
/* clang-format on */
rd_context(rank_args, RANK_ARGS);

#define RANK_LEAVES 0
#define RANK_IDLE   1
#define RANK_RUNS   2
#define BOARD_ACT   6

typedef struct {
    heap_group h;
    rd_global heap_item *inbox; /* this group's */
    rd_global rd_u64 *words;
    rd_local rd_u32 *scratch;
    heap_item *slots; /* what this lane gives; its own, since wide groups have no room for all of it */
    rd_u32 limit, turns;
    /* equal in all lanes */
    rd_u32 filled; /* items in the heap's list x, to be inserted */
    rd_u32 turn, leaving;
    /* lane 0's */
    rd_u32 polls;
    rd_u64 peak;
} rank_group;

/* A group with empty hands. buf, board and scratch are group memory, slots is the lane's own. */
rd_fn void rank_open(rank_group *g, const rank_args *a, rd_local heap_item *buf, rd_local rd_u64 *board,
                     rd_local rd_u32 *scratch, heap_item *slots)
{
    heap_open(&g->h, a->heap_items, a->heap_states, a->heap_control, a->heap_node, a->heap_nodes, buf, board);
    g->inbox = a->inbox + (rd_u64)rd_group() * heap_k(&g->h);
    g->words = a->words;
    g->scratch = scratch;
    g->slots = slots;
    g->limit = a->limit;
    g->turns = a->turns;
    g->filled = g->turn = g->leaving = g->polls = 0;
    g->peak = 0;
}

/* What is to be done? own: tasks in this group's hands, beyond those of the heap. @return RANK_..., in all lanes. */
rd_fn rd_u32 rank_look(rank_group *g, rd_u32 own, rd_u32 stopped)
{
    if (rd_lane() == 0) {
        const rd_u64 head = rd_ld64_rlx(&g->h.control[HEAP_HEAD]);   /* a hint; partner: heap_release_head */
        const rd_u64 pending = rd_ld64_rlx(&g->words[RANK_PENDING]); /* partner: the additions below */
        const rd_u32 full = HEAP_SIZE_OF(head) > g->limit, over = g->turn >= g->turns;
        rd_u64 leave = rd_ld64_rlx(&g->words[RANK_LEAVE]); /* partner: the store below in other groups */
        if (!leave && (full || over))
            rd_st64_rlx(&g->words[RANK_LEAVE], leave = full ? RANK_LEAVE_FULL : RANK_LEAVE_TURNS);
        const rd_u64 items = (rd_u64)HEAP_SIZE_OF(head) * heap_k(&g->h) + HEAP_PARTIAL_OF(head);
        const rd_u32 leaves = leave || stopped || pending == 0;
        g->peak = items > g->peak ? items : g->peak;
        g->polls += !leaves && !own && items == 0;
        g->h.board[BOARD_ACT] = (rd_u64)leaves << 32 | (own || (items && !leaves) ? RANK_RUNS
                                                        : leaves                  ? RANK_LEAVES
                                                                                  : RANK_IDLE);
    }
    rd_barrier(); /* the board is complete */
    const rd_u64 act = g->h.board[BOARD_ACT];
    g->leaving = (rd_u32)(act >> 32);
    rd_barrier(); /* the board is read */
    return (rd_u32)act;
}

/* Each lane brings `count` items in its slots. They are inserted when there are enough for a node, and all
 * when `last` says so. Ends with a barrier. */
rd_fn void rank_share(rank_group *g, rd_u32 count, rd_u32 last)
{
    const rd_u32 k = heap_k(&g->h);
    rd_u32 all = 0, moved = 0;
    const rd_u32 before = rd_group_scan(g->scratch, count, &all);
    rd_u32 more = all > 0 || (last && g->filled);
    while (more) {
        const rd_u32 room = k - g->filled, part = all - moved < room ? all - moved : room;
        for (rd_u32 i = 0; i < count; i++)
            if (before + i >= moved && before + i < moved + part)
                g->h.buf[g->h.x + g->filled + before + i - moved] = g->slots[i];
        g->filled += part;
        moved += part;
        for (rd_u32 once = g->filled == k || (last && moved == all && g->filled); once; once = 0) {
            if (rd_lane() == 0)
                rd_add64_rlx(&g->words[RANK_PENDING], g->filled); /* partner: rank_done; before the insertion */
            heap_insert(&g->h, g->filled);
            g->filled = 0;
        }
        more = moved < all;
    }
    rd_barrier(); /* slots may be used again */
}

/* n tasks of this group are done, and what they gave is inserted; `kept` new ones are in its hands. */
rd_fn void rank_done(const rank_group *g, rd_u32 n, rd_u32 kept)
{
    if (rd_lane() == 0 && n != kept) /* partner: the addition in rank_share, and the look of others */
        rd_add64_rlx(&g->words[RANK_PENDING], (rd_u64)kept - n);
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
    heap_close(&g->h);
    if (rd_lane() == 0) {
        rd_max64_rlx(&g->words[RANK_STATS + RANK_PEAK], g->peak); /* read by the host */
        rd_add64_rlx(&g->words[RANK_STATS + RANK_POLLS], g->polls);
    }
}

#ifdef RD_RANKED
#include "sched/heap_ranked.k.h"
#else
#include "sched/heap_vertices.k.h"
#endif

/* Copies the tasks that are still worth running out of the heap. */
/* clang-format off */
#define COLLECT_ARGS(arg)                          \
    arg(rd_global const heap_item *, heap_items)   \
    arg(rd_global const rd_u32 *, heap_states)     \
    arg(rd_global const rd_u64 *, heap_control)    \
    arg(rd_u32, heap_node)                         \
    arg(rd_u32, heap_nodes)                        \
    arg(rd_global heap_item *, out)                \
    arg(rd_global rd_u64 *, words)                 \
    RD_APP_ARGS(arg)
/* clang-format on */

rd_kernel(heap_collect, COLLECT_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u64, place, 1);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rd_u32 partial = HEAP_PARTIAL_OF(heap_control[HEAP_HEAD]); /* nobody changes it now */
    for (rd_u32 node = rd_group(); node < heap_nodes; node += rd_groups()) {
        const rd_u32 count = node == 0 ? partial : heap_states[node] == HEAP_FULL ? heap_node : 0;
        for (rd_u32 base = 0; base < count; base += rd_lanes()) {
            const rd_u32 i = base + rd_lane();
            rd_u32 all = 0, stays = 0;
            heap_item item = HEAP_PAD;
            if (i < count) {
                item = heap_items[(rd_u64)node * heap_node + i];
                stays = rank_worth(&app, item);
            }
            const rd_u32 before = rd_group_scan(scratch, stays, &all);
            if (rd_lane() == 0)
                place[0] = rd_add64_rlx(&words[RANK_KEPT], all); /* partner: the same in other groups */
            rd_barrier();                                        /* the place is known */
            if (stays)
                out[place[0] + before] = item;
            rd_barrier(); /* the place is read */
        }
    }
}

#define RANK_KERNELS(k) k(heap_work, HEAP_WORK_ARGS) k(heap_collect, COLLECT_ARGS) k(heap_put, HEAP_PUT_ARGS)
rd_kernels(RANK_KERNELS);

#endif
