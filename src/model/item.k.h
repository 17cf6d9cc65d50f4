/* SPDX-License-Identifier: Apache-2.0 */
/*
 * item.k.h - a task with its rank as queues hold it, and what the heap holds. HEAP_ITEM says how many bits an item has:
 *    32  a 32-bit key
 *    64  a 64-bit key, or a 32-bit key above a 32-bit payload
 *   128  a 64-bit rank and 64 bits of data (keys and payloads of other widths are widened)
 * Items are compared as a whole. So equal keys come out in the order of their payloads, and the pad, which is the
 * greatest item of all, can be told from an item only where the two are equal, which does not matter.
 */
#ifndef RD_MODEL_ITEM_K_H
#define RD_MODEL_ITEM_K_H

#include "raddle/kernel.h"

#ifndef HEAP_ITEM
#define HEAP_ITEM 128
#endif

#if HEAP_ITEM == 32

typedef rd_u32 heap_item;
#define HEAP_PAD                0xffffffffu
#define heap_less(a, b)         ((a) < (b))
#define heap_shuffle_item(x, l) rd_warp_shuffle(x, l)

#elif HEAP_ITEM == 64

typedef rd_u64 heap_item;
#define HEAP_PAD        0xffffffffffffffffull
#define heap_less(a, b) ((a) < (b))
#define heap_shuffle_item(x, l)                                                                                        \
    ((rd_u64)rd_warp_shuffle((rd_u32)((x) >> 32), l) << 32 | rd_warp_shuffle((rd_u32)(x), l))

#else

typedef struct {
    rd_u64 rank;
    rd_u64 data;
} heap_item;

rd_fn heap_item heap_make(rd_u64 rank, rd_u64 data)
{
    heap_item item;
    item.rank = rank;
    item.data = data;
    return item;
}
#define HEAP_PAD        heap_make(0xffffffffffffffffull, 0xffffffffffffffffull)
#define heap_less(a, b) ((a).rank < (b).rank || ((a).rank == (b).rank && (a).data < (b).data))

#endif

#endif
