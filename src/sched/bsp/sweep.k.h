/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.k.h - sweeps under scheduler `bsp`, kernel side: a step asks the app's functions of every vertex, with or
 * without its edges; what the step gained decides the phase of the next one, on the device (model/sweep.k.h says what
 * an app gives).
 *
 * Steps. One kernel runs steps first, first + 1, ... For launch `discrete` it runs one and the host launches the next;
 * for `persistent` it runs all, with a global barrier between two. A step needs only what the step before left in its
 * slot of the control words: its phase and its gains, from which every lane finds the next phase by itself. One lane
 * writes the new phase into the new slot and clears the slot of the next step, which no one touches now. So the host
 * may launch many steps without looking; one after the end does nothing. Apps are told what two steps gained when they
 * choose a phase (rd_app_next), so a launch begins with a look at the slot of the step before the last one.
 *
 * Walking. A claim is a run of vertices, a vertex a lane. A vertex with few edges is folded by its lane, one with more
 * by the lane's warp, vertex after vertex, where there are warps. A vertex with more than `span` edges is cut into
 * parts of as many, each a claim for a whole group; parts come first, being the longest pieces of work. The group that
 * completes the last part of a vertex joins what all of them came to, in the order of parts, and asks rd_app_vertex.
 * Vertices may be scattered (bsp/sweep_scatter.k.h): then a group takes runs of them that lie far apart. Where an app
 * may be asked again within a step, wide groups stay with their vertices instead (bsp/sweep_stay.k.h). Cores may leave
 * a step half-way, and another launch goes on with it (bsp/sweep_core.k.h).
 *   Groups start with the claim of their own number and take further ones through CURSOR; of a step on cores, which
 * have caches of their own, each takes those of its own range first (bsp/sweep_ranges.k.h). Where the app has a list of
 * the vertices to walk, a claim is a run of the list; parts are of all big vertices, and those of one that is not
 * walked are passed over.
 *   This is the choice by degree of Merrill, Garland and Grimshaw (PPoPP 2012), by lane, warp and group.
 *
 * Orders. Between steps: a launch happens after the one before it, and the global barrier orders all that was before it
 * before all that is after. Within a step atomics are relaxed, as they only count and hand out places; except `done` of
 * a vertex in parts: its additions are acq_rel, so that who adds the last one sees all that parts came to.
 */
#ifndef RD_SCHED_SWEEP_K_H
#define RD_SCHED_SWEEP_K_H

#include "sched/bsp/sweep_fold.k.h"
#include "sched/bsp/sweep_scatter.k.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/discovery.k.h"

#if RD_LANES == 1
#define SWEEP_MOST_CLAIM 1024 /* vertices: enough to make a claim cheap beside the work */
#else
#define SWEEP_MOST_CLAIM (8 * rd_lanes()) /* whole tiles: CPUs for tests have fewer lanes than RD_LANES */
#endif
#define SWEEP_PARTS_RUN 16
#if RD_APP_PATIENT && RD_LANES > 1
#define SWEEP_STAYS 1
#else
#define SWEEP_STAYS 0
#endif
#define SWEEP_STRETCH 2048 /* items a CPU's thread takes at once when it does not walk, at most */
#ifdef RD_SHARES_CORES
#define SWEEP_LEAVES 1 /* steps may be left half-way: bsp/sweep_core.k.h */
#else
#define SWEEP_LEAVES 0
#endif
/* SWEEP_PERSISTENT is a constant where programs are compiled for a launch, so that there is no barrier behind a
 * condition; the CPU's one program takes the argument. */

rd_context(sweep_ctx, SWEEP_ARGS);

/* A group as a participant: private, equal in all lanes; except edges, the lane's own. */
typedef struct {
    rd_local rd_u32 *scratch;
    rd_u32 id, count;
    rd_global rd_u32 *now; /* the step's slot */
    rd_u64 edges;
    rd_f32 total, lost; /* of one lane: the sum so far, and how much more the roundings made of it */
    rd_f32 second, second_lost;
#if SWEEP_LEAVES
    rd_u32 looks; /* it may be asked to leave within a step */
#endif
} sweep_group;

