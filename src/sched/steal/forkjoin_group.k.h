/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin_group.k.h - scheduler steal for apps of tasks: what a group is, and how its lanes give and take tasks in a
 * turn. See steal.k.h. */
#ifndef RD_SCHED_STEAL_GROUP_K_H
#define RD_SCHED_STEAL_GROUP_K_H

#include "sched/forkjoin/lanes.k.h"
#include "sched/parts/deque.k.h"

#define STEAL_FEW_STEPS 7 /* tasks a lane between turns while some lanes have none; odd, as many patterns are even */
#if RD_LANES == 1
#define STEAL_LOW         2 /* tasks that an owner likes to have in its deque: with more, small ones come and go */
#define STEAL_LEAST_STEPS 1
#else
#define STEAL_LOW         (RD_LANES < 64 ? RD_LANES : RD_LANES < 256 ? 64 : RD_LANES / 4)
#define STEAL_LEAST_STEPS STEAL_FEW_STEPS
#endif
/* Most tasks that a lane gives in one turn, when lanes that can give are few. A scan counts them in 11 bits. */
#define STEAL_MANY   (RD_LANES == 1 ? 1 : RD_LANES < 32 ? 60 : 2047 / RD_LANES)
#define STEAL_PROBES 32
#define STEAL_GIFTS  (RD_LANES < 256 ? RD_LANES : 256) /* most tasks from lane to lane in one turn */

/* Words of the board: what one lane tells the others. */
#define BOARD_SEED   0
#define BOARD_SEEDED 1 /* lanes that get one */
#define BOARD_POP    2
#define BOARD_TAIL   3
#define BOARD_PUSH   4 /* tasks from stacks to the deque */
#define BOARD_DEAL   5 /* seeds of the block to the deque */
#define BOARD_BLOCK  6
#define BOARD_ACTIVE 7
#define BOARD_LEAVE  8
#define BOARD_STOLEN 9
#define BOARD_FROM   10
#define BOARD_VICTIM 11
#define BOARD_WON    12
#define BOARD_LOW    13 /* the deque has little to steal */
#define BOARD_WORDS  16

/* A group. All fields are equal in all lanes, but those of the deque that say otherwise. */
typedef struct {
    deque own;
    rd_local rd_u32 *scratch;
    rd_local rd_u32 *board;
    rd_local rd_u32 *gift; /* STEAL_GIFTS entries */
    rd_u32 id, tail;
    rd_u32 active, idle_turns, turn;
    rd_u32 random, near;        /* of this lane: for victims */
    rd_u32 block, block_end;    /* seeds of its own */
    rd_u32 lacking;             /* idle lanes, and */
    rd_u32 sparing;             /* tasks that can be given; */
    rd_u32 crowded;             /* lanes that have no room */
    rd_u32 swaps;               /* the first of these go to the first of those */
    rd_u32 idle_rank, rank;     /* this lane among them; its first task among them */
    rd_u32 count[STEAL_COUNTS]; /* statistics, lane by lane */
} steal_group;

rd_fn deque steal_deque(const steal_ctx *c, rd_u32 group)
{
    deque d;
    d.word = c->st_line + (rd_u64)group * DEQUE_LINE;
    d.item = c->st_item + ((rd_u64)group * TASK_ENTRY << c->st_deque_shift);
    d.shift = c->st_deque_shift;
    d.kind = c->st_choices & STEAL_BLOCKING ? DEQUE_BLOCKING : DEQUE_LOCK_FREE;
    return d;
}

rd_fn void steal_activate(const steal_ctx *c, const steal_group *g)
{
    if (!g->active)
        rd_add_rlx(&c->st_control[STEAL_PENDING], 1); /* partner: the subtractions in steal_plan and steal_settle */
}

/* ---- Giving ---- */

/* Takes the oldest task off this lane's stack: for the lane that is number `rank` of those without, or for the deque.
 */
rd_fn void steal_give(steal_group *g, rd_worker *w, rd_u32 rank)
{
    const rd_u32 to_lane = rank < g->swaps, at = g->tail + rank - g->swaps, parent = frame_handle(w);
    for (rd_u32 k = 0; k < TASK_ENTRY; k++) {
        const rd_u32 x = k < RD_TASK_WORDS ? *task_word(w, w->bottom, k) : parent;
        if (to_lane)
            g->gift[rank * TASK_ENTRY + k] = x;
        else
            deque_set(&g->own, at, k, x);
    }
    w->bottom++;
}

