/* SPDX-License-Identifier: Apache-2.0 */
/* take.k.h - scheduler fifo: tickets, inboxes, and the next task of each lane. See fifo.k.h. */
#ifndef RD_SCHED_FIFO_TAKE_K_H
#define RD_SCHED_FIFO_TAKE_K_H

#include "sched/fifo/group.k.h"
#include "sched/fifo/cpu_worker.k.h"

RD_COLD_BEGIN /* as in fifo.k.h */

/* The inbox, written so that a short one is in registers. */
rd_fn void fifo_in(fifo_group *g, rd_u32 v)
{
#if FIFO_FETCH > 1
    g->inbox[g->in_end] = v;
#else
    RD_UNROLL
    for (rd_u32 i = 0; i < FIFO_INBOX; i++)
        g->inbox[i] = g->in_end == i ? v : g->inbox[i];
#endif
    g->in_end++;
}

rd_fn rd_u32 fifo_out(fifo_group *g)
{
    rd_u32 v = 0;
#if FIFO_FETCH > 1
    v = g->inbox[g->in_at];
#else
    RD_UNROLL
    for (rd_u32 i = 0; i < FIFO_INBOX; i++)
        v = g->in_at == i ? g->inbox[i] : v;
#endif
    g->in_at++;
    return v;
}

/* Is the gate open for the next ticket? */
rd_fn rd_u32 fifo_open(const fifo_ctx *c, const fifo_group *g, rd_u32 k)
{
    return !FIFO_GATED || !c->persistent || (rd_i32)(g->gate - g->ticket[k]) > 0;
}

/* Moves what has arrived for this lane into its inbox. */
rd_fn void fifo_drain(const fifo_ctx *c, fifo_group *g)
{
    FIFO_EACH_CLASS(k)
    {
        rd_u32 there = 1, v = 0;
        while (g->todo[k] && there && fifo_open(c, g, k)) {
            there = queue_poll(&g->q[k], g->ticket[k], &v);
            if (there) {
                if (fifo_unmark(c, v, k))
                    fifo_in(g, v);
                g->ticket[k]++;
                g->todo[k]--;
            }
        }
    }
}

/* How many tickets of a class the group should ask for: its share of the tasks that wait. Of ordinary tasks at least
 * one, so that it is served when one comes. */
rd_fn rd_u32 fifo_wish(const fifo_ctx *c, const fifo_group *g, rd_u32 k)
{
    const rd_i32 waiting = (rd_i32)g->board[BOARD_WAITING(k)], share = waiting / (rd_i32)rd_groups();
    const rd_u32 least = k == 0 || waiting > 0;
#if RD_CORE
    const rd_u32 mine = g->kept_end - g->kept_at, mean = k == 0 ? fifo_mean(c, g, mine) : (rd_u32)share;
    const rd_u32 lacks = k > 0 ? mean : mean > mine ? mean - mine : 0, there = waiting > 0 ? (rd_u32)waiting : 0;
    const rd_u32 most = lacks < there ? lacks : there;
    return most < 1 ? least : most < c->fetch ? most : c->fetch;
#endif
    return share < 1 ? least : (rd_u32)share < c->fetch ? (rd_u32)share : c->fetch;
}

/* Tickets from limit on belong to no task in launch discrete. */
rd_fn rd_u32 fifo_within(const fifo_ctx *c, const fifo_group *g, rd_u32 k, rd_u32 ticket, rd_u32 n)
{
    if (c->persistent)
        return n;
    return ticket >= g->limit[k] ? 0 : g->limit[k] - ticket < n ? g->limit[k] - ticket : n;
}

/* Reserves tickets: of the first class when tasks wait there, else of the ordinary one. Called when the group has
 * neither tasks nor, of some class, tickets. @return 0: in launch discrete there are none left. */
