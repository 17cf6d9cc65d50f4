/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.k.h - scheduler `fifo` for apps of tasks, kernel side. Lanes run their own stacks, depth first, as under
 * `steal` (forkjoin/frames.k.h); but what is shared goes through one queue of all lanes, the retry-free ring of
 * parts/ring.k.h, by tickets. A lane without a task reserves a ticket to take and looks at its slot once a turn. A lane
 * that has tasks to spare, while tickets wait, reserves one to give. One addition reserves for all lanes of a group;
 * nothing is tried again.
 *
 * A token is a whole task. The giver of a ticket waits until its slot is free; it does so with the task in its outbox,
 * one a lane, and looks once a turn: nobody is blocked, whoever else is late. Tasks are only given while tickets wait,
 * so there are hardly ever more of them in the ring than there are lanes.
 *
 * Termination: parts/pending.k.h. A unit for each group that has tasks, for each task on its way, and for the seeds. A
 * giver adds its task's unit before it shows the task; a group that takes tasks keeps one unit if it has none, and
 * hands back the others.
 */
#ifndef RD_SCHED_FIFO_TASKS_K_H
#define RD_SCHED_FIFO_TASKS_K_H

#include "sched/forkjoin/lanes.k.h"

#define QUEUE_KIND  QUEUE_RETRY_FREE
#define QUEUE_WORDS TASK_ENTRY
#include "sched/parts/ring.k.h"

#define POOL_FEW_STEPS 7

#define BOARD_SEED   0
#define BOARD_SEEDED 1
#define BOARD_GIVE   2 /* how many, */
#define BOARD_GIVEN  3 /* from which ticket */
#define BOARD_TAKEN  4
#define BOARD_ACTIVE 5
#define BOARD_LEAVE  6
#define BOARD_HUNGRY 7 /* tickets wait for tasks */
#define BOARD_WORDS  8

/* A lane's tickets. */
typedef struct {
    rd_u32 takes, take; /* it has one to take; which */
    rd_u32 gives, give;
} pool_lane;

rd_fn queue_end pool_queue(const steal_ctx *c)
{
    const queue_end q = {(rd_global rd_u64 *)c->st_item,
                         &c->st_control[STEAL_FRONT],
                         &c->st_control[STEAL_REAR],
                         &c->st_control[STEAL_REAR],
                         c->st_deque_shift,
                         QUEUE_RETRY_FREE,
                         0,
                         0,
                         0};
    return q;
}

/* Behind the ring. */
rd_fn rd_global rd_u32 *pool_outbox(const steal_ctx *c, rd_u32 k)
{
    return c->st_item + ((rd_u64)2 * TASK_ENTRY << c->st_deque_shift) +
           ((rd_u64)rd_group() * TASK_ENTRY + k) * rd_lanes() + rd_lane();
}

/* Moves the oldest task to the outbox. */
rd_fn void pool_pack(const steal_ctx *c, rd_worker *w)
{
    const rd_u32 parent = frame_handle(w, *task_word(w, w->bottom, TASK_HEADED - 1)); /* without joins, any word */
    for (rd_u32 k = 0; k < TASK_ENTRY; k++)
        *pool_outbox(c, k) = k < RD_TASK_WORDS ? *task_word(w, w->bottom, k) : parent;
    w->bottom++;
}

/* Puts the outbox into its slot, if that is free. */
rd_fn void pool_put(const steal_ctx *c, pool_lane *lane)
{
    const queue_end q = pool_queue(c);
    if (!queue_free(&q, lane->give))
        return;
    for (rd_u32 k = 0; k < TASK_ENTRY; k++)
        queue_fill(&q, lane->give, k, *pool_outbox(c, k), 0);
    lane->gives = 0;
}

/* Takes the task of its ticket, if it is there. @return 1: it was. */
rd_fn rd_u32 pool_poll(const steal_ctx *c, pool_lane *lane, rd_worker *w)
{
    const queue_end q = pool_queue(c);
    rd_u32 parent = TASK_ROOT;
    if (!queue_there(&q, lane->take))
        return 0;
    for (rd_u32 k = 0; k < TASK_ENTRY; k++) {
        const rd_u32 x = (rd_u32)queue_word(&q, lane->take, k);
        queue_clear(&q, lane->take, k);
        if (k < RD_TASK_WORDS)
            *task_word(w, w->top, k) = x;
        else
            parent = x;
    }
    task_accept(w, parent);
    lane->takes = 0;
    return 1;
}

