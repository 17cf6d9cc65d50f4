/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app.h - what an app is on the host. An app declares its options, its buffers, its kernel arguments, its seeds and its
 * result, and brings an independent checker. It names no scheduler and no device; job.c puts them together.
 */
#ifndef RD_APP_H
#define RD_APP_H

#include "sched/sched.h"

typedef struct rd__app rd__app;

struct rd_job {
    const rd__app *app;
    void *state;       /* the app's, app->state_bytes of it */
    rd_device *device; /* NULL: only to be planned */
    const rd_graph *graph;
    rd__buffer row, col;
    const rd__sched *sched;
    rd__sched_state *sched_state;
    const char *launch;
    const char *direction; /* of bsp: "auto", "push", "pull" */
    uint32_t worker, groups;
    double timeout;
    rd_progress_fn progress;
    void *progress_user;
    int ready; /* buffers and kernels fit the options and the graph */
    int has_run;
    uint64_t allocated;         /* bytes on the device, for this job */
    double compile_s, upload_s; /* not yet reported */
};

enum { RD__APP_MAX_ARGS = 16, RD__APP_MAX_SEEDS = 64 };

struct rd__app {
    rd_app_info info;
    size_t state_bytes;
    /* Default options into zeroed state. */
    void (*init)(rd_job *job);
    /* Sets one of info.options; value was checked to be there. */
    rd_status (*set)(rd_job *job, const char *key, const char *value, rd_error *err);
    /* Do options and graph fit together? */
    rd_status (*validate)(rd_job *job, rd_error *err);
    void (*plan)(const rd_job *job, rd_plan *plan);
    rd_status (*alloc)(rd_job *job, rd_error *err);
    void (*free)(rd_job *job);
    uint32_t (*args)(rd_job *job, rd__arg *args);
    /* Puts buffers into their first state and names the seeds. @return RD_OK with *seeds <= RD__APP_MAX_SEEDS. */
    rd_status (*start)(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err);
    /* After a run: the app's measures. */
    void (*report)(const rd_job *job, rd_report *report);
    rd_status (*result)(rd_job *job, rd_result *result, rd_error *err);
    rd_status (*check)(rd_job *job, rd_error *err);
};

extern const rd__app rd__app_bfs;
extern const rd__app *const rd__apps[]; /* ended by NULL */

#endif
