/* SPDX-License-Identifier: Apache-2.0 */
/* ranked.k.h - what an app with ranked tasks may do with the worker that runs them. */
#ifndef RD_SCHED_RANKED_H
#define RD_SCHED_RANKED_H

#include "raddle/kernel.h"

/* Private to a lane. */
typedef struct {
    rd_u64 *stash; /* pairs: rank, data */
    rd_u32 given;
} rd_ranked_worker;

/* Gives a task; the smallest rank comes first where the scheduler has an order. At most RD_TASK_GIVES a task. */
rd_fn void rd_give_ranked(rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    w->stash[2 * w->given] = rank;
    w->stash[2 * w->given + 1] = data;
    w->given++;
}

#endif
