/* SPDX-License-Identifier: Apache-2.0 */
/* collect.k.h - the kernels of scheduler `multi` that run between launches, and its list of kernels. Part of
 * rank_work.k.h. */
#ifndef RD_SCHED_MULTI_COLLECT_K_H
#define RD_SCHED_MULTI_COLLECT_K_H

#define COLLECT_ARGS(buf, arg) MULTI_COLLECT_ARGS(buf, arg) RANK_COLLECT_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

RD_COLD_BEGIN /* between launches */

/* Copies the tasks that are still worth running out of heaps and outboxes. */
rd_kernel(rank_collect, COLLECT_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u64, place, 1);
    const rd_app app = rd_bind(RD_APP_ARGS);
    for (rd_u32 part = rd_group(); part < multi_queues + workers; part += rd_groups()) {
        const rd_u64 at = part < multi_queues
                              ? (rd_u64)part * multi_room + MULTI_ROOT
                              : (rd_u64)multi_queues * multi_room + (rd_u64)(part - multi_queues) * multi_out_room;
        const rd_u32 count = (rd_u32)multi_heads[(rd_u64)part * MULTI_HEAD + MULTI_COUNT]; /* nobody changes it now */
        rank_sift(&app, multi_items + at, count, out, words, scratch, place);
    }
}

/* Spreads items over empty heaps, as evenly as can be. Each heap by one lane. */
rd_kernel(multi_put, MULTI_PUT_ARGS)
{
    for (rd_u32 i = rd_group() * rd_lanes() + rd_lane(); i < multi_queues; i += rd_groups() * rd_lanes()) {
        rd_global heap_item *heap = multi_items + (rd_u64)i * multi_room;
        rd_u32 count = 0;
        for (rd_u64 from = i; from < in_count; from += multi_queues) {
            heap[MULTI_ROOT + count] = in[from];
            count++;
        }
        multi_arrange(heap, count);
        multi_heads[(rd_u64)i * MULTI_HEAD + MULTI_COUNT] = count;
        multi_heads[(rd_u64)i * MULTI_HEAD + MULTI_LEAST] = count ? ~multi_rank(heap[MULTI_ROOT]) : 0;
    }
}

RD_COLD_END

#define RANK_KERNELS(k)                                                                                                \
    k(rank_work, RANK_WORK_ARGS) k(rank_collect, COLLECT_ARGS) k(multi_put, MULTI_PUT_ARGS) RANK_SEED_KERNELS(k)
rd_kernels(RANK_KERNELS);

#endif
