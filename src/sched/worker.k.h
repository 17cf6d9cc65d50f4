/* SPDX-License-Identifier: Apache-2.0 */
/* worker.k.h - what an app's functions may do with the worker that runs them. */
#ifndef RD_SCHED_WORKER_H
#define RD_SCHED_WORKER_H

#include "raddle/kernel.h"

/* Private to a lane. An edge function gives at most one task. */
typedef struct {
    rd_u32 task;
    rd_u32 given;
} rd_worker;

rd_fn void rd_give(rd_worker *w, rd_u32 task)
{
    w->task = task;
    w->given = 1;
}

#endif
