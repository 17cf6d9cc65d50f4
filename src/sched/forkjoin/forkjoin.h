/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.h - the functions of scheduler steal, which runs apps of tasks for scheduler fifo too. */
#ifndef RD_SCHED_STEAL_H
#define RD_SCHED_STEAL_H

#include "sched/sched.h"

rd__width rd__forkjoin_width(const rd__sched_job *job);
void rd__forkjoin_plan(const rd__sched_job *job, rd_plan *plan);
rd_status rd__forkjoin_create(const rd__sched_job *job, rd__sched_state **state, rd_error *err);
void rd__forkjoin_destroy(rd__sched_state *state);
rd_status rd__forkjoin_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                           rd_error *err);

#endif
