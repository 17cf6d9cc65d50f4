/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - scheduler `steal` for apps of tasks: a run, from seeds to the report.
 *
 * Launch `persistent` is one launch that ends when no task is left, or when a lane lacks memory: then the buffer is
 * made twice as large and the launch goes on. Launch `discrete` limits the turns of a launch, for devices that do not
 * promise that a group which has started makes progress while another one waits.
 *
 * Where groups may be more than run at once (OpenCL), a launch that goes on with earlier work has a limit of turns too:
 * a group that has not started may hold tasks then.
 */
#include "sched/forkjoin/host.h"

#include "core/memory.h"
#include "sched/forkjoin/layout.k.h"
#include "sched/freeze.h"
#include "sched/parts/deque.h"
#include "sched/parts/launch.h"

#include <string.h>

enum { TURNS = 256 };

RD__ARGS(steal_args, STEAL_ARGS)
RD__ARGS(steal_grow_args, STEAL_GROW_ARGS)
RD__ARGS(steal_copy_args, STEAL_COPY_ARGS)

/* ---- Growing ---- */

static rd_status grow_stacks(rd__sched_state *state, rd_error *err)
{
    rd__buffer larger;
    const uint32_t shift = state->stack_shift + 1;
    if (shift > RD__FORKJOIN_MOST_STACK)
        return rd__fail(err, RD_ENOMEM, "scheduler steal: a lane's stack would need more than 2^%d tasks",
                        RD__FORKJOIN_MOST_STACK);
    RD_TRY(rd__buffer_alloc(state->device, &larger, "stacks of tasks", rd__forkjoin_stack_bytes(state, shift), err));
    const steal_grow_args args = {.lane_state = &state->lane_state,
                                  .stack = &state->stack,
                                  .larger = &larger,
                                  .shift = state->stack_shift,
                                  .larger_shift = shift};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t count = steal_grow_args_pack(&args, list);
    rd_status status = rd__kernel_launch(state->device, state->grow, state->groups, 0, list, count, err);
    if (status == RD_OK)
        status = rd__device_wait(state->device, NULL, err);
    if (status != RD_OK) {
        rd__buffer_free(&larger);
        return status;
    }
    rd__buffer_free(&state->stack);
    state->stack = larger;
    state->stack_shift = shift;
    return RD_OK;
}

static rd_status grow_frames(rd__sched_state *state, rd_error *err)
{
    rd__buffer larger;
    const uint64_t frames = 2ull * state->frames + state->groups * state->lanes;
    if (frames * state->task.children >= UINT32_MAX - 1)
        return rd__fail(err, RD_ENOMEM, "scheduler steal: more than %u tasks wait for their children", state->frames);
    RD_TRY(rd__buffer_alloc(state->device, &larger, "frames", rd__forkjoin_frame_bytes(state, (uint32_t)frames), err));
    const steal_copy_args args = {.frame = &state->frame, .larger = &larger, .frames = state->frames};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t count = steal_copy_args_pack(&args, list);
    rd_status status = rd__kernel_launch(state->device, state->copy, state->groups, 0, list, count, err);
    if (status == RD_OK)
        status = rd__device_wait(state->device, NULL, err);
    if (status != RD_OK) {
        rd__buffer_free(&larger);
        return status;
    }
    rd__buffer_free(&state->frame);
    state->frame = larger;
    state->frames = (uint32_t)frames;
    return RD_OK;
}

/* ---- Running ---- */

static rd_status reset(rd__sched_state *state, uint32_t seeds, rd_error *err)
{
    uint32_t word[STEAL_WORDS] = {0}, *line = NULL;
    RD_TRY(rd__buffer_fill(&state->line, 0, err));
    RD_TRY(rd__buffer_fill(&state->lane_state, 0, err));
    if (state->shared)
        RD_TRY(rd__buffer_fill(&state->item, 0, err)); /* every slot is free for the ticket of its first lap */
    word[STEAL_PENDING] = seeds > 0;
    if (state->choices & STEAL_BLOCKS) {
        RD_TRY(rd__array_new(&line, "blocks of seeds", (uint64_t)state->groups * DEQUE_LINE, sizeof *line, err));
        memset(line, 0, 4ull * state->groups * DEQUE_LINE);
        word[STEAL_PENDING] = 0;
        for (uint32_t g = 0; g < state->groups; g++) {
            uint32_t *own = line + (size_t)g * DEQUE_LINE;
            own[STEAL_BLOCK] = (uint32_t)((uint64_t)seeds * g / state->groups);
            own[STEAL_BLOCK_END] = (uint32_t)((uint64_t)seeds * (g + 1) / state->groups);
            own[STEAL_ACTIVE] = own[STEAL_BLOCK] < own[STEAL_BLOCK_END];
            word[STEAL_PENDING] += own[STEAL_ACTIVE];
        }
        rd_status status = rd__buffer_write(&state->line, 0, 4ull * state->groups * DEQUE_LINE, line, err);
        rd__array_free(line);
        RD_TRY(status);
    }
    return rd__buffer_write(&state->control, 0, sizeof word, word, err);
}

