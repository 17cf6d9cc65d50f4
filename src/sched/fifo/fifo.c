/* SPDX-License-Identifier: Apache-2.0 */
/* fifo.c - scheduler `fifo`, host side: its options, its memory and its program (fifo/fifo.k.h says what the kernel
 * does and why nothing overflows; fifo/run.c runs it). */
#include "sched/fifo/fifo.h"

#include "core/log.h"
#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/fifo/layout.k.h"
#include "sched/parts/ring_layout.k.h"

#include <stdio.h>
#include <string.h>

enum {
    EDGES_IN_FLIGHT = 4,
    ORDERED_FETCH = 16,
    KEPT_OF_A_LAUNCH = 64,
    NARROW_DEGREE = 32,
    NARROW_GROUPS = 4,
    NARROW_VERTICES = 6000000
};
enum { USUAL_LANES = 2048 }; /* resident on a unit of a GPU that does not say how many */

/* ---- Sizes ---- */

/* One slot for each vertex at least: no vertex is in the ring twice. Unless the user wants a ring that may have to
 * grow. */
static uint32_t ring_shift(const rd__sched_job *job)
{
    const uint32_t asked = rd__sched_number(job, "capacity");
    const uint32_t slots = asked ? asked : rd_graph_csr(job->input.graph).vertices;
    uint32_t shift = 1;
    while (shift < 31 && 1u << shift < slots)
        shift++;
    return shift;
}

static int is_gated(const rd__sched_job *job)
{
    return rd__sched_option_is(job, "gate", "1");
}

/* On GPUs: where no vertex has many edges, a task is a chain of memory accesses, and a warp goes through it faster than
 * a wide group, whose barriers cost more; elsewhere wide groups share the edges of big vertices. On CPUs, also behind
 * OpenCL, a worker is what the device says: compilers that turn lanes into loops copy what follows a barrier for each
 * way to it, and need minutes for this kernel. */
static rd__width choose_lanes(const rd__sched_job *job)
{
    const rd_device_info *info = job->device ? &job->device->info : NULL;
    rd__width width = info && !info->is_gpu ? rd__sched_device_width(job) : rd__sched_width(job);
    if (info && info->is_gpu && !job->worker && info->warp > 1 && !job->frontier.all_seeds &&
        rd_graph_max_degree(job->input.graph) <= NARROW_DEGREE) {
        width.lanes = info->warp;
        width.lanes_why = "no vertex has many edges, and a warp runs such tasks faster than a wide group";
    }
    return width;
}

/* Warps for a graph of small degrees. Their lanes should just hold a frontier, so that no task has to wait in the ring:
 * more of them would only run ahead of each other. Such graphs are flat, and a frontier grows as the root of the
 * vertices. 4 warps a unit were best for 4 M vertices, 8 for 16 M; half as many cost twice the time. */
static uint32_t narrow_groups(const rd__sched_job *job)
{
    uint32_t groups = NARROW_GROUPS * job->device->info.compute_units;
    for (uint64_t vertices = rd_graph_csr(job->input.graph).vertices; vertices > NARROW_VERTICES; vertices /= 4)
        groups *= 2;
    return groups;
}

static int is_narrow(const rd__sched_job *job, uint32_t lanes)
{
    return job->device && job->device->info.is_gpu && lanes <= NARROW_DEGREE;
}

static uint32_t choose_groups(const rd__sched_job *job, uint32_t lanes, uint32_t resident)
{
    if (job->groups)
        return job->groups;
    return is_narrow(job, lanes) && narrow_groups(job) < resident ? narrow_groups(job) : resident;
}

static rd__width fifo_width(const rd__sched_job *job)
{
    rd__width width = choose_lanes(job);
    if (is_narrow(job, width.lanes))
        rd__sched_limit_groups(job, &width, narrow_groups(job), "their lanes just hold a frontier of this graph");
    return width;
}

