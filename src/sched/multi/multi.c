/* SPDX-License-Identifier: Apache-2.0 */
/*
 * multi.c - scheduler `multi`, host side: heaps, their heads and the groups' outboxes (multi/queue.k.h says what the
 * kernel does, rank/rank.c runs it). When a heap was full all tasks are collected, spread evenly over the heaps, and
 * the heaps are made larger when they would be more than half full.
 */
#include "sched/freeze.h"
#include "sched/rank/rank.h"

#include "core/memory.h"
#include "model/args.h"
#include "sched/multi/layout.k.h"

enum { CPU_QUEUES = 2, CPU_BATCH = 16, CPU_TASKS = 64, CPU_STICK = 8, WIDE_STICK = 1, ROOM_LEAST = 256 };
#define ROOM_MOST (1u << 30)

struct rd__sched_state {
    rd__rank rank; /* first */
    rd__buffer items, heads;
    uint64_t *head; /* the heads, on the host */
    uint32_t queues, room, out_room, stick;
};

/* ---- Sizes ---- */

/* One worker has one heap, and takes one task at a time: an exact queue. */
static uint32_t queues_of(const rd__sched_job *job, uint32_t groups)
{
    const uint32_t each = rd__sched_number(job, "queues");
    return groups == 1 ? 1 : groups * (each ? each : CPU_QUEUES);
}

static uint32_t batch_of(const rd__sched_job *job, uint32_t groups, uint32_t lanes)
{
    const uint32_t batch = rd__sched_number(job, "batch");
    const uint32_t several = job->engine->model == RD__MODEL_FRONTIER ? CPU_BATCH : CPU_TASKS;
    return batch ? batch : lanes > 1 ? lanes : groups == 1 ? 1 : several;
}

/* Places of a heap for its share of `tasks`, of which chance gives some heaps more: whole lines. */
static uint64_t room_for(uint64_t tasks, uint32_t queues)
{
    const uint64_t room = (queues == 1 ? tasks : tasks / queues * 3 / 2) + ROOM_LEAST;
    return room / 8 * 8;
}

static uint64_t out_room_of(const rd__sched_job *job, uint32_t batch, uint32_t lanes)
{
    const uint32_t list = MULTI_LIST_OF(lanes), hold = batch > list ? batch : list;
    return (rd__rank_reserve(job, hold, lanes) + 7) / 8 * 8;
}

static void multi_plan(const rd__sched_job *job, rd_plan *plan)
{
    const uint32_t groups = rd__rank_groups_planned(job), lanes = rd__rank_lanes(job), queues = queues_of(job, groups);
    const uint32_t batch = batch_of(job, groups, lanes);
    const uint64_t items = queues * room_for(rd__rank_capacity(job), queues) + groups * out_room_of(job, batch, lanes);
    rd__plan_add(plan, "heaps (grow)", items * rd__rank_item_bytes(job), 0, 0);
    rd__plan_add(plan, "heads of heaps", 8ull * MULTI_HEAD * (queues + groups), 0, 0);
    rd__rank_plan(job, batch, plan);
}

/* ---- Setting up ---- */

static void multi_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->items);
    rd__buffer_free(&state->heads);
    rd__array_free(state->head);
    rd__rank_free(&state->rank);
    rd__free(state);
}

static rd_status alloc_items(rd__sched_state *state, uint64_t room, rd_error *err)
{
    const uint64_t items = state->queues * room + (uint64_t)state->rank.groups * state->out_room;
    if (room > ROOM_MOST)
        return rd__fail(err, RD_ENOMEM,
                        "scheduler multi: a heap for more than %u tasks is too large; use a smaller --capacity, or "
                        "more --queues",
                        ROOM_MOST);
    rd__buffer_free(&state->items);
    state->room = (uint32_t)room;
    return rd__buffer_alloc(state->rank.device, &state->items, "heaps", items * state->rank.item_bytes, err);
}

