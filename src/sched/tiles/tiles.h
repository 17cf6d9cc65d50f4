/* SPDX-License-Identifier: Apache-2.0 */
/* tiles.h - between the host files of scheduler tiles: tiles/tiles.c makes its state, tiles/run.c runs with it. */
#ifndef RD_SCHED_TILES_HOST_H
#define RD_SCHED_TILES_HOST_H

#include "sched/sched.h"

/* What follows from the job, the device and how many groups are resident. */
typedef struct rd__tiles_sizes {
    uint32_t scheme, lanes;
    uint32_t shift, across, tiles; /* a tile is 2^shift items wide; so many in a row, and in all */
    uint32_t unit, in_tile;        /* items of a unit, units of a tile: powers of two */
    uint64_t units;
    uint32_t places;   /* groups that run at a time */
    uint32_t workers;  /* groups that have a share of the tiles */
    uint32_t stacks;   /* for tasks, */
    uint32_t capacity; /* of so many each */
    uint32_t ranges;   /* steal: one for each worker */
    uint32_t bunch;    /* steal: units that lie side by side in a range; a power of two */
    uint32_t share;    /* steal: tasks can be stolen too, */
    uint32_t offered;  /* with room for so many */
} rd__tiles_sizes;

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer stack, claim, ranges, offered, offers, control, counts;
    uint64_t *first_range; /* the ranges as they begin */
    rd__tiles_sizes size;
    uint32_t discrete;
    uint32_t groups;         /* of the last launch */
    uint32_t done, launches; /* tiles and launches of a run */
    uint64_t handed_out;     /* portions of all launches of a run, with units that are padding */
};

rd_status rd__tiles_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                        rd_error *err);
/* Of a run that is between two launches. */
rd_status rd__tiles_freeze(rd__sched_state *state, struct rd__freeze *freeze, rd_error *err);

#endif
