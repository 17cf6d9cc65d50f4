/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_api.c - the public heap (rd_heap_... in raddle/heap.h). Items travel in chunks through a buffer on the device;
 * each chunk is one launch, or of the pipeline (heap_steps.c) many. A call that only inserts sets the phase of
 * insertions from below (heap.k.h), unless the user wants them from above; any other the mixed one; launches follow one
 * another, so the phases never overlap.
 */
#include "heap/heap.h"

#include "model/model.h"

#include "core/memory.h"
#include "heap/heap_layout.k.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS_MAX = 1 << 20, CPU_NODE = 256, GPU_NODE_BYTES = 8192, GPU_LANES = 1024 };
static const uint64_t chunk_items = 1ull << 26; /* on their way at once, at most */
static const uint64_t first_capacity = 1ull << 16;

/* ---- Opening ---- */

static rd_status check_options(const rd_heap_options *options, rd_error *err)
{
    const uint32_t kb = options->key_bits, pb = options->payload_bits;
    if (kb != 32 && kb != 64)
        return rd__fail(err, RD_EARG, "a heap's keys have 32 or 64 bits, not %u", kb);
    if (pb != 0 && pb != 32 && pb != 64)
        return rd__fail(err, RD_EARG, "a heap's payloads have 0, 32 or 64 bits, not %u", pb);
    if ((uint32_t)options->keys > RD_HEAP_REAL)
        return rd__fail(err, RD_EARG, "rd_heap_options.keys is %d; there is nothing of that kind", (int)options->keys);
    if ((uint32_t)options->method > RD_HEAP_PIPELINE)
        return rd__fail(err, RD_EARG, "rd_heap_options.method is %d; there is no such method", (int)options->method);
    if (options->ragged && (options->method == RD_HEAP_PIPELINE || options->node < 2 || options->batch == 1))
        return rd__fail(err, RD_EARG, "random numbers of items need a batch of 2 or more, and no pipeline");
    if (options->batch > options->node)
        return rd__fail(err, RD_EARG, "a heap's batch of %u items is larger than its nodes of %u", options->batch,
                        options->node);
    return RD_OK;
}

static uint32_t item_bytes_of(const rd_heap_options *options)
{
    const uint32_t bits = options->key_bits + options->payload_bits;
    return bits == 32 ? 4 : bits == 64 ? 8 : 16;
}

/* GPUs: large nodes and wide groups, for each deletion has to pass the root, and that takes little longer with more. */
static void choose(rd_heap *heap, const rd_device *device)
{
    rd_heap_options *options = &heap->options;
    const int wide = device->info.is_gpu;
    options->key_bits = options->key_bits ? options->key_bits : 32;
    const uint32_t most = GPU_NODE_BYTES / item_bytes_of(options);
    if (options->node == 0)
        options->node = wide ? most : (uint32_t)CPU_NODE;
    heap->lanes = device->caps.fixed_width ? device->info.max_group
                  : options->lanes         ? options->lanes
                  : wide                   ? GPU_LANES
                                           : rd__device_default_lanes(device);
    if (wide && !options->lanes && heap->lanes > options->node)
        heap->lanes = options->node > 32 ? options->node : 32;
    if (heap->lanes > device->info.max_group)
        heap->lanes = device->info.max_group;
    heap->batch = options->batch ? options->batch : options->node;
}

static rd_status load(rd_heap *heap, rd_device *device, rd_error *err)
{
    char name[16], defines[32];
    uint32_t resident, other;
    snprintf(name, sizeof name, "heap_heap%u", 8 * item_bytes_of(&heap->options));
    snprintf(defines, sizeof defines, "-DHEAP_NODE=%u", heap->options.node);
    RD_TRY(rd__program_load_named(device, name, heap->lanes, defines, 0, &heap->program, err));
    RD_TRY(rd__kernel_find(device, heap->program, "heap_put", &heap->put, err));
    RD_TRY(rd__kernel_find(device, heap->program, "heap_mix", &heap->mix, err));
    RD_TRY(rd__kernel_find(device, heap->program, "heap_copy", &heap->copy, err));
    RD_TRY(rd__kernel_find(device, heap->program, "heap_fetch", &heap->fetch, err));
    RD_TRY(rd__kernel_find(device, heap->program, "heap_step", &heap->step, err));
    RD_TRY(rd__kernel_resident(device, heap->put, &resident, err));
    RD_TRY(rd__kernel_resident(device, heap->mix, &other, err));
    resident = other < resident ? other : resident;
    heap->groups = heap->options.groups ? heap->options.groups : resident < 1 ? 1 : resident;
    return RD_OK;
}