/* The second total goes back into the app's numbers, step after step, so it is kept as exact as single precision can:
 * what a rounding took is given back by the next addition (W. Kahan, 1965), vertex by vertex. */
rd_fn void sweep_add_second(sweep_group *g, rd_gain *gain)
{
    if (RD_GAINS & RD_GAIN_SECOND && (!RD_CORE || gain->second != 0)) { /* one addition waits for the other */
        const rd_f32 x = gain->second - g->second_lost, sum = g->second + x;
        g->second_lost = (sum - g->second) - x;
        g->second = sum;
        gain->second = 0;
    }
}

/* ---- Claims ---- */

/* The i-th vertex to walk. */
rd_fn rd_u32 sweep_item(const rd_app *app, const rd_sweep *s, rd_u32 i)
{
#if RD_SWEEP_LISTS
    if (RD_SWEEP_LISTED(app, s))
        return rd_app_item(app, s, i);
#endif
    return i;
}

/* Asks vertex v, whose edges are from .. to - 1, a vertex a lane; mine: this lane has one. One of more than `most`
 * edges is put off. @return 1: v was put off, or has added to gain->sum. */
rd_fn rd_u32 sweep_ask(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                       rd_u32 v, rd_u64 from, rd_u64 to, rd_u32 mine, rd_u64 most)
{
    rd_u32 again = 0;
    RD_FOLD fold = RD_FOLD_NONE;
    mine = mine && (!c->span || to - from <= c->span); /* else its parts are claims of their own */
    if (mine) {
        rd_app_edges(app, s, v, &from, &to);
        again = to - from > most;
        mine = !again;
    }
    if (mine)
        g->edges += to - from;
#if SWEEP_BY_WARP
    const rd_u32 degree = mine ? (rd_u32)(to - from) : 0;
    fold = sweep_fold_wide(app, s, v, from, degree);
    if (!rd_warp_ballot(degree > SWEEP_FEW))
        fold = sweep_fold_few(app, s, v, from, degree);
    else if (degree < SWEEP_WIDE)
        fold = sweep_fold(app, s, v, from, from + degree, 1);
#else
    if (mine)
        fold = sweep_fold(app, s, v, from, to, 1);
#endif
    if (mine) {
        const rd_u32 sum = gain->sum;
        rd_app_vertex(app, s, v, fold, gain);
        sweep_add_second(g, gain);
        again = gain->sum != sum;
    }
    return again;
}

/* A vertex a lane, from the place `base` on; there are so many items. */
rd_fn void sweep_tile(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                      rd_u32 base, rd_u32 items)
{
    const rd_u32 place = base + rd_lane(), i = sweep_at(c->scattered, place, items);
    rd_u32 mine = place >= base && place < sweep_places(c->scattered, items) && i < items;
    const rd_u32 v = mine ? sweep_item(app, s, i) : i;
    mine = mine && !RD_SWEEP_IDLE(app, s, v); /* before anything else of it is loaded */
    const rd_u64 from = mine ? rd_ld_const(&s->row[v]) : 0, to = mine ? rd_ld_const(&s->row[v + 1]) : 0;
    (void)sweep_ask(c, app, s, g, gain, v, from, to, mine, ~(rd_u64)0);
}

#if RD_LANES > 1

/* The share of this lane in part number p. */
rd_fn RD_FOLD sweep_part(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_u32 p)
{
    const rd_u64 part = rd_ld_const(&c->parts[p]);
    const rd_u32 v = (rd_u32)part;
    rd_u64 from = rd_ld_const(&s->row[v]), to = rd_ld_const(&s->row[v + 1]);
    const rd_u64 begin = from + (part >> 32) * c->span, end = to - begin < c->span ? to : begin + c->span;
    rd_app_edges(app, s, v, &from, &to);
    from = from < begin ? begin : from;
    to = RD_SWEEP_IDLE(app, s, v) ? from : to > end ? end : to;
    if (rd_lane() == 0 && from < to)
        g->edges += to - from;
#if SWEEP_BY_WARP
    return sweep_fold_shared(app, s, v, from + rd_lane(), to, rd_lanes(), RD_WARP);
#else
    return sweep_fold(app, s, v, from + rd_lane(), to, rd_lanes());
#endif
}

#if RD_SWEEP_LISTS

