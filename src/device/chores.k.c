/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chores.k.c - sets words of several buffers: see chores.c. No two runs have a word in common, so lanes need no order.
 * The list is used as it lies among the arguments: a pointer to it would have each lane copy it.
 */
#include "raddle/kernel.h"
#include "device/chores_layout.k.h"

CHORES_LIST(rd_u32);

/* Runs of buffer k. Neighbouring lanes write neighbouring words. */
#define CHORES_OF(k)                                                                                                   \
    for (; r < list.end[k]; r++)                                                                                       \
        for (rd_u64 i = first; i < list.count[r]; i += step)                                                           \
            to_##k[list.at[r] + i] = list.word[r];

rd_kernel(chores_do, CHORES_ARGS)
{
    const rd_u64 first = (rd_u64)rd_group() * rd_lanes() + rd_lane(), step = (rd_u64)rd_groups() * rd_lanes();
    rd_u32 r = 0;
    CHORES_EACH(CHORES_OF)
}

#define CHORES_KERNELS(k) k(chores_do, CHORES_ARGS)
rd_kernels(CHORES_KERNELS);
