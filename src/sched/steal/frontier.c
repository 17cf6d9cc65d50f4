/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frontier.c - scheduler `steal` for apps whose tasks are vertices, and `steal-levels`, host side (steal/frontier.k.h
 * says what the kernels do and why no deque overflows).
 *
 * `steal` runs as for other tasks: persistent, or with a limit of turns a launch. `steal-levels` runs all levels in one
 * launch, with a global barrier between them, or one a launch, in batches without a look in between; where a launch
 * cannot promise that its groups run at once, always so. For a trace the one launch is asked to leave now and then, and
 * another one goes on with the level that it was in; batches begin with one level.
 */
#include "sched/steal/policy.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/edges/hubs.h"
#include "sched/parts/barrier_layout.k.h"
#include "sched/freeze.h"
#include "sched/parts/deque.h"
#include "sched/parts/launch.h"
#include "sched/parts/seed.h"
#include "sched/steal/frontier_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { TURNS = 256, BATCH = 16, GPU_GROUPS = 2 };

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *run, *level, *seed;
    rd__seeder seeder;
    rd__buffer control, line, item, queued;
    rd__hubs hubs; /* not in rounds */
    uint32_t groups, lanes, shift, choices;
    uint32_t rounds, persistent, together;
    uint32_t first;      /* seeds of the run */
    int clean;           /* no vertex is marked as queued */
    uint32_t takers;     /* groups that get seeds */
    uint32_t next_level; /* of a run in rounds */
};

/* ---- Sizes ---- */

/* On GPUs few wide groups: each has room for all vertices. */
static rd__width steal_width(const rd__sched_job *job)
{
    rd__width width = rd__sched_width(job);
    if (job->device && job->device->info.is_gpu)
        rd__sched_limit_groups(job, &width, GPU_GROUPS * job->device->info.compute_units,
                               "few, because each has room for all vertices");
    if (job->device && job->device->caps.coresident)
        rd__sched_resident_groups(job, &width);
    return width;
}

static void choose(rd__sched_state *state, const rd__sched_job *job)
{
    const uint32_t vertices = rd_graph_csr(job->input.graph).vertices;
    state->device = job->device;
    state->rounds = (uint32_t)rd__engine_in_rounds(job);
    state->lanes = steal_width(job).lanes;
    state->groups = job->groups ? job->groups : 1;
    if (!job->groups && job->device) /* few wide groups: each has room for all vertices */
        state->groups = job->device->info.compute_units * (job->device->info.is_gpu ? GPU_GROUPS : 1);
    while (state->shift < 31 && 1u << state->shift < vertices)
        state->shift++;
    state->persistent = job->persistent;
    state->together = job->device && job->device->caps.coresident;
    state->choices = (rd__sched_option_is(job, "deque", "lock") ? STEAL_BLOCKING : 0u) |
                     (rd__sched_option_is(job, "victim", "nearest") ? STEAL_NEAREST : 0u) |
                     (rd__sched_option_is(job, "victim", "none") ? STEAL_NO_THEFT : 0u);
}

static uint32_t deques(const rd__sched_state *state)
{
    return state->groups * (1 + state->rounds);
}

static uint64_t control_bytes(const rd__sched_state *state)
{
    return 4ull * (STEAL_GRID + RD_GRID_WORDS(state->groups));
}

static void steal_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__sched_state state = {0};
    choose(&state, job);
    rd__plan_add(plan, "deques", 4ull * deques(&state) << state.shift, 0, 0);
    rd__plan_add(plan, "deques' ends", 4ull * DEQUE_LINE * deques(&state), 0, 0);
    rd__plan_add(plan, "queued", state.rounds ? 4 : 4ull * rd_graph_csr(job->input.graph).vertices, 0, 0);
    if (!state.rounds)
        rd__hubs_plan(job, state.lanes, plan);
    rd__seeder_plan(job, plan);
    rd__plan_add(plan, "control words", control_bytes(&state), 0, 0);
}

/* ---- Making ---- */

static void steal_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->line);
    rd__buffer_free(&state->item);
    rd__buffer_free(&state->queued);
    rd__hubs_close(&state->hubs);
    rd__seeder_close(&state->seeder);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* As for fifo: edges of a worker's tasks are numbered in 32 bits, and compilers that turn lanes into loops need minutes
 * for this kernel. */
