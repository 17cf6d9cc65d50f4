/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bag.k.h - scheduler `bag`, kernel side: rounds of ranked tasks, in no order. A launch runs all tasks of a round; what
 * they give makes the next one. No queue, no locks: a group takes the next tasks with one addition and writes what they
 * gave behind what others gave with another. What the order of ranks is worth is what `heap` gains over this.
 *
 * Nothing overflows: the host makes room for BAG_MOST_GIVES tasks for each one of the round before it launches. Nothing
 * is lost when the host asks to stop: groups finish what they took, then look at the request before they take more, so
 * the rest stays in `in` behind the last task that was taken.
 */
#ifndef RD_SCHED_BAG_K_H
#define RD_SCHED_BAG_K_H

#include "model/ranked.k.h"
#include "sched/bag/layout.k.h"

#define BAG_CHUNK BAG_CHUNK_OF(RD_LANES)
#define BAG_NONE  0xffffffffu

/* clang-format off */
#define BAG_RUN_ARGS(buf, arg) BAG_ARGS(buf, arg) RD_APP_ARGS(buf, arg)
/* clang-format on */

rd_kernel(bag_run, BAG_RUN_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    heap_item slots[RD_TASK_GIVES * BAG_CHUNK]; /* of this lane */
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rd_u32 share = rd_lanes() * BAG_CHUNK;
    rd_u32 base = rd_group() * share, tasks = 0, pruned = 0;
    while (base < count) {
        rd_ranked_worker w = {slots, 0, 0, 0};
        for (rd_u32 i = base + rd_lane(); i < count && i < base + share; i += rd_lanes()) {
            const rd_u64 rank = in[2 * (rd_u64)i], data = in[2 * (rd_u64)i + 1];
            if (rd_app_keep(&app, rank, data)) {
                w.room = w.given + RD_TASK_GIVES;
                rd_app_task(&app, &w, rank, data);
                tasks++;
            } else {
                pruned++;
            }
        }
        if (w.over)
            rd_st_rlx(&control[BAG_OVER], 1); /* read by the host */
        rd_u32 all = 0, at = 0, next = BAG_NONE;
        const rd_u32 before = rd_group_scan(scratch, w.given, &all);
        if (rd_lane() == 0) {
            if (all)
                at = rd_add_rlx(&control[BAG_OUT], all); /* hands out places; partner: itself */
            if (!rd_stopped())
                next = rd_groups() * share + rd_add_rlx(&control[BAG_NEXT], share); /* likewise */
        }
        at = rd_group_broadcast(scratch, at, 0);
        for (rd_u32 i = 0; i < w.given; i++) {
            const rd_u64 to = 2 * ((rd_u64)at + before + i);
            out[to] = slots[i].rank;
            out[to + 1] = slots[i].data;
        }
        base = rd_group_broadcast(scratch, next, 0);
    }
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(control + BAG_TASKS);
    const rd_u32 all_tasks = rd_group_sum(scratch, tasks), all_pruned = rd_group_sum(scratch, pruned);
    if (rd_lane() == 0) {
        rd_add64_rlx(&stats[0], all_tasks); /* counters, read after the launch */
        rd_add64_rlx(&stats[1], all_pruned);
    }
}

#define BAG_KERNELS(k) k(bag_run, BAG_RUN_ARGS)
rd_kernels(BAG_KERNELS);

#endif
