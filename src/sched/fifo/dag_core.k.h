/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag_core.k.h - scheduler `fifo` for task graphs on a processor, where a worker is one core, for which a trip through
 * the ring costs more than a short task. As with frontiers (fifo/cpu_worker.k.h) it keeps what it finds, first come,
 * first served, here in a circle of its own.
 *   Who has no task, and sees none wait in the ring, takes a ticket only after DAG_PATIENCE turns, which last about as
 * long as it takes to hand a task over: shorter gaps are not worth that. Tickets that wait ask for tasks. A worker that
 * sees some gives half of what it has, in one go; its last task stays. Who comes then takes a share of those that wait:
 * short tasks change hands many at a time.
 *   Long tasks are another matter: who asks waits for the end of one. They are known by how few are run from one asking
 * to the next, for patience is time. Then tasks are shown before anybody asks, as many as there are workers.
 *   What came by ticket is run, never given again: a task goes through the ring once at most.
 *
 * Termination: parts/pending.k.h. A unit for each task in the ring, and for each worker that has tasks. The units of
 * tasks that it took are its credit, g->active, which it hands back when it has no task.
 */
#ifndef RD_SCHED_FIFO_DAG_CORE_K_H
#define RD_SCHED_FIFO_DAG_CORE_K_H

#define DAG_FETCH    32  /* most tickets taken at once */
#define DAG_PATIENCE 16  /* turns, of some 80 ns */
#define DAG_LONG     16  /* tasks of all workers from one asking to the next: up to so many are long, */
#define DAG_SHOWN    256 /* and tasks are shown until a worker has run so many more */

typedef struct {
    rd_global rd_u32 *circle; /* DAG_CIRCLE words */
    rd_u32 at, end;           /* the oldest, and behind the newest; they wrap around with the circle */
    rd_u32 ticket, held;      /* the next ticket, and how many there are from it on */
    rd_u32 since, shows;      /* tasks since somebody asked; that it is yet to run while it shows others */
} dag_fifo;
#define DAG_POLICY       dag_fifo
#define DAG_LOCALS(name) rd_local_array(rd_u32, name, 1);

rd_fn dag_fifo dag_wake(const dag_ctx *c, rd_local rd_u32 *words)
{
    rd_global const rd_u32 *own = c->dg_line + (rd_u64)rd_group() * DEQUE_LINE;
    const dag_fifo p = {c->dg_link + (rd_u64)rd_group() * DAG_CIRCLE,
                        own[DAG_AT],
                        own[DAG_END],
                        own[DAG_TICKET],
                        own[DAG_HELD],
                        DAG_LONG,
                        0};
    return p;
}

rd_fn void dag_sleep(const dag_fifo *p, rd_global rd_u32 *own)
{
    own[DAG_AT] = p->at;
    own[DAG_END] = p->end;
    own[DAG_TICKET] = p->ticket;
    own[DAG_HELD] = p->held;
}

rd_fn rd_global rd_u32 *dag_kept(const dag_fifo *p, rd_u32 at)
{
    return &p->circle[at & (DAG_CIRCLE - 1)];
}

/* The task of the next ticket, with its unit, if it is there; or DAG_NONE. */
rd_fn rd_u32 dag_poll(queue_end *q, dag_group *g, dag_fifo *p)
{
    rd_u32 task = DAG_NONE;
    if (p->held && queue_poll(q, p->ticket, &task)) {
        p->ticket++;
        p->held--;
        g->active++;
    }
    return task;
}

/* Tickets to ask for: a part of the worker's share, so that the last ones are taken one by one. */
rd_fn rd_u32 dag_wish(const queue_end *q)
{
    const rd_i32 waiting = queue_waiting(q);
    const rd_u32 part = waiting > 0 ? (rd_u32)waiting / (4 * rd_groups()) : 0;
    return part < 1 ? 1 : part < DAG_FETCH ? part : DAG_FETCH;
}

rd_fn void dag_find(const dag_ctx *c, dag_group *g, dag_fifo *p)
{
    queue_end q = dag_queue(c);
    rd_u32 task = dag_poll(&q, g, p);
    if (task == DAG_NONE && p->at != p->end)
        task = *dag_kept(p, p->at++);
    if (task == DAG_NONE && !p->held && (g->idle_turns >= DAG_PATIENCE || queue_waiting(&q) > 0))
        p->ticket = queue_reserve_take(&q, dag_wish(&q), &p->held);
    for (rd_u32 i = 0; i < DAG_LOOKS && task == DAG_NONE; i++)
        task = dag_poll(&q, g, p);
    g->board[BOARD_TASK + g->odd] = task;
    if (task == DAG_NONE) {
        if (g->active)
            pending_lower(&c->dg_control[DAG_PENDING], g->active);
        g->active = 0;
        if (pending_none(&c->dg_control[DAG_PENDING]))
            g->board[BOARD_LEAVE + g->odd] = 1;
        g->empty++;
    }
}

/* After a task: how many of `all` tasks to give; next: the worker has one besides. */
rd_fn rd_u32 dag_spares(const dag_ctx *c, const queue_end *q, dag_fifo *p, rd_u32 all, rd_u32 next)
{
    const rd_u32 most = next ? all : all - 1, room = c->dg_choices & DAG_CIRCLES ? DAG_CIRCLE : 0;
    const rd_i32 waiting = queue_waiting(q), lacks = (p->shows ? (rd_i32)rd_groups() : 0) - waiting;
    const rd_u32 wish = lacks <= 0 ? 0 : (rd_u32)lacks > all / 2 ? (rd_u32)lacks : all / 2;
    const rd_u32 gives = wish < most ? wish : most;
    if (waiting < 0 && gives) {
        p->shows = p->since <= 1 + DAG_LONG / rd_groups() ? DAG_SHOWN : p->shows;
        p->since = 0;
    }
    return all - gives > room ? all - room / 2 : gives; /* a full circle gets room for many */
}

/* The oldest go to the ring, the others to the circle. */
rd_fn void dag_give(const dag_ctx *c, dag_group *g, dag_fifo *p, rd_u32 from, rd_u32 count)
{
    queue_end q = dag_queue(c);
    const rd_u32 kept = p->end - p->at, gives = kept + count ? dag_spares(c, &q, p, kept + count, from) : 0;
    p->since++;
    p->shows -= p->shows > 0;
    if (gives) {
        if (g->active < gives + 1) { /* one unit stays here */
            pending_raise(&c->dg_control[DAG_PENDING], gives + 1 - g->active);
            g->active = gives + 1;
        }
        g->active -= gives;
        const rd_u32 ticket = queue_reserve_give(&q, gives);
        rd_fence_rel(); /* once for all: what the tasks will read */
        for (rd_u32 i = 0; i < gives; i++)
            dag_show(c, g, &q, ticket + i, i < kept ? *dag_kept(p, p->at + i) : g->ready[from + i - kept]);
        p->at += gives < kept ? gives : kept;
    }
    for (rd_u32 i = gives > kept ? gives - kept : 0; i < count; i++)
        *dag_kept(p, p->end++) = g->ready[from + i];
}

#endif