/* Is part p walked? In a step with a list all lanes have to agree, whatever others change meanwhile. */
rd_fn rd_u32 sweep_has_part(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_u32 p)
{
    rd_u32 has = 1;
    if (rd_lane() == 0 && RD_SWEEP_LISTED(app, s)) {
        const rd_u32 v = (rd_u32)rd_ld_const(&c->parts[p]);
        rd_u64 from = rd_ld_const(&s->row[v]), to = rd_ld_const(&s->row[v + 1]);
        rd_app_edges(app, s, v, &from, &to);
        has = from < to;
    }
    return rd_group_broadcast(g->scratch, has, 0);
}

#endif

/* Joins the lanes' shares of part p; the last part of a vertex to be complete completes the vertex. */
rd_fn void sweep_complete(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                          rd_u32 p, RD_FOLD share)
{
    const rd_u32 lane = rd_lane();
    g->scratch[lane] = RD_FOLD_WORD(share);
    rd_barrier();                                         /* all shares are there */
    for (rd_u32 n = rd_lanes(); n > 1; n = (n + 1) / 2) { /* the upper part may be one short */
        const rd_u32 rest = (n + 1) / 2;
        if (lane + rest < n)
            g->scratch[lane] =
                RD_FOLD_WORD(sweep_join(RD_FOLD_OF(g->scratch[lane]), RD_FOLD_OF(g->scratch[lane + rest])));
        rd_barrier();
    }
    if (lane == 0) {
        const rd_u64 part = rd_ld_const(&c->parts[p]);
        const rd_u32 v = (rd_u32)part, begin = p - (rd_u32)(part >> 32);
        const rd_u64 degree = rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]);
        const rd_u32 all = (rd_u32)((degree + c->span - 1) / c->span);
        c->partial[p] = g->scratch[0];
        if (rd_add_acqrel(&c->done[begin], 1) == all - 1) { /* pairs with the same addition by the other parts */
            RD_FOLD x = RD_FOLD_NONE;
            for (rd_u32 i = 0; i < all;) { /* in runs: a sum of hundreds one by one would be rounded as often */
                RD_FOLD run = RD_FOLD_NONE;
                for (const rd_u32 end = all - i < SWEEP_PARTS_RUN ? all : i + SWEEP_PARTS_RUN; i < end; i++)
                    run = sweep_join(run, RD_FOLD_OF(c->partial[begin + i]));
                x = sweep_join(x, run);
            }
            rd_st_rlx(&c->done[begin], 0); /* for the next step, which comes after all of this one */
            rd_app_vertex(app, s, v, x, gain);
            sweep_add_second(g, gain);
        }
    }
    rd_barrier(); /* scratch may be used again */
}

#endif

/* After each claim of a lane that has many. A step may add up a million numbers: one after another, in single
 * precision, each would be rounded to the size of the sum. Here what a rounding took is given back by the next addition
 *, as above. */
rd_fn void sweep_add_up(sweep_group *g, rd_gain *gain)
{
#if RD_WARP == 1
    if (RD_GAINS & RD_GAIN_TOTAL) {
        const rd_f32 x = gain->total - g->lost, sum = g->total + x;
        g->lost = (sum - g->total) - x;
        g->total = sum;
        gain->total = 0;
    }
#endif
}

/* @return the number of the next claim, or `claims` when none is left. */
rd_fn rd_u32 sweep_next_claim(sweep_group *g, rd_u32 claims)
{
    rd_u32 claim = claims;
    if (rd_lane() == 0 && g->count < claims)
        claim = g->count + rd_add_rlx(&g->now[SWEEP_CURSOR], 1); /* partner: the same add in other groups */
    return rd_group_broadcast(g->scratch, claim < claims ? claim : claims, 0);
}

/* Vertices of very many edges, part by part. walks = 0: none. */
rd_fn void sweep_parts(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                       rd_u32 walks)
{
#if RD_LANES > 1 /* else the host makes no parts */
    const rd_u32 parts = walks ? c->part_count : 0;
    for (rd_u32 p = g->id; p < parts; p += g->count) {
#if RD_SWEEP_LISTS
        rd_once(sweep_has_part(c, app, s, g, p))
#endif
            sweep_complete(c, app, s, g, gain, p, sweep_part(c, app, s, g, p));
    }
#endif
}

