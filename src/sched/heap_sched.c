/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_sched.c - scheduler `heap`, host side (heap_sched.k.h says what the kernel does).
 *
 * One launch after another until no task is left: a launch ends when the work does, after so many turns that it lasted
 * some tens of milliseconds, or when the heap is too full. Between launches all tasks are in the heap. A heap that is
 * too full is collected: the tasks still worth running are copied out and inserted anew, into twice the room when they
 * fill more than half of it.
 */
#include "sched/heap_sched.h"

#include "core/memory.h"
#include "heap/heap.h"
#include "heap/heap_layout.k.h"
#include "raddle/tool.h"
#include "sched/heap_sched_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { MAX_APP_ARGS = 16, OWN_ARGS = 11, GRAPH_ARGS = 2, FIRST_TURNS = 64, MAX_TURNS = 1 << 22 };
enum { CPU_NODE = 64, GPU_NODE = 256, GIVES_MOST = 8, TILES = 8, SAMPLE = 4096, GPU_NEAR = 8 };
static const double slice_seconds = 0.05;

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *work, *collect, *put;
    rd__heap_store store;
    rd__buffer inbox, words, spare;
    uint32_t lanes, groups, fetch, near_by, vertices;
    uint64_t gc_items; /* collect beyond so many; 0: when full */
    /* of a run */
    uint64_t collections, collected, launches, peak;
};

static uint32_t item_bytes(const rd__sched_job *job)
{
    return job->shape == RD__SHAPE_VERTICES ? 8 : 16;
}

static uint32_t node_of(const rd__sched_job *job)
{
    const uint32_t node = rd__sched_number(job, "node");
    const int gpu = job->device && job->device->backend != &rd__cpu_backend && job->device->info.is_gpu;
    return node ? node : gpu ? GPU_NODE : CPU_NODE;
}

static uint32_t lanes_of(const rd__sched_job *job)
{
    const uint32_t lanes = job->worker ? job->worker : job->device ? rd__device_default_lanes(job->device) : 1;
    return lanes ? lanes : 1;
}

/* Nodes that a group may insert after it saw room in the heap: see "Room" in heap_sched.k.h and heap_vertices.k.h. */
static uint32_t reserve_of(const rd__sched_job *job, uint32_t k, uint32_t lanes)
{
    const uint64_t room = lanes == 1 ? 1024 : 4ull * lanes; /* SPREAD_ROOM */
    const uint64_t items =
        job->shape == RD__SHAPE_VERTICES ? (TILES + 2) * room + 512 + 2 * k : GIVES_MOST * (uint64_t)k;
    return (uint32_t)(items / k) + 3;
}

/* Nodes to start with: what was asked for, and what groups may have under way. */
static uint32_t first_nodes(const rd__sched_job *job, uint32_t k, uint32_t lanes, uint32_t groups)
{
    const uint64_t asked = rd__sched_number(job, "capacity");
    const uint64_t vertices = job->graph ? rd_graph_csr(job->graph).vertices : 0;
    const int gpu = job->device && job->device->info.is_gpu;
    const uint64_t usual = job->graph ? vertices : gpu ? 1 << 20 : 1 << 18;
    return rd__heap_nodes_for((asked ? asked : usual) + ((uint64_t)groups * reserve_of(job, k, lanes) + 2) * k, k);
}

static void heap_plan(const rd__sched_job *job, rd_plan *plan)
{
    const uint32_t k = node_of(job), lanes = lanes_of(job);
    const uint32_t groups = job->groups ? job->groups : job->device ? job->device->info.compute_units : 1;
    rd__plan_add(plan, "heap (grows)", rd__heap_bytes(first_nodes(job, k, lanes, groups), k, item_bytes(job)), 0, 0);
    rd__plan_add(plan, "tasks in hand", (uint64_t)groups * k * item_bytes(job), 0, 0);
    rd__plan_add(plan, "control words", 8 * RANK_WORDS, 0, 0);
}

