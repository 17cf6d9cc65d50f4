/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp.c - scheduler `bsp`, host side, launch `discrete`: one launch a round (bsp.k.h says what a launch does).
 *
 * A round finds its bounds in device memory, so the host does not have to look between rounds. It launches a batch of
 * rounds back to back, then reads the control words once and stops when the last round had no task. A batch that goes
 * past the end costs a few empty launches; reading after each round would cost a round trip to the device each time,
 * which on a road graph with thousands of rounds is most of the run. Batches grow while there is work and stay short in
 * time, so that progress, cancellation and time limits are seen to.
 */
#include "sched/sched.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/bsp_layout.k.h"
#include "sched/sweep.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_BATCH = 4, LAST_BATCH = 64, SPAN = 4096, MAX_APP_ARGS = 16, BSP_OWN_ARGS = 13, ROUND_ARG = 8, DENSE = 8 };
static const double batch_seconds = 0.1; /* batches do not grow beyond this */

struct rd__sched_state {
    rd__sweep *sweep; /* of an app of that shape: does all the work */
    rd_device *device;
    rd__program *program;
    rd__kernel *expand, *change; /* change: of direction, before each round */
    rd__buffer queue, parts, bits, control;
    uint32_t groups, lanes, span, claim_min, claim_max, direction;
};

struct sizes {
    uint64_t queue, parts, bits;
    uint32_t span; /* 0: no vertex is big */
};

/* Pulling follows edges backwards, so it takes a symmetric graph; and it pays when vertices have many edges to choose
 * from. */
static uint32_t direction_of(const rd__sched_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    if (rd__sched_option_is(job, "direction", "push") || !rd_graph_is_symmetric(job->graph))
        return BSP_ALWAYS_PUSH;
    if (rd__sched_option_is(job, "direction", "pull"))
        return BSP_ALWAYS_PULL;
    return csr.edges / DENSE >= csr.vertices && csr.edges ? BSP_SWITCHING : BSP_ALWAYS_PUSH;
}

static uint64_t count_parts(const rd_csr *csr, uint64_t span)
{
    uint64_t parts = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        uint64_t degree = csr->row[v + 1] - csr->row[v];
        parts += degree > span ? (degree + span - 1) / span : 0;
    }
    return parts;
}

/* Each vertex is queued at most once, so these sizes cannot be exceeded. On dense graphs the span grows until parts
 * take at most 8 bytes a vertex. */
static struct sizes size_up(const rd__sched_job *job)
{
    const rd_graph *graph = job->graph;
    const rd_csr csr = rd_graph_csr(graph);
    struct sizes sizes = {.queue = 4ull * csr.vertices};
    if (direction_of(job) != BSP_ALWAYS_PUSH)
        sizes.bits = 2 * (((uint64_t)csr.vertices + 31) / 32) * 4;
    if (rd_graph_max_degree(graph) <= SPAN)
        return sizes;
    uint64_t span = SPAN, parts = count_parts(&csr, span);
    while (parts > csr.vertices && span < 1u << 30) {
        span *= 2;
        parts = count_parts(&csr, span);
    }
    sizes.parts = 8 * parts;
    sizes.span = (uint32_t)span;
    return sizes;
}

static void bsp_plan(const rd__sched_job *job, rd_plan *plan)
{
    if (job->shape == RD__SHAPE_SWEEPS) {
        rd__sweep_plan(job, plan);
        return;
    }
    const struct sizes sizes = size_up(job);
    rd__plan_add(plan, "queue", sizes.queue, 0, 0);
    if (sizes.parts)
        rd__plan_add(plan, "parts of big vertices", sizes.parts, 0, 0);
    if (sizes.bits)
        rd__plan_add(plan, "sets of vertices", sizes.bits, 0, 0);
    rd__plan_add(plan, "control words", 4 * BSP_WORDS, 0, 0);
}

static void bsp_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__sweep_destroy(state->sweep);
    rd__buffer_free(&state->queue);
    rd__buffer_free(&state->parts);
    rd__buffer_free(&state->bits);
    rd__buffer_free(&state->control);
    if (state->device)
        rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* How many tasks a group takes at once. GPUs: at most one a lane, and at least so many that there is an edge for about
 * each lane. CPUs: enough to make the claim cheap beside the work. */
