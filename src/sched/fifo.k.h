/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fifo.k.h - scheduler `fifo`, kernel side: one shared retry-free queue (queue.k.h), no rounds. A worker is a group. It
 * runs the tasks it has kept, then those of the tickets it holds, and shares what it finds. After Y. Chen and others,
 * "Atos: a task-parallel GPU dynamic scheduling framework", 2022, with exact termination and nothing to overflow.
 *
 * Keeping work close. When no task waits in the queue, a group keeps up to `keep` of the tasks it found and runs them
 * next, without a trip through memory; only the surplus is given. When tasks do wait, all are given, so that the order
 * stays close to first come, first served and little is run twice. In that case a group takes its share of those that
 * wait; else one ticket, so that it does not hold tickets while it is busy.
 *
 * Capacity. queued[v] is 1 from before v is given until after it was taken out of the ring; a task that is given while
 * it waits is the one that waits already. So the tasks under way in the ring are different vertices, no more than its
 * slots. A giver whose slot is not free therefore waits for a ticket that some group holds (queue.k.h), and groups that
 * wait go on polling theirs (fifo_settle), so it becomes free. Nothing can overflow.
 *   Not lost: who finds queued[v] set has changed v's data before, with release; who takes v clears queued[v] with
 * acquire before it looks at v's data. So the task that waits will see the change.
 *
 * Termination (launch persistent). PENDING counts units. Each task in the ring owns one; so does each group that has
 * tasks, which keeps at least one of those that came with tasks it took, as `credit`. A group that gives raises PENDING
 * before it publishes, by what its credit does not cover, and always by a group that has a unit itself; it hands back
 * its credit when its last task is complete. A unit is subtracted only after it was added, in the order of changes of
 * that word (publishing is a release, taking an acquire). So when PENDING is 0, no group has work, no task is in the
 * ring, and none can appear. Idle groups look at it with plain loads.
 *
 * Launch discrete. A launch runs what the one before gave: tickets count from START, what is given counts in the next
 * slot's REAR, and group 0 prepares START of the next slot and clears the one after, as in bsp.k.h. Nothing is kept.
 *
 * Nobody waits for a group that has not started: it holds no ticket and no unit. So any number of groups may be
 * launched; on devices that run groups to their end one after another too.
 */
#ifndef RD_SCHED_FIFO_K_H
#define RD_SCHED_FIFO_K_H

#include "sched/spread.k.h"
#include "sched/queue.k.h"
#include "sched/fifo_layout.k.h"

#if RD_LANES == 1
#define FIFO_FETCH 64 /* most tickets a lane holds */
#define FIFO_KEEP  64
#else
#define FIFO_FETCH 1
#define FIFO_KEEP  RD_LANES
#endif
#define FIFO_STOP_EVERY 64 /* turns between two looks at the host's request to stop */

/* clang-format off */
#define FIFO_ARGS(arg)                                                         \
    arg(rd_global const rd_u64 *, row)                                         \
    arg(rd_global const rd_u32 *, col)                                         \
    arg(rd_global rd_u64 *, ring)                                              \
    arg(rd_global rd_u32 *, queued)                                            \
    arg(rd_global rd_u32 *, control)                                           \
    arg(rd_u32, shift) /* the ring has 2^shift slots */                        \
    arg(rd_u32, round) /* discrete: the number of the launch; persistent: 0 */ \
    arg(rd_u32, persistent)                                                    \
    arg(rd_u32, keep)                                                          \
    arg(rd_u32, fetch) /* most tickets at once, below 1024 */
/* clang-format on */
rd_context(fifo_ctx, FIFO_ARGS);

/* Words of the board: what lane 0 tells the others. */
#define BOARD_WAITING 0 /* tasks that wait in the queue, or fewer than 0: tickets that wait for tasks */
#define BOARD_LEAVE   1
#define BOARD_TICKET  2
#define BOARD_GOT     3
#define BOARD_WORDS   4

typedef struct {
    spread s;
    queue_end q;
    rd_local rd_u32 *kept;
    rd_local rd_u32 *inbox; /* FIFO_FETCH words a lane */
    rd_local rd_u32 *board;
    rd_u32 take_base, give_base; /* tickets from which front and rear count */
    rd_u32 limit;                /* discrete: tasks of this launch */
    /* equal in all lanes */
    rd_u32 kept_at, kept_end, credit, waiting;
    /* of this lane: tickets not yet served, tasks in its inbox */
    rd_u32 ticket, todo, in_at, in_end, tasks;
    rd_u32 put_ticket, put_from, put, put_end; /* the exchange: its tokens */
} fifo_group;

