/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_sort.k.h - sorting and merging inside a group, on items in group memory. All lanes call; each function ends with
 * a barrier. Lists have k items, a power of two.
 *
 * heap_sort: bitonic, whose steps do not depend on the items. Steps that stay within a warp are done in registers.
 * heap_merge: merge path (Green, McColl and Bader 2012). Each lane makes an equal stretch of the output; where its
 * stretch starts in each list is found by a binary search along a diagonal. One lane merges as one does by hand.
 */
#ifndef RD_HEAP_SORT_K_H
#define RD_HEAP_SORT_K_H

#include "dialect/constants.h"
#include "model/item.k.h"

/* Items in a node. */
#if !RD_CONSTANTS
#define HEAP_ROOM  2048 /* HEAP_K_MAX */
#define heap_k(g)  ((g)->k)
#define HEAP_SPARE (2 * HEAP_ROOM)
#else
#ifndef HEAP_NODE
#define HEAP_NODE 256
#endif
#define HEAP_ROOM (HEAP_NODE < 32 ? 32 : HEAP_NODE) /* a warp sorts at least as many as it has lanes */
#define heap_k(g) ((rd_u32)HEAP_NODE)
#if RD_LANES == 1
#define HEAP_SPARE (2 * HEAP_ROOM)
#else
#define HEAP_SPARE 0
#endif
#endif
/* Items of group memory: three lists, and with one lane two more. */
#define HEAP_BUFFER (3 * HEAP_ROOM + HEAP_SPARE)

#if RD_LANES == 1

#define HEAP_SORTED 1 /* items that heap_sort looks at, at least */

/* With one lane an operation is a function of its own, as is what it is made of most: a call is nothing beside it, and
 * compilers take more than twice as long for twice the text. Lanes of a group have all of it in one piece. */
#define heap_fn rd_apart

/* The k least of lists x and y to x, the others to y, both in order. spare: 2k items. */
heap_fn void heap_merge(rd_local heap_item *buf, rd_u32 x, rd_u32 y, rd_u32 k)
{
    rd_local const heap_item *p = buf + x, *q = buf + y;
    rd_local heap_item *spare = buf + 3 * HEAP_ROOM;
    rd_u32 i = 0, j = 0, n = 0;
    while (i < k && j < k) {
        const rd_u32 second = heap_less(q[j], p[i]);
        spare[n++] = second ? q[j] : p[i];
        i += 1 - second;
        j += second;
    }
    while (i < k)
        spare[n++] = p[i++];
    while (j < k)
        spare[n++] = q[j++];
    for (rd_u32 m = 0; m < k; m++)
        buf[x + m] = spare[m];
    for (rd_u32 m = 0; m < k; m++)
        buf[y + m] = spare[k + m];
}

/* Runs of 8 by insertion, then runs are merged in pairs. The k items are in order; the first n need it. */
heap_fn void heap_sort(rd_local heap_item *buf, rd_u32 x, rd_u32 n, rd_u32 k)
{
    rd_local heap_item *from = buf + x, *to = buf + 3 * HEAP_ROOM;
    for (rd_u32 base = 0; base < n; base += 8)
        for (rd_u32 i = base + 1; i < n && i < base + 8; i++) {
            const heap_item item = from[i];
            rd_u32 j = i;
            while (j > base && heap_less(item, from[j - 1])) {
                from[j] = from[j - 1];
                j--;
            }
            from[j] = item;
        }
    for (rd_u32 run = 8; run < n; run *= 2) {
        for (rd_u32 base = 0; base < n; base += 2 * run) {
            const rd_u32 middle = base + run < n ? base + run : n, end = base + 2 * run < n ? base + 2 * run : n;
            rd_u32 i = base, j = middle;
            for (rd_u32 m = base; m < end; m++) {
                const rd_u32 second = j < end && (i >= middle || heap_less(from[j], from[i]));
                to[m] = second ? from[j] : from[i];
                i += 1 - second;
                j += second;
            }
        }
        rd_local heap_item *other = from;
        from = to;
        to = other;
    }
    if (from != buf + x)
        for (rd_u32 i = 0; i < n; i++)
            buf[x + i] = from[i];
}

#else

#define heap_fn rd_fn

/* Items of the output that a lane makes, at most. */
#if !RD_CONSTANTS
#define HEAP_STRETCH (2 * HEAP_ROOM)
#else
#define HEAP_STRETCH ((2 * HEAP_ROOM + RD_LANES - 1) / RD_LANES)
#endif