static rd_status open_heap(rd_heap *heap, rd_device *device, rd_error *err)
{
    choose(heap, device);
    RD_TRY(check_options(&heap->options, err));
    const uint32_t bytes = item_bytes_of(&heap->options), k = heap->options.node;
    RD_TRY(rd__heap_check_node(device, k, bytes, heap->lanes, err));
    const uint32_t nodes = rd__heap_nodes_for(heap->options.capacity ? heap->options.capacity : first_capacity, k);
    if (nodes == 0)
        return rd__fail(err, RD_ENOMEM, "a heap has at most %u nodes; %llu keys need more of %u", HEAP_NODES_MAX,
                        (unsigned long long)heap->options.capacity, k);
    RD_TRY(rd__heap_store_new(&heap->store, device, k, bytes, nodes, err));
    return load(heap, device, err);
}

rd_status rd_heap_open(rd_device *device, const rd_heap_options *options, rd_heap **out, rd_error *err)
{
    static const rd_heap_options defaults = {.size = sizeof defaults};
    if (!out)
        return rd__fail(err, RD_EARG, "rd_heap_open needs a place to put the heap");
    *out = NULL;
    options = options ? options : &defaults;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_heap_options.size is %zu, this library's is %zu: set it to sizeof the struct",
                        options->size, sizeof *options);
    if (!device)
        return rd__fail(err, RD_EARG, "rd_heap_open needs a device");
    if (options->groups > GROUPS_MAX)
        return rd__fail(err, RD_EARG, "rd_heap_options.groups is %u; at most %d", options->groups, GROUPS_MAX);
    RD_TRY(rd__device_enter(device, err));
    rd_heap *heap = rd__calloc(1, sizeof *heap);
    if (!heap)
        return rd__device_leave(device, rd__fail_memory(err, "a heap", sizeof *heap));
    heap->options = *options;
    heap->store.device = device;
    rd__device_hold(device);
    rd_status status = rd__device_leave(device, open_heap(heap, device, err));
    if (status != RD_OK) {
        rd_heap_close(heap);
        return status;
    }
    *out = heap;
    return RD_OK;
}

void rd_heap_close(rd_heap *heap)
{
    if (!heap)
        return;
    rd__heap_store_free(&heap->store);
    rd__buffer_free(&heap->in);
    rd__buffer_free(&heap->out);
    rd__buffer_free(&heap->ops);
    rd__buffer_free(&heap->carry);
    rd__program_unload(heap->store.device, heap->program);
    rd__device_drop(heap->store.device);
    rd__array_free(heap->staging);
    rd__free(heap);
}

/* ---- Room ---- */

uint64_t rd_heap_size(const rd_heap *heap)
{
    return heap ? heap->size : 0;
}

int rd_heap_is_empty(const rd_heap *heap)
{
    return !heap || heap->size == 0;
}

/* Work on a heap begins here and ends with rd__device_leave. */
static rd_status enter(const rd_heap *heap, const char *call, rd_error *err)
{
    return heap ? rd__device_enter(heap->store.device, err) : rd__fail(err, RD_EARG, "%s needs a heap, not NULL", call);
}

static rd_status reserve(rd_heap *heap, uint64_t capacity, rd_error *err)
{
    const uint32_t nodes = rd__heap_nodes_for(capacity, heap->store.k);
    if (nodes != 0 && nodes <= heap->store.nodes)
        return RD_OK;
    return rd__heap_store_grow(&heap->store, nodes, heap->copy, heap->groups, err);
}

rd_status rd_heap_reserve(rd_heap *heap, uint64_t capacity, rd_error *err)
{
    RD_TRY(enter(heap, "rd_heap_reserve", err));
    return rd__device_leave(heap->store.device, reserve(heap, capacity, err));
}