static void choose_claims(rd__sched_state *state, const rd_graph *graph)
{
    if (state->lanes == 1) {
        state->claim_min = 16;
        state->claim_max = 256;
        return;
    }
    uint64_t degree = rd_graph_max_degree(graph), least = degree ? state->lanes / degree : state->lanes;
    state->claim_min = least < 1 ? 1 : least > state->lanes ? state->lanes : (uint32_t)least;
    state->claim_max = state->lanes;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    char name[64], root[64];
    rd_device *device = job->device;
    const struct sizes sizes = size_up(job);
    if (rd__sched_option_is(job, "direction", "pull") && !rd_graph_is_symmetric(job->graph))
        return rd__fail(err, RD_EARG,
                        "--direction pull follows edges backwards and this graph is not symmetric; use auto, or "
                        "symmetrise it with -s");
    snprintf(name, sizeof name, "%s_bsp", job->program);
    snprintf(root, sizeof root, "apps/%s.k.c", job->program);
    state->device = device;
    state->span = sizes.span;
    state->direction = direction_of(job);
    state->lanes = job->worker ? job->worker : rd__device_default_lanes(device);
    choose_claims(state, job->graph);
    const rd__program_spec spec = {.name = name,
                                   .root = root,
                                   .sched = "bsp",
                                   .lanes = state->lanes,
                                   .defines = state->direction == BSP_ALWAYS_PUSH ? "-DBSP_CAN_PULL=0" : NULL};
    RD_TRY(rd__program_load(device, &spec, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "bsp_expand", &state->expand, err));
    RD_TRY(rd__kernel_find(device, state->program, "bsp_switch", &state->change, err));
    RD_TRY(device->backend->resident(state->expand, &state->groups, err));
    if (job->groups)
        state->groups = job->groups;
    RD_TRY(rd__buffer_alloc(device, &state->queue, "queue", sizes.queue, err));
    if (sizes.parts)
        RD_TRY(rd__buffer_alloc(device, &state->parts, "parts of big vertices", sizes.parts, err));
    if (sizes.bits)
        RD_TRY(rd__buffer_alloc(device, &state->bits, "sets of vertices", sizes.bits, err));
    return rd__buffer_alloc(device, &state->control, "control words", 4 * BSP_WORDS, err);
}

