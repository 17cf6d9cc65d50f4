/* SPDX-License-Identifier: Apache-2.0 */
/*
 * states.c - dynamic programming over the core, after D. Pisinger's MINKNAP, 1997.
 *
 * The list begins with the break solution. Level after level, from the break item outwards, it is merged with itself
 * shifted by what the level's decision changes: the levels of the search's tree (knapsack/knapsack.k.c), all nodes of
 * one level at once. It ascends in weight and value; a state that is no better than a lighter one is dominated and
 * goes. So does one whose bound by Dantzig is not above the best value: since weights ascend, the item that is cut in
 * part moves in one direction, and a pass over the list finds all bounds. Each state filled up (or emptied) in order is
 * a solution. A level whose decision cannot be part of a better solution, by the bound of the whole problem with just
 * that item decided otherwise, leaves the list as it is. When the list is empty, or all levels are done, the best value
 * is proved.
 *
 * When the list is no longer short, the bound by how many items there can be (counts.c) and pairs of items outside the
 * window (pairs.c) are tried: where items are many and alike they meet, and that is the proof.
 *
 * The lists of most inputs stay short: the dominance that a table finds only sometimes is complete here. Where they
 * grow beyond what is allowed the search goes on from the best solution so far.
 */
#include "apps/knapsack/states.h"

#include "apps/knapsack/counts.h"
#include "apps/knapsack/marks.h"
#include "apps/knapsack/pairs.h"

#include "core/memory.h"
#include "core/wide.h"

#include <string.h>

enum { WATCH_STATES = 1 << 22, PAIRS_AT = 1 << 10, PAIRS_AGAIN = 8 };
static const uint64_t LIST_MAX = 1ull << 22;
static const uint64_t PAIRS_STEPS = 1ull << 25; /* some hundredths of a second */

typedef struct program {
    rd__knapsack_core *core;
    rd__knapsack_state *list, *other;
    uint64_t states, room, other_room; /* of list, and of both lists */
    rd__knapsack_marks marks;
    /* the best solution: a state's path, filled up */
    int64_t best;
    uint32_t best_mark, best_level;
    uint64_t pairs_at; /* when the list has so many states, pairs are tried */
} program;

/* ---- Bounds ---- */

/* Items outside the window that take what is left of the capacity, or give it back; moves as weights ascend. */
typedef struct cut {
    const rd__knapsack_core *core;
    uint32_t first, end; /* the window */
    uint32_t behind;     /* items [end, behind) fill it up */
    uint32_t before;     /* items [before, first) are taken out */
} cut;

static uint64_t weight_of(const rd__knapsack_core *core, uint32_t from, uint32_t to)
{
    return core->prefix[2ull * to] - core->prefix[2ull * from];
}

static int64_t value_of(const rd__knapsack_core *core, uint32_t from, uint32_t to)
{
    return (int64_t)(core->prefix[2ull * to + 1] - core->prefix[2ull * from + 1]);
}

