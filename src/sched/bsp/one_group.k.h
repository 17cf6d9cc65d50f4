/* SPDX-License-Identifier: Apache-2.0 */
/*
 * one_group.k.h - scheduler `bsp`, persistent: small rounds, run by group 0 alone. See bsp.k.h.
 *
 * On a road-like graph thousands of rounds have a thousand tasks each. Such a round is a chain of memory accesses, and
 * a global barrier with the trip of queue and counts through memory would double it. So group 0 runs small rounds by
 * itself while the others wait at the barrier.
 *
 * Where lanes run in warps it also keeps the tasks in its own memory: two fronts in turn, in the place of the stash.
 * The finds of a warp get their places by one addition to the group's tally; one group barrier ends the round. What
 * limits it is not latency but how many lines of memory one multiprocessor can ask for, about one a clock. So a team of
 * four lanes takes a task: together they ask for its offsets, and for its next four edges, in one line each; and each
 * lane does that for BSP_BATCH tasks at a time. The app is not asked whether it wants an edge, and degrees of finds are
 * looked at only in graphs where some vertex has many edges (BSP_FLAT is 0). Such a vertex needs many lanes: the time
 * of one group ends before the round that has it. It also ends when finds do not fit the front; those that do not are
 * written to their places in the queue at once.
 *
 * Tallies: three entries in turn. In round t finds add to entry t % 3, all read it after the round's barrier, and entry
 * t + 1 is cleared during round t, when no one reads or adds to it.
 *
 * Orders. Only one group runs, and barriers of the group lie between rounds.
 */
#ifndef RD_SCHED_BSP_ONE_GROUP_K_H
#define RD_SCHED_BSP_ONE_GROUP_K_H

#include "sched/bsp/give.k.h"

#if BSP_BY_WARP

#define BSP_FRONT       (BSP_STASH / 2) /* tasks in a front */
#define BSP_ALONE_EDGES 2048            /* about so many edges are as soon visited by all groups */
#define BSP_ALONE_TURNS 1024            /* rounds before the host's wish to stop is looked at */
#define BSP_TEAM_LANES  4               /* lanes that share a task */
#define BSP_TALLY_COUNT 0
#define BSP_TALLY_BIG   1
#define BSP_TALLY_WORDS 2 /* of an entry */

/* Most tasks of a round that is run by one group; it begins with half as many. By the mean degree where no vertex has
 * many edges; else the round is known to have none of those that do. */
rd_fn rd_u32 bsp_alone_most(const bsp_ctx *c)
{
    const rd_u64 edges = c->edges ? c->edges : 1,
                 tasks = BSP_FLAT ? (rd_u64)BSP_ALONE_EDGES * c->vertices / edges : 512;
    return tasks < BSP_FRONT ? (rd_u32)tasks : BSP_FRONT;
}

rd_fn rd_u32 bsp_is_small(const bsp_ctx *c, const bsp_view *v)
{
    return v->kind == BSP_PUSH && v->tasks <= bsp_alone_most(c) / 2 && v->most <= BSP_ONE_GROUP_EDGES &&
           !bsp_option(c, BSP_BITMAP) && !BSP_LATE; /* the front in its own memory is of claimed ones */
}

/* Where finds go. */
typedef struct {
    rd_local rd_u32 *front;
    rd_local rd_u32 *tally;
    rd_global rd_u32 *queue; /* what does not fit the front */
    rd_u32 room;             /* there */
} bsp_narrow_to;

/* Finds of a warp, one lane's at where[] and found[], into the front or the queue. All lanes of the warp come here. */
rd_fn void bsp_narrow_keep(const bsp_ctx *c, bsp_group *g, const bsp_narrow_to *to, const rd_u32 *found,
                           const rd_u32 *where)
{
    const rd_u32 lower = (1u << rd_warp_lane()) - 1;
    rd_u32 place[BSP_BATCH], all = 0, at = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        const rd_u32 mask = rd_warp_ballot(where[k] == EDGES_NEXT);
        place[k] = all + rd_popcount(mask & lower);
        all += rd_popcount(mask);
    }
    if (all) {
        if (rd_warp_lane() == 0)
            at = rd_add_local(&to->tally[BSP_TALLY_COUNT], all); /* partner: the same in other warps */
        at = rd_warp_shuffle(at, 0);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            if (where[k] == EDGES_NEXT) {
                const rd_u32 i = at + place[k];
                if (i < BSP_FRONT)
                    to->front[i] = found[k];
                else if (!BSP_GUARDED || i < to->room)
                    to->queue[i] = found[k];
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
        const rd_u32 mask = rd_warp_ballot(where[k] == EDGES_LATER);
        place[k] = where[k] == EDGES_LATER ? late + rd_popcount(mask & lower) : 0;
        late += rd_popcount(mask);
    }
    if (late) {
        if (rd_warp_lane() == 0) /* partner: the same in other warps */
            late_at = rd_add_rlx(&bsp_far_words(c, g->view.far)[BSP_FAR_COUNT], late);
        late_at = rd_warp_shuffle(late_at, 0);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            if (where[k] == EDGES_LATER)
                bsp_far(c, g->view.far)[late_at + place[k]] = found[k];
    }
#endif
}