/* Puts a seed of the block into the deque. */
rd_fn void steal_deal(const rd_app *app, const steal_group *g, rd_u32 seed, rd_u32 at)
{
    rd_task t;
    rd_app_seed(app, seed, &t);
    for (rd_u32 k = 0; k < RD_TASK_WORDS; k++)
        deque_set(&g->own, at, k, t.word[k]);
#if RD_TASK_JOIN != RD_JOIN_NONE
    deque_set(&g->own, at, RD_TASK_WORDS, TASK_ROOT);
#endif
}

/* ---- Taking ---- */

/* This lane has no task: it gets its entry from the gifts, from the own deque or as a seed. */
rd_fn void steal_receive(const rd_app *app, steal_group *g, rd_worker *w)
{
    const rd_u32 swaps = g->swaps, there = swaps + g->board[BOARD_POP], n = g->idle_rank;
    rd_task t;
    rd_u32 parent = TASK_ROOT;
    if (n < there) {
        for (rd_u32 k = 0; k < TASK_ENTRY; k++) {
            const rd_u32 x =
                n < swaps ? g->gift[n * TASK_ENTRY + k] : deque_get(&g->own, g->board[BOARD_TAIL] + n - swaps, k);
            if (k < RD_TASK_WORDS)
                t.word[k % RD_TASK_WORDS] = x;
            else
                parent = x;
        }
        task_put(w, parent, &t);
    } else if (n - there < g->board[BOARD_SEEDED]) {
        rd_app_seed(app, g->board[BOARD_SEED] + n - there, &t);
        task_put(w, parent, &t);
    }
}

/* Looks at one victim. @return how good it is, 0: nothing there. */
rd_fn rd_u32 steal_look(const steal_ctx *c, steal_group *g, rd_u32 *victim)
{
    g->random = g->random * 1664525u + 1013904223u;
    const rd_u32 others = rd_groups() - 1, probes = rd_lanes() < STEAL_PROBES ? rd_lanes() : STEAL_PROBES;
    rd_u32 step;
    if (c->st_choices & STEAL_NEAREST) {
        step = 1 + (g->near + rd_lane()) % others;
        g->near = (g->near + probes) % others;
    } else {
        step = 1 + (rd_u32)((rd_u64)g->random * others >> 32);
    }
    *victim = g->id + step < rd_groups() ? g->id + step : g->id + step - rd_groups();
    const deque d = steal_deque(c, *victim);
    const rd_u32 size = deque_look(&d);
    if (size == 0)
        return 0;
    if (c->st_choices & STEAL_NEAREST)
        return (STEAL_PROBES - rd_lane()) << 10 | rd_lane(); /* the first that has something */
    return (size < 1023 ? size : 1023) << 10 | rd_lane();
}

/* The lane with the best victim opens a theft. */
rd_fn rd_u64 steal_open(const steal_ctx *c, steal_group *g, rd_u32 victim, rd_u32 hungry)
{
    const deque d = steal_deque(c, victim);
    rd_u64 head = 0;
    const rd_u32 n = deque_open(&d, hungry, &head);
    if (n)
        steal_activate(c, g); /* before the theft, not after */
    g->board[BOARD_STOLEN] = n;
    g->board[BOARD_FROM] = (rd_u32)head;
    g->board[BOARD_VICTIM] = victim;
    return head;
}

/* Copies item i of the theft to this lane's stack, which is empty. It is the lane's once the theft succeeds. */
rd_fn rd_u32 steal_copy(const steal_ctx *c, const steal_group *g, rd_worker *w, rd_u32 i)
{
    const deque d = steal_deque(c, g->board[BOARD_VICTIM]);
    rd_u32 parent = TASK_ROOT;
    for (rd_u32 k = 0; k < TASK_ENTRY; k++) {
        const rd_u32 x = deque_get(&d, g->board[BOARD_FROM] + i, k);
        if (k < RD_TASK_WORDS)
            *task_word(w, w->top, k) = x;
        else
            parent = x;
    }
    return parent;
}

#endif
