/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bundles.c - bounds for items whose weights come in few bundles.
 *
 * Dantzig's bound cuts the last item, so it is wrong by up to the value of one. Where heavy items are many, and of
 * their kind only a few fit, that is much: of items a little heavier than half the capacity one fits, and the bound
 * says nearly two. Such weights lie in bundles, base + a little. For a price of a unit of weight,
 *
 *     value of a choice = sum of (value - price * weight) + price * its weight
 *                      <= price * room + the most that sums of (value - price * weight) can be,
 *
 * and of the choices of that maximum no more is asked than that their bases fit. That is a knapsack problem with as
 * many different weights as there are bundles: few sums, so that lists for all rests of items can be made, by dynamic
 * programming from the lightest bundle on. What the bases leave out, the price has: it is the price that makes the
 * bound of all items least, and some around it, for states differ in how much room they leave (Lagrange's relaxation of
 * the little parts only). Lists that are too long lose steps, by giving the values of later ones to earlier ones: a
 * bound stays one.
 */
#include "apps/knapsack/bundles.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUNDLES_MAX = 64,
    GAP = 16,
    ROUGH = 1 << 12,
    FINE = 1 << 16,
    SPACING = RD__KNAPSACK_SPACING,
    LOOK = 64, /* items, each of up to FINE steps, after which whoever waits may stop it */
    PRICE_MAX = 64 * RD__KNAPSACK_SCALE
};
static const uint64_t STEPS_MAX = 1ull << 23; /* of all curves: 128 MiB */
/* Sums times a price have to fit 63 bits. */
static const uint64_t SUM_MAX = 1ull << 46;

/* ---- Bundles ---- */