static rd_status bsp_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler bsp", sizeof *state);
    rd_status status =
        job->shape == RD__SHAPE_SWEEPS ? rd__sweep_create(job, &state->sweep, err) : set_up(state, job, err);
    if (status != RD_OK) {
        bsp_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

/* The seeds are round 0. A big seed is listed in parts, as the kernel does for tasks that are given. */
static rd_status write_seeds(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                             rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    uint32_t word[BSP_WORDS] = {0}, parts = 0;
    uint64_t front = 0;
    for (uint32_t i = 0; i < seeds; i++) {
        uint64_t degree = csr.row[seed[i] + 1] - csr.row[seed[i]];
        front += degree;
        uint64_t count = state->span && degree > state->span ? (degree + state->span - 1) / state->span : 0;
        for (uint64_t p = 0; p < count; p++, parts++) {
            const uint64_t part = seed[i] | p << 32;
            RD_TRY(rd__buffer_write(&state->parts, 8ull * parts, sizeof part, &part, err));
        }
    }
    word[BSP_COUNT] = seeds;
    word[BSP_FRONT_EDGES] = (uint32_t)front;
    word[BSP_FRONT_EDGES + 1] = (uint32_t)(front >> 32);
    word[BSP_BIG_COUNT] = parts;
    RD_TRY(rd__buffer_write(&state->queue, 0, 4ull * seeds, seed, err));
    return rd__buffer_write(&state->control, 0, sizeof word, word, err);
}

static rd_status launch_rounds(rd__sched_state *state, const rd__sched_job *job, uint32_t from, uint32_t count,
                               rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    /* An argument must be some buffer, also where the kernel has no use for it. */
    const rd__buffer *parts = state->parts.device ? &state->parts : &state->control;
    const rd__buffer *bits = state->bits.device ? &state->bits : &state->control;
    rd__arg args[BSP_OWN_ARGS + MAX_APP_ARGS] = {
        RD__BUFFER(job->row),      RD__BUFFER(job->col), RD__BUFFER(&state->queue),
        RD__BUFFER(parts),         RD__BUFFER(bits),     RD__BUFFER(&state->control),
        RD__U32(csr.vertices),     RD__U64(csr.edges),   RD__U32(0),
        RD__U32(state->direction), RD__U32(state->span), RD__U32(state->claim_min),
        RD__U32(state->claim_max)};
    const uint32_t count_args = BSP_OWN_ARGS + job->arg_count;
    const rd__backend *backend = state->device->backend;
    if (job->arg_count > MAX_APP_ARGS)
        return rd__fail(err, RD_EARG, "app %s has more than %d kernel arguments", job->app, MAX_APP_ARGS);
    memcpy(args + BSP_OWN_ARGS, job->args, job->arg_count * sizeof *args);
    for (uint32_t round = from; round < from + count; round++) {
        args[ROUND_ARG] = RD__U32(round);
        if (state->direction != BSP_ALWAYS_PUSH)
            RD_TRY(backend->launch(state->change, state->groups, 0, args, count_args, err));
        RD_TRY(
            state->device->backend->launch(state->expand, state->groups, 0, args, BSP_OWN_ARGS + job->arg_count, err));
    }
    return backend->time_mark(state->device, err);
}

/* Each vertex is queued at most once. More means that the device miscomputed; going on might never end. */
static rd_status check_bounds(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *slot,
                              rd_error *err)
{
    const uint64_t vertices = rd_graph_csr(job->graph).vertices, tasks = slot[BSP_START] + (uint64_t)slot[BSP_COUNT];
    if (tasks <= vertices)
        return RD_OK;
    return rd__fail(
        err, RD_EDEVICE, "%s miscomputed: scheduler bsp has %llu tasks for %llu vertices; run `raddle selftest -d %s`",
        state->device->info.name, (unsigned long long)tasks, (unsigned long long)vertices, state->device->info.name);
}

static rd_status report_progress(const rd__sched_job *job, const uint32_t *slot, rd_error *err)
{
    const uint64_t vertices = rd_graph_csr(job->graph).vertices;
    if (job->progress &&
        job->progress(job->progress_user, job->app, slot[BSP_START] + (uint64_t)slot[BSP_COUNT], vertices, "vertices"))
        return rd__fail(err, RD_ECANCELLED, "%s was stopped on request", job->app);
    return RD_OK;
}

static rd_status bsp_run(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                         rd_report *report, rd_error *err)
{
    if (state->sweep)
        return rd__sweep_run(state->sweep, job, report, err);
    const rd__backend *backend = state->device->backend;
    uint32_t word[BSP_WORDS], round = 0, batch = FIRST_BATCH;
    const uint32_t *slot;
    RD_TRY(write_seeds(state, job, seed, seeds, err));
    RD_TRY(backend->time_begin(state->device, err));
    do {
        double began = rd_now();
        RD_TRY(launch_rounds(state, job, round, batch, err));
        round += batch;
        if (job->deadline != 0)
            RD_TRY(backend->wait(state->device, job->deadline, err));
        RD_TRY(rd__buffer_read(&state->control, 0, sizeof word, word, err));
        slot = word + round % BSP_SLOTS * BSP_SLOT_WORDS; /* the round that would come next */
        RD_TRY(check_bounds(state, job, slot, err));
        RD_TRY(report_progress(job, slot, err));
        if (batch < LAST_BATCH && rd_now() - began < batch_seconds)
            batch *= 2;
    } while (slot[BSP_COUNT] > 0);
    RD_TRY(backend->time_end(state->device, &report->kernel_s, err));
    report->tasks = report->tasks_needed = slot[BSP_START];
    report->rounds = word[BSP_ROUNDS];
    report->pulled = word[BSP_PULLED];
    report->launches = state->direction == BSP_ALWAYS_PUSH ? round : 2ull * round;
    memcpy(&report->edges, word + BSP_EDGES, sizeof report->edges);
    report->groups = state->groups;
    report->lanes = state->lanes;
    return RD_OK;
}

static const char *const launches[] = {"discrete", NULL};
static const rd_option_info options[] = {
    {"direction", "auto|push|pull", "auto", "auto switches; pulling needs a symmetric graph", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__sched rd__sched_bsp = {
    .name = "bsp",
    .text = "rounds with a barrier between them: what round r gives, round r+1 runs",
    .rounds = 1,
    .launches = launches,
    .options = options,
    .plan = bsp_plan,
    .create = bsp_create,
    .destroy = bsp_destroy,
    .run = bsp_run,
};
