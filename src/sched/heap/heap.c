/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - scheduler `heap`, host side: the heap's memory (heap/queue.k.h says what the kernel does, rank/rank.c runs
 * it). A heap that is too full is collected, and gets twice the room when more than half of it is still in use.
 */
#include "sched/freeze.h"
#include "sched/rank/rank.h"

#include "core/memory.h"
#include "heap/heap.h"
#include "heap/heap_layout.k.h"
#include "model/args.h"

#include <stdio.h>

enum { CPU_NODE = 64, GPU_NODE = 256 };

struct rd__sched_state {
    rd__rank rank; /* first */
    rd__heap_store store;
    uint64_t gc_items; /* collect beyond so many; 0: when full */
};

static uint32_t node_of(const rd__sched_job *job)
{
    const uint32_t node = rd__sched_number(job, "node");
    const int gpu = job->device && job->device->info.is_gpu;
    return node ? node : gpu ? GPU_NODE : CPU_NODE;
}

/* Nodes that a group may insert after it saw room in the heap. */
static uint32_t reserve_of(const rd__sched_job *job, uint32_t k, uint32_t lanes)
{
    return (uint32_t)(rd__rank_reserve(job, k, lanes) / k) + 3;
}

/* Nodes to start with: what was asked for, and what groups may have under way. */
static uint32_t first_nodes(const rd__sched_job *job, uint32_t k, uint32_t lanes, uint32_t groups)
{
    const uint64_t under_way = ((uint64_t)groups * reserve_of(job, k, lanes) + 2) * k;
    return rd__heap_nodes_for(rd__rank_capacity(job) + under_way, k);
}

static void heap_plan(const rd__sched_job *job, rd_plan *plan)
{
    const uint32_t k = node_of(job), nodes = first_nodes(job, k, rd__rank_lanes(job), rd__rank_groups_planned(job));
    rd__plan_add(plan, "heap (grows)", rd__heap_bytes(nodes, k, rd__rank_item_bytes(job)), 0, 0);
    rd__rank_plan(job, k, plan);
}

static void heap_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__heap_store_free(&state->store);
    rd__rank_free(&state->rank);
    rd__free(state);
}

/* Three lists of a node, and a few words. */
static uint64_t memory_of(const rd__sched_job *job, uint32_t lanes)
{
    (void)lanes;
    return 3ull * node_of(job) * rd__rank_item_bytes(job) + 64;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    char defines[32];
    rd__rank *rank = &state->rank;
    const uint32_t k = node_of(job), lanes = rd__rank_lanes(job);
    rank->device = job->device;
    state->gc_items = rd__sched_number(job, "gc");
    RD_TRY(rd__heap_check_node(job->device, k, rd__rank_item_bytes(job), lanes, err));
    RD_TRY(rd__rank_check(job, lanes, memory_of, err));
    snprintf(defines, sizeof defines, "-DHEAP_NODE=%u", k);
    RD_TRY(rd__rank_load(rank, job, defines, 1, err));
    RD_TRY(rd__kernel_find(rank->device, rank->program, "heap_put", &rank->put, err));
    rank->inbox_room = k;
    rank->fetch = lanes == 1 ? k : lanes < k ? lanes : k;
    const uint32_t nodes = first_nodes(job, k, lanes, rank->groups);
    if (nodes == 0)
        return rd__fail(err, RD_ENOMEM,
                        "scheduler heap: so many tasks need more than %u nodes of %u; use a larger "
                        "--node or a smaller --capacity",
                        HEAP_NODES_MAX, k);
    RD_TRY(rd__rank_alloc(rank, err));
    return rd__heap_store_new(&state->store, job->device, k, rank->item_bytes, nodes, err);
}

static rd_status heap_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler heap", sizeof *state);
    const rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        heap_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

static uint32_t limit_of(const rd__sched_state *state, const rd__sched_job *job)
{
    const rd__rank *rank = &state->rank;
    const uint64_t under_way = (uint64_t)rank->groups * reserve_of(job, state->store.k, rank->lanes) + 1;
    const uint64_t limit = state->store.nodes - 1 - under_way, gc = state->gc_items / state->store.k;
    return (uint32_t)(state->gc_items && gc < limit ? gc : limit);
}

RD__ARGS(heap_queue_args, HEAP_ARGS)

static uint32_t heap_args(rd__sched_state *state, const rd__sched_job *job, rd__arg *list, uint32_t *limit)
{
    const heap_queue_args args = {.heap_items = &state->store.item,
                                  .heap_states = &state->store.state,
                                  .heap_control = &state->store.control,
                                  .heap_node = state->store.k,
                                  .heap_nodes = state->store.nodes};
    *limit = limit_of(state, job);
    return heap_queue_args_pack(&args, list);
}

/* Inserts the `count` tasks of `spare` into an empty heap. */
static rd_status insert_again(rd__sched_state *state, uint64_t count, rd_error *err)
{
    const uint64_t insert = HEAP_PHASE_INSERT, mixed = HEAP_PHASE_MIXED;
    const rd__rank *rank = &state->rank;
    const rd__heap_work work = {.in = &rank->spare, .in_count = count, .batch = state->store.k};
    RD_TRY(rd__buffer_write(&state->store.control, 8 * HEAP_PHASE, sizeof insert, &insert, err));
    RD_TRY(rd__heap_launch(&state->store, &work, rank->put, rank->groups, err));
    return rd__buffer_write(&state->store.control, 8 * HEAP_PHASE, sizeof mixed, &mixed, err);
}

