/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c - the heap's memory on a device: sizes, growth, emptiness. heap.k.h has the layout. */
#include "heap/heap.h"

#include "heap/heap_layout.k.h"
#include "model/args.h"
#include "raddle/tool.h"

/* Slots of a level are filled in bit-reversed order, so a level is there as a whole. */
uint32_t rd__heap_nodes_for(uint64_t keys, uint32_t k)
{
    const uint64_t full = keys / k; /* the rest fits into the partial buffer */
    uint64_t nodes = 2;
    while (nodes <= full)
        nodes *= 2;
    return nodes <= HEAP_NODES_MAX / 2 + 1u ? (uint32_t)nodes : 0;
}

uint64_t rd__heap_bytes(uint32_t nodes, uint32_t k, uint32_t item_bytes)
{
    return (uint64_t)nodes * ((uint64_t)k * item_bytes + 4) + 8ull * HEAP_WORDS;
}

void rd__heap_store_free(rd__heap_store *store)
{
    rd__buffer_free(&store->item);
    rd__buffer_free(&store->state);
    rd__buffer_free(&store->control);
}

/* A refusal before the driver's, with numbers: devices say what is free only roughly. */
static rd_status check_memory(const rd__heap_store *store, uint32_t nodes, rd_error *err)
{
    char need[32], have[32];
    const uint64_t bytes = rd__heap_bytes(nodes, store->k, store->item_bytes);
    const uint64_t all = store->device->info.memory, used = store->device->allocated;
    if (all && bytes > all - (used < all ? used : all))
        return rd__fail(
            err, RD_ENOMEM, "%s: a heap with room for %llu keys needs %s, and %s of the device's memory are left",
            store->device->info.name, (unsigned long long)nodes * store->k, rd_format_bytes(bytes, need, sizeof need),
            rd_format_bytes(all - (used < all ? used : all), have, sizeof have));
    return RD_OK;
}

static rd_status alloc(rd__heap_store *store, uint32_t nodes, rd_error *err)
{
    RD_TRY(check_memory(store, nodes, err));
    store->nodes = nodes;
    rd_status status = rd__buffer_alloc(store->device, &store->item, "heap nodes",
                                        (uint64_t)nodes * store->k * store->item_bytes, err);
    if (status == RD_OK)
        status = rd__buffer_alloc(store->device, &store->state, "heap states", 4ull * nodes, err);
    if (status == RD_OK)
        status = rd__buffer_alloc(store->device, &store->control, "heap control words", 8ull * HEAP_WORDS, err);
    if (status == RD_OK)
        status = rd__heap_store_clear(store, err);
    if (status != RD_OK)
        rd__heap_store_free(store);
    return status;
}

rd_status rd__heap_store_new(rd__heap_store *store, rd_device *device, uint32_t k, uint32_t item_bytes, uint32_t nodes,
                             rd_error *err)
{
    *store = (rd__heap_store){.device = device, .k = k, .item_bytes = item_bytes};
    return alloc(store, nodes, err);
}

rd_status rd__heap_store_clear(rd__heap_store *store, rd_error *err)
{
    RD_TRY(rd__buffer_fill(&store->state, HEAP_EMPTY, err));
    return rd__buffer_fill(&store->control, 0, err);
}

RD__ARGS(heap_copy_args, HEAP_COPY_ARGS)

static rd_status copy_buffer(rd__buffer *from, rd__buffer *to, uint64_t bytes, rd__kernel *copy, uint32_t groups,
                             rd_error *err)
{
    const heap_copy_args args = {.from = from, .to = to, .words = bytes / 4};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = heap_copy_args_pack(&args, list);
    return rd__kernel_launch(from->device, copy, groups, 0, list, used, err);
}

rd_status rd__heap_store_grow(rd__heap_store *store, uint32_t nodes, rd__kernel *copy, uint32_t groups, rd_error *err)
{
    rd__heap_store more = {.device = store->device, .k = store->k, .item_bytes = store->item_bytes};
    if (nodes == 0)
        return rd__fail(err, RD_ENOMEM, "a heap has at most %u nodes of %u keys", HEAP_NODES_MAX, store->k);
    RD_TRY(alloc(&more, nodes, err));
    rd_status status = copy_buffer(&store->item, &more.item, store->item.bytes, copy, groups, err);
    if (status == RD_OK)
        status = copy_buffer(&store->state, &more.state, store->state.bytes, copy, groups, err);
    if (status == RD_OK)
        status = copy_buffer(&store->control, &more.control, store->control.bytes, copy, groups, err);
    if (status == RD_OK)
        status = rd__device_wait(store->device, NULL, err);
    rd__heap_store_free(status == RD_OK ? store : &more);
    if (status == RD_OK)
        *store = more;
    return status;
}

rd_status rd__heap_store_size(const rd__heap_store *store, uint64_t *nodes, uint32_t *partial, rd_error *err)
{
    uint64_t head;
    RD_TRY(rd__buffer_read(&store->control, 8ull * HEAP_HEAD, sizeof head, &head, err));
    *nodes = HEAP_SIZE_OF(head);
    *partial = HEAP_PARTIAL_OF(head);
    return RD_OK;
}

rd_status rd__heap_check_node(const rd_device *device, uint32_t k, uint32_t item_bytes, uint32_t lanes, rd_error *err)
{
    if (k < HEAP_K_MIN || k > HEAP_K_MAX || (k & (k - 1)))
        return rd__fail(err, RD_EARG, "a heap's nodes have a power of two of items, from %d to %d, not %u", HEAP_K_MIN,
                        HEAP_K_MAX, k);
    /* Compilers that turn lanes into loops need many minutes for such kernels. */
    if (device->caps.slow_wide_compile && lanes > 1)
        return rd__fail(err, RD_EARG, "a heap on %s has groups of one lane, not %u", device->info.name, lanes);
    /* Three lists of a node, words for the lanes, and what schedulers keep besides. */
    const uint64_t need = (lanes > 1 ? 3ull : 5ull) * (k < 32 ? 32 : k) * item_bytes + 64,
                   have = device->info.local_bytes;
    if (have && need > have)
        return rd__fail(err, RD_EARG,
                        "%s: a heap with nodes of %u items of %u bytes needs %llu bytes of group memory, and there are "
                        "%llu; use smaller nodes",
                        device->info.name, k, item_bytes, (unsigned long long)need, (unsigned long long)have);
    return RD_OK;
}

RD__ARGS(heap_put_args, HEAP_PUT_ARGS)
RD__ARGS(heap_mix_args, HEAP_MIX_ARGS)

/* What both lists begin with. */
#define PUT_ARGS(store, work)                                                                                          \
    .heap_items = &(store)->item, .heap_states = &(store)->state, .heap_control = &(store)->control,                   \
    .heap_node = (store)->k, .heap_nodes = (store)->nodes, .in = (work)->in, .in_count = (work)->in_count,             \
    .batch = (work)->batch

rd_status rd__heap_launch(const rd__heap_store *store, const rd__heap_work *work, rd__kernel *kernel, uint32_t groups,
                          rd_error *err)
{
    const heap_put_args put = {PUT_ARGS(store, work)};
    const heap_mix_args mix = {PUT_ARGS(store, work), .out = work->out, .out_count = work->out_count};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = work->out ? heap_mix_args_pack(&mix, list) : heap_put_args_pack(&put, list);
    return rd__kernel_launch(store->device, kernel, groups, 0, list, used, err);
}
