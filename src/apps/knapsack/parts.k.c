/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.k.c - knapsack/knapsack.k.c for several ranks (knapsack/ranks.c). A rank runs for a while: after so many tasks
 * (KNAPSACK_BUDGET) those that come next are not run. They stay where they lie, in the pool with their slots in use,
 * and their ranks are written behind the pool's records; when the queue is empty the host has them all, may give some
 * to others, and starts the next while from the rest. A seed names a slot; its first turn puts it into the queue with
 * the rank that it had.
 */
#define rd_app_keep knapsack_keep
#define rd_app_task knapsack_run
#include "apps/knapsack/knapsack.k.c"
#undef rd_app_keep
#undef rd_app_task

rd_fn rd_global rd_u64 *knapsack_rank_of(const rd_app *a, rd_u64 slot)
{
    return a->pool + KNAPSACK_TASK_WORDS * (rd_u64)a->pool_size + slot;
}

rd_fn rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
{
    const rd_u64 slot = data & (KNAPSACK_SEED - 1);
    return knapsack_keep(a, data & KNAPSACK_SEED ? *knapsack_rank_of(a, slot) : rank, slot);
}

rd_fn void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    const rd_u64 slot = data & (KNAPSACK_SEED - 1);
    if (data & KNAPSACK_SEED) {
        rd_give_ranked(w, *knapsack_rank_of(a, slot), slot);
        return;
    }
    /* partner: the same in other lanes; read by the host */
    if (rd_add64_rlx(&a->notes[KNAPSACK_RUN], 1) >= rd_ld_const(&a->problem[KNAPSACK_BUDGET]))
        *knapsack_rank_of(a, slot) = rank;
    else
        knapsack_run(a, w, rank, slot);
}
