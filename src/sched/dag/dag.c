/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dag.c - engines for task graphs, host side (dag/group.k.h says what the kernels do). A run is two launches: one that
 * asks the app what each task waits for and finds those that are ready, and one that ends when nothing is ready any
 * more. Launch `discrete` limits the turns of the second, and repeats it. A launch that is asked to leave does so
 * between two tasks; what groups have in hand is in their words, and the next one goes on with it.
 */
#include "sched/dag/dag.h"

#include "core/memory.h"
#include "sched/dag/layout.k.h"
#include "sched/freeze.h"
#include "sched/parts/launch.h"

#include <string.h>

enum { GPU_LANES = 32, TURNS = 4096, DEQUE_SHIFT = 10, MOST_SHIFT = 30 };

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *seed, *run;
    rd__buffer control, waits, line, item, link, ready;
    uint32_t groups, lanes, shift, choices;
    uint32_t persistent, together; /* together: all groups of a launch surely run at once */
    uint32_t shared;               /* one queue instead of deques */
};

/* ---- Sizes ---- */

rd__width rd__dag_width(const rd__sched_job *job)
{
    rd__width width = rd__sched_width(job);
    if (job->device && job->device->info.is_gpu && !job->worker && job->device->info.max_group >= GPU_LANES) {
        width.lanes = GPU_LANES;
        width.lanes_why = "narrow, because all lanes of a group share one task";
    }
    if (job->device && job->device->caps.coresident)
        rd__sched_resident_groups(job, &width);
    return width;
}

/* All but what needs the program. */
static void choose(rd__sched_state *state, const rd__sched_job *job)
{
    const rd__width width = rd__dag_width(job);
    state->device = job->device;
    state->lanes = width.lanes;
    state->groups = width.groups;
    if (!state->groups && job->device) {
        const rd_device_info *info = &job->device->info;
        state->groups = info->resident_lanes ? info->resident_lanes / width.lanes : info->compute_units;
    }
    state->groups = state->groups ? state->groups : 1;
    state->shared = (job->engine->is & RD__ENGINE_SHARED) != 0;
    const int core = state->lanes == 1 && job->device && !job->device->info.is_gpu;
    state->shift = 1;
    while (state->shift < (state->shared ? MOST_SHIFT : DEQUE_SHIFT) && 1u << state->shift < job->dag.most)
        state->shift++;
    state->persistent = job->persistent;
    state->together = job->device && job->device->caps.coresident;
    state->choices = (rd__sched_option_is(job, "next", "queue") ? DAG_QUEUED : 0u) |
                     (rd__sched_option_is(job, "deque", "lock") ? DAG_BLOCKING : 0u) |
                     (rd__sched_option_is(job, "victim", "nearest") ? DAG_NEAREST : 0u) |
                     (rd__sched_option_is(job, "victim", "none") ? DAG_NO_THEFT : 0u) |
                     (state->shared && core ? DAG_CIRCLES : 0u);
}

static uint64_t item_bytes(const rd__sched_state *state)
{
    return state->shared ? 8ull << state->shift : 4ull * state->groups << state->shift;
}

/* A word for each task: on the lists of workers, and of those that are ready at once. */
static uint64_t list_bytes(const rd__sched_state *state, uint32_t tasks)
{
    return state->shared || !tasks ? 4 : 4ull * tasks;
}

/* Lists of workers, or what each keeps to itself. */
static uint64_t link_bytes(const rd__sched_state *state, uint32_t tasks)
{
    return state->choices & DAG_CIRCLES ? 4ull * DAG_CIRCLE * state->groups : list_bytes(state, tasks);
}

void rd__dag_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__sched_state state = {0};
    choose(&state, job);
    rd__plan_add(plan, "waits of tasks", 4ull * job->dag.most, 0, 0);
    rd__plan_add(plan, state.shared ? "queue of ready tasks" : "deques", item_bytes(&state), 0, 0);
    rd__plan_add(plan, "lists of tasks", link_bytes(&state, job->dag.most) + list_bytes(&state, job->dag.known), 0, 0);
    rd__plan_add(plan, "control words", 4ull * DEQUE_LINE * state.groups + 4 * DAG_WORDS, 0, 0);
}

/* ---- Making ---- */

