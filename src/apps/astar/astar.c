/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astar.c - least-cost paths on a grid, host side: options, the grid as bits, the way back. astar/astar.k.c is the
 * search, astar/input.c reads, astar/check.c proves.
 */
#include "apps/common/answer.h"
#include "apps/astar/check.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"

#include "core/memory.h"
#include "gen/args/astar.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

enum { PLACE_TEXT = 32 };

typedef struct astar_state {
    /* options */
    uint64_t seed;
    uint32_t cut_corners;
    char source_text[PLACE_TEXT], target_text[PLACE_TEXT]; /* "X,Y"; empty: the first and the last open cell */
    /* the input */
    rd__astar_grid grid;
    uint32_t source, target;
    /* on the device */
    rd__buffer open, cost;
    /* of the last run */
    uint32_t ran_cut_corners, ran_source, ran_target;
    uint32_t *costs, *path; /* path: in the last of as many words as there are cells */
    uint64_t path_at, path_count, needed, touched;
} astar_state;

static const rd_option_info info[] = {
    {"source", "X,Y", NULL, "where to start, column and row from 0 (default: the first open cell)", 'r'},
    {"target", "X,Y", NULL, "where to go (default: the last open cell)", 't'},
    {"cut-corners", NULL, "0", "diagonal steps may touch walls", 0},
    {"seed", "N", NULL, "of the generator (default: always the same)", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "source"},
    {.key = "target"},
    {.key = "cut-corners", .kind = RD__OPTION_FLAG, .at = offsetof(astar_state, cut_corners)},
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

static rd_status astar_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    astar_state *own = job->state;
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
    const rd__watch watch = rd__job_watch(job);
    return rd__astar_open(text, own->seed, &watch, &own->grid, err);
}

static void astar_close(rd_job *job)
{
    rd__astar_free(&((astar_state *)job->state)->grid);
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
    return grid->open[*cell] ? RD_OK : rd__fail(err, RD_EARG, "%s %s is a wall", key, text);
}

static rd_status astar_validate(rd_job *job, rd_error *err)
{
    astar_state *own = job->state;
    const rd__astar_grid *grid = &own->grid;
    uint64_t first = 0, last = cells_of(grid);
    while (first < last && !grid->open[first])
        first++;
    if (first == last)
        return rd__fail(err, RD_EINPUT, "%s: every cell is a wall", grid->provenance);
    while (!grid->open[last - 1])
        last--;
    own->source = (uint32_t)first;
    own->target = (uint32_t)(last - 1);
    if (own->source_text[0])
        RD_TRY(place(grid, "source", own->source_text, &own->source, err));
    return own->target_text[0] ? place(grid, "target", own->target_text, &own->target, err) : RD_OK;
}

/* ---- Buffers ---- */

static uint64_t astar_items(const rd_job *job)
{
    return cells_of(&((const astar_state *)job->state)->grid);
}

static rd_status astar_alloc(rd_job *job, rd_error *err)
{
    astar_state *own = job->state;
    const uint64_t cells = cells_of(&own->grid), words = (cells + 31) / 32;
    uint32_t *bits;
    RD_TRY(rd__array_new(&bits, "open cells on the host", words, sizeof *bits, err));
    memset(bits, 0, words * sizeof *bits);
    for (uint64_t i = 0; i < cells; i++)
        bits[i / 32] |= (uint32_t)own->grid.open[i] << i % 32;
    const rd_status status = rd__buffer_write(&own->open, 0, 4 * words, bits, err);
    rd__array_free(bits);
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
                             .target = own->target,
                             .cut_corners = own->cut_corners};
    return astar_args_pack(&list, args);
}

static rd_status astar_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    astar_state *own = job->state;
    const uint32_t zero = 0;
    own->ran_source = own->source;
    own->ran_target = own->target;
    own->ran_cut_corners = own->cut_corners;
    RD_TRY(rd__buffer_write(&own->cost, 4ull * own->source, sizeof zero, &zero, err));
    rd__seeds_one(seeds, own->source);
    return RD_OK;
}

/* ---- After a run ---- */

/* The cell before `cell` on a least-cost path; RD_NONE: there is none, which cannot be. A cell's cost came from a
 * neighbour, and had that one's cost dropped since without a second look at this cell, the target's cost would not be
 * the least. */
