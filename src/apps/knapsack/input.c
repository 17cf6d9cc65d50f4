/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c - the items of a knapsack problem.
 *
 * Generators: the classes of D. Pisinger, "Where are the hard knapsack problems?", 2005. Weights are drawn from 1 to R
 * (1000); the capacity is a fraction (0.5) of their sum. And groups, after J. Jooken, P. Leyman and P. De Causmaecker,
 * "A new class of hard problem instances for the 0-1 knapsack problem", 2022: of G groups of items, each but the last
 * has values and weights a little above a half, a quarter, an eighth ... of the capacity, so that few of them fit; the
 * last one has small items, from 1 to S.
 *
 * Files, of whole numbers, with '#' comments; blank lines count for nothing. Three layouts, told apart by how many
 * numbers stand in the first and in the second line:
 *     N CAPACITY, then N lines VALUE WEIGHT
 *     N, then CAPACITY, then N lines VALUE WEIGHT                 (.kp files)
 *     N, then N lines NUMBER VALUE WEIGHT, then CAPACITY          (Pisinger's own programs)
 * At the end N numbers 0 or 1 may say which items a solution has, as in Pisinger's published sets.
 */
#include "apps/knapsack/input.h"

#include "core/text.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SUM_MAX (UINT64_MAX >> 1)

static rd_status room_for(rd__knapsack_items *items, uint32_t count, rd_error *err)
{
    RD_TRY(rd__memory_expect(16ull * count, "the items", err));
    RD_TRY(rd__array_new(&items->value, "values of items", count, sizeof *items->value, err));
    return rd__array_new(&items->weight, "weights of items", count, sizeof *items->weight, err);
}

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

static void add_up(rd__knapsack_items *items)
{
    items->value_sum = items->weight_sum = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        items->value_sum += items->value[i];
        items->weight_sum += items->weight[i];
    }
}

static rd_status name_it(rd__knapsack_items *items, const char *text, rd_error *err)
{
    items->provenance = rd__strdup(text);
    return items->provenance ? RD_OK : rd__fail_memory(err, "the name of an input", strlen(text) + 1);
}

/* ---- Generators ---- */

typedef uint64_t (*value_fn)(uint64_t weight, uint64_t range, uint64_t random);

static uint64_t of_uncorrelated(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)weight;
    return 1 + random % range;
}

/* Within a tenth of the range around the weight, at least 1. */
static uint64_t of_weakly(uint64_t weight, uint64_t range, uint64_t random)
{
    const uint64_t spread = range / 10, shifted = weight + random % (2 * spread + 1);
    return shifted > spread + 1 ? shifted - spread : 1;
}

static uint64_t of_strongly(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)random;
    return weight + range / 10;
}

/* Strongly correlated but for a five-hundredth of the range. */
static uint64_t of_almost(uint64_t weight, uint64_t range, uint64_t random)
{
    const uint64_t spread = range / 500;
    return weight + range / 10 - spread + random % (2 * spread + 1);
}

static uint64_t of_subset(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)range;
    (void)random;
    return weight;
}

/* The other way round: R/10 below the weights, which are at least so much above 0. */
static uint64_t of_inverse(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)random;
    return weight > range / 10 ? weight - range / 10 : 1;
}

/* As strongly correlated ones, but every sixth weight is worth more. */
static uint64_t of_multiple(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)random;
    return weight + (weight % 6 == 0 ? 3 : 2) * (range / 10);
}

static uint64_t of_ceiling(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)range;
    (void)random;
    return (weight + 2) / 3 * 3;
}

static const struct {
    const char *name;
    value_fn value;
} classes[] = {
    {"uncorrelated", of_uncorrelated},
    {"weakly", of_weakly},
    {"strongly", of_strongly},
    {"almost", of_almost},
    {"subset", of_subset},
    {"inverse", of_inverse},
    {"multiple", of_multiple},
    {"ceiling", of_ceiling},
    {"even-odd", of_strongly}, /* of even weights */
};
enum { CLASSES = sizeof classes / sizeof classes[0], EVEN_ODD = CLASSES - 1 };

const rd_name_text rd__knapsack_generators[] = {
    {"uncorrelated:N[:R[:FRACTION]]", "N items, weights and values from 1 to R (1000)"},
    {"weakly:N[:R[:FRACTION]]", "values within R/10 of the weights"},
    {"strongly:N[:R[:FRACTION]]", "values R/10 above the weights: the hard ones"},
    {"almost:N[:R[:FRACTION]]", "the same but for R/500"},
    {"subset:N[:R[:FRACTION]]", "values equal to the weights"},
    {"inverse:N[:R[:FRACTION]]", "values R/10 below the weights"},
    {"multiple:N[:R[:FRACTION]]", "values R/5 above the weights, 3 R/10 where the weight is a multiple of 6"},
    {"ceiling:N[:R[:FRACTION]]", "values are the weights, rounded up to multiples of 3"},
    {"even-odd:N[:R[:FRACTION]]", "the same of even weights, and an odd capacity, which no choice fills"},
    {"groups:N[:CAPACITY[:G[:S[:F[:EPS]]]]]",
     "of all but F (0.1) of the items few fit: G (6) groups; others from 1 to S (100)"},
    {NULL, NULL},
};

