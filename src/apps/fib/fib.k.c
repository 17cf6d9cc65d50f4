/* SPDX-License-Identifier: Apache-2.0 */
/* fib.k.c - Fibonacci numbers by their definition, every call a task: nothing but spawning and joining. */
#define RD_TASK_WORDS    1 /* n */
#define RD_TASK_CHILDREN 2
#define RD_TASK_JOIN     RD_JOIN_VALUES
#include "model/forkjoin.k.h"

#ifndef RD_APP_ARGS /* parts.k.c has more */
/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    arg(rd_u32, n)
/* clang-format on */
#endif
rd_context(rd_app, RD_APP_ARGS);

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
