/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairness.h - a model checker for small programs of a few threads: does each thread come to its end under a scheduler
 * that only promises so much, and do the program's assertions hold? docs/progress.md has the language of models, the
 * schedulers, and what is proven. The rules of raddle.h hold here too.
 */
#ifndef RADDLE_FAIRNESS_H
#define RADDLE_FAIRNESS_H

#include "../raddle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RD_FAIRNESS_THREADS = 8, RD_FAIRNESS_SCHEDULERS = 16 }; /* most threads of a model, most schedulers of a check */

/* ---- Models ---- */

typedef struct rd_fairness rd_fairness;

/* @return the built-in models with one line each, ended by an entry whose name is NULL. */
RD_API const rd_name_text *rd_fairness_models(void);
/* @return the text of a built-in model, NULL when there is none of this name. */
RD_API const char *rd_fairness_model_text(const char *name);
/* Reads a model. source: what messages call it. settings: constants to replace ("n=3"), ended by NULL; or NULL. */
RD_API rd_status rd_fairness_open(const char *source, const char *text, const char *const *settings,
                                  rd_fairness **model, rd_error *err);
RD_API void rd_fairness_close(rd_fairness *model);

/* ---- Schedulers ---- */

/* @return the named schedulers, from the weakest, with the criterion of each; ended by an entry whose name is NULL. */
RD_API const rd_name_text *rd_fairness_schedulers(void);
/* Is text the name of a scheduler or a criterion? */
RD_API rd_status rd_fairness_scheduler_check(const char *text, rd_error *err);

/* ---- Checking ---- */

typedef struct rd_fairness_options {
    size_t size;
    const char *scheduler[RD_FAIRNESS_SCHEDULERS]; /* names or criteria; NULL ends them; none: all that have names */
    uint64_t memory;                               /* bytes that the search may take; 0: half of what is free */
    uint32_t threads;                              /* 0: all cores */
    uint8_t witness;                               /* show how it starves: searches again without reductions */
    uint8_t no_symmetry, no_partial_order;         /* search without them */
    uint8_t safety_only;                           /* only assertions: no scheduler is asked */
    rd_progress_fn progress;                       /* may be NULL */
    void *user;
} rd_fairness_options;

typedef struct rd_fairness_step {
    uint32_t thread, line;
    char text[96];   /* the statement */
    char state[160]; /* words after it, and whose turn is over */
} rd_fairness_step;

/* An execution: for safety the way to the fault, for starvation a way and then a circle that goes on for ever. */
typedef struct rd_fairness_run {
    rd_fairness_step *step;
    uint32_t steps;
    uint32_t prefix;                      /* the circle begins after so many; steps, when there is none */
    uint32_t enabled, started, executing; /* threads in the circle: not at their end, ever begun, making steps in it */
    char first[160];                      /* the state before the first step */
} rd_fairness_run;

typedef struct rd_fairness_verdict {
    const char *scheduler; /* of the options, or a name */
    uint8_t starves;
    rd_fairness_run run; /* steps is 0 when no witness was asked for */
} rd_fairness_verdict;

typedef struct rd_fairness_report {
    uint64_t states, transitions;      /* of the search that decided */
    double seconds, processor_seconds; /* by the clock; of all cores together */
    uint64_t bytes;                    /* taken at most */
    uint32_t threads;                  /* of the host */
    uint32_t model_threads;            /* of the model */
    uint8_t used_symmetry, used_partial_order;
    uint8_t unsafe; /* an assertion fails: `fault` says which, `run` how; then nothing is said of starvation */
    char fault[200];
    rd_fairness_run run;
    uint32_t verdicts;
    rd_fairness_verdict verdict[RD_FAIRNESS_SCHEDULERS];
} rd_fairness_report;

/* Explores all states. RD_ENOMEM: more than the memory allowed; RD_ECANCELLED: progress said so. */
RD_API rd_status rd_fairness_check(const rd_fairness *model, const rd_fairness_options *options,
                                   rd_fairness_report *report, rd_error *err);
RD_API void rd_fairness_report_free(rd_fairness_report *report);
/* Makes the steps of a run again. RD_EWRONG: it is not an execution of the model, or its circle does not close, or
 * the scheduler (NULL: none) does not allow it. */
RD_API rd_status rd_fairness_replay(const rd_fairness *model, const rd_fairness_run *run, const char *scheduler,
                                    rd_error *err);

/* ---- The order of schedulers ---- */

typedef struct rd_fairness_pair {
    const char *weaker, *stronger;
    uint8_t incomparable;                      /* expected to be: each brings programs to their end that the other one
                                                  does not. Else every program that ends under weaker has to end under
                                                  stronger, and some only there. */
    uint8_t holds;                             /* so it is */
    uint64_t both, only_stronger, only_weaker; /* programs that are free of starvation under them */
    char example[2][240];                      /* one that ends only under stronger; only under weaker; "": none */
} rd_fairness_pair;

typedef struct rd_fairness_order_report {
    uint64_t programs, ending; /* enumerated; of these, ending under fair scheduling */
    uint64_t states;
    double seconds;
    uint32_t pairs;
    rd_fairness_pair pair[16];
} rd_fairness_order_report;

/* Checks every program of a family (three threads of up to `length` steps each: 1 or 2) under each scheduler. */
RD_API rd_status rd_fairness_order(uint32_t length, const rd_fairness_options *options,
                                   rd_fairness_order_report *report, rd_error *err);

#ifdef __cplusplus
}
#endif
#endif
