/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - what the files of src/job/ tell each other of a job; apps see app.h alone. */
#ifndef RD_JOB_H
#define RD_JOB_H

#include "apps/app.h"
#include "job/learn.h"

/* ---- What a job learned: remember.c ---- */

typedef struct rd__configuration {
    const rd__engine *engine;
    const char *launch; /* the policy's own name */
} rd__configuration;

/* What another configuration than the present one has on the device. */
typedef struct rd__spare {
    rd__configuration is;
    rd__sched_state *state; /* NULL: nothing */
} rd__spare;

enum { RD__LOG_MOST = 32 };

typedef struct rd__memory {
    uint64_t runs; /* of the job */
    rd__learned learned;
    rd__configuration item[RD__LEARN_MOST];
    uint32_t now;   /* the one that runs, or ran last */
    double work;    /* of the first run, in tasks: what others are compared by */
    uint8_t settle; /* a trial is over: what is not used is to be dropped */
    rd__spare spare;
    rd__spare other; /* that runs are handed over to */
    uint64_t logged; /* the last of them are kept */
    rd_switch log[RD__LOG_MOST];
} rd__memory;

/* ---- Handing over: hand.c ---- */

/* When a run in rounds is left to another engine; leave_rounds is 0 where it never is. */
void rd__hand_limits(const rd_job *job, rd__sched_job *view);
/* The same, from what is known of device and app. */
void rd__hand_rule(rd__hands hands, int is_measured_to_win, rd__moves moves, rd__sched_job *view);
/* Runs the job's engine from the seeds, and the other one from where it left, if it did. */
rd_status rd__job_run_engine(rd_job *job, const rd__sched_job *view, const rd__seeds *seeds, rd_report *report,
                             rd_error *err);
void rd__job_drop_other(rd_job *job);
/* What a job gives its engine. */
rd__sched_job rd__job_view(rd_job *job, rd__arg *args);
/* Adds a stage to the report of those before it. */
void rd__report_add(rd_report *sum, const rd_report *stage);

/* A run, maybe of another configuration than the usual one. */
rd_status rd__job_run_learning(rd_job *job, rd_report *report, rd_error *err);
/* What was learned does not hold any more: the input or an option is another. */
void rd__job_forget(rd_job *job);
void rd__job_drop_spare(rd_job *job);
void rd__job_log(rd_job *job, const rd_switch *entry);
/* Takes up what was learned. @return 0: nothing was, the rule decides. */
int rd__choose_learned(rd_job *job);
/* Could the job run like this, with what was set? And the launch that an engine gets by itself. */
int rd__choice_is_open(const rd_job *job, const rd__engine *engine, const char *launch);
const char *rd__choice_launch(const rd_job *job, const rd__engine *engine);

/* RD_EARG when the call named has no job, or when the job is running: then this is another thread, or the program's
 * progress callback, and the job is not to be touched. */
rd_status rd__job_ask(const rd_job *job, const char *call, rd_error *err);
/* Around work on the job's device outside of a run: where jobs share it, waits for a turn. */
void rd__job_claim(const rd_job *job, rd__turn *turn);
void rd__job_unclaim(rd__turn *turn);
/* @return 1 when a run with this turn would find all made: an earlier one, that shared the device too, left it so. */
int rd__job_is_prepared(rd_job *job, rd__turn *turn);
/* Checks the job, and gets what a run needs and is not there yet: ready.c. */
rd_status rd__job_make_ready(rd_job *job, rd_error *err);
/* Makes ready, and runs once. */
rd_status rd__job_run_once(rd_job *job, rd_report *report, rd_error *err);
rd_status rd__job_run_patiently(rd_job *job, rd_report *report, rd_error *err);
/* A run, of a job that has its device: rd_job_run and rd_job_start saw to that. */
rd_status rd__job_run_alone(rd_job *job, rd_report *report, rd_error *err);
/* Writes all that a run has, between two launches, to a file; or takes it from there, before the first launch. */
rd_status rd__job_freeze(rd_job *job, const char *path, rd_error *err);
rd_status rd__job_thaw(rd_job *job, const char *path, rd_error *err);
/* What such a file begins with: that it is one, and of which app and input. Checkpoints begin so too. */
rd_status rd__job_freeze_head(rd_job *job, struct rd__freeze *freeze, rd_error *err);
/* Cancels a run that was started, waits for it and forgets it. */
void rd__job_end_started(rd_job *job);
/* Frees what is on the device. */
void rd__job_release(rd_job *job);
/* Opens the input again, if there is one. */
rd_status rd__job_open_again(rd_job *job, rd_error *err);
/* Frees what the scheduler made. */
void rd__job_drop_sched(rd_job *job);
void rd__job_use(rd_job *job, const rd__engine *engine, const char *launch);
/* How wide workers of the job are, and how many; the job is ready to be planned. */
rd__width rd__job_width(rd_job *job);
/* @return the policy's own name for the launch, or NULL. */
const char *rd__policy_launch(const rd__policy *policy, const char *launch);
/* Decides on scheduler and launch where the user did not: choose.c. */
void rd__choose(rd_job *job);
/* The trace (trace.c). Does nothing where none is wanted. */
rd_status rd__trace_open(rd_job *job, rd_error *err);
/* Is there one of the run at hand? */
int rd__trace_is_on(const rd_job *job);
/* @return a word of the trace for its run, for the engine: rd__sched_job; NULL where none is wanted. */
uint32_t *rd__trace_asked(rd_job *job);
/* A line for what an engine tells between launches. */
void rd__trace_look(rd_job *job, const rd__look *look);
/* Another stage begins: its tasks are counted from 0. */
void rd__trace_stage(rd_job *job);
/* The last line, and all that was not written yet. @return the run's status, or why the trace could not be written. */
rd_status rd__trace_close(rd_job *job, rd_status status, const rd_report *report, rd_error *err);
/* Closes the file, which stays open from run to run. */
void rd__trace_free(rd_job *job);
/* Does this engine have all options that were set, and take their values? */
int rd__settings_fit(const rd_job *job, const rd__engine *engine);
/* The same of another engine of a policy: options that only the first one has do not count where they say the usual. */
int rd__settings_fit_too(const rd_job *job, const rd__engine *engine);
rd_status rd__settings_check(const rd_job *job, rd_error *err);

#endif
