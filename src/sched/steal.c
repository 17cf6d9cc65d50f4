/* SPDX-License-Identifier: Apache-2.0 */
/* steal.c - scheduler `steal` for apps of tasks, host side: its options, its memory and its program (steal.k.h says
 * what the kernel does; steal_run.c runs it). */
#include "sched/steal_host.h"

#include "core/memory.h"
#include "sched/steal_layout.k.h"

#include <string.h>

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
    while (shift < RD__STEAL_MOST_STACK && 1u << shift < entries)
        shift++;
    return shift;
}

static uint32_t most_groups(const rd__task_shape *task, const rd_device_info *info)
{
    return (task->join == RD_JOIN_NONE ? GPU_GROUPS : GPU_JOIN_GROUPS) * info->compute_units;
}

static uint32_t entry_words(const rd__task_shape *task)
{
    return TASK_ENTRY_WORDS(task->words, task->join);
}

static uint32_t slot_words(const rd__task_shape *task)
{
    return TASK_SLOT_WORDS(task->words, task->children, task->join);
}

static uint32_t frame_words(const rd__task_shape *task)
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

rd__width rd__steal_width(const rd__sched_job *job)
{
    if (job->shape == RD__SHAPE_VERTICES)
        return rd__steal_vertex_width(job);
    rd__width width = rd__sched_width(job);
    const rd_device_info *info = job->device ? &job->device->info : NULL;
    const uint32_t wish = job->task.join == RD_JOIN_NONE ? GPU_LANES : GPU_JOIN_LANES;
    if (info && info->is_gpu) {
        if (!job->worker && info->max_group >= wish) {
            width.lanes = wish;
            width.lanes_why = "narrow, because the lanes of a group wait for the longest of their tasks";
        }
        rd__sched_limit_groups(job, &width, most_groups(&job->task, info),
                               "more would push each other's stacks out of the cache");
    }
    if (job->device && job->device->backend != &rd__opencl_backend)
        rd__sched_resident_groups(job, &width);
    return width;
}

/* All but what needs the program. */
static void choose(rd__sched_state *state, const rd__sched_job *job)
{
    const int gpu = job->device && job->device->info.is_gpu;
    const uint32_t stack = rd__sched_number(job, "stack"), frames = rd__sched_number(job, "frames");
    const uint32_t lanes = rd__steal_width(job).lanes;
    state->device = job->device;
    state->task = job->task;
    state->lanes = lanes;
    state->groups = job->groups;
    if (!state->groups && job->device) {
        const rd_device_info *info = &job->device->info;
        state->groups = info->resident_lanes ? info->resident_lanes / lanes : info->compute_units;
        if (gpu && state->groups > most_groups(&job->task, info))
            state->groups = most_groups(&job->task, info);
    }
    state->groups = state->groups ? state->groups : 1;
    state->stack_shift = stack ? shift_for(stack) : gpu ? GPU_STACK : CPU_STACK;
    while (1u << state->stack_shift < 2 * job->task.children + 2) /* room for one task and its children */
        state->stack_shift++;
    state->deque_shift = gpu ? GPU_DEQUE : CPU_DEQUE;
    while (1u << state->deque_shift < 2 * lanes) /* wide groups like to have more of them there */
        state->deque_shift++;
    state->shared = strcmp(job->sched->name, "fifo") == 0;
    state->frames = frames ? frames : first_frames(state->groups, lanes, gpu);
    state->steps = rd__sched_number(job, "steps");
    state->steps = state->steps ? state->steps : gpu ? GPU_STEPS : CPU_STEPS;
    state->persistent = strcmp(job->launch, "persistent") == 0;
    state->together = job->device && job->device->backend != &rd__opencl_backend;
    state->choices = (rd__sched_option_is(job, "deque", "lock") ? STEAL_BLOCKING : 0u) |
                     (rd__sched_option_is(job, "victim", "nearest") ? STEAL_NEAREST : 0u) |
                     (rd__sched_option_is(job, "victim", "none") ? STEAL_NO_THEFT : 0u) |
                     (rd__sched_option_is(job, "deal", "block") ? STEAL_BLOCKS : 0u);
}

uint64_t rd__steal_stack_bytes(const rd__sched_state *state, uint32_t shift)
{
    return (4ull * state->groups * state->lanes * slot_words(&state->task)) << shift;
}

uint64_t rd__steal_frame_bytes(const rd__sched_state *state, uint32_t frames)
{
    return 4ull * frames * frame_words(&state->task);
}

/* Deques; or one ring, four times as many slots as lanes: its states and tasks, and an outbox a lane. */
static uint64_t item_bytes(rd__sched_state *state)
{
    const uint64_t lanes = (uint64_t)state->groups * state->lanes;
    if (state->shared) {
        state->deque_shift = 2;
        while (1ull << state->deque_shift < 4 * lanes)
            state->deque_shift++;
        return (4ull * (2 + entry_words(&state->task)) << state->deque_shift) + 4 * lanes * entry_words(&state->task);
    }
    return (4ull * state->groups * entry_words(&state->task)) << state->deque_shift;
}

