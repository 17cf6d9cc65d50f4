/* SPDX-License-Identifier: Apache-2.0 */
/* Which number below a limit has the longest way down to 1? The ways form a tree, searched from 1 upwards. */
#define RD_TASK_WORDS    3 /* a number, in two words, and how far it is from 1 */
#define RD_TASK_CHILDREN 2
#define RD_TASK_JOIN     RD_JOIN_NONE
#include "model/forkjoin.k.h"

RD_APP(collatz, "the longest Collatz way within numbers up to --limit")
RD_OPTION(rd_u64, limit, 1000000, 1, 1000000000000, "no number of the way is larger")
RD_ARRAY(rd_u64, best, 1, 0) /* length above, number below; the greatest wins */
RD_RESULT(best)
RD_SAMPLE("limit=5000")

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = 1, t->word[1] = 0, t->word[2] = 0;
}

rd_fn void collatz_go(const rd_app *a, rd_worker *w, rd_u64 x, rd_u32 steps)
{
    rd_task t;
    t.word[0] = (rd_u32)x, t.word[1] = (rd_u32)(x >> 32), t.word[2] = steps;
    if (x <= a->limit)
        rd_spawn(w, &t);
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u64 x = (rd_u64)t->word[1] << 32 | t->word[0], found = (rd_u64)t->word[2] << 40 | x;
    if (found > rd_ld64_rlx(&a->best[0])) /* partner: the maximum in other lanes */
        rd_max64_rlx(&a->best[0], found);
    collatz_go(a, w, 2 * x, t->word[2] + 1); /* who halves to x */
    if (x % 6 == 4 && x > 4)                 /* and who is tripled to it */
        collatz_go(a, w, (x - 1) / 3, t->word[2] + 1);
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c) /* the way down from each number */
{
    rd_u64 best = 0;
    for (rd_u64 first = 1; first <= a->limit; first++) {
        rd_u64 x = first, steps = 0;
        for (; x != 1 && x <= a->limit; steps++)
            x = x % 2 ? 3 * x + 1 : x / 2;
        if (x == 1 && (steps << 40 | first) > best)
            best = steps << 40 | first;
    }
    return a->best[0] == best ? RD_RIGHT : 0;
}
#endif