static void heap_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__heap_store_free(&state->store);
    rd__buffer_free(&state->inbox);
    rd__buffer_free(&state->words);
    rd__buffer_free(&state->spare);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* Ranks so close that order hardly matters: some times the mean weight of a sample of edges. On a CPU a trip through
 * the heap costs less than a vertex that is run twice; on a GPU it is the other way round. */
static uint32_t near_of(const rd__sched_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    uint64_t sum = 0, count = 0;
    if (!rd__sched_option_is(job, "near", "auto"))
        return rd__sched_number(job, "near");
    for (uint64_t e = 0; csr.weight && e < csr.edges; e += csr.edges / SAMPLE + 1, count++)
        sum += csr.weight[e] > 0 ? (uint64_t)csr.weight[e] : 0;
    const uint64_t mean = count ? sum / count : 1, near = job->device->info.is_gpu ? GPU_NEAR * mean : mean;
    return near < UINT32_MAX ? (uint32_t)near : UINT32_MAX;
}

static rd_status check_sizes(const rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint64_t number;
    const char *near_text = rd__sched_option(job, "near");
    RD_TRY(rd__heap_check_node(state->device, state->store.k, item_bytes(job), state->lanes, err));
    if (strcmp(near_text, "auto") != 0 && (!rd_parse_u64(near_text, &number) || number > UINT32_MAX))
        return rd__fail(err, RD_EARG, "--near takes auto or a number of 32 bits, not '%s'", near_text);
    if (state->device->backend == &rd__opencl_backend && !state->device->info.is_gpu && state->lanes > 1)
        return rd__fail(err, RD_EARG, "scheduler heap takes workers of one lane on %s; use --worker 1, or bsp",
                        state->device->info.name);
    if (job->graph && rd_graph_max_degree(job->graph) * state->lanes > UINT32_MAX)
        return rd__fail(err, RD_EARG,
                        "scheduler heap: a vertex has %llu edges, too many for workers of %u lanes; use a smaller "
                        "--worker, or bsp",
                        (unsigned long long)rd_graph_max_degree(job->graph), state->lanes);
    return RD_OK;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    char name[64], root[64], defines[32];
    rd_device *device = job->device;
    state->device = device;
    state->lanes = lanes_of(job);
    state->store.k = node_of(job);
    state->vertices = job->shape == RD__SHAPE_VERTICES;
    state->gc_items = rd__sched_number(job, "gc");
    state->near_by = state->vertices ? near_of(job) : 0;
    RD_TRY(check_sizes(state, job, err));
    const uint32_t k = state->store.k;
    state->fetch = state->lanes == 1 ? k : state->lanes < k ? state->lanes : k;
    snprintf(name, sizeof name, "%s_heap", job->program);
    snprintf(root, sizeof root, "apps/%s.k.c", job->program);
    snprintf(defines, sizeof defines, "-DHEAP_NODE=%u", k);
    const rd__program_spec spec = {
        .name = name, .root = root, .sched = "heap", .lanes = state->lanes, .defines = defines};
    RD_TRY(rd__program_load(device, &spec, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "heap_work", &state->work, err));
    RD_TRY(rd__kernel_find(device, state->program, "heap_collect", &state->collect, err));
    RD_TRY(rd__kernel_find(device, state->program, "heap_put", &state->put, err));
    RD_TRY(device->backend->resident(state->work, &state->groups, err));
    if (state->vertices && device->info.is_gpu && state->groups > device->info.compute_units)
        state->groups = device->info.compute_units; /* more take more at once, and lose the order */
    state->groups = job->groups ? job->groups : state->groups ? state->groups : 1;
    const uint32_t nodes = first_nodes(job, k, state->lanes, state->groups);
    if (nodes == 0)
        return rd__fail(err, RD_ENOMEM,
                        "scheduler heap: so many tasks need more than %u nodes of %u; use a larger "
                        "--node or a smaller --capacity",
                        HEAP_NODES_MAX, k);
    RD_TRY(
        rd__buffer_alloc(device, &state->inbox, "tasks in hand", (uint64_t)state->groups * k * item_bytes(job), err));
    RD_TRY(rd__buffer_alloc(device, &state->words, "control words", 8 * RANK_WORDS, err));
    return rd__heap_store_new(&state->store, device, k, item_bytes(job), nodes, err);
}

