/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.c - scheduler `tiles`, host side (tiles.k.h says what the kernel does and why nothing overflows).
 *
 * Launch `persistent` is one launch for all tiles; only schedule `hardware`, one group a tile, takes several when the
 * groups' stacks would need too much memory. Launch `discrete` runs some tiles at a time, so many that a launch takes
 * about a tenth of a second: the host can report progress and stop in between.
 */
#include "sched/sched.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/tiles_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { OWN_ARGS = 13, MAX_APP_ARGS = 16, TASK_BYTES = 32, GPU_LANES = 32, GPU_TILE = 8, CPU_TILE = 16 };
enum { PLANNED_GROUPS = 4096, FIRST_ROUNDS = 8, CPU_UNIT = 5 };
static const uint64_t stack_limit = 512ull << 20; /* bytes of all stacks of one launch, schedule hardware */
static const double launch_seconds = 0.1;         /* discrete */

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer stack, deque, control, counts;
    uint64_t *range; /* the deques as they begin */
    uint32_t scheme, shift, groups, lanes, capacity, discrete;
    uint32_t across, tiles;
    uint32_t unit, units; /* 2^unit items are taken at once; how many of them the plane has */
    uint64_t handed_out;  /* units of all launches of a run, with those that are padding */
};

static const rd_option_info options[] = {
    {"schedule", "static|central|steal|hardware", "steal", "how tiles find workers", 0},
    {"tile", "2|4|8|16|32|64|128", NULL, "width of a tile in items (default: by device and schedule)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static uint32_t scheme_of(const rd__sched_job *job)
{
    return rd__sched_option_is(job, "schedule", "static")    ? TILES_STATIC
           : rd__sched_option_is(job, "schedule", "central") ? TILES_CENTRAL
           : rd__sched_option_is(job, "schedule", "steal")   ? TILES_STEAL
                                                             : TILES_HARDWARE;
}

static rd__width choose_lanes(const rd__sched_job *job)
{
    rd__width width = rd__sched_width(job);
    if (!job->worker && job->device && job->device->info.is_gpu) {
        width.lanes = job->device->info.warp > 1 ? job->device->info.warp : GPU_LANES;
        width.lanes_why = "lanes of a group wait for each other each turn, so no more than a warp";
    }
    return width;
}

static uint32_t lanes_of(const rd__sched_job *job)
{
    return job->device ? choose_lanes(job).lanes : 1;
}

static uint32_t shift_of(const rd__sched_job *job)
{
    uint32_t tile = rd__sched_number(job, "tile"), shift = 0;
    if (tile == 0) /* a group that has only its tile runs its last tasks with few lanes: not too small then */
        tile = job->device && job->device->info.is_gpu && scheme_of(job) != TILES_HARDWARE ? GPU_TILE : CPU_TILE;
    while (1u << shift < tile)
        shift++;
    return shift;
}

/* Tasks on a group's stack: see tiles.k.h. */
static uint32_t capacity_of(const rd__sched_job *job, uint32_t lanes)
{
    const uint32_t slots = lanes == 1 ? job->space.pack : lanes;
    const uint32_t capacity = job->space.gives * slots * (job->space.depth - 1);
    return capacity ? capacity : 1;
}

static void count_tiles(const rd__sched_job *job, uint32_t shift, uint32_t *across, uint32_t *tiles)
{
    const uint32_t last = (1u << shift) - 1;
    *across = (job->space.columns + last) >> shift;
    *tiles = *across * ((job->space.rows + last) >> shift);
}

/* Groups of one launch: all that are resident, or for schedule hardware one a tile as far as stacks go. */
static uint32_t groups_of(const rd__sched_job *job, uint32_t scheme, uint32_t resident, uint32_t capacity,
                          uint32_t tiles)
{
    const uint64_t most = stack_limit / ((uint64_t)capacity * TASK_BYTES);
    uint32_t groups = job->groups ? job->groups : resident;
    if (scheme == TILES_HARDWARE)
        groups = tiles < most ? tiles : (uint32_t)most;
    if (groups > tiles)
        groups = tiles;
    return groups ? groups : 1;
}

static rd__width tiles_width(const rd__sched_job *job)
{
    uint32_t across, tiles;
    rd__width width = choose_lanes(job);
    const uint32_t scheme = scheme_of(job), capacity = capacity_of(job, width.lanes);
    count_tiles(job, shift_of(job), &across, &tiles);
    const uint32_t known = width.groups ? width.groups : UINT32_MAX; /* resident; a GPU does not say */
    const uint32_t groups = groups_of(job, scheme, known, capacity, tiles);
    if (scheme == TILES_HARDWARE || groups < known) {
        width.at_most = scheme != TILES_HARDWARE && known == UINT32_MAX;
        width.groups = groups;
        width.groups_why = scheme != TILES_HARDWARE ? "there are no more tiles"
                           : groups == tiles        ? "one for each tile"
                                                    : "their stacks are as many as memory is given to";
    }
    return width;
}

/* A thief takes what keeps its lanes busy once; the other schemes take whole tiles. */
static uint32_t unit_of(uint32_t scheme, uint32_t shift, uint32_t lanes)
{
    uint32_t unit = CPU_UNIT;
    while (1u << unit < lanes)
        unit++;
    return scheme == TILES_STEAL && unit < 2 * shift ? unit : 2 * shift;
}

static void tiles_plan(const rd__sched_job *job, rd_plan *plan)
{
    uint32_t across, tiles;
    const uint32_t lanes = lanes_of(job), capacity = capacity_of(job, lanes);
    count_tiles(job, shift_of(job), &across, &tiles);
    /* How many groups are resident is known once the kernel is; this is about what GPUs hold. */
    const uint32_t cores = job->device && !job->device->info.is_gpu ? job->device->info.compute_units : PLANNED_GROUPS;
    const uint32_t groups = groups_of(job, scheme_of(job), cores, capacity, tiles);
    rd__plan_add(plan, "stacks of tasks", (uint64_t)groups * capacity * TASK_BYTES, 0, 0);
    rd__plan_add(plan, "deques", 8ull * groups, 0, 0);
    rd__plan_add(plan, "control words", 4 * TILES_WORDS + 8 * TILES_COUNTS, 0, 0);
}

static void tiles_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->stack);
    rd__buffer_free(&state->deque);
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->counts);
    rd__program_unload(state->device, state->program);
    rd__free(state->range);
    rd__free(state);
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd_device *device = job->device;
    uint32_t resident = 0;
    state->device = device;
    state->scheme = scheme_of(job);
    state->shift = shift_of(job);
    state->lanes = lanes_of(job);
    state->discrete = strcmp(job->launch, "discrete") == 0;
    RD_TRY(rd__sched_load(job, "tiles", state->lanes, NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "tiles_run", &state->kernel, err));
    RD_TRY(device->backend->resident(state->kernel, &resident, err));
    state->capacity = capacity_of(job, state->lanes);
    count_tiles(job, state->shift, &state->across, &state->tiles);
    state->unit = unit_of(state->scheme, state->shift, state->lanes);
    if ((uint64_t)state->tiles << (2 * state->shift - state->unit) > UINT32_MAX / 2)
        return rd__fail(err, RD_EARG, "scheduler tiles: a plane of %u x %u is too large; use a larger --tile",
                        job->space.columns, job->space.rows);
    state->units = state->tiles << (2 * state->shift - state->unit);
    state->groups = groups_of(job, state->scheme, resident, state->capacity, state->tiles);
    state->range = rd__calloc(state->groups, sizeof *state->range);
    if (!state->range)
        return rd__fail_memory(err, "ranges of tiles", state->groups * sizeof *state->range);
    const uint64_t stack = (uint64_t)state->groups * state->capacity * TASK_BYTES;
    RD_TRY(rd__buffer_alloc(device, &state->stack, "stacks of tasks", stack, err));
    RD_TRY(rd__buffer_alloc(device, &state->deque, "deques", 8ull * state->groups, err));
    RD_TRY(rd__buffer_alloc(device, &state->control, "control words", 4 * TILES_WORDS, err));
    return rd__buffer_alloc(device, &state->counts, "counters", 8 * TILES_COUNTS, err);
}

