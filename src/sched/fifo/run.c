/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - scheduler `fifo`: a run, from seeds to the report.
 *
 * Launch `persistent` is one launch that ends when no task is left. Launch `discrete` launches again while there is
 * work, in batches: each launch finds its tasks in device memory, so the host looks only once a batch.
 *
 * A job that shares the device has a checkpoint (fifo/checkpoint.k.h): its launch is left when others want the device,
 * and another one goes on.
 *
 * A run that ends well leaves the rings empty: each slot is free for the next ticket. So the next run goes on from that
 * ticket, and the rings are filled only at first and after a run that failed.
 */
#include "sched/fifo/fifo.h"

#include "raddle/tool.h"
#include "sched/fifo/layout.k.h"
#include "sched/freeze.h"
#include "sched/parts/launch.h"
#include "sched/parts/ring_layout.k.h"

#include <string.h>

enum { GROWTH = 2 };

/* ---- Seeds ---- */

RD__ARGS(fifo_seed_args, FIFO_SEED_OWN_ARGS)

/* In an order, groups take shares of it; other seeds come as they are. */
static rd_status put_seeds(rd__sched_state *state, const rd__seed_view *view, rd_error *err)
{
    const fifo_seed_args own = {.ring = &state->ring[0],
                                .queued = state->gated ? &state->control : &state->queued, /* gated: unused */
                                .shift = state->shift,
                                .ticket = state->ticket[0],
                                .takers = view->ordered ? state->takers : 1,
                                .share = view->ordered ? state->fetch : 1};
    rd__arg args[RD__MAX_ARGS];
    uint32_t count = rd__seed_args(view, args);
    count += fifo_seed_args_pack(&own, args + count);
    return rd__kernel_launch(state->device, state->seed, rd__seed_groups(view, state->groups, state->lanes), 0, args,
                             count, err);
}

/* The seeds are the first tasks in the ring. */
static rd_status write_seeds(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *first,
                             rd_error *err)
{
    uint32_t word[FIFO_WORDS] = {0};
    rd__seed_view view;
    RD_TRY(rd__seeder_take(&state->seeder, job, seeds, state->groups, &view, err));
    *first = view.count;
    if (view.count == 0)
        return RD_OK;
    if (state->grows && state->shift != state->first_shift)
        RD_TRY(rd__fifo_shrink(state, err));
    if (state->dirty) {
        for (int k = 0; k < RD__FIFO_CLASSES; k++) {
            /* Rings that may grow, which are there for tests, are soon past the wrap-around of tickets. */
            state->ticket[k] = state->grows ? 0u - (4u << state->shift) : 0;
            if (state->ring[k].device)
                RD_TRY(rd__sched_fill(job, &state->ring[k], QUEUE_FREE(state->ticket[k], state->shift), err));
        }
        if (!state->gated)
            RD_TRY(rd__sched_fill(job, &state->queued, 0, err));
        RD_TRY(rd__hubs_clear(&state->hubs, err)); /* a run that ends well leaves an empty board */
    }
    state->dirty = 1; /* until the run ends well */
    state->grown = 0;
    uint32_t shift = state->shift;
    while (1ull << shift < view.count)
        shift++;
    if (shift > state->shift)
        RD_TRY(rd__fifo_grow(state, shift, err));
    if (state->checkpoint.device)
        RD_TRY(rd__sched_fill(job, &state->checkpoint, 0, err));
    for (uint32_t k = 0; k < RD__FIFO_CLASSES; k++)
        word[k * FIFO_RING_WORDS + FIFO_START] = state->ticket[k];
    word[FIFO_REAR] = view.count;
    word[FIFO_PENDING] = view.count;
    const uint64_t gate = FIFO_GATE_WORD(0ull, state->ticket[0] + view.count);
    memcpy(word + FIFO_GATE, &gate, sizeof gate);
    RD_TRY(rd__buffer_write(&state->control, 0, sizeof word, word, err)); /* with all else that is written, at once */
    return put_seeds(state, &view, err);
}

/* ---- Launches ---- */

RD__ARGS(fifo_args, FIFO_ARGS)

static rd_status prepare(rd__sched_state *state, const rd__sched_job *job, int resume, rd__launch *launch,
                         rd_error *err)
{
    const fifo_args args = {.row = job->input.row,
                            .col = job->input.col,
                            .ring = &state->ring[0],
                            .first_ring = &state->ring[state->ring[1].device ? 1 : 0],
                            .queued = state->gated ? &state->control : &state->queued,
                            .control = &state->control,
                            .checkpoint = state->leaves ? &state->checkpoint : &state->control,
                            .hub_board = rd__hubs_board(&state->hubs, &state->control),
                            .shift = state->shift,
                            .kind = state->kind,
                            .leaves = state->leaves,
                            .resume = (uint32_t)resume,
                            .persistent = state->persistent,
                            .keep = state->keep,
                            .fetch = state->fetch,
                            .hub_span = state->hubs.span};
    rd__arg own[RD__MAX_ARGS];
    launch->job = job;
    launch->kernel = state->kernel;
    launch->groups = state->groups;
    launch->cooperative = 0;
    /* groups that have not started may hold tasks when it goes on: all have to run at a time */
    launch->keeps = state->leaves && state->persistent && state->groups == state->takers;
    launch->lends = RD__LENDS_PLACES;
    launch->step = RD__PLACE(fifo_args, round);
    return rd__launch_pack(launch, own, fifo_args_pack(&args, own), err);
}

