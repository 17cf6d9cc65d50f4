/* SPDX-License-Identifier: Apache-2.0 */
/* Branch and bound: of n things, each with a value and a weight, the best that fit. The best bound goes first. */
#include "model/ranked.k.h"
#define RD_TASK_GIVES 2
#define THING(i)      (((i)*2654435761u >> 7) % 97 + 3) /* weights; values are weights + 10 */

RD_APP(bound, "branch and bound: the best value of things that fit into a bag")
RD_OPTION(rd_u32, n, 16, 1, 40, "things")
RD_OPTION(rd_u32, room, 300, 1, 4000, "what the bag holds")
RD_ARRAY(rd_u32, best, 1, 0)
RD_RESULT(best)
RD_SAMPLE("n=9 room=150")

/* data: things looked at (8 bits), weight (28 bits), value (28 bits). What is left cannot add more than this: */
rd_fn rd_u32 most(const rd_app *a, rd_u64 data)
{
    const rd_u32 weight = (rd_u32)(data >> 28) & 0xfffffffu;
    rd_u32 value = (rd_u32)data & 0xfffffffu, rest = a->room - weight;
    for (rd_u32 i = (rd_u32)(data >> 56); i < a->n; i++)
        value += THING(i) + 10;
    const rd_u32 other = ((rd_u32)data & 0xfffffffu) + rest + 10 * (rest / 3 + 1); /* all things weigh 3 or more */
    return value < other ? value : other;
}

rd_fn rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
{
    return most(a, data) > rd_ld_rlx(&a->best[0]); /* partner: the maximum below; it only rises */
}

rd_fn void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    const rd_u32 i = (rd_u32)(data >> 56), weight = (rd_u32)(data >> 28) & 0xfffffffu;
    if (i == a->n)
        return;
    const rd_u64 without = data + (1ull << 56);
    const rd_u64 with = without + ((rd_u64)THING(i) << 28) + THING(i) + 10;
    rd_give_ranked(w, 0xffffffffu - most(a, without), without);
    if (weight + THING(i) <= a->room) {
        rd_max_rlx(&a->best[0], (rd_u32)with & 0xfffffffu);
        rd_give_ranked(w, 0xffffffffu - most(a, with), with);
    }
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c) /* the best for each size of the bag */
{
    rd_u32 best[4001] = {0};
    for (rd_u32 i = 0; i < a->n; i++)
        for (rd_u32 room = a->room; room >= THING(i); room--)
            if (best[room - THING(i)] + THING(i) + 10 > best[room])
                best[room] = best[room - THING(i)] + THING(i) + 10;
    return best[a->room] == a->best[0] ? RD_RIGHT : 0;
}
#endif
