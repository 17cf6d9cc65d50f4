/* SPDX-License-Identifier: Apache-2.0 */
/* give.k.h - scheduler fifo: the exchange, in which a group shares what it found and sees to new tickets. See
 * fifo.k.h. */
#ifndef RD_SCHED_FIFO_GIVE_K_H
#define RD_SCHED_FIFO_GIVE_K_H

#include "sched/fifo/take.k.h"

/* The first tasks that were found are kept. On a core that is nearly all of them: a turn is cold, this loop is not. */
rd_fn void fifo_keep_first(rd_local rd_u32 *kept, rd_local const rd_u32 *found, rd_u32 count)
{
    for (rd_u32 i = rd_lane(); i < count; i += rd_lanes())
        kept[i] = found[i] & ~RD_TASK_URGENT;
}

RD_COLD_BEGIN /* as in fifo.k.h */

/* How many of its new tasks a group may keep; done: as in fifo_begin. */
rd_fn rd_u32 fifo_may_keep(const fifo_ctx *c, const fifo_group *g, rd_u32 done)
{
#if RD_CORE
    const rd_u32 may_keep = done && c->keep ? fifo_keeps(c, g) : 0;
    if (done && c->keep)
        fifo_tell(c, may_keep);
    return may_keep;
#else
    return done && !fifo_crowded(g) ? c->keep : 0;
#endif
}

/* Marks what this lane found, from `from` on, and packs what is to be given into its column of the stash.
 * @return how many; count: of each class. */
rd_fn rd_u32 fifo_pack_column(const fifo_ctx *c, fifo_group *g, rd_u32 from, rd_u32 *count)
{
    rd_u32 column = 0;
    if (!FIFO_GATED && from < g->s.stashed)
        rd_fence_rel(); /* what the tasks will find is there before the marks below */
    for (rd_u32 i = from + rd_lane(); i < g->s.stashed; i += rd_lanes()) {
        const rd_u32 token = g->s.stash[i], k = (token & RD_TASK_URGENT) != 0;
        if (fifo_mark(c, token & ~RD_TASK_URGENT, k)) {
            g->s.stash[from + rd_lane() + column * rd_lanes()] = token;
            column++;
            count[0] += k == 0;
#if FIFO_CLASSES > 1
            count[1] += k == 1;
#endif
        }
    }
    return column;
}

/* The first ticket of this lane's tokens of class k; lane 0 has reserved for all, unless each does for itself. */
rd_fn rd_u32 fifo_first_ticket(fifo_group *g, rd_u32 k, rd_u32 count, rd_u32 before, rd_u32 all)
{
    if (QUEUE_IS(&g->q[k], QUEUE_CAS))
        return 0; /* each token gets its own when its turn comes */
    if (FIFO_DIRECT_GIVE)
        return count ? g->give_base[k] + queue_reserve_give(&g->q[k], count) : 0;
    return all ? g->board[BOARD_TICKET(k)] + before : 0;
}

/* Begins an exchange: keeps some of what was found, and reserves tickets to give the rest. done: all tiles of the
 * members are visited and nothing is kept. The lane's own tokens are a column of the stash. */
rd_fn void fifo_begin(const fifo_ctx *c, fifo_group *g, rd_u32 done)
{
    const rd_u32 may_keep = fifo_may_keep(c, g, done);
    const rd_u32 from = g->s.stashed < may_keep ? g->s.stashed : may_keep;
    rd_u32 count[FIFO_CLASSES], packed = 0, sums = 0, all = 0;
    FIFO_EACH_CLASS(k)
    count[k] = 0;
    fifo_keep_first(g->kept, g->s.stash, from);
    const rd_u32 column = fifo_pack_column(c, g, from, count);
    FIFO_EACH_CLASS(k)
    packed |= count[k] << 16 * k; /* a stash has fewer than 2^16 tasks */
    const rd_u32 before = rd_group_scan(g->s.scratch, packed, &sums);
    FIFO_EACH_CLASS(k)
    all += sums >> 16 * k & 0xffff;
    const rd_u32 need = !FIFO_GATED && all ? all + 1 : 0; /* one unit stays here */
    if (rd_lane() == 0 && all) {
        if (c->persistent && g->credit < need)
            pending_raise(&c->control[FIFO_PENDING], need - g->credit);
        FIFO_EACH_CLASS(k)
        if (!FIFO_DIRECT_GIVE && !QUEUE_IS(&g->q[k], QUEUE_CAS) && (sums >> 16 * k & 0xffff))
            g->board[BOARD_TICKET(k)] = g->give_base[k] + queue_reserve_give(&g->q[k], sums >> 16 * k & 0xffff);
    }
    rd_barrier(); /* the board is complete; PENDING is raised before anyone publishes */
    if (all)
        rd_fence_rel(); /* all that before what fifo_put stores */
    if (!FIFO_GATED)
        g->credit = (g->credit < need ? need : g->credit) - all;
    FIFO_EACH_CLASS(k)
    g->put_ticket[k] = fifo_first_ticket(g, k, count[k], before >> 16 * k & 0xffff, all);
    g->put_from = from;
    g->put = 0;
    g->put_end = column;
    g->put_ready = 0;
    g->shared += column;
    if (done) {
        g->kept_at = 0;
        g->kept_end = from;
    }
}