/* Launches `count` times, the first one on the checkpoint of a launch that left it. */
static rd_status launch_all(rd__sched_state *state, const rd__sched_job *job, rd__launch *launch, uint32_t from,
                            uint32_t count, int resume, rd_error *err)
{
    if (resume) {
        RD_TRY(prepare(state, job, 1, launch, err));
        RD_TRY(rd__launch_batch(launch, from, 1, err));
        from++;
        count--;
    }
    RD_TRY(prepare(state, job, 0, launch, err));
    return count ? rd__launch_batch(launch, from, count, err) : RD_OK;
}

/* The time allowed is used up: says how far the run had come. The words are as the kernel left them. */
static rd_status timeout_message(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint32_t word[FIFO_WORDS];
    uint64_t tasks;
    rd_error ignored;
    if (rd__buffer_read(&state->control, 0, 4 * FIFO_LOADS, word, &ignored) != RD_OK)
        return RD_ETIMEOUT; /* what is in err already says it */
    memcpy(&tasks, word + FIFO_STATS + 2 * FIFO_TASKS, sizeof tasks);
    return rd__fail(err, RD_ETIMEOUT,
                    "%s on %s: the time allowed was used up; scheduler fifo had run %llu tasks, %u units of work were "
                    "pending, %u tickets had been given and %u taken in the last launch",
                    job->app, state->device->info.name, (unsigned long long)tasks, word[FIFO_PENDING], word[FIFO_REAR],
                    word[FIFO_FRONT]);
}

/* Waits for what was launched and reads the control words. */
static rd_status read_control(rd__sched_state *state, const rd__launch *launch, uint32_t *word, rd_error *err)
{
    const rd__so_far so_far = {0, 0, "tasks"};
    uint64_t tasks;
    const rd_status status = rd__launch_read(launch, so_far, &state->control, word, 4 * FIFO_LOADS, err);
    if (status != RD_OK)
        return status == RD_ETIMEOUT ? timeout_message(state, launch->job, err) : status;
    memcpy(&tasks, word + FIFO_STATS + 2 * FIFO_TASKS, sizeof tasks);
    return rd__sched_tell(launch->job, tasks, 0, "tasks", err);
}

static void look(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *word, uint64_t left)
{
    uint64_t count[FIFO_COUNTS];
    memcpy(count, word + FIFO_STATS, sizeof count);
    rd__sched_look(job, count[FIFO_TASKS], left, count[FIFO_TASKS] + left, state->first + count[FIFO_FRESH]);
}

/* When a launch left because a ring was full: makes room. *round is then the launch to resume.
 * @return RD_OK with *resume set or not. */
static rd_status grow_if_full(rd__sched_state *state, const uint32_t *word, uint32_t *round, int *resume, rd_error *err)
{
    const uint32_t none = 0;
    *resume = word[FIFO_FULL] != 0;
    if (!*resume)
        return RD_OK;
    *round = word[FIFO_FULL] - 1;
    state->grown++;
    RD_TRY(rd__fifo_grow(state, state->shift + GROWTH, err));
    return rd__buffer_write(&state->control, 4 * FIFO_FULL, sizeof none, &none, err);
}

/* Tasks that nobody has begun when a launch has left: PENDING has the units of those in the ring and of what groups
 * have in hand or have run; of a gated run, those of the level that is open, and the next one's are behind the gate. */
static uint64_t waiting_in(const rd__sched_state *state, const uint32_t *word)
{
    const uint32_t behind = state->gated ? word[FIFO_START] + word[FIFO_REAR] - word[FIFO_GATE] : 0;
    return (uint64_t)(uint32_t)(word[FIFO_PENDING] + word[FIFO_HELD]) + behind;
}

