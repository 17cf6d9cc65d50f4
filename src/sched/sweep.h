/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h - sweeps, host side: what scheduler `bsp` does for apps that ask all vertices, phase after phase. */
#ifndef RD_SCHED_SWEEP_H
#define RD_SCHED_SWEEP_H

#include "sched/sched.h"

typedef struct rd__sweep rd__sweep;

rd__width rd__sweep_width(const rd__sched_job *job);
void rd__sweep_plan(const rd__sched_job *job, rd_plan *plan);
rd_status rd__sweep_create(const rd__sched_job *job, rd__sweep **out, rd_error *err);
void rd__sweep_destroy(rd__sweep *sweep); /* NULL is fine */
rd_status rd__sweep_run(rd__sweep *sweep, const rd__sched_job *job, rd_report *report, rd_error *err);

#endif
