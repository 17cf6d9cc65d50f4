/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bag.c - scheduler `bag`, host side: two arrays of tasks that change places after each round (bag/bag.k.h says what a
 * round does). Before a round the array it writes is made large enough for all that its tasks can give.
 */
#include "sched/sched.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/bag/layout.k.h"
#include "sched/parts/launch.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 16, READ_AT_ONCE = 1 << 16 };

#define LOOK_SECONDS 0.05

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer tasks[2]; /* of this round, of the next one */
    rd__buffer control;
    uint32_t lanes, groups; /* groups: that fit the device at once */
    /* what a run that was stopped left: */
    uint64_t from, count, given; /* [from, count) of tasks[0], `given` of tasks[1] */
};

static void bag_plan(const rd__sched_job *job, rd_plan *plan)
{
    (void)job;
    rd__plan_add(plan, "tasks of this round", 16ull * FIRST_ROOM, 0, 0);
    rd__plan_add(plan, "tasks of the next round", 16ull * FIRST_ROOM, 0, 0);
    rd__plan_add(plan, "control words", 4 * BAG_WORDS, 0, 0);
}

static void bag_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->tasks[0]);
    rd__buffer_free(&state->tasks[1]);
    rd__buffer_free(&state->control);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd_device *device = job->device;
    state->device = device;
    state->lanes = rd__sched_width(job).lanes;
    RD_TRY(rd__sched_load(job, "bag", state->lanes, NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "bag_run", &state->kernel, err));
    RD_TRY(rd__sched_resident(job, state->kernel, &state->groups, err));
    state->groups = job->groups ? job->groups : state->groups;
    RD_TRY(rd__buffer_alloc(device, &state->tasks[0], "tasks of this round", 16ull * FIRST_ROOM, err));
    RD_TRY(rd__buffer_alloc(device, &state->tasks[1], "tasks of the next round", 16ull * FIRST_ROOM, err));
    return rd__buffer_alloc(device, &state->control, "control words", 4 * BAG_WORDS, err);
}

static rd_status bag_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler bag", sizeof *state);
    const rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        bag_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* Room for all that `count` tasks can give. The array holds nothing that is still needed. */
static rd_status make_room(rd__sched_state *state, uint64_t count, rd_error *err)
{
    rd__buffer *next = &state->tasks[1];
    const uint64_t bytes = 16 * BAG_MOST_GIVES * count;
    if (bytes <= next->bytes)
        return RD_OK;
    if (BAG_MOST_GIVES * count >= 1ull << 31)
        return rd__fail(err, RD_ENOMEM, "scheduler bag: %llu tasks in a round are too many; use heap",
                        (unsigned long long)count);
    rd__buffer_free(next);
    return rd__buffer_alloc(state->device, next, "tasks of the next round", 2 * bytes, err);
}

static int is_stop(rd_status status)
{
    return status == RD_ETIMEOUT || status == RD_ECANCELLED;
}

RD__ARGS(bag_args, BAG_ARGS)

static rd_status run_round(rd__sched_state *state, const rd__sched_job *job, const rd_report *report, uint32_t *word,
                           uint32_t *groups, rd_error *err)
{
    const uint64_t share = (uint64_t)state->lanes * BAG_CHUNK_OF(state->lanes);
    const uint64_t useful = (state->count + share - 1) / share;
    const uint32_t clear[BAG_WORDS] = {0};
    *groups = useful < state->groups ? (uint32_t)useful : state->groups;
    const bag_args args = {
        .in = &state->tasks[0], .out = &state->tasks[1], .control = &state->control, .count = (uint32_t)state->count};
    rd__arg own[RD__MAX_ARGS];
    rd__launch launch = {.job = job, .kernel = state->kernel, .groups = *groups, .step = RD__NO_STEP};
    RD_TRY(rd__launch_pack(&launch, own, bag_args_pack(&args, own), err));
    RD_TRY(rd__buffer_write(&state->control, 0, sizeof clear, clear, err));
    RD_TRY(rd__launch_batch(&launch, 0, 1, err));
    const rd_status waited = rd__sched_wait(state->device, job, report->tasks, 0, "tasks", err);
    if (waited == RD_OK || is_stop(waited)) {
        RD_TRY(rd__buffer_read(&state->control, 0, 4 * BAG_WORDS, word, waited == RD_OK ? err : NULL));
        const uint64_t taken = *groups * share + word[BAG_NEXT];
        state->from = taken < state->count ? taken : state->count;
        state->given = word[BAG_OUT];
        if (word[BAG_OVER])
            return rd__sched_over_gives(job, err);
    }
    return waited;
}

/* ---- What waits ---- */

