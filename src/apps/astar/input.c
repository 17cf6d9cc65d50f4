/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c - grids with obstacles.
 *
 * Files, in two layouts told apart by the first line:
 *     rows of '.' (open) and '#' (wall), all of one length; blank lines at the end are ignored
 *     "type octile", "height H", "width W", "map", then H rows: the format of N. Sturtevant's MovingAI benchmarks,
 * where
 *     '.' and 'G' are ground, 'S' is swamp, which is entered from ground and left to it, 'W' is water, which is crossed
 *     but neither entered from ground nor left to it, and '@', 'O' and 'T' are walls
 * The generator grid:WxH[:DENSITY] makes each cell a wall with this probability (0.2), but for the first and the last.
 */
#include "apps/astar/input.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static rd_status name_it(rd__astar_grid *grid, const char *text, rd_error *err)
{
    grid->provenance = rd__strdup(text);
    return grid->provenance ? RD_OK : rd__fail_memory(err, "the name of an input", strlen(text) + 1);
}

void rd__astar_free(rd__astar_grid *grid)
{
    rd__array_free(grid->terrain);
    rd__free(grid->provenance);
    *grid = (rd__astar_grid){0};
}

/* ---- The generator ---- */

static rd_status generate(const char *text, uint64_t seed, const rd__watch *watch, rd__astar_grid *grid, rd_error *err)
{
    char source[160];
    uint64_t size[2];
    double density;
    rd__gen_args args;
    RD_TRY(rd__spec_split(text, "grid:WxH[:DENSITY]", &args, err));
    RD_TRY(rd__gen_sizes(&args, 0, 2, size, err));
    RD_TRY(rd__gen_fraction(&args, 1, "DENSITY", 0.2, &density, err));
    if (size[0] > RD__ASTAR_CELLS_MAX || size[1] > RD__ASTAR_CELLS_MAX / size[0])
        return rd__fail(err, RD_EARG, "a grid of %" PRIu64 " x %" PRIu64 " is too large: at most %u cells", size[0],
                        size[1], RD__ASTAR_CELLS_MAX);
    if (seed == 0)
        seed = RD_SEED;
    const uint64_t cells = size[0] * size[1], stream = rd__stream(seed, "grid"), walls = rd__threshold(density);
    RD_TRY(rd__array_new(&grid->terrain, "a grid", cells, 1, err));
    grid->width = (uint32_t)size[0];
    grid->height = (uint32_t)size[1];
    for (uint64_t i = 0; i < cells; i++) {
        if (i % RD__WATCH_ITEMS == 0 && watch && rd__watch_stops(watch, "generating", i, cells, "cells"))
            return rd__fail(err, RD_ECANCELLED, "%.80s: stopped while generating", text);
        grid->terrain[i] = i == 0 || i == cells - 1 || rd__draw(stream, i) >> 32 >= walls;
    }
    rd__snprintf(source, sizeof source, "grid:%ux%u:%g seed %" PRIu64, grid->width, grid->height, density, seed);
    return name_it(grid, source, err);
}

/* ---- Files ---- */

/* @return the terrain; -1: there is no such letter. */
static int terrain_of(char c, int octile)
{
    if (octile)
        return strchr(".GS", c) ? RD__ASTAR_LAND : strchr("@OT", c) ? RD__ASTAR_WALL : c == 'W' ? RD__ASTAR_WATER : -1;
    return c == '.' ? RD__ASTAR_LAND : c == '#' ? RD__ASTAR_WALL : -1;
}