rd_status rd_heap_clear(rd_heap *heap, rd_error *err)
{
    RD_TRY(enter(heap, "rd_heap_clear", err));
    heap->size = 0;
    return rd__device_leave(heap->store.device, rd__heap_store_clear(&heap->store, err));
}

static rd_status more_room(rd_device *device, rd__buffer *buffer, const char *name, uint64_t bytes, rd_error *err)
{
    if (buffer->bytes >= bytes)
        return RD_OK;
    rd__buffer_free(buffer);
    return rd__buffer_alloc(device, buffer, name, bytes, err);
}

/* Room for a chunk each way, here and on the device. */
static rd_status prepare(rd_heap *heap, uint64_t in_count, uint64_t out_count, rd_error *err)
{
    const uint64_t most = in_count > out_count ? in_count : out_count;
    const uint64_t need = (most < chunk_items ? most : chunk_items) * heap->store.item_bytes;
    RD_TRY(more_room(heap->store.device, &heap->in, "heap input",
                     (in_count < chunk_items ? in_count : chunk_items) * heap->store.item_bytes, err));
    RD_TRY(more_room(heap->store.device, &heap->out, "heap output",
                     (out_count < chunk_items ? out_count : chunk_items) * heap->store.item_bytes, err));
    if (!rd__heap_is_plain(&heap->options) && heap->staging_bytes < need) {
        rd__array_free(heap->staging);
        heap->staging_bytes = 0;
        RD_TRY(rd__array_new(&heap->staging, "heap items on the host", need, 1, err));
        heap->staging_bytes = need;
    }
    return RD_OK;
}

/* ---- Running ---- */

static rd_status set_phase(rd_heap *heap, uint64_t phase, rd_error *err)
{
    const uint64_t zero = 0;
    RD_TRY(rd__buffer_write(&heap->store.control, 8ull * HEAP_OUT, sizeof zero, &zero, err));
    return rd__buffer_write(&heap->store.control, 8ull * HEAP_PHASE, sizeof phase, &phase, err);
}

static rd_status upload(rd_heap *heap, const void *keys, const void *payloads, uint64_t from, uint64_t count,
                        rd_error *err)
{
    const uint32_t bytes = heap->store.item_bytes;
    const void *items = heap->staging;
    if (rd__heap_is_plain(&heap->options))
        items = (const char *)keys + from * bytes;
    else
        rd__heap_pack(&heap->options, heap->staging, keys, payloads, from, count);
    return rd__buffer_write(&heap->in, 0, count * bytes, items, err);
}

static rd_status download(rd_heap *heap, void *keys, void *payloads, uint64_t from, uint64_t count, rd_error *err)
{
    const uint32_t bytes = heap->store.item_bytes;
    const int plain = rd__heap_is_plain(&heap->options);
    if (count == 0 || (!keys && !payloads))
        return RD_OK;
    void *items = plain ? (char *)keys + from * bytes : heap->staging;
    RD_TRY(rd__buffer_read(&heap->out, 0, count * bytes, items, err));
    if (!plain)
        rd__heap_unpack(&heap->options, items, keys, payloads, from, count);
    return RD_OK;
}

/* By the pipeline. Counts of the head are changed here: no group does so. */
static rd_status run_steps(rd_heap *heap, uint64_t in_count, uint64_t out_count, rd_error *err)
{
    const uint64_t k = heap->store.k;
    uint64_t head;
    RD_TRY(rd__buffer_read(&heap->store.control, 8ull * HEAP_HEAD, sizeof head, &head, err));
    RD_TRY(rd__heap_steps(heap, HEAP_SIZE_OF(head), in_count, out_count, err));
    head += in_count / k * HEAP_SIZE_ONE - out_count / k * HEAP_SIZE_ONE;
    RD_TRY(rd__buffer_write(&heap->store.control, 8ull * HEAP_HEAD, sizeof head, &head, err));
    return rd__buffer_write(&heap->store.control, 8ull * HEAP_OUT, sizeof out_count, &out_count, err);
}

