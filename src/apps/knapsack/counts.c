/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counts.c - a bound by how many items a choice can have (after S. Martello and P. Toth, "Upper bounds and algorithms
 * for hard 0-1 knapsack problems", 1997).
 *
 * No choice has more items than the lightest ones that fit together, and none that is better than the best so far has
 * fewer than the most valuable ones that together are worth more. Each is one more constraint, sum of x <= k or >= k.
 * Added to that of the weights, s times (s < 0 where it is the least number), it makes another knapsack problem with
 * weights w + s and the capacity c + s k, whose fractional bound holds as well. Where values are weights and a constant
 * more, or less, Dantzig's bound is far off and this one exact: s is the constant, and all items are alike.
 *
 * Where there are two constants, the numbers of items of each kind that fit together, in whole numbers, bound what the
 * constants can come to; the weights come to the capacity at most.
 *
 * The larger s, the fewer items the fractional choice has; the best s is near the one where it has k of them.
 */
#include "apps/knapsack/counts.h"

#include "core/memory.h"
#include "core/wide.h"

#include <stdlib.h>

enum { ITEMS_MAX = 1 << 16 };
static const uint64_t SUM_MAX = 1ull << 60;

typedef struct thing {
    int64_t weight, value;
} thing;

typedef struct counts {
    const rd__knapsack_core *core;
    thing *thing; /* room for all items */
    uint64_t bound;
} counts;

static thing thing_of(const rd__knapsack_core *core, uint32_t i)
{
    const uint64_t *at = core->prefix + 2ull * i;
    return (thing){(int64_t)(at[2] - at[0]), (int64_t)(at[3] - at[1])};
}

static int by_weight(const void *left, const void *right)
{
    const thing *a = left, *b = right;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

static int by_value(const void *left, const void *right)
{
    const thing *a = left, *b = right;
    return a->value > b->value ? -1 : a->value < b->value;
}

static int by_worth(const void *left, const void *right)
{
    const thing *a = left, *b = right;
    return -rd__compare_products((uint64_t)a->value, (uint64_t)b->weight, (uint64_t)b->value, (uint64_t)a->weight);
}

/* Takes the fractional bound with that s, if it is lower. @return whether its choice has more than k items. */
static int look_at(counts *b, int64_t s, int64_t k)
{
    const rd__knapsack_core *core = b->core;
    int64_t room = (int64_t)core->capacity + s * k, value = 0, count = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        thing one = thing_of(core, i);
        one.weight += s;
        if (one.weight > 0) {
            b->thing[n++] = one;
            continue;
        }
        room -= one.weight; /* costs nothing, and makes room */
        value += one.value;
        count++;
    }
    if (room < 0) { /* no choice has so many items and fits */
        b->bound = 0;
        return 1;
    }
    qsort(b->thing, n, sizeof *b->thing, by_worth);
    uint32_t i = 0;
    for (; i < n && b->thing[i].weight <= room; i++) {
        room -= b->thing[i].weight;
        value += b->thing[i].value;
    }
    count += i;
    if (i < n)
        value += (int64_t)rd__mul_div((uint64_t)room, (uint64_t)b->thing[i].value, (uint64_t)b->thing[i].weight);
    b->bound = (uint64_t)value < b->bound ? (uint64_t)value : b->bound;
    return count > k || (count == k && i < n && room > 0);
}

static void bisect(counts *b, int64_t low, int64_t high, int64_t k)
{
    while (low < high && b->bound) {
        const int64_t middle = low + (high - low) / 2;
        if (look_at(b, middle, k))
            low = middle + 1;
        else
            high = middle;
    }
    if (b->bound)
        (void)look_at(b, low, k);
}

/* How many of the lightest items fit. */
static int64_t most_items(counts *b)
{
    int64_t room = (int64_t)b->core->capacity, k = 0;
    for (uint32_t i = 0; i < b->core->count; i++)
        b->thing[i] = thing_of(b->core, i);
    qsort(b->thing, b->core->count, sizeof *b->thing, by_weight);
    while (k < b->core->count && b->thing[k].weight <= room)
        room -= b->thing[k++].weight;
    return k;
}

/* How many of the most valuable items are worth more than best. */
static int64_t least_items(counts *b, uint64_t best)
{
    int64_t value = 0, k = 0;
    for (uint32_t i = 0; i < b->core->count; i++)
        b->thing[i] = thing_of(b->core, i);
    qsort(b->thing, b->core->count, sizeof *b->thing, by_value);
    while (k < b->core->count && value <= (int64_t)best)
        value += b->thing[k++].value;
    return k;
}

static int by_kind(const void *left, const void *right)
{
    const thing *a = left, *b = right;
    const int64_t more_a = a->value - a->weight, more_b = b->value - b->weight;
    return more_a != more_b ? (more_a < more_b ? -1 : 1) : by_weight(left, right);
}

/* Values are weights and one of two constants: so many of one kind leave room for so many of the other. */
static void bound_kinds(counts *b)
{
    const uint32_t count = b->core->count;
    uint32_t first = 0, end = 0;
    for (uint32_t i = 0; i < count; i++)
        b->thing[i] = thing_of(b->core, i);
    qsort(b->thing, count, sizeof *b->thing, by_kind);
    const int64_t low = b->thing[0].value - b->thing[0].weight;
    const int64_t high = b->thing[count - 1].value - b->thing[count - 1].weight;
    while (first < count && b->thing[first].value - b->thing[first].weight == low)
        first++;
    for (end = first; end < count && b->thing[end].value - b->thing[end].weight == high; end++)
        ;
    if (end < count)
        return; /* there are more than two */
    int64_t room = (int64_t)b->core->capacity, most = INT64_MIN;
    uint32_t lows = 0, highs = 0;
    while (lows < first && b->thing[lows].weight <= room) /* all of the lower kind that fit, then fewer and fewer */
        room -= b->thing[lows++].weight;
    for (;;) {
        while (first + highs < count && b->thing[first + highs].weight <= room)
            room -= b->thing[first + highs++].weight;
        const int64_t constants = (low > 0 ? low : 0) * lows + (high > 0 ? high : 0) * highs;
        most = constants > most ? constants : most;
        if (lows == 0)
            break;
        room += b->thing[--lows].weight;
    }
    const uint64_t bound = b->core->capacity + (uint64_t)most;
    b->bound = bound < b->bound ? bound : b->bound;
}

rd_status rd__knapsack_count_bound(rd__knapsack_core *core, uint64_t best, rd_error *err)
{
    const uint64_t *all = core->prefix + 2ull * core->count;
    counts b = {.core = core, .bound = core->upper};
    int64_t most = (int64_t)core->most;
    for (uint32_t i = 0; i < core->count; i++)
        most = thing_of(core, i).weight > most ? thing_of(core, i).weight : most;
    if (core->count == 0 || core->count > ITEMS_MAX || all[0] >= SUM_MAX || all[1] >= SUM_MAX ||
        (uint64_t)most >= SUM_MAX / core->count)
        return RD_OK;
    RD_TRY(rd__array_new(&b.thing, "items to sort", core->count, sizeof *b.thing, err));
    bisect(&b, 0, most, most_items(&b));
    bisect(&b, -most, 0, least_items(&b, best));
    bound_kinds(&b);
    rd__array_free(b.thing);
    core->upper = b.bound > best ? b.bound : best;
    return RD_OK;
}
