/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app.h - what an app is on the host. An app declares its options, its buffers, its kernel arguments, its seeds and its
 * result, and brings an independent checker. It names no scheduler and no device; src/job/ puts them together.
 */
#ifndef RD_APP_H
#define RD_APP_H

#include "core/watch.h"
#include "sched/sched.h"

typedef struct rd__app rd__app;
struct rd__facts;
struct rd__choice;

struct rd_job {
    const rd__app *app;
    void *state;                 /* the app's, app->state_bytes of it */
    rd_device *device;           /* held; NULL: only to be planned */
    const rd_graph *graph;       /* held */
    char *input;                 /* of RD_INPUT_TEXT: what the app has opened; NULL: nothing */
    rd__buffer row, col, weight; /* weight: of RD_INPUT_WEIGHTED */
    const rd__engine *engine;
    rd__sched_state *sched_state;
    const char *launch;
    const rd__engine *asked_engine; /* NULL: rd__choose decides */
    const char *asked_launch;       /* likewise */
    char why[512];                  /* the choice, in words */
    char explained[1024];           /* the same, with the worker */
    rd__settings settings;          /* of schedulers */
    uint32_t worker, groups;
    double timeout;
    rd_progress_fn progress;
    void *progress_user;
    int uploaded;     /* input and the app's buffers are on the device */
    int ready;        /* and kernels and the scheduler's buffers fit the options */
    uint32_t running; /* in rd_job_run, which calls the program back; atomic */
    int has_run;
    int stopped;        /* the last run was stopped before its end, and its result is what was found until then */
    uint64_t allocated; /* bytes on the device, for this job */
    double compile_s, upload_s; /* not yet reported */
};

/* RD_EARG when the call named has no job, or when the job is running: then this is another thread, or the program's
 * progress callback, and the job is not to be touched. */
rd_status rd__job_ask(const rd_job *job, const char *call, rd_error *err);

/* Whoever is to hear of what the job does. */
static inline rd__watch rd__job_watch(const rd_job *job)
{
    return (rd__watch){job->progress, job->progress_user};
}

enum { RD__APP_MAX_ARGS = 16 };

struct rd__app {
    rd_app_info info;
    /* Its kernel roots, ended by NULL; NULL: one that has its name. Which engines it runs under follows from them. */
    const char *const *roots;
    rd__forkjoin forkjoin;   /* of fork-join roots */
    uint8_t all_seeds;       /* it starts with every vertex */
    uint8_t needs_symmetric; /* graphs that are not are refused */
    uint8_t partial;         /* a run that was stopped (timeout, cancelled) has a result all the same */
    size_t state_bytes;
    /* Default options into zeroed state; NULL: zero will do. */
    void (*init)(rd_job *job);
    /* Sets one of info.options; value was checked to be there. NULL where there are none. */
    rd_status (*set)(rd_job *job, const char *key, const char *value, rd_error *err);
    /* Of RD_INPUT_TEXT: opens the input, in place of an earlier one. */
    rd_status (*open)(rd_job *job, const char *text, rd_error *err);
    /* Frees what init, set and open made; NULL: nothing. Called once, after free. */
    void (*close)(rd_job *job);
    /* Do options and input fit together? NULL: always. */
    rd_status (*validate)(rd_job *job, rd_error *err);
    void (*plan)(const rd_job *job, rd_plan *plan);
    rd_status (*alloc)(rd_job *job, rd_error *err);
    void (*free)(rd_job *job);
    uint32_t (*args)(rd_job *job, rd__arg *args);
    /* Of sweeps that walk another graph than job->graph: sets view->input. Of apps that start with every vertex in an
     * order of their own: sets view->frontier.order. NULL: never. */
    void (*bind_input)(rd_job *job, rd__sched_job *view);
    /* Of planes: the first tasks. */
    void (*plane)(const rd_job *job, rd__plane *plane);
    /* The rule for defaults, from what is cheap to know: see choose.h. NULL: the first engine that it runs under. */
    void (*choose)(const rd_job *job, const struct rd__facts *facts, struct rd__choice *choice);
    /* The root to run under job->engine, of those for its model. NULL: the first. */
    const char *(*root)(const rd_job *job);
    /* Puts buffers into their first state and names the seeds: *seeds is an empty list on entry. */
    rd_status (*start)(rd_job *job, rd__seeds *seeds, rd_error *err);
    /* After a run to the end: another stage? Then *more is 1, and *seeds, an empty list on entry, names its seeds.
     * `report` is that of all stages so far. NULL: there is one stage. */
    rd_status (*next)(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err);
    /* Between launches of a long run, where the scheduler can: how it goes. NULL: never. */
    void (*look)(rd_job *job, const rd__look *look);
    /* After a run: may its result be used? NULL: yes. */
    rd_status (*finish)(rd_job *job, rd_error *err);
    /* After a run: the app's measures. */
    void (*report)(const rd_job *job, rd_report *report);
    rd_status (*result)(rd_job *job, rd_result *result, rd_error *err);
    rd_status (*check)(rd_job *job, rd_error *err);
    /* Writes the result to a file in a form of its own; NULL: it has none, values one a line will do. */
    rd_status (*save)(rd_job *job, const char *path, rd_error *err);
};

/* Frees what is on the device: for options of an app that change its buffers. */
void rd__job_release(rd_job *job);
/* Opens the input again, if there is one: for options of an app that change what is made of it. */
rd_status rd__job_open_again(rd_job *job, rd_error *err);
/* Frees what the scheduler made. */
void rd__job_drop_sched(rd_job *job);
void rd__job_use(rd_job *job, const rd__engine *engine, const char *launch);
/* @return the policy's own name for the launch, or NULL. */
const char *rd__policy_launch(const rd__policy *policy, const char *launch);
/* Is what the job is going to run in rounds? */
int rd__job_in_rounds(const rd_job *job);
/* The engines that an app runs under, each policy once, ended by NULL; and that of a policy, or NULL. */
const rd__engine *const *rd__app_engines(const rd__app *app);
const rd__engine *rd__app_engine(const rd__app *app, const char *policy);
/* How wide workers of the job are, and how many; the job is ready to be planned. */
rd__width rd__job_width(rd_job *job);
/* Decides on scheduler and launch where the user did not: choose.c. */
void rd__choose(rd_job *job);
/* Does this engine have all options that were set, and take their values? */
int rd__settings_fit(const rd_job *job, const rd__engine *engine);
rd_status rd__settings_check(const rd_job *job, rd_error *err);

extern const rd__app *const rd__apps[]; /* ended by NULL */

#endif
