/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.c - scheduler `tiles`, host side (tiles.k.h says what the kernel does and why nothing overflows).
 *
 * Launch `persistent` is one launch for all tiles. Launch `discrete` runs some tiles at a time, so many that a launch
 * takes about a tenth of a second: the host can report progress and stop in between.
 */
#include "sched/sched.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/tiles_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { OWN_ARGS = 20, MAX_APP_ARGS = 16, TASK_BYTES = 32, GPU_LANES = 32, GPU_TILE = 8, CPU_TILE = 16 };
enum { PLANNED_GROUPS = 4096, FIRST_ROUNDS = 8, CPU_UNIT = 5, WORKERS_MOST = 1 << 20 };
enum { KEPT_BACK = 3, STATIC_SHARES = 10, SPARE_STACKS = 4, BUNCH_MOST = 1, BUNCHES = 8 };
static const double launch_seconds = 0.1; /* discrete */

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer stack, claim, deque, offered, offers, control, counts;
    uint64_t *range; /* the deques as they begin */
    uint32_t scheme, shift, lanes, capacity, discrete, share;
    uint32_t places;  /* groups that run at a time */
    uint32_t workers; /* groups that have a share of the tiles */
    uint32_t stacks;
    uint32_t groups; /* of the last launch */
    uint32_t across, tiles;
    uint32_t unit, in_tile; /* items of a unit, units of a tile: powers of two */
    uint32_t bunch;         /* steal: units that lie side by side in a range; a power of two */
    uint64_t handed_out;    /* portions of all launches of a run, with units that are padding */
};

