/* SPDX-License-Identifier: Apache-2.0 */
/* frontier.k.h - what an app's functions may do with the worker that runs them. */
#ifndef RD_SCHED_WORKER_H
#define RD_SCHED_WORKER_H

#include "raddle/kernel.h"

/* What an app may rely on. 1: tasks run in rounds; all that a round gave is run in the next one, and each task is run
 * once. 0: tasks run in any order, and a task that is given again is run again (though two that wait may become one).
 * The engine's line in sched/engines.def says which. */
#ifndef RD_ROUNDS
#error "the engine's constants must say RD_ROUNDS: do tasks run in rounds?"
#endif
#ifndef RD_URGENT
#error "the engine's constants must say RD_URGENT: do urgent tasks go before the others?"
#endif

/* Seeds by a predicate: an app with RD_APP_SEEDS defines rd_u32 rd_app_is_seed(const rd_app *, rd_u32 v), which is asked
 * once for each vertex, before the run (RD__SEEDS_WHERE, model/model.h), and may also give v's data its first state. */
#define RD_SEED_NO    0
#define RD_SEED_NOW   1
#define RD_SEED_LATER 2 /* not now, but to be asked again for the next stage */

/* Private to a lane. A function of the app gives at most one task a call. */
typedef struct {
    rd_u32 task;
    rd_u32 given;
    rd_u32 again;
#if RD_ROUNDS
    rd_u32 when;
#endif
} rd_worker;
#if RD_ROUNDS
#define RD_WORKER_NEW                                                                                                  \
    {                                                                                                                  \
        0, 0, 0, 0                                                                                                     \
    }
#else
#define RD_WORKER_NEW                                                                                                  \
    {                                                                                                                  \
        0, 0, 0                                                                                                        \
    }
#endif

/* What the lanes of a group share while they run one task together. */
typedef struct {
    rd_local rd_u32 *scratch; /* RD_SCRATCH words, of collectives */
    rd_local rd_u32 *words;   /* RD_APP_WORDS words for the app */
} rd_team;

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

/* The same, before all tasks of rd_give that wait: a correction, whose delay would spread what is wrong. An app that
 * uses it defines RD_APP_URGENT; where the scheduler has no such thing it is as rd_give_again. */
#if RD_URGENT && defined(RD_APP_URGENT)
#define RD_TASK_URGENT 0x80000000u /* in the task, until it is in its queue */
#else
#define RD_TASK_URGENT 0u
#endif
rd_fn void rd_give_urgent(rd_worker *w, rd_u32 task)
{
    rd_give_again(w, task | RD_TASK_URGENT);
}

#endif