static rd_status least_of(const rd__buffer *tasks, uint64_t from, uint64_t count, uint64_t *least, rd_error *err)
{
    uint64_t *part;
    rd_status status = RD_OK;
    RD_TRY(rd__array_new(&part, "tasks on the host", 2 * READ_AT_ONCE, sizeof *part, err));
    while (from < count && status == RD_OK) {
        const uint64_t n = count - from < READ_AT_ONCE ? count - from : READ_AT_ONCE;
        status = rd__buffer_read(tasks, 16 * from, 16 * n, part, err);
        for (uint64_t i = 0; status == RD_OK && i < n; i++)
            *least = part[2 * i] < *least ? part[2 * i] : *least;
        from += n;
    }
    rd__array_free(part);
    return status;
}

static rd_status bag_remaining(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err)
{
    *tasks = state->count - state->from + state->given;
    *least_rank = UINT64_MAX;
    RD_TRY(least_of(&state->tasks[0], state->from, state->count, least_rank, err));
    return least_of(&state->tasks[1], 0, state->given, least_rank, err);
}

/* Lets the app have a look, now and then. */
static rd_status look(rd__sched_state *state, const rd__sched_job *job, double began, double *looked, uint64_t tasks,
                      rd_error *err)
{
    rd__look now = {.seconds = rd_now() - began, .tasks = tasks};
    if (!job->look || now.seconds - *looked < LOOK_SECONDS)
        return RD_OK;
    RD_TRY(bag_remaining(state, &now.left, &now.least_rank, err));
    now.given = now.needed = now.tasks + now.left;
    job->look(job->look_user, &now);
    *looked = rd_now() - began;
    return RD_OK;
}

/* ---- A run ---- */

/* The seeds are the first round. */
static rd_status write_seeds(rd__sched_state *state, const rd__seeds *seeds, rd_error *err)
{
    uint64_t *task = NULL;
    if (seeds->kind != RD__SEEDS_LIST)
        return rd__fail(err, RD_EARG, "scheduler bag starts from a list of tasks");
    RD_TRY(rd__array_new(&task, "seeds on the host", 2ull * seeds->count, sizeof *task, err));
    for (uint32_t i = 0; i < seeds->count; i++) {
        task[2ull * i] = 0;
        task[2ull * i + 1] = seeds->vertex[i];
    }
    rd_status status = RD_OK;
    if (state->tasks[0].bytes < 16ull * seeds->count) {
        rd__buffer_free(&state->tasks[0]);
        status = rd__buffer_alloc(state->device, &state->tasks[0], "tasks of a round", 16ull * seeds->count, err);
    }
    if (status == RD_OK && seeds->count)
        status = rd__buffer_write(&state->tasks[0], 0, 16ull * seeds->count, task, err);
    rd__array_free(task);
    state->count = status == RD_OK ? seeds->count : 0;
    state->from = state->given = 0;
    return status;
}

static rd_status bag_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                         rd_error *err)
{
    uint32_t word[BAG_WORDS], groups = 0;
    uint64_t counts[2], pruned = 0;
    const double began = rd_now();
    double looked = 0;
    rd_status status = RD_OK;
    RD_TRY(write_seeds(state, seeds, err));
    RD_TRY(rd__time_begin(state->device, err));
    while (state->count && status == RD_OK) {
        state->from = state->given = 0;
        RD_TRY(make_room(state, state->count, err));
        status = run_round(state, job, report, word, &groups, err);
        if (status != RD_OK && !is_stop(status))
            return status;
        memcpy(counts, word + BAG_TASKS, sizeof counts);
        report->tasks += counts[0];
        pruned += counts[1];
        report->rounds++;
        report->groups = groups > report->groups ? groups : report->groups;
        if (status == RD_OK)
            status = rd__sched_tell(job, report->tasks, 0, "tasks", err);
        if (status == RD_OK) {
            const rd__buffer swap = state->tasks[0];
            state->tasks[0] = state->tasks[1];
            state->tasks[1] = swap;
            state->count = state->given;
            state->from = state->given = 0;
            status = look(state, job, began, &looked, report->tasks, err);
        }
        if (status == RD_OK && state->count)
            status = rd__sched_pass(job, err);
    }
    RD_TRY(rd__time_end(state->device, &report->kernel_s, status == RD_OK ? err : NULL));
    report->launches = report->rounds;
    report->lanes = state->lanes;
    rd__measure(report, "pruned", (double)pruned);
    return status;
}

static const char *const launches[] = {"discrete", NULL};
static const rd_option_info options[] = {{NULL, NULL, NULL, NULL, 0}};

static const rd__policy policy = {
    .name = "bag",
    .text = "ranked tasks in rounds, in no order: what the order of heap is measured against",
    .launches = launches,
};

static const char *needs_all(const rd__sched_job *job)
{
    (void)job;
    return "what a round gives is counted over all groups";
}

const rd__engine rd__engine_bag_ranked = {
    .policy = &policy,
    .tag = "bag",
    .model = RD__MODEL_RANKED,
    .is = RD__ENGINE_ROUNDS,
    .options = options,
    .width = rd__sched_width,
    .needs_all = needs_all,
    .plan = bag_plan,
    .create = bag_create,
    .destroy = bag_destroy,
    .run = bag_run,
    .remaining = bag_remaining,
};
