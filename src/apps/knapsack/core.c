/* SPDX-License-Identifier: Apache-2.0 */
/* core.c - sorting, sums, the break item; paths to items. */
#include "apps/knapsack/core.h"

#include "core/wide.h"

#include <stdlib.h>
#include <string.h>

/* ---- Order ---- */

typedef struct ranked {
    uint64_t value, weight;
    uint32_t item;
} ranked;

/* More value per weight first; then the heavier, then the lower number, so that the order is one and the same. */
static int by_worth(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    const int order = rd__compare_products(a->value, b->weight, b->value, a->weight);
    if (order)
        return -order;
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

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Makes numbers as small as they can be: sums of multiples are multiples. */
static void divide(rd__knapsack_core *core, ranked *sorted)
{
    uint64_t value = 0, weight = 0;
    for (uint32_t i = 0; i < core->count && (value != 1 || weight != 1); i++) {
        value = common_divisor(value, sorted[i].value);
        weight = common_divisor(weight, sorted[i].weight);
    }
    core->value_unit = value ? value : 1;
    core->weight_unit = weight ? weight : 1;
    core->capacity /= core->weight_unit;
    for (uint32_t i = 0; i < core->count; i++) {
        sorted[i].value /= core->value_unit;
        sorted[i].weight /= core->weight_unit;
    }
}

static void order_items(const rd__knapsack_items *items, rd__knapsack_core *core, ranked *sorted)
{
    for (uint32_t i = 0; i < items->count; i++)
        if (items->weight[i] <= items->capacity)
            sorted[core->count++] = (ranked){items->value[i], items->weight[i], i};
    divide(core, sorted);
    if (core->count)
        qsort(sorted, core->count, sizeof *sorted, by_worth);
    core->prefix[0] = core->prefix[1] = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        core->item[i] = sorted[i].item;
        core->prefix[2ull * i + 2] = core->prefix[2ull * i] + sorted[i].weight;
        core->prefix[2ull * i + 3] = core->prefix[2ull * i + 1] + sorted[i].value;
        core->most = sorted[i].value > core->most ? sorted[i].value : core->most;
        core->wide |= (sorted[i].value | sorted[i].weight) >> 32 != 0;
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
        core->upper += rd__mul_div(core->capacity - core->prefix[2 * core->break_item], next->value, next->weight);
    }
}

rd_status rd__knapsack_core_make(const rd__knapsack_items *items, rd__knapsack_core *core, rd_error *err)
{
    ranked *sorted = NULL;
    *core = (rd__knapsack_core){.capacity = items->capacity};
    rd_status status = rd__array_new(&sorted, "items to sort", items->count, sizeof *sorted, err);
    if (status == RD_OK)
        status = rd__array_new(&core->item, "items in order", items->count, sizeof *core->item, err);
    if (status == RD_OK)
        status = rd__array_new(&core->prefix, "sums of items", 2 * (items->count + 1ull), sizeof *core->prefix, err);
    if (status == RD_OK)
        status = rd__array_new(&core->step, "decisions", 2ull * items->count, sizeof *core->step, err);
    if (status == RD_OK)
        status = rd__array_new(&core->start_bits, "the start solution", items->count / 64 + 1ull,
                               sizeof *core->start_bits, err);
    if (status == RD_OK) {
        order_items(items, core, sorted);
        rd__knapsack_core_start(core, NULL, core->prefix[2ull * core->break_item + 1]);
    } else {
        rd__knapsack_core_free(core);
    }
    rd__array_free(sorted);
    return status;
}

void rd__knapsack_core_free(rd__knapsack_core *core)
{
    rd__array_free(core->item);
    rd__array_free(core->prefix);
    rd__array_free(core->step);
    rd__array_free(core->start_bits);
    *core = (rd__knapsack_core){0};
}

void rd__knapsack_core_start(rd__knapsack_core *core, const uint8_t *chosen, uint64_t value)
{
    memset(core->start_bits, 0, (core->count / 64 + 1ull) * sizeof *core->start_bits);
    core->start_level = chosen ? core->count : 0;
    core->start_value = value;
    for (uint32_t t = 0, first, end, next_first, next_end; t < core->start_level; t++) {
        rd__knapsack_window(core, t, &first, &end);
        rd__knapsack_window(core, t + 1, &next_first, &next_end);
        const int before = next_first < first;
        if (before != (chosen[before ? next_first : end] != 0))
            core->start_bits[t / 64] |= 1ull << t % 64;
    }
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
    *value *= core->value_unit;
    *weight *= core->weight_unit;
    qsort(chosen, count, sizeof *chosen, by_number);
    return count;
}
