/* SPDX-License-Identifier: Apache-2.0 */
/* vertex_sizes.k.h - vertices in a priority queue: an item has 64 bits, and in the widest groups the queue leaves less
 * memory for spreading edges. Before everything else. */
#ifndef RD_SCHED_RANK_VERTEX_SIZES_K_H
#define RD_SCHED_RANK_VERTEX_SIZES_K_H

#include "sched/rank/layout.k.h"

#define HEAP_ITEM    64
#define SPREAD_BATCH RANK_BATCH_OF(RD_LANES)
#define SPREAD_STASH RANK_STASH_OF(RD_CORE, RD_LANES)

#endif