static rd_status check_sizes(const rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const uint64_t degree = rd_graph_max_degree(job->input.graph);
    if (degree * state->lanes > UINT32_MAX)
        return rd__fail(err, RD_EARG,
                        "scheduler %s: a vertex has %llu edges, too many for workers of %u lanes; use a smaller "
                        "--worker, or bsp",
                        job->engine->policy->name, (unsigned long long)degree, state->lanes);
    if (state->device->caps.slow_wide_compile && state->lanes > 1)
        return rd__fail(err, RD_EARG, "scheduler %s takes workers of one lane on %s; use --worker 1, or bsp",
                        job->engine->policy->name, state->device->info.name);
    return RD_OK;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint32_t resident;
    char defines[32] = "";
    rd_device *device = job->device;
    choose(state, job);
    RD_TRY(check_sizes(state, job, err));
    if (!state->rounds)
        rd__hubs_define(job, state->lanes, defines, sizeof defines);
    RD_TRY(rd__sched_load(job, job->engine->tag, state->lanes, defines[0] ? defines : NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_run", &state->run, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_level", &state->level, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_seed", &state->seed, err));
    RD_TRY(rd__seeder_open(&state->seeder, job, state->program, err));
    RD_TRY(rd__sched_resident(job, state->run, &resident, err));
    if (state->groups > resident && (state->together || !job->groups))
        state->groups = resident;
    const int sure = state->together || state->rounds || (!state->persistent && state->groups <= resident);
    state->takers = sure ? state->groups : 1;
    if (!state->rounds)
        RD_TRY(rd__hubs_open(&state->hubs, job, state->lanes, state->groups > 1 && !(state->choices & STEAL_NO_THEFT),
                             err));
    RD_TRY(rd__buffer_alloc(device, &state->control, "control words", control_bytes(state), err));
    RD_TRY(rd__buffer_alloc(device, &state->line, "deques' ends", 4ull * DEQUE_LINE * deques(state), err));
    RD_TRY(rd__buffer_alloc(device, &state->item, "deques", 4ull * deques(state) << state->shift, err));
    return rd__buffer_alloc(device, &state->queued, "queued",
                            state->rounds ? 4 : 4ull * rd_graph_csr(job->input.graph).vertices, err);
}

static rd_status steal_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    *out = NULL;
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    if (!state)
        return rd__fail_memory(err, "scheduler steal", sizeof *state);
    rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        steal_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

RD__ARGS(steal_args, STEAL_ARGS)
RD__ARGS(steal_level_args, STEAL_LEVEL_ARGS)

/* limit: of turns, or in rounds of levels; 0: until all is done. @return how many arguments. */
static uint32_t own_args(const rd__sched_state *state, const rd__sched_job *job, uint32_t limit, rd__arg *list)
{
    const steal_args args = {.st_row = job->input.row,
                             .st_col = job->input.col,
                             .st_control = &state->control,
                             .st_line = &state->line,
                             .st_item = &state->item,
                             .st_queued = &state->queued,
                             .st_hubs = rd__hubs_board(&state->hubs, &state->control),
                             .st_shift = state->shift,
                             .st_limit = limit,
                             .st_choices = state->choices,
                             .st_span = state->hubs.span};
    return steal_args_pack(&args, list);
}

/* Seeds are dealt to the groups in turn. Idle groups wait for those that have work, and tasks of some apps for tasks
 * that come before them, so all who get seeds must be sure to run at a time: where they are not, all seeds are group
 * 0's, and others steal. */
static rd_status put_seeds(rd__sched_state *state, const rd__sched_job *job, const rd__seed_view *view, rd_error *err)
{
    rd__arg args[RD__MAX_ARGS];
    uint32_t count = own_args(state, job, 0, args);
    count += rd__seed_args(view, args + count);
    args[count++] = RD__U32(state->takers);
    return rd__kernel_launch(state->device, state->seed, state->groups, 0, args, count, err);
}

/* After a run that ended well no vertex is queued, and the board is empty. */
static rd_status reset(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *first,
                       rd_error *err)
{
    rd__seed_view view;
    RD_TRY(rd__seeder_take(&state->seeder, job, seeds, state->groups, &view, err));
    *first = view.count;
    if (view.count == 0)
        return RD_OK;
    RD_TRY(rd__buffer_fill(&state->control, 0, err));
    RD_TRY(rd__buffer_fill(&state->line, 0, err));
    if (!state->clean) {
        RD_TRY(rd__sched_fill(job, &state->queued, 0, err));
        RD_TRY(rd__hubs_clear(&state->hubs, err));
    }
    state->clean = 0;
    return put_seeds(state, job, &view, err);
}

static rd_status prepare(rd__sched_state *state, const rd__sched_job *job, uint32_t limit, rd__launch *launch,
                         rd_error *err)
{
    rd__arg own[RD__MAX_ARGS];
    *launch = (rd__launch){.job = job,
                           .kernel = state->run,
                           .groups = state->groups,
                           .cooperative = limit == 0 && state->together,
                           .keeps = !state->rounds || limit == 0,
                           .lends = state->rounds ? RD__LENDS_NONE : RD__LENDS_PLACES,
                           .step = RD__NO_STEP};
    const uint32_t turns = limit || !rd__sched_lends(job) ? limit : RD__LENDING_TURNS;
    return rd__launch_pack(launch, own, own_args(state, job, turns, own), err);
}

/* One level a launch, `batch` launches without a look: those after the last level find nothing and end at once. */
static rd_status launch_levels(rd__sched_state *state, rd__launch *launch, uint32_t from, uint32_t batch, rd_error *err)
{
    launch->began = rd_now();
    for (uint32_t level = from; level < from + batch; level++) {
        const steal_level_args args = {.st_control = &state->control, .st_level = level};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t count = steal_level_args_pack(&args, list);
        RD_TRY(rd__kernel_launch(state->device, state->level, 1, 0, list, count, err));
        RD_TRY(rd__launch_once(launch, level, err));
    }
    return rd__time_mark(state->device, err);
}

static rd_status read_control(rd__sched_state *state, const rd__launch *launch, uint32_t *word, rd_error *err)
{
    const rd__so_far so_far = {0, 0, "tasks"};
    uint64_t tasks;
    RD_TRY(rd__launch_read(launch, so_far, &state->control, word, 4 * STEAL_GRID, err));
    memcpy(&tasks, word + STEAL_STATS + 2 * STEAL_TASKS, sizeof tasks);
    return rd__sched_tell(launch->job, tasks, 0, "tasks", err);
}

/* For a trace, behind read_control. */
static void look(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *word, uint64_t left)
{
    uint64_t count[STEAL_COUNTS];
    memcpy(count, word + STEAL_STATS, sizeof count);
    rd__sched_look(job, count[STEAL_TASKS], left, count[STEAL_TASKS] + left, state->first + count[STEAL_FRESH]);
}

/* The same where a launch was left with tasks. Its groups have none in hand, so all that wait are in the deques, whose
 * ends nobody else reads. */
static rd_status look_at_deques(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *word, int more,
                                rd_error *err)
{
    uint64_t left = 0;
    if (job->traced && more)
        RD_TRY(rd__deques_items(&state->line, deques(state), &left, err));
    look(state, job, word, left);
    return RD_OK;
}

/* One launch that runs to the end, or was asked to leave its level half-way: then *more is 1, and the next one can go
 * on with it. */
static rd_status launch_all_levels(rd__sched_state *state, rd__launch *launch, uint32_t *word, int *more, rd_error *err)
{
    const uint32_t none = 0;
    RD_TRY(rd__launch_batch(launch, 0, 1, err));
    RD_TRY(read_control(state, launch, word, err));
    const uint32_t level = word[STEAL_LEVEL], halt = STEAL_HALT + level % STEAL_SLOTS;
    *more = rd__sched_left(launch->job) && word[halt];
    RD_TRY(look_at_deques(state, launch->job, word, *more, err));
    if (!*more)
        return RD_OK;
    RD_TRY(rd__buffer_write(&state->control, 4ull * halt, sizeof none, &none, err));
    return rd__buffer_write(&state->control, 4ull * (STEAL_COUNT + (level + 1) % STEAL_SLOTS), sizeof none, &none, err);
}

static rd_status run_levels(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, rd_report *report,
                            rd_error *err)
{
    const int one_launch = state->persistent && state->together && !job->turn;
    uint32_t level = job->resumes ? state->next_level : 0, batch = job->traced ? 1 : BATCH;
    int more;
    rd__launch launch;
    RD_TRY(prepare(state, job, one_launch ? 0 : 1, &launch, err));
    do {
        if (one_launch) {
            RD_TRY(launch_all_levels(state, &launch, word, &more, err));
            report->launches++;
            continue;
        }
        RD_TRY(launch_levels(state, &launch, level, batch, err));
        report->launches += batch;
        state->next_level = level += batch;
        RD_TRY(read_control(state, &launch, word, err));
        more = word[STEAL_COUNT + level % STEAL_SLOTS] != 0;
        look(state, job, word, word[STEAL_COUNT + level % STEAL_SLOTS]);
        if (job->traced)
            batch = rd__launch_pace(&launch, batch, BATCH, RD__BATCH_SECONDS);
        if (more)
            RD_TRY(rd__sched_pass(job, err));
    } while (more);
    return RD_OK;
}

static rd_status run_free(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, rd_report *report,
                          rd_error *err)
{
    uint32_t limit = state->persistent && (state->together || !job->resumes) ? 0 : TURNS;
    rd__launch launch;
    do {
        RD_TRY(prepare(state, job, limit, &launch, err));
        RD_TRY(rd__launch_batch(&launch, 0, 1, err));
        report->launches++;
        RD_TRY(read_control(state, &launch, word, err));
        RD_TRY(look_at_deques(state, job, word, word[STEAL_PENDING] != 0, err));
        const int left = rd__sched_left(job);
        if (limit == 0 && word[STEAL_PENDING] && !left && !rd__sched_lends(job))
            return rd__fail(
                err, RD_EDEVICE,
                "%s miscomputed: scheduler steal ended with %u workers at work; run `raddle selftest -d %s`",
                state->device->info.name, word[STEAL_PENDING], state->device->info.name);
        if (!state->together) /* a group that has not started may hold tasks now */
            limit = TURNS;
        if (word[STEAL_PENDING])
            RD_TRY(rd__sched_pass(job, err));
    } while (word[STEAL_PENDING]);
    return RD_OK;
}

static rd_status steal_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                           rd_error *err)
{
    const int timed = rd__seeds_are_work(seeds);
    uint32_t word[STEAL_GRID] = {0}, first = 0;
    uint64_t count[STEAL_COUNTS];
    if (timed)
        RD_TRY(rd__time_begin(state->device, err));
    if (!job->resumes)
        RD_TRY(reset(state, job, seeds, &state->first, err));
    first = state->first;
    if (!timed)
        RD_TRY(rd__time_begin(state->device, err));
    if (first) {
        RD_TRY(state->rounds ? run_levels(state, job, word, report, err) : run_free(state, job, word, report, err));
        state->clean = 1;
    } else {
        RD_TRY(rd__time_mark(state->device, err));
    }
    RD_TRY(rd__time_end(state->device, &report->kernel_s, err));
    memcpy(count, word + STEAL_STATS, sizeof count);
    report->tasks = count[STEAL_TASKS];
    report->tasks_needed = first + count[STEAL_FRESH];
    report->edges = count[STEAL_EDGES];
    report->groups = state->groups;
    report->lanes = state->lanes;
    rd__measure(report, "steals", (double)count[STEAL_STEALS]);
    rd__measure(report, "failed_steals", (double)count[STEAL_FAILED]);
    rd__measure(report, "empty_looks", (double)count[STEAL_EMPTY]);
    return RD_OK;
}

static rd_status steal_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    rd__buffer *const buffer[] = {&state->control, &state->line, &state->item, &state->queued, &state->hubs.board};
    RD_TRY(rd__freeze_same(freeze, "the number of groups", state->groups, err));
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", state->lanes, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->first, sizeof state->first, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->next_level, sizeof state->next_level, err));
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        RD_TRY(rd__freeze_fixed(freeze, buffer[i], err));
    state->clean = 0;
    return RD_OK;
}