/* Puts one token of this lane, after the fence in fifo_begin. @return 0: its slot is not free. */
rd_fn rd_u32 fifo_put(fifo_group *g)
{
    const rd_u32 token = g->s.stash[g->put_from + rd_lane() + g->put * rd_lanes()];
    rd_u32 free = 0;
    FIFO_EACH_CLASS(k)
    {
        if (((token & RD_TASK_URGENT) != 0) == k) { /* written so that k is a constant in each copy */
            if (QUEUE_IS(&g->q[k], QUEUE_CAS) && !g->put_ready)
                g->put_ticket[k] = g->give_base[k] + queue_reserve_give(&g->q[k], 1);
            free = queue_put(&g->q[k], g->put_ticket[k], token & ~RD_TASK_URGENT, 1);
            g->put_ticket[k] += free;
            g->put_ready = !free;
        }
    }
    g->put += free;
    return free;
}

#if FIFO_CLASSES > 1 && RD_WARP == 1
/* The token at hand finds no free slot: lets the next one of the other ring go first. A slot may wait for a token that
 * another worker has reserved a ticket for and not put yet. In one ring such waits lead to ever lower tickets, which
 * are put in their order, and so to an end. With two rings they could make a circle: two workers, each with a token at
 * hand that waits for one behind the other's. That takes a worker that sleeps while others go once around the ring, as
 * threads of a busy CPU may. (QUEUE_CAS: a worker has no more than one ticket.) */
rd_fn void fifo_let_pass(fifo_group *g)
{
    rd_local rd_u32 *column = g->s.stash + g->put_from + rd_lane();
    const rd_u32 token = column[g->put * rd_lanes()];
    rd_u32 i = g->put + 1;
    while (i < g->put_end && ((column[i * rd_lanes()] ^ token) & RD_TASK_URGENT) == 0)
        i++;
    if (i < g->put_end && !QUEUE_IS(&g->q[0], QUEUE_CAS)) {
        column[g->put * rd_lanes()] = column[i * rd_lanes()];
        column[i * rd_lanes()] = token;
    }
}
#endif

/* Hands in the units of tasks that are complete. Gated: who hands in the last of a level opens the next, which are all
 * tasks that were given meanwhile; when there are none, it is over. */
rd_fn void fifo_hand_in(const fifo_ctx *c, fifo_group *g)
{
#if FIFO_GATED
    rd_global rd_u64 *gate = (rd_global rd_u64 *)&c->control[FIFO_GATE];
    /* Acquire and release: pairs with itself in other groups, so that the last one sees all that was reserved. */
    if (rd_add_acqrel(&c->control[FIFO_PENDING], 0u - g->credit) == g->credit) {
        const rd_u32 opened = (rd_u32)rd_ld64_rlx(gate), until = g->give_base[0] + rd_ld_rlx(g->q[0].rear);
        rd_st_rlx(&c->control[FIFO_PENDING], until - opened); /* before the gate, whose acquirers lower it */
        rd_add_rlx(&c->control[FIFO_LEVELS], 1);              /* read by the host */
        rd_st64_rel(gate, FIFO_GATE_WORD((rd_u64)(until == opened), until)); /* pairs with the load in fifo_members */
    }
#else
    pending_lower(&c->control[FIFO_PENDING], g->credit);
#endif
}

/* A token found no free slot. Either the ticket before it in that slot is held, and will be served; or more tokens are
 * under way than there are slots. */