/* turns: of the launch; 0: until all is done. */
static rd_status prepare(rd__sched_state *state, const rd__sched_job *job, uint32_t seeds, uint32_t turns,
                         rd__launch *launch, rd_error *err)
{
    const steal_args args = {.st_control = &state->control,
                             .st_line = &state->line,
                             .st_item = &state->item,
                             .st_stack = &state->stack,
                             .st_lane_state = &state->lane_state,
                             .st_frame = &state->frame,
                             .st_stack_shift = state->stack_shift,
                             .st_deque_shift = state->deque_shift,
                             .st_frames = state->frames,
                             .st_seeds = seeds,
                             .st_steps = state->steps,
                             .st_turns = turns || !rd__sched_lends(job) ? turns : RD__LENDING_TURNS,
                             .st_choices = state->choices | (job->traced ? STEAL_TRACED : 0u)};
    rd__arg own[RD__MAX_ARGS];
    *launch = (rd__launch){.job = job,
                           .kernel = state->run,
                           .groups = state->groups,
                           .cooperative = turns == 0 && state->together,
                           .keeps = 1,
                           .lends = RD__LENDS_PLACES,
                           .step = RD__NO_STEP};
    return rd__launch_pack(launch, own, steal_args_pack(&args, own), err);
}

static rd_status read_control(rd__sched_state *state, const rd__launch *launch, uint32_t *word, rd_error *err)
{
    const rd__so_far so_far = {0, 0, "tasks"};
    uint64_t tasks;
    RD_TRY(rd__launch_read(launch, so_far, &state->control, word, 4 * STEAL_WORDS, err));
    memcpy(&tasks, word + STEAL_STATS + 2 * STEAL_TASKS, sizeof tasks);
    return rd__sched_tell(launch->job, tasks, 0, "tasks", err);
}

/* Tasks that nobody has begun: seeds, those in deques or on their way through the queue, those on stacks. Tasks that
 * wait for their children were run. Indices and tickets count modulo 2^32. */
static rd_status waiting(const rd__sched_state *state, uint32_t seeds, const uint32_t *word, uint64_t *tasks,
                         rd_error *err)
{
    uint32_t *line = NULL;
    RD_TRY(rd__deques_read(&state->line, state->groups, &line, err));
    *tasks = !(state->choices & STEAL_BLOCKS) && word[STEAL_SEED] < seeds ? seeds - word[STEAL_SEED] : 0;
    uint32_t on_way = state->shared ? word[STEAL_REAR] - word[STEAL_FRONT] : 0;
    for (uint32_t g = 0; g < state->groups; g++) {
        const uint32_t *own = line + (size_t)g * DEQUE_LINE;
        *tasks += own[STEAL_BLOCK_END] - own[STEAL_BLOCK];
        on_way += own[STEAL_WAITING] + rd__deque_items(own);
    }
    *tasks += on_way;
    rd__array_free(line);
    return RD_OK;
}

/* For a trace. Nobody else reads where tasks wait. */
static rd_status look(const rd__sched_state *state, const rd__sched_job *job, uint32_t seeds, const uint32_t *word,
                      rd_error *err)
{
    uint64_t tasks, left = 0;
    if (!job->traced)
        return RD_OK;
    if (word[STEAL_PENDING])
        RD_TRY(waiting(state, seeds, word, &left, err));
    memcpy(&tasks, word + STEAL_STATS + 2 * STEAL_TASKS, sizeof tasks);
    rd__sched_look(job, tasks, left, tasks, tasks);
    return RD_OK;
}

static rd_status grow_buffers(rd__sched_state *state, const char *app, uint32_t need, rd_error *err)
{
    const uint32_t none = 0;
    if (need & STEAL_NEED_LIMIT)
        return rd__fail(err, RD_EINPUT,
                        "%s: a call of rd_app_task or rd_app_join spawned more than %u tasks, which is "
                        "RD_TASK_CHILDREN: say more (up to 32), or spawn a task that spawns the rest",
                        app, state->task.children);
    if (need & STEAL_NEED_STACK)
        RD_TRY(grow_stacks(state, err));
    if (need & STEAL_NEED_FRAME)
        RD_TRY(grow_frames(state, err));
    return rd__buffer_write(&state->control, 4 * STEAL_NEED, sizeof none, &none, err);
}

