/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seed.k.h - scheduler `bsp`: puts the seeds in place, as round 0. The host has written the control words, with the
 * number of tasks; what a round knows of its tasks besides (parts of big vertices, degrees, sets) is added here, as
 * bsp_put adds it for tasks that are given.
 */
#ifndef RD_SCHED_BSP_SEED_K_H
#define RD_SCHED_BSP_SEED_K_H

#include "sched/bsp/give.k.h"
#include "sched/parts/seed.k.h"

#define BSP_SEED_ARGS(buf, arg) BSP_ARGS(buf, arg) SEED_ARGS(buf, arg)

rd_kernel(bsp_seed, BSP_SEED_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const bsp_ctx c = rd_bind(BSP_ARGS);
    rd_global rd_u32 *const slot = bsp_slot(&c, 0);
    const rd_u32 room = BSP_DEGREE_LIMIT;
    /* No tasks in round 0: all wait in the far set. The host has marked them. */
    const rd_u32 waits = BSP_REPEATS && rd_ld_rlx(&slot[BSP_COUNT]) == 0;
    rd_u32 degrees = 0, most = 0;
    for (rd_u64 i = rd_group() * rd_lanes() + rd_lane(); waits && i < seed_count; i += rd_groups() * rd_lanes())
        bsp_far(&c, 0)[i] = (rd_u32)i;
    for (rd_u64 i = rd_group() * rd_lanes() + rd_lane(); !waits && i < seed_count; i += rd_groups() * rd_lanes()) {
        const rd_u32 v = seed_vertex(seed_list + seed_first, seed_count, seed_stride, (rd_u32)i), bit = 1u << (v % 32);
        const rd_u64 degree = rd_ld_const(&row[v + 1]) - rd_ld_const(&row[v]);
        const rd_u32 some = degree < room - degrees ? (rd_u32)degree : room - degrees;
        if (bsp_option(&c, BSP_BITMAP))
            rd_or_rlx(&bsp_front(&c, 0)[v / 32], bit); /* partner: the same in other lanes */
        else
            queue[i] = v;
        bsp_list_parts(&c, slot, 0, v, degree);
        degrees += some;
        most = some > most ? some : most;
        /* Rounds that push add what they find to the set of settled vertices; the seeds are settled before. */
        if (BSP_CAN_PULL && direction != BSP_ALWAYS_PUSH)
            rd_or_rlx(&bsp_set(&c, 0)[v / 32], bit); /* likewise */
    }
    const rd_u32 all = rd_group_sum(scratch, degrees), largest = rd_group_max(scratch, most);
    if (rd_lane() == 0 && largest) { /* partners: the same in other groups */
        rd_add64_rlx((rd_global rd_u64 *)&slot[BSP_FRONT_EDGES], all);
        rd_max_rlx(&slot[BSP_MOST_EDGES], largest);
    }
}

#endif
