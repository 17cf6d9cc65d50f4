/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - jobs that are one of several: a file for each way in which ranks work together. Everything here is called
 * by all ranks. */
#ifndef RD_JOB_RANKS_H
#define RD_JOB_RANKS_H

#include "graph/part/part.h"
#include "job/job.h"

/* Runs the engine once, from seeds until nothing is left on this rank, and adds to the report. job.c has it. */
rd_status rd__job_slice(rd_job *job, const rd__seeds *seeds, rd_report *report, rd_error *err);

/* A whole run, by the app's kind: buffers are made, and filled where `arrays` say so. The report is that of all ranks.
 */
rd_status rd__job_run_parts(rd_job *job, rd_report *report, rd_error *err);
rd_status rd__run_least(rd_job *job, rd_report *report, rd_error *err);
rd_status rd__run_labels(rd_job *job, rd_report *report, rd_error *err);
rd_status rd__run_share(rd_job *job, rd_report *report, rd_error *err);
rd_status rd__run_bound(rd_job *job, rd_report *report, rd_error *err);

/* Proves the result; each rank looks at its part. */
rd_status rd__job_check_parts(rd_job *job, const rd_result *result, rd_error *err);
rd_status rd__check_labels(rd_job *job, const uint32_t *found, rd_error *err);
rd_status rd__check_least(rd_job *job, const rd_result *result, rd_error *err);

/* What the app can say in a line, of all ranks' result. @return 0: nothing, ask the app. */
int rd__job_answer_parts(const rd_job *job, char *text, size_t room);

/* Can the job run in parts as it is? Its engine, its graph. */
rd_status rd__job_ready_parts(const rd_job *job, rd_error *err);

#endif