void rd__steal_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__sched_state state = {0};
    if (job->shape == RD__SHAPE_VERTICES) {
        rd__steal_vertex_plan(job, plan);
        return;
    }
    choose(&state, job);
    rd__plan_add(plan, "stacks of tasks", rd__steal_stack_bytes(&state, state.stack_shift), 0, 0);
    rd__plan_add(plan, "deques", item_bytes(&state) + 4ull * DEQUE_LINE * state.groups, 0, 0);
    rd__plan_add(plan, "frames", rd__steal_frame_bytes(&state, state.frames), 0, 0);
    rd__plan_add(plan, "lanes and control words",
                 4ull * STEAL_LANE_WORDS * state.groups * state.lanes + 4 * STEAL_WORDS, 0, 0);
}

/* ---- Making ---- */

void rd__steal_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    if (state->vertex) {
        rd__steal_vertex_destroy(state->vertex);
        rd__free(state);
        return;
    }
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->line);
    rd__buffer_free(&state->item);
    rd__buffer_free(&state->stack);
    rd__buffer_free(&state->lane_state);
    rd__buffer_free(&state->frame);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* The host's sizes must be those the kernels were compiled with. */
static rd_status check_shape(rd__sched_state *state, const char *app, rd_error *err)
{
    rd__kernel *kernel;
    uint32_t word[3];
    const rd__arg args[] = {RD__BUFFER(&state->control)};
    RD_TRY(rd__kernel_find(state->device, state->program, "steal_shape", &kernel, err));
    RD_TRY(state->device->backend->launch(kernel, 1, 0, args, 1, err));
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
    RD_TRY(rd__sched_load(job, state->shared ? "fifo" : "steal", state->lanes, NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_run", &state->run, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_grow", &state->grow, err));
    RD_TRY(rd__kernel_find(device, state->program, "steal_copy_frames", &state->copy, err));
    RD_TRY(device->backend->resident(state->run, &resident, err));
    if (!job->groups) {
        const uint32_t most = device->info.is_gpu ? most_groups(&job->task, &device->info) : resident;
        state->groups = resident < most ? resident : most;
    } else if (state->together && state->groups > resident) {
        state->groups = resident;
    }
    if (!rd__sched_number(job, "frames"))
        state->frames = first_frames(state->groups, state->lanes, device->info.is_gpu != 0);
    RD_TRY(rd__buffer_alloc(device, &state->control, "control words", 4 * STEAL_WORDS, err));
    RD_TRY(rd__buffer_alloc(device, &state->line, "deques' ends", 4ull * DEQUE_LINE * state->groups, err));
    RD_TRY(rd__buffer_alloc(device, &state->item, "deques", item_bytes(state), err));
    RD_TRY(rd__buffer_alloc(device, &state->stack, "stacks of tasks", rd__steal_stack_bytes(state, state->stack_shift),
                            err));
    RD_TRY(rd__buffer_alloc(device, &state->lane_state, "lanes", 4ull * STEAL_LANE_WORDS * state->groups * state->lanes,
                            err));
    RD_TRY(rd__buffer_alloc(device, &state->frame, "frames", rd__steal_frame_bytes(state, state->frames), err));
    return check_shape(state, job->app, err);
}

static rd_status create_vertices(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    static const char *const of_stacks[] = {"deal", "steps", "stack", "frames", NULL};
    RD_TRY(rd__sched_refuse(job, of_stacks, err));
    return rd__steal_vertex_create(job, &state->vertex, err);
}

rd_status rd__steal_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    *out = NULL;
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    if (!state)
        return rd__fail_memory(err, "scheduler steal", sizeof *state);
    rd_status status = job->shape == RD__SHAPE_VERTICES ? create_vertices(state, job, err) : set_up(state, job, err);
    if (status != RD_OK) {
        rd__steal_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

static const char *const launches[] = {"persistent", "discrete", NULL};
static const rd_option_info options[] = {
    {"deque", "lockfree|lock", "lockfree", "of steal: how a worker's deque is kept", 0},
    {"victim", "random|nearest|none", "random", "of steal: whom an idle worker steals from", 0},
    {"deal", "counter|block", "counter", "of steal: seeds by one counter, or a block for each worker", 0},
    {"steps", "0..65535", "0", "of steal: tasks that a lane runs at most before it looks around (default: by device)",
     0},
    {"stack", "0..16777216", "0", "of steal: tasks that a lane's stack holds at first (default: by device)", 0},
    {"frames", "0..1073741824", "0", "of steal: waiting tasks that there is room for at first (default: by device)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__sched rd__sched_steal = {
    .name = "steal",
    .text = "a deque for each worker, which runs its newest task; idle workers steal the oldest of others",
    .launches = launches,
    .options = options,
    .width = rd__steal_width,
    .plan = rd__steal_plan,
    .create = rd__steal_create,
    .destroy = rd__steal_destroy,
    .run = rd__steal_run,
};

static const rd_option_info level_options[] = {
    {"deque", "lockfree|lock", "lockfree", "of steal: how a worker's deque is kept", 0},
    {"victim", "random|nearest|none", "random", "of steal: whom an idle worker steals from", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__sched rd__sched_steal_levels = {
    .name = "steal-levels",
    .text = "as steal, but level by level, with two deques for each worker; for apps on graphs",
    .rounds = 1,
    .launches = launches,
    .options = level_options,
    .width = rd__steal_width,
    .plan = rd__steal_plan,
    .create = rd__steal_create,
    .destroy = rd__steal_destroy,
    .run = rd__steal_run,
};
