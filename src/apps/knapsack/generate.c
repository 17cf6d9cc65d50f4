/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generate.c - items of a knapsack problem, drawn.
 *
 * The classes of D. Pisinger, "Where are the hard knapsack problems?", 2005. Weights are drawn from 1 to R (1000); the
 * capacity is a fraction (0.5) of their sum. And groups, after J. Jooken, P. Leyman and P. De Causmaecker, "A new class
 * of hard problem instances for the 0-1 knapsack problem", 2022: of G groups of items, each but the last has values and
 * weights a little above a half, a quarter, an eighth ... of the capacity, so that few of them fit; the last one has
 * small items, from 1 to S.
 */
#include "apps/knapsack/input.h"

#include "core/text.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static rd_status room_for(rd__knapsack_items *items, uint32_t count, rd_error *err)
{
    RD_TRY(rd__memory_expect(16ull * count, "the items", err));
    RD_TRY(rd__array_new(&items->value, "values of items", count, sizeof *items->value, err));
    return rd__array_new(&items->weight, "weights of items", count, sizeof *items->weight, err);
}

static void add_up(rd__knapsack_items *items)
{
    items->value_sum = items->weight_sum = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        items->value_sum += items->value[i];
        items->weight_sum += items->weight[i];
    }
}

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

/* The other way round: values are drawn, and weights R/10 above them. */
static uint64_t of_inverse(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)random;
    return weight - range / 10;
}

/* As strongly correlated ones, but every sixth weight is worth more. */
static uint64_t of_multiple(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)random;
    return weight + (weight % 6 == 0 ? 3 : 2) * (range / 10);
}

/* On an arc: two thirds of the root of 4 R^2 - (weight - 2 R)^2. */
static uint64_t of_circle(uint64_t weight, uint64_t range, uint64_t random)
{
    (void)random;
    return (uint64_t)(2 * sqrt((double)(weight * (4 * range - weight))) / 3);
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
    int spans; /* all items are multiples of a few */
} classes[] = {
    {"uncorrelated", of_uncorrelated, 0},
    {"weakly", of_weakly, 0},
    {"strongly", of_strongly, 0},
    {"almost", of_almost, 0},
    {"subset", of_subset, 0},
    {"inverse", of_inverse, 0}, /* of weights above R/10 */
    {"multiple", of_multiple, 0},
    {"ceiling", of_ceiling, 0},
    {"circle", of_circle, 0},
    {"spanner", of_uncorrelated, 1},
    {"spanner-weakly", of_weakly, 1},
    {"spanner-strongly", of_strongly, 1},
    {"even-odd", of_strongly, 0}, /* of even weights */
};
enum { CLASSES = sizeof classes / sizeof classes[0], INVERSE = 5, EVEN_ODD = CLASSES - 1 };

const rd_name_text rd__knapsack_generators[] = {
    {"uncorrelated:N[:R[:FRACTION]]", "N items, weights and values from 1 to R (1000)"},
    {"weakly:N[:R[:FRACTION]]", "values within R/10 of the weights"},
    {"strongly:N[:R[:FRACTION]]", "values R/10 above the weights: the hard ones"},
    {"almost:N[:R[:FRACTION]]", "the same but for R/500"},
    {"subset:N[:R[:FRACTION]]", "values equal to the weights"},
    {"inverse:N[:R[:FRACTION]]", "values from 1 to R, weights R/10 above them"},
    {"multiple:N[:R[:FRACTION]]", "values R/5 above the weights, 3 R/10 where the weight is a multiple of 6"},
    {"ceiling:N[:R[:FRACTION]]", "values are the weights, rounded up to multiples of 3"},
    {"circle:N[:R[:FRACTION]]", "values on an arc over the weights"},
    {"spanner:N[:R[:FRACTION]]", "multiples, up to 10 times, of two small items; uncorrelated"},
    {"spanner-weakly:N[:R[:FRACTION]]", "the same of two items of weakly"},
    {"spanner-strongly:N[:R[:FRACTION]]", "the same of two items of strongly"},
    {"even-odd:N[:R[:FRACTION]]", "as strongly, of even weights, and an odd capacity, which no choice fills"},
    {"groups:N[:CAPACITY[:G[:S[:F[:EPS]]]]]",
     "of all but F (0.1) of the items few fit: G (6) groups; others from 1 to S (100)"},
    {NULL, NULL},
};

typedef struct drawn {
    uint64_t weight, value;
} drawn;

/* The numbers 2 i and 2 i + 1 of the stream make item i. */
static drawn draw_item(int class, uint64_t stream, uint64_t i, uint64_t range)
{
    const uint64_t number = 1 + (rd__draw(stream, 2 * i) >> 16) % range;
    const uint64_t weight = class == EVEN_ODD ? (number + 1) / 2 * 2 : class == INVERSE ? number + range / 10 : number;
    return (drawn){weight, classes[class].value(weight, range, rd__draw(stream, 2 * i + 1) >> 16)};
}

/* Pisinger's span(2, 10): item i is up to 10 times one of two items, of which each has the 5th part. */
static drawn draw_spanned(int class, uint64_t stream, uint64_t i, uint64_t range)
{
    enum { ITEMS = 2, TIMES = 10 };
    const uint64_t other = ~stream, which = (rd__draw(stream, 2 * i) >> 16) % ITEMS;
    const uint64_t times = 1 + (rd__draw(stream, 2 * i + 1) >> 16) % TIMES;
    const drawn base = draw_item(class, other, which, range);
    return (drawn){times * ((2 * base.weight + TIMES - 1) / TIMES), times * ((2 * base.value + TIMES - 1) / TIMES)};
}

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
        const drawn item = (classes[class].spans ? draw_spanned : draw_item)(class, stream, i, range);
        items->weight[i] = item.weight;
        items->value[i] = item.value;
    }
    add_up(items);
    items->capacity = (uint64_t)(fraction * (double)items->weight_sum) | (class == EVEN_ODD);
    rd__snprintf(source, sizeof source, "%s:%u:%" PRIu64 ":%g seed %" PRIu64, classes[class].name, items->count, range,
                 fraction, seed);
    return rd__knapsack_name(items, source, err);
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
    return rd__knapsack_name(items, source, err);
}

rd_status rd__knapsack_generate(const char *text, uint64_t seed, const rd__watch *watch, rd__knapsack_items *items,
                                int *made, rd_error *err)
{
    *made = 1;
    for (int class = 0; class < CLASSES; class ++)
        if (rd__spec_names(text, classes[class].name))
            return generate(class, text, seed, watch, items, err);
    if (rd__spec_names(text, "groups"))
        return generate_groups(text, seed, items, err);
    *made = 0;
    return RD_OK;
}
