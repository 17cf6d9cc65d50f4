/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fifo.k.h - scheduler `fifo`, kernel side: one shared retry-free queue (parts/ring.k.h), no rounds. A worker is a
 * group. It runs the tasks it has kept, then those of the tickets it holds, and shares what it finds. After Y. Chen and
 * others, "Atos: a task-parallel GPU dynamic scheduling framework", 2022, with exact termination and nothing to
 * overflow.
 *
 * Keeping work close. When no task waits in the queue, a group keeps up to `keep` of the tasks it found and runs them
 * next, without a trip through memory; only the surplus is given. When tasks do wait, all are given, so that the order
 * stays close to first come, first served and little is run twice. In that case a group takes its share of those that
 * wait; else one ticket, so that it does not hold tickets while it is busy.
 *
 * Two classes. An app with RD_APP_URGENT has a second ring, of tasks that come before all ordinary ones that wait. A
 * group looks there whenever it has no task, and takes tickets only when it sees tasks; it may hold tickets of both
 * rings.
 *
 * Capacity. queued[v] is v's mark (parts/mark.k.h): the tasks under way in the ring are different vertices, no more
 * than its slots. A giver whose slot is not free therefore waits for a ticket that some group holds (parts/ring.k.h),
 * and groups that wait go on polling theirs (fifo_settle), so it becomes free. Nothing can overflow. With two classes,
 * queued[v] has a bit for each ring and one for news, which giving sets and taking clears. A task in both rings runs
 * where it comes out first; its other token finds no news and is dropped.
 *
 * Termination (launch persistent): parts/pending.k.h. A unit for each task in the ring, and for each group that has
 * tasks. The units of tasks that a group took are its credit, of which it keeps one at least; it raises PENDING by what
 * its credit does not cover before it publishes, and hands back its credit when its last task is complete.
 *
 * Launch discrete. A launch runs what the one before gave: tickets count from START, what is given counts in the next
 * slot's REAR, and group 0 prepares START of the next slot and clears the one after, as in bsp.k.h. Nothing is kept,
 * but for a few tasks on cores: on a chain each would be a launch.
 *
 * Nobody waits for a group that has not started: it holds no ticket and no unit. So any number of groups may be
 * launched; on devices that run groups to their end one after another too.
 */
#ifndef RD_SCHED_FIFO_K_H
#define RD_SCHED_FIFO_K_H

#include "sched/fifo/give.k.h"
#include "sched/fifo/checkpoint.k.h"
#include "sched/parts/seed.k.h"

/* What follows, and what a turn calls, runs once in many tasks: on a core fifo_burst and spread_tile run them. */
RD_COLD_BEGIN

/* Task i of the ring is seed i. Or seeds come in an order: groups take up to `share` tasks each, and run them one after
 * another, so that the first tasks of all groups shall be the first ones of the order, then their second ones, and so
 * on; except at the end, where groups take less. */

#define FIFO_SEED_ARGS(buf, arg) SEED_ARGS(buf, arg) FIFO_SEED_OWN_ARGS(buf, arg)

rd_kernel(fifo_seed, FIFO_SEED_ARGS)
{
    const rd_u32 step = rd_groups() * rd_lanes();
    const rd_u64 block = (rd_u64)takers * share;
    for (rd_u64 i = rd_group() * rd_lanes() + rd_lane(); i < seed_count; i += step) {
        const rd_u32 t = ticket + (rd_u32)i;
        const rd_u64 base = i - i % block;
        const rd_u32 at = (rd_u32)(i - base), dealt = base + 2 * block <= seed_count;
        const rd_u32 from = dealt ? (rd_u32)base + at % share * takers + at / share : (rd_u32)i;
        const rd_u32 v = seed_vertex(seed_list + seed_first, seed_count, seed_stride, from);
        ring[t & ((1u << shift) - 1)] = (rd_u64)QUEUE_FULL(t, shift) << 32 | v;
        if (!FIFO_GATED)
            queued[v] = FIFO_IN_RING(0) | (FIFO_CLASSES > 1 ? FIFO_NEWS : 0);
    }
}

/* Adds a 64-bit count of each lane to *total. */
rd_fn void fifo_count(rd_local rd_u32 *scratch, rd_global rd_u64 *total, rd_u64 mine)
{
    rd_u64 all = 0;
    for (rd_u32 shift = 0; shift < 64; shift += 16) /* pieces whose sums fit a word */
        all += (rd_u64)rd_group_sum(scratch, (rd_u32)(mine >> shift) & 0xffff) << shift;
    if (rd_lane() == 0 && all)
        rd_add64_rlx(total, all); /* partner: the same add in other groups; read by the host */
}

