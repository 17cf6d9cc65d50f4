/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.c - scheduler `steal` for apps of tasks, host side: its options, its memory and its program
 * (steal/forkjoin.k.h says what the kernel does; forkjoin/run.c runs it). */
#include "sched/forkjoin/host.h"

#include "core/memory.h"
#include "model/args.h"
#include "sched/forkjoin/layout.k.h"

enum { GPU_LANES = 64, GPU_JOIN_LANES = 32, GPU_STEPS = 127, CPU_STEPS = 255 };
/* Groups a compute unit: more of them would push each other's stacks out of the cache. Without joins there are no
 * frames, and stacks are shorter. */
enum { GPU_GROUPS = 16, GPU_JOIN_GROUPS = 8 };
enum { GPU_STACK = 6, CPU_STACK = 10, GPU_DEQUE = 8, CPU_DEQUE = 10 }; /* powers of two */
enum { GPU_FRAMES = 64, CPU_FRAMES = 4096, MANY_FRAMES = 1 << 24 };    /* a lane; in all */

/* ---- Sizes ---- */

static uint32_t shift_for(uint32_t entries)
{
    uint32_t shift = 0;
    while (shift < RD__FORKJOIN_MOST_STACK && 1u << shift < entries)
        shift++;
    return shift;
}

static uint32_t most_groups(const rd__forkjoin *task, const rd_device_info *info)
{
    return (task->join == RD_JOIN_NONE ? GPU_GROUPS : GPU_JOIN_GROUPS) * info->compute_units;
}

static uint32_t entry_words(const rd__forkjoin *task)
{
    return TASK_ENTRY_WORDS(task->words, task->join);
}

static uint32_t slot_words(const rd__forkjoin *task)
{
    return TASK_SLOT_WORDS(task->words, task->children, task->join);
}

static uint32_t frame_words(const rd__forkjoin *task)
{
    return task->join == RD_JOIN_NONE ? 0 : TASK_FRAME_WORDS(task->words, task->children, task->join);
}

/* Frames to begin with: some for each lane; fewer where lanes are very many, for they grow when they are needed. */
static uint32_t first_frames(uint32_t groups, uint32_t lanes, int gpu)
{
    const uint64_t all = (uint64_t)groups * lanes, each = gpu ? GPU_FRAMES : CPU_FRAMES;
    const uint64_t frames = all * each < MANY_FRAMES ? all * each : all * GPU_FRAMES;
    return frames < MANY_FRAMES ? (uint32_t)frames : all < MANY_FRAMES ? MANY_FRAMES : (uint32_t)all;
}

rd__width rd__forkjoin_width(const rd__sched_job *job)
{
    rd__width width = rd__sched_width(job);
    const rd_device_info *info = job->device ? &job->device->info : NULL;
    const uint32_t wish = job->forkjoin.join == RD_JOIN_NONE ? GPU_LANES : GPU_JOIN_LANES;
    if (info && info->is_gpu) {
        if (!job->worker && info->max_group >= wish) {
            width.lanes = wish;
            width.lanes_why = "narrow, because the lanes of a group wait for the longest of their tasks";
        }
        rd__sched_limit_groups(job, &width, most_groups(&job->forkjoin, info),
                               "more would push each other's stacks out of the cache");
    }
    if (job->device && job->device->caps.coresident)
        rd__sched_resident_groups(job, &width);
    return width;
}

/* All but what needs the program. */
static void choose(rd__sched_state *state, const rd__sched_job *job)
{
    const int gpu = job->device && job->device->info.is_gpu;
    const uint32_t stack = rd__sched_number(job, "stack"), frames = rd__sched_number(job, "frames");
    const uint32_t lanes = rd__forkjoin_width(job).lanes;
    state->device = job->device;
    state->task = job->forkjoin;
    state->lanes = lanes;
    state->groups = job->groups;
    if (!state->groups && job->device) {
        const rd_device_info *info = &job->device->info;
        state->groups = info->resident_lanes ? info->resident_lanes / lanes : info->compute_units;
        if (gpu && state->groups > most_groups(&job->forkjoin, info))
            state->groups = most_groups(&job->forkjoin, info);
    }
    state->groups = state->groups ? state->groups : 1;
    state->stack_shift = stack ? shift_for(stack) : gpu ? GPU_STACK : CPU_STACK;
    while (1u << state->stack_shift < 2 * job->forkjoin.children + 2) /* room for one task and its children */
        state->stack_shift++;
    state->deque_shift = gpu ? GPU_DEQUE : CPU_DEQUE;
    while (1u << state->deque_shift < 2 * lanes) /* wide groups like to have more of them there */
        state->deque_shift++;
    state->shared = (job->engine->is & RD__ENGINE_SHARED) != 0;
    state->frames = frames ? frames : first_frames(state->groups, lanes, gpu);
    state->steps = rd__sched_number(job, "steps");
    state->steps = state->steps ? state->steps : gpu ? GPU_STEPS : CPU_STEPS;
    state->persistent = job->persistent;
    state->together = job->device && job->device->caps.coresident;
    state->choices = (rd__sched_option_is(job, "deque", "lock") ? STEAL_BLOCKING : 0u) |
                     (rd__sched_option_is(job, "victim", "nearest") ? STEAL_NEAREST : 0u) |
                     (rd__sched_option_is(job, "victim", "none") ? STEAL_NO_THEFT : 0u) |
                     (rd__sched_option_is(job, "deal", "block") ? STEAL_BLOCKS : 0u);
}

