/* SPDX-License-Identifier: Apache-2.0 */
/* worker.k.h - what an app's functions may do with the worker that runs them. */
#ifndef RD_SCHED_WORKER_H
#define RD_SCHED_WORKER_H

#include "raddle/kernel.h"

/* What an app may rely on. 1: tasks run in rounds; all that a round gave is run in the next one, and each task is run
 * once. 0: tasks run in any order, and a task that is given again is run again (though two that wait may become one).
 */
#if defined(RD_SCHED_fifo)
#define RD_ROUNDS 0
#else
#define RD_ROUNDS 1
#endif

/* Private to a lane. An edge function gives at most one task. */
typedef struct {
    rd_u32 task;
    rd_u32 given;
    rd_u32 again;
#if RD_ROUNDS
    rd_u32 when;
#endif
} rd_worker;
#if RD_ROUNDS
#define RD_WORKER_NEW {0, 0, 0, 0}
#else
#define RD_WORKER_NEW {0, 0, 0}
#endif

rd_fn void rd_give(rd_worker *w, rd_u32 task)
{
    w->task = task;
    w->given = 1;
}

/* Gives a task that was given before: work that better luck would have saved. Counted as such. */
rd_fn void rd_give_again(rd_worker *w, rd_u32 task)
{
    rd_give(w, task);
    w->again = 1;
}

/* Gives a task that is not to run before phase `when`: the lower, the sooner. In rounds a phase begins when no task of
 * the phases before it is left. Without rounds it is an ordinary task. Of apps that define RD_APP_REPEATS. */
rd_fn void rd_give_later(rd_worker *w, rd_u32 task, rd_u32 when)
{
    rd_give(w, task);
#if RD_ROUNDS
    w->when = when;
#endif
}

rd_fn void rd_give_again_later(rd_worker *w, rd_u32 task, rd_u32 when)
{
    rd_give_again(w, task);
#if RD_ROUNDS
    w->when = when;
#endif
}

#endif