/* The list that a group gathers. */
static uint64_t memory_of(const rd__sched_job *job, uint32_t lanes)
{
    return (uint64_t)MULTI_LIST_OF(lanes) * rd__rank_item_bytes(job) + 64;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd__rank *rank = &state->rank;
    const uint32_t lanes = rd__rank_lanes(job), stick = rd__sched_number(job, "stick");
    rank->device = job->device;
    RD_TRY(rd__rank_check(job, lanes, memory_of, err));
    RD_TRY(rd__rank_load(rank, job, NULL, 0, err));
    RD_TRY(rd__kernel_find(rank->device, rank->program, "multi_put", &rank->put, err));
    rank->inbox_room = rank->fetch = batch_of(job, rank->groups, lanes);
    state->queues = queues_of(job, rank->groups);
    state->stick = stick ? stick : lanes == 1 ? CPU_STICK : WIDE_STICK;
    state->out_room = (uint32_t)out_room_of(job, rank->fetch, lanes);
    const uint64_t heads = (uint64_t)state->queues + rank->groups;
    RD_TRY(rd__array_new(&state->head, "heads of heaps on the host", heads * MULTI_HEAD, 8, err));
    RD_TRY(rd__buffer_alloc(rank->device, &state->heads, "heads of heaps", 8ull * MULTI_HEAD * heads, err));
    RD_TRY(rd__rank_alloc(rank, err));
    return alloc_items(state, room_for(rd__rank_capacity(job), state->queues), err);
}

static rd_status multi_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler multi", sizeof *state);
    const rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        multi_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

/* All heaps and outboxes are empty, and nobody owns one. */
static rd_status clear_heads(rd__sched_state *state, rd_error *err)
{
    return rd__buffer_fill(&state->heads, 0, err);
}

RD__ARGS(multi_queue_args, MULTI_QUEUE_ARGS)
RD__ARGS(multi_collect_args, MULTI_COLLECT_ARGS)
RD__ARGS(multi_put_args, MULTI_PUT_ARGS)

/* What each of the lists begins with. */
#define STORE(state)                                                                                                   \
    .multi_items = &(state)->items, .multi_heads = &(state)->heads, .multi_queues = (state)->queues,                   \
    .multi_room = (state)->room, .multi_out_room = (state)->out_room

static uint32_t multi_args(rd__sched_state *state, const rd__sched_job *job, rd__arg *list, uint32_t *limit)
{
    const multi_queue_args args = {STORE(state), .multi_stick = state->stick};
    (void)job;
    *limit = 0; /* items in an outbox */
    return multi_queue_args_pack(&args, list);
}

/* Spreads the `count` tasks of `spare` over empty heaps. */
static rd_status insert_again(rd__sched_state *state, uint64_t count, rd_error *err)
{
    const rd__rank *rank = &state->rank;
    const multi_put_args args = {STORE(state), .in = &rank->spare, .in_count = count};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = multi_put_args_pack(&args, list);
    return rd__kernel_launch(rank->device, rank->put, rank->groups, 0, list, used, err);
}

/* How many tasks wait, by the heads. */
static rd_status count_all(rd__sched_state *state, uint64_t *waiting, rd_error *err)
{
    *waiting = 0;
    RD_TRY(rd__buffer_read(&state->heads, 0, state->heads.bytes, state->head, err));
    for (uint64_t i = 0; i < (uint64_t)state->queues + state->rank.groups; i++)
        *waiting += state->head[i * MULTI_HEAD + MULTI_COUNT];
    return RD_OK;
}

/* The `count` tasks of `spare`, and no others, into heaps that are at most half full then. */
static rd_status put_all(rd__sched_state *state, const rd__sched_job *job, uint64_t count, rd_error *err)
{
    rd__rank *rank = &state->rank;
    uint64_t room = state->room;
    (void)job;
    (void)rank;
    while (count / state->queues > room / 2)
        room *= 2;
    if (room > state->room)
        RD_TRY(alloc_items(state, room, err)); /* all tasks are in spare */
    RD_TRY(clear_heads(state, err));
    return count ? insert_again(state, count, err) : RD_OK;
}

static rd_status make_room(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd__rank *rank = &state->rank;
    const multi_collect_args args = {STORE(state), .workers = rank->groups};
    rd__arg list[RD__MAX_ARGS];
    uint64_t waiting, kept;
    RD_TRY(count_all(state, &waiting, err));
    RD_TRY(rd__rank_collect(rank, job, list, multi_collect_args_pack(&args, list), waiting, &kept, err));
    return put_all(state, job, kept, err);
}

