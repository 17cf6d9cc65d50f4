/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.k.h - model `sweep`: every vertex is asked, phase after phase. This is the whole contract of such an app;
 * docs/sweep.md teaches it. The smallest one, as a whole (tests/lint.sh compiles it): the number of edges at each
 * vertex.
 *
 *     #define RD_FOLD_NONE       0u
 *     #define RD_FOLD_JOIN(x, y) ((x) + (y))
 *     #include "model/sweep.k.h"
 *
 *     #define RD_APP_ARGS(buf, arg) buf(rd_u32, degree)
 *     rd_context(rd_app, RD_APP_ARGS);
 *
 *     rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
 *     {
 *     }
 *
 *     rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
 *     {
 *         return 1;
 *     }
 *
 *     rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
 *     {
 *         a->degree[v] = fold;
 *     }
 *
 *     rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
 *     {
 *         return RD_SWEEP_END;
 *     }
 *
 * A step runs one phase; the first is phase 0. A phase that walks folds the edges of each vertex into one value.
 *
 * WHAT AN APP DEFINES, with s->phase at hand in all of them
 *
 *   RD_APP_ARGS(buf, arg), rd_context(rd_app, RD_APP_ARGS)   its arguments, as its host side passes them
 *
 *   void rd_app_edges(a, s, v, &from, &to)
 *       In a phase that walks: narrows the edges of v, from .. to - 1; *from = *to for none. Without effects.
 *   RD_FOLD rd_app_edge(a, s, v, u, e)
 *       In a phase that walks: what edge e, from v to u, comes to.
 *   void rd_app_vertex(a, s, v, fold, gain)
 *       What the phase does with item v. fold: what its edges came to, RD_FOLD_NONE in a phase that does not walk.
 *       May add to *gain.
 *   rd_u32 rd_app_next(a, s, gain)
 *       The phase after s->phase, by what all of the step gained; RD_SWEEP_END: that was the last. Looks only at a's
 *       numbers (not at buffers), s and gain. With RD_SWEEP_SCALARS s is not const, and s->scalar may be changed.
 *
 * WHAT IT MAY DEFINE, before it includes this file [and what holds if it does not]
 *
 *   RD_FOLD_JOIN(x, y), RD_FOLD_NONE   how edges are folded: a commutative, associative function and its neutral
 *                           value [or, 0u]; both or none
 *   RD_FOLD_F32             edges come to rd_f32 [to rd_u32]
 *   RD_FOLD_ENOUGH(x)       further edges cannot matter to x [all are looked at]
 *   RD_SWEEP_WALKS(s)       does the phase look at edges? Equal in all lanes. [1]
 *   RD_SWEEP_ITEMS(a, s)    how many items a phase has that does not walk, or walks a list [s->vertices]
 *   RD_SWEEP_LISTED(a, s)   does the phase, which walks, walk only vertices of a list? Equal in all lanes. Then
 *                               rd_u32 rd_app_item(a, s, i)
 *                           is the i-th of them, none is there twice, and what the step appends is for later ones.
 *                           Vertices of very many edges are asked by rd_app_edges instead, whether they are in the
 *                           list or not: *from = *to for one that is not, and rd_app_vertex is not asked then [0]
 *   RD_SWEEP_IDLE(a, s, v)  is nothing to be done with vertex v in this phase, which walks? Then its edges are not
 *                           looked at, and rd_app_vertex is not asked, but for vertices of very many edges [0]
 *   RD_SWEEP_BACK(a, s)     is the last item better walked first? Where lanes are few, the items that follow see what
 *                           the step has decided so far. A wish, no promise. Equal in all lanes. [0]
 *   RD_APP_PATIENT 1      a vertex that adds 1 to gain->sum waits for others, and may be asked again in the same
 *                           step, again and again; one that adds 0 is not. Its edges are loaded by rd_ld_rlx then, or
 *                           it never sees what it waits for. What is left in the end is the step's sum, and no other
 *                           gain is used [each vertex once]
 *   RD_APP_WHOLE            steps look at all edges, one as the other: what counts is that groups of a GPU have equal
 *                           shares of them, so hubs are cut into smaller parts, and lie far apart [a step may be done
 *                           with hubs after a few edges, or in an order that saves later ones]
 *   RD_SWEEP_DONE 1         an item is not a task: rd_u64 rd_app_done(a, s, rd_global rd_u32 *waits) says how many
 *                           tasks the steps before this one have run, and writes how many it has; for people who
 *                           watch the run. Asked once a step, and at the end of the run, by one group while others
 *                           are at the step: it reads nothing that this step writes [each item is one]
 *   RD_SWEEP_STRETCH n      items that a core takes at once in a phase that does not walk, at least, up to 2048: few
 *                           where an item is much work [2048]
 *   RD_SWEEP_SHARES n       ... and one of n shares of a core's part of them, where that is more: many where items
 *                           differ in work [8]
 *   RD_SWEEP_RESIDENT n     lanes of a unit of a GPU for which registers are to suffice: more lanes at a time, or more
 *                           registers each, than the compiler takes by itself. By CUDA [what it takes]
 *   RD_SWEEP_FLIGHT         edges that a lane has under way at once; few where an edge does much [8]
 *   RD_SWEEP_ONE_DOES       1: of many edges one or the other is likely to be enough (RD_FOLD_ENOUGH): lanes that share
 *                           a vertex look at one each before the others [0]
 *   RD_SWEEP_IDEMPOTENT     rd_app_edge may be called again for an edge, and the answer dropped: that changes
 *                           nothing, and on CPUs saves a branch that is hard to foresee [each edge once]
 *   RD_SWEEP_RUNS 1         where RD_CORE is 1 only:
 *                               rd_u32 rd_app_run(a, s, at, end, gain)
 *                           does vertices from `at` on in a phase that walks, edges and all, in a loop of its own, and
 *                           returns the first that it has not done, at most `end`; that one is asked as usual, as all
 *                           are where vertices are scattered, walked backwards or listed [all are]
 *   RD_SWEEP_SCALARS n      words s->scalar[0 .. n - 1], at most 8, all 0 in step 0, that rd_app_next changes for the
 *                           steps to come: a count, a limit, the gain before the last; floats by rd_as_u32, rd_as_f32
 *                           [0]
 *   RD_SWEEP_HALVES 1       an item may be much work, and be left half-way: rd_app_vertex asks
 *                           rd_sweep_asked(gain, work) as it goes; when that says so it notes in its buffers how far
 *                           it is, says rd_sweep_leave(gain, 1) and returns, and is asked again in the same step,
 *                           maybe by another launch. Only cores do; what an item gained before counts [each item is
 *                           asked once]
 *   RD_GAINS                which parts of rd_gain are used: the others cost nothing, and stay 0 [RD_GAIN_SUM]
 *
 * WHAT IT IS PROMISED
 *
 *   rd_app_vertex: once for each item in each step (but RD_SWEEP_LISTED, RD_APP_PATIENT: see there), or rd_app_run in
 *       its place. rd_app_edge:
 *       once for each edge that rd_app_edges left, in each step that walks; loops and duplicates are edges like others.
 *       With RD_FOLD_ENOUGH some are left out; with RD_SWEEP_IDEMPOTENT and RD_APP_PATIENT some are asked again.
 *   rd_app_edges: at least once for each vertex: one with very many edges is cut into parts, and each lane that has a
 *       share of a part asks by itself. So is RD_SWEEP_WALKS, RD_SWEEP_ITEMS and rd_app_next: by every lane, at least
 *       once for each step.
 *   rd_app_vertex of a vertex comes after all its edges, on any lane, and sees nothing but the fold of what other
 *       lanes did with them in this step. Sums are the same in every run where they are whole numbers; the order in
 *       which floats are added is not defined.
 *   What one step wrote, the next one reads: plain accesses will do, but not rd_ld_const, since all steps may be one
 *   launch. Within a step items and edges are run in any order and at the same time: words that others may change
 *   meanwhile need atomics; relaxed ones will do.
 *   Gains are exact: the sum of all items of the step modulo 2^32, and the largest. Sums of floats are rounded far
 *   less often than there are items; `second` is as exact as single precision can be, for what goes back into the
 *   app's numbers step after step. s->gained are those of the step before.
 */
