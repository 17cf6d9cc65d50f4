/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c - the items of a knapsack problem.
 *
 * Generators are in generate.c. Files, of whole numbers, with '#' comments; blank lines count for nothing. Three
 * layouts, told apart by how many numbers stand in the first and in the second line: N CAPACITY, then N lines VALUE
 * WEIGHT N, then CAPACITY, then N lines VALUE WEIGHT                 (.kp files) N, then N lines NUMBER VALUE WEIGHT,
 * then CAPACITY          (Pisinger's own programs) At the end N numbers 0 or 1 may say which items a solution has, as
 * in Pisinger's published sets.
 */
#include "apps/knapsack/input.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SUM_MAX (UINT64_MAX >> 1)

/* Room for twice as many as the `have` items, but no more than `most`: a file that promises many items gets their room
 * as they come. */
static rd_status more_room(rd__knapsack_items *items, uint64_t have, uint64_t most, uint64_t *room, rd_error *err)
{
    enum { AT_FIRST = 1 << 12 };
    const uint64_t doubled = have ? 2 * have : AT_FIRST, count = doubled < most ? doubled : most;
    RD_TRY(rd__memory_expect(16 * count, "the items", err));
    RD_TRY(rd__array_grow(&items->value, "values of items", have, count, sizeof *items->value, err));
    RD_TRY(rd__array_grow(&items->weight, "weights of items", have, count, sizeof *items->weight, err));
    *room = count;
    return RD_OK;
}

void rd__knapsack_free(rd__knapsack_items *items)
{
    rd__array_free(items->value);
    rd__array_free(items->weight);
    rd__free(items->provenance);
    *items = (rd__knapsack_items){0};
}

rd_status rd__knapsack_name(rd__knapsack_items *items, const char *text, rd_error *err)
{
    items->provenance = rd__strdup(text);
    return items->provenance ? RD_OK : rd__fail_memory(err, "the name of an input", strlen(text) + 1);
}

/* ---- Files ---- */

/* A number from least to most, or a message that says what was there. */
static rd_status take(const rd__lines *lines, const char **at, const char *what, uint64_t least, uint64_t most,
                      uint64_t *value, rd_error *err)
{
    char found[64];
    const int kind = rd__take_u64(at, value);
    if (kind == 1 && *value >= least && *value <= most)
        return RD_OK;
    const char *start = kind == 1 ? *at : rd__skip_blanks(*at);
    if (kind == 1)
        snprintf(found, sizeof found, "%" PRIu64, *value);
    else
        rd__text_quote(start, found, sizeof found);
    return rd__lines_fail(lines, err, "expected %s, a whole number from %" PRIu64 " to %" PRIu64 ", found %s", what,
                          least, most, *start || kind == 1 ? found : "the end of the line");
}

static rd_status take_end(const rd__lines *lines, const char **at, const char *layout, rd_error *err)
{
    char found[64];
    if (rd__at_line_end(at))
        return RD_OK;
    rd__text_quote(*at, found, sizeof found);
    return rd__lines_fail(lines, err, "expected the end of the line after %s, found %s", layout, found);
}

typedef enum layout { VALUES, KP, NUMBERED } layout;

/* Adds one to sums that have to stay below 2^63. */
static rd_status add_sum(const rd__lines *lines, const char *what, uint64_t *sum, uint64_t number, rd_error *err)
{
    if (number > SUM_MAX - *sum)
        return rd__lines_fail(lines, err, "the sum of the %s is 2^63 or more", what);
    *sum += number;
    return RD_OK;
}

static rd_status read_item(const rd__lines *lines, rd__knapsack_items *items, const char *line, layout form, uint64_t i,
                           rd_error *err)
{
    const char *at = line;
    uint64_t number;
    if (form == NUMBERED)
        RD_TRY(take(lines, &at, "the item's number", 0, UINT32_MAX, &number, err));
    RD_TRY(take(lines, &at, "a value", 0, SUM_MAX, &items->value[i], err));
    RD_TRY(take(lines, &at, "a weight", 1, SUM_MAX, &items->weight[i], err));
    RD_TRY(take_end(lines, &at, form == NUMBERED ? "\"NUMBER VALUE WEIGHT\"" : "\"VALUE WEIGHT\"", err));
    RD_TRY(add_sum(lines, "values", &items->value_sum, items->value[i], err));
    return add_sum(lines, "weights", &items->weight_sum, items->weight[i], err);
}

static rd_status read_capacity(const rd__lines *lines, rd__knapsack_items *items, const char *line, rd_error *err)
{
    const char *at = line;
    RD_TRY(take(lines, &at, "the capacity", 0, SUM_MAX, &items->capacity, err));
    return take_end(lines, &at, "the capacity", err);
}

/* Numbers 0 and 1 for all items, in one line or several; `line` is the first, NULL: there are none. */
static rd_status read_solution(rd__lines *lines, rd__knapsack_items *items, char *line, rd_error *err)
{
    uint64_t i = 0, value = 0, weight = 0, number = 0;
    if (!line)
        return RD_OK;
    while (line) {
        const char *at = line;
        while (!rd__at_line_end(&at)) {
            if (i == items->count)
                return rd__lines_fail(lines, err, "expected the end of the file after %u items", items->count);
            if (rd__take_u64(&at, &number) != 1 || number > 1)
                return rd__lines_fail(lines, err, "expected the end of the file after %u items, or 0 or 1 for each",
                                      items->count);
            value += number ? items->value[i] : 0;
            weight += number ? items->weight[i] : 0;
            i++;
        }
        RD_TRY(rd__lines_next(lines, &line, err));
    }
    if (i != items->count)
        return rd__fail(err, RD_EINPUT, "%s: the solution at its end is of %" PRIu64 " items, but there are %u",
                        lines->source.name, i, items->count);
    items->published = weight <= items->capacity ? value : 0;
    return RD_OK;
}

/* The first line, and the second where the first is "N" alone: *line is the first line of an item then. */
static rd_status read_head(rd__lines *lines, rd__knapsack_items *items, uint64_t *count, layout *form, char **line,
                           rd_error *err)
{
    RD_TRY(rd__lines_next(lines, line, err));
    if (!*line)
        return rd__fail(err, RD_EINPUT, "%s: the file is empty: expected \"N CAPACITY\" or \"N\" in its first line",
                        lines->source.name);
    const char *at = *line;
    RD_TRY(take(lines, &at, "the number of items", 0, RD__KNAPSACK_ITEMS_MAX, count, err));
    *form = VALUES;
    if (!rd__at_line_end(&at)) {
        RD_TRY(take(lines, &at, "the capacity", 0, SUM_MAX, &items->capacity, err));
        RD_TRY(take_end(lines, &at, "\"N CAPACITY\"", err));
        return rd__lines_next(lines, line, err);
    }
    *form = NUMBERED;
    RD_TRY(rd__lines_next(lines, line, err));
    if (!*line || *count == 0)
        return RD_OK;
    uint64_t number;
    at = *line;
    if (rd__take_u64(&at, &number) == 0 || !rd__at_line_end(&at))
        return RD_OK; /* the first item */
    *form = KP;
    RD_TRY(read_capacity(lines, items, *line, err));
    return rd__lines_next(lines, line, err);
}

rd_status rd__knapsack_read(rd__lines *lines, rd__knapsack_items *items, rd_error *err)
{
    char *line;
    uint64_t count, room = 0;
    layout form = VALUES;
    RD_TRY(read_head(lines, items, &count, &form, &line, err));
    RD_TRY(more_room(items, 0, count, &room, err));
    for (uint64_t i = 0; i < count; i++) {
        if (!line)
            return rd__fail(err, RD_EINPUT, "%s: the file ends after %" PRIu64 " of %" PRIu64 " items",
                            lines->source.name, i, count);
        if (i == room)
            RD_TRY(more_room(items, i, count, &room, err));
        RD_TRY(read_item(lines, items, line, form, i, err));
        RD_TRY(rd__lines_next(lines, &line, err));
    }
    items->count = (uint32_t)count;
    if (form == NUMBERED) {
        if (!line)
            return rd__fail(err, RD_EINPUT, "%s: the file ends after its %" PRIu64 " items: the capacity is missing",
                            lines->source.name, count);
        RD_TRY(read_capacity(lines, items, line, err));
        RD_TRY(rd__lines_next(lines, &line, err));
    }
    return read_solution(lines, items, line, err);
}

static rd_status read_file(const char *text, const rd__watch *watch, rd__knapsack_items *items, rd_error *err)
{
    rd__lines lines;
    rd_status status = rd__lines_open(&lines, text, watch, err);
    if (status == RD_OK)
        status = rd__knapsack_read(&lines, items, err);
    rd__lines_close(&lines);
    return status == RD_OK ? rd__knapsack_name(items, text, err) : status;
}

rd_status rd__knapsack_open(const char *text, uint64_t seed, const rd__watch *watch, rd__knapsack_items *items,
                            rd_error *err)
{
    *items = (rd__knapsack_items){0};
    int made;
    rd_status status = rd__knapsack_generate(text, seed, watch, items, &made, err);
    if (!made)
        status = read_file(text, watch, items, err);
    if (status != RD_OK)
        rd__knapsack_free(items);
    return status;
}