/* Groups that may be resident at once: how many are is known once the kernel is. */
static uint32_t most_groups(const rd__sched_job *job, uint32_t lanes)
{
    const rd_device_info *info = job->device ? &job->device->info : NULL;
    if (!info)
        return 1;
    if (info->resident_lanes)
        return info->resident_lanes / lanes;
    return info->is_gpu ? info->compute_units * (USUAL_LANES / lanes) : info->compute_units;
}

/* Rings that may have to grow; launches that may have to make way for others, or for a look. */
static int has_checkpoint(const rd__sched_job *job)
{
    return rd__sched_number(job, "capacity") > 0 || ((job->shares || job->traced) && job->persistent);
}

/* What groups have in hand when a ring has to grow, or others want the device. */
static uint64_t checkpoint_bytes(uint32_t groups, uint32_t lanes)
{
    return 4ull * groups * FIFO_CHECKPOINT((uint64_t)lanes);
}

static void fifo_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "ring", 8ull << ring_shift(job), 0, 0);
    if (job->frontier.urgent)
        rd__plan_add(plan, "ring of first tasks", 8ull << ring_shift(job), 0, 0);
    if (!is_gated(job))
        rd__plan_add(plan, "queued", 4ull * rd_graph_csr(job->input.graph).vertices, 0, 0);
    const uint32_t lanes = choose_lanes(job).lanes;
    if (has_checkpoint(job))
        rd__plan_add(plan, "checkpoint", checkpoint_bytes(choose_groups(job, lanes, most_groups(job, lanes)), lanes), 0,
                     0);
    rd__hubs_plan(job, lanes, plan);
    rd__seeder_plan(job, plan);
    rd__plan_add(plan, "control words", 4 * FIFO_WORDS, 0, 0);
}

/* ---- Making ---- */

static void fifo_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    for (int k = 0; k < RD__FIFO_CLASSES; k++)
        rd__buffer_free(&state->ring[k]);
    rd__buffer_free(&state->queued);
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->checkpoint);
    rd__hubs_close(&state->hubs);
    rd__seeder_close(&state->seeder);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* Apps that can run in rounds, one task of each vertex, have a program for it. */
static int has_gate(const char *root)
{
    char name[64];
    snprintf(name, sizeof name, "%s_gate", root);
    return rd__program_exists(name);
}

/* The edges of a worker's tasks are numbered in 32 bits. */
static rd_status check_sizes(const rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const rd_graph *graph = job->input.graph;
    const uint64_t degree = rd_graph_max_degree(graph);
    if (degree * state->lanes > UINT32_MAX)
        return rd__fail(err, RD_EARG,
                        "scheduler fifo: a vertex has %llu edges, too many for workers of %u lanes; use a smaller "
                        "--worker, or bsp",
                        (unsigned long long)degree, state->lanes);
    if (state->gated && !has_gate(job->program))
        return rd__fail(err, RD_EARG, "%s cannot run level by level; leave out --gate", job->app);
    if (state->gated && rd__sched_number(job, "capacity"))
        return rd__fail(err, RD_EARG,
                        "--gate and --capacity exclude each other: in rounds the queue never has to grow");
    if (rd_graph_csr(graph).vertices > 1u << 31)
        return rd__fail(err, RD_EARG, "scheduler fifo takes at most 2^31 vertices; use bsp");
    return RD_OK;
}