#ifndef RD_MODEL_SWEEP_K_H
#define RD_MODEL_SWEEP_K_H

#include "raddle/kernel.h"
#include "model/sweep_limits.k.h"

#ifndef RD_SWEEP_HALVES
#define RD_SWEEP_HALVES 0
#endif
#ifdef RD_SHARES_CORES
#define RD_SWEEP_LEAVES_ITEMS RD_SWEEP_HALVES
#else
#define RD_SWEEP_LEAVES_ITEMS 0
#endif

/* What a step gained, over all items. */
typedef struct {
    rd_u32 sum;    /* RD_GAIN_SUM: the sum of these, modulo 2^32 */
    rd_u32 most;   /* RD_GAIN_MOST: the largest; rd_as_u32(x) of an rd_f32 that is not negative is in order too */
    rd_f32 total;  /* RD_GAIN_TOTAL: the sum */
    rd_f32 second; /* RD_GAIN_SECOND: another sum */
    rd_u32 edges;  /* edges that rd_app_vertex looked at by itself, for the report */
#if RD_SWEEP_LEAVES_ITEMS
    rd_u32 half;                  /* the item was left half-way */
    rd_u32 work;                  /* since the last look */
    rd_global const rd_u32 *stop; /* not 0: it is asked to */
#endif
} rd_gain;