void rd__dag_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->waits);
    rd__buffer_free(&state->line);
    rd__buffer_free(&state->item);
    rd__buffer_free(&state->link);
    rd__buffer_free(&state->ready);
    rd__program_unload(state->device, state->program);
    rd__free(state);
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint32_t resident;
    rd_device *device = job->device;
    choose(state, job);
    if (job->dag.most < job->dag.known || job->dag.most > 1u << MOST_SHIFT)
        return rd__fail(err, RD_EARG, "%s: %u tasks, %u of them known beforehand; there may be at most 2^%d", job->app,
                        job->dag.most, job->dag.known, MOST_SHIFT);
    RD_TRY(rd__sched_load(job, job->engine->tag, state->lanes, NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "dag_seed", &state->seed, err));
    RD_TRY(rd__kernel_find(device, state->program, "dag_run", &state->run, err));
    RD_TRY(rd__sched_resident(job, state->run, &resident, err));
    if (!job->groups || (state->together && job->groups > resident))
        state->groups = resident;
    RD_TRY(rd__buffer_alloc(device, &state->control, "control words", 4 * DAG_WORDS, err));
    RD_TRY(rd__buffer_alloc(device, &state->waits, "waits of tasks", 4ull * (job->dag.most ? job->dag.most : 1), err));
    RD_TRY(rd__buffer_alloc(device, &state->line, "deques' ends", 4ull * DEQUE_LINE * state->groups, err));
    RD_TRY(rd__buffer_alloc(device, &state->item, "ready tasks", item_bytes(state), err));
    RD_TRY(rd__buffer_alloc(device, &state->link, "lists of tasks", link_bytes(state, job->dag.most), err));
    return rd__buffer_alloc(device, &state->ready, "tasks that are ready at once", list_bytes(state, job->dag.known),
                            err);
}

rd_status rd__dag_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    *out = NULL;
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    if (!state)
        return rd__fail_memory(err, "a task graph", sizeof *state);
    const rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        rd__dag_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

RD__ARGS(dag_args, DAG_ARGS)

static rd_status prepare(rd__sched_state *state, const rd__sched_job *job, rd__kernel *kernel, uint32_t limit,
                         rd__launch *launch, rd_error *err)
{
    const dag_args args = {.dg_control = &state->control,
                           .dg_waits = &state->waits,
                           .dg_line = &state->line,
                           .dg_item = &state->item,
                           .dg_link = &state->link,
                           .dg_seed = &state->ready,
                           .dg_known = job->dag.known,
                           .dg_most = job->dag.most,
                           .dg_shift = state->shift,
                           .dg_limit = limit || !rd__sched_lends(job) ? limit : RD__LENDING_TURNS,
                           .dg_choices = state->choices};
    rd__arg own[RD__MAX_ARGS];
    *launch = (rd__launch){.job = job,
                           .kernel = kernel,
                           .groups = state->groups,
                           .cooperative = kernel == state->run && limit == 0 && state->together,
                           .keeps = kernel == state->run,
                           .lends = kernel == state->run ? RD__LENDS_PLACES : RD__LENDS_NONE,
                           .step = RD__NO_STEP};
    return rd__launch_pack(launch, own, dag_args_pack(&args, own), err);
}

/* What tasks wait for, and those that are ready. */
static rd_status seed(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    uint32_t word[DAG_WORDS] = {0};
    rd__launch launch;
    word[DAG_NEXT] = job->dag.known;
    RD_TRY(rd__buffer_write(&state->control, 0, sizeof word, word, err));
    RD_TRY(rd__buffer_fill(&state->line, 0, err));
    if (state->shared)
        RD_TRY(rd__sched_fill(job, &state->item, 0, err)); /* every slot is free for the ticket of its first lap */
    RD_TRY(prepare(state, job, state->seed, 0, &launch, err));
    return rd__launch_once(&launch, 0, err);
}

static rd_status read_control(rd__sched_state *state, const rd__launch *launch, uint32_t *word, rd_error *err)
{
    const rd__so_far so_far = {0, 0, "tasks"};
    uint64_t tasks, before;
    RD_TRY(rd__launch_read(launch, so_far, &state->control, word, 4 * DAG_WORDS, err));
    memcpy(&tasks, word + DAG_STATS + 2 * DAG_TASKS, sizeof tasks);
    memcpy(&before, word + DAG_STATS + 2 * DAG_BEFORE, sizeof before);
    const uint64_t there = before + word[DAG_NEXT] - launch->job->dag.known; /* ready or not */
    rd__sched_look(launch->job, tasks, there > tasks ? there - tasks : 0, tasks, tasks);
    return rd__sched_tell(launch->job, tasks, word[DAG_NEXT], "tasks", err);
}

