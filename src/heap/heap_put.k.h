/* SPDX-License-Identifier: Apache-2.0 */
/* heap_put.k.h - the kernel heap_put: inserts the items of an array, from below, with nothing else going on. */
#ifndef RD_HEAP_PUT_K_H
#define RD_HEAP_PUT_K_H

#include "heap/heap.k.h"

/* How many operations insert in_count items. Ragged ones share `batch` items between two. */
rd_fn rd_u64 heap_operations(rd_u64 in_count, rd_u32 batch)
{
    const rd_u32 most = batch & ~HEAP_RAGGED;
    return (most ? (in_count + most - 1) / most : 0) << (batch >> 31);
}

/* Items of operation t to list x. @return how many. */
rd_fn rd_u32 heap_next_items(heap_group *g, rd_global const heap_item *in, rd_u64 in_count, rd_u32 batch, rd_u64 t)
{
    const rd_u32 ragged = batch >> 31, most = batch & ~HEAP_RAGGED;
    rd_u64 from = (t >> ragged) * most;
    rd_u32 n = most;
    if (ragged) { /* the first of two takes a random part, the second the others */
        const rd_u32 mixed = ((rd_u32)(t >> 1) + 1) * 0x9e3779b1u;
        const rd_u32 part = 1 + (rd_u32)((rd_u64)(mixed ^ mixed >> 15) * 0x85ebca6bu >> 16 & 0xffffu) % (most - 1);
        from += t & 1 ? part : 0;
        n = t & 1 ? most - part : part;
    }
    n = from >= in_count ? 0 : in_count - from < n ? (rd_u32)(in_count - from) : n;
    for (rd_u32 i = rd_lane(); i < n; i += rd_lanes())
        g->buf[g->x + i] = in[from + i];
    return n;
}

rd_kernel(heap_put, HEAP_PUT_ARGS)
{
    rd_local_array(heap_item, buf, HEAP_BUFFER);
    rd_local_array(rd_u64, board, HEAP_BOARD);
    heap_group g;
    heap_open(&g, heap_items, heap_states, heap_control, heap_node, heap_nodes, buf, board);
    const rd_u64 operations = heap_operations(in_count, batch);
    for (rd_u64 t = rd_group(); t < operations; t += rd_groups()) {
        const rd_u32 n = heap_next_items(&g, in, in_count, batch, t);
        rd_once(n > 0)
            heap_insert_up(&g, n);
    }
    heap_close(&g);
}

#endif