/* The rings as this launch uses them. @return whether there may be tasks. */
rd_fn rd_u32 fifo_open_rings(const fifo_ctx *c, fifo_group *g, rd_u32 begins)
{
    rd_global rd_u32 *now = c->control + c->round % FIFO_SLOTS * FIFO_SLOT_WORDS;
    rd_global rd_u32 *next = c->control + (c->round + 1) % FIFO_SLOTS * FIFO_SLOT_WORDS;
    rd_global rd_u32 *clear = c->control + (c->round + 2) % FIFO_SLOTS * FIFO_SLOT_WORDS;
    rd_u32 tasks_here = 0;
    FIFO_EACH_CLASS(k)
    {
        rd_global rd_u32 *here = now + k * FIFO_RING_WORDS, *there = next + k * FIFO_RING_WORDS;
        const queue_end q = {k ? c->first_ring : c->ring,
                             here + FIFO_FRONT,
                             (c->persistent ? here : there) + FIFO_REAR,
                             here + FIFO_REAR,
                             c->shift,
                             c->kind,
                             0,
                             0,
                             0};
        g->q[k] = q;
        g->limit[k] = c->persistent ? 0 : here[FIFO_REAR]; /* written by the launch before */
        g->take_base[k] = here[FIFO_START];
        g->give_base[k] = g->take_base[k] + g->limit[k];
        g->waiting[k] = g->ticket[k] = g->todo[k] = g->put_ticket[k] = 0;
        tasks_here |= c->persistent || g->limit[k];
        if (rd_lane() == 0)
            g->board[BOARD_WAITING(k)] = g->limit[k];
        if (rd_group() == 0 && rd_lane() == 0 && !c->persistent && begins) {
            there[FIFO_START] = g->give_base[k];
            clear[k * FIFO_RING_WORDS + FIFO_REAR] = 0;
            clear[k * FIFO_RING_WORDS + FIFO_FRONT] = 0;
        }
    }
    return tasks_here;
}

/* The board of hubs. @return whether there may be spans that the launch before left. */
rd_fn rd_u32 fifo_open_hubs(const fifo_ctx *c, fifo_group *g)
{
    g->hubs = hubs_open(c->hub_board, c->persistent ? &c->control[FIFO_PENDING] : 0, c->hub_span);
    g->spans = !c->persistent && g->hubs.span;
    return g->spans;
}

/* A group with empty hands. */
rd_fn void fifo_open_hands(fifo_group *g)
{
    for (rd_u32 i = 0; i < FIFO_INBOX; i++)
        g->inbox[i] = 0;
    g->way = 0;
    g->kept_at = g->kept_end = g->credit = g->gate = 0;
    g->in_at = g->in_end = g->tasks = g->shared = 0;
    g->put_from = g->put = g->put_end = g->put_ready = g->put_busy = 0;
    if (rd_lane() == 0) {
        g->board[BOARD_LEAVE] = 0;
        g->board[BOARD_GATE] = 0;
        g->board[BOARD_HUBS] = 0;
        g->s.hint[0] = 0;
    }
    g->s.vertex[rd_lane()] = 0; /* no member yet */
    g->s.value[rd_lane()] = 0;
    g->s.first[rd_lane()] = 0;
    g->s.from[rd_lane()] = 0;
}

/* After a tile: what is to be done with what was found? *all_kept: the short way, all of it is kept.
 * @return whether it is to be shared. */
rd_fn rd_u32 fifo_decide(const fifo_ctx *c, const fifo_group *g, fifo_place *at, rd_u32 *all_kept)
{
    const rd_u32 more = g->kept_at < g->kept_end || (RD_LANES == 1 && g->in_at < g->in_end);
    const rd_u32 over = g->board[BOARD_LEAVE];
    at->done = at->tile == at->tiles && !more;
    *all_kept = !RD_CORE && at->done && !over && g->s.stashed && g->s.stashed <= c->keep && !fifo_crowded(g);
    rd_u32 share = !*all_kept && (at->done || over || g->s.stashed > SPREAD_SPARE_OF(RD_CORE));
    /* With tasks in hand that it found, a group packs only after it began to share them. A core does not, for it may
     * have thousands, and somebody waits. */
    const rd_u32 goes = over == FIFO_LEAVE || (over && (RD_CORE || g->s.stashed == 0));
    share = goes ? 0 : share;
    at->act = goes ? over : share ? FIFO_PUT_AGAIN : FIFO_GO_ON;
    return share;
}

/* Is the group to leave? leave: it was before. With a checkpoint it takes along what it has, as soon as it can. */
rd_fn rd_u32 fifo_leaves(const fifo_ctx *c, const fifo_group *g, rd_u32 asked, rd_u32 leave)
{
    const rd_u32 now = FIFO_HAS_CHECKPOINT(c) ? (asked ? FIFO_PACK : leave) : asked ? FIFO_LEAVE : 0;
    if (RD_CORE && now) /* else it is told when all that is in hand was run */
        g->board[BOARD_LEAVE] = now;
    return now;
}

