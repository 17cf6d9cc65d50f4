/* SPDX-License-Identifier: Apache-2.0 */
/* vertex_sizes.k.h - vertices in a priority queue: an item has 64 bits, and in the widest groups the queue leaves less
 * memory for spreading edges. Before everything else. */
#ifndef RD_SCHED_RANK_VERTEX_SIZES_K_H
#define RD_SCHED_RANK_VERTEX_SIZES_K_H

#define HEAP_ITEM 64
#if RD_LANES > 512
#define SPREAD_BATCH 2
#define SPREAD_STASH (3 * RD_LANES)
#endif

#endif