/* The least rank in an outbox. */
static rd_status least_spilled(rd__sched_state *state, uint32_t group, uint64_t count, uint64_t *least, rd_error *err)
{
    const uint64_t bytes = state->rank.item_bytes, words = bytes / 8;
    const uint64_t at = (uint64_t)state->queues * state->room + (uint64_t)group * state->out_room;
    uint64_t *item;
    RD_TRY(rd__array_new(&item, "tasks on the host", count * words, 8, err));
    const rd_status status = rd__buffer_read(&state->items, at * bytes, count * bytes, item, err);
    for (uint64_t i = 0; status == RD_OK && i < count; i++) {
        const uint64_t rank = words == 1 ? item[i] >> 32 : item[2 * i];
        *least = rank < *least ? rank : *least;
    }
    rd__array_free(item);
    return status;
}

static rd_status multi_remaining(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err)
{
    const int vertices = state->rank.vertices != 0;
    *least_rank = UINT64_MAX;
    RD_TRY(count_all(state, tasks, err));
    for (uint32_t i = 0; i < state->queues; i++) {
        const uint64_t *head = state->head + (uint64_t)i * MULTI_HEAD;
        const uint64_t least = ~head[MULTI_LEAST], rank = vertices ? least >> 32 : least;
        if (head[MULTI_COUNT] && rank < *least_rank)
            *least_rank = rank;
    }
    for (uint32_t group = 0; group < state->rank.groups; group++) {
        const uint64_t count = state->head[((uint64_t)state->queues + group) * MULTI_HEAD + MULTI_COUNT];
        if (count)
            RD_TRY(least_spilled(state, group, count, least_rank, err));
    }
    return RD_OK;
}

static rd_status multi_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                           rd_error *err)
{
    static const rd__rank_ops ops = {
        .peak = "queue_peak", .args = multi_args, .make_room = make_room, .remaining = multi_remaining};
    uint32_t count = 0;
    if (job->resumes) {
        state->rank.timed = 0;
        return rd__rank_run(&state->rank, &ops, job, 0, report, err);
    }
    RD_TRY(rd__rank_seeds(&state->rank, job, seeds, &count, err));
    RD_TRY(put_all(state, job, count, err));
    return rd__rank_run(&state->rank, &ops, job, count, report, err);
}

/* Heaps may have grown. */
static rd_status multi_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    RD_TRY(rd__rank_freeze(&state->rank, freeze, err));
    RD_TRY(rd__freeze_same(freeze, "the number of heaps", state->queues, err));
    RD_TRY(rd__freeze_same(freeze, "the room of an outbox", state->out_room, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->room, sizeof state->room, err));
    RD_TRY(rd__freeze_fixed(freeze, &state->heads, err));
    RD_TRY(rd__freeze_buffer(freeze, &state->items, err));
    const uint64_t items = (uint64_t)state->queues * state->room + (uint64_t)state->rank.groups * state->out_room;
    if (state->room > ROOM_MOST || state->items.bytes / state->rank.item_bytes < items)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", freeze->path);
    return RD_OK;
}

static const char *const launches[] = {"persistent", NULL};
#define COMMON_OPTIONS                                                                                                 \
    {"queues", "1..64", "0", "heaps a worker (default: 2; a single worker has one)", 0},                               \
        {"batch", "1..1024", "0",                                                                                      \
         "tasks a worker takes at once (default: one a lane; CPUs: 64, of vertices 16, a single worker 1)", 0},        \
        {"stick", "1..65536", "0", "operations for which a worker stays with a heap (default: 1; CPUs: 8)", 0},        \
    {                                                                                                                  \
        "capacity", "1..1073741824", "0", "tasks the heaps have room for at first; they grow", 0                       \
    }

static const rd_option_info options[] = {COMMON_OPTIONS, {NULL, NULL, NULL, NULL, 0}};
static const rd_option_info vertex_options[] = {COMMON_OPTIONS, RD__RANK_NEAR, {NULL, NULL, NULL, NULL, 0}};

static const rd__policy policy = {
    .name = "multi",
    .text = "a few priority queues a worker: tasks of low rank first, not always the least",
    .launches = launches,
};

const rd__engine rd__engine_multi_frontier =
    RD__RANK_ENGINE(multi, RD__ENGINE_RELAXED, RD__MODEL_FRONTIER, vertex_options);
const rd__engine rd__engine_multi_ranked = RD__RANK_ENGINE(multi, RD__ENGINE_RELAXED, RD__MODEL_RANKED, options);