/* ---- Taking ---- */

/* Moves what has arrived for this lane into its inbox. */
rd_fn void fifo_drain(const fifo_ctx *c, fifo_group *g)
{
    rd_u32 there = 1, v = 0;
    while (g->todo && there) {
        there = queue_poll(&g->q, g->ticket, &v);
        if (there) {
            rd_xchg_acqrel(&c->queued[v], 0); /* pairs with the exchange in fifo_begin; before v's data is looked at */
            g->inbox[rd_lane() * FIFO_FETCH + g->in_end++] = v;
            g->ticket++;
            g->todo--;
        }
    }
}

/* Lane 0 reserves for the group; lanes take FIFO_FETCH tickets each. @return how many there are, in all lanes. */
rd_fn rd_u32 fifo_reserve(const fifo_ctx *c, fifo_group *g)
{
    const rd_u32 mine = rd_lane() * FIFO_FETCH;
    if (rd_lane() == 0) {
        const rd_i32 share = (rd_i32)g->board[BOARD_WAITING] / (rd_i32)rd_groups();
        rd_u32 n = share < 1 ? 1 : (rd_u32)share < c->fetch ? (rd_u32)share : c->fetch, got = 0;
        const rd_u32 ticket = queue_reserve_take(&g->q, n, &got);
        if (!c->persistent) /* tickets from limit on belong to no task */
            got = ticket >= g->limit ? 0 : g->limit - ticket < n ? g->limit - ticket : n;
        g->board[BOARD_TICKET] = g->take_base + ticket;
        g->board[BOARD_GOT] = got;
    }
    rd_barrier(); /* the board is complete */
    const rd_u32 got = g->board[BOARD_GOT];
    g->ticket = g->board[BOARD_TICKET] + mine;
    g->todo = mine >= got ? 0 : got - mine < FIFO_FETCH ? got - mine : FIFO_FETCH;
    g->in_at = g->in_end = 0;
    return got;
}

/* The next task of each lane, kept ones first. @return the number of their edges. */
rd_fn rd_u32 fifo_members(const fifo_ctx *c, const rd_app *app, fifo_group *g, rd_u32 stopped)
{
    const rd_u32 left = g->kept_end - g->kept_at;
    /* Lane 0 asks for news now and reads them after the members' loads, which take as long. */
    const rd_u32 asks = rd_lane() == 0 && left <= rd_lanes() && (RD_LANES > 1 || g->in_end - g->in_at <= 1);
    rd_u32 rear = 0, front = 0, pending = 1, has = 0, v = 0;
    if (asks) {
        rear = c->persistent ? rd_ld_rlx(g->q.rear) : g->limit; /* partners: the adds of queue_reserve_... */
        front = rd_ld_rlx(g->q.front);
        pending = c->persistent && g->credit == 0 ? rd_ld_rlx(&c->control[FIFO_PENDING]) : 1;
    }
    fifo_drain(c, g);
    if (rd_lane() < left) {
        has = 1;
        v = g->kept[g->kept_at + rd_lane()];
    } else if (g->in_at < g->in_end) {
        has = 1;
        v = g->inbox[rd_lane() * FIFO_FETCH + g->in_at++];
    }
    const rd_u32 total = spread_members(&g->s, app, c->row, has, v);
    g->tasks += has;
    g->kept_at += left < rd_lanes() ? left : rd_lanes();
    if (asks) {
        g->board[BOARD_WAITING] = rear - front;
        g->board[BOARD_LEAVE] = stopped || pending == 0;
    }
    rd_barrier(); /* members and board are complete */
    return total;
}

/* ---- Giving ---- */

/* Begins an exchange: keeps some of what was found, and reserves tickets to give the rest. done: all edges of the
 * members are visited and nothing is kept. The lane's own tokens are a column of the stash, packed here. */