static rd_status tiles_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler tiles", sizeof *state);
    rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        tiles_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

/* ---- Running ---- */

/* Units [first, last): each group owns as many as any other, so a few numbers may stand for nothing. */
static rd_status write_ranges(rd__sched_state *state, uint32_t first, uint32_t last, rd_error *err)
{
    uint32_t word[TILES_WORDS] = {0};
    if (state->scheme == TILES_STEAL) {
        const uint32_t length = (last - first + state->groups - 1) / state->groups;
        for (uint32_t g = 0; g < state->groups; g++)
            state->range[g] = (uint64_t)((g + 1) * length) << 32 | g * length;
        word[TILES_LEFT] = length * state->groups;
        state->handed_out += word[TILES_LEFT];
        RD_TRY(rd__buffer_write(&state->deque, 0, 8ull * state->groups, state->range, err));
    } else {
        state->handed_out += last - first;
    }
    return rd__buffer_write(&state->control, 0, sizeof word, word, err);
}

static rd_status launch(rd__sched_state *state, const rd__sched_job *job, uint32_t first, uint32_t last, rd_error *err)
{
    const uint32_t groups = state->groups < last - first ? state->groups : last - first;
    rd__arg args[OWN_ARGS + MAX_APP_ARGS] = {RD__BUFFER(&state->stack),
                                             RD__BUFFER(&state->deque),
                                             RD__BUFFER(&state->control),
                                             RD__BUFFER(&state->counts),
                                             RD__U32(state->scheme),
                                             RD__U32(state->capacity),
                                             RD__U32(state->shift),
                                             RD__U32(state->unit),
                                             RD__U32(state->across),
                                             RD__U32(job->space.columns),
                                             RD__U32(job->space.rows),
                                             RD__U32(first),
                                             RD__U32(last)};
    if (job->arg_count > MAX_APP_ARGS)
        return rd__fail(err, RD_EARG, "app %s has more than %d kernel arguments", job->app, MAX_APP_ARGS);
    memcpy(args + OWN_ARGS, job->args, job->arg_count * sizeof *args);
    RD_TRY(state->device->backend->launch(state->kernel, state->scheme == TILES_STEAL ? state->groups : groups, 0, args,
                                          OWN_ARGS + job->arg_count, err));
    return state->device->backend->time_mark(state->device, err);
}

