/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sched.h - what an engine is on the host: one policy for one model. It plans its memory, makes its buffers and kernels
 * for one app on one device, and runs the app's tasks from seeds to the end. It knows the app only by the names of its
 * kernel root and by its kernel arguments. engines.def is the table of all.
 */
#ifndef RD_SCHED_H
#define RD_SCHED_H

#include "device/turns.h"
#include "model/model.h"

typedef struct rd__engine rd__engine;
struct rd__freeze; /* freeze.h */

/* Whether a run is to be written to a file, and by whom; asked and done between two launches. */
typedef struct rd__pause {
    int (*wanted)(void *user);
    /* RD_ECANCELLED: it is written, and the run ends. RD_OK: it could not be, and goes on. */
    rd_status (*write)(void *user, rd_error *err);
    void *user;
} rd__pause;

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
    uint64_t given;      /* tasks that `needed` is of: those run, or with those that wait */
    uint64_t needed;     /* of `given`, those that no order could have saved */
} rd__look;

/* A few words that the app wants to see when launches have left: engines read them with their control words, behind
 * the launches, so that nobody waits once more. */
typedef struct rd__note {
    const rd__buffer *buffer; /* NULL: there are none */
    uint64_t bytes;
    void *words;    /* where they go, */
    uint32_t *seen; /* and 1 when they are there */
} rd__note;

/* What a job gives its engine. */
typedef struct rd__sched_job {
    rd_device *device; /* NULL while only planning */
    const char *app;
    const char *program;   /* the name of the kernel root */
    const char *constants; /* what the app has constant in this run, for kernels that are compiled for it; or NULL */
    const rd__engine *engine;
    const rd__settings *settings; /* see rd__sched_option */
    const char *launch;           /* one of the policy's launches; */
    uint8_t persistent, looped;   /* is it that one, or `graph`? */
    uint32_t worker;              /* lanes in a group; 0: the device's default */
    uint32_t groups;              /* 0: as many as are resident */
    uint32_t workers;             /* of a GPU: ... on so many of its units; 0: all. rd__sched_resident */
    const rd__arg *args;          /* of the app, in the order of its list */
    uint32_t arg_count;
    double deadline; /* rd_now() at which to stop; 0: none */
    rd_progress_fn progress;
    void *progress_user;
    uint8_t shares;         /* the device, with other jobs: what create makes must be able to leave and to be back */
    rd__turn *turn;         /* of a run that shares it; NULL: it has the device to itself */
    const rd__pause *pause; /* of a run that shares it; or NULL */
    uint32_t stage;         /* of the run, from 0 */
    uint8_t resumes;        /* what the engine has is the state of an earlier run: no seeds, it goes on */
    void (*look)(void *user, const rd__look *look); /* NULL: the app does not want to know */
    void *look_user;
    uint8_t traced;        /* looks are for a trace: as often as costs little. Known when create is called */
    uint32_t *trace_asked; /* of a run that is traced: 1 when launches were asked to leave for a look; or NULL */
    rd__note note;
    /* Of engines that have hand_over: leave when so many rounds have had fewer tasks than `leave_tasks`, and more than
     * costs nothing. 0: never. leave_late: and not before half of all edges have been seen. */
    uint32_t leave_rounds, leave_tasks, leave_late;
    /* by model: */
    rd__graph_input input;
    rd__frontier frontier;
    uint8_t whole, patient; /* of sweeps: RD__TRAIT_WHOLE, RD__TRAIT_PATIENT */
    rd__forkjoin forkjoin;
    rd__plane plane;
    rd__dag dag;
} rd__sched_job;

/* How wide a worker is, how many there are as far as that is known before the kernel is, and why: a clause each. */
typedef struct rd__width {
    uint32_t lanes;
    uint32_t groups;  /* 0: as many as are resident, which only the kernel tells */
    uint32_t at_most; /* there may be fewer than `groups`, because fewer are resident */
    const char *lanes_why, *groups_why;
} rd__width;

typedef struct rd__sched_state rd__sched_state;

/* Who runs what next, as the user names it. */
typedef struct rd__policy {
    const char *name;
    const char *text;            /* one line */
    const char *const *launches; /* ended by NULL; the first is the default */
} rd__policy;

/* What can be said of an engine without its name. */
enum {
    RD__ENGINE_ROUNDS = 1,  /* tasks run in rounds, each once */
    RD__ENGINE_ORDERED = 2, /* the least rank first */
    RD__ENGINE_RELAXED = 4, /* nearly so */
    RD__ENGINE_SHARED = 8,  /* one queue for all workers */
};

