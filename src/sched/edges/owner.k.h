/* SPDX-License-Identifier: Apache-2.0 */
/* owner.k.h - whose edge is it? Members of a group have runs of edges one behind the other; first[m] is the number of
 * the first edge of member m, ascending from 0. A lane finds the owner of an edge by a binary search. */
#ifndef RD_SCHED_OWNER_K_H
#define RD_SCHED_OWNER_K_H

#include "raddle/kernel.h"

/* The largest power of two below RD_LANES (or 8), where the search over as many members starts. */
#define OWNER_STEP                                                                                                     \
    (RD_LANES > 512   ? 512                                                                                            \
     : RD_LANES > 256 ? 256                                                                                            \
     : RD_LANES > 128 ? 128                                                                                            \
     : RD_LANES > 64  ? 64                                                                                             \
     : RD_LANES > 32  ? 32                                                                                             \
     : RD_LANES > 16  ? 16                                                                                             \
                      : 8)

/* The last of the members with first[m] <= i. Members without edges are passed over: the next one starts where they do.
 * step: a power of two, at least half of members. */
rd_fn rd_u32 owner_of(rd_local const rd_u32 *first, rd_u32 members, rd_u32 step, rd_u32 i)
{
    rd_u32 m = 0;
    RD_UNROLL
    for (; step > 0; step /= 2)
        if (m + step < members && first[m + step] <= i)
            m += step;
    return m;
}

#endif
