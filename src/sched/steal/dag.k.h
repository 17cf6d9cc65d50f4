/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag.k.h - scheduler `steal` for task graphs, kernel side: a deque of ready tasks for each group (parts/deque.k.h).
 * What a task made ready goes to the group's own deque, but for the one that the group runs next. A group without a
 * task pops its newest, then takes some of the tasks that were ready at once (seeds), then steals the oldest of others.
 *   A deque has few slots. What finds no room goes to a list of the group's own, through link[], a word for each task,
 * which no other group looks at, and comes back to the deque when that is empty. So nothing overflows.
 *
 * Termination: parts/pending.k.h, a unit for each seed that nobody took, and for each group that has tasks. A thief
 * adds its own before it closes the theft.
 */
#ifndef RD_SCHED_STEAL_DAG_K_H
#define RD_SCHED_STEAL_DAG_K_H

#include "sched/dag/group.k.h"
#include "sched/parts/thief.k.h"

#define DAG_LOOKS_FIRST 0 /* wide graphs, of which most releases are not the last, lose a tenth by it */
#define DAG_IDLE_MOST   RD_IDLE_LONG
#define DAG_CHUNK       32 /* most seeds taken at once, tasks stolen, tasks that go from the list to the deque */

/* Of lane 0 but where said. */
typedef struct {
    deque_row row; /* all lanes, as the next two */
    deque own;
    thief thief;
    rd_local rd_u32 *inbox; /* DAG_CHUNK words */
    rd_u32 tail, list;      /* list: its newest, or DAG_NONE */
} dag_steal;
#define DAG_POLICY       dag_steal
#define DAG_LOCALS(name) rd_local_array(rd_u32, name, THIEF_WORDS + DAG_CHUNK);

rd_fn dag_steal dag_wake(const dag_ctx *c, rd_local rd_u32 *words)
{
    const deque_row row = {
        c->dg_line, c->dg_item, c->dg_shift, c->dg_choices & DAG_BLOCKING ? DEQUE_BLOCKING : DEQUE_LOCK_FREE, 1, 1, 0};
    dag_steal p;
    p.row = row;
    p.own = deque_at(&row, rd_group());
    p.thief = thief_new(words, 0);
    p.inbox = words + THIEF_WORDS;
    p.tail = p.own.word[DAG_TAIL];
    p.list = p.own.word[DAG_LIST] - 1;
    return p;
}

rd_fn void dag_sleep(const dag_steal *p, rd_global rd_u32 *own)
{
    own[DAG_TAIL] = p->tail;
    own[DAG_LIST] = p->list + 1;
}

rd_fn void dag_put_seed(const dag_ctx *c, rd_u32 place, rd_u32 task)
{
    c->dg_seed[place] = task;
}

/* Lane 0: one task more, for later. */
rd_fn void dag_push(const dag_ctx *c, dag_steal *p, rd_u32 task)
{
    if (deque_size(&p->own, p->tail) < 1u << c->dg_shift) {
        deque_set(&p->own, p->tail, 0, task);
        deque_push(&p->own, &p->tail, 1);
    } else {
        c->dg_link[task] = p->list;
        p->list = task;
    }
}

/* Lane 0: some of the seeds. @return one of them, or DAG_NONE. */
rd_fn rd_u32 dag_take_seeds(const dag_ctx *c, dag_steal *p, rd_u32 *active)
{
    const rd_u32 seeds = c->dg_control[DAG_REAR]; /* written by the launch before */
    const rd_u32 share = seeds / (8 * rd_groups()), wish = share < 1 ? 1 : share < DAG_CHUNK ? share : DAG_CHUNK;
    if (rd_ld_rlx(&c->dg_control[DAG_SEED]) >= seeds) /* partner: the addition below */
        return DAG_NONE;
    const rd_u32 at = rd_add_rlx(&c->dg_control[DAG_SEED], wish); /* hands out seeds; partner: itself */
    if (at >= seeds)
        return DAG_NONE;
    const rd_u32 taken = seeds - at < wish ? seeds - at : wish, back = taken - !*active;
    for (rd_u32 i = 1; i < taken; i++)
        dag_push(c, p, c->dg_seed[at + i]);
    if (back)
        pending_lower(&c->dg_control[DAG_PENDING], back); /* the group's own unit covers them */
    *active = 1;
    return c->dg_seed[at];
}

