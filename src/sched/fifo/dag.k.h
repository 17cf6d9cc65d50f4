/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag.k.h - scheduler `fifo` for task graphs, kernel side: ready tasks go through one retry-free ring (parts/ring.k.h),
 * which has room for all tasks that there may be, so none of its slots is used twice in a run. A group without a task
 * holds one ticket and looks at its slot: from the end of a task to the start of one that it made ready it takes one
 * addition to `rear` and one store, which the waiting group sees.
 *
 * Termination: parts/pending.k.h, a unit for each task that is ready or runs. A task that made r others ready adds r -
 * 1 before it shows them: its own unit passes to one of them.
 *   Cores have another way of both: fifo/dag_core.k.h.
 */
#ifndef RD_SCHED_FIFO_DAG_K_H
#define RD_SCHED_FIFO_DAG_K_H

#include "sched/dag/group.k.h"

#define QUEUE_KIND QUEUE_RETRY_FREE
#include "sched/parts/ring.k.h"

#define DAG_IDLE_MOST   1 /* a group looks at a slot of its own, and disturbs nobody */
#define DAG_LOOKS_FIRST (!RD_CORE)
#define DAG_LOOKS       (RD_LANES == 1 ? 4 : 64) /* at a slot, before the group as a whole goes on */

rd_fn queue_end dag_queue(const dag_ctx *c)
{
    const queue_end q = {(rd_global rd_u64 *)c->dg_item,
                         &c->dg_control[DAG_FRONT],
                         &c->dg_control[DAG_REAR],
                         &c->dg_control[DAG_REAR],
                         c->dg_shift,
                         QUEUE_RETRY_FREE,
                         0,
                         0,
                         0};
    return q;
}

rd_fn void dag_put_seed(const dag_ctx *c, rd_u32 place, rd_u32 task)
{
    const queue_end q = dag_queue(c);
    queue_put(&q, place, task, 0);
}

/* Fills the slot of a ticket, after rd_fence_rel(): it is free, for nobody had it before. */
rd_fn void dag_show(const dag_ctx *c, const dag_group *g, const queue_end *q, rd_u32 ticket, rd_u32 task)
{
    if (ticket < 1u << c->dg_shift) {
        queue_fill(q, ticket, 0, task, 1);
    } else { /* an app that lets tasks run again and again fills even this ring. Partner: the host */
        rd_st_rlx(&g->w.trouble[DAG_OFTEN], task + 1);
        pending_lower(&c->dg_control[DAG_PENDING], 1);
    }
}

#if RD_CORE
#include "sched/fifo/dag_core.k.h"
#else

/* Of lane 0. */
typedef struct {
    rd_u32 ticket; /* counted from 1; 0: it has none */
} dag_fifo;
#define DAG_POLICY       dag_fifo
#define DAG_LOCALS(name) rd_local_array(rd_u32, name, 1);

rd_fn dag_fifo dag_wake(const dag_ctx *c, rd_local rd_u32 *words)
{
    dag_fifo p;
    p.ticket = c->dg_line[(rd_u64)rd_group() * DEQUE_LINE + DAG_TICKET];
    return p;
}

rd_fn void dag_sleep(const dag_fifo *p, rd_global rd_u32 *own)
{
    own[DAG_TICKET] = p->ticket;
}

rd_fn void dag_find(const dag_ctx *c, dag_group *g, dag_fifo *p)
{
    queue_end q = dag_queue(c);
    rd_u32 task = DAG_NONE, got;
    if (rd_lane() == 0) {
        if (!p->ticket)
            p->ticket = queue_reserve_take(&q, 1, &got) + 1;
        for (rd_u32 i = 0; i < DAG_LOOKS && task == DAG_NONE; i++)
            if (queue_poll(&q, p->ticket - 1, &task))
                p->ticket = 0;
        g->board[BOARD_TASK + g->odd] = task;
        if (task == DAG_NONE && pending_none(&c->dg_control[DAG_PENDING]))
            g->board[BOARD_LEAVE + g->odd] = 1;
        g->empty += task == DAG_NONE;
    }
}

/* Lane 0 fills the first slot by itself: its fence and the reservation are on their way to memory at the same time, and
 * most tasks make one ready. */
rd_fn void dag_give(const dag_ctx *c, dag_group *g, dag_fifo *p, rd_u32 from, rd_u32 count)
{
    queue_end q = dag_queue(c);
    const rd_u32 all = from + count, lane = rd_lane();
    if (lane == 0) {
        if (all == 0)
            pending_lower(&c->dg_control[DAG_PENDING], 1);
        if (all > 1)
            pending_raise(&c->dg_control[DAG_PENDING], all - 1);
        if (count) {
            const rd_u32 first = queue_reserve_give(&q, count);
            rd_fence_rel(); /* what the task will read, and the units */
            dag_show(c, g, &q, first, g->ready[from]);
            g->board[BOARD_AT + g->odd] = first;
        }
    }
    rd_once(count > 1) {
        rd_barrier(); /* the first ticket, and the units */
        if (lane < count)
            rd_fence_rel(); /* once for all that this lane puts */
        for (rd_u32 i = lane ? lane : rd_lanes(); i < count; i += rd_lanes())
            dag_show(c, g, &q, g->board[BOARD_AT + g->odd] + i, g->ready[from + i]);
    }
}

#endif

#include "sched/dag/run.k.h"

#endif
