/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_sort.k.h - sorting and merging inside a group, on items in group memory. All lanes call; each function ends with
 * a barrier. Lists have k items, a power of two.
 *
 * heap_sort: bitonic, whose steps do not depend on the items. Steps that stay within a warp are done in registers.
 * heap_merge: merge path (Green, McColl and Bader 2012). Each lane makes an equal stretch of the output; where its
 * stretch starts in each list is found by a binary search along a diagonal. One lane merges as one does by hand, from
 * both ends, into lists that are spare.
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

/* The k least of lists x and y to list `least`, the others to list `most`, all in order. From both ends: none of the
 * four places can leave its list before k items are found there, so nothing is asked but which item is next, and the
 * two ends do not wait for each other. */
rd_across(rd_apart, void, heap_merge,
          (rd_local heap_item * buf, rd_u32 x, rd_u32 y, rd_u32 least, rd_u32 most, rd_u32 k))
{
    rd_local const heap_item *p = buf + x, *q = buf + y, *p_end = buf + x + (k - 1), *q_end = buf + y + (k - 1);
    rd_local heap_item *low = buf + least, *high = buf + most + (k - 1);
    for (rd_u32 n = 0; n < k; n++) {
        const heap_item a = *p, b = *q, c = *p_end, d = *q_end;
        const rd_u32 second = heap_less(b, a), first = heap_less(d, c); /* of equal ones p's are the lesser */
        *low++ = second ? b : a;
        *high-- = first ? c : d;
        p += 1 - second;
        q += second;
        p_end -= first;
        q_end -= 1 - first;
    }
}

/* The same of runs that may be in order already, one before the other, as those of a list are that was. */
rd_fn void heap_join(rd_local heap_item *buf, rd_u32 x, rd_u32 y, rd_u32 least, rd_u32 most, rd_u32 k)
{
    const rd_u32 in_order = !heap_less(buf[y], buf[x + k - 1]), reversed = !heap_less(buf[x], buf[y + k - 1]);
    rd_local const heap_item *first = buf + (in_order ? x : y), *second = buf + (in_order ? y : x);
    rd_local heap_item *low = buf + least, *high = buf + most;
    if (!in_order && !reversed)
        heap_merge(buf, x, y, least, most, k);
    else
        for (rd_u32 i = 0; i < k; i++) {
            low[i] = first[i];
            high[i] = second[i];
        }
}

rd_fn void heap_pair(heap_item *r, rd_u32 i, rd_u32 j)
{
    const heap_item p = r[i], q = r[j];
    const rd_u32 swaps = heap_less(q, p);
    r[i] = swaps ? q : p;
    r[j] = swaps ? p : q;
}

/* Eight items by K. Batcher's odd-even merging: which are compared does not depend on the items, so nothing is to be
 * foreseen. */
rd_fn void heap_sort_eight(rd_local heap_item *list)
{
    heap_item r[8];
    for (rd_u32 i = 0; i < 8; i++)
        r[i] = list[i];
    for (rd_u32 four = 0; four < 8; four += 4) {
        heap_pair(r, four, four + 1);
        heap_pair(r, four + 2, four + 3);
        heap_pair(r, four, four + 2);
        heap_pair(r, four + 1, four + 3);
        heap_pair(r, four + 1, four + 2);
    }
    for (rd_u32 i = 0; i < 4; i++)
        heap_pair(r, i, i + 4);
    heap_pair(r, 2, 4);
    heap_pair(r, 3, 5);
    for (rd_u32 i = 1; i < 7; i += 2)
        heap_pair(r, i, i + 1);
    for (rd_u32 i = 0; i < 8; i++)
        list[i] = r[i];
}

/* Runs of 8, then runs are merged in pairs. @return the list that has the n items in order: x or spare. */
rd_across(rd_apart, rd_u32, heap_sort, (rd_local heap_item * buf, rd_u32 x, rd_u32 spare, rd_u32 n))
{
    rd_u32 at = x, other = spare;
    const rd_u32 whole = n - n % 8;
    for (rd_u32 base = 0; base < whole; base += 8)
        heap_sort_eight(buf + x + base);
    for (rd_u32 i = whole + 1; i < n; i++) {
        const heap_item item = buf[x + i];
        rd_u32 j = i;
        while (j > whole && heap_less(item, buf[x + j - 1])) {
            buf[x + j] = buf[x + j - 1];
            j--;
        }
        buf[x + j] = item;
    }
    for (rd_u32 run = 8; run < n; run *= 2) {
        for (rd_u32 base = 0; base < n; base += 2 * run) {
            const rd_u32 middle = base + run < n ? base + run : n, end = base + 2 * run < n ? base + 2 * run : n;
            if (end == base + 2 * run) {
                heap_join(buf, at + base, at + middle, other + base, other + middle, run);
                continue;
            }
            rd_u32 i = base, j = middle;
            for (rd_u32 m = base; m < end; m++) {
                const rd_u32 second = j < end && (i >= middle || heap_less(buf[at + j], buf[at + i]));
                buf[other + m] = second ? buf[at + j] : buf[at + i];
                i += 1 - second;
                j += second;
            }
        }
        const rd_u32 from = at;
        at = other;
        other = from;
    }
    return at;
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
