/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astar.c - least-cost paths on a grid, host side: options, the grid as bits, one search or those of a file of
 * scenarios. astar/astar.k.c is the search, astar/way.c the way back, astar/input.c and scen.c read, batch.c keeps what
 * scenarios gave, check.c proves.
 */
#include "apps/astar/batch.h"
#include "apps/astar/way.h"
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"

#include "core/memory.h"
#include "gen/args/astar.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <math.h>
#include <string.h>

enum { PLACE_TEXT = 32 };

typedef struct astar_state {
    /* options */
    uint64_t seed;
    uint32_t cut_corners;
    uint32_t diagonal;                                     /* costs 1.4, or the root of 2 */
    char source_text[PLACE_TEXT], target_text[PLACE_TEXT]; /* "X,Y"; empty: the first and the last open cell */
    char *scen_path;                                       /* NULL: one search */
    /* the input */
    rd__astar_grid grid;
    uint32_t source, target;
    rd__astar_batch batch; /* of scen_path, once it was read for this grid */
    int batch_fits;
    /* on the device */
    rd__buffer open, cost;
    uint8_t open_terrain; /* what `open` has bits of; 0: of nothing yet */
    /* of the last run */
    int ran_batch;
    rd__astar_search ran;
    uint32_t *costs, *path; /* path: in the last of as many words as there are cells */
    uint64_t path_count, needed, touched;
} astar_state;

static const rd_option_info info[] = {
    {"source", "X,Y", NULL, "where to start, column and row from 0 (default: the first open cell)", 'r'},
    {"target", "X,Y", NULL, "where to go (default: the last open cell)", 't'},
    {"cut-corners", NULL, "0", "diagonal steps may touch walls", 0},
    {"diagonal", "1.4|sqrt2", "1.4", "what a diagonal step costs, where a straight one costs 1", 0},
    {"scen", "FILE", NULL, "solve the scenarios of a MovingAI .scen file, and compare with the published lengths", 0},
    {"seed", "N", NULL, "of the generator (default: always the same)", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "source"},
    {.key = "target"},
    {.key = "cut-corners", .kind = RD__OPTION_FLAG, .at = offsetof(astar_state, cut_corners)},
    {.key = "diagonal", .kind = RD__OPTION_CHOICE, .at = offsetof(astar_state, diagonal)},
    {.key = "scen"},
    {.key = "seed",
     .kind = RD__OPTION_U64,
     .at = offsetof(astar_state, seed),
     .most = UINT64_MAX,
     .changes = RD__CHANGES_INPUT},
    {0},
};
static const rd__app_array arrays[] = {
    {.name = "open cells", .at = offsetof(astar_state, open), .bits = 1},
    {.name = "costs", .at = offsetof(astar_state, cost), .each = 4, .filled = 1, .first = RD_NONE},
    {.name = "costs on the host", .at = offsetof(astar_state, costs), .each = 4, .on_host = 1},
    {.name = "the path", .at = offsetof(astar_state, path), .each = 4, .on_host = 1},
    {0},
};
static const char *const samples[] = {
    "grid:40x30:0.25",
    "grid:40x30:0.3 cut-corners=1",
    "grid:40x30:0.1 source=30,2 target=3,20",
    "grid:40x30:0.2 diagonal=sqrt2",
    "grid:1x1",
    "grid:1x200:0",
    "grid:300x1:0",
    "grid:30x30:0",
    "grid:50x50:0.6",
    "grid:20x20:1 cut-corners=1",
    "grid:150x100:0.35 seed=2",
    NULL,
};

/* ---- Options and input ---- */

static rd_status set_scen(astar_state *own, const char *path, rd_error *err)
{
    char *copy = *path ? rd__strdup(path) : NULL;
    if (*path && !copy)
        return rd__fail_memory(err, "the name of a file", strlen(path) + 1);
    rd__free(own->scen_path);
    own->scen_path = copy;
    own->batch_fits = 0;
    return RD_OK;
}

static rd_status astar_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    astar_state *own = job->state;
    if (strcmp(key, "scen") == 0)
        return set_scen(own, value, err);
    char *place = strcmp(key, "source") == 0 ? own->source_text : own->target_text;
    if (strlen(value) >= PLACE_TEXT || !strchr(value, ','))
        return rd__fail(err, RD_EARG, "%s '%.40s' is not of the form X,Y", key, value);
    memcpy(place, value, strlen(value) + 1);
    return RD_OK;
}

