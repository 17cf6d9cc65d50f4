/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beam.c - dynamic programming over items in bundles, the heaviest first.
 *
 * The list begins with nothing chosen, and is merged with itself shifted by each item in turn; a state that is no
 * better than a lighter one goes, and one whose bound (bundles.c) is not above the best value. What is left is long as
 * long as the best value is far from the truth. So first passes keep no more than so many states, those of highest
 * bounds (a beam), and find a good value. Then passes ask from above: is there a value above the bound of all items
 * less one, less four, less thirteen ...? A pass that asks for much has few states. When it leaves none out it finds
 * the highest value there is, or lowers the bound; so what a proof takes is little more than the states whose bounds
 * are above the truth.
 */
#include "apps/knapsack/beam.h"

#include "apps/knapsack/marks.h"
#include "core/memory.h"

#include <string.h>

enum {
    NARROW = 1 << 12,
    BROAD = 1 << 18,
    WIDE = 1 << 23,
    WIDER = 8,
    FARTHER = 3,
    WATCH_STATES = 1 << 20,
    SLOTS = 1 << 12
};

typedef struct beam {
    rd__knapsack_core *core;
    rd__knapsack_bundles bundles;
    rd__knapsack_state *list, *other;
    uint64_t states, room, other_room;
    rd__knapsack_marks marks;
    int64_t best;
    uint32_t best_mark; /* RD__NO_MARK: the solution that it began with */
    uint64_t width;
    int cut; /* states were left out */
} beam;

/* ---- Bounds ---- */

/* Curves of a rest of the items, and how far states that ascend in weight have come on each. */
typedef struct rest {
    const rd__knapsack_curve *curve;
    const rd__knapsack_bundles *bundles;
    uint64_t at[RD__KNAPSACK_PRICES];
} rest;

/* The last step that fits into room. */
static uint64_t last_within(const rd__knapsack_curve *curve, int64_t room)
{
    uint64_t low = 0, high = curve->count - 1;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (curve->step[middle].weight <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Of the items from `from` on, or a few more; states have at most `room`. @return 0: there are none. */
static int rest_start(rest *r, const rd__knapsack_bundles *bundles, uint32_t from, int64_t room)
{
    if (from >= bundles->count)
        return 0;
    r->bundles = bundles;
    r->curve = bundles->curve + (uint64_t)(from / RD__KNAPSACK_SPACING) * bundles->prices;
    for (uint32_t i = 0; i < bundles->prices; i++)
        r->at[i] = last_within(&r->curve[i], room);
    return 1;
}

/* The least of its bounds with so much room, less `lack`; not above 0 as soon as one says so. */
static int64_t rest_above(rest *r, int64_t room, int64_t lack)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < r->bundles->prices && least > 0; i++) {
        const rd__knapsack_step *step = r->curve[i].step;
        while (step[r->at[i]].weight > room)
            r->at[i]--;
        const int64_t bound = (r->bundles->price[i] * room + step[r->at[i]].value) / RD__KNAPSACK_SCALE - lack;
        least = bound < least ? bound : least;
    }
    return least;
}

/* ---- Passes ---- */

static rd_status room_for_states(beam *b, rd_error *err)
{
    const uint64_t least = 2 * b->states + 2, wanted = least + least / 4;
    if (least <= b->other_room)
        return RD_OK;
    RD_TRY(rd__memory_expect(wanted * sizeof *b->list, "a list of states", err));
    RD_TRY(rd__array_grow(&b->other, "a list of states", 0, wanted, sizeof *b->other, err));
    b->other_room = wanted;
    return RD_OK;
}

static void swap_lists(beam *b, uint64_t states)
{
    rd__knapsack_state *list = b->list;
    const uint64_t room = b->room;
    b->list = b->other;
    b->room = b->other_room;
    b->other = list;
    b->other_room = room;
    b->states = states;
}

static void merge(beam *b, uint32_t item)
{
    const rd__knapsack_thing *thing = &b->bundles.thing[item];
    const int64_t capacity = (int64_t)b->core->capacity;
    uint64_t i = 0, j = 0, n = 0;
    int64_t highest = -1;
    rest r;
    const int more = rest_start(&r, &b->bundles, item + 1, capacity - b->list[0].weight);
    while (i < b->states || j < b->states) {
        rd__knapsack_state next;
        int taken = 0;
        if (j == b->states || (i < b->states && b->list[i].weight <= b->list[j].weight + thing->weight)) {
            next = b->list[i++];
        } else {
            next = b->list[j++];
            next.weight += thing->weight;
            next.value += thing->value;
            taken = 1;
            if (next.weight > capacity) {
                j = b->states;
                continue;
            }
        }
        if (next.value <= highest)
            continue; /* a lighter one is as good */
        highest = next.value;
        const int better = next.value > b->best;
        const int64_t hope = more ? rest_above(&r, capacity - next.weight, b->best - next.value) : 0;
        if (hope <= 0 && !better)
            continue;
        next.hope = hope < UINT32_MAX ? (uint32_t)hope : UINT32_MAX;
        if (taken)
            next.mark = rd__knapsack_marks_add(&b->marks, next.mark, item);
        if (better) {
            b->best = next.value;
            b->best_mark = next.mark;
        }
        b->other[n++] = next;
    }
    swap_lists(b, n);
}