static const char *const launches[] = {"persistent", "discrete", NULL};
static const rd_option_info options[] = {
    {"deque", "lockfree|lock", "lockfree", "how a worker's deque is kept", 0},
    {"victim", "random|nearest|none", "random", "whom an idle worker steals from", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__policy rd__policy_steal = {
    .name = "steal",
    .text = "a deque for each worker, which runs its newest task; idle workers steal the oldest of others",
    .launches = launches,
};

static const rd__policy policy_levels = {
    .name = "steal-levels",
    .text = "as steal, but level by level, with two deques for each worker; for apps on graphs",
    .launches = launches,
};

static const char *levels_need_all(const rd__sched_job *job)
{
    (void)job;
    return "a level is dealt to all groups, and is over when each of them has nothing left";
}

/* Both, for the same model. */
#define STEAL_ENGINE                                                                                                   \
    .model = RD__MODEL_FRONTIER, .options = options, .width = steal_width, .plan = steal_plan, .create = steal_create, \
    .destroy = steal_destroy, .run = steal_run, .freeze = steal_freeze

const rd__engine rd__engine_steal_frontier = {.policy = &rd__policy_steal, .tag = "steal", STEAL_ENGINE};

const rd__engine rd__engine_steal_levels_frontier = {.policy = &policy_levels,
                                                     .tag = "steal_levels",
                                                     .is = RD__ENGINE_ROUNDS,
                                                     .needs_all = levels_need_all,
                                                     STEAL_ENGINE};
