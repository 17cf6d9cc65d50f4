/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chains.k.c - `chains` seeds, each the head of a chain of `length` links that wait for what comes below them. Each link
 * spawns the next one and, with `leaves`, a task before it, which one worker runs when the chain is at its end. So how
 * many tasks wait is known at any time: without leaves as many as there are chains that are not at their end; with one
 * chain, one worker and leaves one more than there were links run, then one fewer with each task.
 */
#define RD_TASK_WORDS    1 /* links below this one */
#define RD_TASK_CHILDREN 2
#define RD_TASK_JOIN     RD_JOIN_SUM
#include "model/forkjoin.k.h"

RD_APP(chains, "chains of tasks that wait for each other")
RD_OPTION(rd_u32, chains, 1, 1, 1000000, "how many")
RD_OPTION(rd_u32, length, 0, 0, 1000000, "links of each")
RD_OPTION(rd_u32, leaves, 0, 0, 1, "of each link")
RD_SEEDS(chains)

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = a->length;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    rd_task child;
    if (t->word[0] == 0) {
        rd_return(w, 1);
    } else {
        child.word[0] = 0;
        if (a->leaves)
            rd_spawn(w, &child);
        child.word[0] = t->word[0] - 1;
        rd_spawn(w, &child);
    }
}

rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
{
    rd_return(w, rd_sum(w));
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    return c->sum == a->chains * (1 + (rd_u64)a->leaves * a->length) ? RD_RIGHT : 0;
}
#endif