static rd_status run_all(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint64_t *launches,
                         rd_error *err)
{
    uint32_t limit = state->persistent && (state->together || !job->resumes) ? 0 : TURNS;
    rd__launch launch;
    do {
        RD_TRY(prepare(state, job, state->run, limit, &launch, err));
        RD_TRY(rd__launch_batch(&launch, 0, 1, err));
        ++*launches;
        RD_TRY(read_control(state, &launch, word, err));
        const int left = rd__sched_left(job);
        if (limit == 0 && word[DAG_PENDING] && !left && !rd__sched_lends(job))
            return rd__fail(
                err, RD_EDEVICE, "%s miscomputed: scheduler %s ended with %u tasks to run; run `raddle selftest -d %s`",
                state->device->info.name, job->engine->policy->name, word[DAG_PENDING], state->device->info.name);
        if (!state->together) /* a group that has not started may hold tasks now */
            limit = TURNS;
        if (word[DAG_PENDING])
            RD_TRY(rd__sched_pass(job, err));
    } while (word[DAG_PENDING]);
    return RD_OK;
}

/* What an app can do wrong, and a kernel finds. */
static rd_status check(const rd__sched_job *job, const uint32_t *word, const uint64_t *count, rd_error *err)
{
    const uint32_t *trouble = word + DAG_TROUBLE;
    const uint64_t there = count[DAG_BEFORE] + word[DAG_NEXT] - job->dag.known;
    if (trouble[DAG_FULL])
        return rd__fail(err, RD_EINPUT, "%s: there is room for %u tasks, and they made more (rd_new_task)", job->app,
                        job->dag.most);
    if (trouble[DAG_MANY])
        return rd__fail(
            err, RD_EINPUT,
            "%s: task %u released more tasks than RD_TASK_RELEASES says; new ones that wait for nothing count too",
            job->app, trouble[DAG_MANY] - 1);
    if (trouble[DAG_STRANGER])
        return rd__fail(err, RD_EINPUT, "%s: task %u released a task that does not exist; there may be %u", job->app,
                        trouble[DAG_STRANGER] - 1, job->dag.most);
    if (trouble[DAG_OFTEN])
        return rd__fail(err, RD_EINPUT, "%s: task %u was released more often than it waits", job->app,
                        trouble[DAG_OFTEN] - 1);
    if (count[DAG_TASKS] != there)
        return rd__fail(err, RD_EINPUT,
                        "%s: %llu of %llu tasks never became ready: they wait for each other, or for a release that no "
                        "task makes",
                        job->app, (unsigned long long)(there - count[DAG_TASKS]), (unsigned long long)there);
    return RD_OK;
}

rd_status rd__dag_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    rd__buffer *const buffer[] = {&state->control, &state->waits, &state->line,
                                  &state->item,    &state->link,  &state->ready};
    RD_TRY(rd__freeze_same(freeze, "the number of groups", state->groups, err));
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", state->lanes, err));
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        RD_TRY(rd__freeze_fixed(freeze, buffer[i], err));
    return RD_OK;
}

rd_status rd__dag_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                      rd_error *err)
{
    uint32_t word[DAG_WORDS];
    uint64_t count[DAG_COUNTS], launched = 0;
    (void)seeds; /* the kernel finds them */
    if (!job->resumes)
        RD_TRY(seed(state, job, err));
    RD_TRY(rd__time_begin(state->device, err));
    RD_TRY(run_all(state, job, word, &launched, err));
    RD_TRY(rd__time_end(state->device, &report->kernel_s, err));
    memcpy(count, word + DAG_STATS, sizeof count);
    report->tasks = report->tasks_needed = count[DAG_TASKS];
    report->launches = launched;
    report->groups = state->groups;
    report->lanes = state->lanes;
    rd__measure(report, "run_at_once", (double)count[DAG_OWN]);
    if (!state->shared) {
        rd__measure(report, "steals", (double)count[DAG_STEALS]);
        rd__measure(report, "failed_steals", (double)count[DAG_FAILED]);
    }
    rd__measure(report, "empty_looks", (double)count[DAG_EMPTY]);
    return check(job, word, count, err);
}