/* An empty heap in which `count` tasks take no more than half the room. */
static rd_status empty_for(rd__sched_state *state, const rd__sched_job *job, uint64_t count, rd_error *err)
{
    const rd__rank *rank = &state->rank;
    const rd__heap_store old = state->store;
    uint32_t more = old.nodes;
    const uint64_t under_way = (uint64_t)rank->groups * reserve_of(job, old.k, rank->lanes) + 1;
    while (more && count / old.k + under_way > more / 2)
        more = more <= HEAP_NODES_MAX / 2 ? 2 * more : 0;
    if (more == 0)
        return rd__fail(err, RD_ENOMEM, "scheduler heap: %llu tasks wait, more than %u nodes of %u hold",
                        (unsigned long long)count, HEAP_NODES_MAX, old.k);
    if (more == old.nodes)
        return rd__heap_store_clear(&state->store, err);
    rd__heap_store_free(&state->store); /* all tasks are in spare */
    return rd__heap_store_new(&state->store, rank->device, old.k, old.item_bytes, more, err);
}

static rd_status make_room(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd__rank *rank = &state->rank;
    rd__arg args[RD__MAX_ARGS];
    uint64_t nodes, kept;
    uint32_t partial, limit;
    RD_TRY(rd__heap_store_size(&state->store, &nodes, &partial, err));
    const uint32_t count = heap_args(state, job, args, &limit);
    RD_TRY(rd__rank_collect(rank, job, args, count, nodes * state->store.k + partial, &kept, err));
    if (state->gc_items && kept > (uint64_t)limit * state->store.k / 2)
        state->gc_items *= 2; /* it was worth little: later next time */
    RD_TRY(empty_for(state, job, kept, err));
    return insert_again(state, kept, err);
}

static rd_status heap_remaining(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err)
{
    uint64_t nodes, item[2], least = UINT64_MAX;
    uint32_t partial;
    const uint32_t bytes = state->store.item_bytes;
    RD_TRY(rd__heap_store_size(&state->store, &nodes, &partial, err));
    for (uint32_t node = 0; node < 2; node++)
        if (node ? nodes : partial) {
            RD_TRY(rd__buffer_read(&state->store.item, (uint64_t)node * state->store.k * bytes, bytes, item, err));
            const uint64_t rank = bytes == 8 ? item[0] >> 32 : item[0];
            least = rank < least ? rank : least;
        }
    *tasks = nodes * state->store.k + partial;
    *least_rank = least;
    return RD_OK;
}

static rd_status heap_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                          rd_error *err)
{
    static const rd__rank_ops ops = {
        .peak = "heap_peak", .args = heap_args, .make_room = make_room, .remaining = heap_remaining};
    uint32_t count = 0;
    if (job->resumes) {
        state->rank.timed = 0;
        return rd__rank_run(&state->rank, &ops, job, 0, report, err);
    }
    RD_TRY(rd__rank_seeds(&state->rank, job, seeds, &count, err));
    RD_TRY(empty_for(state, job, count, err));
    if (count)
        RD_TRY(insert_again(state, count, err));
    return rd__rank_run(&state->rank, &ops, job, count, report, err);
}

/* The heap may have grown. */
static rd_status heap_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    rd__heap_store *store = &state->store;
    rd__buffer *const buffer[] = {&store->item, &store->state, &store->control};
    RD_TRY(rd__rank_freeze(&state->rank, freeze, err));
    RD_TRY(rd__freeze_same(freeze, "tasks in a node", store->k, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->gc_items, sizeof state->gc_items, err));
    RD_TRY(rd__freeze_bytes(freeze, &store->nodes, sizeof store->nodes, err));
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        RD_TRY(rd__freeze_buffer(freeze, buffer[i], err));
    if (store->nodes < 2 || store->item.bytes / store->k / store->item_bytes < store->nodes ||
        store->state.bytes / 4 < store->nodes)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", freeze->path);
    return RD_OK;
}

static const char *const launches[] = {"persistent", NULL};
#define COMMON_OPTIONS                                                                                                 \
    {"node", "32..2048", "0", "tasks in a node of the heap, a power of two (default: 256; CPUs: 64)", 0},              \
        {"capacity", "1..1073741824", "0", "tasks the heap has room for at first; it grows", 0},                       \
    {                                                                                                                  \
        "gc", "1..1073741824", "0", "drop hopeless tasks when more than N wait (default: when the heap is full)", 0    \
    }

static const rd_option_info options[] = {COMMON_OPTIONS, {NULL, NULL, NULL, NULL, 0}};
static const rd_option_info vertex_options[] = {COMMON_OPTIONS, RD__RANK_NEAR, {NULL, NULL, NULL, NULL, 0}};

static const rd__policy policy = {
    .name = "heap",
    .text = "one shared priority queue: workers take the tasks of least rank",
    .launches = launches,
};

const rd__engine rd__engine_heap_frontier =
    RD__RANK_ENGINE(heap, RD__ENGINE_ORDERED, RD__MODEL_FRONTIER, vertex_options);
const rd__engine rd__engine_heap_ranked = RD__RANK_ENGINE(heap, RD__ENGINE_ORDERED, RD__MODEL_RANKED, options);
