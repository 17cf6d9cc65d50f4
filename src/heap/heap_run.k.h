/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_run.k.h - kernels that put items of an array into a heap and take them out, for the host's rd_heap_...
 * functions. heap_put inserts alone, from below. heap_mix inserts from above and deletes, in turns, in every group.
 * heap_fetch and heap_step are the pipeline (heap_steps.k.h). heap_copy moves a heap to larger memory.
 */
#include "heap/heap_put.k.h"
#include "heap/heap_steps.k.h"

rd_kernel(heap_mix, HEAP_MIX_ARGS)
{
    rd_local_array(heap_item, buf, HEAP_BUFFER);
    rd_local_array(rd_u64, board, HEAP_BOARD);
    heap_group g;
    heap_open(&g, heap_items, heap_states, heap_control, heap_node, heap_nodes, buf, board);
    const rd_u32 k = heap_k(&g);
    const rd_u64 puts = heap_operations(in_count, batch), gets = (out_count + k - 1) / k;
    const rd_u64 operations = puts > gets ? puts : gets;
    for (rd_u64 t = rd_group(); t < operations; t += rd_groups()) {
        const rd_u32 n = t < puts ? heap_next_items(&g, in, in_count, batch, t) : 0;
        rd_once(n > 0)
            heap_insert(&g, n);
        const rd_u32 m = t >= gets ? 0 : out_count - t * k < k ? (rd_u32)(out_count - t * k) : k;
        rd_once(m > 0)
            heap_delete(&g, m, out, 1);
    }
    heap_close(&g);
}

rd_kernel(heap_copy, HEAP_COPY_ARGS)
{
    const rd_u64 stride = (rd_u64)rd_groups() * rd_lanes();
    for (rd_u64 i = (rd_u64)rd_group() * rd_lanes() + rd_lane(); i < words; i += stride)
        to[i] = from[i];
}

#define HEAP_KERNELS(k)                                                                                                \
    k(heap_put, HEAP_PUT_ARGS) k(heap_mix, HEAP_MIX_ARGS) k(heap_fetch, HEAP_STEP_ARGS) k(heap_step, HEAP_STEP_ARGS)   \
        k(heap_copy, HEAP_COPY_ARGS)
rd_kernels(HEAP_KERNELS);
