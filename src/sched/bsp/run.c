/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - scheduler `bsp`, host side: seeds and launches.
 *
 * Launch `discrete`: one launch a round. A round finds its bounds in device memory, so the host does not have to look
 * between rounds. It launches a batch of rounds back to back, then reads the control words once and stops when the last
 * round had no task. A batch that goes past the end costs a few empty launches; reading after each round would cost a
 * round trip to the device each time, which on a road graph with thousands of rounds is most of the run. Batches grow
 * while there is work and stay short in time, so that progress, cancellation and time limits are seen to.
 *
 * Launch `persistent`: one launch runs all rounds. When someone wants to know how it goes on (progress, cancellation, a
 * time limit), the host asks the launch to stop after a while; it does so between two rounds, and the next launch goes
 * on from there.
 */
#include "sched/bsp/bsp.h"

#include "raddle/tool.h"
#include "sched/parts/barrier_layout.k.h"
#include "sched/bsp/layout.k.h"

#include <string.h>

enum { FIRST_BATCH = 4, LAST_BATCH = 64, MAX_APP_ARGS = 16, OWN_ARGS = 19, ROUND_ARG = 9, SEED_ARGS_MOST = 3 };
static const double batch_seconds = 0.1; /* batches do not grow beyond this */
static const double slice_seconds = 0.5; /* of a persistent run, between two looks */

/* ---- Seeds ---- */

static rd_status empty_bins(rd__sched_state *state, rd_error *err)
{
    uint32_t header[BSP_BIN_HEADER] = {0};
    header[BSP_BIN_SOON] = header[BSP_BIN_SHOWN] = header[BSP_BIN_SHOWN + 2] = BSP_NEVER;
    for (uint32_t group = 0; group < state->groups && state->bin_words; group++)
        RD_TRY(rd__buffer_write(&state->bins, 4ull * group * state->bin_words, sizeof header, header, err));
    return RD_OK;
}

/* The kernel's arguments but for the app's. */
static void own_args(const rd__sched_state *state, const rd__sched_job *job, rd__arg *args)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    /* An argument must be some buffer, also where the kernel has no use for it. */
    const rd__buffer *some = &state->control;
    const rd__arg own[OWN_ARGS] = {RD__BUFFER(job->input.row),
                                   RD__BUFFER(job->input.col),
                                   RD__BUFFER(&state->queue),
                                   RD__BUFFER(state->parts.device ? &state->parts : some),
                                   RD__BUFFER(state->bits.device ? &state->bits : some),
                                   RD__BUFFER(&state->control),
                                   RD__BUFFER(state->grid.device ? &state->grid : some),
                                   RD__U32(csr.vertices),
                                   RD__U64(csr.edges),
                                   RD__U32(0),
                                   RD__U32(state->direction),
                                   RD__U32(state->span),
                                   RD__U32(state->claim_min),
                                   RD__U32(state->claim_max),
                                   RD__U32(state->options),
                                   RD__U32(state->delay),
                                   RD__BUFFER(state->bins.device ? &state->bins : some),
                                   RD__U32(state->bin_words),
                                   RD__U32(state->flat)};
    memcpy(args, own, sizeof own);
}

/* The seeds are round 0: the kernel bsp_seed puts them there. */
static rd_status write_seeds(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *first,
                             rd_error *err)
{
    rd__arg args[OWN_ARGS + SEED_ARGS_MOST];
    rd__seed_view view;
    uint32_t word[BSP_WORDS] = {0};
    RD_TRY(rd__seeder_take(&state->seeder, job, seeds, state->groups, &view, err));
    *first = view.count;
    if (view.count == 0)
        return RD_OK;
    if (state->bits.device)
        RD_TRY(rd__buffer_fill(&state->bits, 0, err));
    word[BSP_COUNT] = view.count;
    word[BSP_PARTS] = (uint32_t)(state->parts.bytes / 16);
    for (uint32_t i = 0; i < BSP_PILES; i++)
        word[BSP_PILE_SOON + i * BSP_LINE] = BSP_NEVER;
    RD_TRY(empty_bins(state, err));
    RD_TRY(rd__buffer_write(&state->control, 0, 4 * BSP_WORDS, word, err));
    own_args(state, job, args);
    const uint32_t count = OWN_ARGS + rd__seed_args(&view, args + OWN_ARGS);
    return state->device->backend->launch(state->seed, rd__seed_groups(&view, state->groups, state->lanes), 0, args,
                                          count, err);
}

/* ---- Launches ---- */

static rd_status launch(rd__sched_state *state, const rd__sched_job *job, uint32_t from, uint32_t count, rd_error *err)
{
    const rd__backend *backend = state->device->backend;
    rd__arg args[OWN_ARGS + MAX_APP_ARGS];
    own_args(state, job, args);
    if (job->arg_count > MAX_APP_ARGS)
        return rd__fail(err, RD_EARG, "app %s has more than %d kernel arguments", job->app, MAX_APP_ARGS);
    memcpy(args + OWN_ARGS, job->args, job->arg_count * sizeof *args);
    if (state->delay)
        RD_TRY(backend->fill(&state->grid, 0, 4 * RD_DISCOVERY_WORDS, 0, err));
    for (uint32_t round = from; round < from + count; round++) {
        args[ROUND_ARG] = RD__U32(round);
        RD_TRY(backend->launch(state->kernel, state->groups, state->persistent && !state->delay, args,
                               OWN_ARGS + job->arg_count, err));
    }
    return backend->time_mark(state->device, err);
}