static rd_status heap_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler heap", sizeof *state);
    rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        heap_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

/* Seeds have rank 0 and wait in the partial buffer. */
static rd_status write_seeds(rd__sched_state *state, const uint32_t *seed, uint32_t seeds, rd_error *err)
{
    uint64_t item[2 * RD__SEEDS_MOST] = {0}, head = seeds, word[RANK_WORDS] = {0};
    if (seeds >= state->store.k || seeds > RD__SEEDS_MOST)
        return rd__fail(err, RD_EARG, "scheduler heap starts from at most %d tasks, and from fewer than a node has",
                        RD__SEEDS_MOST);
    for (uint32_t i = 0; i < seeds; i++) {
        uint32_t at = i; /* ascending */
        const uint64_t data = seed[i];
        while (at > 0 && item[state->vertices ? at - 1 : 2 * at - 1] > data) {
            item[state->vertices ? at : 2 * at + 1] = item[state->vertices ? at - 1 : 2 * at - 1];
            at--;
        }
        item[state->vertices ? at : 2 * at + 1] = data;
    }
    word[RANK_PENDING] = seeds;
    RD_TRY(rd__heap_store_clear(&state->store, err));
    RD_TRY(rd__buffer_write(&state->store.item, 0, (uint64_t)seeds * state->store.item_bytes, item, err));
    RD_TRY(rd__buffer_write(&state->store.control, 8 * HEAP_HEAD, sizeof head, &head, err));
    return rd__buffer_write(&state->words, 0, sizeof word, word, err);
}

static uint32_t limit_of(const rd__sched_state *state, const rd__sched_job *job)
{
    const uint64_t under_way = (uint64_t)state->groups * reserve_of(job, state->store.k, state->lanes) + 1;
    const uint64_t limit = state->store.nodes - 1 - under_way, gc = state->gc_items / state->store.k;
    return (uint32_t)(state->gc_items && gc < limit ? gc : limit);
}

static rd_status launch(rd__sched_state *state, const rd__sched_job *job, uint32_t turns, rd_error *err)
{
    rd__arg args[OWN_ARGS + GRAPH_ARGS + MAX_APP_ARGS] = {RD__BUFFER(&state->store.item),
                                                          RD__BUFFER(&state->store.state),
                                                          RD__BUFFER(&state->store.control),
                                                          RD__U32(state->store.k),
                                                          RD__U32(state->store.nodes),
                                                          RD__BUFFER(&state->inbox),
                                                          RD__BUFFER(&state->words),
                                                          RD__U32(state->fetch),
                                                          RD__U32(limit_of(state, job)),
                                                          RD__U32(turns),
                                                          RD__U32(state->near_by)};
    uint32_t count = OWN_ARGS;
    const uint64_t zero = 0;
    if (job->arg_count > MAX_APP_ARGS)
        return rd__fail(err, RD_EARG, "app %s has more than %d kernel arguments", job->app, MAX_APP_ARGS);
    if (state->vertices) {
        args[count++] = RD__BUFFER(job->row);
        args[count++] = RD__BUFFER(job->col);
    }
    memcpy(args + count, job->args, job->arg_count * sizeof *args);
    state->launches++;
    RD_TRY(rd__buffer_write(&state->words, 8 * RANK_LEAVE, sizeof zero, &zero, err));
    RD_TRY(state->device->backend->launch(state->work, state->groups, 0, args, count + job->arg_count, err));
    return state->device->backend->time_mark(state->device, err);
}