static const rd_option_info options[] = {
    {"schedule", "static|central|steal|hardware", "steal", "how tiles find workers", 0},
    {"tile", "2|4|8|16|32|64|128", NULL, "width of a tile in items (default: by device and schedule)", 0},
    {"share", "0|1", "1", "schedule steal: workers that find no tile take tasks from others' stacks", 0},
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

/* Tasks that a group runs at a time, at most. */
static uint32_t slots_of(const rd__sched_job *job, uint32_t lanes)
{
    return lanes == 1 ? job->space.pack : lanes;
}

/* Tasks on a group's stack: see tiles.k.h. */
static uint32_t capacity_of(const rd__sched_job *job, uint32_t lanes)
{
    const uint32_t capacity = job->space.gives * slots_of(job, lanes) * (job->space.depth - 1);
    return capacity ? capacity : 1;
}

static void count_tiles(const rd__sched_job *job, uint32_t shift, uint32_t *across, uint32_t *tiles)
{
    const uint32_t last = (1u << shift) - 1;
    *across = (job->space.columns + last) >> shift;
    *tiles = *across * ((job->space.rows + last) >> shift);
}

/* What keeps a group's lanes busy once. A group of its own for each (hardware) should find more to do than to begin and
 * to end. */
static uint32_t unit_of(uint32_t scheme, uint32_t shift, uint32_t lanes)
{
    uint32_t unit = CPU_UNIT;
    while (1u << unit < lanes)
        unit++;
    unit += scheme == TILES_HARDWARE;
    return unit < 2 * shift ? unit : 2 * shift;
}

static rd__width tiles_width(const rd__sched_job *job)
{
    uint32_t across, tiles;
    rd__width width = choose_lanes(job);
    const uint32_t scheme = scheme_of(job), shift = shift_of(job);
    count_tiles(job, shift, &across, &tiles);
    const uint64_t units = (uint64_t)tiles << (2 * shift - unit_of(scheme, shift, width.lanes));
    const uint32_t most = units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
    if (scheme == TILES_HARDWARE || !width.groups || width.groups > most) {
        width.at_most = scheme == TILES_HARDWARE || !width.groups;
        width.groups = most;
        width.groups_why = scheme == TILES_HARDWARE ? "one for each tile or part of one" : "tiles have no more parts";
    }
    return width;
}

/* Groups that run at a time. */
static uint32_t places_of(const rd__sched_job *job, uint32_t resident, uint64_t units)
{
    const uint32_t wanted = job->groups && job->groups < resident ? job->groups : resident;
    const uint32_t places = wanted < WORKERS_MOST ? wanted : WORKERS_MOST - 1;
    return places < 1 ? 1 : places < units ? places : (uint32_t)units;
}

/* Groups that have a share of the tiles: those that run. Static: on a GPU several times as many. It runs the oldest of
 * its warps first: of five with equal shares on a scheduler the first was done in 60 % of the time that the last one
 * took, alone at the end. With smaller shares there is another one to take the place. */
static uint32_t workers_of(const rd__sched_job *job, uint32_t places, uint64_t units)
{
    const int many = scheme_of(job) == TILES_STATIC && job->device && job->device->info.is_gpu;
    const uint64_t wanted = job->groups ? job->groups : (uint64_t)places * (many ? STATIC_SHARES : 1);
    const uint64_t workers = wanted < WORKERS_MOST ? wanted : WORKERS_MOST - 1;
    return (uint32_t)(workers < units ? workers : units);
}

/* Stacks of tasks. Where there are more groups than places a group looks for a free one from its number on, and each
 * that is in use costs it a trip to memory: with just one for each place there would be a single free one at a time,
 * and the search for it took as long as a tile. */
static uint32_t stacks_of(uint32_t scheme, uint32_t places, uint32_t workers)
{
    return scheme == TILES_HARDWARE || scheme == TILES_STATIC ? SPARE_STACKS * places : workers;
}

/* Pairs of units that lie side by side find each other's data in a nearby cache. But ranges are made of them, and
 * should come out even. */
static uint32_t bunch_of(uint64_t units, uint32_t workers, uint32_t lanes)
{
    uint32_t bunch = 0;
    while (lanes > 1 && bunch < BUNCH_MOST && units >> (bunch + 1) >= (uint64_t)BUNCHES * workers)
        bunch++;
    return bunch;
}

/* Tasks can be stolen: there are some beside items, and more than one group. */
static int shares(const rd__sched_job *job, uint32_t workers)
{
    return scheme_of(job) == TILES_STEAL && rd__sched_number(job, "share") && job->space.depth > 1 && workers > 1;
}

/* Bytes of all offers, and of the words that tell of them: tiles_offers.k.h. */
static uint64_t offered_bytes(const rd__sched_job *job, uint32_t lanes, uint32_t workers)
{
    return shares(job, workers) ? (uint64_t)workers * slots_of(job, lanes) * TASK_BYTES : TASK_BYTES;
}

static uint64_t offers_bytes(uint32_t workers)
{
    return 4ull * (workers + (workers + 31) / 32);
}

/* Tiles of a launch that are handed out whole (tiles_units.k.h). Static: as many for each group. The others: all but
 * the last few of each place, since the group that comes last to a tile is busy with it while the others go on, and
 * some tiles are several times as much work as others. */
static uint32_t whole_of(const rd__sched_state *state, uint32_t tiles)
{
    const uint32_t rest = state->scheme == TILES_STATIC ? tiles % state->workers : KEPT_BACK * state->places;
    return tiles > rest ? tiles - rest : 0;
}

static void tiles_plan(const rd__sched_job *job, rd_plan *plan)
{
    uint32_t across, tiles;
    const uint32_t lanes = lanes_of(job), capacity = capacity_of(job, lanes), shift = shift_of(job);
    const uint32_t unit = unit_of(scheme_of(job), shift, lanes);
    count_tiles(job, shift, &across, &tiles);
    /* How many groups are resident is known once the kernel is; this is about what GPUs hold. */
    const uint32_t cores = job->device && !job->device->info.is_gpu ? job->device->info.compute_units : PLANNED_GROUPS;
    const uint64_t units = (uint64_t)tiles << (2 * shift - unit);
    const uint32_t places = places_of(job, cores, units), workers = workers_of(job, places, units);
    const uint64_t stacks = stacks_of(scheme_of(job), places, workers);
    rd__plan_add(plan, "stacks of tasks", stacks * capacity * TASK_BYTES, 0, 0);
    rd__plan_add(plan, "offers of tasks", offered_bytes(job, lanes, workers) + offers_bytes(workers), 0, 0);
    rd__plan_add(plan, "deques", 12ull * workers, 0, 0);
    rd__plan_add(plan, "control words", 4 * TILES_WORDS + 8 * TILES_STRIPES * TILES_STRIPE, 0, 0);
}

static void tiles_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->stack);
    rd__buffer_free(&state->claim);
    rd__buffer_free(&state->deque);
    rd__buffer_free(&state->offered);
    rd__buffer_free(&state->offers);
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
    state->in_tile = 2 * state->shift - state->unit;
    const uint64_t units = (uint64_t)state->tiles << state->in_tile;
    if (units > UINT32_MAX / 2 || (uint64_t)state->tiles << 2 * state->shift > UINT32_MAX)
        return rd__fail(err, RD_EARG, "scheduler tiles: a plane of %u x %u is too large; use a larger --tile",
                        job->space.columns, job->space.rows);
    state->places = places_of(job, resident, units);
    state->workers = workers_of(job, state->places, units);
    state->bunch = bunch_of(units, state->workers, state->lanes);
    state->range = rd__calloc(state->workers, sizeof *state->range);
    if (!state->range)
        return rd__fail_memory(err, "ranges of tiles", state->workers * sizeof *state->range);
    state->stacks = stacks_of(state->scheme, state->places, state->workers);
    const uint64_t stack = (uint64_t)state->stacks * state->capacity * TASK_BYTES;
    RD_TRY(rd__buffer_alloc(device, &state->stack, "stacks of tasks", stack, err));
    RD_TRY(rd__buffer_alloc(device, &state->claim, "claims of stacks", 4ull * state->stacks, err));
    RD_TRY(rd__buffer_alloc(device, &state->deque, "deques", 8ull * state->workers, err));
    state->share = (uint32_t)shares(job, state->workers);
    RD_TRY(rd__buffer_alloc(device, &state->offered, "offers of tasks",
                            offered_bytes(job, state->lanes, state->workers), err));
    RD_TRY(rd__buffer_alloc(device, &state->offers, "offers", offers_bytes(state->workers), err));
    RD_TRY(rd__buffer_alloc(device, &state->control, "control words", 4 * TILES_WORDS, err));
    return rd__buffer_alloc(device, &state->counts, "counters", 8 * TILES_STRIPES * TILES_STRIPE, err);
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