/* The tasks front[at], front[at + stride] ... of the lane's team, BSP_BATCH of them at most; lanes of a warp stay
 * together. @return the edges of the tasks, counted once a team. */
rd_fn rd_u32 bsp_narrow_tasks(const bsp_ctx *c, const rd_app *app, bsp_group *g, const bsp_narrow_to *to,
                              rd_local const rd_u32 *front, rd_u32 n, rd_u32 at, rd_u32 stride)
{
    const rd_u32 me = rd_warp_lane() % BSP_TEAM_LANES, odd = me % 2;
    rd_u32 v[BSP_BATCH], value[BSP_BATCH], left[BSP_BATCH], all = 0, looked = 0; /* left: edges of this lane */
    rd_u64 e[BSP_BATCH];
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        const rd_u32 i = at + k * stride;
        left[k] = i < n;
        v[k] = left[k] ? front[i] : 0;
        e[k] = rd_ld_const(&c->row[v[k] + odd]); /* where its edges begin; in odd lanes, where they end */
    }
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        const rd_u32 here = (rd_u32)e[k], there = rd_warp_shuffle(here, rd_warp_lane() ^ 1);
        const rd_u32 degree = !left[k] ? 0 : odd ? here - there : there - here;
        value[k] = left[k] ? bsp_open(app, v[k], g->view.number) : 0;
        if (left[k] && me == 0) {
            bsp_taken(c, g, v[k]);
            looked += degree;
        }
        e[k] = (odd ? e[k] - degree : e[k]) + me; /* in 64 bits: me may be less than the degree */
        left[k] = degree > me ? (degree - me - 1) / BSP_TEAM_LANES + 1 : 0;
        all |= left[k];
    }
    while (rd_warp_ballot(all)) {
        rd_u32 found[BSP_BATCH], where[BSP_BATCH];
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            found[k] = left[k] ? rd_ld_const(&c->col[e[k]]) : 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++) {
            rd_worker w = RD_WORKER_NEW;
            if (left[k])
                rd_app_edge(app, &w, v[k], value[k], found[k], e[k]);
            where[k] = bsp_place_as(c, g, &w, 0);
        }
#if !BSP_FLAT
        rd_u32 big = 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            if (where[k] == EDGES_NEXT)
                big |= rd_ld_const(&c->row[found[k] + 1]) - rd_ld_const(&c->row[found[k]]) > BSP_ONE_GROUP_EDGES;
        if (big)
            rd_add_local(&to->tally[BSP_TALLY_BIG], 1); /* partner: the same in other lanes */
#endif
        bsp_narrow_keep(c, g, to, found, where);
        all = 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++) {
            e[k] += BSP_TEAM_LANES;
            left[k] -= left[k] != 0;
            all |= left[k];
        }
    }
    return looked;
}

/* Has the queue room for the n tasks of the next round? */
rd_fn rd_u32 bsp_narrow_fits(const bsp_ctx *c, const bsp_view *v, rd_u32 n)
{
    return !BSP_GUARDED || v->ran + n <= c->vertices;
}

/* The control words as if these rounds, and so many tasks, had been run by all; the front into the queue. n: tasks of
 * the round that is next. */
