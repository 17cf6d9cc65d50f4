/* SPDX-License-Identifier: Apache-2.0 */
/* sift.k.h - what collections of the schedulers `heap` and `multi` share: the tasks that are still worth running. */
#ifndef RD_SCHED_RANK_SIFT_K_H
#define RD_SCHED_RANK_SIFT_K_H

#include "sched/rank/work.k.h"

/* Of collections: copies those of `count` items that are still worth running behind what all groups copied so far. */
rd_fn void rank_sift(const rd_app *app, rd_global const heap_item *from, rd_u32 count, rd_global heap_item *out,
                     rd_global rd_u64 *words, rd_local rd_u32 *scratch, rd_local rd_u64 *place)
{
    for (rd_u32 base = 0; base < count; base += rd_lanes()) {
        const rd_u32 i = base + rd_lane();
        rd_u32 all = 0, stays = 0;
        heap_item item = HEAP_PAD;
        if (i < count) {
            item = from[i];
            stays = rank_worth(app, item);
        }
        const rd_u32 before = rd_group_scan(scratch, stays, &all);
        if (rd_lane() == 0)
            place[0] = rd_add64_rlx(&words[RANK_KEPT], all); /* partner: the same in other groups */
        rd_barrier();                                        /* the place is known */
        if (stays)
            out[place[0] + before] = item;
        rd_barrier(); /* the place is read */
    }
}

#endif
