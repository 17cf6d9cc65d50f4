/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sched.h - what a scheduler is on the host: it plans its memory, makes its buffers and kernels for one app on one
 * device, and runs the app's tasks from seeds to the end. It knows the app only by name (its program is APP_SCHED) and
 * by its kernel arguments.
 */
#ifndef RD_SCHED_H
#define RD_SCHED_H

#include "device/device.h"

typedef struct rd__sched rd__sched;

/* What tasks are. */
typedef enum rd__shape {
    RD__SHAPE_VERTICES, /* vertices of a graph, with a function for each edge */
    RD__SHAPE_SWEEPS,   /* all vertices, phase after phase */
    RD__SHAPE_TASKS,    /* tasks of the app's own */
} rd__shape;

#define RD__SEED_ALL UINT32_MAX
enum { RD__SEEDS_MOST = 64 }; /* named by an app */

/* Of RD__SHAPE_TASKS, as in the app's kernel source: RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN. */
typedef struct rd__task_shape {
    uint32_t words, children, join;
} rd__task_shape;
/* The first tasks of scheduler tiles, and what comes of them. */
typedef struct rd__space {
    uint32_t columns, rows; /* of items; each is a task */
    uint32_t gives;         /* most tasks that a task gives */
    uint32_t depth;         /* most tasks one below the other, items included */
    uint32_t pack;          /* tasks that a lane runs at once where groups have one lane */
} rd__space;

/* Options of schedulers that were set, as text. */
enum { RD__SETTINGS_MAX = 24, RD__SETTING_TEXT = 24 };
typedef struct rd__settings {
    uint32_t count;
    struct {
        const char *key; /* static */
        char value[RD__SETTING_TEXT];
    } item[RD__SETTINGS_MAX];
} rd__settings;

/* What a scheduler tells an app between launches. */
typedef struct rd__look {
    double seconds;      /* since the first launch */
    uint64_t tasks;      /* run so far */
    uint64_t left;       /* that wait */
    uint64_t least_rank; /* among those; UINT64_MAX: none */
} rd__look;

/* What a job gives its scheduler. */
typedef struct rd__sched_job {
    rd_device *device; /* NULL while only planning */
    const char *app;
    const char *program; /* apps/PROGRAM.k.c; the app's name, unless it has several */
    rd__shape shape;
    uint8_t repeats; /* vertices may be given again in later rounds, and have a phase */
    rd__task_shape task;
    const rd_graph *graph; /* NULL: the app has none */
    const rd__buffer *row, *col;
    const rd__buffer *weight; /* not allocated where the app takes none */
    const rd_csr *walked;     /* the host's look at row and col where they are not graph's own, else NULL */
    const rd__arg *args;      /* of the app, in the order of its list */
    uint32_t arg_count;
    uint8_t first;           /* the app gives tasks that come first: RD_APP_FIRST */
    uint8_t many;            /* every vertex is a seed: how many run at once counts more than how soon one is done */
    const rd__buffer *order; /* all vertices, in the order in which they are seeds; NULL: as `seed` says */
    const rd__sched *sched;
    const rd__settings *settings; /* see rd__sched_option */
    const char *launch;           /* one of the scheduler's launches */
    rd__space space;              /* of apps that run under scheduler tiles */
    uint32_t worker;              /* lanes in a group; 0: the device's default */
    uint32_t groups;              /* 0: as many as are resident */
    double deadline;              /* rd_now() at which to stop; 0: none */
    rd_progress_fn progress;
    void *progress_user;
    void (*look)(void *user, const rd__look *look); /* NULL: the app does not want to know */
    void *look_user;
} rd__sched_job;

/* How wide a worker is, how many there are as far as that is known before the kernel is, and why: a clause each. */
typedef struct rd__width {
    uint32_t lanes;
    uint32_t groups;  /* 0: as many as are resident, which only the kernel tells */
    uint32_t at_most; /* there may be fewer than `groups`, because fewer are resident */
    const char *lanes_why, *groups_why;
} rd__width;