/* Keeps about as many states as are allowed, those of highest hope. */
static void narrow(beam *b)
{
    uint64_t count[SLOTS] = {0}, kept = 0, n = 0;
    uint32_t highest = 0, shift = 0, least = SLOTS;
    if (b->states <= b->width)
        return;
    for (uint64_t i = 0; i < b->states; i++)
        highest = b->list[i].hope > highest ? b->list[i].hope : highest;
    while (highest >> shift >= SLOTS)
        shift++;
    for (uint64_t i = 0; i < b->states; i++)
        count[b->list[i].hope >> shift]++;
    while (least > 0 && kept + count[least - 1] <= b->width)
        kept += count[--least];
    uint64_t spare = b->width - kept; /* of the next slot, the lightest */
    for (uint64_t i = 0; i < b->states; i++) {
        const uint32_t slot = b->list[i].hope >> shift;
        if (slot >= least)
            b->list[n++] = b->list[i];
        else if (slot + 1 == least && spare) {
            b->list[n++] = b->list[i];
            spare--;
        }
    }
    b->states = n;
    b->cut = 1;
}

/* @return 0: it has to end before the last item. */
static int pass(beam *b, uint64_t effort, const rd__watch *watch)
{
    uint64_t told = b->core->states;
    b->list[0] = (rd__knapsack_state){0, 0, RD__NO_MARK, UINT32_MAX};
    b->states = 1;
    b->cut = 0;
    for (uint32_t item = 0; item < b->bundles.count && b->states; item++) {
        if (b->core->states >= effort)
            return 0;
        if (b->core->states - told >= WATCH_STATES) {
            told = b->core->states;
            if (rd__watch_stops(watch, "states", b->core->states, effort, "states"))
                return 0;
        }
        if (rd__knapsack_marks_room(&b->marks, b->list, b->states, &b->best_mark, NULL) != RD_OK ||
            room_for_states(b, NULL) != RD_OK)
            return 0;
        merge(b, item);
        b->core->states += b->states + 1;
        narrow(b);
    }
    return 1;
}

/* What the best state chose becomes the start solution. */
static rd_status keep_best(beam *b, rd_error *err)
{
    uint8_t *chosen;
    RD_TRY(rd__array_new(&chosen, "chosen items", b->core->count, 1, err));
    memset(chosen, 0, b->core->count);
    for (uint32_t m = b->best_mark; m != RD__NO_MARK; m = b->marks.mark[m].before)
        chosen[b->bundles.thing[b->marks.mark[m].what].place] = 1;
    rd__knapsack_core_start(b->core, chosen, (uint64_t)b->best);
    rd__array_free(chosen);
    return RD_OK;
}

/* One pass with a beam of that width, for values above `least`: of those it finds the highest, unless states were left
 * out. *whole: it came to its end, and none were. */
static rd_status look_above(beam *b, int64_t least, uint64_t width, uint64_t effort, const rd__watch *watch, int *whole,
                            rd_error *err)
{
    const int64_t before = b->best;
    b->width = width;
    b->best = least;
    b->best_mark = RD__NO_MARK;
    *whole = pass(b, effort, watch) && !b->cut;
    if (b->best > least)
        RD_TRY(keep_best(b, err));
    else
        b->best = before;
    b->marks.count = 0;
    return RD_OK;
}

static rd_status search(beam *b, uint64_t effort, const rd__watch *watch, rd_error *err)
{
    int whole = 0;
    RD_TRY(rd__array_new(&b->list, "a list of states", 2, sizeof *b->list, err));
    b->room = 2;
    for (uint64_t width = NARROW; width <= BROAD && !whole; width *= WIDER)
        RD_TRY(look_above(b, b->best, width, effort, watch, &whole, err));
    /* How far below the bound of all items is the best? */
    int64_t upper = whole ? b->best : (int64_t)b->core->upper;
    for (int64_t step = 1; upper > b->best; step *= FARTHER) {
        const int64_t before = b->best, least = upper - step > before ? upper - step : before;
        RD_TRY(look_above(b, least, WIDE, effort, watch, &whole, err));
        if (!whole && b->best == before)
            break;
        if (whole)
            upper = b->best > before ? b->best : least;
    }
    b->core->upper = (uint64_t)upper < b->core->upper ? (uint64_t)upper : b->core->upper;
    b->core->proved = upper <= b->best;
    return RD_OK;
}

/* The bound of all items may be below Dantzig's. */
static void lower_bound_of_all(beam *b)
{
    rest r;
    if (!rest_start(&r, &b->bundles, 0, (int64_t)b->core->capacity))
        return;
    const int64_t above = rest_above(&r, (int64_t)b->core->capacity, b->best);
    const uint64_t upper = (uint64_t)(b->best + (above > 0 ? above : 0));
    b->core->upper = upper < b->core->upper ? upper : b->core->upper;
}

rd_status rd__knapsack_beam(rd__knapsack_core *core, uint64_t effort, const rd__watch *watch, rd_error *err)
{
    beam b = {.core = core, .best = (int64_t)core->start_value};
    rd_status status = rd__knapsack_bundles_find(core, &b.bundles, err);
    if (status == RD_OK && b.bundles.bundles) {
        status = rd__knapsack_bundles_price(core, &b.bundles, watch, err);
        if (status == RD_OK) {
            lower_bound_of_all(&b);
            status = search(&b, effort, watch, err);
        }
        if (status == RD_ENOMEM || status == RD_ECANCELLED)
            status = RD_OK; /* as if there were no bundles */
    }
    rd__knapsack_bundles_free(&b.bundles);
    rd__array_free(b.list);
    rd__array_free(b.other);
    rd__array_free(b.marks.mark);
    return status;
}