/* keep: tasks whose edges make one tile, about. Cores keep all they can. */
static void choose_shares(rd__sched_state *state, const rd__sched_job *job)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    const uint64_t degree = csr.vertices ? csr.edges / csr.vertices + 1 : 1;
    const uint64_t tile = EDGES_IN_FLIGHT * (uint64_t)state->lanes / degree;
    const int core = state->lanes == 1 && !job->device->info.is_gpu;
    const uint32_t keep = core                  ? FIFO_KEEP_ROOM(1, 1)
                          : tile < 1            ? 1
                          : tile > state->lanes ? state->lanes
                                                : (uint32_t)tile;
    const uint32_t room = state->lanes * FIFO_FETCH_ROOM(core, state->lanes);
    const uint32_t most = room < FIFO_MOST_FETCH ? room : FIFO_MOST_FETCH;
    /* A task that waits for others gives itself again: kept, it would go before those that it waits for. */
    const int may_keep = (state->persistent || core) && !state->gated && !job->frontier.order;
    state->keep = !may_keep ? 0 : state->persistent ? keep : KEPT_OF_A_LAUNCH;
    const uint32_t fetch = rd__sched_number(job, "fetch");
    state->fetch = fetch && fetch < most ? fetch : most;
    /* No more than one at once; or an order that a thread's hoard would spoil: a few, as each trip to the ring takes
     * longer than most such tasks. */
    const uint32_t few = state->kind == QUEUE_CAS ? 1 : job->frontier.order ? ORDERED_FETCH : most;
    state->fetch = state->lanes == 1 && few < state->fetch ? few : state->fetch;
}

/* Constants of the program. On CPUs, also behind OpenCL, one program serves for all, and what matters there is an
 * argument. */
static void write_defines(const rd__sched_state *state, const rd__sched_job *job, char *text, size_t room)
{
    const char *reserve = rd__sched_option(job, "reserve"), *comma = strchr(reserve, ',');
    const int single = state->kind == QUEUE_CAS; /* one token at a time: nobody can reserve for others */
    const int direct_take = single || strncmp(reserve, "direct", 6) == 0;
    const int direct_give = single || strcmp(comma ? comma + 1 : reserve, "direct") == 0;
    const uint32_t chunk = rd__sched_number(job, "chunk");
    text[0] = '\0';
    if (!job->device->info.is_gpu)
        return;
    const int used =
        snprintf(text, room, "-DQUEUE_KIND=%u -DFIFO_LEAVES=%u -DFIFO_DIRECT_TAKE=%d -DFIFO_DIRECT_GIVE=%d",
                 state->kind, state->leaves, direct_take, direct_give);
    if (chunk && state->lanes > 1)
        snprintf(text + used, room - (size_t)used, " -DSPREAD_BATCH=%u", chunk);
}

static uint32_t choose_kind(const rd__sched_job *job)
{
    const char *queue = rd__sched_option(job, "queue");
    return strcmp(queue, "cas") == 0 ? QUEUE_CAS : strcmp(queue, "an") == 0 ? QUEUE_AN : QUEUE_RETRY_FREE;
}

/* An option that was set and does nothing on this device is said, as it would seem to have been measured. */
static void say_unused(const rd__sched_state *state, const rd__sched_job *job)
{
    static const char *const of_gpus[] = {"reserve", "chunk"};
    const char *name = job->device->info.name;
    const uint32_t fetch = rd__sched_number(job, "fetch");
    for (size_t k = 0; k < sizeof of_gpus / sizeof *of_gpus && !job->device->info.is_gpu; k++)
        rd__sched_say_unused(job, of_gpus[k], "it is for the lanes of GPUs");
    if (fetch > state->fetch && state->lanes == 1)
        rd__log(RD_LOG_WARN, "option fetch: on %s a worker takes at most %u task%s at a time here", name, state->fetch,
                state->fetch == 1 ? "" : "s");
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    char defines[160];
    uint32_t resident = 0;
    rd_device *device = job->device;
    state->gated = (uint32_t)is_gated(job);
    state->device = device;
    state->lanes = choose_lanes(job).lanes;
    state->shift = state->first_shift = ring_shift(job);
    state->persistent = job->persistent;
    state->kind = choose_kind(job);
    state->grows = rd__sched_number(job, "capacity") > 0;
    state->leaves = has_checkpoint(job) ? 1 + state->grows : 0;
    state->dirty = 1;
    RD_TRY(check_sizes(state, job, err));
    write_defines(state, job, defines, sizeof defines);
    rd__hubs_define(job, state->lanes, defines, sizeof defines);
    RD_TRY(rd__sched_load(job, state->gated ? "gate" : "fifo", state->lanes, defines, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "fifo_run", &state->kernel, err));
    RD_TRY(rd__kernel_find(device, state->program, "fifo_seed", &state->seed, err));
    RD_TRY(rd__seeder_open(&state->seeder, job, state->program, err));
    RD_TRY(rd__sched_resident(job, state->kernel, &resident, err));
    state->groups = choose_groups(job, state->lanes, resident);
    state->takers = state->groups < resident ? state->groups : resident;
    choose_shares(state, job);
    say_unused(state, job);
    RD_TRY(rd__buffer_alloc(device, &state->ring[0], "ring", 8ull << state->shift, err));
    if (job->frontier.urgent)
        RD_TRY(rd__buffer_alloc(device, &state->ring[1], "ring of first tasks", 8ull << state->shift, err));
    if (!state->gated)
        RD_TRY(rd__buffer_alloc(device, &state->queued, "queued", 4ull * rd_graph_csr(job->input.graph).vertices, err));
    /* Of levels that are launches each, none may be left to the next one. */
    RD_TRY(
        rd__hubs_open(&state->hubs, job, state->lanes, state->groups > 1 && (state->persistent || !state->gated), err));
    if (state->leaves)
        RD_TRY(rd__buffer_alloc(device, &state->checkpoint, "checkpoint", checkpoint_bytes(state->groups, state->lanes),
                                err));
    return rd__buffer_alloc(device, &state->control, "control words", 4 * FIFO_WORDS, err);
}