/* What is done on the first in_count items of `in` and out_count places of `out`, and timed. */
static rd_status run_once(rd_heap *heap, int only_inserts, uint64_t in_count, uint64_t out_count, rd_error *err)
{
    const int below = only_inserts && heap->options.method == RD_HEAP_BELOW;
    const rd__heap_work work = {.in = &heap->in,
                                .in_count = in_count,
                                .batch = heap->batch | (heap->options.ragged ? HEAP_RAGGED : 0),
                                .out = below ? NULL : &heap->out,
                                .out_count = out_count};
    RD_TRY(set_phase(heap, below ? HEAP_PHASE_INSERT : HEAP_PHASE_MIXED, err));
    RD_TRY(rd__time_begin(heap->store.device, err));
    if (heap->options.method == RD_HEAP_PIPELINE)
        RD_TRY(run_steps(heap, in_count, out_count, err));
    else
        RD_TRY(rd__heap_launch(&heap->store, &work, below ? heap->put : heap->mix, heap->groups, err));
    return rd__time_mark(heap->store.device, err);
}

static rd_status launch(rd_heap *heap, int only_inserts, uint64_t in_count, uint64_t out_count, uint64_t *got,
                        rd_error *err)
{
    rd_device *device = heap->store.device;
    double seconds;
    RD_TRY(run_once(heap, only_inserts, in_count, out_count, err));
    RD_TRY(rd__time_end(device, &seconds, err));
    heap->kernel_s += seconds;
    uint64_t nodes;
    uint32_t partial;
    RD_TRY(rd__buffer_read(&heap->store.control, 8ull * HEAP_OUT, sizeof *got, got, err));
    RD_TRY(rd__heap_store_size(&heap->store, &nodes, &partial, err));
    const uint64_t before = heap->size;
    heap->size = nodes * heap->store.k + partial;
    if (heap->size != before + in_count - *got)
        return rd__fail(err, RD_EDEVICE,
                        "%s miscomputed: a heap of %llu keys, with %llu inserted and %llu deleted, has %llu; run "
                        "`raddle selftest -d %s`",
                        device->info.name, (unsigned long long)before, (unsigned long long)in_count,
                        (unsigned long long)*got, (unsigned long long)heap->size, device->info.name);
    return RD_OK;
}

static rd_status check_arrays(const rd_heap *heap, const void *keys, const void *payloads, uint64_t count,
                              rd_error *err)
{
    if (count && !keys)
        return rd__fail(err, RD_EARG, "%llu keys are to be inserted, and keys is NULL", (unsigned long long)count);
    if (count && heap->options.payload_bits && !payloads)
        return rd__fail(err, RD_EARG, "this heap has payloads of %u bits, and payloads is NULL",
                        heap->options.payload_bits);
    if (payloads && !heap->options.payload_bits)
        return rd__fail(err, RD_EARG, "this heap was opened without payloads; pass NULL");
    if (heap->options.method == RD_HEAP_PIPELINE && count % heap->store.k)
        return rd__fail(err, RD_EARG, "the pipeline inserts and deletes whole nodes; %llu keys are no multiple of %u",
                        (unsigned long long)count, heap->store.k);
    if (count > UINT64_MAX / 16 - heap->size)
        return rd__fail(err, RD_ENOMEM, "%llu keys are more than any memory holds", (unsigned long long)count);
    return RD_OK;
}

static rd_status insert(rd_heap *heap, const void *keys, const void *payloads, uint64_t count, rd_error *err)
{
    const double began = rd_now();
    uint64_t none;
    RD_TRY(check_arrays(heap, keys, payloads, count, err));
    RD_TRY(reserve(heap, heap->size + count, err));
    RD_TRY(prepare(heap, count, 0, err));
    heap->kernel_s = 0;
    for (uint64_t from = 0; from < count; from += chunk_items) {
        const uint64_t n = count - from < chunk_items ? count - from : chunk_items;
        RD_TRY(upload(heap, keys, payloads, from, n, err));
        RD_TRY(launch(heap, 1, n, 0, &none, err));
    }
    heap->total_s = rd_now() - began;
    return RD_OK;
}

