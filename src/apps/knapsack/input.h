/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - the items of a knapsack problem: from a file or a generator. */
#ifndef RD_APPS_KNAPSACK_INPUT_H
#define RD_APPS_KNAPSACK_INPUT_H

#include "apps/common/spec.h"

/* Item i has value[i] and weight[i] >= 1; the sums of both and the capacity are below 2^63. */
typedef struct rd__knapsack_items {
    uint32_t count;
    uint64_t *value, *weight;
    uint64_t capacity;
    uint64_t value_sum, weight_sum;
    uint64_t published; /* what the solution in the file is worth; 0: the file has none that fits */
    char *provenance;   /* generator, parameters and seed, or the file */
} rd__knapsack_items;

#define RD__KNAPSACK_ITEMS_MAX (1u << 30)

/* The syntaxes of the generators with one line each, ended by an entry whose name is NULL. */
extern const rd_name_text rd__knapsack_generators[];

/* text: "strongly:1000", "./items.txt", "-". seed: of generators. watch NULL: nobody. */
rd_status rd__knapsack_open(const char *text, uint64_t seed, const rd__watch *watch, rd__knapsack_items *items,
                            rd_error *err);
rd_status rd__knapsack_read(rd__lines *lines, rd__knapsack_items *items, rd_error *err);
/* *made: text names a generator; else nothing was done. */
rd_status rd__knapsack_generate(const char *text, uint64_t seed, const rd__watch *watch, rd__knapsack_items *items,
                                int *made, rd_error *err);
/* What its provenance says. */
rd_status rd__knapsack_name(rd__knapsack_items *items, const char *text, rd_error *err);
void rd__knapsack_free(rd__knapsack_items *items);

#endif
