/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.c - scheduler `tiles`, host side: its options, its memory and its program (tiles/tiles.k.h says what the kernel
 * does and why nothing overflows; tiles/run.c runs it).
 */
#include "sched/tiles/tiles.h"

#include "core/memory.h"
#include "sched/tiles/layout.k.h"

#include <string.h>

enum { TASK_BYTES = 32, GPU_LANES = 32, GPU_TILE = 8, CPU_TILE = 16, CPU_UNIT = 5 };
enum { PLANNED_GROUPS = 4096, WORKERS_MOST = 1 << 20 };
enum { STATIC_SHARES = 10, SPARE_STACKS = 4, BUNCH_MOST = 1, BUNCHES = 8 };

static const rd_option_info options[] = {
    {"schedule", "fixed|static|central|steal|hardware", "steal", "how tiles find workers", 0},
    {"tile", "2|4|8|16|32|64|128", NULL, "width of a tile in items (default: by device and schedule)", 0},
    {"share", "0|1", "1", "schedule steal: workers that find no tile take tasks from others' stacks", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static uint32_t scheme_of(const rd__sched_job *job)
{
    return rd__sched_option_is(job, "schedule", "static")    ? TILES_STATIC
           : rd__sched_option_is(job, "schedule", "fixed")   ? TILES_STATIC
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

/* ---- Sizes ---- */

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
    return lanes == 1 ? job->plane.pack : lanes;
}

/* Tasks on a group's stack: see tiles.k.h. */
static uint32_t capacity_of(const rd__sched_job *job, uint32_t lanes)
{
    const uint32_t capacity = job->plane.gives * slots_of(job, lanes) * (job->plane.depth - 1);
    return capacity ? capacity : 1;
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

/* Groups that run at a time. */
static uint32_t places_of(const rd__sched_job *job, uint32_t resident, uint64_t units)
{
    const uint32_t wanted = job->groups && job->groups < resident ? job->groups : resident;
    const uint32_t places = wanted < WORKERS_MOST ? wanted : WORKERS_MOST - 1;
    return places < 1 ? 1 : places < units ? places : (uint32_t)units;
}

/* Groups that have a share of the tiles: those that run. Static, unless each is to have one share and no more (fixed):
 * on a GPU several times as many. It runs the oldest of
 * its warps first: of five with equal shares on a scheduler the first was done in 60 % of the time that the last one
 * took, alone at the end. With smaller shares there is another one to take the place. */
static uint32_t workers_of(const rd__sched_job *job, uint32_t places, uint64_t units)
{
    const int many = rd__sched_option_is(job, "schedule", "static") && job->device && job->device->info.is_gpu;
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
    const int steals = scheme_of(job) == TILES_STEAL, wanted = rd__sched_number(job, "share") != 0;
    if (!steals && !wanted)
        rd__sched_say_unused(job, "share", "it is for schedule steal");
    return steals && wanted && job->plane.depth > 1 && workers > 1;
}

/* Tiles, and what is cut out of them. */
static void cut(const rd__sched_job *job, rd__tiles_sizes *size)
{
    size->scheme = scheme_of(job);
    size->lanes = choose_lanes(job).lanes;
    size->shift = shift_of(job);
    const uint32_t last = (1u << size->shift) - 1;
    size->across = (job->plane.columns + last) >> size->shift;
    size->tiles = size->across * ((job->plane.rows + last) >> size->shift);
    size->unit = unit_of(size->scheme, size->shift, size->lanes);
    size->in_tile = 2 * size->shift - size->unit;
    size->units = (uint64_t)size->tiles << size->in_tile;
}

static rd__tiles_sizes size_up(const rd__sched_job *job, uint32_t resident)
{
    rd__tiles_sizes size = {0};
    cut(job, &size);
    size.places = places_of(job, resident, size.units);
    size.workers = workers_of(job, size.places, size.units);
    size.stacks = stacks_of(size.scheme, size.places, size.workers);
    size.capacity = capacity_of(job, size.lanes);
    size.ranges = size.scheme == TILES_STEAL ? size.workers : 1;
    size.bunch = bunch_of(size.units, size.workers, size.lanes);
    size.share = (uint32_t)shares(job, size.workers);
    size.offered = size.share ? size.workers * slots_of(job, size.lanes) : 1;
    return size;
}

static uint64_t stack_bytes(const rd__tiles_sizes *size)
{
    return (uint64_t)size->stacks * size->capacity * TASK_BYTES;
}

/* Words that tell of offers: tiles_offers.k.h. */
static uint64_t offers_bytes(const rd__tiles_sizes *size)
{
    return 4ull * (size->ranges + (size->ranges + 31) / 32);
}

static rd__width tiles_width(const rd__sched_job *job)
{
    rd__tiles_sizes size = {0};
    rd__width width = choose_lanes(job);
    cut(job, &size);
    const uint32_t most = size.units < UINT32_MAX ? (uint32_t)size.units : UINT32_MAX;
    if (size.scheme == TILES_HARDWARE || !width.groups || width.groups > most) {
        width.groups_why = size.scheme == TILES_HARDWARE ? "one for each tile or part of one"
                           : size.scheme == TILES_STATIC && !width.groups
                               ? "ten for each that is resident, if tiles have as many parts"
                               : "tiles have no more parts";
        width.at_most = size.scheme == TILES_HARDWARE || !width.groups;
        width.groups = most;
    }
    return width;
}

static void tiles_plan(const rd__sched_job *job, rd_plan *plan)
{
    /* How many groups are resident is known once the kernel is; this is about what GPUs hold. */
    const uint32_t cores = job->device && !job->device->info.is_gpu ? job->device->info.compute_units : PLANNED_GROUPS;
    const rd__tiles_sizes size = size_up(job, cores);
    rd__plan_add(plan, "stacks of tasks", stack_bytes(&size) + 4ull * size.stacks, 0, 0);
    rd__plan_add(plan, "offers of tasks", (uint64_t)size.offered * TASK_BYTES + offers_bytes(&size), 0, 0);
    rd__plan_add(plan, "ranges", 8ull * size.ranges, 0, 0);
    rd__plan_add(plan, "control words", 4 * TILES_WORDS + 8 * TILES_STRIPES * TILES_STRIPE, 0, 0);
}

/* ---- Making ---- */

static void tiles_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->stack);
    rd__buffer_free(&state->claim);
    rd__buffer_free(&state->ranges);
    rd__buffer_free(&state->offered);
    rd__buffer_free(&state->offers);
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->counts);
    rd__program_unload(state->device, state->program);
    rd__free(state->first_range);
    rd__free(state);
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd_device *device = job->device;
    rd__tiles_sizes *size = &state->size;
    uint32_t resident = 0;
    state->device = device;
    state->discrete = !job->persistent || job->shares;
    RD_TRY(rd__sched_load(job, "tiles", choose_lanes(job).lanes, NULL, &state->program, err));
    RD_TRY(rd__kernel_find(device, state->program, "tiles_run", &state->kernel, err));
    RD_TRY(rd__sched_resident(job, state->kernel, &resident, err));
    *size = size_up(job, resident);
    if (size->units > UINT32_MAX / 2 || (uint64_t)size->tiles << 2 * size->shift > UINT32_MAX)
        return rd__fail(err, RD_EARG, "scheduler tiles: a plane of %u x %u is too large; use a larger --tile",
                        job->plane.columns, job->plane.rows);
    state->first_range = rd__calloc(size->ranges, sizeof *state->first_range);
    if (!state->first_range)
        return rd__fail_memory(err, "ranges of tiles", size->ranges * sizeof *state->first_range);
    const uint64_t offered = (uint64_t)size->offered * TASK_BYTES;
    RD_TRY(rd__buffer_alloc(device, &state->stack, "stacks of tasks", stack_bytes(size), err));
    RD_TRY(rd__buffer_alloc(device, &state->claim, "claims of stacks", 4ull * size->stacks, err));
    RD_TRY(rd__buffer_alloc(device, &state->ranges, "ranges", 8ull * size->ranges, err));
    RD_TRY(rd__buffer_alloc(device, &state->offered, "offers of tasks", offered, err));
    RD_TRY(rd__buffer_alloc(device, &state->offers, "offers", offers_bytes(size), err));
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

static const char *const launches[] = {"persistent", "discrete", NULL};

static const rd__policy policy = {
    .name = "tiles",
    .text = "a plane of items in tiles: static, a central counter, stealing, or one group a tile",
    .launches = launches,
};

static const char *needs_all(const rd__sched_job *job)
{
    (void)job;
    return "tiles are dealt to all groups of a launch";
}

const rd__engine rd__engine_tiles_plane = {
    .policy = &policy,
    .tag = "tiles",
    .model = RD__MODEL_PLANE,
    .options = options,
    .width = tiles_width,
    .needs_all = needs_all,
    .plan = tiles_plan,
    .create = tiles_create,
    .destroy = tiles_destroy,
    .run = rd__tiles_run,
    .freeze = rd__tiles_freeze,
};