rd_fn void bsp_narrow_leave(const bsp_ctx *c, bsp_group *g, rd_local const rd_u32 *front, rd_u32 n, rd_u32 rounds,
                            rd_u32 ran, rd_u32 lane_looked)
{
    bsp_view *v = &g->view; /* of the round that is next */
    const rd_u32 looked = rd_group_sum(g->scratch, lane_looked);
    g->edges += looked;
    g->now = bsp_slot(c, v->number);
    v->big_start = bsp_parts_start(c, v->number, v->big_start);
    if (rd_lane() == 0) {
        bsp_clear_slot(g->now);
        bsp_clear_slot(bsp_slot(c, v->number + 1));
        bsp_put_wide(&g->now[BSP_RAN], v->ran);
        g->now[BSP_BIG_START] = v->big_start;
        g->now[BSP_SET] = v->set;
        g->now[BSP_NARROW] = v->narrow;
        g->now[BSP_PHASE] = v->phase;
#if BSP_WIDENS
        bsp_put_width(g->now, v, ran);
#endif
        g->now[BSP_FAR] = v->far;
        bsp_slot(c, v->number - 1)[BSP_KIND] = BSP_PUSH;
        bsp_slot(c, v->number - 1)[BSP_WARY] = v->wary;
        rd_st64_rlx((rd_global rd_u64 *)&bsp_slot(c, v->number - 1)[BSP_LOOKED], 0); /* partner: as of the others */
        bsp_put_wide(&bsp_slot(c, v->number - 1)[BSP_SEEN_EDGES], v->seen - v->front + looked);
        c->control[BSP_ROUNDS] += rounds;
        rd_st_rlx(&g->now[BSP_COUNT], n); /* partners: the atomics of other rounds */
    }
    rd_barrier(); /* the slot is ready */
    g->degrees = 0;
    g->most = 0;
    rd_global rd_u32 *queue = c->queue + bsp_queue_start(c, v->number, v->ran);
    for (rd_u32 i = rd_lane(); i < n && bsp_narrow_fits(c, v, n); i += rd_lanes()) {
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
rd_fn rd_u32 bsp_one_group(const bsp_ctx *c, const rd_app *app, bsp_group *g)
{
    bsp_view *v = &g->view;
    const rd_u32 teams = rd_lanes() / BSP_TEAM_LANES;
    rd_local rd_u32 *front = g->stash, *other = g->stash + BSP_FRONT;
    const rd_u32 most = bsp_alone_most(c);
    const rd_u64 before = v->ran;
    rd_u32 n = v->tasks, big = 0, turn = 0, looked = 0;
    for (rd_u32 i = rd_lane(); i < n; i += rd_lanes())
        front[i] = c->queue[v->start + i];
    if (rd_lane() < 3 * BSP_TALLY_WORDS)
        g->tally[rd_lane()] = 0;
    g->soonest = BSP_NEVER;
    rd_barrier(); /* front and tallies are ready */
    while (n && n <= most && !big && turn < BSP_ALONE_TURNS && bsp_narrow_fits(c, v, n)) {
        bsp_narrow_to to;
        to.front = other;
        to.tally = g->tally + turn % 3 * BSP_TALLY_WORDS;
        to.queue = c->queue + bsp_queue_start(c, v->number + 1, v->ran + n);
        to.room = BSP_GUARDED ? (rd_u32)(c->vertices - v->ran - n) : 0;
        if (rd_lane() < BSP_TALLY_WORDS)
            g->tally[(turn + 1) % 3 * BSP_TALLY_WORDS + rd_lane()] = 0;
        for (rd_u32 i = rd_lane() / BSP_TEAM_LANES; i - rd_warp_lane() / BSP_TEAM_LANES < n; i += BSP_BATCH * teams)
            looked += bsp_narrow_tasks(c, app, g, &to, front, n, i, teams);
        rd_barrier(); /* the round is over */
        v->ran += n;
        v->number++;
        turn++;
        n = to.tally[BSP_TALLY_COUNT];
        big = to.tally[BSP_TALLY_BIG];
        rd_local rd_u32 *swap = front;
        front = other;
        other = swap;
    }
    bsp_narrow_leave(c, g, front, n, turn, (rd_u32)(v->ran - before), looked);
    return v->number;
}

#else

#define BSP_ALONE_TASKS 128
#define BSP_ALONE_EDGES 1024

rd_fn rd_u32 bsp_is_small(const bsp_ctx *c, const bsp_view *v)
{
    return v->kind == BSP_PUSH && v->tasks <= BSP_ALONE_TASKS && v->front <= BSP_ALONE_EDGES &&
           !(BSP_FUSES && c->bin_words); /* whoever has bins takes part in every round */
}

#if BSP_BY_CORE
#include "sched/bsp/one_core.k.h"
#endif

#endif

#endif
