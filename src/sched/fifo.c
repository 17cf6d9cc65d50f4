/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fifo.c - scheduler `fifo`, host side (fifo.k.h says what the kernel does and why nothing overflows).
 *
 * Launch `persistent` is one launch that ends when no task is left. Launch `discrete` launches again while there is
 * work, in batches: each launch finds its tasks in device memory, so the host looks only once a batch.
 *
 * A run that ends well leaves the ring empty: each slot is free for the next ticket. So the next run goes on from that
 * ticket, and the ring is filled only at first and after a run that failed.
 */
#include "sched/sched.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/fifo_layout.k.h"
#include "sched/queue_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_BATCH = 4, LAST_BATCH = 64, MAX_APP_ARGS = 16, FIFO_OWN_ARGS = 10, MAX_FETCH = 1023, CPU_FETCH = 64 };
enum { EDGES_IN_FLIGHT = 4, NARROW_DEGREE = 32, NARROW_GROUPS = 4 };
static const double batch_seconds = 0.1; /* batches do not grow beyond this */

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer ring, queued, control;
    uint32_t shift, groups, lanes, keep, fetch, persistent;
    uint32_t ticket; /* the next one */
    int dirty;       /* the ring has to be filled */
};

/* One slot for each vertex at least: no vertex is in the ring twice. */
static uint32_t ring_shift(const rd_graph *graph)
{
    uint32_t shift = 1;
    while (shift < 31 && 1u << shift < rd_graph_csr(graph).vertices)
        shift++;
    return shift;
}

static void fifo_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "ring", 8ull << ring_shift(job->graph), 0, 0);
    rd__plan_add(plan, "queued", 4ull * rd_graph_csr(job->graph).vertices, 0, 0);
    rd__plan_add(plan, "control words", 4 * FIFO_WORDS, 0, 0);
}

static void fifo_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->ring);
    rd__buffer_free(&state->queued);
    rd__buffer_free(&state->control);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* The edges of a worker's tasks are numbered in 32 bits. Compilers that turn lanes into loops copy what follows a
 * barrier for each way to it, and need minutes for this kernel. */
static rd_status check_sizes(const rd__sched_state *state, const rd_graph *graph, rd_error *err)
{
    const uint64_t degree = rd_graph_max_degree(graph);
    if (degree * state->lanes > UINT32_MAX)
        return rd__fail(err, RD_EARG,
                        "scheduler fifo: a vertex has %llu edges, too many for workers of %u lanes; use a smaller "
                        "--worker, or bsp",
                        (unsigned long long)degree, state->lanes);
    if (state->device->backend == &rd__opencl_backend && !state->device->info.is_gpu && state->lanes > 1)
        return rd__fail(err, RD_EARG, "scheduler fifo takes workers of one lane on %s; use --worker 1, or bsp",
                        state->device->info.name);
    if (rd_graph_csr(graph).vertices > 1u << 31)
        return rd__fail(err, RD_EARG, "scheduler fifo takes at most 2^31 vertices; use bsp");
    return RD_OK;
}

/* On GPUs: where no vertex has many edges, a task is a chain of memory accesses, and a warp goes through it faster than
 * a wide group, whose barriers cost more; elsewhere wide groups share the edges of big vertices. */
static uint32_t choose_lanes(const rd__sched_job *job)
{
    const rd_device_info *info = &job->device->info;
    if (job->worker)
        return job->worker;
    if (info->is_gpu && info->warp > 1 && rd_graph_max_degree(job->graph) <= NARROW_DEGREE)
        return info->warp;
    return rd__device_default_lanes(job->device);
}