/* The last place from `from` on up to which items fit into room. */
static uint32_t fits_until(const rd__knapsack_core *core, uint32_t from, uint64_t room)
{
    uint32_t low = from, high = core->count;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (weight_of(core, from, middle) <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void cut_start(cut *c, const rd__knapsack_core *core, uint32_t level, int64_t lightest)
{
    c->core = core;
    rd__knapsack_window(core, level, &c->first, &c->end);
    const int64_t room = (int64_t)core->capacity - lightest;
    c->behind = fits_until(core, c->end, room > 0 ? (uint64_t)room : 0);
    c->before = c->first;
}

/* Of a state that is not lighter than those before: is its bound above *best? A better solution becomes the best.
 * @return 2: and it has one. */
static int look(cut *c, const rd__knapsack_state *s, int64_t *best)
{
    const rd__knapsack_core *core = c->core;
    const int64_t room = (int64_t)core->capacity - s->weight;
    if (room >= 0) {
        while (weight_of(core, c->end, c->behind) > (uint64_t)room)
            c->behind--;
        const int64_t base = s->value + value_of(core, c->end, c->behind);
        const int better = base > *best;
        *best = better ? base : *best;
        if (c->behind == core->count)
            return better ? 2 : 0;
        const uint64_t rest = (uint64_t)room - weight_of(core, c->end, c->behind);
        const int64_t lack = *best - base + 1; /* what the part of the next item has to bring */
        const int hopeful = rd__compare_products(rest, (uint64_t)value_of(core, c->behind, c->behind + 1),
                                                 (uint64_t)lack, weight_of(core, c->behind, c->behind + 1)) >= 0;
        return better ? 2 : hopeful;
    }
    while (c->before > 0 && weight_of(core, c->before, c->first) < (uint64_t)-room)
        c->before--;
    const uint64_t out = weight_of(core, c->before, c->first);
    if (out < (uint64_t)-room)
        return 0; /* it never fits */
    const int64_t base = s->value - value_of(core, c->before, c->first);
    const int better = base > *best;
    *best = better ? base : *best;
    /* of the last item taken out a part may stay: it is worth too little, or all of it has to go */
    const uint64_t back = out - (uint64_t)-room;
    const int64_t lack = *best - base + 1;
    const int hopeful = back && rd__compare_products(back, (uint64_t)value_of(core, c->before, c->before + 1),
                                                     (uint64_t)lack, weight_of(core, c->before, c->before + 1)) >= 0;
    return better ? 2 : hopeful;
}

/* Can a solution that decides this level otherwise be better? By the bound of all items but this one. */
static int may_matter(const program *p, uint32_t level)
{
    const rd__knapsack_core *core = p->core;
    const int64_t weight = core->step[2ull * level], value = core->step[2ull * level + 1];
    if (weight > 0 && (uint64_t)weight > core->capacity)
        return 0;
    const uint64_t room = core->capacity - (uint64_t)weight; /* more, where the item is left out */
    const uint32_t until = fits_until(core, 0, room);
    const int64_t base = value + value_of(core, 0, until);
    if (base > p->best || until == core->count)
        return base > p->best;
    return rd__compare_products(room - weight_of(core, 0, until), (uint64_t)value_of(core, until, until + 1),
                                (uint64_t)(p->best - base + 1), weight_of(core, until, until + 1)) >= 0;
}

/* ---- Levels ---- */

static rd_status room_for_states(program *p, rd_error *err)
{
    const uint64_t least = 2 * p->states + 2, wanted = least + least / 4;
    if (least <= p->other_room)
        return RD_OK;
    RD_TRY(rd__memory_expect(wanted * sizeof *p->list, "a list of states", err));
    RD_TRY(rd__array_grow(&p->other, "a list of states", 0, wanted, sizeof *p->other, err));
    p->other_room = wanted;
    return RD_OK;
}

/* Merges the list with itself shifted by the change of this level. */
static void merge(program *p, uint32_t level)
{
    const rd__knapsack_core *core = p->core;
    const int64_t weight = core->step[2ull * level], value = core->step[2ull * level + 1];
    const int64_t lightest = p->list[0].weight + (weight < 0 ? weight : 0);
    uint64_t i = 0, j = 0, n = 0;
    int64_t highest = INT64_MIN;
    cut c;
    cut_start(&c, core, level + 1, lightest);
    while (i < p->states || j < p->states) {
        rd__knapsack_state next;
        int taken = 0;
        if (j == p->states || (i < p->states && p->list[i].weight <= p->list[j].weight + weight)) {
            next = p->list[i++];
        } else {
            next = (rd__knapsack_state){p->list[j].weight + weight, p->list[j].value + value, p->list[j].mark, 0};
            taken = 1;
            j++;
        }
        if (next.value <= highest)
            continue; /* a lighter one is as good */
        highest = next.value;
        const int hope = look(&c, &next, &p->best);
        if (!hope)
            continue;
        if (taken) {
            next.mark = rd__knapsack_marks_add(&p->marks, next.mark, level);
        }
        if (hope == 2) {
            p->best_mark = next.mark;
            p->best_level = level + 1;
        }
        p->other[n++] = next;
    }
    rd__knapsack_state *list = p->list;
    const uint64_t room = p->room;
    p->list = p->other;
    p->room = p->other_room;
    p->other = list;
    p->other_room = room;
    p->states = n;
}

/* ---- Pairs ---- */

/* A state and a pair become the start solution. */
static rd_status keep(program *p, const rd__knapsack_state *state, uint32_t out, uint32_t in, rd_error *err)
{
    rd__knapsack_core *core = p->core;
    uint8_t *chosen;
    RD_TRY(rd__array_new(&chosen, "chosen items", core->count, 1, err));
    memset(chosen, 0, core->count);
    memset(chosen, 1, core->break_item);
    for (uint32_t m = state->mark, first, end, next_first, next_end; m != RD__NO_MARK; m = p->marks.mark[m].before) {
        rd__knapsack_window(core, p->marks.mark[m].what, &first, &end);
        rd__knapsack_window(core, p->marks.mark[m].what + 1, &next_first, &next_end);
        chosen[next_first < first ? next_first : end] ^= 1;
    }
    if (out != RD__NO_ITEM)
        chosen[out] = 0;
    if (in != RD__NO_ITEM)
        chosen[in] = 1;
    rd__knapsack_core_start(core, chosen, (uint64_t)p->best);
    rd__array_free(chosen);
    return RD_OK;
}

/* Tries pairs on the states, or on some of them where they are many; a better choice becomes the start solution. */
static rd_status try_pairs(program *p, uint32_t level, rd_error *err)
{
    rd__knapsack_pairs pairs;
    rd_status status = rd__knapsack_pairs_make(p->core, level, &pairs, err);
    const uint64_t cost = p->states * ((uint64_t)pairs.outs + pairs.ins), stride = cost / PAIRS_STEPS + 1;
    uint32_t out = RD__NO_ITEM, in = RD__NO_ITEM, best_out = RD__NO_ITEM, best_in = RD__NO_ITEM;
    const rd__knapsack_state *found = NULL;
    for (uint64_t i = 0; status == RD_OK && i < p->states && (uint64_t)p->best < p->core->upper; i += stride) {
        const rd__knapsack_state *state = &p->list[i];
        const int64_t more = rd__knapsack_pairs_best(&pairs, (int64_t)p->core->capacity - state->weight, &out, &in);
        if (more > INT64_MIN && state->value + more > p->best) {
            p->best = state->value + more;
            found = state;
            best_out = out;
            best_in = in;
        }
    }
    if (status == RD_OK && found)
        status = keep(p, found, best_out, best_in, err);
    rd__knapsack_pairs_free(&pairs);
    return status;
}

/* @return 1: the best value is proved. */
static int meets_bound(program *p, uint32_t level)
{
    if (p->states >= p->pairs_at) {
        if (p->pairs_at == PAIRS_AT && rd__knapsack_count_bound(p->core, (uint64_t)p->best, NULL) != RD_OK)
            return 0;
        p->pairs_at = PAIRS_AGAIN * p->states;
        if (try_pairs(p, level, NULL) != RD_OK)
            return 0;
    }
    return (uint64_t)p->best >= p->core->upper;
}

static void run(program *p, uint64_t effort, const rd__watch *watch)
{
    rd__knapsack_core *core = p->core;
    uint64_t told = 0;
    uint32_t level = 0;
    for (; level < core->count && p->states; level++) {
        if (core->states >= effort || p->states > LIST_MAX)
            return;
        if (core->states - told >= WATCH_STATES) {
            told = core->states;
            if (rd__watch_stops(watch, "states", core->states, effort, "states"))
                return;
        }
        if (meets_bound(p, level))
            break;
        if (!may_matter(p, level))
            continue;
        if (rd__knapsack_marks_room(&p->marks, p->list, p->states, &p->best_mark, NULL) != RD_OK ||
            room_for_states(p, NULL) != RD_OK)
            return; /* as if no more were allowed */
        merge(p, level);
        core->states += p->states + 1;
    }
    core->proved = 1;
}

rd_status rd__knapsack_states(rd__knapsack_core *core, uint64_t effort, const rd__watch *watch, rd_error *err)
{
    const uint64_t *at = core->prefix + 2ull * core->break_item;
    program p = {.core = core, .best = (int64_t)core->start_value, .best_mark = RD__NO_MARK, .pairs_at = PAIRS_AT};
    cut c;
    rd_status status = rd__array_new(&p.list, "a list of states", 2, sizeof *p.list, err);
    if (status == RD_OK) {
        p.room = 2;
        p.list[0] = (rd__knapsack_state){(int64_t)at[0], (int64_t)at[1], RD__NO_MARK, 0};
        cut_start(&c, core, 0, p.list[0].weight);
        p.states = look(&c, &p.list[0], &p.best) != 0;
        run(&p, effort, watch);
    }
    if (status == RD_OK && p.best > (int64_t)core->start_value) {
        memset(core->start_bits, 0, (core->count / 64 + 1ull) * sizeof *core->start_bits);
        for (uint32_t m = p.best_mark, level; m != RD__NO_MARK; m = p.marks.mark[m].before) {
            level = p.marks.mark[m].what;
            core->start_bits[level / 64] |= 1ull << level % 64;
        }
        core->start_level = p.best_level;
        core->start_value = (uint64_t)p.best;
    }
    rd__array_free(p.list);
    rd__array_free(p.other);
    rd__array_free(p.marks.mark);
    return status;
}