rd_fn void fifo_begin(const fifo_ctx *c, fifo_group *g, rd_u32 done)
{
    const rd_u32 may_keep = done && (rd_i32)g->board[BOARD_WAITING] <= 0 ? c->keep : 0;
    const rd_u32 from = g->s.stashed < may_keep ? g->s.stashed : may_keep;
    rd_u32 count = 0, all = 0;
    for (rd_u32 i = rd_lane(); i < from; i += rd_lanes())
        g->kept[i] = g->s.stash[i];
    for (rd_u32 i = from + rd_lane(); i < g->s.stashed; i += rd_lanes()) {
        const rd_u32 v = g->s.stash[i];
        if (!rd_xchg_acqrel(&c->queued[v], 1)) { /* pairs with the exchange in fifo_drain, and itself */
            g->s.stash[from + rd_lane() + count * rd_lanes()] = v;
            count++;
        }
    }
    const rd_u32 before = rd_group_scan(g->s.scratch, count, &all);
    const rd_u32 need = all ? all + 1 : 0; /* one unit stays here */
    if (rd_lane() == 0 && all) {
        if (c->persistent && g->credit < need)
            rd_add_rlx(&c->control[FIFO_PENDING], need - g->credit); /* partner: the subtraction in fifo_settle */
        g->board[BOARD_TICKET] = g->give_base + queue_reserve_give(&g->q, all);
    }
    rd_barrier(); /* the board is complete; PENDING is raised before anyone publishes */
    g->credit = (g->credit < need ? need : g->credit) - all;
    g->put_ticket = all ? g->board[BOARD_TICKET] + before : 0;
    g->put_from = from;
    g->put = 0;
    g->put_end = count;
    if (done) {
        g->kept_at = 0;
        g->kept_end = from;
    }
}

/* Puts what can be put. When all is, ends the exchange and sees to new tickets.
 * @return what to do next: FIFO_GO_ON, FIFO_PUT_AGAIN or FIFO_LEAVE. */
#define FIFO_GO_ON     0
#define FIFO_PUT_AGAIN 1
#define FIFO_LEAVE     2
rd_fn rd_u32 fifo_settle(const fifo_ctx *c, fifo_group *g, rd_u32 done, rd_u32 stopped)
{
    rd_u32 free = 1, next = FIFO_GO_ON;
    while (g->put < g->put_end && free) {
        free = queue_put(&g->q, g->put_ticket + g->put, g->s.stash[g->put_from + rd_lane() + g->put * rd_lanes()]);
        g->put += free;
    }
    fifo_drain(c, g);
    /* Fields: tickets not served, inboxes with tasks, lanes that still have to put; lane 0's word that it is over. */
    const rd_u32 sum =
        rd_group_sum(g->s.scratch, g->todo | (rd_u32)(g->in_at < g->in_end) << 10 |
                                       (rd_u32)(g->put < g->put_end) << 20 | (rd_u32)(stopped && rd_lane() == 0) << 31);
    g->credit += g->waiting - (sum & 1023); /* a unit came with each task */
    g->waiting = sum & 1023;
    if (sum >> 20)
        next = sum >> 31 ? FIFO_LEAVE : FIFO_PUT_AGAIN;
    else
        g->s.stashed = 0;
    /* Is no task here? */
    const rd_u32 idle = next == FIFO_GO_ON && done && g->kept_end == 0 && (sum >> 10 & 1023) == 0;
    if (idle && g->credit) {
        if (rd_lane() == 0 && c->persistent)
            rd_add_rlx(&c->control[FIFO_PENDING], 0u - g->credit); /* partner: the addition in fifo_begin */
        g->credit = 0;
    }
    for (rd_u32 once = idle && g->waiting == 0; once; once = 0) {
        g->waiting = fifo_reserve(c, g);
        next = g->waiting ? FIFO_GO_ON : FIFO_LEAVE;
    }
    if (idle)
        rd_pause();
    return next;
}

#define FIFO_RUN_ARGS(arg) FIFO_ARGS(arg) RD_APP_ARGS(arg)