static rd_status astar_open(rd_job *job, const char *text, rd_error *err)
{
    astar_state *own = job->state;
    rd__astar_free(&own->grid);
    own->batch_fits = 0;
    const rd__watch watch = rd__job_watch(job);
    return rd__astar_open(text, own->seed, &watch, &own->grid, err);
}

static void astar_close(rd_job *job)
{
    astar_state *own = job->state;
    rd__astar_free(&own->grid);
    rd__astar_batch_free(&own->batch);
    rd__free(own->scen_path);
}

static uint64_t cells_of(const rd__astar_grid *grid)
{
    return (uint64_t)grid->width * grid->height;
}

/* "X,Y" to a cell. */
static rd_status place(const rd__astar_grid *grid, const char *key, const char *text, uint32_t *cell, rd_error *err)
{
    char copy[PLACE_TEXT];
    uint64_t x, y;
    memcpy(copy, text, PLACE_TEXT);
    char *comma = strchr(copy, ',');
    *comma = '\0';
    if (!rd_parse_u64(copy, &x) || !rd_parse_u64(comma + 1, &y))
        return rd__fail(err, RD_EARG, "%s '%s' is not of the form X,Y", key, text);
    if (x >= grid->width || y >= grid->height)
        return rd__fail(err, RD_EARG, "%s %s is outside the grid: columns 0 to %u, rows 0 to %u", key, text,
                        grid->width - 1, grid->height - 1);
    *cell = (uint32_t)(y * grid->width + x);
    return grid->terrain[*cell] ? RD_OK : rd__fail(err, RD_EARG, "%s %s is a wall", key, text);
}

/* The first and the last cell of a terrain. @return 0: there is none. */
static int ends_of(const rd__astar_grid *grid, uint8_t terrain, uint32_t *source, uint32_t *target)
{
    uint64_t first = 0, last = cells_of(grid);
    while (first < last && grid->terrain[first] != terrain)
        first++;
    if (first == last)
        return 0;
    while (grid->terrain[last - 1] != terrain)
        last--;
    *source = (uint32_t)first;
    *target = (uint32_t)(last - 1);
    return 1;
}

static rd_status validate_scen(rd_job *job, rd_error *err)
{
    astar_state *own = job->state;
    const rd__watch watch = rd__job_watch(job);
    if (own->source_text[0] || own->target_text[0])
        return rd__fail(err, RD_EARG, "scenarios have sources and targets of their own: leave out source and target");
    if (!own->batch_fits)
        RD_TRY(rd__astar_batch_open(&own->batch, own->scen_path, &own->grid, &watch, err));
    own->batch_fits = 1;
    own->source = rd__astar_batch_cell(&own->batch, &own->grid, 0, 0);
    own->target = rd__astar_batch_cell(&own->batch, &own->grid, 0, 1);
    return RD_OK;
}

static rd_status astar_validate(rd_job *job, rd_error *err)
{
    astar_state *own = job->state;
    const rd__astar_grid *grid = &own->grid;
    uint32_t ignored;
    if (!ends_of(grid, RD__ASTAR_LAND, &own->source, &own->target) &&
        !ends_of(grid, RD__ASTAR_WATER, &own->source, &own->target))
        return rd__fail(err, RD_EINPUT, "%s: every cell is a wall", grid->provenance);
    if (own->scen_path)
        return validate_scen(job, err);
    if (own->source_text[0])
        RD_TRY(place(grid, "source", own->source_text, &own->source, err));
    if (own->target_text[0])
        return place(grid, "target", own->target_text, &own->target, err);
    ends_of(grid, grid->terrain[own->source], &ignored, &own->target);
    return RD_OK;
}

/* ---- Buffers ---- */

static uint64_t astar_items(const rd_job *job)
{
    return cells_of(&((const astar_state *)job->state)->grid);
}

static rd_status astar_alloc(rd_job *job, rd_error *err)
{
    (void)err;
    ((astar_state *)job->state)->open_terrain = 0;
    return RD_OK;
}