static rd_status run_all(rd__sched_state *state, const rd__sched_job *job, uint32_t seeds, uint32_t *word,
                         uint64_t *launches, rd_error *err)
{
    const int sure = state->together || (!(state->choices & STEAL_BLOCKS) && !job->resumes); /* who holds tasks runs */
    uint32_t turns = state->persistent && sure ? 0 : TURNS;
    rd__launch launch;
    do {
        RD_TRY(prepare(state, job, seeds, turns, &launch, err)); /* buffers may have grown */
        RD_TRY(rd__launch_batch(&launch, 0, 1, err));
        ++*launches;
        RD_TRY(read_control(state, &launch, word, err));
        RD_TRY(look(state, job, seeds, word, err));
        const int left = rd__sched_left(job);
        if (word[STEAL_NEED])
            RD_TRY(grow_buffers(state, job->app, word[STEAL_NEED], err));
        else if (turns == 0 && word[STEAL_PENDING] && !left && !rd__sched_lends(job))
            return rd__fail(
                err, RD_EDEVICE,
                "%s miscomputed: scheduler steal ended with %u workers at work; run `raddle selftest -d %s`",
                state->device->info.name, word[STEAL_PENDING], state->device->info.name);
        if (!state->together)
            turns = TURNS;
        if (word[STEAL_PENDING])
            RD_TRY(rd__sched_pass(job, err));
    } while (word[STEAL_PENDING]);
    return RD_OK;
}

/* The largest share of the tasks that one group ran, over the mean. */
static rd_status imbalance(rd__sched_state *state, uint64_t tasks, double *out, rd_error *err)
{
    uint32_t *line = NULL;
    uint64_t most = 0, own;
    RD_TRY(rd__deques_read(&state->line, state->groups, &line, err));
    for (uint32_t g = 0; g < state->groups; g++) {
        memcpy(&own, line + (size_t)g * DEQUE_LINE + STEAL_GROUP_TASKS, sizeof own);
        most = own > most ? own : most;
    }
    rd__array_free(line);
    *out = tasks ? (double)most * state->groups / (double)tasks : 0;
    return RD_OK;
}

rd_status rd__forkjoin_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    rd__buffer *const buffer[] = {&state->control, &state->line,       &state->item,
                                  &state->stack,   &state->lane_state, &state->frame};
    RD_TRY(rd__freeze_same(freeze, "the number of groups", state->groups, err));
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", state->lanes, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->stack_shift, sizeof state->stack_shift, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->frames, sizeof state->frames, err));
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        RD_TRY(rd__freeze_buffer(freeze, buffer[i], err));
    if (state->stack_shift > RD__FORKJOIN_MOST_STACK ||
        state->stack.bytes < rd__forkjoin_stack_bytes(state, state->stack_shift) ||
        state->frame.bytes < rd__forkjoin_frame_bytes(state, state->frames))
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", freeze->path);
    return RD_OK;
}

rd_status rd__forkjoin_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                           rd_error *err)
{
    uint32_t word[STEAL_WORDS];
    uint64_t count[STEAL_COUNTS], launched = 0;
    double share = 0;
    if (!job->resumes)
        RD_TRY(reset(state, seeds->count, err));
    RD_TRY(rd__time_begin(state->device, err));
    RD_TRY(run_all(state, job, seeds->count, word, &launched, err));
    RD_TRY(rd__time_end(state->device, &report->kernel_s, err));
    memcpy(count, word + STEAL_STATS, sizeof count);
    RD_TRY(imbalance(state, count[STEAL_TASKS], &share, err));
    report->sum = count[STEAL_RESULT];
    report->tasks = report->tasks_needed = count[STEAL_TASKS];
    report->launches = launched;
    report->groups = state->groups;
    report->lanes = state->lanes;
    if (!state->shared) {
        rd__measure(report, "steals", (double)count[STEAL_STEALS]);
        rd__measure(report, "failed_steals", (double)count[STEAL_FAILED]);
        rd__measure(report, "empty_looks", (double)count[STEAL_EMPTY]);
        rd__measure(report, "stolen_tasks", (double)count[STEAL_STOLEN]);
        rd__measure(report, "swapped_tasks", (double)count[STEAL_SWAPS]);
    }
    rd__measure(report, "shared_tasks", (double)count[STEAL_SHARED]);
    rd__measure(report, "largest_share", share);
    rd__measure(report, "deepest_stack", word[STEAL_DEEPEST]);
    if (state->task.join != RD_JOIN_NONE)
        rd__measure(report, "frames", word[STEAL_FRAMES] < state->frames ? word[STEAL_FRAMES] : state->frames);
    return RD_OK;
}