/* Units of the next launch. */
static uint32_t part_of(const rd__sched_state *state, uint32_t left, uint32_t part)
{
    if (state->scheme == TILES_HARDWARE)
        part = part < state->groups ? part : state->groups;
    return left < part ? left : part;
}

static rd_status run_all(rd__sched_state *state, const rd__sched_job *job, uint32_t *launches, rd_error *err)
{
    uint32_t part = state->discrete ? FIRST_ROUNDS * state->groups : state->units;
    state->handed_out = 0;
    for (uint32_t first = 0; first < state->units;) {
        const double began = rd_now();
        const uint64_t done = first >> (2 * state->shift - state->unit);
        const uint32_t last = first + part_of(state, state->units - first, part);
        RD_TRY(write_ranges(state, first, last, err));
        RD_TRY(launch(state, job, first, last, err));
        first = last;
        ++*launches;
        RD_TRY(rd__sched_wait(state->device, job, done, state->tiles, "tiles", err));
        if (state->discrete) {
            RD_TRY(rd__sched_tell(job, first >> (2 * state->shift - state->unit), state->tiles, "tiles", err));
            if (rd_now() - began < launch_seconds && part < state->units)
                part *= 2;
        }
    }
    return RD_OK;
}

static rd_status tiles_run(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                           rd_report *report, rd_error *err)
{
    uint64_t count[TILES_COUNTS] = {0};
    uint32_t launches = 0;
    (void)seed;
    (void)seeds;
    RD_TRY(rd__buffer_write(&state->counts, 0, sizeof count, count, err));
    RD_TRY(state->device->backend->time_begin(state->device, err));
    RD_TRY(run_all(state, job, &launches, err));
    RD_TRY(state->device->backend->time_end(state->device, &report->kernel_s, err));
    RD_TRY(rd__buffer_read(&state->counts, 0, sizeof count, count, err));
    const uint64_t items = (uint64_t)job->space.columns * job->space.rows;
    if (count[TILES_TAKEN] != state->handed_out || count[TILES_TASKS] != items + count[TILES_GIVEN])
        return rd__fail(err, RD_EDEVICE,
                        "%s miscomputed: scheduler tiles ran %llu tasks of %llu, of %llu units of %llu; run `raddle "
                        "selftest -d %s`",
                        state->device->info.name, (unsigned long long)count[TILES_TASKS],
                        (unsigned long long)(items + count[TILES_GIVEN]), (unsigned long long)count[TILES_TAKEN],
                        (unsigned long long)state->handed_out, state->device->info.name);
    report->tasks = count[TILES_TASKS];
    report->tasks_needed = count[TILES_TASKS];
    report->launches = launches;
    report->groups = state->groups;
    report->lanes = state->lanes;
    rd__measure(report, "tiles", state->tiles);
    if (state->scheme == TILES_STEAL) {
        rd__measure(report, "steals", (double)count[TILES_STEALS]);
        rd__measure(report, "steal_attempts", (double)count[TILES_ATTEMPTS]);
    }
    return RD_OK;
}

static const char *const launches[] = {"persistent", "discrete", NULL};

const rd__sched rd__sched_tiles = {
    .name = "tiles",
    .text = "a plane of items in tiles: static, a central counter, stealing, or one group a tile",
    .launches = launches,
    .options = options,
    .width = tiles_width,
    .plan = tiles_plan,
    .create = tiles_create,
    .destroy = tiles_destroy,
    .run = tiles_run,
};