static rd_status generate(int class, const char *text, uint64_t seed, const rd__watch *watch, rd__knapsack_items *items,
                          rd_error *err)
{
    char source[160];
    uint64_t count, range;
    double fraction;
    rd__gen_args args;
    RD_TRY(rd__spec_split(text, rd__knapsack_generators[class].name, &args, err));
    RD_TRY(rd__gen_number(&args, 0, "N", 0, RD__KNAPSACK_ITEMS_MAX, 0, &count, err));
    RD_TRY(rd__gen_number(&args, 1, "R", 1, 1u << 31, 1000, &range, err));
    RD_TRY(rd__gen_fraction(&args, 2, "FRACTION", 0.5, &fraction, err));
    if (seed == 0)
        seed = RD_SEED;
    items->count = (uint32_t)count;
    RD_TRY(room_for(items, items->count, err));
    const uint64_t stream = rd__stream(seed, classes[class].name);
    for (uint64_t i = 0; i < count; i++) {
        if (i % RD__WATCH_ITEMS == 0 && watch && rd__watch_stops(watch, "generating", i, count, "items"))
            return rd__fail(err, RD_ECANCELLED, "%.80s: stopped while generating", text);
        const uint64_t drawn = 1 + (rd__draw(stream, 2 * i) >> 16) % range;
        const uint64_t weight = class == EVEN_ODD ? (drawn + 1) / 2 * 2 : drawn;
        items->weight[i] = weight;
        items->value[i] = classes[class].value(weight, range, rd__draw(stream, 2 * i + 1) >> 16);
    }
    add_up(items);
    items->capacity = (uint64_t)(fraction * (double)items->weight_sum) | (class == EVEN_ODD);
    rd__snprintf(source, sizeof source, "%s:%u:%" PRIu64 ":%g seed %" PRIu64, classes[class].name, items->count, range,
                 fraction, seed);
    return name_it(items, source, err);
}

/* All but the fraction F of the items in all groups but the last, alike; EPS of the capacity above its halves. */
static rd_status generate_groups(const char *text, uint64_t seed, rd__knapsack_items *items, rd_error *err)
{
    char source[160];
    uint64_t count, groups, small;
    double fraction, above;
    rd__gen_args args;
    RD_TRY(rd__spec_split(text, rd__knapsack_generators[CLASSES].name, &args, err));
    RD_TRY(rd__gen_number(&args, 0, "N", 0, 1u << 24, 0, &count, err));
    RD_TRY(rd__gen_number(&args, 1, "CAPACITY", 1, 1ull << 36, 1000000, &items->capacity, err));
    RD_TRY(rd__gen_number(&args, 2, "G", 2, 32, 6, &groups, err));
    RD_TRY(rd__gen_number(&args, 3, "S", 1, 1u << 20, 100, &small, err));
    RD_TRY(rd__gen_fraction(&args, 4, "F", 0.1, &fraction, err));
    RD_TRY(rd__gen_fraction(&args, 5, "EPS", 0.01, &above, err));
    if (seed == 0)
        seed = RD_SEED;
    items->count = (uint32_t)count;
    RD_TRY(room_for(items, items->count, err));
    const uint64_t stream = rd__stream(seed, "groups"), large = count - (uint64_t)(fraction * (double)count);
    const uint64_t more = (uint64_t)(above * (double)items->capacity);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t group = i < large ? 1 + i * (groups - 1) / large : 0; /* 0: the small ones */
        const uint64_t base = group ? (items->capacity >> group) + more : 0;
        items->weight[i] = base + 1 + (rd__draw(stream, 2 * i) >> 16) % small;
        items->value[i] = base + 1 + (rd__draw(stream, 2 * i + 1) >> 16) % small;
    }
    add_up(items);
    rd__snprintf(source, sizeof source, "groups:%u:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%g:%g seed %" PRIu64,
                 items->count, items->capacity, groups, small, fraction, above, seed);
    return name_it(items, source, err);
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
    return status == RD_OK ? name_it(items, text, err) : status;
}

rd_status rd__knapsack_open(const char *text, uint64_t seed, const rd__watch *watch, rd__knapsack_items *items,
                            rd_error *err)
{
    *items = (rd__knapsack_items){0};
    int class = 0;
    while (class < CLASSES && !rd__spec_names(text, classes[class].name))
        class ++;
    rd_status status;
    if (class < CLASSES)
        status = generate(class, text, seed, watch, items, err);
    else
        status = rd__spec_names(text, "groups") ? generate_groups(text, seed, items, err)
                                                : read_file(text, watch, items, err);
    if (status != RD_OK)
        rd__knapsack_free(items);
    return status;
}