/* Few lanes have long stretches, of which unrolled code would be long to compile. */
#if HEAP_STRETCH <= 8
#define HEAP_UNROLL RD_UNROLL
#else
#define HEAP_UNROLL
#endif

rd_fn void heap_merge(rd_local heap_item *buf, rd_u32 x, rd_u32 y, rd_u32 k)
{
    heap_item made[HEAP_STRETCH];
    const rd_u32 stretch = (2 * k + rd_lanes() - 1) / rd_lanes();
    const rd_u32 from = rd_lane() * stretch < 2 * k ? rd_lane() * stretch : 2 * k;
    const rd_u32 end = from + stretch < 2 * k ? from + stretch : 2 * k;
    rd_u32 low = from > k ? from - k : 0, high = from < k ? from : k;
    while (low < high) {
        const rd_u32 m = (low + high) / 2;
        const heap_item p = buf[x + m], q = buf[y + from - 1 - m];
        if (heap_less(q, p))
            high = m;
        else
            low = m + 1;
    }
    rd_u32 i = low, j = from - low;
    heap_item p = buf[x + (i < k ? i : 0)], q = buf[y + (j < k ? j : 0)];
    HEAP_UNROLL
    for (rd_u32 s = 0; s < HEAP_STRETCH; s++)
        if (from + s < end) {
            const rd_u32 second = i >= k || (j < k && heap_less(q, p));
            made[s] = second ? q : p;
            i += 1 - second;
            j += second;
            const rd_u32 at = second ? y + (j < k ? j : 0) : x + (i < k ? i : 0);
            const heap_item more = buf[at];
            p = second ? p : more;
            q = second ? more : q;
        }
    rd_barrier(); /* both lists are read */
    HEAP_UNROLL
    for (rd_u32 s = 0; s < HEAP_STRETCH; s++)
        if (from + s < end)
            buf[from + s < k ? x + from + s : y + from + s - k] = made[s];
    rd_barrier(); /* both lists are written */
}

#if RD_WARP > 1 && HEAP_ITEM != 128 && RD_LANES % RD_WARP == 0

/* Steps of stride below a warp, in registers: each warp has RD_WARP items that lie together. From size `size`, whose
 * first stride is `stride`, down to stride 1. */
rd_fn void heap_sort_near(rd_local heap_item *buf, rd_u32 x, rd_u32 size, rd_u32 stride, rd_u32 k)
{
    for (rd_u32 i = rd_lane(); i < k; i += RD_LANES) { /* whole warps: k and RD_LANES are multiples of one */
        heap_item item = buf[x + i];
        for (rd_u32 step = stride; step > 0; step /= 2) {
            const heap_item other = heap_shuffle_item(item, rd_warp_lane() ^ step);
            const rd_u32 keeps_less = ((i & step) == 0) == ((i & size) == 0);
            item = heap_less(other, item) == keeps_less ? other : item;
        }
        buf[x + i] = item;
    }
    rd_barrier(); /* all items are written */
}
#define HEAP_NEAR (RD_WARP / 2)

#else

#define heap_sort_near(buf, x, size, stride, k) ((void)0)
#define HEAP_NEAR                               0

#endif

#define HEAP_SORTED (HEAP_NEAR ? 2 * HEAP_NEAR : 2) /* items that heap_sort looks at, at least */

/* The items from n on are pads; the power of two that holds the others is sorted. */
rd_fn void heap_sort(rd_local heap_item *buf, rd_u32 x, rd_u32 n, rd_u32 k)
{
    rd_u32 all = HEAP_SORTED;
    while (all < n)
        all *= 2;
    rd_barrier(); /* the items are there */
    for (rd_u32 size = 2; size <= all; size *= 2) {
        for (rd_u32 stride = size / 2; stride > HEAP_NEAR; stride /= 2) {
            for (rd_u32 t = rd_lane(); t < all / 2; t += rd_lanes()) {
                const rd_u32 i = 2 * t - (t & (stride - 1)), j = i + stride;
                const heap_item p = buf[x + i], q = buf[x + j];
                if (heap_less(q, p) == ((i & size) == 0)) { /* equal items may be exchanged: nobody can tell */
                    buf[x + i] = q;
                    buf[x + j] = p;
                }
            }
            rd_barrier(); /* the step is complete */
        }
        if (HEAP_NEAR)
            heap_sort_near(buf, x, size, size / 2 < HEAP_NEAR ? size / 2 : HEAP_NEAR, all);
    }
}

#endif

#endif
