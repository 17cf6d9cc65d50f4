/* SPDX-License-Identifier: Apache-2.0 */
/* heap_ranked.k.h - scheduler `heap` for tasks {rank, data}: each is run by one lane. Part of heap_sched.k.h. */
#ifndef RD_SCHED_HEAP_RANKED_K_H
#define RD_SCHED_HEAP_RANKED_K_H

#define HEAP_WORK_ARGS(arg) RANK_ARGS(arg) RD_APP_ARGS(arg)

rd_fn rd_u32 rank_worth(const rd_app *app, heap_item item)
{
    return rd_app_keep(app, item.rank, item.data);
}

rd_kernel(heap_work, HEAP_WORK_ARGS)
{
    rd_local_array(heap_item, buf, HEAP_BUFFER);
    heap_item slots[RD_TASK_GIVES];
    rd_local_array(rd_u64, board, HEAP_BOARD);
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rank_args args = rd_bind(RANK_ARGS);
    rank_group g;
    rank_open(&g, &args, buf, board, scratch, slots);
    rd_u32 act = RANK_IDLE, tasks = 0, pruned = 0;
    while (act != RANK_LEAVES) {
        const rd_u32 stopped = rd_lane() == 0 ? rd_stopped() : 0;
        act = rank_look(&g, 0, stopped);
        rd_u32 got = 0;
        for (rd_u32 once = act == RANK_RUNS; once; once = 0)
            got = heap_delete(&g.h, fetch, g.inbox, 0);
        for (rd_u32 base = 0; base < got; base += rd_lanes()) {
            rd_ranked_worker w = {slots, 0};
            if (base + rd_lane() < got) {
                const heap_item item = g.inbox[base + rd_lane()];
                if (rd_app_keep(&app, item.rank, item.data)) {
                    rd_app_task(&app, &w, item.rank, item.data);
                    tasks++;
                } else {
                    pruned++;
                }
            }
            rank_share(&g, w.given, base + rd_lanes() >= got);
        }
        rank_done(&g, got, 0);
        g.turn += got != 0;
        if (got == 0)
            rd_pause();
    }
    rank_count(&g, RANK_TASKS, tasks);
    rank_count(&g, RANK_PRUNED, pruned);
    rank_close(&g);
}

#endif
