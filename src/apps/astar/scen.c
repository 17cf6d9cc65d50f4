/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scen.c - .scen files: "version 1" or "version 1.0", then a line for each scenario with nine fields between blanks:
 *     bucket, map, its width and height, start x and y, goal x and y, length of the best path
 * Lengths count 1 for a straight step and the root of 2 for a diagonal one, which needs both cells beside it open.
 */
#include "apps/astar/scen.h"

#include "core/text.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rd__astar_scen_free(rd__astar_scen *scen)
{
    rd__array_free(scen->item);
    rd__array_free(scen->names);
    rd__free(scen->file);
    *scen = (rd__astar_scen){0};
}

/* The next field of a line. @return its length, 0 at the end of the line. */
static size_t field(const char **at)
{
    const char *end;
    *at = end = rd__skip_blanks(*at);
    while (!rd__is_break(*end))
        end++;
    return (size_t)(end - *at);
}

static rd_status keep_name(rd__astar_scen *scen, const char *name, size_t length, uint64_t *at, rd_error *err)
{
    if (scen->count) {
        const uint64_t before = scen->item[scen->count - 1].map;
        if (strlen(scen->names + before) == length && memcmp(scen->names + before, name, length) == 0) {
            *at = before;
            return RD_OK;
        }
        scen->several = 1;
    }
    if (scen->names_used + length + 1 > scen->names_room) {
        const uint64_t room = 2 * (scen->names_used + length + 1);
        RD_TRY(rd__array_grow(&scen->names, "names of maps", scen->names_used, room, 1, err));
        scen->names_room = room;
    }
    *at = scen->names_used;
    memcpy(scen->names + *at, name, length);
    scen->names[*at + length] = '\0';
    scen->names_used += length + 1;
    return RD_OK;
}

/* The width or the height of a map: -1, or a number from 1. */
static int take_size(const char **at, int64_t *size)
{
    uint64_t number = 0;
    const size_t length = field(at);
    if (length == 2 && memcmp(*at, "-1", 2) == 0) {
        *size = -1;
        *at += 2;
        return 1;
    }
    if (rd__take_u64(at, &number) != 1 || number < 1 || number > RD__ASTAR_CELLS_MAX)
        return 0;
    *size = (int64_t)number;
    return 1;
}

static int take_place(const char **at, uint32_t *x, uint32_t *y)
{
    uint64_t number[2] = {0, 0};
    if (rd__take_u64(at, &number[0]) != 1 || rd__take_u64(at, &number[1]) != 1 || number[0] >= RD__ASTAR_CELLS_MAX ||
        number[1] >= RD__ASTAR_CELLS_MAX)
        return 0;
    *x = (uint32_t)number[0];
    *y = (uint32_t)number[1];
    return 1;
}

static int take_length(const char **at, double *length)
{
    char copy[40];
    const size_t bytes = field(at);
    if (bytes == 0 || bytes >= sizeof copy)
        return 0;
    memcpy(copy, *at, bytes);
    copy[bytes] = '\0';
    *at += bytes;
    return rd_parse_double(copy, length) && *length >= 0 && *length < 1e12;
}

static rd_status add_line(const rd__lines *lines, rd__astar_scen *scen, const char *line, rd_error *err)
{
    rd__astar_scenario item = {.line = lines->text.line};
    const char *at = line;
    uint64_t bucket;
    if (rd__take_u64(&at, &bucket) != 1)
        return rd__lines_fail(lines, err, "expected a bucket, a whole number, as the first of nine fields");
    const size_t length = field(&at);
    if (length == 0)
        return rd__lines_fail(lines, err, "expected the name of a map as the second of nine fields");
    RD_TRY(keep_name(scen, at, length, &item.map, err));
    at += length;
    if (!take_size(&at, &item.width) || !take_size(&at, &item.height))
        return rd__lines_fail(lines, err, "expected the map's width and height as fields 3 and 4 of nine");
    if (!take_place(&at, &item.x[0], &item.y[0]) || !take_place(&at, &item.x[1], &item.y[1]))
        return rd__lines_fail(lines, err, "expected x and y of start and goal as fields 5 to 8 of nine");
    if (!take_length(&at, &item.length))
        return rd__lines_fail(lines, err, "expected the length of the best path as the last of nine fields");
    if (!rd__at_line_end(&at))
        return rd__lines_fail(lines, err, "more than nine fields");
    if (scen->count == scen->room) {
        const uint64_t room = scen->room ? 2 * scen->room : 256;
        RD_TRY(rd__array_grow(&scen->item, "scenarios", scen->count, room, sizeof *scen->item, err));
        scen->room = room;
    }
    scen->item[scen->count++] = item;
    return RD_OK;
}