static uint32_t cell_before(const astar_state *own, uint32_t cell)
{
    const rd__astar_grid *grid = &own->grid;
    const int64_t x = cell % grid->width, y = cell / grid->width;
    for (int i = 0; i < 9; i++) {
        const int64_t dx = i % 3 - 1, dy = i / 3 - 1, nx = x + dx, ny = y + dy;
        if (i == 4 || nx < 0 || ny < 0 || nx >= grid->width || ny >= grid->height)
            continue;
        const int64_t from = ny * grid->width + nx;
        const int beside = grid->open[y * grid->width + nx] && grid->open[ny * grid->width + x];
        const uint32_t step = dx && dy ? RD__ASTAR_DIAGONAL : RD__ASTAR_STRAIGHT;
        if ((!dx || !dy || beside || own->ran_cut_corners) && own->costs[from] != RD_NONE &&
            own->costs[from] + step == own->costs[cell])
            return (uint32_t)from;
    }
    return RD_NONE;
}

/* Cells that any search with this bound has to expand: those whose cost and bound together are below the least cost. */
static void count_cells(astar_state *own)
{
    const uint32_t width = own->grid.width, tx = own->ran_target % width, ty = own->ran_target / width;
    own->needed = own->touched = 0;
    for (uint64_t i = 0; i < cells_of(&own->grid); i++) {
        if (own->costs[i] == RD_NONE)
            continue;
        const uint32_t x = (uint32_t)(i % width), y = (uint32_t)(i / width);
        const uint32_t dx = x < tx ? tx - x : x - tx, dy = y < ty ? ty - y : y - ty, both = dx < dy ? dx : dy;
        const uint32_t left = RD__ASTAR_STRAIGHT * (dx + dy - 2 * both) + RD__ASTAR_DIAGONAL * both;
        own->touched++;
        own->needed += own->costs[i] + left < own->costs[own->ran_target];
    }
}

static rd_status astar_fetch(rd_job *job, rd_error *err)
{
    astar_state *own = job->state;
    const uint64_t cells = cells_of(&own->grid);
    RD_TRY(rd__buffer_read(&own->cost, 0, 4 * cells, own->costs, err));
    count_cells(own);
    own->path_at = cells;
    own->path_count = 0;
    if (own->costs[own->ran_target] == RD_NONE)
        return RD_OK;
    uint32_t cell = own->ran_target;
    for (;;) {
        own->path[--own->path_at] = cell;
        own->path_count++;
        if (cell == own->ran_source)
            return RD_OK;
        const uint32_t before = cell_before(own, cell);
        if (before == RD_NONE || own->path_at == 0)
            return rd__fail(err, RD_EWRONG, "astar: no neighbour accounts for the cost %u of cell %u", own->costs[cell],
                            cell);
        cell = before;
    }
}

static void astar_report(rd_job *job, rd_report *report)
{
    const astar_state *own = job->state;
    report->reached = own->touched;
    report->tasks_needed = own->needed;
    rd__measure(report, "reachable", own->path_count > 0);
    if (own->path_count) {
        rd__measure(report, "cost", own->costs[own->ran_target]);
        rd__measure(report, "steps", (double)(own->path_count - 1));
    }
    rd__measure(report, "cells_reached", (double)own->touched);
    rd__measure(report, "cells_needed", (double)own->needed);
}

static void astar_result(const rd_job *job, rd_result *result)
{
    const astar_state *own = job->state;
    *result = (rd_result){
        .name = "cell", .word = own->path + own->path_at, .count = own->path_count, .download_s = job->download_s};
}

static rd_status astar_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const astar_state *own = job->state;
    return rd__astar_check(&own->grid, own->ran_cut_corners != 0, own->ran_source, own->ran_target, result->word,
                           result->count, own->costs[own->ran_target], err);
}

static void astar_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const astar_state *own = job->state;
    (void)result;
    if (own->path_count)
        rd__snprintf(text, room, "a path of cost %u, %llu steps", own->costs[own->ran_target],
                     (unsigned long long)own->path_count - 1);
    else
        rd__snprintf(text, room, "there is no path");
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
    .finish = rd__app_fetch,
    .report = astar_report,
    .fetch = astar_fetch,
    .result = astar_result,
    .answer = astar_answer,
    .check = astar_check,
};
