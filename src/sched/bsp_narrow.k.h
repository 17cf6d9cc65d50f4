/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp_narrow.k.h - scheduler `bsp`, persistent: small rounds, run by group 0 alone. See bsp.k.h.
 *
 * On a road-like graph thousands of rounds have a thousand tasks each. Such a round is a chain of memory accesses, and
 * a global barrier with the trip of queue and counts through memory would double it. So group 0 runs small rounds by
 * itself while the others wait at the barrier.
 *
 * Where lanes run in warps it also keeps the tasks in its own memory: two fronts in turn, in the place of the stash. A
 * lane takes a task and follows its edges BSP_BATCH at a time; the finds of a warp get their places by one addition to
 * the group's tally; one group barrier ends the round. The app is not asked whether it wants an edge (a look before the
 * claim would be one more access in the chain), and the offsets of a vertex are loaded by the lane that finds it, at
 * the same time as the claim, so that they are near when the vertex is run. What remains of a round is the load of the
 * targets and the claims. Finds that do not fit go to their places in the queue at once, and the narrow time is over;
 * so it is when a vertex with many edges is found, which needs many lanes.
 *
 * Tallies: three entries in turn. In round t finds add to entry t % 3, all read it after the round's barrier, and entry
 * t + 1 is cleared during round t, when no one reads or adds to it.
 *
 * Orders. Only one group runs, and barriers of the group lie between rounds.
 */
#ifndef RD_SCHED_BSP_NARROW_K_H
#define RD_SCHED_BSP_NARROW_K_H

#include "sched/bsp_give.k.h"

#if BSP_BY_WARP

#define BSP_FRONT        (BSP_STASH / 2) /* tasks in a front */
#define BSP_FRONT_ENTER  (BSP_FRONT / 2) /* most tasks with which the narrow time begins */
#define BSP_NARROW_EDGES 16              /* most edges of a task */
#define BSP_NARROW_TURNS 1024            /* rounds before the host's wish to stop is looked at */
#define BSP_TALLY_COUNT  0
#define BSP_TALLY_BIG    1
#define BSP_TALLY_WORDS  2 /* of an entry */

rd_fn rd_u32 bsp_is_small(const bsp_ctx *c, const bsp_view *v)
{
    return v->kind == BSP_PUSH && v->tasks <= BSP_FRONT_ENTER && v->most <= BSP_NARROW_EDGES;
}

/* What a lane counts while the group is alone. */
typedef struct {
    rd_u32 looked;      /* edges */
    rd_u32 given, most; /* edges of what it found in this round, and of the largest */
    rd_u32 before;      /* edges of what it found in earlier ones */
} bsp_narrow_count;

/* Finds of a warp, one lane's at where[] and found[], into the front or the queue. All lanes of the warp come here. */
rd_fn void bsp_narrow_keep(const bsp_ctx *c, bsp_group *g, rd_local rd_u32 *front, rd_local rd_u32 *tally,
                           rd_global rd_u32 *queue, const rd_u32 *found, const rd_u32 *where)
{
    const rd_u32 lower = (1u << rd_warp_lane()) - 1;
    rd_u32 place[BSP_BATCH], all = 0, at = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        const rd_u32 mask = rd_warp_ballot(where[k] == BSP_NEXT);
        place[k] = all + rd_popcount(mask & lower);
        all += rd_popcount(mask);
    }
    if (all) {
        if (rd_warp_lane() == 0)
            at = rd_local_add(&tally[BSP_TALLY_COUNT], all); /* partner: the same in other warps */
        at = rd_warp_shuffle(at, 0);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            if (where[k] == BSP_NEXT) {
                const rd_u32 i = at + place[k];
                if (i < BSP_FRONT)
                    front[i] = found[k];
                else
                    queue[i] = found[k];
#if BSP_CAN_PULL
                if (c->direction != BSP_ALWAYS_PUSH) /* partner: the same in other lanes */
                    rd_or_rlx(&bsp_set(c, g->view.set)[found[k] / 32], 1u << (found[k] % 32));
#endif
            }
    }
#if BSP_REPEATS
    rd_u32 late = 0, late_at = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        const rd_u32 mask = rd_warp_ballot(where[k] == BSP_LATER);
        place[k] = where[k] == BSP_LATER ? late + rd_popcount(mask & lower) : 0;
        late += rd_popcount(mask);
    }
    if (late) {
        if (rd_warp_lane() == 0) /* partner: the same in other warps */
            late_at = rd_add_rlx(&bsp_pile_words(c, g->view.pile)[BSP_PILE_COUNT], late);
        late_at = rd_warp_shuffle(late_at, 0);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            if (where[k] == BSP_LATER)
                bsp_pile(c, g->view.pile)[late_at + place[k]] = found[k];
    }
#endif
}