#define RD_SWEEP_LOOK 2048 /* pieces of work between two looks, each about as much as an edge: a few microseconds */
#if RD_SWEEP_LEAVES_ITEMS
/* By rd_app_vertex, after so much work: is it to leave the item half-way? */
rd_fn rd_u32 rd_sweep_asked(rd_gain *gain, rd_u32 work)
{
    gain->work += work;
    if (gain->work < RD_SWEEP_LOOK)
        return 0;
    gain->work = 0;
    return rd_asked(gain->stop); /* partner: the host */
}

#define rd_sweep_leave(gain, is_half) (gain)->half = (is_half)
#else
#define rd_sweep_asked(gain, work)    ((void)(gain), (void)(work), 0u)
#define rd_sweep_leave(gain, is_half) ((void)(gain), (void)(is_half))
#endif

#if defined(RD_APP_WHOLE) && defined(RD_FOLD_ENOUGH)
#error "RD_APP_WHOLE says that all edges are looked at, RD_FOLD_ENOUGH that some are not: leave one out"
#endif
#ifndef RD_SWEEP_SCALARS
#define RD_SWEEP_SCALARS 0
#endif
#if RD_SWEEP_SCALARS > RD_SWEEP_SCALARS_MOST
#error "RD_SWEEP_SCALARS is at most 8: more belongs into a buffer"
#endif

/* Where the app is: equal in all lanes. */
typedef struct {
    rd_global const rd_u64 *row; /* edges of v: col[row[v]] .. col[row[v+1]-1]; never written, so rd_ld_const */
    rd_global const rd_u32 *col;
    rd_u32 vertices;
    rd_u32 phase;   /* of this step */
    rd_u32 step;    /* counts from 0 */
    rd_gain gained; /* by the step before */
#if RD_SWEEP_SCALARS
    rd_u32 scalar[RD_SWEEP_SCALARS];
#endif
} rd_sweep;

#define RD_GAIN_SUM    1
#define RD_GAIN_MOST   2
#define RD_GAIN_TOTAL  4
#define RD_GAIN_SECOND 8