/* Adds a row; the first one says how wide they are, unless the header did. */
static rd_status add_row(const rd__lines *lines, rd__astar_grid *grid, const char *line, int octile, uint64_t *room,
                         rd_error *err)
{
    const size_t length = strlen(line);
    if (grid->width == 0) {
        if (length > RD__ASTAR_CELLS_MAX)
            return rd__lines_fail(lines, err, "a row of %zu cells: at most %u", length, RD__ASTAR_CELLS_MAX);
        grid->width = (uint32_t)length;
    }
    if (length != grid->width)
        return rd__lines_fail(lines, err, "a row of %zu cells, where %u were expected", length, grid->width);
    const uint64_t used = (uint64_t)grid->width * grid->height, cells = used + length;
    if (cells > RD__ASTAR_CELLS_MAX)
        return rd__lines_fail(lines, err, "the grid is too large: at most %u cells", RD__ASTAR_CELLS_MAX);
    if (cells > *room) {
        const uint64_t wanted = cells > 2 * *room ? cells : 2 * *room;
        RD_TRY(rd__array_grow(&grid->terrain, "a grid", used, wanted, 1, err));
        *room = wanted;
    }
    for (size_t x = 0; x < length; x++) {
        const int terrain = terrain_of(line[x], octile);
        if (terrain < 0)
            return rd__lines_fail(lines, err, "column %zu is neither open nor a wall: expected %s", x + 1,
                                  octile ? "one of .GSW@OT" : "'.' or '#'");
        grid->terrain[used + x] = (uint8_t)terrain;
    }
    grid->height++;
    return RD_OK;
}

/* "height 512": the number after a word. */
static rd_status header(rd__lines *lines, const char *word, uint32_t *value, rd_error *err)
{
    char *line;
    uint64_t number = 0;
    const size_t length = strlen(word);
    RD_TRY(rd__text_line(&lines->text, &line, err));
    if (!line)
        return rd__fail(err, RD_EINPUT, "%s: the file ends where \"%s\" was expected", lines->source.name, word);
    const char *at = line + length;
    if (strncmp(line, word, length) != 0)
        return rd__lines_fail(lines, err, "expected \"%s%s\"", word, value ? " N" : "");
    if (value) {
        if (rd__take_u64(&at, &number) != 1 || number < 1 || number > RD__ASTAR_CELLS_MAX)
            return rd__lines_fail(lines, err, "expected \"%s N\" with a number from 1 to %u", word,
                                  RD__ASTAR_CELLS_MAX);
        *value = (uint32_t)number;
    }
    return rd__at_line_end(&at) ? RD_OK : rd__lines_fail(lines, err, "expected the end of the line after \"%s\"", word);
}

rd_status rd__astar_read(rd__lines *lines, rd__astar_grid *grid, rd_error *err)
{
    char *line;
    uint64_t room = 0;
    uint32_t height = 0;
    RD_TRY(rd__text_line(&lines->text, &line, err));
    const int octile = line && strncmp(line, "type ", 5) == 0;
    if (octile) {
        if (strcmp(line, "type octile") != 0)
            return rd__lines_fail(lines, err, "the map is not of \"type octile\"");
        RD_TRY(header(lines, "height", &height, err));
        RD_TRY(header(lines, "width", &grid->width, err));
        RD_TRY(header(lines, "map", NULL, err));
        RD_TRY(rd__text_line(&lines->text, &line, err));
    }
    int ended = 0;
    while (line) {
        if (*line == '\0')
            ended = 1; /* only blank lines may follow */
        else if (ended)
            return rd__lines_fail(lines, err, "a row after a blank line");
        else
            RD_TRY(add_row(lines, grid, line, octile, &room, err));
        RD_TRY(rd__text_line(&lines->text, &line, err));
    }
    if (grid->height == 0)
        return rd__fail(err, RD_EINPUT, "%s: there are no rows: expected lines of '.' and '#'", lines->source.name);
    if (octile && grid->height != height)
        return rd__fail(err, RD_EINPUT, "%s: the header says %u rows, but there are %u", lines->source.name, height,
                        grid->height);
    return RD_OK;
}

static rd_status read_file(const char *text, const rd__watch *watch, rd__astar_grid *grid, rd_error *err)
{
    rd__lines lines;
    rd_status status = rd__lines_open(&lines, text, watch, err);
    if (status == RD_OK)
        status = rd__astar_read(&lines, grid, err);
    rd__lines_close(&lines);
    return status == RD_OK ? name_it(grid, text, err) : status;
}

rd_status rd__astar_open(const char *text, uint64_t seed, const rd__watch *watch, rd__astar_grid *grid, rd_error *err)
{
    *grid = (rd__astar_grid){0};
    const rd_status status =
        rd__spec_names(text, "grid") ? generate(text, seed, watch, grid, err) : read_file(text, watch, grid, err);
    if (status != RD_OK)
        rd__astar_free(grid);
    return status;
}