/* Some tiles in a row, of one launch. */
typedef struct part {
    uint32_t from, to; /* one behind them */
    uint32_t whole;    /* that are handed out whole */
} part;

/* Deques for this many units: each group owns as many as any other, so a few numbers may stand for nothing. */
static rd_status write_ranges(rd__sched_state *state, uint32_t units, uint32_t *control, rd_error *err)
{
    const uint32_t row = state->groups << state->bunch;
    const uint32_t length = (units + row - 1) / row << state->bunch;
    const uint32_t left = length * state->groups;
    for (uint32_t g = 0; g < state->groups; g++)
        state->range[g] = (uint64_t)((g + 1) * length) << 32 | g * length;
    state->handed_out += left;
    control[TILES_LEFT] = control[TILES_UNITS] = left;
    return rd__buffer_write(&state->deque, 0, 8ull * state->groups, state->range, err);
}

/* What a launch for these tiles finds in memory. */
static rd_status prepare(rd__sched_state *state, uint32_t from, uint32_t to, part *p, rd_error *err)
{
    uint32_t control[TILES_RESET] = {0};
    const uint32_t whole = whole_of(state, to - from), units = (to - from) << state->in_tile;
    const uint32_t portions = whole + units - (whole << state->in_tile);
    *p = (part){from, to, whole};
    if (state->scheme == TILES_STEAL) {
        state->groups = state->workers;
        RD_TRY(write_ranges(state, units, control, err));
    } else {
        state->groups = state->scheme == TILES_HARDWARE || portions < state->workers ? portions : state->workers;
        state->handed_out += portions;
    }
    return rd__buffer_write(&state->control, 0, sizeof control, control, err);
}

static rd_status launch(rd__sched_state *state, const rd__sched_job *job, const part *p, rd_error *err)
{
    rd__arg args[OWN_ARGS + MAX_APP_ARGS] = {RD__BUFFER(&state->stack),
                                             RD__BUFFER(&state->claim),
                                             RD__BUFFER(&state->deque),
                                             RD__BUFFER(&state->offered),
                                             RD__BUFFER(&state->offers),
                                             RD__BUFFER(&state->control),
                                             RD__BUFFER(&state->counts),
                                             RD__U32(state->scheme),
                                             RD__U32(state->stacks),
                                             RD__U32(state->capacity),
                                             RD__U32(state->shift),
                                             RD__U32(state->unit),
                                             RD__U32(state->bunch),
                                             RD__U32(state->across),
                                             RD__U32(job->space.columns),
                                             RD__U32(job->space.rows),
                                             RD__U32(p->from << state->in_tile),
                                             RD__U32(p->to << state->in_tile),
                                             RD__U32(p->whole),
                                             RD__U32(state->share)};
    if (job->arg_count > MAX_APP_ARGS)
        return rd__fail(err, RD_EARG, "%s has more than %d kernel arguments", job->app, MAX_APP_ARGS);
    memcpy(args + OWN_ARGS, job->args, job->arg_count * sizeof *args);
    RD_TRY(state->device->backend->launch(state->kernel, state->groups, 0, args, OWN_ARGS + job->arg_count, err));
    return state->device->backend->time_mark(state->device, err);
}

