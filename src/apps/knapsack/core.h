/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core.h - a knapsack problem made ready for the search: items in the order of their worth, sums, the break
 * item, the order of decisions; and paths of the search made into items again.
 */
#ifndef RD_APPS_KNAPSACK_CORE_H
#define RD_APPS_KNAPSACK_CORE_H

#include "apps/knapsack/input.h"

typedef struct rd__knapsack_core {
    uint32_t count;      /* items that fit at all, the best value per weight first */
    uint32_t break_item; /* the first that does not fit after all before it; count: all fit */
    uint32_t *item;      /* their numbers in the input */
    uint64_t *prefix;    /* weight and value of the first i of them, count + 1 pairs */
    int64_t *step;       /* what the decision of each level changes: weight and value, count pairs */
    /* Values and weights here are in units, their greatest common divisors: bounds are rounded down to whole ones. */
    uint64_t value_unit, weight_unit;
    uint64_t capacity;
    uint64_t upper; /* Dantzig's bound, or one of bundles.c */
    uint64_t most;  /* highest value of an item */
    uint32_t wide;  /* some value or weight has more than 32 bits */
    /* The start solution, as a path: the first start_level decisions are start_bits, the rest is filled in. It is the
     * break solution unless states.c or beam.c found a better one. */
    uint32_t start_level;
    uint64_t *start_bits; /* 64 a word */
    uint64_t start_value;
    uint64_t states; /* that dynamic programming made */
    int proved;      /* nothing is better than the start solution */
} rd__knapsack_core;

rd_status rd__knapsack_core_make(const rd__knapsack_items *items, rd__knapsack_core *core, rd_error *err);
void rd__knapsack_core_free(rd__knapsack_core *core);
/* Makes another solution the start solution: chosen[i] is not 0 for each item of the order that it has. NULL: the break
 * solution. value: what it is worth, in units. */
void rd__knapsack_core_start(rd__knapsack_core *core, const uint8_t *chosen, uint64_t value);

/* Items [*first, *end) are decided by the first `level` levels. */
void rd__knapsack_window(const rd__knapsack_core *core, uint32_t level, uint32_t *first, uint32_t *end);
/* The solution at the end of a path: decisions bits[t / 64] >> t % 64 & 1 of the first `level` levels, then filled up
 * (or emptied) item by item. chosen: count of them, sorted, numbers in the input; room for core->count.
 * @return how many, and their value and weight, not in units. */
uint32_t rd__knapsack_unpack(const rd__knapsack_core *core, uint32_t level, const uint64_t *bits, uint32_t *chosen,
                             uint64_t *value, uint64_t *weight);

#endif
