/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.h - better choices from states: one more item of those outside the window, and one less. */
#ifndef RD_APPS_KNAPSACK_PAIRS_H
#define RD_APPS_KNAPSACK_PAIRS_H

#include "apps/knapsack/core.h"

#define RD__NO_ITEM 0xffffffffu

typedef struct rd__knapsack_end {
    int64_t weight, value;
    uint32_t place; /* in the order of items; RD__NO_ITEM: none, which weighs nothing */
} rd__knapsack_end;

typedef struct rd__knapsack_pairs {
    rd__knapsack_end *out,
        *in; /* what may go, and what may come: by weight; of `in` each has the best value up to it */
    uint32_t outs, ins;
} rd__knapsack_pairs;

/* Of the items outside the window of that level. */
rd_status rd__knapsack_pairs_make(const rd__knapsack_core *core, uint32_t level, rd__knapsack_pairs *pairs,
                                  rd_error *err);
void rd__knapsack_pairs_free(rd__knapsack_pairs *pairs);
/* The most that one pair adds to a choice with that much room (below 0: it is too heavy); INT64_MIN: none makes it fit.
 * *out and *in: their places. */
int64_t rd__knapsack_pairs_best(const rd__knapsack_pairs *pairs, int64_t room, uint32_t *out, uint32_t *in);

#endif
