/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core.c - sorting, sums, the break item, and a start solution.
 *
 * The start solution comes of the core alone: the first levels of the search's tree (knapsack/knapsack.k.c), all at
 * once. A list of (weight, value, decisions), ascending in both, is merged with itself shifted by each level's change;
 * of many, those nearest to the capacity stay. Each is filled up greedily, and the best wins. On most inputs that are
 * not strongly correlated this is the optimum, or close to it.
 */
#include "apps/knapsack/core.h"

#include <stdlib.h>
#include <string.h>

enum { CORE_LEVELS = 40, CORE_STATES = 1024 };

/* ---- Order ---- */

typedef struct ranked {
    uint32_t value, weight, item;
} ranked;

/* More value per weight first; then the heavier, then the lower number, so that the order is one and the same. */
static int by_worth(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    const uint64_t l = (uint64_t)a->value * b->weight, r = (uint64_t)b->value * a->weight;
    if (l != r)
        return l > r ? -1 : 1;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->item < b->item ? -1 : 1;
}

void rd__knapsack_window(const rd__knapsack_core *core, uint32_t level, uint32_t *first, uint32_t *end)
{
    const uint32_t before = core->break_item, behind = core->count - before;
    const uint32_t both = before < behind ? before : behind;
    const uint32_t left = level < 2 * both ? level / 2 : before < behind ? before : level - behind;
    *first = before - left;
    *end = before + (level - left);
}

static void order_items(const rd__knapsack_items *items, rd__knapsack_core *core, ranked *sorted)
{
    for (uint32_t i = 0; i < items->count; i++)
        if (items->weight[i] <= items->capacity)
            sorted[core->count++] = (ranked){items->value[i], items->weight[i], i};
    if (core->count)
        qsort(sorted, core->count, sizeof *sorted, by_worth);
    core->prefix[0] = core->prefix[1] = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        core->item[i] = sorted[i].item;
        core->prefix[2 * i + 2] = core->prefix[2 * i] + sorted[i].weight;
        core->prefix[2 * i + 3] = core->prefix[2 * i + 1] + sorted[i].value;
        core->most = sorted[i].value > core->most ? sorted[i].value : core->most;
    }
    while (core->break_item < core->count && core->prefix[2 * core->break_item + 2] <= core->capacity)
        core->break_item++;
    for (uint32_t t = 0, first, end; t < core->count; t++) {
        rd__knapsack_window(core, t, &first, &end);
        uint32_t next_first, next_end;
        rd__knapsack_window(core, t + 1, &next_first, &next_end);
        const ranked *one = &sorted[next_first < first ? next_first : end];
        core->step[2 * t] = next_first < first ? -(int64_t)one->weight : (int64_t)one->weight;
        core->step[2 * t + 1] = next_first < first ? -(int64_t)one->value : (int64_t)one->value;
    }
    core->upper = core->prefix[2 * core->break_item + 1];
    if (core->break_item < core->count) {
        const ranked *next = &sorted[core->break_item];
        core->upper += (core->capacity - core->prefix[2 * core->break_item]) * next->value / next->weight;
    }
}

/* ---- The start solution ---- */

typedef struct state {
    int64_t weight, value;
    uint64_t bits;
} state;

/* The value when a state of `level` is filled up in order, or emptied, until it fits; -1 when it never does. */
static int64_t filled(const rd__knapsack_core *core, uint32_t level, const state *s)
{
    const uint64_t *prefix = core->prefix;
    uint32_t first, end;
    rd__knapsack_window(core, level, &first, &end);
    const int64_t room = (int64_t)core->capacity - s->weight;
    if (room >= 0) {
        uint32_t low = end, high = core->count; /* the last sum within room */
        while (low < high) {
            const uint32_t middle = low + (high - low + 1) / 2;
            if (prefix[2 * middle] - prefix[2 * end] <= (uint64_t)room)
                low = middle;
            else
                high = middle - 1;
        }
        return s->value + (int64_t)(prefix[2 * low + 1] - prefix[2 * end + 1]);
    }
    if (prefix[2 * first] < (uint64_t)-room)
        return -1;
    uint32_t low = 0, high = first; /* the last from which taking out is enough */
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (prefix[2 * first] - prefix[2 * middle] >= (uint64_t)-room)
            low = middle;
        else
            high = middle - 1;
    }
    return s->value - (int64_t)(prefix[2 * first + 1] - prefix[2 * low + 1]);
}

static void keep_best(rd__knapsack_core *core, uint32_t level, const state *list, uint32_t states)
{
    for (uint32_t i = 0; i < states; i++) {
        const int64_t value = filled(core, level, &list[i]);
        if (value > (int64_t)core->start_value) {
            core->start_value = (uint64_t)value;
            core->start_level = level;
            core->start_bits = list[i].bits;
        }
    }
}

/* Merges the list with itself shifted by the change of this level; a state that is no better than a lighter one goes.
 */