/* A search never leaves the terrain that it starts on: the rest is walls to it. */
static rd_status open_cells(astar_state *own, rd_error *err)
{
    const uint64_t cells = cells_of(&own->grid), words = (cells + 31) / 32;
    const uint8_t terrain = own->grid.terrain[own->ran.source];
    uint32_t *bits;
    if (own->open_terrain == terrain)
        return RD_OK;
    RD_TRY(rd__array_new(&bits, "open cells on the host", words, sizeof *bits, err));
    memset(bits, 0, words * sizeof *bits);
    for (uint64_t i = 0; i < cells; i++)
        bits[i / 32] |= (uint32_t)(own->grid.terrain[i] == terrain) << i % 32;
    const rd_status status = rd__buffer_write(&own->open, 0, 4 * words, bits, err);
    rd__array_free(bits);
    own->open_terrain = status == RD_OK ? terrain : 0;
    return status;
}

RD__ARGS(astar_args, ASTAR_ARGS)

static uint32_t astar_pack(rd_job *job, rd__arg *args)
{
    const astar_state *own = job->state;
    const astar_args list = {.open = &own->open,
                             .cost = &own->cost,
                             .width = own->grid.width,
                             .height = own->grid.height,
                             .target = own->ran.target,
                             .cut_corners = own->ran.cut_corners,
                             .straight = own->ran.step.straight,
                             .diagonal = own->ran.step.diagonal};
    return astar_args_pack(&list, args);
}

/* The costs are RD_NONE on entry. */
static rd_status begin_search(astar_state *own, uint32_t source, uint32_t target, rd__seeds *seeds, rd_error *err)
{
    const uint32_t zero = 0;
    own->ran.source = source;
    own->ran.target = target;
    RD_TRY(open_cells(own, err));
    RD_TRY(rd__buffer_write(&own->cost, 4ull * source, sizeof zero, &zero, err));
    rd__seeds_one(seeds, source);
    return RD_OK;
}

static rd_status astar_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    astar_state *own = job->state;
    own->ran_batch = own->scen_path != NULL;
    own->needed = own->touched = 0;
    own->ran = (rd__astar_search){.grid = &own->grid, .cut_corners = own->cut_corners, .cost = own->costs};
    own->ran.step = own->diagonal || own->ran_batch ? rd__astar_octile(&own->grid)
                                                    : (rd__astar_costs){.straight = 10, .diagonal = 14};
    if (own->ran_batch)
        rd__astar_batch_restart(&own->batch);
    return begin_search(own, own->source, own->target, seeds, err);
}

/* ---- After a search ---- */

/* The cells of the path that was found. */
static const uint32_t *path_of(const astar_state *own)
{
    return own->path + cells_of(&own->grid) - own->path_count;
}

static rd_status end_search(astar_state *own, rd_error *err)
{
    RD_TRY(rd__buffer_read(&own->cost, 0, 4 * cells_of(&own->grid), own->costs, err));
    rd__astar_count(&own->ran, &own->needed, &own->touched);
    return rd__astar_way(&own->ran, own->path, &own->path_count, err);
}

/* The next scenario. */
static rd_status astar_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    astar_state *own = job->state;
    rd__astar_batch *batch = &own->batch;
    const rd__watch watch = rd__job_watch(job);
    (void)report;
    if (!own->ran_batch)
        return RD_OK;
    RD_TRY(end_search(own, err));
    RD_TRY(rd__astar_batch_add(batch, &own->grid, path_of(own), own->path_count, err));
    *more = batch->done < batch->scen.count;
    if (!*more)
        return RD_OK;
    if (rd__watch_stops(&watch, "astar", batch->done, batch->scen.count, "scenarios"))
        return rd__fail(err, RD_ECANCELLED, "stopped after %llu of %llu scenarios", (unsigned long long)batch->done,
                        (unsigned long long)batch->scen.count);
    RD_TRY(rd__buffer_fill(&own->cost, RD_NONE, err));
    return begin_search(own, rd__astar_batch_cell(batch, &own->grid, batch->done, 0),
                        rd__astar_batch_cell(batch, &own->grid, batch->done, 1), seeds, err);
}

static rd_status astar_fetch(rd_job *job, rd_error *err)
{
    astar_state *own = job->state;
    return own->ran_batch ? RD_OK : end_search(own, err); /* scenarios were looked at one by one */
}