/* Lane 0: seeds and tickets for `asking` lanes, tickets to give for up to `sparing`. @return whether it is active. */
rd_fn rd_u32 pool_plan(const steal_ctx *c, rd_local rd_u32 *board, rd_u32 asking, rd_u32 sparing, rd_u32 active)
{
    queue_end q = pool_queue(c);
    rd_u32 from = 0, got = 0;
    const rd_u32 next = rd_ld_rlx(&c->st_control[STEAL_SEED]); /* partner: the addition in steal_take_seeds */
    const rd_u32 seeded = steal_take_seeds(c, asking, next, &active, &from);
    const rd_i32 waiting = queue_waiting(&q);
    const rd_u32 hungry = waiting < 0 ? 0u - (rd_u32)waiting : 0, give = sparing < hungry ? sparing : hungry;
    board[BOARD_SEED] = from;
    board[BOARD_SEEDED] = seeded;
    board[BOARD_GIVE] = give;
    board[BOARD_HUNGRY] = hungry;
    board[BOARD_GIVEN] = board[BOARD_TAKEN] = 0;
    if (give) {
        pending_raise(&c->st_control[STEAL_PENDING], give);
        board[BOARD_GIVEN] = queue_reserve_give(&q, give);
    }
    if (asking > seeded)
        board[BOARD_TAKEN] = queue_reserve_take(&q, asking - seeded, &got);
    return active;
}

/* What a group has in hand from one turn to the next; equal in all lanes but `stuck` and `shared`. */
typedef struct {
    rd_u32 pace;   /* tasks a lane runs before the next turn */
    rd_u32 stuck;  /* turns that this lane has had no room */
    rd_u32 hungry; /* tickets wait for tasks */
    rd_u32 active; /* it has a unit of PENDING */
    rd_u32 shared; /* tasks that this lane gave */
    rd_u32 turn, idle_turns, leave;
} pool_turn;

/* What lanes offer in a turn: bits in the scan, then places among those that do the same. */
typedef struct {
    rd_u32 asks, spares; /* this lane wants a task; has one to give */
    rd_u32 rank, spare;  /* how many do so before it */
} pool_offer;

/* Runs tasks, up to `pace` of them, and makes ready what can be given. Where there is no room it says so. */
rd_fn void pool_work(const steal_ctx *c, const rd_app *app, rd_global const rd_u32 *stop, rd_worker *w, pool_turn *t)
{
    const frame_pool pool = {c->st_control + STEAL_FRAMES, c->st_control + STEAL_LEFT, c->st_control + STEAL_LOCK,
                             c->st_frames};
    /* Not kept: there are few registers to spare. */
    const rd_u32 pace = task_pace(t->pace, rd_may_be_asked(stop));
    t->stuck = task_steps(app, w, pace, &pool, stop, rd_may_be_asked(stop)) ? t->stuck + 1 : 0;
    const rd_u32 framed = t->hungry || t->stuck ? frame_prepare(w, &pool, STEAL_PROMOTIONS) : 1;
    if (!framed || w->deepest == TASK_TOO_MANY || t->stuck > STEAL_PATIENCE) /* partner: the look in pool_meet */
        rd_or_rlx(&c->st_control[STEAL_NEED], steal_need(w, framed));
    w->deepest = w->top - w->bottom > w->deepest ? w->top - w->bottom : w->deepest;
}

/* The lanes say what they want and have, and lane 0 reserves for all of them. */
rd_fn pool_offer pool_meet(const steal_ctx *c, rd_global const rd_u32 *stop, rd_local rd_u32 *scratch,
                           rd_local rd_u32 *board, const rd_worker *w, const pool_lane *lane, pool_turn *t)
{
    pool_offer o;
    rd_u32 all = 0;
    o.asks = w->top == w->bottom && w->ready == TASK_NONE && !lane->takes;
    o.spares = task_spare(w, 1) && !lane->gives;
    const rd_u32 before = rd_group_scan(scratch, o.asks | o.spares << 16, &all);
    o.rank = before & 0xffff;
    o.spare = before >> 16;
    if (rd_lane() == 0) {
        board[BOARD_ACTIVE] = pool_plan(c, board, all & 0xffff, all >> 16, t->active);
        /* partners: the `or` in pool_work; the host's word */
        board[BOARD_LEAVE] = rd_asked(stop) | rd_ld_rlx(&c->st_control[STEAL_NEED]) |
                             (rd_u32)(c->st_turns && (t->turn >= c->st_turns || t->idle_turns >= STEAL_IDLE_TURNS));
    }
    rd_barrier(); /* the board is complete */
    t->active = board[BOARD_ACTIVE];
    t->hungry = board[BOARD_HUNGRY];
    return o;
}

/* The lane's own part: gives what it may, takes a seed or a ticket, and looks at the slots of its tickets.
 * @return 1: a task came by ticket. */
rd_fn rd_u32 pool_trade(const steal_ctx *c, const rd_app *app, rd_local const rd_u32 *board, const pool_offer *o,
                        rd_worker *w, pool_lane *lane, pool_turn *t)
{
    const rd_u32 seeded = board[BOARD_SEEDED];
    if (o->spares && o->spare < board[BOARD_GIVE]) {
        pool_pack(c, w);
        lane->gives = 1;
        lane->give = board[BOARD_GIVEN] + o->spare;
        t->shared++;
    }
    if (lane->gives)
        pool_put(c, lane);
    if (o->asks && o->rank < seeded) {
        rd_task task;
        rd_app_seed(app, board[BOARD_SEED] + o->rank, &task);
        task_put(w, TASK_ROOT, &task);
    } else if (o->asks) {
        lane->takes = 1;
        lane->take = board[BOARD_TAKEN] + o->rank - seeded;
    }
    return lane->takes ? pool_poll(c, lane, w) : 0;
}