#if SWEEP_LEAVES
#include "sched/bsp/sweep_core.k.h"
#else
#include "sched/bsp/sweep_wide.k.h"
#endif

/* ---- Steps ---- */

/* The sum over the group, in lane 0. */
rd_fn rd_f32 sweep_group_total(rd_local rd_u32 *scratch, rd_f32 x)
{
    const rd_u32 lane = rd_lane();
    scratch[lane] = rd_as_u32(x);
    rd_barrier();
    for (rd_u32 n = rd_lanes(); n > 1; n = (n + 1) / 2) { /* the upper part may be one short */
        const rd_u32 rest = (n + 1) / 2;
        if (lane + rest < n)
            scratch[lane] = rd_as_u32(rd_as_f32(scratch[lane]) + rd_as_f32(scratch[lane + rest]));
        rd_barrier();
    }
    const rd_f32 all = rd_as_f32(scratch[0]);
    rd_barrier();
    return all;
}

/* Who tells what of the group: lane 0 of all where lanes come in warps; else, where lanes are few and barriers dear,
 * each lane its own. */
#if RD_WARP > 1
#define SWEEP_TELLS       (rd_lane() == 0)
#define SWEEP_OF(f, g, x) f((g)->scratch, x)
#else
#define SWEEP_TELLS       1
#define SWEEP_OF(f, g, x) (x)
#endif

/* Adds up what the group gained. All these are relaxed: read in the next step. Partners: the same in other groups. */
rd_fn void sweep_gather(const sweep_group *g, const rd_gain *gain)
{
    if (RD_GAINS & RD_GAIN_SUM) {
        const rd_u32 sum = SWEEP_OF(rd_group_sum, g, gain->sum);
        if (SWEEP_TELLS && sum)
            rd_add_rlx(&g->now[SWEEP_SUM], sum);
    }
    if (RD_GAINS & RD_GAIN_MOST) {
        const rd_u32 most = SWEEP_OF(rd_group_max, g, gain->most);
        if (SWEEP_TELLS && most)
            rd_max_rlx(&g->now[SWEEP_MOST], most);
    }
    if (RD_GAINS & RD_GAIN_TOTAL) {
        const rd_f32 total = SWEEP_OF(sweep_group_total, g, g->total + gain->total); /* one of them is 0 */
        if (SWEEP_TELLS && total != 0)
            rd_addf_rlx((rd_global rd_f32 *)&g->now[SWEEP_TOTAL], total);
    }
    if (RD_GAINS & RD_GAIN_SECOND) {
        const rd_f32 second = SWEEP_OF(sweep_group_total, g, g->second + gain->second);
        if (SWEEP_TELLS && second != 0)
            rd_addf_rlx((rd_global rd_f32 *)&g->now[SWEEP_SECOND], second);
    }
}

#include "sched/bsp/sweep_turn.k.h"

/* Launch `graph` (SWEEP_LOOPS): the device repeats SWEEP_LOOP launches of one step and one of sweep_again. */
#ifdef SWEEP_LOOPS
#define SWEEP_FIRST c.control[SWEEP_AT] /* written by a launch before */
#define SWEEP_STOPS 0                   /* the tail looks: steps after the last would wear out the slots */
#elif SWEEP_LEAVES
#define SWEEP_FIRST 0
#define SWEEP_STOPS (!g.looks && rd_stopped())
#else
#define SWEEP_FIRST 0
#define SWEEP_STOPS rd_asked_alone(rd_stop_word())
#endif
#if SWEEP_LEAVES
#define SWEEP_AGAIN(c, step)    rest_resumes((c)->control + SWEEP_REST, step)
#define SWEEP_IS_LEFT(c, step)  rest_is_left((c)->control + SWEEP_REST, step)
#define SWEEP_WAS_LEFT(c, step) rest_was_left((c)->control + SWEEP_REST, step)
#else
#define SWEEP_AGAIN(c, step)    0
#define SWEEP_IS_LEFT(c, step)  0
#define SWEEP_WAS_LEFT(c, step) 0
#endif

