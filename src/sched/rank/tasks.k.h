/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.k.h - the worker's kernel for tasks {rank, data}: each is run by one lane. Part of rank_work.k.h. */
#ifndef RD_SCHED_RANK_TASKS_K_H
#define RD_SCHED_RANK_TASKS_K_H

#include "model/ranked.k.h"

#define RANK_WORK_ARGS(buf, arg) RANK_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

#define RANK_SEED_KERNELS(k) /* the host makes them */

rd_fn rd_u32 rank_worth(const rd_app *app, heap_item item)
{
    return rd_app_keep(app, item.rank, item.data);
}

/* A task gave more than it may: the host is to say so. */
rd_fn void rank_over(const rank_group *g)
{
    rd_st64_rlx(&g->words[RANK_STATS + RANK_OVER], 1);   /* read by the host */
    rd_st64_rlx(&g->words[RANK_LEAVE], RANK_LEAVE_OVER); /* partner: the look in rank_look */
}

rd_kernel_apart(O2, rank_work, RANK_WORK_ARGS)
{
    rd_local_array(heap_item, list, RANK_QUEUE_LIST);
    rd_local_array(rd_u64, board, RANK_BOARD);
    heap_item slots[RD_TASK_GIVES];
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rank_args args = rd_bind(RANK_ARGS);
    rank_group g;
    rank_open(&g, &args, list, board, scratch, slots);
    rd_u32 act = RANK_IDLE, idle = 0, tasks = 0, pruned = 0;
    while (act != RANK_LEAVES) {
        const rd_u32 stopped = rd_lane() == 0 ? rd_asked(rd_stop_word()) : 0;
        act = rank_look(&g, 0, 0, stopped);
        rd_u32 got = 0;
        rd_once(act == RANK_RUNS)
            got = rank_take(&g, fetch);
        for (rd_u32 base = 0; base < got; base += rd_lanes()) {
            rd_ranked_worker w = {slots, 0, RD_TASK_GIVES, 0};
            if (base + rd_lane() < got) {
                const heap_item item = g.inbox[base + rd_lane()];
                if (RD_CORE && base && rd_asked(rd_stop_word())) { /* somebody waits: the rest goes back */
                    slots[0] = item;
                    w.given = 1;
                } else if (rd_app_keep(&app, item.rank, item.data)) {
                    rd_app_task(&app, &w, item.rank, item.data);
                    tasks++;
                } else {
                    pruned++;
                }
            }
            if (w.over)
                rank_over(&g);
            rank_share(&g, w.given, base + rd_lanes() >= got);
        }
        rank_done(&g, got, 0);
        g.turn += got != 0;
        idle = got ? 0 : idle + 1;
        if (idle)
            rank_rest(&g, idle);
    }
    rank_count(&g, RANK_TASKS, tasks);
    rank_count(&g, RANK_PRUNED, pruned);
    rank_close(&g);
}

#endif