/* Lane 0: a task of the group's own, or a seed. */
rd_fn rd_u32 dag_find_own(const dag_ctx *c, dag_steal *p, rd_u32 *active)
{
    if (deque_pop(&p->own, &p->tail, 1))
        return deque_get(&p->own, p->tail, 0);
    if (p->list == DAG_NONE)
        return dag_take_seeds(c, p, active);
    const rd_u32 task = p->list;
    p->list = c->dg_link[task];
    for (rd_u32 i = 0; i < DAG_CHUNK / 2 && p->list != DAG_NONE; i++) {
        const rd_u32 next = c->dg_link[p->list];
        deque_set(&p->own, p->tail + i, 0, p->list);
        p->list = next;
        if (p->list == DAG_NONE || i + 1 == DAG_CHUNK / 2)
            deque_push(&p->own, &p->tail, i + 1);
    }
    return task;
}

/* All lanes of a group that has nothing: a theft. The first task stolen is to be run, the others go to its deque. */
rd_fn void dag_thieve(const dag_ctx *c, dag_group *g, dag_steal *p)
{
    const rd_u32 how = c->dg_choices & DAG_NEAREST ? THIEF_NEAREST : THIEF_RANDOM;
    theft now = theft_new();
    const rd_u32 score = rd_lane() < THIEF_PROBES ? thief_look(&p->thief, &now, &p->row, how) : 0;
    thief_choose(&now, g->scratch, score);
    if (now.acts && thief_open(&p->thief, &now, &p->row, DAG_CHUNK / 2, 0) && !g->active)
        pending_raise(&c->dg_control[DAG_PENDING], 1); /* before the theft */
    rd_u32 won = 0;
    const rd_u32 taken = thief_fetch(&p->thief, &now, &p->row, now.best, p->inbox, &won);
    g->steals += now.acts && won;
    g->failed += now.acts && !won;
    g->active = g->active || taken;
    g->empty += rd_lane() == 0 && !now.best;
    if (rd_lane() == 0 && taken && p->thief.board[THIEF_WON]) {
        g->board[BOARD_TASK + g->odd] = p->inbox[0];
        for (rd_u32 i = 1; i < taken; i++)
            dag_push(c, p, p->inbox[i]);
    }
    thief_settle(&p->thief, &now, 1);
}

rd_fn void dag_find(const dag_ctx *c, dag_group *g, dag_steal *p)
{
    if (rd_lane() == 0) {
        rd_u32 active = g->active;
        g->board[BOARD_TASK + g->odd] = dag_find_own(c, p, &active);
        g->board[BOARD_AT + g->odd] = active;
    }
    rd_barrier(); /* whether there is one */
    g->active = g->board[BOARD_AT + g->odd];
    const rd_u32 looks =
        g->board[BOARD_TASK + g->odd] == DAG_NONE && rd_groups() > 1 && !(c->dg_choices & DAG_NO_THEFT);
    rd_once(looks)
        dag_thieve(c, g, p);
    rd_barrier(); /* what came of it */
    const rd_u32 idle = g->board[BOARD_TASK + g->odd] == DAG_NONE;
    if (idle && rd_lane() == 0) {
        if (g->active)
            pending_lower(&c->dg_control[DAG_PENDING], 1);
        if (pending_none(&c->dg_control[DAG_PENDING]) || (c->dg_choices & DAG_NO_THEFT))
            g->board[BOARD_LEAVE + g->odd] = 1;
    }
    g->active = idle ? 0 : g->active;
}

rd_fn void dag_give(const dag_ctx *c, dag_group *g, dag_steal *p, rd_u32 from, rd_u32 count)
{
    rd_once(count != 0) {
        if (rd_lane() == 0) {
            const rd_u32 room = (1u << c->dg_shift) - deque_size(&p->own, p->tail);
            g->board[BOARD_AT + g->odd] = p->tail;
            g->board[BOARD_COUNT + g->odd] = count < room ? count : room;
        }
        rd_barrier(); /* where, and how many */
        const rd_u32 some = g->board[BOARD_COUNT + g->odd];
        for (rd_u32 i = rd_lane(); i < some; i += rd_lanes())
            deque_set(&p->own, g->board[BOARD_AT + g->odd] + i, 0, g->ready[from + i]);
        rd_barrier(); /* the items are set */
        if (rd_lane() == 0) {
            if (some)
                deque_push(&p->own, &p->tail, some);
            for (rd_u32 i = some; i < count; i++) {
                c->dg_link[g->ready[from + i]] = p->list;
                p->list = g->ready[from + i];
            }
        }
    }
}

#include "sched/dag/run.k.h"

#endif