#if RD_SWEEP_LEAVES_ITEMS
#define SWEEP_NO_GAIN {0, 0, 0, 0, 0, 0, 0, 0}
#else
#define SWEEP_NO_GAIN {0, 0, 0, 0, 0}
#endif
#define SWEEP_ALL_ARGS(buf, arg) SWEEP_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

#ifdef RD_SWEEP_RESIDENT
#undef RD_BOUNDS
#define RD_BOUNDS RD_BOUNDS_FOR(RD_SWEEP_RESIDENT)
#endif

rd_kernel_apart(O3, sweep, SWEEP_ALL_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const sweep_ctx c = rd_bind(SWEEP_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    sweep_group g;
    g.scratch = scratch;
    g.edges = 0;
    rd_u32 found = 0; /* of its own: nobody else has the address of the group */
    g.id = rd_discover(scratch, grid_words + RD_GRID_LINES, discovery, delay, 0, &found);
    g.count = found;
    rd_sweep s;
    sweep_begin(&c, SWEEP_FIRST + first, &s);

    /* An outsider does not take part in any step. */
    const rd_u32 inside = g.id != RD_OUTSIDE && !SWEEP_WAS_LEFT(&c, s.step);
    rd_grid grid = rd_grid_open(grid_words, g.id, g.count);
    rd_u32 going = inside;
#if SWEEP_LEAVES
    g.looks = g.count <= REST_MOST;
#endif
    while (going) {
        g.now = sweep_slot(&c, s.step);
#if SWEEP_LEAVES
        rd_st_rlx(sweep_cursor(&c, s.step + 1, g.id), 0); /* bsp/sweep_ranges.k.h */
#endif
        sweep_turn(&c, &app, &s);
        if (g.id == g.count - 1 && rd_lane() == 0) /* the group that is least likely to have a claim */
            sweep_turn_slots(&c, &app, &s, SWEEP_STOPS, SWEEP_AGAIN(&c, s.step));
        rd_gain gain = SWEEP_NO_GAIN;
        g.total = g.lost = g.second = g.second_lost = 0;
        const rd_u32 is_on = s.phase != RD_SWEEP_END, walks = is_on && RD_SWEEP_WALKS(&s);
        sweep_walk(&c, &app, &s, &g, &gain, walks);
        if (is_on && !walks)
            sweep_items(&c, &app, &s, &g, &gain, RD_SWEEP_ITEMS(&app, &s));
        g.edges += gain.edges;
        sweep_gather(&g, &gain);
        going = is_on && persistent;
#ifndef SWEEP_PERSISTENT
        rd_once(going)
            rd_global_barrier(&grid);
        going = going && !SWEEP_IS_LEFT(&c, s.step);
#elif SWEEP_PERSISTENT
        rd_global_barrier(&grid); /* also after the last step: all come to it */
#endif
        s.step++;
    }

    const rd_u32 low = SWEEP_OF(rd_group_sum, &g, (rd_u32)g.edges & 0xffffu);
    const rd_u64 edges = low + ((rd_u64)SWEEP_OF(rd_group_sum, &g, (rd_u32)(g.edges >> 16)) << 16);
    if (SWEEP_TELLS && edges) /* partner: the same add in other groups; read by the host */
        rd_add64_rlx((rd_global rd_u64 *)(control + SWEEP_EDGES), edges);
}

#ifdef SWEEP_LOOPS

/* One lane, after `first` more steps. */
rd_kernel(sweep_again, SWEEP_ALL_ARGS)
{
    const sweep_ctx c = rd_bind(SWEEP_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    rd_sweep s;
    sweep_begin(&c, c.control[SWEEP_AT] + first, &s);
    if (rd_lane() == 0) {
        c.control[SWEEP_AT] = s.step;
        sweep_turn(&c, &app, &s);
        if (s.phase == RD_SWEEP_END || rd_stopped())
            rd_loop_end();
    }
}

#define SWEEP_KERNELS(k) k(sweep, SWEEP_ALL_ARGS) k(sweep_again, SWEEP_ALL_ARGS)
#else
#define SWEEP_KERNELS(k) k(sweep, SWEEP_ALL_ARGS)
#endif
rd_kernels(SWEEP_KERNELS);

#endif