rd_status rd__astar_scen_read(rd__lines *lines, rd__astar_scen *scen, rd_error *err)
{
    char *line;
    RD_TRY(rd__lines_next(lines, &line, err));
    const char *at = line ? line : "";
    const size_t word = field(&at);
    double version = 0;
    const int is_version = word == 7 && memcmp(at, "version", 7) == 0;
    at += word;
    if (!is_version || !take_length(&at, &version) || !rd__at_line_end(&at))
        return line
                   ? rd__lines_fail(lines, err, "expected \"version 1\" as the first line of scenarios")
                   : rd__fail(err, RD_EINPUT, "%s: expected \"version 1\", but there are no lines", lines->source.name);
    if (version < 1 || version >= 2)
        return rd__lines_fail(lines, err, "scenarios of version %g are not known: version 1 is", version);
    for (;;) {
        RD_TRY(rd__lines_next(lines, &line, err));
        if (!line)
            break;
        RD_TRY(add_line(lines, scen, line, err));
    }
    return scen->count ? RD_OK : rd__fail(err, RD_EINPUT, "%s: there are no scenarios", lines->source.name);
}

rd_status rd__astar_scen_open(const char *path, const rd__watch *watch, rd__astar_scen *scen, rd_error *err)
{
    rd__lines lines;
    *scen = (rd__astar_scen){0};
    rd_status status = rd__lines_open(&lines, path, watch, err);
    if (status == RD_OK)
        status = rd__astar_scen_read(&lines, scen, err);
    rd__lines_close(&lines);
    if (status == RD_OK) {
        scen->file = rd__strdup(path);
        if (!scen->file)
            status = rd__fail_memory(err, "the name of a file", strlen(path) + 1);
    }
    if (status != RD_OK)
        rd__astar_scen_free(scen);
    return status;
}

/* ---- For a grid ---- */

/* The name without folders. Both kinds of slash are in published files. */
static const char *base_name(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\')
            base = path + 1;
    return base;
}

static rd_status keep_those_for(rd__astar_scen *scen, const rd__astar_grid *grid, rd_error *err)
{
    const char *name = base_name(grid->provenance);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < scen->count; i++)
        if (strcmp(base_name(scen->names + scen->item[i].map), name) == 0)
            scen->item[kept++] = scen->item[i];
    if (kept == 0)
        return rd__fail(err, RD_EINPUT, "%s has scenarios of several maps, but none of '%s'", scen->file, name);
    scen->count = kept;
    return RD_OK;
}

static rd_status fits(const rd__astar_scen *scen, const rd__astar_scenario *item, const rd__astar_grid *grid,
                      rd_error *err)
{
    static const char *const end[] = {"start", "goal"};
    if ((item->width >= 0 && item->width != grid->width) || (item->height >= 0 && item->height != grid->height))
        return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ": for a map of %" PRId64 " x %" PRId64 ", but %s has %u x %u",
                        scen->file, item->line, item->width, item->height, grid->provenance, grid->width, grid->height);
    for (int i = 0; i < 2; i++) {
        if (item->x[i] >= grid->width || item->y[i] >= grid->height)
            return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ": %s %u,%u is outside the map of %u x %u", scen->file,
                            item->line, end[i], item->x[i], item->y[i], grid->width, grid->height);
        if (grid->terrain[(uint64_t)item->y[i] * grid->width + item->x[i]] == RD__ASTAR_WALL)
            return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ": %s %u,%u is a wall of %s", scen->file, item->line, end[i],
                            item->x[i], item->y[i], grid->provenance);
    }
    return RD_OK;
}

rd_status rd__astar_scen_fit(rd__astar_scen *scen, const rd__astar_grid *grid, rd_error *err)
{
    if (scen->several)
        RD_TRY(keep_those_for(scen, grid, err));
    for (uint64_t i = 0; i < scen->count; i++)
        RD_TRY(fits(scen, &scen->item[i], grid, err));
    return RD_OK;
}
