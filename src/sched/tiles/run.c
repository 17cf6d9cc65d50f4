/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - scheduler `tiles`: a run.
 *
 * Launch `persistent` is one launch for all tiles. Launch `discrete` runs some tiles at a time, so many that a launch
 * takes about a tenth of a second: the host can report progress and stop in between. A job that shares its device runs
 * so too, with shorter launches. For a trace a persistent run is cut into launches as well, for tasks on stacks do not
 * outlive one: some tiles, then, by the rate of the launch before, as many as take rd__trace_slice. A launch
 * ends when the last group has no more to do while others have none already, so it has FIRST_ROUNDS tiles for each, and
 * what would be too few for another one goes with the last.
 */
#include "sched/tiles/tiles.h"

#include "raddle/tool.h"
#include "sched/freeze.h"
#include "sched/parts/launch.h"
#include "sched/tiles/layout.k.h"

#include <string.h>

enum { KEPT_BACK = 3, FIRST_ROUNDS = 8 };

/* Some tiles in a row, of one launch. */
typedef struct part {
    uint32_t from, to; /* one behind them */
    uint32_t whole;    /* that are handed out whole */
} part;

/* Tiles of a launch that are handed out whole (tiles/units.k.h). Static: as many for each group. The others: all but
 * the last few of each place, since the group that comes last to a tile is busy with it while the others go on, and
 * some tiles are several times as much work as others. */
static uint32_t whole_of(const rd__sched_state *state, uint32_t tiles)
{
    const uint32_t rest =
        state->size.scheme == TILES_STATIC ? tiles % state->size.workers : KEPT_BACK * state->size.places;
    return tiles > rest ? tiles - rest : 0;
}

/* Deques for this many units: each group owns as many as any other, so a few numbers may stand for nothing. */
static rd_status write_ranges(rd__sched_state *state, uint32_t units, uint32_t *control, rd_error *err)
{
    const uint32_t row = state->groups << state->size.bunch;
    const uint32_t length = (units + row - 1) / row << state->size.bunch;
    const uint32_t left = length * state->groups;
    for (uint32_t g = 0; g < state->groups; g++)
        state->first_range[g] = (uint64_t)((g + 1) * length) << 32 | g * length;
    state->handed_out += left;
    control[TILES_LEFT] = control[TILES_UNITS] = left;
    return rd__buffer_write(&state->ranges, 0, 8ull * state->groups, state->first_range, err);
}

/* What a launch for these tiles finds in memory. */
static rd_status prepare(rd__sched_state *state, uint32_t from, uint32_t to, part *p, rd_error *err)
{
    uint32_t control[TILES_RESET] = {0};
    const uint32_t whole = whole_of(state, to - from), units = (to - from) << state->size.in_tile;
    const uint32_t portions = whole + units - (whole << state->size.in_tile);
    *p = (part){from, to, whole};
    if (state->size.scheme == TILES_STEAL) {
        state->groups = state->size.workers;
        RD_TRY(write_ranges(state, units, control, err));
    } else {
        state->groups =
            state->size.scheme == TILES_HARDWARE || portions < state->size.workers ? portions : state->size.workers;
        state->handed_out += portions;
    }
    return rd__buffer_write(&state->control, 0, sizeof control, control, err);
}

RD__ARGS(tiles_args, TILES_ARGS)

static rd_status pack(rd__sched_state *state, const part *p, rd__launch *launch, rd_error *err)
{
    const rd__tiles_sizes *size = &state->size;
    const tiles_args args = {.stack = &state->stack,
                             .claim = &state->claim,
                             .range = &state->ranges,
                             .offered = &state->offered,
                             .offers = &state->offers,
                             .control = &state->control,
                             .counts = &state->counts,
                             .scheme = size->scheme,
                             .stacks = size->stacks,
                             .capacity = size->capacity,
                             .shift = size->shift,
                             .unit = size->unit,
                             .bunch = size->bunch,
                             .across = size->across,
                             .columns = launch->job->plane.columns,
                             .rows = launch->job->plane.rows,
                             .first = p->from << size->in_tile,
                             .last = p->to << size->in_tile,
                             .whole = p->whole,
                             .share = size->share};
    rd__arg own[RD__MAX_ARGS];
    launch->groups = state->groups;
    return rd__launch_pack(launch, own, tiles_args_pack(&args, own), err);
}

/* What all groups have counted so far. */
static rd_status read_counts(const rd__sched_state *state, uint64_t *count, rd_error *err)
{
    uint64_t stripe[TILES_STRIPES * TILES_STRIPE];
    memset(count, 0, TILES_COUNTS * sizeof *count);
    RD_TRY(rd__buffer_read(&state->counts, 0, sizeof stripe, stripe, err));
    for (int i = 0; i < TILES_STRIPES * TILES_COUNTS; i++)
        count[i % TILES_COUNTS] += stripe[i / TILES_COUNTS * TILES_STRIPE + i % TILES_COUNTS];
    return RD_OK;
}

/* For a trace, between launches: what waits is items that nobody has begun. */
static rd_status look(const rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const uint64_t items = (uint64_t)job->plane.columns * job->plane.rows;
    uint64_t count[TILES_COUNTS];
    if (!job->traced)
        return RD_OK;
    RD_TRY(read_counts(state, count, err));
    const uint64_t tasks = count[TILES_TASKS];
    rd__sched_look(job, tasks, items + count[TILES_GIVEN] - tasks, tasks, tasks);
    return RD_OK;
}

