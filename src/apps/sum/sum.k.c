/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sum.k.c - two synthetic scenarios of a thesis on work stealing (docs/forkjoin.md). Each task runs a loop of known
 * length, whose result is 1, so that the sum counts the tasks, and the ideal time is known.
 *   SC1  one task spawns `tasks` others one after another: a chain of spawns, with up to 15 loops at each link.
 *   SC2  seed i leads to a chain of i + 1 tasks: worker i would have i + 1 times the work of worker 0.
 */
#define RD_TASK_WORDS    2 /* loops of the chain from this link on, whether it is a link or a loop */
#define RD_TASK_CHILDREN 16
#define RD_TASK_JOIN     RD_JOIN_NONE
#include "model/forkjoin.k.h"

RD_APP(sum, "synthetic scenarios of work stealing: chains of tasks that each run a loop of known length")
RD_OPTION(rd_u32, scenario, 1, 1, 2, "SC1 or SC2")
RD_OPTION(rd_u32, tasks, 10000, 1, 1048576, "SC1: loops; SC2: chains")
RD_OPTION(rd_u32, length, 100, 1, 4294967295, "length of each task's loop")
RD_SCALAR(rd_u32, one, 1) /* but the compiler does not know */
RD_SCALAR(rd_u32, zero, 0)
RD_SEEDS(1 + (scenario - 1) * (tasks - 1))
RD_SAMPLE("scenario=2 tasks=40 length=9")

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = a->scenario == 1 ? a->tasks : i;
    t->word[1] = 1;
}

/* On a core a loop of its own has all registers; inside the turn that runs tasks it reads some back from the stack. */
#if RD_CORE
#define SUM_LOOP rd_apart
#else
#define SUM_LOOP rd_fn
#endif

/* `length` additions and `length` - 1 subtractions, that no compiler can shorten. @return 1. */
SUM_LOOP rd_u32 sum_loop(const rd_app *a)
{
    rd_u32 x = 0;
    for (rd_u32 i = 0; i < a->length; i++)
        x = (x + a->one) ^ a->zero;
    for (rd_u32 i = 1; i < a->length; i++)
        x = (x - a->one) ^ a->zero;
    return x;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    if (t->word[0] && t->word[1]) { /* a link: loops, and the rest of the chain, which runs next */
        const rd_u32 loops = t->word[0] < RD_TASK_CHILDREN - 1 ? t->word[0] : RD_TASK_CHILDREN - 1;
        rd_task child;
        child.word[0] = t->word[0] - loops;
        child.word[1] = 0;
        for (rd_u32 i = 0; i < loops; i++)
            rd_spawn(w, &child);
        child.word[1] = 1;
        rd_spawn(w, &child);
    } else {
        rd_result(w, sum_loop(a));
    }
}

#ifdef RD_CHECK
/* A chain of n loops has one more task that adds: its end. */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    const rd_u64 n = a->tasks;
    return c->sum == (a->scenario == 1 ? n + 1 : n * (n + 1) / 2) ? RD_RIGHT : 0;
}
#endif