/* Copies what is worth running to `spare`. */
static rd_status collect(rd__sched_state *state, const rd__sched_job *job, uint64_t waiting, uint64_t *kept,
                         rd_error *err)
{
    rd__arg args[7 + MAX_APP_ARGS] = {RD__BUFFER(&state->store.item),    RD__BUFFER(&state->store.state),
                                      RD__BUFFER(&state->store.control), RD__U32(state->store.k),
                                      RD__U32(state->store.nodes),       RD__BUFFER(&state->spare),
                                      RD__BUFFER(&state->words)};
    const uint64_t zero = 0, bytes = waiting * state->store.item_bytes;
    if (state->spare.bytes < bytes) {
        rd__buffer_free(&state->spare);
        RD_TRY(rd__buffer_alloc(state->device, &state->spare, "collected tasks", bytes, err));
    }
    for (uint32_t i = 0; i < 7; i++)
        if (args[i].kind == RD__ARG_BUFFER && i == 5)
            args[i] = RD__BUFFER(&state->spare);
    memcpy(args + 7, job->args, job->arg_count * sizeof *args);
    RD_TRY(rd__buffer_write(&state->words, 8 * RANK_KEPT, sizeof zero, &zero, err));
    RD_TRY(state->device->backend->launch(state->collect, state->groups, 0, args, 7 + job->arg_count, err));
    return rd__buffer_read(&state->words, 8 * RANK_KEPT, sizeof *kept, kept, err);
}

/* Inserts the `count` tasks of `spare` into an empty heap. */
static rd_status insert_again(rd__sched_state *state, uint64_t count, rd_error *err)
{
    const uint64_t insert = HEAP_PHASE_INSERT, mixed = HEAP_PHASE_MIXED;
    const rd__arg args[] = {RD__BUFFER(&state->store.item),
                            RD__BUFFER(&state->store.state),
                            RD__BUFFER(&state->store.control),
                            RD__U32(state->store.k),
                            RD__U32(state->store.nodes),
                            RD__BUFFER(&state->spare),
                            RD__U64(count),
                            RD__U32(state->store.k)};
    RD_TRY(rd__buffer_write(&state->store.control, 8 * HEAP_PHASE, sizeof insert, &insert, err));
    RD_TRY(state->device->backend->launch(state->put, state->groups, 0, args, 8, err));
    RD_TRY(rd__buffer_write(&state->store.control, 8 * HEAP_PHASE, sizeof mixed, &mixed, err));
    return rd__buffer_write(&state->words, 8 * RANK_PENDING, sizeof count, &count, err);
}

/* The heap is too full: drops what is not worth running, and makes room. */
static rd_status make_room(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint64_t nodes, kept;
    uint32_t partial;
    RD_TRY(rd__heap_store_size(&state->store, &nodes, &partial, err));
    const uint64_t waiting = nodes * state->store.k + partial;
    RD_TRY(collect(state, job, waiting, &kept, err));
    state->collections++;
    state->collected += waiting - kept;
    const uint64_t limit = (uint64_t)limit_of(state, job) * state->store.k;
    if (state->gc_items && kept > limit / 2)
        state->gc_items *= 2; /* it was worth little: later next time */
    const rd__heap_store old = state->store;
    uint32_t more = old.nodes;
    const uint64_t under_way = (uint64_t)state->groups * reserve_of(job, old.k, state->lanes) + 1;
    while (more && kept / old.k + under_way > more / 2)
        more = more <= HEAP_NODES_MAX / 2 ? 2 * more : 0;
    if (more == 0)
        return rd__fail(err, RD_ENOMEM, "scheduler heap: %llu tasks wait, more than %u nodes of %u hold",
                        (unsigned long long)kept, HEAP_NODES_MAX, old.k);
    if (more == old.nodes) {
        RD_TRY(rd__heap_store_clear(&state->store, err));
    } else {
        rd__heap_store_free(&state->store); /* all tasks are in spare */
        RD_TRY(rd__heap_store_new(&state->store, state->device, old.k, old.item_bytes, more, err));
    }
    return insert_again(state, kept, err);
}

rd_status rd__heap_rest(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err)
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