static rd_status run_persistent(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint32_t *launches,
                                rd_error *err)
{
    uint32_t round = 0;
    int resume = job->resumes;
    rd__launch launch;
    do {
        RD_TRY(launch_all(state, job, &launch, 0, 1, resume, err));
        ++*launches;
        RD_TRY(read_control(state, &launch, word, err));
        look(state, job, word, waiting_in(state, word));
        const int left = rd__sched_left(job);
        RD_TRY(grow_if_full(state, word, &round, &resume, err));
        resume |= left && word[FIFO_PENDING];
        if (resume)
            RD_TRY(rd__sched_pass(job, err));
    } while (resume);
    if (word[FIFO_PENDING])
        return rd__fail(err, RD_EDEVICE,
                        "%s miscomputed: scheduler fifo ended with %u units of work left; run `raddle selftest -d %s`",
                        state->device->info.name, word[FIFO_PENDING], state->device->info.name);
    for (uint32_t k = 0; k < RD__FIFO_CLASSES; k++)
        state->ticket[k] += word[k * FIFO_RING_WORDS + FIFO_REAR];
    return RD_OK;
}

static rd_status run_discrete(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint32_t *launches,
                              rd_error *err)
{
    uint32_t batch = RD__BATCH_FIRST, round = 0;
    uint64_t waiting = 1;
    const uint32_t *slot;
    int resume = 0;
    rd__launch launch;
    do {
        RD_TRY(launch_all(state, job, &launch, round, batch, resume, err));
        round += batch;
        *launches += batch;
        RD_TRY(read_control(state, &launch, word, err));
        RD_TRY(grow_if_full(state, word, &round, &resume, err));
        slot = word + round % FIFO_SLOTS * FIFO_SLOT_WORDS; /* the launch that would come next */
        RD_TRY(rd__hubs_left(&state->hubs, &waiting, err));
        waiting += (uint64_t)slot[FIFO_REAR] + slot[FIFO_RING_WORDS + FIFO_REAR];
        look(state, job, word, waiting);
        batch = rd__launch_pace(&launch, batch, RD__BATCH_MOST, RD__BATCH_SECONDS);
        if (resume || waiting)
            RD_TRY(rd__sched_pass(job, err));
    } while (resume || waiting);
    for (uint32_t k = 0; k < RD__FIFO_CLASSES; k++)
        state->ticket[k] = slot[k * FIFO_RING_WORDS + FIFO_START];
    return RD_OK;
}

/* ---- A run ---- */

rd_status rd__fifo_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    rd__buffer *const buffer[] = {&state->ring[0], &state->ring[1],    &state->queued,
                                  &state->control, &state->checkpoint, &state->hubs.board};
    if (!state->persistent || state->grows || state->groups != state->takers)
        return rd__fail(err, RD_EARG,
                        "scheduler fifo cannot be paused to a file with --launch discrete, with --capacity, or with "
                        "more groups than run at a time");
    RD_TRY(rd__freeze_same(freeze, "the number of groups", state->groups, err));
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", state->lanes, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->first, sizeof state->first, err));
    RD_TRY(rd__freeze_bytes(freeze, state->ticket, sizeof state->ticket, err));
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        RD_TRY(rd__freeze_fixed(freeze, buffer[i], err));
    state->dirty = 1;
    return RD_OK;
}

rd_status rd__fifo_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                       rd_error *err)
{
    uint32_t word[FIFO_WORDS] = {0}, launched = 0, first = 0;
    uint64_t count[FIFO_COUNTS];
    const int timed = rd__seeds_are_work(seeds);
    if (timed)
        RD_TRY(rd__time_begin(state->device, err));
    if (!job->resumes)
        RD_TRY(write_seeds(state, job, seeds, &state->first, err));
    first = state->first;
    if (!timed)
        RD_TRY(rd__time_begin(state->device, err));
    if (first) {
        RD_TRY(state->persistent ? run_persistent(state, job, word, &launched, err)
                                 : run_discrete(state, job, word, &launched, err));
        state->dirty = 0;
    } else {
        RD_TRY(rd__time_mark(state->device, err));
    }
    RD_TRY(rd__time_end(state->device, &report->kernel_s, err));
    memcpy(count, word + FIFO_STATS, sizeof count);
    report->tasks = count[FIFO_TASKS];
    report->tasks_needed = first + count[FIFO_FRESH];
    report->edges = count[FIFO_EDGES];
    report->reservations = count[FIFO_RESERVATIONS];
    report->empty_polls = count[FIFO_EMPTY_POLLS];
    report->rounds = state->gated && state->persistent ? word[FIFO_LEVELS] : 0;
    if (state->kind != QUEUE_RETRY_FREE) /* whose additions cannot fail: there is nothing to count */
        rd__measure(report, "retries", (double)count[FIFO_RETRIES]);
    rd__measure(report, "atomics_per_task",
                count[FIFO_TASKS] ? (double)(count[FIFO_RESERVATIONS] + count[FIFO_RETRIES]) / (double)count[FIFO_TASKS]
                                  : 0);
    rd__measure(report, "tasks_shared", (double)count[FIFO_SHARED]);
    if (state->grows)
        rd__measure(report, "times_grown", state->grown);
    report->launches = launched;
    report->groups = state->groups;
    report->lanes = state->lanes;
    return RD_OK;
}
