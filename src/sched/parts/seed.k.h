/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seed.k.h - seeds of frontiers, kernel side. A seed kernel of an engine puts seed i in its place, and asks
 * seed_vertex which vertex that is. Where the app says which vertices are seeds (RD_APP_SEEDS, model/frontier.k.h),
 * kernel seed_where asks it for each vertex, or each of those that it said `later` of before, and makes a list.
 *
 * Orders. The adds only hand out places, and are relaxed; lists are read by later launches.
 */
#ifndef RD_SCHED_SEED_K_H
#define RD_SCHED_SEED_K_H

#include "raddle/kernel.h"
#include "sched/parts/seed_layout.k.h"

rd_fn rd_u32 seed_vertex(rd_global const rd_u32 *list, rd_u32 count, rd_u32 stride, rd_u32 i)
{
    return stride ? (rd_u32)((rd_u64)i * stride % count) : rd_ld_const(&list[i]);
}

#ifdef RD_APP_SEEDS

/* Vertices of a lane for which places are reserved at once. A core keeps the answers in an array, with a loop; other
 * lanes in registers, for which loops must be unrolled (over 1024 a compiler would not come to an end). */
#if RD_CORE
#define SEED_EACH 1024
#define SEED_UNROLL
#else
#define SEED_EACH   4
#define SEED_UNROLL RD_UNROLL
#endif

#define SEED_WHERE_ALL_ARGS(buf, arg) SEED_WHERE_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

rd_kernel(seed_where, SEED_WHERE_ALL_ARGS)
{
    rd_local_array(rd_u32, seed_scratch, RD_SCRATCH);
    const rd_app seed_app = rd_bind(RD_APP_ARGS);
    const rd_u64 seed_tile = SEED_EACH * rd_lanes();
    for (rd_u64 base = rd_group() * seed_tile; base < seed_asked; base += rd_groups() * seed_tile) {
        rd_u32 answer[SEED_EACH], count = 0, all = 0, now_at = 0, later_at = 0;
        SEED_UNROLL
        for (rd_u32 k = 0; k < SEED_EACH; k++) {
            const rd_u64 i = base + k * rd_lanes() + rd_lane();
            answer[k] = RD_SEED_NO;
            if (i < seed_asked)
                answer[k] = rd_app_is_seed(&seed_app, seed_listed ? rd_ld_const(&seed_from[i]) : (rd_u32)i);
            count += answer[k] == RD_SEED_NOW ? 1u : answer[k] == RD_SEED_LATER ? 1u << 16 : 0u;
        }
        const rd_u32 before = rd_group_scan(seed_scratch, count, &all);
        if (rd_lane() == 0 && (all & 0xffff)) /* partners: the same adds in other groups */
            now_at = rd_add_rlx(&seed_words[SEED_NOW], all & 0xffff);
        if (rd_lane() == 0 && all >> 16)
            later_at = rd_add_rlx(&seed_words[SEED_LATER], all >> 16);
        now_at = rd_group_broadcast(seed_scratch, now_at, 0) + (before & 0xffff);
        later_at = rd_group_broadcast(seed_scratch, later_at, 0) + (before >> 16);
        SEED_UNROLL
        for (rd_u32 k = 0; k < SEED_EACH; k++) {
            const rd_u64 i = base + k * rd_lanes() + rd_lane();
            if (answer[k] != RD_SEED_NO) {
                const rd_u32 v = seed_listed ? rd_ld_const(&seed_from[i]) : (rd_u32)i;
                if (answer[k] == RD_SEED_NOW)
                    seed_now[now_at++] = v;
                else
                    seed_later[later_at++] = v;
            }
        }
    }
}

#define SEED_KERNELS(k) k(seed_where, SEED_WHERE_ALL_ARGS)
#else
#define SEED_KERNELS(k)
#endif

#endif
