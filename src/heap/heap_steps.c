/* SPDX-License-Identifier: Apache-2.0 */
/* heap_steps.c - the launches of the pipelined heap: heap_steps.k.h says what they do, and why they are in step. */
#include "heap/heap.h"

#include "heap/heap_layout.k.h"
#include "model/args.h"

RD__ARGS(heap_step_args, HEAP_STEP_ARGS)

/* The node of the n-th batch: the offset within its level, bits reversed. */
static uint32_t slot_of(uint32_t n)
{
    uint32_t level = 0, reversed = 0;
    while (n >> level > 1)
        level++;
    for (uint32_t bit = 0; bit < level; bit++)
        if (n >> bit & 1)
            reversed |= 1u << (level - 1 - bit);
    return 1u << level | reversed;
}

static rd_status allocate(rd_heap *heap, rd_error *err)
{
    rd_device *device = heap->store.device;
    if (heap->carry.bytes)
        return RD_OK;
    RD_TRY(rd__buffer_alloc(device, &heap->ops, "heap pipeline", 4ull * HEAP_OP_WORDS * HEAP_LEVELS_MAX, err));
    RD_TRY(rd__buffer_fill(&heap->ops, 0, err));
    return rd__buffer_alloc(device, &heap->carry, "heap pipeline items",
                            (uint64_t)HEAP_LEVELS_MAX * heap->store.k * heap->store.item_bytes, err);
}

static rd_status launch(const rd_heap *heap, rd__kernel *kernel, uint32_t groups, const heap_step_args *args,
                        rd_error *err)
{
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = heap_step_args_pack(args, list);
    return rd__kernel_launch(heap->store.device, kernel, groups, 0, list, used, err);
}

rd_status rd__heap_steps(rd_heap *heap, uint64_t nodes, uint64_t in_count, uint64_t out_count, rd_error *err)
{
    const uint32_t k = heap->store.k, groups = HEAP_LEVELS_MAX / 2;
    const uint64_t operations = (in_count + out_count) / k;
    RD_TRY(allocate(heap, err));
    heap_step_args args = {.heap_items = &heap->store.item,
                           .heap_states = &heap->store.state,
                           .heap_control = &heap->store.control,
                           .heap_node = k,
                           .heap_nodes = heap->store.nodes,
                           .in = &heap->in,
                           .out = &heap->out,
                           .ops = &heap->ops,
                           .carry = &heap->carry};
    for (uint64_t t = 0; t < operations + HEAP_LEVELS_MAX / 2; t++) { /* the last ones have to reach their level */
        const int enters = t < operations;
        if (in_count) {
            args.in_count = 1 + (enters ? t * k : 0);
            args.enter = enters ? slot_of((uint32_t)(nodes + t + 1)) : 0;
        } else if (enters) {
            args.out_count = t * k;
            args.enter = slot_of((uint32_t)(nodes - t));
            RD_TRY(launch(heap, heap->fetch, 1, &args, err));
        }
        for (args.first = 0; args.first < 2; args.first++)
            RD_TRY(launch(heap, heap->step, groups, &args, err));
    }
    return RD_OK;
}
