/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin_group.k.h - scheduler steal for apps of tasks: what a group is, and how its lanes give and take tasks in a
 * turn. See steal/forkjoin.k.h. */
#ifndef RD_SCHED_STEAL_GROUP_K_H
#define RD_SCHED_STEAL_GROUP_K_H

#include "sched/forkjoin/lanes.k.h"
#include "sched/parts/thief.k.h"

#define STEAL_FEW_STEPS 3 /* tasks a lane between turns while some lanes have none; odd, as many patterns are even */
#if RD_LANES == 1
#define STEAL_LOW         2 /* tasks that an owner likes to have in its deque: with more, small ones come and go */
#define STEAL_LEAST_STEPS 1
#else
#define STEAL_LOW         (RD_LANES < 32 ? 2 * RD_LANES : RD_LANES < 256 ? 64 : RD_LANES / 4)
#define STEAL_LEAST_STEPS STEAL_FEW_STEPS
#endif
/* Most tasks that a lane gives in one turn, when lanes that can give are few. A scan counts them in 11 bits. */
#define STEAL_MANY  (RD_LANES == 1 ? 1 : RD_LANES < 32 ? 60 : 2047 / RD_LANES)
/* Most tasks from lane to lane in one turn. Large ones take more of the group's memory than half a thousand need. */
#define STEAL_GIFTS_MOST (TASK_ENTRY > 16 ? 256 : 512)
#define STEAL_GIFTS      (RD_LANES < STEAL_GIFTS_MOST ? RD_LANES : STEAL_GIFTS_MOST)
/* Wide groups are few, so those that look hardly slow down those that have work. */
#define STEAL_REST (RD_LANES < 512 ? RD_IDLE_LONG : RD_IDLE_SHORT)
/* Tasks that a lane reads before it hands on the first: as many as eight words hold. A core gives one. */
#define STEAL_AT_ONCE (RD_LANES == 1 || TASK_ENTRY > 4 ? 1 : TASK_ENTRY > 2 ? 2 : 4)

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
#define BOARD_LOW    9 /* the deque has little to steal */
#define BOARD_THIEF  10
#define BOARD_WORDS  (BOARD_THIEF + THIEF_WORDS)

/* A group. All fields are equal in all lanes, but those of the deque that say otherwise. */
typedef struct {
    deque own;
    thief thief;
    rd_local rd_u32 *scratch;
    rd_local rd_u32 *board;
    rd_local rd_u32 *gift; /* STEAL_GIFTS entries */
    rd_u32 tail;
    rd_u32 active, idle_turns, turn;
    rd_u32 starves;             /* it is one of the hungry */
    rd_u32 block, block_end;    /* seeds of its own */
    rd_u32 lacking;             /* idle lanes, and */
    rd_u32 sparing;             /* tasks that can be given; */
    rd_u32 crowded;             /* lanes that have no room */
    rd_u32 swaps;               /* the first of these go to the first of those */
    rd_u32 idle_rank, rank;     /* this lane among them; its first task among them */
    rd_u32 count[STEAL_COUNTS]; /* statistics, lane by lane */
} steal_group;

rd_fn deque_row steal_deques(const steal_ctx *c)
{
    const deque_row row = {c->st_line,
                           c->st_item,
                           c->st_deque_shift,
                           c->st_choices & STEAL_BLOCKING ? DEQUE_BLOCKING : DEQUE_LOCK_FREE,
                           TASK_ENTRY,
                           1,
                           0};
    return row;
}

rd_fn void steal_activate(const steal_ctx *c, const steal_group *g)
{
    if (!g->active)
        pending_raise(&c->st_control[STEAL_PENDING], 1);
}

/* ---- Giving ---- */

/* Hands on a task: to the lane that is number `rank` of those without, or to the deque. */
rd_fn void steal_hand(steal_group *g, rd_u32 rank, const rd_task *t, rd_u32 parent)
{
    const rd_u32 to_lane = rank < g->swaps, at = g->tail + rank - g->swaps;
    for (rd_u32 k = 0; k < TASK_ENTRY; k++) {
        const rd_u32 x = k < RD_TASK_WORDS ? t->word[k % RD_TASK_WORDS] : parent;
        if (to_lane)
            g->gift[rank * TASK_ENTRY + k] = x;
        else
            deque_set(&g->own, at, k, x);
    }
}

/* Takes the n oldest tasks off this lane's stack. A few are read before the first of them is handed on: no read passes
 * a write, and each takes a trip to the cache. What is read beyond the n is not used. */
rd_fn void steal_give(steal_group *g, rd_worker *w, rd_u32 n)
{
    for (rd_u32 i = 0; i < n; i += STEAL_AT_ONCE) {
        rd_task t[STEAL_AT_ONCE];
        rd_u32 parent[STEAL_AT_ONCE];
        RD_UNROLL
        for (rd_u32 k = 0; k < STEAL_AT_ONCE; k++)
            parent[k] = frame_handle(w, task_read(w, w->bottom + i + k, &t[k]));
        RD_UNROLL
        for (rd_u32 k = 0; k < STEAL_AT_ONCE; k++)
            if (i + k < n)
                steal_hand(g, g->rank + i + k, &t[k], parent[k]);
    }
    w->bottom += n;
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

/* Copies item i of the theft to this lane's stack, which is empty. It is the lane's once the theft succeeds. */
rd_fn rd_u32 steal_copy(const steal_ctx *c, const steal_group *g, rd_worker *w, rd_u32 i)
{
    const deque_row row = steal_deques(c);
    const deque d = thief_from(&g->thief, &row);
    rd_u32 parent = TASK_ROOT;
    for (rd_u32 k = 0; k < TASK_ENTRY; k++) {
        const rd_u32 x = deque_get(&d, g->thief.board[THIEF_FROM] + i, k);
        if (k < RD_TASK_WORDS)
            *task_word(w, w->top, k) = x;
        else
            parent = x;
    }
    return parent;
}

#endif
