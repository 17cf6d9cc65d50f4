/* SPDX-License-Identifier: Apache-2.0 */
/* dag.h - what engines for task graphs have in common: all of the host side but some options. */
#ifndef RD_SCHED_DAG_H
#define RD_SCHED_DAG_H

#include "sched/sched.h"

rd__width rd__dag_width(const rd__sched_job *job);
void rd__dag_plan(const rd__sched_job *job, rd_plan *plan);
rd_status rd__dag_create(const rd__sched_job *job, rd__sched_state **state, rd_error *err);
void rd__dag_destroy(rd__sched_state *state);
rd_status rd__dag_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                      rd_error *err);

rd_status rd__dag_freeze(rd__sched_state *state, struct rd__freeze *freeze, rd_error *err);

/* The option that all of them have. */
#define RD__DAG_OPTIONS                                                                                                \
    {                                                                                                                  \
        "next", "own|queue", "own",                                                                                    \
            "who runs the first task that a task made ready: the same worker, or whoever finds it", 0                  \
    }
/* The members of an rd__engine that are the same in all of them. */
#define RD__DAG_ENGINE                                                                                                 \
    .model = RD__MODEL_DAG, .width = rd__dag_width, .plan = rd__dag_plan, .create = rd__dag_create,                    \
    .destroy = rd__dag_destroy, .run = rd__dag_run, .freeze = rd__dag_freeze

#endif