static rd_status fifo_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler fifo", sizeof *state);
    rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        fifo_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

static const char *const launches[] = {"persistent", "discrete", NULL};
static const rd_option_info options[] = {
    {"gate", NULL, "0", "a task runs only when all that were given before its giver are complete: level by level", 0},
    {"chunk", "1..8", NULL, "edges of a lane before its worker shares what it found (default: 4; of GPUs)", 0},
    {"queue", "retry-free|an|cas", "retry-free",
     "the shared queue: retry-free, or by compare-and-swap for many tasks (an) or one (cas)", 0},
    {"reserve", "proxy|direct|proxy,direct|direct,proxy", "proxy",
     "who reserves places in the queue: one lane for its worker, or each lane for itself; for taking,giving", 0},
    {"fetch", "1..1023", NULL, "most tasks that a worker takes at once (default: one a lane; CPUs: 1023)", 0},
    {"capacity", "2..1073741824", NULL, "places in the queue at first; it grows (default: one a vertex, enough)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* The gate is there where its program is (engines.def), chunks where tasks have edges. */
static const rd_option_info *options_for(const uint32_t *traits, size_t roots)
{
    size_t unfit = 2;
    for (size_t i = 0; i < roots; i++) {
        const size_t here =
            traits[i] & RD__TRAIT_VERTEX ? 2 : (traits[i] & (RD__TRAIT_NO_ROUNDS | RD__TRAIT_REPEATS)) != 0;
        unfit = here < unfit ? here : unfit;
    }
    return options + unfit;
}

const rd__policy rd__policy_fifo = {
    .name = "fifo",
    .text = "one shared retry-free queue, no rounds: a worker runs what it finds and shares the rest",
    .launches = launches,
};

static const char *needs_all(const rd__sched_job *job)
{
    return job->persistent ? rd__sched_places(job) : "launches that are not persistent are not left half-way";
}

const rd__engine rd__engine_fifo_frontier = {
    .policy = &rd__policy_fifo,
    .tag = "fifo",
    .model = RD__MODEL_FRONTIER,
    .is = RD__ENGINE_SHARED,
    .options = options,
    .options_for = options_for,
    .in_rounds = is_gated,
    .width = fifo_width,
    .needs_all = needs_all,
    .plan = fifo_plan,
    .create = fifo_create,
    .destroy = fifo_destroy,
    .run = rd__fifo_run,
    .freeze = rd__fifo_freeze,
};
