/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag.k.h - model `dag`: a task runs when all that it waits for is done. This is the whole contract of such an app;
 * docs/dag.md teaches it. The smallest one, as a whole (tests/lint.sh compiles it): Pascal's triangle, of which entry k
 * of row n is task n * side + k and waits for the two above it.
 *
 *     #define RD_TASK_RELEASES 2
 *     #include "model/dag.k.h"
 *
 *     #define RD_APP_ARGS(buf, arg) buf(rd_u32, entry) arg(rd_u32, side)
 *     rd_context(rd_app, RD_APP_ARGS);
 *
 *     rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
 *     {
 *         const rd_u32 n = t / a->side, k = t % a->side;
 *         return k > n ? RD_NONE : (rd_u32)(n > 0 && k > 0) + (rd_u32)(k < n);
 *     }
 *
 *     rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
 *     {
 *         const rd_u32 n = t / a->side, k = t % a->side;
 *         if (rd_lane() == 0) {
 *             a->entry[t] = (k ? a->entry[t - a->side - 1] : n == 0) + (k < n ? a->entry[t - a->side] : 0);
 *             if (n + 1 < a->side) {
 *                 rd_release(w, t + a->side);
 *                 rd_release(w, t + a->side + 1);
 *             }
 *         }
 *     }
 *
 * WHAT AN APP DEFINES
 *
 *   RD_TASK_RELEASES  most tasks that one task releases or makes without anything to wait for, 1 to 1024. Before this
 *                     file.
 *   RD_APP_ARGS(buf, arg), rd_context(rd_app, RD_APP_ARGS)   its arguments, as its host side passes them
 *   rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
 *                     how many releases task t waits for; 0: it is ready at once; RD_NONE: there is no such task. Asked
 *                     before the run for each number below those that rd__app.dag says are known beforehand.
 *   void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
 *                     runs task t. All lanes of a group call it together and share the work: lane rd_lane() of
 *                     rd_lanes(). It may use group operations, in the places that the dialect allows.
 *
 * and calls, in rd_app_task, from any one lane:
 *
 *   rd_release(w, u)     one of the things that task u waits for is done. It counts when this task has ended. The last
 *                        one makes u ready.
 *   rd_new_task(w, n)    a new task that waits for n releases, of whichever tasks; n == 0: it is ready when this task
 *                        has ended. @return its number, the next after all there are; RD_NONE: there is no room for
 *                        more (rd__app.dag says how many there may be), and the run fails.
 *   rd_await(w, u, n)    task u waits for n more releases. Only of a task that still waits for a release of the
 *                        caller's.
 *
 * WHAT IT PROMISES: no task is released more often than it waits, or runs twice; no circle of tasks waits for itself.
 * What is not so is found, and the run fails: with the number of a task that was released too often, of one that
 * released a task that does not exist, or with how many tasks never became ready.
 *
 * WHAT IT IS PROMISED
 *
 *   Each task runs once, when it has been released as often as it waits. The run ends when no task is ready or runs.
 *   What a task wrote to device memory, in any lane, is seen by the tasks that it released, and by all that come after
 *   those. Plain stores will do. Tasks without such a chain between them see each other's words through atomics only.
 *   There is no order between tasks beyond that.
 */
#ifndef RD_MODEL_DAG_K_H
#define RD_MODEL_DAG_K_H

#include "raddle/kernel.h"
#include "model/dag_layout.k.h"

#ifndef RD_TASK_RELEASES
#error "define RD_TASK_RELEASES before you include model/dag.k.h: the most tasks that one task releases"
#elif RD_TASK_RELEASES < 1 || RD_TASK_RELEASES > 1024
#error "RD_TASK_RELEASES is 1 to 1024: release a task that releases the rest"
#endif

#ifndef RD_NONE
#define RD_NONE 0xffffffffu
#endif
#define DAG_READY 0x80000000u /* on the list: a new task without anything to wait for */

/* A group at a task; equal in all lanes. */
typedef struct {
    rd_local rd_u32 *list;     /* what the task releases: RD_TASK_RELEASES words */
    rd_local rd_u32 *listed;   /* how many those are */
    rd_global rd_u32 *waits;   /* a word for each task: releases that are missing */
    rd_global rd_u32 *next;    /* the next new number */
    rd_global rd_u32 *trouble; /* DAG_TROUBLE_WORDS */
    rd_u32 most;               /* numbers are below this */
    rd_u32 task;               /* this one */
} rd_worker;

/* The count is in local memory, for all lanes; what is too much is noticed by the engine. */
rd_fn void dag_list(rd_worker *w, rd_u32 entry)
{
#if RD_LANES == 1
    const rd_u32 at = (*w->listed)++;
#else
    const rd_u32 at = rd_add_local(w->listed, 1); /* partner: itself; read behind a barrier */
#endif
    if (at < RD_TASK_RELEASES)
        w->list[at] = entry;
}

/* ---- For apps ---- */

rd_fn void rd_release(rd_worker *w, rd_u32 u)
{
    dag_list(w, u < w->most ? u : RD_NONE);
}

rd_fn rd_u32 rd_new_task(rd_worker *w, rd_u32 waits)
{
    const rd_u32 u = rd_add_rlx(w->next, 1); /* hands out numbers; partner: itself */
    if (u >= w->most) {
        rd_add_rlx(w->next, 0u - 1u);        /* it must not wrap around */
        rd_st_rlx(&w->trouble[DAG_FULL], 1); /* partner: the host, after the launch */
        return RD_NONE;
    }
    if (waits)
        rd_st_rlx(&w->waits[u], waits); /* nobody knows of u yet; partner: the additions of those who are told */
    else
        dag_list(w, u | DAG_READY);
    return u;
}

/* Relaxed: u cannot become ready before the caller's own release, which comes later in the order of this word. */
rd_fn void rd_await(rd_worker *w, rd_u32 u, rd_u32 more)
{
    if (u < w->most)
        rd_add_rlx(&w->waits[u], more); /* partners: the releases, in sched/dag/group.k.h */
    else
        rd_st_rlx(&w->trouble[DAG_STRANGER], w->task + 1); /* partner: the host, after the launch */
}

#else /* the engine's text includes this again, after the app's */

#ifndef RD_APP_ARGS
#error "the app has no RD_APP_ARGS(buf, arg): the list of its kernel arguments, and rd_context(rd_app, RD_APP_ARGS)"
#endif

#endif
