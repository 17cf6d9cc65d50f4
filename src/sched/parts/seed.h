/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seed.h - seeds of frontiers, host side: whatever an app named (rd__seeds), the engine gets a list on the device, or
 * all vertices in steps. Its own seed kernel then puts them in place (parts/seed.k.h).
 */
#ifndef RD_SCHED_SEED_H
#define RD_SCHED_SEED_H

#include "sched/sched.h"

typedef struct rd__seeder {
    rd_device *device;
    rd__kernel *where;          /* NULL: the app has no predicate */
    rd__buffer list;            /* seeds */
    rd__buffer later[2], words; /* of the predicate: who may be a seed later, in turns */
    uint32_t turn, waiting;     /* which of them holds the last ones, and how many */
} rd__seeder;

/* Seeds that are on the device: vertex i of the list, from `first` on, or where stride is not 0 vertex
 * (i * stride) % count. */
typedef struct rd__seed_view {
    const rd__buffer *list; /* some buffer, always */
    uint32_t first, count, stride;
    uint32_t ordered; /* the list is the order of all vertices */
    uint32_t wait;    /* each for its phase: none is a task yet */
} rd__seed_view;

/* Adds its buffers to the plan. A host list that is longer than some gets more room when it comes. */
void rd__seeder_plan(const rd__sched_job *job, rd_plan *plan);
rd_status rd__seeder_open(rd__seeder *seeder, const rd__sched_job *job, rd__program *program, rd_error *err);
void rd__seeder_close(rd__seeder *seeder);
/* Makes the view. Of a list on the host it drops what is there twice. groups: to launch the predicate with. */
rd_status rd__seeder_take(rd__seeder *seeder, const rd__sched_job *job, const rd__seeds *seeds, uint32_t groups,
                          rd__seed_view *view, rd_error *err);
/* Is making the seeds part of the work, and its time to be counted? */
int rd__seeds_are_work(const rd__seeds *seeds);
/* Groups for a launch that puts so many seeds in place. */
uint32_t rd__seed_groups(const rd__seed_view *view, uint32_t groups, uint32_t lanes);
/* The arguments of SEED_ARGS. @return how many. */
uint32_t rd__seed_args(const rd__seed_view *view, rd__arg *args);

#endif
