/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plane.k.h - model `plane`: the items of a rectangle are tasks, and a task may give up to two further ones. This is
 * the whole contract of such an app; docs/plane.md teaches it. The smallest one, as a whole (tests/lint.sh compiles
 * it): a checkerboard.
 *
 *     #define RD_APP_PACK  1
 *     #define RD_APP_GIVES 1
 *     #include "model/plane.k.h"
 *
 *     #define RD_APP_ARGS(buf, arg) buf(rd_u32, colour) arg(rd_u32, width)
 *     rd_context(rd_app, RD_APP_ARGS);
 *
 *     rd_fn rd_task rd_app_item(const rd_app *a, rd_u32 x, rd_u32 y)
 *     {
 *         rd_task t;
 *         t.a.x = rd_as_f32(y * a->width + x);
 *         t.a.y = rd_as_f32((x + y) % 2);
 *         t.a.z = t.a.w = 0.0f;
 *         t.b = t.a;
 *         return t;
 *     }
 *
 *     rd_fn void rd_app_tasks(const rd_app *a, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)
 *     {
 *         out->given[0] = 0;
 *         if (has[0])
 *             a->colour[rd_as_u32(task[0].a.x)] = rd_as_u32(task[0].a.y);
 *     }
 *
 * WHAT AN APP DEFINES
 *
 *   RD_APP_PACK    tasks that a lane runs at once, so that it can use vector instructions: any number where a group
 *                  has one lane (RD_LANES == 1), and 1 elsewhere. Before this file.
 *   RD_APP_GIVES   most tasks that a task gives, 1 or 2. Before this file.
 *   RD_APP_ARGS(buf, arg), rd_context(rd_app, RD_APP_ARGS)   its arguments, as its host side passes them
 *   rd_task rd_app_item(const rd_app *a, rd_u32 x, rd_u32 y)
 *                  the first task of item (x, y), column and row
 *   void rd_app_tasks(const rd_app *a, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)
 *                  runs task[i] for each i below RD_APP_PACK with has[i]; the other ones hold nothing. Sets
 *                  out->given[p] to 1 or 0 for every p below RD_APP_GIVES * RD_APP_PACK, and out->task[p] where it
 *                  is 1.
 *
 * A task is two vectors of four floats; rd_as_u32 and rd_as_f32 put other words in. On the host rd__app.plane says
 * columns, rows, `gives` and `pack` as here, and `depth`: the most tasks one below the other, the item's own
 * included.
 *
 * WHAT IT PROMISES: no chain of tasks is longer than `depth`. Stacks have room for that, and for no more; a run in
 * which one is full fails.
 *
 * WHAT IT IS PROMISED
 *
 *   rd_app_item once for each item; every task runs once, as one of a call of rd_app_tasks, which is also called with
 *   nothing to run. The run ends when no task is left.
 *   shared == 0: all tasks of the items at hand are run by this group, so with one lane per group plain additions to
 *   words of an item will do. Else other groups may have tasks of the same items now, and such words need atomics.
 *   It may differ from call to call; once an item's tasks are shared it is not 0 for them.
 *   What rd_app_item and a task wrote is seen by the tasks that it gave. There is no other order, and no group
 *   operations.
 */
#ifndef RD_MODEL_PLANE_K_H
#define RD_MODEL_PLANE_K_H

#include "raddle/kernel.h"

#if !defined(RD_APP_PACK) || !defined(RD_APP_GIVES)
#error "define RD_APP_PACK and RD_APP_GIVES before you include model/plane.k.h"
#endif
#if RD_APP_GIVES < 1 || RD_APP_GIVES > 2
#error "RD_APP_GIVES is 1 or 2"
#endif
#if RD_APP_PACK < 1 || (RD_LANES > 1 && RD_APP_PACK != 1)
#error "RD_APP_PACK is 1 where a group has many lanes; RD_VECTOR is a good value, and 1 there"
#endif

typedef struct {
    rd_f32x4 a, b;
} rd_task;

typedef struct {
    rd_task task[RD_APP_GIVES * RD_APP_PACK];
    rd_u32 given[RD_APP_GIVES * RD_APP_PACK];
} rd_given;

#else /* the engine's text includes this again, after the app's */

#ifndef RD_APP_ARGS
#error "the app has no RD_APP_ARGS(buf, arg): the list of its kernel arguments, and rd_context(rd_app, RD_APP_ARGS)"
#endif

#endif
