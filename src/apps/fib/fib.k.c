/* SPDX-License-Identifier: Apache-2.0 */
/* fib.k.c - Fibonacci numbers by their definition, every call a task: nothing but spawning and joining.
 * raddle fib 30, or as an own file: raddle run fib.k.c --n 30 */
#define RD_TASK_WORDS    1 /* n */
#define RD_TASK_CHILDREN 2
#define RD_TASK_JOIN     RD_JOIN_VALUES
#include "model/forkjoin.k.h"

RD_APP(fib, "Fibonacci numbers by recursion, every call a task: the cost of spawning and joining")
RD_OPTION(rd_u32, n, 30, 0, 50, "which number")
RD_SAMPLE("n=17")

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = a->n;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 n = t->word[0];
    if (n < 2) {
        rd_return(w, n);
    } else {
        rd_task child;
        child.word[0] = n - 1;
        rd_spawn(w, &child);
        child.word[0] = n - 2;
        rd_spawn(w, &child);
    }
}

rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
{
    rd_return(w, rd_value(w, 0) + rd_value(w, 1));
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    rd_u64 value = 0, next = 1;
    for (rd_u32 i = 0; i < a->n; i++) {
        const rd_u64 sum = value + next;
        value = next;
        next = sum;
    }
    return c->sum == value ? RD_RIGHT : 0;
}
#endif