/* Hands back units that the group needs no more, and decides whether it leaves and how long it works then. got: what
 * pool_trade said. */
rd_fn void pool_settle(const steal_ctx *c, rd_local rd_u32 *scratch, rd_local rd_u32 *board, const rd_worker *w,
                       rd_u32 got, pool_turn *t)
{
    const rd_u32 sum = rd_group_sum(scratch, got | (rd_u32)(w->top != w->bottom || w->ready != TASK_NONE) << 16);
    const rd_u32 came = sum & 0xffff, have = sum >> 16, idle = have == 0; /* tasks, lanes */
    const rd_u32 back = came - (came && !t->active) + (idle && t->active);
    t->active = idle ? 0 : t->active || came;
    if (rd_lane() == 0) {
        if (back)
            pending_lower(&c->st_control[STEAL_PENDING], back);
        if (idle && pending_none(&c->st_control[STEAL_PENDING]))
            board[BOARD_LEAVE] = 1;
    }
    rd_barrier(); /* whether to leave */
    t->leave = board[BOARD_LEAVE];
    t->turn++;
    t->idle_turns = idle ? t->idle_turns + 1 : 0;
    if (idle && !t->leave)
        rd_idle(t->idle_turns, RD_IDLE_SHORT);
    t->pace = 2 * have < rd_lanes() ? 1 : t->hungry ? POOL_FEW_STEPS : c->st_steps;
}

/* Writes down what the next launch goes on with, and what was counted. */
rd_fn void pool_close(const steal_ctx *c, rd_local rd_u32 *scratch, const rd_worker *w, const pool_lane *lane,
                      const pool_turn *t)
{
    steal_sleep(c, w);
    *steal_lane_word(c, STEAL_LANE_TAKES) = lane->takes;
    *steal_lane_word(c, STEAL_LANE_TAKE) = lane->take;
    *steal_lane_word(c, STEAL_LANE_GIVES) = lane->gives;
    *steal_lane_word(c, STEAL_LANE_GIVE) = lane->give;
    /* Tasks in the ring and in outboxes are those of tickets to give, but for what came to a ticket to take. */
    rd_once(c->st_choices & STEAL_TRACED)
        steal_tell_waiting(c, scratch, w->top - w->bottom - frame_count(w) + lane->takes);
    steal_account(c, w, scratch);
    const rd_u32 shared = rd_group_sum(scratch, t->shared);
    if (rd_lane() == 0) {
        c->st_line[(rd_u64)rd_group() * DEQUE_LINE + STEAL_ACTIVE] = t->active;
        rd_add64_rlx((rd_global rd_u64 *)(c->st_control + STEAL_STATS) + STEAL_SHARED, shared); /* for the host */
    }
}

rd_fn void pool_body(const steal_ctx *c, const rd_app *app, rd_global const rd_u32 *stop, rd_local rd_u32 *scratch,
                     rd_local rd_u32 *board)
{
    rd_worker w = steal_wake(c);
    pool_lane lane = {*steal_lane_word(c, STEAL_LANE_TAKES), *steal_lane_word(c, STEAL_LANE_TAKE),
                      *steal_lane_word(c, STEAL_LANE_GIVES), *steal_lane_word(c, STEAL_LANE_GIVE)};
    pool_turn t = {POOL_FEW_STEPS, 0, 1, c->st_line[(rd_u64)rd_group() * DEQUE_LINE + STEAL_ACTIVE], 0, 0, 0, 0};
    while (!t.leave) {
        pool_work(c, app, stop, &w, &t);
        const pool_offer o = pool_meet(c, stop, scratch, board, &w, &lane, &t);
        const rd_u32 got = pool_trade(c, app, board, &o, &w, &lane, &t);
        pool_settle(c, scratch, board, &w, got, &t);
    }
    pool_close(c, scratch, &w, &lane, &t);
}

/* Only names with a prefix here: the app's arguments may be called anything else. */
rd_kernel_apart(Og, steal_run, STEAL_RUN_ARGS)
{
    rd_local_array(rd_u32, st_scratch, RD_SCRATCH);
    rd_local_array(rd_u32, st_board, BOARD_WORDS);
    const steal_ctx st_context = rd_bind(STEAL_ARGS);
    const rd_app st_app = rd_bind(RD_APP_ARGS);
    pool_body(&st_context, &st_app, rd_stop_word(), st_scratch, st_board);
}

rd_kernels(STEAL_KERNELS);

#endif
