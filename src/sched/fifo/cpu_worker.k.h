/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_worker.k.h - scheduler fifo on a processor, where a worker is one core: few workers, each fast, for which a trip
 * through the ring costs more than most tasks.
 *
 * A core keeps what it finds, batch by batch: all tasks in hand, then all that they gave. So its own order is first
 * come, first served, and a batch is about one level of a search. Without more, cores would drift apart: one with a
 * short frontier gets through levels faster than one with a long frontier, runs ahead, and reaches vertices of the
 * other by longer ways, which is work done twice. So each core tells the others, in a word of its own, how many tasks
 * its batch has. Who has clearly more than the mean gives the surplus; who has less takes what waits in the ring, up to
 * the mean, also while it has tasks. Equal frontiers make for equal pace.
 *
 * The words are hints: relaxed, and wrong ones cost only balance.
 */
#ifndef RD_SCHED_FIFO_CPU_WORKER_K_H
#define RD_SCHED_FIFO_CPU_WORKER_K_H

#include "sched/fifo/group.k.h"

#if RD_CORE

#define FIFO_WORTH_A_TRIP 8    /* edges of a task */
#define FIFO_MOST_KEPT    1024 /* tasks of a worker in a discrete launch, after which it keeps no more */

RD_COLD_BEGIN /* what runs once a batch */

/* Tasks a worker would have if all had as many. */
rd_fn rd_u32 fifo_mean(const fifo_ctx *c, const fifo_group *g, rd_u32 mine)
{
    const rd_i32 waiting = (rd_i32)g->board[BOARD_WAITING(0)];
    const rd_u32 workers = rd_groups() < FIFO_LOADED ? rd_groups() : FIFO_LOADED;
    rd_u32 sum = mine + (waiting > 0 ? (rd_u32)waiting : 0);
    for (rd_u32 i = 0; i < workers; i++)
        sum += i == rd_group() ? 0 : rd_ld_rlx(&c->control[FIFO_LOAD(i)]); /* partner: fifo_tell */
    return sum / workers;
}

rd_fn void fifo_tell(const fifo_ctx *c, rd_u32 tasks)
{
    if (rd_group() < FIFO_LOADED)
        rd_st_rlx(&c->control[FIFO_LOAD(rd_group())], tasks); /* partner: fifo_mean */
}

/* How many of its new tasks the worker keeps. */
rd_fn rd_u32 fifo_keeps(const fifo_ctx *c, const fifo_group *g)
{
    const rd_u32 mine = g->s.stashed, room = mine < c->keep ? mine : c->keep;
    /* A few are sooner run than launched; of more, a core that keeps them runs ahead of others. Not for ever: a task
     * that is given again until another one has run would wait for one that is of the next launch. */
    if (!c->persistent)
        return mine <= c->keep && g->limit[0] <= c->keep && g->tasks < FIFO_MOST_KEPT ? mine : 0;
#ifdef RD_APP_SKIP /* what waits long enough may come to nothing, or more comes to it: worth a trip if it has edges */
    if ((rd_i32)g->board[BOARD_WAITING(0)] > 0 && g->s.edges >= (rd_u64)FIFO_WORTH_A_TRIP * g->tasks)
        return 0;
#endif
    if (rd_groups() == 1)
        return room;
    const rd_u32 equal = fifo_mean(c, g, mine), mean = equal ? equal : 1; /* a last task is not passed on */
    const rd_u32 slack = (rd_i32)g->board[BOARD_WAITING(0)] < 0 ? 0 : mean / 4 + 16;
    return mine <= mean + slack ? room : mean < room ? mean : room;
}

RD_COLD_END

rd_fn rd_u32 fifo_in_hand(const fifo_group *g)
{
    return g->kept_end - g->kept_at + (g->in_end - g->in_at);
}

/* With nothing kept, keeps what is in the inbox: lists of tasks are in the group's memory, an inbox is its lane's. */
rd_fn void fifo_keep_inbox(fifo_group *g)
{
    if (g->kept_at < g->kept_end)
        return;
    g->kept_at = g->kept_end = 0;
    for (rd_u32 i = g->in_at; i < g->in_end; i++)
        g->kept[g->kept_end++] = g->inbox[i];
    g->in_at = g->in_end;
}

/* Runs tasks in hand, all but the last, until so many were found that they are to be shared (fifo_decide, behind the
 * tile that comes next, for which there is room too: were this limit below that one, each task between them would have
 * a turn of its own), or the host wants it to leave, for which it looks after each list. */
rd_fn void fifo_burst(const fifo_ctx *c, const rd_app *app, fifo_group *g, rd_global const rd_u32 *stop)
{
    const rd_u64 most = rd_shares_core() ? g->s.edges + SPREAD_WAY : ~(rd_u64)0;
    rd_u32 goes_on = fifo_in_hand(g) > 1;
    while (goes_on) {
        fifo_keep_inbox(g);
        const rd_u32 kept = g->kept_end - g->kept_at, all = fifo_in_hand(g) - 1, count = kept < all ? kept : all;
        const rd_u32 ran =
            spread_list(&g->s, app, c->row, c->col, g->kept + g->kept_at, count, SPREAD_SPARE_OF(RD_CORE));
        g->tasks += ran;
        g->kept_at += ran;
        /* None was run: it is one that takes tiles. */
        goes_on = ran && ran < all && g->s.stashed <= SPREAD_SPARE_OF(RD_CORE) && g->s.edges < most && !rd_asked(stop);
    }
}

#endif

#endif