rd_status rd_heap_insert(rd_heap *heap, const void *keys, const void *payloads, uint64_t count, rd_error *err)
{
    RD_TRY(enter(heap, "rd_heap_insert", err));
    return rd__device_leave(heap->store.device, insert(heap, keys, payloads, count, err));
}

rd_status rd_heap_delete(rd_heap *heap, void *keys, void *payloads, uint64_t count, uint64_t *got, rd_error *err)
{
    return rd_heap_mixed(heap, NULL, NULL, 0, keys, payloads, count, got, err);
}

static rd_status mixed(rd_heap *heap, const void *in_keys, const void *in_payloads, uint64_t in_count, void *out_keys,
                       void *out_payloads, uint64_t out_count, uint64_t *got, rd_error *err)
{
    const double began = rd_now();
    uint64_t in = 0, out = 0, chunk_got = 1;
    RD_TRY(check_arrays(heap, in_keys, in_payloads, in_count, err));
    if (out_payloads && !heap->options.payload_bits)
        return rd__fail(err, RD_EARG, "this heap was opened without payloads; pass NULL");
    if (out_count > heap->size + in_count)
        out_count = heap->size + in_count;
    if (heap->options.method == RD_HEAP_PIPELINE && (in_count || out_count % heap->store.k))
        return rd__fail(err, RD_EARG, "the pipeline deletes whole nodes of %u keys, and nothing is inserted meanwhile",
                        heap->store.k);
    RD_TRY(reserve(heap, heap->size + in_count, err));
    RD_TRY(prepare(heap, in_count, out_count, err));
    heap->kernel_s = 0;
    while (in < in_count || (out < out_count && chunk_got)) {
        const uint64_t n = in_count - in < chunk_items ? in_count - in : chunk_items;
        const uint64_t m = out_count - out < chunk_items ? out_count - out : chunk_items;
        RD_TRY(n ? upload(heap, in_keys, in_payloads, in, n, err) : RD_OK);
        RD_TRY(launch(heap, 0, n, m, &chunk_got, err));
        RD_TRY(download(heap, out_keys, out_payloads, out, chunk_got, err));
        in += n;
        out += chunk_got;
    }
    *got = out;
    heap->total_s = rd_now() - began;
    return RD_OK;
}

rd_status rd_heap_mixed(rd_heap *heap, const void *in_keys, const void *in_payloads, uint64_t in_count, void *out_keys,
                        void *out_payloads, uint64_t out_count, uint64_t *got, rd_error *err)
{
    uint64_t unwanted;
    got = got ? got : &unwanted;
    *got = 0;
    RD_TRY(enter(heap, "rd_heap_delete or rd_heap_mixed", err));
    return rd__device_leave(heap->store.device,
                            mixed(heap, in_keys, in_payloads, in_count, out_keys, out_payloads, out_count, got, err));
}

rd_status rd_heap_get_info(rd_heap *heap, rd_heap_info *info, rd_error *err)
{
    uint64_t count[HEAP_COUNTS];
    if (!heap || !info)
        return rd__fail(err, RD_EARG, "rd_heap_get_info needs a heap and a place for what it tells");
    RD_TRY(rd__buffer_read(&heap->store.control, 8ull * HEAP_STATS, sizeof count, count, err));
    *info = (rd_heap_info){.node = heap->store.k,
                           .lanes = heap->lanes,
                           .groups = heap->groups,
                           .item_bytes = heap->store.item_bytes,
                           .capacity = ((uint64_t)heap->store.nodes - 1) * heap->store.k + heap->store.k - 1,
                           .bytes = rd__heap_bytes(heap->store.nodes, heap->store.k, heap->store.item_bytes) +
                                    heap->in.bytes + heap->out.bytes,
                           .kernel_s = heap->kernel_s,
                           .total_s = heap->total_s,
                           .inserts = count[HEAP_INSERTS],
                           .deletes = count[HEAP_DELETES],
                           .levels = count[HEAP_LEVELS],
                           .merges = count[HEAP_MERGES],
                           .skips = count[HEAP_SKIPS],
                           .handovers = count[HEAP_HANDOVER],
                           .refused = count[HEAP_REFUSED]};
    return RD_OK;
}