/* More tasks than there is room for mean that the device miscomputed; going on might never end. */
static rd_status check_bounds(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *slot,
                              uint64_t ran, rd_error *err)
{
    const uint64_t vertices = rd_graph_csr(job->input.graph).vertices;
    const uint64_t tasks = slot[BSP_COUNT] + (state->repeats ? 0 : ran);
    if (tasks <= vertices)
        return RD_OK;
    return rd__fail(
        err, RD_EDEVICE, "%s miscomputed: scheduler bsp has %llu tasks for %llu vertices; run `raddle selftest -d %s`",
        state->device->info.name, (unsigned long long)tasks, (unsigned long long)vertices, state->device->info.name);
}

/* What the control words say of the round that comes next. */
typedef struct outlook {
    uint64_t ran;
    int over;
} outlook;

static rd_status look(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint32_t round, outlook *out,
                      rd_error *err)
{
    const uint64_t vertices = rd_graph_csr(job->input.graph).vertices;
    RD_TRY(rd__buffer_read(&state->control, 0, 4 * BSP_WORDS, word, err));
    if (state->persistent)
        round = word[BSP_AT];
    const uint32_t *slot = word + round % BSP_SLOTS * BSP_SLOT_WORDS;
    out->ran = slot[BSP_RAN] | (uint64_t)slot[BSP_RAN + 1] << 32;
    out->over =
        slot[BSP_COUNT] == 0 && (!state->repeats || word[BSP_PILE_COUNT + slot[BSP_PILE] % BSP_PILES * BSP_LINE] == 0);
    for (uint32_t group = 0; out->over && group < state->groups && state->bin_words; group++) {
        uint32_t soon;
        RD_TRY(rd__buffer_read(&state->bins, 4 * ((uint64_t)group * state->bin_words + BSP_BIN_SOON), 4, &soon, err));
        out->over = soon == BSP_NEVER;
    }
    RD_TRY(check_bounds(state, job, slot, out->ran, err));
    return state->repeats ? rd__sched_tell(job, out->ran, 0, "tasks", err)
                          : rd__sched_tell(job, out->ran + slot[BSP_COUNT], vertices, "vertices", err);
}

/* Waits for a persistent launch, at most a slice of time: then it is asked to leave, between two rounds, and another
 * one goes on from there. One that is late in leaving is waited for as any other: it holds the rounds. */
static rd_status wait_slice(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd_error own = {.status = RD_OK};
    int left = 1;
    const double slice = rd_now() + slice_seconds;
    if (job->deadline == 0 && !job->progress)
        return RD_OK; /* reading the control words waits */
    const int last = job->deadline != 0 && job->deadline <= slice;
    const rd__limit limit = {.deadline = last ? job->deadline : slice};
    const rd_status status = rd__device_wait_left(state->device, &limit, &left, &own);
    if (status == RD_ETIMEOUT && !last)
        return left ? RD_OK : rd__sched_wait(state->device, job, 0, 0, "rounds", err);
    if (status == RD_OK)
        return RD_OK;
    return rd__fail(err, status, "%s", own.text);
}

static rd_status run_persistent(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, outlook *out,
                                uint64_t *launches, rd_error *err)
{
    uint32_t round = 0;
    do {
        RD_TRY(launch(state, job, round, 1, err));
        ++*launches;
        RD_TRY(wait_slice(state, job, err));
        RD_TRY(look(state, job, word, 0, out, err));
        round = word[BSP_AT];
    } while (!out->over);
    return RD_OK;
}

static rd_status run_discrete(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, outlook *out,
                              uint64_t *launches, rd_error *err)
{
    const uint64_t vertices = rd_graph_csr(job->input.graph).vertices;
    const char *unit = state->repeats ? "tasks" : "vertices";
    uint32_t round = 0, batch = FIRST_BATCH;
    do {
        double began = rd_now();
        RD_TRY(launch(state, job, round, batch, err));
        round += batch;
        RD_TRY(rd__sched_wait(state->device, job, out->ran, state->repeats ? 0 : vertices, unit, err));
        RD_TRY(look(state, job, word, round, out, err));
        if (batch < LAST_BATCH && rd_now() - began < batch_seconds)
            batch *= 2;
    } while (!out->over);
    *launches = round;
    return RD_OK;
}

rd_status rd__bsp_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                      rd_error *err)
{
    const rd__backend *backend = state->device->backend;
    uint32_t word[BSP_WORDS] = {0}, first = 0;
    uint64_t launches = 0, fresh, fused;
    const int timed = rd__seeds_are_work(seeds);
    outlook out = {0, 0};
    if (timed)
        RD_TRY(backend->time_begin(state->device, err));
    RD_TRY(write_seeds(state, job, seeds, &first, err));
    if (!timed)
        RD_TRY(backend->time_begin(state->device, err));
    if (first)
        RD_TRY(state->persistent ? run_persistent(state, job, word, &out, &launches, err)
                                 : run_discrete(state, job, word, &out, &launches, err));
    else
        RD_TRY(backend->time_mark(state->device, err));
    RD_TRY(backend->time_end(state->device, &report->kernel_s, err));
    memcpy(&fresh, word + BSP_FRESH, sizeof fresh);
    memcpy(&report->edges, word + BSP_EDGES, sizeof report->edges);
    memcpy(&fused, word + BSP_FUSED, sizeof fused);
    report->tasks = out.ran + fused;
    report->tasks_needed = state->repeats ? first + fresh : out.ran;
    report->rounds = word[BSP_ROUNDS];
    report->pulled = word[BSP_PULLED];
    report->launches = launches;
    report->groups = state->persistent ? word[BSP_MEMBERS] : state->groups;
    report->lanes = state->lanes;
    return RD_OK;
}
