/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.h - what apps of tasks have in common on the host: nothing on the device but what the scheduler has, one seed,
 * a number as the result. An app takes those that fit it. Its state starts with rd__tasks_state. */
#ifndef RD_APPS_TASKS_H
#define RD_APPS_TASKS_H

#include "apps/app.h"
#include "model/forkjoin_layout.k.h"

typedef struct rd__tasks_state {
    uint64_t sum, tasks; /* of the last run */
} rd__tasks_state;

void rd__tasks_plan(const rd_job *job, rd_plan *plan);
rd_status rd__tasks_alloc(rd_job *job, rd_error *err);
void rd__tasks_free(rd_job *job);
rd_status rd__tasks_start(rd_job *job, rd__seeds *seeds, rd_error *err);
void rd__tasks_report(const rd_job *job, rd_report *report);
rd_status rd__tasks_result(rd_job *job, rd_result *result, rd_error *err);
/* RD_EWRONG when the last run's sum is not what it should be. */
rd_status rd__tasks_expect(const rd_job *job, const char *what, uint64_t expected, rd_error *err);

/* Reads "A:B:C", up to `most` whole numbers. @return how many, or -1. */
int rd__tasks_numbers(const char *text, uint64_t *number, int most);

#endif