/* All that was found is kept; or, when not, only the barrier that ends the tile. */
rd_fn void fifo_keep(fifo_group *g, rd_u32 all_kept)
{
    const rd_u32 keeping = all_kept ? g->s.stashed : 0;
    fifo_keep_first(g->kept, g->s.stash, keeping);
    rd_barrier(); /* what is kept is complete */
    g->kept_at = all_kept ? 0 : g->kept_at;
    g->kept_end = all_kept ? keeping : g->kept_end;
    g->s.stashed = all_kept ? 0 : g->s.stashed;
}

/* Adds up what the lanes counted. */
rd_fn void fifo_account(const fifo_ctx *c, const fifo_group *g)
{
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(c->control + FIFO_STATS);
    rd_u32 reservations = 0, retries = 0, empty_polls = 0;
    FIFO_EACH_CLASS(k)
    {
        reservations += g->q[k].reservations;
        retries += g->q[k].retries;
        empty_polls += g->q[k].empty_polls;
    }
    for (rd_u32 i = 0; i < FIFO_COUNTS; i++) {
        const rd_u64 mine = i == FIFO_TASKS          ? g->tasks
                            : i == FIFO_FRESH        ? g->s.fresh
                            : i == FIFO_RESERVATIONS ? reservations
                            : i == FIFO_RETRIES      ? retries
                            : i == FIFO_EMPTY_POLLS  ? empty_polls
                            : i == FIFO_SHARED       ? g->shared
                                                     : g->s.edges;
        fifo_count(g->s.scratch, &stats[i], mine);
    }
}

#define FIFO_RUN_ARGS(buf, arg) FIFO_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

rd_kernel_apart(hot, fifo_run, FIFO_RUN_ARGS)
{
    SPREAD_MAKE(s);
    rd_local_array(rd_u32, kept, FIFO_KEEP);
    rd_local_array(rd_u32, board, BOARD_WORDS);
    const fifo_ctx c = rd_bind(FIFO_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    fifo_group g;
    rd_u32 full = 0, again = 0;
    rd_once(FIFO_HAS_CHECKPOINT(&c)) {
        full = rd_group_broadcast(s.scratch, rd_ld_rlx(&control[FIFO_FULL]), 0); /* partner: fifo_overflow */
        again = !full && resume && checkpoint[(rd_u64)rd_group() * FIFO_CHECKPOINT(rd_lanes())];
    }
    g.s = s;
    g.kept = kept;
    g.board = board;
    const rd_u32 tasks_here = fifo_open_rings(&c, &g, !again && !full) | fifo_open_hubs(&c, &g);
    fifo_open_hands(&g);
    fifo_place at = {tasks_here && !full ? FIFO_GO_ON : FIFO_LEAVE, 0, 0, 0};
    rd_once(again)
        fifo_checkpoint(&c, &g, &at, 0);

    /* One tile a turn. */
    rd_u32 turn = 0, leave = 0;
    while (at.act < FIFO_LEAVE) {
        const rd_u32 looks = turn++ % FIFO_STOP_EVERY == 0 && rd_lane() == 0; /* whether to leave is lane 0's to say */
        const rd_u32 asked = looks && rd_asked(rd_stop_word());
        spread_make_way(&g.s, &g.way);
        leave = fifo_leaves(&c, &g, asked, leave);
        rd_once(at.act == FIFO_GO_ON && at.tile == at.tiles) {
            at.tile = at.tiles = 0;
            rd_once(!g.spans) {
#if RD_CORE
                if (fifo_in_hand(&g) > 1 && !leave)
                    fifo_burst(&c, &app, &g, rd_stop_word());
#endif
                at.tiles = fifo_members(&c, &app, &g, leave);
            }
            rd_once(g.spans && at.tiles == 0)
                at.tiles = fifo_span(&c, &g);
        }
        rd_once(at.act == FIFO_GO_ON && at.tile < at.tiles) {
            spread_tile(&g.s, &app, col, at.tile);
            at.tile++;
        }
        rd_u32 all_kept = 0, share = 0;
        if (at.act == FIFO_GO_ON)
            share = fifo_decide(&c, &g, &at, &all_kept);
        fifo_keep(&g, all_kept);
        rd_once(share)
            fifo_begin(&c, &g, at.done);
        rd_once(at.act == FIFO_PUT_AGAIN)
            at.act = fifo_settle(&c, &g, at.done, leave);
    }
    rd_once(at.act == FIFO_PACK) {
        at.act = g.put_busy ? FIFO_PUT_AGAIN : FIFO_GO_ON;
        fifo_checkpoint(&c, &g, &at, 1);
    }
    fifo_account(&c, &g);
}

#define FIFO_KERNELS(k) k(fifo_run, FIFO_RUN_ARGS) k(fifo_seed, FIFO_SEED_ARGS) SEED_KERNELS(k)
rd_kernels(FIFO_KERNELS);

RD_COLD_END

#endif