/* Tiles of the next launch of a traced run that would be one, after one of `ran` tiles. */
static uint32_t slice_of(const rd__launch *launch, uint32_t ran, uint32_t least)
{
    const double tiles = ran * rd__trace_slice(launch->job) / (rd_now() - launch->began);
    return tiles < least ? least : tiles < UINT32_MAX / 2 ? (uint32_t)tiles : UINT32_MAX / 2;
}

/* The clock starts when all that the first launch needs is there. */
static rd_status run_all(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const uint64_t rounds = (uint64_t)FIRST_ROUNDS * state->size.places;
    const int cut = state->discrete || job->traced;
    const uint32_t least = cut && rounds < state->size.tiles ? (uint32_t)rounds : state->size.tiles;
    uint32_t step = least;
    rd__launch launch = {.job = job, .kernel = state->kernel, .step = RD__NO_STEP};
    part p;
    const uint32_t first = state->done;
    for (uint32_t from = first; from < state->size.tiles; from = p.to) {
        const uint32_t enough = state->discrete ? step : step + step / 2;
        RD_TRY(prepare(state, from, state->size.tiles - from < enough ? state->size.tiles : from + step, &p, err));
        if (from == first)
            RD_TRY(rd__time_begin(state->device, err));
        RD_TRY(pack(state, &p, &launch, err));
        RD_TRY(rd__launch_batch(&launch, 0, 1, err));
        state->launches++;
        RD_TRY(rd__sched_wait(state->device, job, from, state->size.tiles, "tiles", err));
        RD_TRY(look(state, job, err));
        if (state->discrete) {
            RD_TRY(rd__sched_tell(job, p.to, state->size.tiles, "tiles", err));
            step = rd__launch_pace(&launch, step, state->size.tiles, RD__BATCH_SECONDS);
            step = step < state->size.places ? state->size.places : step;
        } else if (job->traced) {
            step = slice_of(&launch, p.to - from, least);
        }
        state->done = p.to;
        if (p.to < state->size.tiles)
            RD_TRY(rd__sched_pass(job, err));
    }
    return RD_OK;
}

/* How full turns were, and how even workers' turns: 1 is best. */
static rd_status measure(const rd__sched_state *state, const uint64_t *count, uint32_t launches, rd_report *report,
                         rd_error *err)
{
    uint32_t most = 0;
    RD_TRY(rd__buffer_read(&state->control, 4 * TILES_MOST, sizeof most, &most, err));
    rd__measure(report, "tiles", state->size.tiles);
    rd__measure(report, "lane_use", (double)count[TILES_TASKS] / (double)count[TILES_PLACES]);
    if (launches == 1 && state->size.scheme != TILES_HARDWARE)
        rd__measure(report, "balance", (double)count[TILES_TURNS] / ((double)most * state->groups));
    if (state->size.scheme == TILES_STEAL) {
        rd__measure(report, "steals", (double)count[TILES_STEALS]);
        rd__measure(report, "steal_attempts", (double)count[TILES_ATTEMPTS]);
        rd__measure(report, "tasks_stolen", (double)count[TILES_STOLEN]);
        rd__measure(report, "units_returned", (double)count[TILES_BACK]);
    }
    return RD_OK;
}

/* Stacks, ranges and offers are empty between launches. */
rd_status rd__tiles_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    RD_TRY(rd__freeze_same(freeze, "the number of tiles", state->size.tiles, err));
    RD_TRY(rd__freeze_same(freeze, "the number of workers", state->size.workers, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->done, sizeof state->done, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->launches, sizeof state->launches, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->handed_out, sizeof state->handed_out, err));
    RD_TRY(rd__freeze_fixed(freeze, &state->control, err));
    return rd__freeze_fixed(freeze, &state->counts, err);
}

rd_status rd__tiles_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                        rd_error *err)
{
    uint64_t count[TILES_COUNTS];
    uint32_t deep = 0;
    (void)seeds;
    if (!job->resumes) {
        state->done = state->launches = 0;
        state->handed_out = 0;
        RD_TRY(rd__buffer_fill(&state->counts, 0, err));
        RD_TRY(rd__buffer_fill(&state->control, 0, err));
    }
    RD_TRY(rd__buffer_fill(&state->claim, 0, err)); /* a run that was stopped may have left some, here too: */
    RD_TRY(rd__buffer_fill(&state->offers, 0, err));
    RD_TRY(run_all(state, job, err));
    RD_TRY(rd__time_end(state->device, &report->kernel_s, err));
    RD_TRY(read_counts(state, count, err));
    RD_TRY(rd__buffer_read(&state->control, 4 * TILES_DEEP, sizeof deep, &deep, err));
    if (deep)
        return rd__fail(err, RD_EINPUT,
                        "%s: tasks are more than %u one below the other, which is the depth that it says: %s", job->app,
                        job->plane.depth, "say more (RD_PLANE's third number)");
    const uint64_t items = (uint64_t)job->plane.columns * job->plane.rows;
    if (count[TILES_TAKEN] != state->handed_out || count[TILES_TASKS] != items + count[TILES_GIVEN])
        return rd__fail(err, RD_EDEVICE,
                        "%s miscomputed: scheduler tiles ran %llu tasks of %llu, of %llu portions of %llu; run `raddle "
                        "selftest -d %s`",
                        state->device->info.name, (unsigned long long)count[TILES_TASKS],
                        (unsigned long long)(items + count[TILES_GIVEN]), (unsigned long long)count[TILES_TAKEN],
                        (unsigned long long)state->handed_out, state->device->info.name);
    report->tasks = count[TILES_TASKS];
    report->tasks_needed = count[TILES_TASKS];
    report->launches = state->launches;
    report->groups = state->groups;
    report->lanes = state->size.lanes;
    return measure(state, count, state->launches, report, err);
}