/* keep: tasks whose edges make one tile, about. */
static void choose_shares(rd__sched_state *state, const rd__sched_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint64_t degree = csr.vertices ? csr.edges / csr.vertices + 1 : 1;
    const uint64_t keep = EDGES_IN_FLIGHT * (uint64_t)state->lanes / degree;
    state->keep = !state->persistent ? 0 : keep < 1 ? 1 : keep > state->lanes ? state->lanes : (uint32_t)keep;
    state->fetch = state->lanes == 1 ? CPU_FETCH : state->lanes > MAX_FETCH ? MAX_FETCH : state->lanes;
    if (job->groups)
        state->groups = job->groups;
    else if (job->device->info.is_gpu && state->lanes <= NARROW_DEGREE &&
             state->groups > NARROW_GROUPS * job->device->info.compute_units)
        state->groups = NARROW_GROUPS * job->device->info.compute_units; /* more would only run ahead of the others */
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    char name[64], root[64];
    rd_device *device = job->device;
    snprintf(name, sizeof name, "%s_fifo", job->app);
    snprintf(root, sizeof root, "apps/%s.k.c", job->app);
    state->device = device;
    state->lanes = choose_lanes(job);
    state->shift = ring_shift(job->graph);
    state->persistent = strcmp(job->launch, "persistent") == 0;
    state->dirty = 1;
    RD_TRY(check_sizes(state, job->graph, err));
    const rd__program_spec spec = {.name = name, .root = root, .sched = "fifo", .lanes = state->lanes};
    RD_TRY(rd__program_load(device, &spec, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "fifo_run", &state->kernel, err));
    RD_TRY(device->backend->resident(state->kernel, &state->groups, err));
    choose_shares(state, job);
    RD_TRY(rd__buffer_alloc(device, &state->ring, "ring", 8ull << state->shift, err));
    RD_TRY(rd__buffer_alloc(device, &state->queued, "queued", 4ull * rd_graph_csr(job->graph).vertices, err));
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

/* ---- Running ---- */

/* The seeds are the first tasks in the ring. */
static rd_status write_seeds(rd__sched_state *state, const uint32_t *seed, uint32_t seeds, rd_error *err)
{
    const uint32_t set = 1;
    uint32_t word[FIFO_WORDS] = {0};
    if (state->dirty) {
        state->ticket = 0;
        RD_TRY(rd__buffer_fill(&state->ring, QUEUE_FREE(state->ticket, state->shift), err));
        RD_TRY(rd__buffer_fill(&state->queued, 0, err));
    }
    state->dirty = 1; /* until the run ends well */
    for (uint32_t i = 0; i < seeds; i++) {
        const uint32_t ticket = state->ticket + i, at = ticket & ((1u << state->shift) - 1);
        const uint64_t slot = (uint64_t)QUEUE_FULL(ticket, state->shift) << 32 | seed[i];
        RD_TRY(rd__buffer_write(&state->ring, 8ull * at, sizeof slot, &slot, err));
        RD_TRY(rd__buffer_write(&state->queued, 4ull * seed[i], sizeof set, &set, err));
    }
    word[FIFO_START] = state->ticket;
    word[FIFO_REAR] = seeds;
    word[FIFO_PENDING] = seeds;
    return rd__buffer_write(&state->control, 0, sizeof word, word, err);
}

static rd_status launch(rd__sched_state *state, const rd__sched_job *job, uint32_t from, uint32_t count, rd_error *err)
{
    rd__arg args[FIFO_OWN_ARGS + MAX_APP_ARGS] = {RD__BUFFER(job->row),
                                                  RD__BUFFER(job->col),
                                                  RD__BUFFER(&state->ring),
                                                  RD__BUFFER(&state->queued),
                                                  RD__BUFFER(&state->control),
                                                  RD__U32(state->shift),
                                                  RD__U32(0),
                                                  RD__U32(state->persistent),
                                                  RD__U32(state->keep),
                                                  RD__U32(state->fetch)};
    if (job->arg_count > MAX_APP_ARGS)
        return rd__fail(err, RD_EARG, "app %s has more than %d kernel arguments", job->app, MAX_APP_ARGS);
    memcpy(args + FIFO_OWN_ARGS, job->args, job->arg_count * sizeof *args);
    for (uint32_t round = from; round < from + count; round++) {
        args[6] = RD__U32(round);
        RD_TRY(
            state->device->backend->launch(state->kernel, state->groups, 0, args, FIFO_OWN_ARGS + job->arg_count, err));
    }
    return state->device->backend->time_mark(state->device, err);
}

/* Waits for what was launched and reads the control words. */
static rd_status look(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, rd_error *err)
{
    uint64_t tasks;
    if (job->deadline != 0)
        RD_TRY(state->device->backend->wait(state->device, job->deadline, err));
    RD_TRY(rd__buffer_read(&state->control, 0, 4 * FIFO_WORDS, word, err));
    memcpy(&tasks, word + FIFO_STATS + 2 * FIFO_TASKS, sizeof tasks);
    if (job->progress && job->progress(job->progress_user, job->app, tasks, 0, "tasks"))
        return rd__fail(err, RD_ECANCELLED, "%s was stopped on request", job->app);
    return RD_OK;
}

static rd_status run_persistent(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint32_t *launches,
                                rd_error *err)
{
    *launches = 1;
    RD_TRY(launch(state, job, 0, 1, err));
    RD_TRY(look(state, job, word, err));
    if (word[FIFO_PENDING])
        return rd__fail(err, RD_EDEVICE,
                        "%s miscomputed: scheduler fifo ended with %u units of work left; run `raddle selftest -d %s`",
                        state->device->info.name, word[FIFO_PENDING], state->device->info.name);
    state->ticket += word[FIFO_REAR];
    return RD_OK;
}

static rd_status run_discrete(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint32_t *launches,
                              rd_error *err)
{
    uint32_t batch = FIRST_BATCH, round = 0;
    const uint32_t *slot;
    do {
        double began = rd_now();
        RD_TRY(launch(state, job, round, batch, err));
        round += batch;
        RD_TRY(look(state, job, word, err));
        slot = word + round % FIFO_SLOTS * FIFO_SLOT_WORDS; /* the launch that would come next */
        if (batch < LAST_BATCH && rd_now() - began < batch_seconds)
            batch *= 2;
    } while (slot[FIFO_REAR] > 0);
    *launches = round;
    state->ticket = slot[FIFO_START];
    return RD_OK;
}

static rd_status fifo_run(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                          rd_report *report, rd_error *err)
{
    uint32_t word[FIFO_WORDS], launched = 0;
    uint64_t count[FIFO_COUNTS];
    RD_TRY(write_seeds(state, seed, seeds, err));
    RD_TRY(state->device->backend->time_begin(state->device, err));
    RD_TRY(state->persistent ? run_persistent(state, job, word, &launched, err)
                             : run_discrete(state, job, word, &launched, err));
    RD_TRY(state->device->backend->time_end(state->device, &report->kernel_s, err));
    state->dirty = 0;
    memcpy(count, word + FIFO_STATS, sizeof count);
    report->tasks = count[FIFO_TASKS];
    report->tasks_needed = seeds + count[FIFO_FRESH];
    report->edges = count[FIFO_EDGES];
    report->reservations = count[FIFO_RESERVATIONS];
    report->empty_polls = count[FIFO_EMPTY_POLLS];
    report->launches = launched;
    report->groups = state->groups;
    report->lanes = state->lanes;
    return RD_OK;
}

static const char *const launches[] = {"persistent", "discrete", NULL};
static const rd_option_info options[] = {{NULL, NULL, NULL, NULL, 0}};

const rd__sched rd__sched_fifo = {
    .name = "fifo",
    .text = "one shared retry-free queue, no rounds: a worker runs what it finds and shares the rest",
    .launches = launches,
    .options = options,
    .plan = fifo_plan,
    .create = fifo_create,
    .destroy = fifo_destroy,
    .run = fifo_run,
};