struct rd__engine {
    const rd__policy *policy;
    const char *tag; /* APP_TAG is the program */
    rd__model model;
    uint32_t is;                   /* RD__ENGINE_... */
    const rd_option_info *options; /* ended by key NULL; values are "a|b|1..8", checked by the job */
    /* (optional) Those of them that mean something to one of an app's kernel roots, which have these traits. */
    const rd_option_info *(*options_for)(const uint32_t *traits, size_t roots);
    /* Does it run in rounds with the options that are set? NULL: as `is` says. */
    int (*in_rounds)(const rd__sched_job *job);
    /* What create will use. */
    rd__width (*width)(const rd__sched_job *job);
    /* (optional) Why its launches need all workers of the device, a clause; "": they can do without some, which are
     * lent to a more urgent job (parts/launch.h). NULL: as rd__sched_places. */
    const char *(*needs_all)(const rd__sched_job *job);
    /* Adds its buffers to the plan. */
    void (*plan)(const rd__sched_job *job, rd_plan *plan);
    /* Loads the program and allocates. */
    rd_status (*create)(const rd__sched_job *job, rd__sched_state **state, rd_error *err);
    void (*destroy)(rd__sched_state *state);
    /* Runs all tasks that come of the seeds; fills the engine's part of the report. */
    rd_status (*run)(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                     rd_error *err);
    /* (optional) After a run that left early, as leave_rounds asked: what waits, as seeds on the device that stay until
     * the next run. No seeds: the run came to its end. Run again with `resumes` and without leave_rounds, it goes on.
     */
    void (*hand_over)(const rd__sched_state *state, rd__seeds *seeds);
    /* (optional) Lists what a run that is between two launches has, to write it to a file and to go on from there. */
    rd_status (*freeze)(rd__sched_state *state, struct rd__freeze *freeze, rd_error *err);
    /* (optional) Of ranked tasks, after a run that was stopped: how many wait, and the least rank among them
     * (UINT64_MAX: none). */
    rd_status (*remaining)(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err);
};

extern const rd__engine *const rd__engines[]; /* ended by NULL */
/* @return 1 when the engine can run this kernel root. */
int rd__engine_runs(const rd__engine *engine, const char *root);
int rd__engine_in_rounds(const rd__sched_job *job);

/* Loads the app's program for an engine, or a variant of it, by its tag. defines: as in rd__program_spec; what
 * is compiled when it is needed gets the app's constants too. */
rd_status rd__sched_load(const rd__sched_job *job, const char *tag, uint32_t lanes, const char *defines,
                         rd__program **program, rd_error *err);

/* RD_EARG: the device cannot be launched on in this way. */
rd_status rd__sched_check_launch(const rd__sched_job *job, rd_error *err);

/* The usual width: what was asked for, else the device's own. */
rd__width rd__sched_width(const rd__sched_job *job);
/* The device's own, whatever was asked for. */
rd__width rd__sched_device_width(const rd__sched_job *job);
/* Where no number of groups was asked for and all that are resident would be more than `most`: no more than that. */
void rd__sched_limit_groups(const rd__sched_job *job, rd__width *width, uint32_t most, const char *why);
/* Where more groups than are resident were asked for, those that are, if the device can tell. */
void rd__sched_resident_groups(const rd__sched_job *job, rd__width *width);

/* Of launches whose groups keep tasks from one to the next (RD__LENDS_PLACES): why they need all workers, or "". */
const char *rd__sched_places(const rd__sched_job *job);

/* How many groups of this kernel can be resident at once (rd__kernel_resident), on the workers that were asked for. */
rd_status rd__sched_resident(const rd__sched_job *job, rd__kernel *kernel, uint32_t *groups, rd_error *err);

/* The value of an option of the job's engine: what was set, or its default. */
const char *rd__sched_option(const rd__sched_job *job, const char *key);
/* The same as a number, of an option whose value is one. */
uint32_t rd__sched_number(const rd__sched_job *job, const char *key);
int rd__sched_option_is(const rd__sched_job *job, const char *key, const char *value);
/* Says that an option does nothing on the job's device, if it was set. */
void rd__sched_say_unused(const rd__sched_job *job, const char *key, const char *why);
/* Adds a measure to a report; the name is static. */
void rd__measure(rd_report *report, const char *name, double value);
/* Adds an item to a plan. */
void rd__plan_add(rd_plan *plan, const char *name, uint64_t bytes, int is_graph, int is_shared);

/* Lets whoever traces the job have a look: tasks run, those that wait, and those given, of which so many were needed.
 * Engines call it where they have read their control words anyway; what they would have to read besides, only when the
 * job is traced. */
void rd__sched_look(const rd__sched_job *job, uint64_t tasks, uint64_t left, uint64_t given, uint64_t needed);
/* Tells the job's caller how far it is. @return RD_ECANCELLED when the caller wants to stop. */
rd_status rd__sched_tell(const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit, rd_error *err);
/* Waits for what was launched. The kernel is asked to leave when the time of the job is up (RD_ETIMEOUT) or its caller
 * wants to stop (RD_ECANCELLED). done: what the scheduler knows of how far the run is, in units. */
rd_status rd__sched_wait(rd_device *device, const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit,
                         rd_error *err);
/* The same for launches that can be asked to leave at any time and go on in another launch: they are, when others want
 * the device, and by rd_now() `by` in any case; 0: not so. Of a run that has the device to itself `by` counts where it
 * is traced. rd__sched_left tells. */
rd_status rd__sched_wait_slice(rd_device *device, const rd__sched_job *job, double by, uint64_t done, uint64_t total,
                               const char *unit, rd_error *err);
/* @return 1 when launches were asked to leave for others, or for a trace, since this was asked last. */
int rd__sched_left(const rd__sched_job *job);
/* @return 1 while another job has some of the workers: launches are of fewer groups. */
int rd__sched_lends(const rd__sched_job *job);
/* Between two launches of a run, when nothing is under way and more is to come: lets jobs that go before this one have
 * the device, or workers. Costs one load when there are none. */
rd_status rd__sched_pass(const rd__sched_job *job, rd_error *err);
/* Fills a buffer. A large one in slices that are waited for, so that the job's time and its caller's wish to stop count
 * here too. */
rd_status rd__sched_fill(const rd__sched_job *job, rd__buffer *buffer, uint32_t word, rd_error *err);
/* @return RD_EINPUT: a ranked task gave more than its app says. */
rd_status rd__sched_over_gives(const rd__sched_job *job, rd_error *err);

#endif