static void astar_report(rd_job *job, rd_report *report)
{
    const astar_state *own = job->state;
    const rd__astar_batch *batch = &own->batch;
    report->reached = own->touched;
    report->tasks_needed = own->needed;
    if (own->ran_batch) {
        rd__measure(report, "scenarios", (double)batch->done);
        rd__measure(report, "as_published", (double)batch->as_published);
        rd__measure(report, "longer", (double)batch->longer);
        rd__measure(report, "shorter", (double)batch->shorter);
        rd__measure(report, "without_path", (double)batch->no_path);
    } else {
        rd__measure(report, "reachable", own->path_count > 0);
        if (own->path_count) {
            rd__measure(report, "cost", own->costs[own->ran.target]);
            rd__measure(report, "length", rd__astar_length(&own->grid, path_of(own), own->path_count));
            rd__measure(report, "steps", (double)(own->path_count - 1));
        }
    }
    rd__measure(report, "cells_reached", (double)own->touched);
    rd__measure(report, "cells_needed", (double)own->needed);
}

static void astar_result(const rd_job *job, rd_result *result)
{
    const astar_state *own = job->state;
    *result =
        (rd_result){.name = "cell", .word = path_of(own), .count = own->path_count, .download_s = job->download_s};
    if (own->ran_batch)
        *result = (rd_result){.name = "length",
                              .kind = RD_RESULT_F32,
                              .real = own->batch.length,
                              .count = own->batch.done,
                              .download_s = job->download_s};
}

/* By which share whole costs may miss the root of 2: way.c. */
static double tolerance_of(rd__astar_costs step)
{
    return 1e-9 + 0.25 / ((double)step.straight * step.straight);
}

static rd_status astar_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const astar_state *own = job->state;
    const rd__watch watch = rd__job_watch(job);
    const rd__astar_search *ran = &own->ran;
    const int whole = ran->step.straight == 10;
    const rd__astar_rules rules = {.cut_corners = ran->cut_corners != 0,
                                   .straight = whole ? 10 : 1,
                                   .diagonal = whole ? 14 : sqrt(2.0),
                                   .tolerance = whole ? 0 : tolerance_of(ran->step)};
    if (own->ran_batch)
        return rd__astar_batch_check(&own->batch, &own->grid, &rules, &watch, err);
    const rd__astar_claim claim = {.source = ran->source,
                                   .target = ran->target,
                                   .path = result->word,
                                   .count = result->count,
                                   .cost = whole ? own->costs[ran->target]
                                                 : rd__astar_length(&own->grid, result->word, result->count)};
    return rd__astar_check(&own->grid, &rules, &claim, err);
}

static void astar_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const astar_state *own = job->state;
    const unsigned long long steps = own->path_count - 1;
    (void)result;
    if (own->ran_batch)
        rd__astar_batch_answer(&own->batch, text, room);
    else if (own->path_count == 0)
        rd__snprintf(text, room, "there is no path");
    else if (own->ran.step.straight == 10)
        rd__snprintf(text, room, "a path of cost %u, %llu steps", own->costs[own->ran.target], steps);
    else
        rd__snprintf(text, room, "a path of length %.8f, %llu steps",
                     rd__astar_length(&own->grid, path_of(own), own->path_count), steps);
}

const rd__app rd__app_astar = {
    .info = {.name = "astar",
             .text = "A*: the path of least cost between two cells of a grid with obstacles, in 8 directions",
             .options = info,
             .input = RD_INPUT_TEXT,
             .input_name = "GRID",
             .input_text = "GRID is a file of rows of '.' (open) and '#' (wall), a MovingAI .map, '-' for standard "
                           "input,\nor grid:WxH[:DENSITY], where each cell is a wall with this probability [0.2].\n",
             .samples = samples},
    .state_bytes = sizeof(astar_state),
    .options = options,
    .arrays = arrays,
    .items = astar_items,
    .set = astar_set,
    .open = astar_open,
    .close = astar_close,
    .validate = astar_validate,
    .alloc = astar_alloc,
    .args = astar_pack,
    .choose = rd__choose_ranked,
    .start = astar_start,
    .next = astar_next,
    .finish = rd__app_fetch,
    .report = astar_report,
    .fetch = astar_fetch,
    .result = astar_result,
    .answer = astar_answer,
    .check = astar_check,
};