static int by_weight(const void *left, const void *right)
{
    const rd__knapsack_thing *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static int by_number(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* A bundle ends where the next weight is much farther off than they usually are. */
static void find_gaps(rd__knapsack_bundles *b, int64_t *gap)
{
    for (uint32_t i = 1; i < b->count; i++)
        gap[i - 1] = b->thing[i].weight - b->thing[i - 1].weight;
    qsort(gap, b->count - 1, sizeof *gap, by_number);
    const int64_t usual = gap[(b->count - 1) / 2] > 1 ? gap[(b->count - 1) / 2] : 1;
    int64_t base = b->thing[0].weight;
    uint32_t unlike = 0; /* items that are not as heavy as the lightest of their bundle */
    b->bundles = 1;
    for (uint32_t i = 0; i < b->count; i++) {
        if (i && b->thing[i].weight - b->thing[i - 1].weight > GAP * usual) {
            base = b->thing[i].weight;
            b->bundles++;
        }
        b->thing[i].base = base;
        unlike += b->thing[i].weight != base;
    }
    if (unlike == 0) /* many of the same: states are as few */
        b->bundles = 0;
    if (b->bundles < 2 || b->bundles > BUNDLES_MAX || b->bundles > b->count / 4)
        b->bundles = 0;
}

rd_status rd__knapsack_bundles_find(const rd__knapsack_core *core, rd__knapsack_bundles *b, rd_error *err)
{
    int64_t *gap;
    const uint64_t *all = core->prefix + 2ull * core->count;
    *b = (rd__knapsack_bundles){.count = core->count};
    if (core->count < 8 || all[0] >= SUM_MAX * 64 || all[1] >= SUM_MAX * 64 || core->capacity >= SUM_MAX)
        return RD_OK;
    RD_TRY(rd__array_new(&b->thing, "items in bundles", core->count, sizeof *b->thing, err));
    for (uint32_t i = 0; i < core->count; i++) {
        const uint64_t *at = core->prefix + 2ull * i;
        b->thing[i] = (rd__knapsack_thing){(int64_t)(at[2] - at[0]), (int64_t)(at[3] - at[1]), 0, i};
    }
    qsort(b->thing, b->count, sizeof *b->thing, by_weight);
    const rd_status status = rd__array_new(&gap, "gaps between weights", core->count, sizeof *gap, err);
    if (status == RD_OK) {
        find_gaps(b, gap);
        rd__array_free(gap);
    }
    return status;
}

/* ---- Curves ---- */

typedef struct workshop {
    rd__knapsack_step *list, *other; /* 2 * most + 1 each */
    uint64_t count, most;
    const rd__watch *watch;
    int stopped; /* by it: what was being made is not complete */
} workshop;

static void one_step(workshop *w)
{
    w->list[0] = (rd__knapsack_step){0, 0};
    w->count = 1;
}

/* No more than `most`: steps whose weights are near each other become one, the first of them with the value of the
 * last. Few states have a room that lies between them. @return how many are left. */
static uint64_t thin_out(rd__knapsack_step *step, uint64_t count, uint64_t most)
{
    for (int64_t apart = 1; count > most; apart *= 2) {
        uint64_t n = 0;
        for (uint64_t i = 1; i < count; i++) {
            if (step[i].weight - step[n].weight > apart)
                step[++n].weight = step[i].weight;
            step[n].value = step[i].value;
        }
        count = n + 1;
    }
    return count;
}

/* One item more, of which only the base weighs. */
static void add_thing(workshop *w, const rd__knapsack_bundles *b, uint32_t which, int64_t price, int64_t capacity)
{
    const rd__knapsack_thing *thing = &b->thing[which];
    if (which % LOOK == 0)
        w->stopped |= rd__watch_stops(w->watch, "bounds of bundles", b->count - which, b->count, "items");
    const int64_t gain = RD__KNAPSACK_SCALE * thing->value - price * thing->weight;
    uint64_t i = 0, j = 0, n = 0;
    if (gain <= 0 || w->stopped)
        return;
    int64_t highest = -1;
    while (i < w->count || j < w->count) {
        rd__knapsack_step next;
        if (j == w->count || (i < w->count && w->list[i].weight <= w->list[j].weight + thing->base)) {
            next = w->list[i++];
        } else {
            next = (rd__knapsack_step){w->list[j].weight + thing->base, w->list[j].value + gain};
            j = next.weight > capacity ? w->count : j + 1;
        }
        if (next.value > highest && next.weight <= capacity) {
            highest = next.value;
            w->other[n++] = next;
        }
    }
    rd__knapsack_step *list = w->list;
    w->list = w->other;
    w->other = list;
    w->count = n;
    if (w->count > w->most)
        w->count = thin_out(w->list, w->count, w->most / 2);
}

/* SCALE times the bound of all items. */
static int64_t bound_at(const rd__knapsack_core *core, const rd__knapsack_bundles *b, workshop *w, int64_t price)
{
    one_step(w);
    for (uint32_t i = b->count; i-- > 0;)
        add_thing(w, b, i, price, (int64_t)core->capacity);
    return price * (int64_t)core->capacity + w->list[w->count - 1].value;
}

/* The price whose bound is least: bounds are convex. */
static int64_t best_price(const rd__knapsack_core *core, const rd__knapsack_bundles *b, workshop *w)
{
    int64_t low = 0, high = PRICE_MAX;
    w->most = ROUGH;
    while (low < high && !w->stopped) {
        const int64_t middle = low + (high - low) / 2;
        if (bound_at(core, b, w, middle) <= bound_at(core, b, w, middle + 1))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void choose_prices(rd__knapsack_bundles *b, int64_t best)
{
    static const int64_t quarters[] = {4, 0, 2, 3, 6, 12}; /* the one that prunes most first */
    const int64_t unit = best > 16 ? best : 16;
    b->prices = 0;
    for (uint32_t i = 0; i < RD__KNAPSACK_PRICES; i++) {
        const int64_t price = unit * quarters[i] / 4;
        b->price[b->prices++] = price < PRICE_MAX ? price : PRICE_MAX;
    }
}

/* ---- The order of items ---- */

typedef struct ranked {
    rd__knapsack_thing thing;
    int64_t gain;
} ranked;

static int by_bundle(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->thing.base != b->thing.base)
        return a->thing.base > b->thing.base ? -1 : 1;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return a->thing.place < b->thing.place ? -1 : 1;
}

static rd_status sort_things(rd__knapsack_bundles *b, int64_t price, rd_error *err)
{
    ranked *list;
    RD_TRY(rd__array_new(&list, "items to sort", b->count, sizeof *list, err));
    for (uint32_t i = 0; i < b->count; i++)
        list[i] = (ranked){b->thing[i], RD__KNAPSACK_SCALE * b->thing[i].value - price * b->thing[i].weight};
    qsort(list, b->count, sizeof *list, by_bundle);
    for (uint32_t i = 0; i < b->count; i++)
        b->thing[i] = list[i].thing;
    rd__array_free(list);
    return RD_OK;
}

/* ---- All of it ---- */

static void free_curves(rd__knapsack_bundles *b)
{
    for (uint64_t i = 0; b->curve && i < (uint64_t)b->prices * (b->count / SPACING + 1ull); i++)
        rd__array_free(b->curve[i].step);
    rd__array_free(b->curve);
    b->curve = NULL;
}

/* The curves of one price. */
static rd_status make_curves(const rd__knapsack_core *core, rd__knapsack_bundles *b, uint32_t which, workshop *w,
                             rd_error *err)
{
    const uint64_t most = STEPS_MAX / (b->prices * (b->count / SPACING + 1ull)) + 1;
    one_step(w);
    for (uint32_t i = b->count; i-- > 0;) {
        add_thing(w, b, i, b->price[which], (int64_t)core->capacity);
        if (w->stopped)
            return RD_ECANCELLED;
        if (i % SPACING)
            continue;
        memcpy(w->other, w->list, w->count * sizeof *w->other);
        rd__knapsack_curve *curve = &b->curve[(uint64_t)(i / SPACING) * b->prices + which];
        curve->count = thin_out(w->other, w->count, most);
        RD_TRY(rd__array_new(&curve->step, "a curve of bounds", curve->count, sizeof *curve->step, err));
        memcpy(curve->step, w->other, curve->count * sizeof *curve->step);
    }
    return RD_OK;
}

static rd_status price_all(const rd__knapsack_core *core, rd__knapsack_bundles *b, workshop *w, rd_error *err)
{
    const int64_t price = best_price(core, b, w);
    if (w->stopped)
        return RD_ECANCELLED;
    choose_prices(b, price);
    RD_TRY(sort_things(b, price, err));
    const uint64_t curves = (uint64_t)b->prices * (b->count / SPACING + 1ull);
    RD_TRY(rd__array_new(&b->curve, "curves of bounds", curves, sizeof *b->curve, err));
    memset(b->curve, 0, curves * sizeof *b->curve);
    w->most = FINE;
    for (uint32_t i = 0; i < b->prices; i++)
        RD_TRY(make_curves(core, b, i, w, err));
    return RD_OK;
}

rd_status rd__knapsack_bundles_price(const rd__knapsack_core *core, rd__knapsack_bundles *b, const rd__watch *watch,
                                     rd_error *err)
{
    workshop w = {.watch = watch};
    rd_status status = rd__array_new(&w.list, "a curve", 2ull * FINE + 1, sizeof *w.list, err);
    if (status == RD_OK)
        status = rd__array_new(&w.other, "a curve", 2ull * FINE + 1, sizeof *w.other, err);
    if (status == RD_OK)
        status = price_all(core, b, &w, err);
    rd__array_free(w.list);
    rd__array_free(w.other);
    return status;
}

void rd__knapsack_bundles_free(rd__knapsack_bundles *b)
{
    free_curves(b);
    rd__array_free(b->thing);
    *b = (rd__knapsack_bundles){0};
}