static uint32_t merge(const rd__knapsack_core *core, uint32_t level, const state *list, uint32_t states, state *out)
{
    const int64_t weight = core->step[2 * level], value = core->step[2 * level + 1];
    uint32_t i = 0, j = 0, n = 0;
    while (i < states || j < states) {
        state next;
        if (j == states || (i < states && list[i].weight <= list[j].weight + weight))
            next = list[i++];
        else {
            next = (state){list[j].weight + weight, list[j].value + value, list[j].bits | 1ull << level};
            j++;
        }
        if (n == 0 || next.value > out[n - 1].value)
            out[n++] = next;
    }
    return n;
}

static void start_solution(rd__knapsack_core *core, state *list, state *other)
{
    const uint32_t levels = core->count < CORE_LEVELS ? core->count : CORE_LEVELS;
    uint32_t states = 1;
    const uint64_t *at = core->prefix + 2ull * core->break_item;
    list[0] = (state){(int64_t)at[0], (int64_t)at[1], 0};
    core->start_value = at[1];
    for (uint32_t t = 0; t < levels && core->start_value < core->upper; t++) {
        states = merge(core, t, list, states, other);
        uint32_t from = 0;
        if (states > CORE_STATES) {
            while (from < states - CORE_STATES && other[from + CORE_STATES / 2].weight < (int64_t)core->capacity)
                from++;
            states = CORE_STATES;
        }
        memcpy(list, other + from, states * sizeof *list);
        keep_best(core, t + 1, list, states);
    }
}

rd_status rd__knapsack_core_make(const rd__knapsack_items *items, rd__knapsack_core *core, rd_error *err)
{
    ranked *sorted = NULL;
    state *list = NULL, *other = NULL;
    *core = (rd__knapsack_core){.capacity = items->capacity};
    rd_status status = rd__array_new(&sorted, "items to sort", items->count, sizeof *sorted, err);
    if (status == RD_OK)
        status = rd__array_new(&core->item, "items in order", items->count, sizeof *core->item, err);
    if (status == RD_OK)
        status = rd__array_new(&core->prefix, "sums of items", 2 * (items->count + 1ull), sizeof *core->prefix, err);
    if (status == RD_OK)
        status = rd__array_new(&core->step, "decisions", 2ull * items->count, sizeof *core->step, err);
    if (status == RD_OK)
        status = rd__array_new(&list, "the core", CORE_STATES, sizeof *list, err);
    if (status == RD_OK)
        status = rd__array_new(&other, "the core", 2 * CORE_STATES, sizeof *other, err);
    if (status == RD_OK) {
        order_items(items, core, sorted);
        start_solution(core, list, other);
    } else {
        rd__knapsack_core_free(core);
    }
    rd__array_free(sorted);
    rd__array_free(list);
    rd__array_free(other);
    return status;
}

void rd__knapsack_core_free(rd__knapsack_core *core)
{
    rd__array_free(core->item);
    rd__array_free(core->prefix);
    rd__array_free(core->step);
    *core = (rd__knapsack_core){0};
}

/* ---- Paths ---- */

static int by_number(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

uint32_t rd__knapsack_unpack(const rd__knapsack_core *core, uint32_t level, const uint64_t *bits, uint32_t *chosen,
                             uint64_t *value, uint64_t *weight)
{
    uint32_t first, end, count = 0;
    int64_t load = (int64_t)core->prefix[2ull * core->break_item];
    for (uint32_t t = 0; t < level; t++)
        if (bits[t / 64] >> t % 64 & 1)
            load += core->step[2ull * t];
    rd__knapsack_window(core, level, &first, &end);
    /* Outside the window: what fits behind it, or less before it. */
    uint32_t until = end, from = first;
    if (load <= (int64_t)core->capacity) {
        while (until < core->count &&
               load + (int64_t)(core->prefix[2ull * until + 2] - core->prefix[2ull * end]) <= (int64_t)core->capacity)
            until++;
    } else {
        while (from > 0 &&
               load - (int64_t)(core->prefix[2ull * first] - core->prefix[2ull * from]) > (int64_t)core->capacity)
            from--;
    }
    for (uint32_t i = 0; i < from; i++)
        chosen[count++] = i;
    for (uint32_t t = 0; t < level; t++) {
        uint32_t a, b, a_next, b_next;
        rd__knapsack_window(core, t, &a, &b);
        rd__knapsack_window(core, t + 1, &a_next, &b_next);
        const int before = a_next < a, unlike = (int)(bits[t / 64] >> t % 64 & 1);
        if (before != unlike)
            chosen[count++] = before ? a_next : b;
    }
    for (uint32_t i = end; i < until; i++)
        chosen[count++] = i;
    *value = *weight = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *at = core->prefix + 2ull * chosen[i];
        *weight += at[2] - at[0];
        *value += at[3] - at[1];
        chosen[i] = core->item[chosen[i]];
    }
    qsort(chosen, count, sizeof *chosen, by_number);
    return count;
}
