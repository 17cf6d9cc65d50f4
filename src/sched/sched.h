/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sched.h - what a scheduler is on the host: it plans its memory, makes its buffers and kernels for one app on one
 * device, and runs the app's tasks from seeds to the end. It knows the app only by name (its program is APP_SCHED) and
 * by its kernel arguments.
 */
#ifndef RD_SCHED_H
#define RD_SCHED_H

#include "device/device.h"

/* What a job gives its scheduler. */
typedef struct rd__sched_job {
    rd_device *device; /* NULL while only planning */
    const char *app;
    const rd_graph *graph;
    const rd__buffer *row, *col;
    const rd__arg *args; /* of the app, in the order of its list */
    uint32_t arg_count;
    const char *launch;    /* one of the scheduler's launches */
    const char *direction; /* "auto", "push" or "pull" */
    uint32_t worker;       /* lanes in a group; 0: the device's default */
    uint32_t groups;       /* 0: as many as are resident */
    double deadline;       /* rd_now() at which to stop; 0: none */
    rd_progress_fn progress;
    void *progress_user;
} rd__sched_job;

typedef struct rd__sched_state rd__sched_state;

typedef struct rd__sched {
    const char *name;
    const char *text;            /* one line */
    uint8_t rounds;              /* tasks run in rounds, each once: RD_ROUNDS in worker.k.h */
    const char *const *launches; /* ended by NULL; the first is the default */
    /* Adds its buffers to the plan. */
    void (*plan)(const rd__sched_job *job, rd_plan *plan);
    /* Loads the program and allocates. */
    rd_status (*create)(const rd__sched_job *job, rd__sched_state **state, rd_error *err);
    void (*destroy)(rd__sched_state *state);
    /* Runs all tasks that come of the seeds; fills the scheduler's part of the report. */
    rd_status (*run)(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                     rd_report *report, rd_error *err);
} rd__sched;

extern const rd__sched rd__sched_bsp, rd__sched_fifo;
extern const rd__sched *const rd__scheds[]; /* ended by NULL */
const rd__sched *rd__sched_find(const char *name);

/* Adds an item to a plan. */
void rd__plan_add(rd_plan *plan, const char *name, uint64_t bytes, int is_graph, int is_shared);

#endif