#if defined(RD_FOLD_JOIN) != defined(RD_FOLD_NONE)
#error "RD_FOLD_JOIN and RD_FOLD_NONE belong together: how edges are folded, and what none of them come to"
#endif
#if defined(RD_FOLD_F32) && !defined(RD_FOLD_JOIN)
#error "RD_FOLD_F32 needs RD_FOLD_JOIN and RD_FOLD_NONE: floats have no default"
#endif

/* What edges come to, and the same as a word and back. */
#ifdef RD_FOLD_F32
#define RD_FOLD          rd_f32
#define RD_FOLD_WORD(x)  rd_as_u32(x)
#define RD_FOLD_OF(word) rd_as_f32(word)
#else
#define RD_FOLD          rd_u32
#define RD_FOLD_WORD(x)  (x)
#define RD_FOLD_OF(word) (word)
#endif
#ifndef RD_FOLD_JOIN
#define RD_FOLD_NONE       0u
#define RD_FOLD_JOIN(x, y) ((x) | (y))
#endif
#ifndef RD_SWEEP_WALKS
#define RD_SWEEP_WALKS(s) 1
#endif
#ifndef RD_SWEEP_ITEMS
#define RD_SWEEP_ITEMS(a, s) ((s)->vertices)
#endif
#ifndef RD_SWEEP_IDLE
#define RD_SWEEP_IDLE(a, s, v) 0
#endif
#ifndef RD_APP_PATIENT
#define RD_APP_PATIENT 0
#endif
#ifndef RD_SWEEP_DONE
#define RD_SWEEP_DONE 0
#endif
#ifndef RD_SWEEP_BACK
#define RD_SWEEP_BACK(a, s) 0
#endif
#ifdef RD_SWEEP_LISTED
#define RD_SWEEP_LISTS 1
#else
#define RD_SWEEP_LISTS        0
#define RD_SWEEP_LISTED(a, s) 0
#endif
#ifndef RD_SWEEP_ONE_DOES
#define RD_SWEEP_ONE_DOES 0
#elif RD_SWEEP_ONE_DOES && !defined(RD_FOLD_ENOUGH)
#error "RD_SWEEP_ONE_DOES needs RD_FOLD_ENOUGH: which one does"
#endif
#ifndef RD_SWEEP_RUNS
#define RD_SWEEP_RUNS 0
#elif RD_SWEEP_RUNS && !RD_CORE
#error "RD_SWEEP_RUNS is for cores: define it where RD_CORE is 1"
#endif
#ifndef RD_SWEEP_FLIGHT
#define RD_SWEEP_FLIGHT 8
#endif
#ifndef RD_SWEEP_STRETCH
#define RD_SWEEP_STRETCH 2048
#endif
#if RD_SWEEP_STRETCH < 1 || RD_SWEEP_STRETCH > 2048
#error "RD_SWEEP_STRETCH is 1 to 2048"
#endif
#ifndef RD_SWEEP_SHARES
#define RD_SWEEP_SHARES 8
#endif
#ifndef RD_GAINS
#define RD_GAINS RD_GAIN_SUM
#endif
#if RD_APP_PATIENT && (RD_GAINS) != RD_GAIN_SUM
#error "RD_APP_PATIENT: a step's sum tells how many are left, and there are no other gains: RD_GAINS is RD_GAIN_SUM"
#endif
#if RD_SWEEP_FLIGHT < 1
#error "RD_SWEEP_FLIGHT is 1 or more"
#endif
#if (RD_GAINS) & ~15
#error "RD_GAINS is made of RD_GAIN_SUM, RD_GAIN_MOST, RD_GAIN_TOTAL and RD_GAIN_SECOND"
#endif

#else /* the engine's text includes this again, after the app's */

#ifndef RD_APP_ARGS
#error "the app has no RD_APP_ARGS(buf, arg): the list of its kernel arguments, and rd_context(rd_app, RD_APP_ARGS)"
#endif

#endif