rd_fn rd_u32 fifo_reserve(const fifo_ctx *c, fifo_group *g)
{
    rd_u32 wanted = 0, first = 0, held = 0; /* of the classes before this one; of all but the ordinary */
    g->in_at = g->in_end = 0;
    FIFO_EACH_CLASS(k)
    {
        const rd_u32 n = wanted || g->waiting[k] ? 0 : fifo_wish(c, g, k);
        wanted |= n;
        first |= k > 0 ? n : 0;
#if FIFO_DIRECT_TAKE
        rd_u32 got = 0, ticket = 0;
        if (rd_lane() < n) {
            ticket = queue_reserve_take(&g->q[k], 1, &got);
            got = got ? fifo_within(c, g, k, ticket, 1) : 0;
        }
        if (n) {
            g->ticket[k] = g->take_base[k] + ticket;
            g->todo[k] = got;
        }
#else
        if (rd_lane() == 0) {
            rd_u32 got = 0, ticket = 0;
            if (n) {
                ticket = queue_reserve_take(&g->q[k], QUEUE_IS(&g->q[k], QUEUE_CAS) ? 1 : n, &got);
                got = fifo_within(c, g, k, ticket, got);
            }
            g->board[BOARD_TICKET(k)] = g->take_base[k] + ticket;
            g->board[BOARD_GOT(k)] = got;
        }
#endif
    }
#if FIFO_DIRECT_TAKE
    FIFO_EACH_CLASS(k)
    g->waiting[k] = rd_group_sum(g->s.scratch, g->todo[k]);
#else
    rd_barrier(); /* the board is complete */
    FIFO_EACH_CLASS(k)
    {
        const rd_u32 mine = rd_lane() * FIFO_FETCH, got = g->board[BOARD_GOT(k)];
        if (g->waiting[k] == 0) {
            g->ticket[k] = g->board[BOARD_TICKET(k)] + mine;
            g->todo[k] = mine >= got ? 0 : got - mine < FIFO_FETCH ? got - mine : FIFO_FETCH;
            g->waiting[k] = got;
        }
    }
#endif
    FIFO_EACH_CLASS(k)
    held |= g->waiting[k];
    return held || first || c->persistent;
}

/* The next task of each lane, kept ones first. @return the number of tiles they make. */
rd_fn rd_u32 fifo_members(const fifo_ctx *c, const rd_app *app, fifo_group *g, rd_u32 leave)
{
    const rd_u32 left = g->kept_end - g->kept_at;
    /* Lane 0 asks for news now and reads them after the members' loads, which take as long. */
    const rd_u32 asks = rd_lane() == 0 && left <= rd_lanes() && (RD_LANES > 1 || g->in_end - g->in_at <= 1);
    rd_u32 rear[FIFO_CLASSES], front[FIFO_CLASSES], pending = 1, has = 0, v = 0, open = 0;
    rd_u64 gate = 0;
    FIFO_EACH_CLASS(k)
    {
        rear[k] = asks ? c->persistent ? rd_ld_rlx(g->q[k].rear) : g->limit[k] : 0; /* partners: the adds of */
        front[k] = asks ? rd_ld_rlx(g->q[k].front) : 0;                             /* queue_reserve_... */
    }
    if (asks && c->persistent && FIFO_GATED)
        gate = rd_ld64_acq((rd_global rd_u64 *)&c->control[FIFO_GATE]); /* pairs with the store in fifo_hand_in */
    else if (asks && c->persistent && g->credit == 0)
        pending = pending_now(&c->control[FIFO_PENDING]);
    if (asks && FIFO_MAY_FILL(c) && !leave && rd_ld_rlx(&c->control[FIFO_FULL])) /* partner: fifo_settle */
        leave = FIFO_PACK;
    if (asks && c->persistent)
        open = hubs_ask(&g->hubs);
    fifo_drain(c, g);
    if (rd_lane() < left) {
        has = 1;
        v = g->kept[g->kept_at + rd_lane()];
    } else if (g->in_at < g->in_end) {
        has = 1;
        v = fifo_out(g);
    }
    const rd_u32 tiles = spread_members(&g->s, app, c->row, has, v, &g->hubs);
    g->tasks += has;
    g->kept_at += left < rd_lanes() ? left : rd_lanes();
    if (asks) {
        if (c->persistent && FIFO_GATED) { /* what is behind the gate does not count */
            rear[0] = (rd_u32)gate - g->take_base[0];
            pending = !(gate >> 32);
        }
        FIFO_EACH_CLASS(k)
        g->board[BOARD_WAITING(k)] = rear[k] - front[k];
        g->board[BOARD_LEAVE] = pending == 0 ? FIFO_LEAVE : leave;
        g->board[BOARD_GATE] = (rd_u32)gate;
        g->board[BOARD_HUBS] = open;
    }
    rd_barrier(); /* members and board are complete */
    g->gate = g->board[BOARD_GATE];
    g->spans = g->hubs.span && g->board[BOARD_HUBS] ? FIFO_SPANS : 0;
    return tiles;
}

/* Takes a span of a hub. @return its tiles. In launch discrete a group takes spans until it finds none, and those of
 * hubs that are posted later are left to the next launch, which has all groups. */
rd_fn rd_u32 fifo_span(const fifo_ctx *c, fifo_group *g)
{
    const rd_u32 tiles = spread_span(&g->s, &g->hubs);
    g->credit += tiles != 0; /* its unit */
    g->spans = tiles ? g->spans - c->persistent : 0;
    if (!tiles && rd_lane() == 0)
        g->board[BOARD_HUBS] = 0;
    return tiles;
}

RD_COLD_END

#endif
