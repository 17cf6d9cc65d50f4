/* SPDX-License-Identifier: Apache-2.0 */
/* bsp.h - scheduler `bsp`, host side: what bsp/bsp.c makes and bsp/run.c runs. */
#ifndef RD_SCHED_BSP_H
#define RD_SCHED_BSP_H

#include "sched/bsp/policy.h"
#include "sched/parts/seed.h"

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;       /* bsp_expand, or of a persistent launch bsp_loop */
    rd__kernel *seed, *again; /* again: of launch `graph` */
    rd__seeder seeder;
    rd__buffer queue, parts, bits, control, grid, bins;
    uint32_t stamps;            /* 1: behind the sets are stamps of vertices, bsp/give.k.h */
    uint32_t stamp, next_stamp; /* of round 0 of this run, and of the next; 0: it clears them */
    rd__buffer lone; /* of cores that may pull: a bit for each vertex without edges */
    uint32_t groups, lanes, span, claims, claim_min, claim_max, direction, owners;
    uint32_t persistent, looped, repeats, late, discovery, options, bin_words, flat, here, shared, ahead, widen;
    uint32_t halves;                                /* rounds may be left half-way */
    uint32_t leave_rounds, leave_tasks, leave_late; /* of the run at hand; 0: it does not leave */
    uint32_t left;                                  /* tasks that wait, of a run that left; they begin at: */
    uint64_t left_at;
    uint32_t first, round; /* of the run: its seeds, and the round that comes next */
    uint32_t waits;        /* the seeds wait for their phases */
    uint64_t visited;      /* edges of the last stage */
};

/* Option --widen: asked for, or what a GPU has by itself; 0 elsewhere. */
uint32_t rd__bsp_widen_set(const rd__sched_job *job);
/* What a group takes at once. The state has its groups, lanes and bins. */
void rd__bsp_choose_portions(rd__sched_state *state, const rd__sched_job *job);
/* What waits is a piece of the queue, each of it once: not where tasks repeat or are claimed late, not in a set. */
int rd__bsp_may_leave(const rd__sched_state *state, const rd__sched_job *job);
void rd__bsp_hand_over(const rd__sched_state *state, rd__seeds *seeds);
rd_status rd__bsp_freeze(rd__sched_state *state, struct rd__freeze *freeze, rd_error *err);
rd_status rd__bsp_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                      rd_error *err);

#endif
