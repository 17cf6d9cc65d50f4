/* SPDX-License-Identifier: Apache-2.0 */
/* collect.k.h - the kernel of scheduler `heap` that runs between launches, and its list of kernels. Part of
 * rank_work.k.h. */
#ifndef RD_SCHED_HEAP_COLLECT_K_H
#define RD_SCHED_HEAP_COLLECT_K_H

#define COLLECT_ARGS(buf, arg) HEAP_ARGS(buf, arg) RANK_COLLECT_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

RD_COLD_BEGIN /* between launches */

/* Copies the tasks that are still worth running out of the heap. */
rd_kernel(rank_collect, COLLECT_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u64, place, 1);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rd_u32 partial = HEAP_PARTIAL_OF(heap_control[HEAP_HEAD]); /* nobody changes it now */
    for (rd_u32 node = rd_group(); node < heap_nodes; node += rd_groups()) {
        const rd_u32 count = node == 0 ? partial : heap_states[node] == HEAP_FULL ? heap_node : 0;
        rank_sift(&app, heap_items + (rd_u64)node * heap_node, count, out, words, scratch, place);
    }
}

RD_COLD_END

#define RANK_KERNELS(k)                                                                                                \
    k(rank_work, RANK_WORK_ARGS) k(rank_collect, COLLECT_ARGS) k(heap_put, HEAP_PUT_ARGS) RANK_SEED_KERNELS(k)
rd_kernels(RANK_KERNELS);

#endif
