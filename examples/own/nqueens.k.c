/* SPDX-License-Identifier: Apache-2.0 */
/* In how many ways do n queens stand on a board of n by n, none threatened? A task is a board with some rows filled. */
#define RD_TASK_WORDS    3 /* columns and both diagonals that are taken, as bits */
#define RD_TASK_CHILDREN 16
#define RD_TASK_JOIN     RD_JOIN_NONE
#include "model/forkjoin.k.h"

RD_APP(queens, "n queens: how many boards there are")
RD_OPTION(rd_u32, n, 10, 1, 16, "rows and columns")
RD_SAMPLE("n=7")

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = t->word[1] = t->word[2] = 0;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 all = (1u << a->n) - 1;
    rd_u32 free = all & ~(t->word[0] | t->word[1] | t->word[2]);
    if (t->word[0] == all)
        rd_result(w, 1);
    for (; free; free &= free - 1) {
        const rd_u32 place = free & (0u - free);
        rd_task next;
        next.word[0] = t->word[0] | place;
        next.word[1] = (t->word[1] | place) << 1;
        next.word[2] = (t->word[2] | place) >> 1;
        rd_spawn(w, &next);
    }
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    static const rd_u64 ways[] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                                  352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    return c->sum == ways[a->n] ? RD_RIGHT : 0;
}
#endif
