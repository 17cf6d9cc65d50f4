/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - what the files of src/job/ tell each other of a job; apps see app.h alone. */
#ifndef RD_JOB_H
#define RD_JOB_H

#include "apps/app.h"

/* RD_EARG when the call named has no job, or when the job is running: then this is another thread, or the program's
 * progress callback, and the job is not to be touched. */
rd_status rd__job_ask(const rd_job *job, const char *call, rd_error *err);
/* Around work on the job's device outside of a run: where jobs share it, waits for a turn. */
void rd__job_claim(const rd_job *job, rd__turn *turn);
void rd__job_unclaim(rd__turn *turn);
/* A run, of a job that has its device: rd_job_run and rd_job_start saw to that. */
rd_status rd__job_run_alone(rd_job *job, rd_report *report, rd_error *err);
/* Writes all that a run has, between two launches, to a file; or takes it from there, before the first launch. */
rd_status rd__job_freeze(rd_job *job, const char *path, rd_error *err);
rd_status rd__job_thaw(rd_job *job, const char *path, rd_error *err);
/* Cancels a run that was started, waits for it and forgets it. */
void rd__job_end_started(rd_job *job);
/* Frees what is on the device. */
void rd__job_release(rd_job *job);
/* Opens the input again, if there is one. */
rd_status rd__job_open_again(rd_job *job, rd_error *err);
/* Frees what the scheduler made. */
void rd__job_drop_sched(rd_job *job);
void rd__job_use(rd_job *job, const rd__engine *engine, const char *launch);
/* How many groups it is to have: what was set, or the workers that it wanted when it was started; 0: all there are. */
uint32_t rd__job_groups(const rd_job *job);
/* How wide workers of the job are, and how many; the job is ready to be planned. */
rd__width rd__job_width(rd_job *job);
/* @return the policy's own name for the launch, or NULL. */
const char *rd__policy_launch(const rd__policy *policy, const char *launch);
/* Decides on scheduler and launch where the user did not: choose.c. */
void rd__choose(rd_job *job);
/* The trace (trace.c). Does nothing where none is wanted. */
rd_status rd__trace_open(rd_job *job, rd_error *err);
/* A line for what an engine tells between launches. */
void rd__trace_look(rd_job *job, const rd__look *look);
/* Another stage begins: its tasks are counted from 0. */
void rd__trace_stage(rd_job *job);
/* The last line, and the end of the file. @return the run's status, or why the trace could not be written. */
rd_status rd__trace_close(rd_job *job, rd_status status, const rd_report *report, rd_error *err);
/* Does this engine have all options that were set, and take their values? */
int rd__settings_fit(const rd_job *job, const rd__engine *engine);
rd_status rd__settings_check(const rd_job *job, rd_error *err);

#endif