rd_kernel(fifo_run, FIFO_RUN_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, first, RD_LANES);
    rd_local_array(rd_u32, vertex, RD_LANES);
    rd_local_array(rd_u32, value, RD_LANES);
    rd_local_array(rd_u64, from, RD_LANES);
    rd_local_array(rd_u32, stash, SPREAD_STASH);
    rd_local_array(rd_u32, kept, FIFO_KEEP);
    rd_local_array(rd_u32, inbox, RD_LANES * FIFO_FETCH);
    rd_local_array(rd_u32, board, BOARD_WORDS);
    const fifo_ctx c = rd_bind(FIFO_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    rd_global rd_u32 *now = control + round % FIFO_SLOTS * FIFO_SLOT_WORDS;
    rd_global rd_u32 *next = control + (round + 1) % FIFO_SLOTS * FIFO_SLOT_WORDS;
    const spread s = {scratch, first, vertex, value, from, stash, 0, 0, 0};
    const queue_end q = {ring, now + FIFO_FRONT, (persistent ? now : next) + FIFO_REAR, shift, 0, 0, 0};
    fifo_group g;
    g.s = s;
    g.q = q;
    g.kept = kept;
    g.inbox = inbox;
    g.board = board;
    g.limit = persistent ? 0 : now[FIFO_REAR]; /* written by the launch before */
    g.take_base = now[FIFO_START];
    g.give_base = g.take_base + g.limit;
    g.kept_at = g.kept_end = g.credit = g.waiting = 0;
    g.ticket = g.todo = g.in_at = g.in_end = g.tasks = 0;
    g.put_ticket = g.put_from = g.put = g.put_end = 0;
    if (rd_lane() == 0) {
        board[BOARD_WAITING] = 0;
        board[BOARD_LEAVE] = 0;
    }
    vertex[rd_lane()] = 0; /* no member yet */
    value[rd_lane()] = 0;
    from[rd_lane()] = 0;
    if (rd_group() == 0 && rd_lane() == 0 && !persistent) {
        rd_global rd_u32 *clear = control + (round + 2) % FIFO_SLOTS * FIFO_SLOT_WORDS;
        next[FIFO_START] = g.give_base;
        clear[FIFO_REAR] = 0;
        clear[FIFO_FRONT] = 0;
    }

    /* One tile of edges a turn. The loops that run at most once are `if`s: see the rule on loops in kernel.h. */
    rd_u32 tile = 0, tiles = 0, total = 0, done = 0, turn = 0;
    rd_u32 act = !persistent && g.limit == 0 ? FIFO_LEAVE : FIFO_GO_ON;
    while (act != FIFO_LEAVE) {
        const rd_u32 stopped = turn++ % FIFO_STOP_EVERY == 0 ? rd_stopped() : 0;
        for (rd_u32 once = act == FIFO_GO_ON && tile == tiles; once; once = 0) {
            total = fifo_members(&c, &app, &g, stopped);
            tiles = total ? (total - 1) / (SPREAD_BATCH * rd_lanes()) + 1 : 0;
            tile = 0;
        }
        for (rd_u32 once = act == FIFO_GO_ON && tile < tiles; once; once = 0) {
            spread_tile(&g.s, &app, col, tile * SPREAD_BATCH * rd_lanes(), total);
            tile++;
        }
        rd_u32 all_kept = 0, share = 0;
        if (act == FIFO_GO_ON) {
            const rd_u32 more = g.kept_at < g.kept_end || (RD_LANES == 1 && g.in_at < g.in_end);
            done = tile == tiles && !more;
            /* The short way: all that was found is kept. */
            all_kept = done && g.s.stashed && g.s.stashed <= keep && (rd_i32)board[BOARD_WAITING] <= 0;
            share = !all_kept && (done || g.s.stashed > SPREAD_STASH - SPREAD_ROOM);
            act = board[BOARD_LEAVE] ? FIFO_LEAVE : share ? FIFO_PUT_AGAIN : FIFO_GO_ON;
        }
        const rd_u32 keeping = all_kept ? g.s.stashed : 0;
        for (rd_u32 i = rd_lane(); i < keeping; i += rd_lanes())
            kept[i] = stash[i];
        rd_barrier(); /* what is kept is complete */
        g.kept_at = all_kept ? 0 : g.kept_at;
        g.kept_end = all_kept ? keeping : g.kept_end;
        g.s.stashed = all_kept ? 0 : g.s.stashed;
        for (rd_u32 once = share; once; once = 0)
            fifo_begin(&c, &g, done);
        for (rd_u32 once = act == FIFO_PUT_AGAIN; once; once = 0)
            act = fifo_settle(&c, &g, done, stopped);
    }

    rd_global rd_u64 *stats = (rd_global rd_u64 *)(control + FIFO_STATS);
    for (rd_u32 i = 0; i < FIFO_EDGES; i++) {
        const rd_u32 mine = i == FIFO_TASKS          ? g.tasks
                            : i == FIFO_FRESH        ? g.s.fresh
                            : i == FIFO_RESERVATIONS ? g.q.reservations
                                                     : g.q.empty_polls;
        const rd_u32 all = rd_group_sum(scratch, mine);
        if (rd_lane() == 0 && all)
            rd_add64_rlx(&stats[i], all); /* partner: the same add in other groups; read by the host */
    }
    if (rd_lane() == 0 && g.s.edges)
        rd_add64_rlx(&stats[FIFO_EDGES], g.s.edges);
}

#define FIFO_KERNELS(k) k(fifo_run, FIFO_RUN_ARGS)
rd_kernels(FIFO_KERNELS);

#endif
