/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.h - what fork-join apps have in common on the host. Their result is the sum of what root tasks returned, which
 * job->last has; one that has no arrays says nothing of memory. */
#ifndef RD_APPS_TASKS_H
#define RD_APPS_TASKS_H

#include "apps/app.h"
#include "model/args.h"
#include "model/forkjoin_layout.k.h"

/* RD_EWRONG when the last run's sum is not what it should be. */
rd_status rd__tasks_expect(const rd_job *job, const char *what, uint64_t expected, rd_error *err);

/* Reads "A:B:C", up to `most` whole numbers. @return how many, or -1. */
int rd__tasks_numbers(const char *text, uint64_t *number, int most);

#endif
