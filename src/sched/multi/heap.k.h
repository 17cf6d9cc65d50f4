/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.k.h - one queue of scheduler `multi`: a plain heap whose items have as many children as fit a line of 64
 * bytes, by one lane that owns it. (A. LaMarca, R. Ladner, "The Influence of Caches on the Performance of Heaps",
 * 1996.)
 *
 * Item i stands at place i + WAYS - 1, its children at WAYS * (i + 1) and the places behind it: on one line, since the
 * array starts on one. So a step down costs one line, and a heap of WAYS^n items n of them.
 */
#ifndef RD_SCHED_MULTI_HEAP_K_H
#define RD_SCHED_MULTI_HEAP_K_H

#ifdef RD_RANKED
#define MULTI_WAYS    4
#define multi_rank(x) ((x).rank)
/* Both parts are compared in any case: no branch to guess. */
#define multi_less(a, b) (((a).rank < (b).rank) | (((a).rank == (b).rank) & ((a).data < (b).data)))
#else
#define MULTI_WAYS       8
#define multi_rank(x)    (x)
#define multi_less(a, b) ((a) < (b))
#endif
#define MULTI_ROOT (MULTI_WAYS - 1)

/* Puts item where place `at` is free, or further up. */
rd_fn void multi_rise(rd_global heap_item *heap, rd_u32 at, heap_item item)
{
    rd_u32 above = at / MULTI_WAYS + MULTI_WAYS - 2;
    while (at > MULTI_ROOT && multi_less(item, heap[above])) {
        heap[at] = heap[above];
        at = above;
        above = at / MULTI_WAYS + MULTI_WAYS - 2;
    }
    heap[at] = item;
}

/* The least of the items from place `first` on that are siblings and before `end`; there is one. */
rd_fn rd_u32 multi_least_child(rd_global const heap_item *heap, rd_u32 first, rd_u32 end)
{
    rd_u32 least = first;
    heap_item item = heap[first];
    if (first + MULTI_WAYS <= end) {
        RD_UNROLL
        for (rd_u32 i = 1; i < MULTI_WAYS; i++) {
            const heap_item other = heap[first + i];
            const rd_u32 less = multi_less(other, item);
            least = less ? first + i : least;
            item = less ? other : item;
        }
        return least;
    }
    for (rd_u32 i = first + 1; i < end; i++)
        if (multi_less(heap[i], heap[least]))
            least = i;
    return least;
}

/* Puts item where place `at` is free, or further down; places before `end` are used. */
rd_fn void multi_sink(rd_global heap_item *heap, rd_u32 at, rd_u32 end, heap_item item)
{
    rd_u32 below = MULTI_WAYS * (at - MULTI_WAYS + 2), sinks = 1;
    while (sinks && below < end) {
        const rd_u32 least = multi_least_child(heap, below, end);
        sinks = multi_less(heap[least], item);
        if (sinks) {
            heap[at] = heap[least];
            at = least;
            below = MULTI_WAYS * (at - MULTI_WAYS + 2);
        }
    }
    heap[at] = item;
}

/* Takes the least item out of a heap of `count`, which is not 0. */
rd_fn heap_item multi_pop(rd_global heap_item *heap, rd_u32 count)
{
    const heap_item least = heap[MULTI_ROOT];
    if (count > 1)
        multi_sink(heap, MULTI_ROOT, MULTI_ROOT + count - 1, heap[MULTI_ROOT + count - 1]);
    return least;
}

/* Several at once; apart from who asks for them, and by values, so that neither has to keep its own in memory. */
rd_across(rd_fn, void, multi_pop_some, (rd_global heap_item * heap, rd_u32 count, rd_u32 n, rd_global heap_item *out))
{
    for (rd_u32 i = 0; i < n; i++)
        out[i] = multi_pop(heap, count - i);
}

rd_across(rd_fn, void, multi_push_some,
          (rd_global heap_item * heap, rd_u32 count, rd_local const heap_item *list, rd_u32 n))
{
    for (rd_u32 i = 0; i < n; i++)
        multi_rise(heap, MULTI_ROOT + count + i, list[i]);
}

/* Makes a heap of `count` items in any order. */
rd_fn void multi_arrange(rd_global heap_item *heap, rd_u32 count)
{
    const rd_u32 end = MULTI_ROOT + count;
    rd_u32 at = count > 1 ? (end - 1) / MULTI_WAYS + MULTI_WAYS - 2 : 0; /* the last one that has children */
    while (at >= MULTI_ROOT) {
        multi_sink(heap, at, end, heap[at]);
        at--;
    }
}

#endif
