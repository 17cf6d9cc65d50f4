/* SPDX-License-Identifier: Apache-2.0 */
/* steal_vertex.h - scheduler steal for apps whose tasks are vertices; steal.c has the schedulers' tables. */
#ifndef RD_SCHED_STEAL_VERTEX_H
#define RD_SCHED_STEAL_VERTEX_H

#include "sched/sched.h"

typedef struct rd__steal_vertex rd__steal_vertex;

rd__width rd__steal_vertex_width(const rd__sched_job *job);
void rd__steal_vertex_plan(const rd__sched_job *job, rd_plan *plan);
rd_status rd__steal_vertex_create(const rd__sched_job *job, rd__steal_vertex **state, rd_error *err);
void rd__steal_vertex_destroy(rd__steal_vertex *state);
rd_status rd__steal_vertex_run(rd__steal_vertex *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                               rd_report *report, rd_error *err);

#endif
