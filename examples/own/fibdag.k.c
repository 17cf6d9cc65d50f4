/* SPDX-License-Identifier: Apache-2.0 */
/* A task graph that grows: fib(n) makes tasks for n - 1 and n - 2, and a third one that waits for both and adds. */
#define RD_TASK_RELEASES 2
#include "model/dag.k.h"

RD_APP(fibdag, "Fibonacci numbers by a task graph that grows")
RD_OPTION(rd_u32, n, 20, 0, 28, "which one")
RD_ARRAY(rd_u32, number, 2000000, n) /* of a task: fib of what; RD_NONE: it adds */
RD_ARRAY(rd_u32, to, 2000000, 0)     /* where its value goes: to this task's `value`, which is released */
RD_ARRAY(rd_u32, value, 2000000, 0)
RD_ARRAY(rd_u32, answer, 1, 0)
RD_RESULT(answer)
RD_TASKS(1, 2000000)
RD_SAMPLE("n=12")

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
{
    return 0; /* the first one */
}

rd_fn void give_back(const rd_app *a, rd_worker *w, rd_u32 t, rd_u32 value)
{
    if (a->to[t] == 0) {
        a->answer[0] = value;
    } else {
        rd_add_rlx(&a->value[a->to[t]], value); /* partner: the other one's addition; read when both are done */
        rd_release(w, a->to[t]);
    }
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    const rd_u32 n = a->number[t];
    if (rd_lane())
        return;
    if (n == RD_NONE || n < 2) {
        give_back(a, w, t, n == RD_NONE ? rd_ld_rlx(&a->value[t]) : n);
        return;
    }
    const rd_u32 sum = rd_new_task(w, 2), one = rd_new_task(w, 0), two = rd_new_task(w, 0);
    if (two == RD_NONE || one == RD_NONE || sum == RD_NONE)
        return; /* no room: the run fails */
    a->number[sum] = RD_NONE, a->number[one] = n - 1, a->number[two] = n - 2;
    a->to[sum] = a->to[t], a->to[one] = a->to[two] = sum;
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    rd_u32 x = 0, y = 1;
    for (rd_u32 i = 0; i < a->n; i++) {
        const rd_u32 z = x + y;
        x = y;
        y = z;
    }
    return a->answer[0] == x ? RD_RIGHT : 0;
}
#endif
