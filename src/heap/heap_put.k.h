/* SPDX-License-Identifier: Apache-2.0 */
/* heap_put.k.h - the kernel heap_put: inserts the items of an array, from below, with nothing else going on. */
#ifndef RD_HEAP_PUT_K_H
#define RD_HEAP_PUT_K_H

#include "heap/heap.k.h"


/* Items of operation t to list x. @return how many. */
rd_fn rd_u32 heap_next_items(heap_group *g, rd_global const heap_item *in, rd_u64 in_count, rd_u32 batch, rd_u64 t)
{
    const rd_u64 from = t * batch;
    const rd_u32 n = from >= in_count ? 0 : in_count - from < batch ? (rd_u32)(in_count - from) : batch;
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
    const rd_u64 operations = (in_count + batch - 1) / batch;
    for (rd_u64 t = rd_group(); t < operations; t += rd_groups()) {
        const rd_u32 n = heap_next_items(&g, in, in_count, batch, t);
        heap_insert_up(&g, n);
    }
    heap_close(&g);
}

#endif