typedef struct rd__sched_state rd__sched_state;

struct rd__sched {
    const char *name;
    const char *text;              /* one line */
    uint8_t rounds;                /* tasks run in rounds, each once: RD_ROUNDS in worker.k.h */
    const char *const *launches;   /* ended by NULL; the first is the default */
    const rd_option_info *options; /* of its own, ended by key NULL; values are "a|b|1..8", checked by the job */
    /* What create will use. */
    rd__width (*width)(const rd__sched_job *job);
    /* Adds its buffers to the plan. */
    void (*plan)(const rd__sched_job *job, rd_plan *plan);
    /* Loads the program and allocates. */
    rd_status (*create)(const rd__sched_job *job, rd__sched_state **state, rd_error *err);
    void (*destroy)(rd__sched_state *state);
    /* Runs all tasks that come of the seeds; fills the scheduler's part of the report. Of RD__SHAPE_TASKS seeds are
     * only counted: the kernel makes them. */
    rd_status (*run)(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                     rd_report *report, rd_error *err);
    /* (optional) Of schedulers of ranked tasks, after a run that was stopped: how many tasks wait, and the least rank
     * among them (UINT64_MAX: none). */
    rd_status (*rest)(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err);
};

extern const rd__sched rd__sched_bsp, rd__sched_fifo, rd__sched_steal, rd__sched_steal_levels;
extern const rd__sched rd__sched_tiles, rd__sched_heap, rd__sched_multi, rd__sched_bag;
extern const rd__sched *const rd__scheds[]; /* ended by NULL */
const rd__sched *rd__sched_find(const char *name);

/* Loads the app's program for a scheduler, as programs.def names it. defines: as in rd__program_spec. */
rd_status rd__sched_load(const rd__sched_job *job, const char *sched, uint32_t lanes, const char *defines,
                         rd__program **program, rd_error *err);

/* The usual width: what was asked for, else the device's own. */
rd__width rd__sched_width(const rd__sched_job *job);
/* The device's own, whatever was asked for. */
rd__width rd__sched_device_width(const rd__sched_job *job);
/* Where no number of groups was asked for and all that are resident would be more than `most`: no more than that. */
void rd__sched_limit_groups(const rd__sched_job *job, rd__width *width, uint32_t most, const char *why);
/* Where more groups than are resident were asked for, those that are, if the device can tell. */
void rd__sched_resident_groups(const rd__sched_job *job, rd__width *width);

/* The value of an option of the job's scheduler: what was set, or its default. */
const char *rd__sched_option(const rd__sched_job *job, const char *key);
/* The same as a number, of an option whose value is one. */
uint32_t rd__sched_number(const rd__sched_job *job, const char *key);
int rd__sched_option_is(const rd__sched_job *job, const char *key, const char *value);
/* RD_EARG when one of these options (the list ends with NULL) was set to anything but its default: it would mean
 * nothing to this kind of app, and whoever set it should know. */
rd_status rd__sched_refuse(const rd__sched_job *job, const char *const *keys, rd_error *err);

/* Adds a measure to a report; the name is static. */
void rd__measure(rd_report *report, const char *name, double value);
/* Adds an item to a plan. */
void rd__plan_add(rd_plan *plan, const char *name, uint64_t bytes, int is_graph, int is_shared);

/* Tells the job's caller how far it is. @return RD_ECANCELLED when the caller wants to stop. */
rd_status rd__sched_tell(const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit, rd_error *err);
/* Waits for what was launched. The kernel is asked to leave when the time of the job is up (RD_ETIMEOUT) or its caller
 * wants to stop (RD_ECANCELLED). done: what the scheduler knows of how far the run is, in units. */
rd_status rd__sched_wait(rd_device *device, const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit,
                         rd_error *err);
/* Fills a buffer. A large one in slices that are waited for, so that the job's time and its caller's wish to stop count
 * here too. */
rd_status rd__sched_fill(const rd__sched_job *job, rd__buffer *buffer, uint32_t word, rd_error *err);

#endif