/* The clock starts when all that the first launch needs is there. */
static rd_status run_all(rd__sched_state *state, const rd__sched_job *job, uint32_t *launches, rd_error *err)
{
    const uint64_t rounds = (uint64_t)FIRST_ROUNDS * state->places;
    uint32_t step = state->discrete && rounds < state->tiles ? (uint32_t)rounds : state->tiles;
    part p;
    state->handed_out = 0;
    for (uint32_t from = 0; from < state->tiles; from = p.to) {
        const double began = rd_now();
        RD_TRY(prepare(state, from, state->tiles - from < step ? state->tiles : from + step, &p, err));
        if (from == 0)
            RD_TRY(state->device->backend->time_begin(state->device, err));
        RD_TRY(launch(state, job, &p, err));
        ++*launches;
        RD_TRY(rd__sched_wait(state->device, job, from, state->tiles, "tiles", err));
        if (state->discrete) {
            RD_TRY(rd__sched_tell(job, p.to, state->tiles, "tiles", err));
            if (rd_now() - began < launch_seconds && step < state->tiles)
                step *= 2;
        }
    }
    return RD_OK;
}

/* How full turns were, and how even workers' turns: 1 is best. */
static rd_status measure(const rd__sched_state *state, const uint64_t *count, uint32_t launches, rd_report *report,
                         rd_error *err)
{
    uint32_t most = 0;
    RD_TRY(rd__buffer_read(&state->control, 4 * TILES_MOST, sizeof most, &most, err));
    rd__measure(report, "tiles", state->tiles);
    rd__measure(report, "lane_use", (double)count[TILES_TASKS] / (double)count[TILES_PLACES]);
    if (launches == 1 && state->scheme != TILES_HARDWARE)
        rd__measure(report, "balance", (double)count[TILES_TURNS] / ((double)most * state->groups));
    if (state->scheme == TILES_STEAL) {
        rd__measure(report, "steals", (double)count[TILES_STEALS]);
        rd__measure(report, "steal_attempts", (double)count[TILES_ATTEMPTS]);
        rd__measure(report, "tasks_stolen", (double)count[TILES_STOLEN]);
        rd__measure(report, "units_returned", (double)count[TILES_BACK]);
    }
    return RD_OK;
}

static rd_status tiles_run(rd__sched_state *state, const rd__sched_job *job, const uint32_t *seed, uint32_t seeds,
                           rd_report *report, rd_error *err)
{
    uint64_t stripe[TILES_STRIPES * TILES_STRIPE], count[TILES_COUNTS] = {0};
    uint32_t launches = 0;
    (void)seed;
    (void)seeds;
    RD_TRY(rd__buffer_fill(&state->counts, 0, err));
    RD_TRY(rd__buffer_fill(&state->control, 0, err));
    RD_TRY(rd__buffer_fill(&state->claim, 0, err)); /* a run that was stopped may have left some, here too: */
    RD_TRY(rd__buffer_fill(&state->offers, 0, err));
    RD_TRY(run_all(state, job, &launches, err));
    RD_TRY(state->device->backend->time_end(state->device, &report->kernel_s, err));
    RD_TRY(rd__buffer_read(&state->counts, 0, sizeof stripe, stripe, err));
    for (int i = 0; i < TILES_STRIPES * TILES_COUNTS; i++)
        count[i % TILES_COUNTS] += stripe[i / TILES_COUNTS * TILES_STRIPE + i % TILES_COUNTS];
    const uint64_t items = (uint64_t)job->space.columns * job->space.rows;
    if (count[TILES_TAKEN] != state->handed_out || count[TILES_TASKS] != items + count[TILES_GIVEN])
        return rd__fail(err, RD_EDEVICE,
                        "%s miscomputed: scheduler tiles ran %llu tasks of %llu, of %llu portions of %llu; run `raddle "
                        "selftest -d %s`",
                        state->device->info.name, (unsigned long long)count[TILES_TASKS],
                        (unsigned long long)(items + count[TILES_GIVEN]), (unsigned long long)count[TILES_TAKEN],
                        (unsigned long long)state->handed_out, state->device->info.name);
    report->tasks = count[TILES_TASKS];
    report->tasks_needed = count[TILES_TASKS];
    report->launches = launches;
    report->groups = state->groups;
    report->lanes = state->lanes;
    return measure(state, count, launches, report, err);
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