/* The edges of one task a lane; lanes of a warp stay together. n: the lane has a task, v. */
rd_fn void bsp_narrow_task(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_local rd_u32 *front,
                           rd_local rd_u32 *tally, rd_global rd_u32 *queue, rd_u32 v, rd_u32 n, bsp_narrow_count *count)
{
    rd_u64 e = n ? rd_ld_const(&c->row[v]) : 0;
    const rd_u64 end = n ? rd_ld_const(&c->row[v + 1]) : 0;
    const rd_u32 value = n ? rd_app_open(app, v) : 0;
    if (n)
        bsp_taken(c, g, v);
    count->looked += (rd_u32)(end - e);
    while (rd_warp_ballot(e < end)) {
        rd_u32 found[BSP_BATCH], where[BSP_BATCH], degree[BSP_BATCH];
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            found[k] = e + k < end ? rd_ld_const(&c->col[e + k]) : 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++) {
            const rd_u64 from = rd_ld_const(&c->row[found[k]]), to = rd_ld_const(&c->row[found[k] + 1]);
            degree[k] = to - from > BSP_NARROW_EDGES ? BSP_NARROW_EDGES + 1 : (rd_u32)(to - from);
        }
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++) {
            rd_worker w = RD_WORKER_NEW;
            if (e + k < end)
                rd_app_edge(app, &w, v, value, found[k], e + k);
            where[k] = bsp_place(c, g, &w);
            count->given += where[k] == BSP_NEXT ? degree[k] : 0;
            count->most = where[k] == BSP_NEXT && degree[k] > count->most ? degree[k] : count->most;
        }
        bsp_narrow_keep(c, g, front, tally, queue, found, where);
        e += BSP_BATCH;
    }
}

/* The control words as if these rounds had been run by all; the front into the queue. n: tasks of the round that is
 * next. */
rd_fn void bsp_narrow_leave(const bsp_ctx *c, bsp_group *g, rd_local const rd_u32 *front, rd_u32 n, rd_u32 rounds,
                            const bsp_narrow_count *count)
{
    bsp_view *v = &g->view; /* of the round that is next */
    const rd_u32 looked = rd_group_sum(g->scratch, count->looked), before = rd_group_sum(g->scratch, count->before);
    g->edges += looked;
    g->now = bsp_slot(c, v->number);
    v->big_start = bsp_parts_start(c, v->number, v->big_start);
    if (rd_lane() == 0) {
        bsp_clear_slot(g->now);
        bsp_clear_slot(bsp_slot(c, v->number + 1));
        bsp_put_wide(&g->now[BSP_RAN], v->ran);
        g->now[BSP_BIG_START] = v->big_start;
        g->now[BSP_SET] = v->set;
        g->now[BSP_PHASE] = v->phase;
        g->now[BSP_PILE] = v->pile;
        bsp_slot(c, v->number - 1)[BSP_KIND] = BSP_PUSH;
        bsp_put_wide(&bsp_slot(c, v->number - 1)[BSP_SEEN_EDGES], v->seen + before);
        c->control[BSP_ROUNDS] += rounds;
        rd_st_rlx(&g->now[BSP_COUNT], n); /* partners: the atomics of other rounds */
    }
    rd_barrier(); /* the slot is ready */
    g->degrees = 0;
    g->most = 0;
    rd_global rd_u32 *queue = c->queue + bsp_queue_start(c, v->number, v->ran);
    for (rd_u32 i = rd_lane(); i < n; i += rd_lanes()) {
        const rd_u32 task = i < BSP_FRONT ? front[i] : queue[i];
        const rd_u64 degree = rd_ld_const(&c->row[task + 1]) - rd_ld_const(&c->row[task]);
        queue[i] = task;
        bsp_list_parts(c, g->now, v->big_start, task, degree);
        bsp_note_degree(g, degree);
    }
    g->next = g->now; /* which is what the counts are for */
    bsp_report_round(c, g, 1);
}

/* Runs rounds from this one on. @return the number of the round that is next. */
rd_fn rd_u32 bsp_narrow(const bsp_ctx *c, const rd_app *app, bsp_group *g)
{
    bsp_view *v = &g->view;
    rd_local rd_u32 *front = g->stash, *other = g->stash + BSP_FRONT;
    rd_u32 n = v->tasks, big = 0, turn = 0;
    bsp_narrow_count count = {0, 0, 0, 0};
    for (rd_u32 i = rd_lane(); i < n; i += rd_lanes())
        front[i] = c->queue[v->start + i];
    if (rd_lane() < 3 * BSP_TALLY_WORDS)
        g->tally[rd_lane()] = 0;
    g->soonest = BSP_NEVER;
    rd_barrier(); /* front and tallies are ready */
    while (n && n <= BSP_FRONT && !big && turn < BSP_NARROW_TURNS) {
        rd_local rd_u32 *tally = g->tally + turn % 3 * BSP_TALLY_WORDS;
        rd_global rd_u32 *queue = c->queue + bsp_queue_start(c, v->number + 1, v->ran + n);
        if (rd_lane() < BSP_TALLY_WORDS)
            g->tally[(turn + 1) % 3 * BSP_TALLY_WORDS + rd_lane()] = 0;
        count.before += count.given;
        count.given = 0;
        count.most = 0;
        for (rd_u32 i = rd_lane(); i - rd_warp_lane() < n; i += rd_lanes())
            bsp_narrow_task(c, app, g, other, tally, queue, i < n ? front[i] : 0, i < n, &count);
        if (count.most > BSP_NARROW_EDGES)
            rd_local_add(&tally[BSP_TALLY_BIG], 1); /* partner: the same in other lanes */
        rd_barrier();                               /* the round is over */
        v->ran += n;
        v->number++;
        turn++;
        n = tally[BSP_TALLY_COUNT];
        big = tally[BSP_TALLY_BIG];
        rd_local rd_u32 *swap = front;
        front = other;
        other = swap;
    }
    bsp_narrow_leave(c, g, front, n, turn, &count);
    return v->number;
}

#else

#define BSP_ALONE_TASKS 64
#define BSP_ALONE_EDGES 512

rd_fn rd_u32 bsp_is_small(const bsp_ctx *c, const bsp_view *v)
{
    return v->kind == BSP_PUSH && v->tasks <= BSP_ALONE_TASKS && v->front <= BSP_ALONE_EDGES;
}

#endif

#endif
