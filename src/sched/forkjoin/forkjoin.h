/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.h - what engines for fork-join tasks have in common: all of the host side but some options. */
#ifndef RD_SCHED_FORKJOIN_H
#define RD_SCHED_FORKJOIN_H

#include "sched/sched.h"

rd__width rd__forkjoin_width(const rd__sched_job *job);
void rd__forkjoin_plan(const rd__sched_job *job, rd_plan *plan);
rd_status rd__forkjoin_create(const rd__sched_job *job, rd__sched_state **state, rd_error *err);
void rd__forkjoin_destroy(rd__sched_state *state);
rd_status rd__forkjoin_freeze(rd__sched_state *state, struct rd__freeze *freeze, rd_error *err);
rd_status rd__forkjoin_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                           rd_error *err);

/* Options that all of them have. */
#define RD__FORKJOIN_OPTIONS                                                                                           \
    {"steps", "0..65535", "0", "tasks that a lane runs at most before it looks around (default: by device)", 0},       \
        {"stack", "0..16777216", "0", "tasks that a lane's stack holds at first (default: by device)", 0},             \
    {                                                                                                                  \
        "frames", "0..1073741824", "0", "waiting tasks that there is room for at first (default: by device)", 0        \
    }
/* The members of an rd__engine that are the same in all of them. */
#define RD__FORKJOIN_ENGINE                                                                                            \
    .model = RD__MODEL_FORKJOIN, .width = rd__forkjoin_width, .plan = rd__forkjoin_plan,                               \
    .create = rd__forkjoin_create, .destroy = rd__forkjoin_destroy, .run = rd__forkjoin_run,                           \
    .freeze = rd__forkjoin_freeze

#endif