/* What the app and the user may want to know between launches. */
static rd_status tell(rd__sched_state *state, const rd__sched_job *job, const uint64_t *word, double began,
                      rd_error *err)
{
    if (job->look) {
        rd__look look = {.seconds = rd_now() - began, .tasks = word[RANK_STATS + RANK_TASKS]};
        RD_TRY(rd__heap_rest(state, &look.left, &look.least_rank, err));
        job->look(job->look_user, &look);
    }
    return rd__sched_tell(job, word[RANK_STATS + RANK_TASKS], 0, "tasks", err);
}

static rd_status run_all(rd__sched_state *state, const rd__sched_job *job, uint64_t *word, rd_error *err)
{
    const double first = rd_now();
    uint32_t turns = FIRST_TURNS;
    do {
        const double began = rd_now();
        RD_TRY(launch(state, job, turns, err));
        RD_TRY(rd__sched_wait(state->device, job, word[RANK_STATS + RANK_TASKS], 0, "tasks", err));
        RD_TRY(rd__buffer_read(&state->words, 0, 8 * RANK_WORDS, word, err));
        if (rd_now() - began < slice_seconds && turns < MAX_TURNS)
            turns *= 2;
        RD_TRY(tell(state, job, word, first, err));
        if (word[RANK_PENDING] && word[RANK_LEAVE] == RANK_LEAVE_FULL)
            RD_TRY(make_room(state, job, err));
        else if (word[RANK_PENDING] && !word[RANK_LEAVE])
            return rd__fail(err, RD_EDEVICE,
                            "%s miscomputed: scheduler heap ended with %llu tasks left; run `raddle selftest -d %s`",
                            state->device->info.name, (unsigned long long)word[RANK_PENDING], state->device->info.name);
    } while (word[RANK_PENDING]);
    return RD_OK;
}

static rd_status heap_run(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                          rd_report *report, rd_error *err)
{
    uint64_t word[RANK_WORDS] = {0};
    state->collections = state->collected = state->launches = 0;
    RD_TRY(write_seeds(state, seed, seeds, err));
    RD_TRY(state->device->backend->time_begin(state->device, err));
    const rd_status status = run_all(state, job, word, err);
    const int stopped = status == RD_ETIMEOUT || status == RD_ECANCELLED; /* the report says how far it came */
    if (status != RD_OK && !stopped)
        return status;
    if (stopped)
        RD_TRY(rd__buffer_read(&state->words, 0, sizeof word, word, NULL));
    RD_TRY(state->device->backend->time_end(state->device, &report->kernel_s, stopped ? NULL : err));
    const uint64_t *count = word + RANK_STATS;
    report->tasks = count[RANK_TASKS];
    report->tasks_needed = state->vertices ? seeds + count[RANK_FRESH] : count[RANK_TASKS];
    report->edges = count[RANK_EDGES];
    report->empty_polls = count[RANK_POLLS];
    report->launches = state->launches;
    report->groups = state->groups;
    report->lanes = state->lanes;
    rd__measure(report, "heap_peak", (double)count[RANK_PEAK]);
    rd__measure(report, "pruned", (double)count[RANK_PRUNED]);
    rd__measure(report, "collections", (double)state->collections);
    rd__measure(report, "collected", (double)state->collected);
    if (state->vertices)
        rd__measure(report, "at_once", (double)count[RANK_AT_ONCE]);
    return status;
}

static const char *const launches[] = {"persistent", NULL};
static const rd_option_info options[] = {
    {"node", "32..2048", "0", "tasks in a node of the heap, a power of two (default: 256; CPUs: 64)", 0},
    {"capacity", "1..1073741824", "0", "tasks the heap has room for at first; it grows", 0},
    {"gc", "1..1073741824", "0", "drop hopeless tasks when more than N wait (default: when the heap is full)", 0},
    {"near", "auto|0..4294967295", "auto", "of vertices: what ranks so little above the least is run at once", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__sched rd__sched_heap = {
    .name = "heap",
    .text = "one shared priority queue: workers take the tasks of least rank",
    .launches = launches,
    .options = options,
    .plan = heap_plan,
    .create = heap_create,
    .destroy = heap_destroy,
    .run = heap_run,
    .rest = rd__heap_rest,
};
