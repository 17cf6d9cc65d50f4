/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.k.h - what an app of sweeps sees: functions that are asked of every vertex, or of every edge, phase after
 * phase. docs/apps.md shows a complete app. The app includes this file first and sched/entry.k.h last, and between them
 * gives
 *
 *   rd_app_vertex(a, s, v, fold, gain)   what phase s->phase does with item v. fold: what v's edges came to, in a phase
 *                                        that walks; RD_FOLD_NONE in others. May add to *gain.
 *   rd_app_next(a, s, gain)              the phase after s->phase, given what all of it gained; RD_SWEEP_END: none.
 * Runs in every lane and must come to the same result: it may look only at a, s and gain. The first phase is 0.
 *   rd_app_edge(a, s, v, u, e)           what edge e from v to u comes to, an RD_FOLD; in phases that walk
 *   rd_app_edges(a, s, v, &from, &to)    narrows v's edges from..to; from = to for none
 *
 * and, where the defaults below do not fit, before it includes this file:
 *
 *   RD_FOLD_JOIN(x, y), RD_FOLD_NONE   how edges are folded: a commutative, associative function and its neutral value
 *   RD_FOLD_F32             edges come to rd_f32, not to rd_u32
 *   RD_FOLD_ENOUGH(x)       further edges cannot matter to x
 *   RD_SWEEP_WALKS(s)       does this phase look at edges? Equal in all lanes.
 *   RD_SWEEP_ITEMS(a, s)    how many items the phase has, when not one for each vertex; only where it does not walk
 *   RD_SWEEP_FLIGHT         edges that a lane has under way at once; few where an edge does much
 *   RD_GAINS                which parts of rd_gain are used: the others cost nothing
 *
 * What one step wrote, the next one reads: plain accesses will do, but not rd_ld_const, since all steps may be one
 * launch. Within a step vertices and edges are run in any order and at the same time, each once; words that others may
 * change meanwhile need atomics. The edges of a vertex with very many may be split among groups: each asks rd_app_edges
 * by itself.
 */
#ifndef RD_SCHED_SWEEP_APP_H
#define RD_SCHED_SWEEP_APP_H

#include "raddle/kernel.h"
#include "sched/bsp/sweep_layout.k.h"

#define RD_APP_SWEEPS 1 /* for entry.k.h */
#define RD_SWEEP_END  SWEEP_END

/* What a step gained, over all items. */
typedef struct {
    rd_u32 sum;    /* RD_GAIN_SUM: the sum of these, modulo 2^32 */
    rd_u32 most;   /* RD_GAIN_MOST: the largest; rd_bits(x) of an rd_f32 that is not negative is in order too */
    rd_f32 total;  /* RD_GAIN_TOTAL: the sum */
    rd_f32 second; /* RD_GAIN_SECOND: another sum */
    rd_u32 edges;  /* edges that rd_app_vertex looked at by itself, for the report */
} rd_gain;

/* Where the app is: equal in all lanes. */
typedef struct {
    rd_global const rd_u64 *row; /* edges of v: col[row[v]] .. col[row[v+1]-1]; never written, so rd_ld_const */
    rd_global const rd_u32 *col;
    rd_u32 vertices;
    rd_u32 phase;   /* of this step */
    rd_u32 step;    /* counts from 0 */
    rd_gain gained; /* by the step before */
} rd_sweep;

#define RD_GAIN_SUM    1
#define RD_GAIN_MOST   2
#define RD_GAIN_TOTAL  4
#define RD_GAIN_SECOND 8

/* What edges come to, and the same as a word and back. */
#ifdef RD_FOLD_F32
#define RD_FOLD          rd_f32
#define RD_FOLD_WORD(x)  rd_bits(x)
#define RD_FOLD_OF(word) rd_number(word)
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
#ifndef RD_SWEEP_FLIGHT
#define RD_SWEEP_FLIGHT 8
#endif
#ifndef RD_GAINS
#define RD_GAINS RD_GAIN_SUM
#endif

#endif