rd_fn void fifo_overflow(const fifo_ctx *c, fifo_group *g)
{
    FIFO_EACH_CLASS(k)
    {
        const rd_u32 rear = g->give_base[k] + rd_ld_rlx(g->q[k].rear), taken = rd_ld_rlx(g->q[k].front);
        /* In launch discrete tickets from limit on are nobody's. */
        const rd_u32 front = g->take_base[k] + (!c->persistent && taken > g->limit[k] ? g->limit[k] : taken);
        if ((rd_i32)(rear - front) > (rd_i32)(1u << c->shift))
            rd_st_rlx(&c->control[FIFO_FULL], c->round + 1); /* partner: the loads in fifo_members and fifo_settle */
    }
}

/* Puts what can be put. @return whether to leave, as lane 0 sees it. */
rd_fn rd_u32 fifo_put_some(const fifo_ctx *c, fifo_group *g, rd_u32 leave)
{
    rd_u32 free = 1;
    const rd_u32 until = RD_CORE && g->put_end - g->put > FIFO_PUTS ? g->put + FIFO_PUTS : g->put_end;
    while (g->put < until && free)
        free = fifo_put(g);
#if FIFO_CLASSES > 1 && RD_WARP == 1
    if (!free)
        fifo_let_pass(g);
#endif
    if (FIFO_MAY_FILL(c) && !free)
        fifo_overflow(c, g);
    if (FIFO_MAY_FILL(c) && rd_lane() == 0 && !leave && rd_ld_rlx(&c->control[FIFO_FULL])) /* partner: fifo_overflow */
        leave = FIFO_PACK;
    if (rd_lane() == 0 && leave)
        g->board[BOARD_LEAVE] = leave;
    return leave;
}

/* Should the group ask for tickets? idle: it has no task. */
rd_fn rd_u32 fifo_asks(const fifo_ctx *c, const fifo_group *g, rd_u32 idle, rd_u32 free)
{
    rd_u32 wants = 0;
#if RD_CORE
    /* A worker with fewer tasks than others takes what waits; in launch discrete there may be none. */
    const rd_u32 asks = idle || (free && c->persistent && c->keep && g->in_at == g->in_end &&
                                 (rd_i32)g->board[BOARD_WAITING(0)] > 0 && fifo_mean(c, g, g->kept_end) > g->kept_end);
#else
    const rd_u32 asks = idle;
#endif
    /* Tickets of the first class are worth asking for when tasks wait there; ordinary ones when there are none. */
    FIFO_EACH_CLASS(k)
    wants |= g->waiting[k] == 0 && (k == 0 || (rd_i32)g->board[BOARD_WAITING(k)] > 0);
    return asks && wants;
}

/* Puts what can be put. When all is, ends the exchange and sees to new tickets. @return what to do next. */
rd_fn rd_u32 fifo_settle(const fifo_ctx *c, fifo_group *g, rd_u32 done, rd_u32 leave)
{
    leave = fifo_put_some(c, g, leave);
    fifo_drain(c, g);
    /* Fields: tickets not served, inboxes with tasks, lanes that still have to put; lane 0's word that it is over. */
    const rd_u32 sum =
        rd_group_sum(g->s.scratch, g->todo[0] | (rd_u32)(g->in_at < g->in_end) << 10 |
                                       (rd_u32)(g->put < g->put_end) << 20 | (rd_u32)(leave && rd_lane() == 0) << 31);
    g->credit += g->waiting[0] - (sum & 1023); /* a unit came with each task */
    g->waiting[0] = sum & 1023;
#if FIFO_CLASSES > 1
    const rd_u32 more = rd_group_sum(g->s.scratch, g->todo[1]);
    g->credit += g->waiting[1] - more;
    g->waiting[1] = more;
#endif
    g->put_busy = (sum >> 20 & 2047) != 0;
    g->s.stashed = g->put_busy ? g->s.stashed : 0;
    rd_u32 next = sum >> 31 ? g->board[BOARD_LEAVE] : g->put_busy ? FIFO_PUT_AGAIN : FIFO_GO_ON;
    /* Is no task here? */
    const rd_u32 idle = next == FIFO_GO_ON && done && g->kept_end == 0 && (sum >> 10 & 1023) == 0 && !g->spans;
    if (idle && g->credit) {
        if (rd_lane() == 0 && c->persistent)
            fifo_hand_in(c, g);
        g->credit = 0;
    }
    rd_once(fifo_asks(c, g, idle, next == FIFO_GO_ON && done))
        next = fifo_reserve(c, g) ? FIFO_GO_ON : FIFO_LEAVE;
    if (idle)
        rd_pause();
    return next;
}

RD_COLD_END

#endif
