/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranked.k.h - model `ranked`: a task is {rank, data}, two words of 64 bits; the least rank first where the policy
 * has an order (`heap`; nearly `multi`; `bag` has none). This is the whole contract of such an app; docs/ranked.md
 * teaches it. The smallest one, as a whole (tests/lint.sh compiles it): the numbers below n, each found from half of
 * it.
 *
 *     #include "model/ranked.k.h"
 *     #define RD_TASK_GIVES 2
 *
 *     #define RD_APP_ARGS(buf, arg) buf(rd_u32, found) arg(rd_u32, n)
 *     rd_context(rd_app, RD_APP_ARGS);
 *
 *     rd_fn rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
 *     {
 *         return data < a->n;
 *     }
 *
 *     rd_fn void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
 *     {
 *         a->found[data] = 1;
 *         if (data)
 *             rd_give_ranked(w, 2 * data, 2 * data);
 *         rd_give_ranked(w, 2 * data + 1, 2 * data + 1);
 *     }
 *
 * WHAT AN APP DEFINES
 *
 *   RD_TASK_GIVES   most tasks that one task gives, 1 to 8; when one gives more the run fails
 *   RD_APP_ARGS(buf, arg), rd_context(rd_app, RD_APP_ARGS)   its arguments, as its host side passes them
 *   rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
 *                   is the task still worth running? 0: it is dropped, for good. Without effects. A task that is not
 *                   worth it must never become so again.
 *   void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
 *                   runs it, on one lane: no group operations, no waiting for other tasks
 *
 * Seeds, which the host names, have rank 0 and their number as data.
 *
 * WHAT IT IS PROMISED
 *
 *   A task is either run once or dropped by rd_app_keep; the run ends when none is left. rd_app_keep is asked right
 *   before a task runs, and at any other time between giving and running: any number of times, by anyone.
 *   What a task did before it gave another is seen by the one that was given, in both functions, plain stores
 *   included. Tasks that run at the same time see each other's words through atomics only.
 *   Order. Under `heap` workers take the least tasks that are there, several at once, and what they give in the
 *   meantime may be less: so an app is right whatever the order, and order only saves work. Of equal ranks the least
 *   data first.
 */
#ifndef RD_MODEL_RANKED_K_H
#define RD_MODEL_RANKED_K_H

#define RD_RANKED 1
#define HEAP_ITEM 128
#include "model/item.k.h"

/* Private to a lane, as its slots are. */
typedef struct {
    heap_item *slot;
    rd_u32 given;
    rd_u32 room; /* given may not pass this */
    rd_u32 over; /* a task wanted to: its engine says so */
} rd_ranked_worker;

rd_fn void rd_give_ranked(rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    if (w->given < w->room)
        w->slot[w->given++] = heap_make(rank, data);
    else
        w->over = 1;
}

#ifdef RD_ALLOW
#define rd_give_ranked(w, rank, data)                                                                                  \
    __extension__({                                                                                                    \
        rd_ranked_worker *const rd_w = (w);                                                                            \
        RD_ALLOW(rd_w->given < rd_w->room,                                                                             \
                 "a task gives more than RD_TASK_GIVES says: say more (up to 8), or give a task that gives the rest"); \
        rd_give_ranked(rd_w, rank, data);                                                                              \
    })
#endif

#else /* the engine's text includes this again, after the app's */

#ifndef RD_APP_ARGS
#error "the app has no RD_APP_ARGS(buf, arg): the list of its kernel arguments, and rd_context(rd_app, RD_APP_ARGS)"
#endif
#ifndef RD_TASK_GIVES
#error "the app must say RD_TASK_GIVES: the most tasks that one task gives"
#elif RD_TASK_GIVES < 1 || RD_TASK_GIVES > 8
#error "RD_TASK_GIVES is 1 to 8: engines make room for no more"
#endif

#endif