uint64_t rd__forkjoin_stack_bytes(const rd__sched_state *state, uint32_t shift)
{
    return (4ull * state->groups * state->lanes * slot_words(&state->task)) << shift;
}

uint64_t rd__forkjoin_frame_bytes(const rd__sched_state *state, uint32_t frames)
{
    return 4ull * frames * frame_words(&state->task);
}

/* Deques; or one ring of tasks, four times as many slots as lanes, and an outbox a lane. */
static uint64_t item_bytes(rd__sched_state *state)
{
    const uint64_t lanes = (uint64_t)state->groups * state->lanes;
    if (state->shared) {
        state->deque_shift = 2;
        while (1ull << state->deque_shift < 4 * lanes)
            state->deque_shift++;
        return (8ull * entry_words(&state->task) << state->deque_shift) + 4 * lanes * entry_words(&state->task);
    }
    return (4ull * state->groups * entry_words(&state->task)) << state->deque_shift;
}

void rd__forkjoin_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__sched_state state = {0};
    choose(&state, job);
    rd__plan_add(plan, "stacks of tasks", rd__forkjoin_stack_bytes(&state, state.stack_shift), 0, 0);
    rd__plan_add(plan, "deques", item_bytes(&state) + 4ull * DEQUE_LINE * state.groups, 0, 0);
    rd__plan_add(plan, "frames", rd__forkjoin_frame_bytes(&state, state.frames), 0, 0);
    rd__plan_add(plan, "lanes and control words",
                 4ull * STEAL_LANE_WORDS * state.groups * state.lanes + 4 * STEAL_WORDS, 0, 0);
}

/* ---- Making ---- */

void rd__forkjoin_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->line);
    rd__buffer_free(&state->item);
    rd__buffer_free(&state->stack);
    rd__buffer_free(&state->lane_state);
    rd__buffer_free(&state->frame);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

RD__ARGS(steal_shape_args, STEAL_SHAPE_ARGS)

/* The host's sizes must be those the kernels were compiled with. */
static rd_status check_shape(rd__sched_state *state, const char *app, rd_error *err)
{
    rd__kernel *kernel;
    uint32_t word[3];
    const steal_shape_args args = {.control = &state->control};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t count = steal_shape_args_pack(&args, list);
    if (state->device->caps.only_compiles)
        return RD_OK; /* where they run they are asked */
    RD_TRY(rd__kernel_find(state->device, state->program, "steal_shape", &kernel, err));
    RD_TRY(rd__kernel_launch(state->device, kernel, 1, 0, list, count, err));
    RD_TRY(rd__buffer_read(&state->control, 4 * STEAL_SHAPE, sizeof word, word, err));
    if (word[0] != state->task.words || word[1] != state->task.children || word[2] != state->task.join)
        return rd__fail(err, RD_EBUILD,
                        "app %s says its tasks have %u words, %u children, join %u; its kernels %u, %u, %u: make them "
                        "the same",
                        app, state->task.words, state->task.children, state->task.join, word[0], word[1], word[2]);
    return RD_OK;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint32_t resident;
    rd_device *device = job->device;
    choose(state, job);
    RD_TRY(rd__sched_load(job, job->engine->tag, state->lanes, NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_run", &state->run, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_grow", &state->grow, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_copy_frames", &state->copy, err));
    RD_TRY(rd__sched_resident(job, state->run, &resident, err));
    if (!job->groups) {
        const uint32_t most = device->info.is_gpu ? most_groups(&job->forkjoin, &device->info) : resident;
        state->groups = resident < most ? resident : most;
    } else if (state->together && state->groups > resident) {
        state->groups = resident;
    }
    if (!rd__sched_number(job, "frames"))
        state->frames = first_frames(state->groups, state->lanes, device->info.is_gpu != 0);
    RD_TRY(rd__buffer_alloc(device, &state->control, "control words", 4 * STEAL_WORDS, err));
    RD_TRY(rd__buffer_alloc(device, &state->line, "deques' ends", 4ull * DEQUE_LINE * state->groups, err));
    RD_TRY(rd__buffer_alloc(device, &state->item, "deques", item_bytes(state), err));
    RD_TRY(rd__buffer_alloc(device, &state->stack, "stacks of tasks",
                            rd__forkjoin_stack_bytes(state, state->stack_shift), err));
    RD_TRY(rd__buffer_alloc(device, &state->lane_state, "lanes", 4ull * STEAL_LANE_WORDS * state->groups * state->lanes,
                            err));
    RD_TRY(rd__buffer_alloc(device, &state->frame, "frames", rd__forkjoin_frame_bytes(state, state->frames), err));
    return check_shape(state, job->app, err);
}

rd_status rd__forkjoin_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    *out = NULL;
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    if (!state)
        return rd__fail_memory(err, "fork-join tasks", sizeof *state);
    rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        rd__forkjoin_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}
