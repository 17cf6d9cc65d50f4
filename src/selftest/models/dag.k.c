/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag.k.c - a graph of tasks that counts what model dag promises. Task t below `count` waits for task (t - 1) / 3 and,
 * from MODELS_SKIP on, every other one also for t - MODELS_SKIP; numbers from there to `known` stand for no task. Every
 * seventh makes two new ones, of which the second waits for it and for the first; every eleventh lets its first child
 * wait for one release more, and makes that too. See test_models_tasks.c.
 */
#define RD_TASK_RELEASES 8
#include "model/dag.k.h"
#include "selftest/models/layout.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                       \
    buf(rd_u32, ran)  /* per task: how often, by lane 0 */                          \
    buf(rd_u32, done) /* per task: 1 when it ended, plain, by the last lane */      \
    buf(rd_u32, told) /* per new task: whom it releases, from 1; 0: it is second */ \
    buf(rd_u32, from) /* per new task: who made it */                               \
    buf(rd_u32, wrong)                                                              \
    arg(rd_u32, count)                                                              \
    arg(rd_u32, known)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 models_skips(rd_u32 t)
{
    return t >= MODELS_SKIP && t % 2 == 0;
}

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
{
    return t >= a->count ? RD_NONE : (rd_u32)(t > 0) + models_skips(t);
}

rd_fn void models_expect(const rd_app *a, rd_u32 right)
{
    if (!right)
        rd_add_rlx(a->wrong, 1); /* a counter, read by the host */
}

/* One that was there before: what it waits for has ended, and what it releases. The last lane. */
rd_fn void models_known(const rd_app *a, rd_worker *w, rd_u32 t)
{
    models_expect(a, t == 0 || a->done[(t - 1) / 3] == 1);
    models_expect(a, !models_skips(t) || a->done[t - MODELS_SKIP] == 1);
    if (t % 11 == 0 && 3 * t + 1 < a->count) {
        rd_await(w, 3 * t + 1, 1);
        rd_release(w, 3 * t + 1);
    }
    if (t + MODELS_SKIP < a->count && models_skips(t + MODELS_SKIP))
        rd_release(w, t + MODELS_SKIP);
    if (t % 7 == 0) {
        const rd_u32 second = rd_new_task(w, 2), first = rd_new_task(w, 0);
        if (first != RD_NONE && second != RD_NONE) {
            a->told[first] = second + 1;
            a->from[first] = a->from[second] = t;
            rd_release(w, second);
        }
    }
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    const rd_u32 last = rd_lane() + 1 == rd_lanes();
    if (rd_lane() == 0) {
        rd_add_rlx(&a->ran[t], 1); /* a counter, read by the host */
        for (rd_u32 child = 3 * t + 1; child <= 3 * t + 3; child++)
            if (child < a->count && t < a->known)
                rd_release(w, child);
    }
    if (last && t < a->known)
        models_known(a, w, t);
    if (last && t >= a->known) {
        models_expect(a, a->done[a->from[t]] == 1);
        if (a->told[t])
            rd_release(w, a->told[t] - 1);
    }
    if (last)
        a->done[t] = 1;
}
