/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.k.c - a tree of numbered tasks, each of which returns its number plus 1; every fourth join spawns once more.
 * See test_models_tasks.c.
 */
#define RD_TASK_WORDS    2 /* its number; which join comes next, or MODELS_EXTRA */
#define RD_TASK_CHILDREN 3
#define RD_TASK_JOIN     RD_JOIN_VALUES
#include "model/forkjoin.k.h"

#define MODELS_EXTRA 9 /* a task that a join spawned */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                         \
    buf(rd_u32, ran)    /* per number */                              \
    buf(rd_u32, joined) /* per number */                              \
    buf(rd_u32, told)   /* by the parent before it spawned: plain */  \
    buf(rd_u32, ended)   /* by the task, for its parent: plain */      \
    buf(rd_u32, wrong)                                                \
    arg(rd_u32, numbers)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = i; /* seed 0 is the root; the host asks for one */
    t->word[1] = 0;
    a->told[i] = 1;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 n = t->word[0], first = 3 * n + 1;
    rd_task child;
    if (t->word[1] == MODELS_EXTRA) {
        rd_return(w, 77);
        return;
    }
    rd_add_rlx(&a->ran[n], 1); /* counters, read by the host: here and below */
    if (!a->told[n])
        rd_add_rlx(a->wrong, 1);
    a->ended[n] = 1;
    child.word[1] = 0;
    for (rd_u32 i = 0; i < 3 && first + i < a->numbers; i++) {
        a->told[first + i] = 1;
        child.word[0] = first + i;
        rd_spawn(w, &child);
    }
    if (first >= a->numbers)
        rd_return(w, (rd_u64)n + 1);
}

rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 n = t->word[0], first = 3 * n + 1;
    rd_u32 wrong = 0;
    rd_add_rlx(&a->joined[n], 1);
    if (t->word[1] == 0) {
        for (rd_u32 i = 0; i < 3 && first + i < a->numbers; i++)
            wrong += rd_value(w, i) != (rd_u64)first + i + 1 || !a->ended[first + i];
        t->word[1] = 1;
        if (n % 4 == 0) {
            rd_task extra;
            extra.word[0] = n;
            extra.word[1] = MODELS_EXTRA;
            rd_spawn(w, &extra);
        } else {
            rd_return(w, (rd_u64)n + 1);
        }
    } else {
        wrong += rd_value(w, 0) != 77;
        rd_return(w, (rd_u64)n + 1);
    }
    if (wrong)
        rd_add_rlx(a->wrong, wrong);
}
