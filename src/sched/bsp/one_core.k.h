/* SPDX-License-Identifier: Apache-2.0 */
/*
 * one_core.k.h - scheduler `bsp`, persistent, on cores: small rounds in a row. Part of bsp/one_group.k.h.
 *
 * On a path a round is one task. Through claims, stash and control words it takes some hundred instructions, of which
 * the task has twenty. The queue of a run in which a vertex is given once is an array whose rounds are consecutive
 * pieces: so a core that runs small rounds alone appends what it finds where the next round begins, and needs no more
 * than that before it goes on there. The control words are put right when it leaves: before a round that is not small,
 * or has a vertex that is cut into parts, and when the host wants it to stop.
 *
 * Whether to pull is not asked between two such rounds: it asks all vertices, and these have few edges.
 *
 * Orders. No one else runs: others wait at the barrier that the core comes to afterwards. So sets are changed by plain
 * stores too, where other rounds use atomics.
 */
#ifndef RD_SCHED_BSP_ONE_CORE_K_H
#define RD_SCHED_BSP_ONE_CORE_K_H

rd_fn rd_u32 bsp_suits_core(const bsp_ctx *c, const bsp_view *v)
{
    return !v->parts && !bsp_option(c, BSP_BITMAP);
}

/* What rounds in a row know of the next one. */
typedef struct {
    rd_u32 tasks, most;
    rd_u64 edges; /* of its tasks; most: of the largest */
} bsp_front_of;

/* Has the queue room for the tasks of the next round? */
rd_fn rd_u32 bsp_core_fits(const bsp_ctx *c, const bsp_view *v, rd_u32 tasks)
{
    return !BSP_GUARDED || v->ran + tasks <= c->vertices;
}

/* Where a round is. What does not change with every task is in registers: a core may not know that tasks, which write
 * words of their own, leave these alone. */
typedef struct {
    rd_global rd_u32 *queue; /* its tasks */
    rd_u64 left;             /* places of the queue from there on */
    rd_u32 number;
    rd_u32 set;
} bsp_core_at;

/* Runs the n tasks of a round, and appends what they give to the queue, behind them. */
rd_fn bsp_front_of bsp_core_round(const bsp_ctx *c, const rd_app *app, const bsp_core_at *at, rd_u32 n)
{
    rd_global rd_u32 *const queue = at->queue, *const to = queue + n;
    const rd_u64 room = at->left - n;
    bsp_front_of next = {0, 0, 0};
    for (rd_u32 i = 0; i < n; i++) {
        const rd_u32 task = queue[i], value = bsp_open(app, task, at->number);
        const rd_u64 end = rd_ld_const(&c->row[task + 1]);
        for (rd_u64 e = rd_ld_const(&c->row[task]); e < end; e++) {
            const rd_u32 target = rd_ld_const(&c->col[e]);
            rd_worker w = RD_WORKER_NEW;
            if (bsp_want(app, value, target, e))
                rd_app_edge(app, &w, task, value, target, e);
            if (!w.given)
                continue;
            if (!BSP_GUARDED || next.tasks < room)
                to[next.tasks] = w.task;
            const rd_u64 degree = rd_ld_const(&c->row[w.task + 1]) - rd_ld_const(&c->row[w.task]);
            const rd_u32 some = degree < BSP_DEGREE_LIMIT ? (rd_u32)degree : BSP_DEGREE_LIMIT;
            next.tasks++;
            next.edges += degree;
            next.most = some > next.most ? some : next.most;
#if BSP_CAN_PULL
            if (c->direction != BSP_ALWAYS_PUSH)
                bsp_set(c, at->set)[w.task / 32] |= 1u << (w.task % 32);
#endif
        }
    }
    return next;
}

/* The control words as if these rounds, of so many edges, had been run by all. v: the round that is next. */
rd_fn void bsp_core_leave(const bsp_ctx *c, const bsp_view *v, const bsp_front_of *next, rd_u32 rounds, rd_u64 looked)
{
    rd_global rd_u32 *const slot = bsp_slot(c, v->number), *const before = bsp_slot(c, v->number - 1);
    bsp_clear_slot(slot);
    bsp_clear_slot(bsp_slot(c, v->number + 1));
    bsp_put_wide(&slot[BSP_RAN], v->ran);
    slot[BSP_BIG_START] = v->big_start;
    slot[BSP_SET] = v->set;
    slot[BSP_NARROW] = v->narrow;
    slot[BSP_PHASE] = v->phase;
    slot[BSP_PROBED] = 0;
    slot[BSP_FAR] = v->far;
    before[BSP_KIND] = BSP_PUSH;
    before[BSP_WARY] = v->wary;
    bsp_put_wide(&before[BSP_SEEN_EDGES], v->seen - v->front + looked);
    rd_st64_rlx((rd_global rd_u64 *)&before[BSP_LOOKED], 0); /* partners, here and below: atomics of other rounds */
    rd_st_rlx(&slot[BSP_COUNT], next->tasks);
    rd_st64_rlx((rd_global rd_u64 *)&slot[BSP_FRONT_EDGES], next->edges);
    rd_st_rlx(&slot[BSP_MOST_EDGES], next->most);
    c->control[BSP_ROUNDS] += rounds;
    if (c->span && next->most > BSP_BIG(c) && bsp_core_fits(c, v, next->tasks))
        for (rd_u32 i = 0; i < next->tasks; i++) {
            const rd_u32 task = c->queue[v->ran + i];
            bsp_list_parts(c, slot, v->big_start, task, rd_ld_const(&c->row[task + 1]) - rd_ld_const(&c->row[task]));
        }
}

/* Runs rounds from this one on; v becomes the one that is next. *looked: edges of these rounds. */
rd_across(rd_apart, void, bsp_one_core,
          (const bsp_ctx *c, const rd_app *app, bsp_view *v, rd_global const rd_u32 *stop, rd_u64 *looked))
{
    const rd_u32 span = c->span ? BSP_BIG(c) : BSP_DEGREE_LIMIT;
    bsp_front_of next = {v->tasks, 0, v->front};
    bsp_core_at at = {c->queue + v->ran, c->vertices - v->ran, v->number, v->set};
    rd_u64 edges = 0;
    do {
        const rd_u32 n = next.tasks;
        edges += next.edges;
        next = bsp_core_round(c, app, &at, n);
        at.queue += n;
        at.left -= n;
        at.number++;
    } while (next.tasks && next.tasks <= BSP_ALONE_TASKS && next.edges <= BSP_ALONE_EDGES && next.most <= span &&
             !rd_asked_alone(stop) && (!BSP_GUARDED || next.tasks <= at.left)); /* partner: the host */
    const rd_u32 turns = at.number - v->number;
    v->ran = c->vertices - at.left;
    v->number = at.number;
    *looked = edges;
    bsp_core_leave(c, v, &next, turns, edges);
}

#endif
