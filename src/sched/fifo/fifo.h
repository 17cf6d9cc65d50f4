/* SPDX-License-Identifier: Apache-2.0 */
/* fifo.h - between the host files of scheduler fifo: fifo/fifo.c makes its state, fifo/run.c runs with it. */
#ifndef RD_SCHED_FIFO_HOST_H
#define RD_SCHED_FIFO_HOST_H

#include "sched/edges/hubs.h"
#include "sched/fifo/policy.h"
#include "sched/parts/seed.h"

enum { RD__FIFO_CLASSES = 2 };

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel, *seed;
    rd__seeder seeder;
    rd__buffer ring[RD__FIFO_CLASSES], queued, control; /* ring[1]: only of apps that give tasks that come first */
    rd__hubs hubs;
    rd__buffer checkpoint; /* only of rings that may grow, and of jobs that share the device */
    uint32_t shift, groups, lanes, keep, fetch, kind, persistent, gated;
    uint32_t takers;                   /* groups that surely run at the same time */
    uint32_t first_shift;              /* where rings may grow: what each run starts with */
    uint32_t grown;                    /* how often, in the last run */
    uint32_t ticket[RD__FIFO_CLASSES]; /* the next one of each ring */
    uint32_t grows;                    /* rings may */
    uint32_t leaves;                   /* FIFO_LEAVES_OF, sched/fifo/group.k.h */
    uint32_t first;                    /* seeds of the run */
    int dirty;                         /* the rings have to be filled */
};

/* Makes the rings larger, of 2^shift slots, with all that is in them. */
rd_status rd__fifo_grow(rd__sched_state *state, uint32_t shift, rd_error *err);
/* Makes them as small as at first; they have to be filled then. */
rd_status rd__fifo_shrink(rd__sched_state *state, rd_error *err);
rd_status rd__fifo_freeze(rd__sched_state *state, struct rd__freeze *freeze, rd_error *err);
rd_status rd__fifo_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                       rd_error *err);

#endif
