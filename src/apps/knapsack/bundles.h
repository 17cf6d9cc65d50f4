/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bundles.h - items whose weights come in few bundles, as a half, a quarter, an eighth of the capacity and a little:
 * what a rest of them can be worth at most.
 */
#ifndef RD_APPS_KNAPSACK_BUNDLES_H
#define RD_APPS_KNAPSACK_BUNDLES_H

#include "apps/knapsack/core.h"

enum { RD__KNAPSACK_PRICES = 6, RD__KNAPSACK_SCALE = 64, RD__KNAPSACK_SPACING = 16 };

typedef struct rd__knapsack_thing {
    int64_t weight, value;
    int64_t base;   /* the least weight of its bundle */
    uint32_t place; /* in the order of the core */
} rd__knapsack_thing;

/* More for more room: `value` from `weight` on. */
typedef struct rd__knapsack_step {
    int64_t weight, value;
} rd__knapsack_step;

typedef struct rd__knapsack_curve {
    rd__knapsack_step *step; /* ascending in both; the first one at weight 0 */
    uint64_t count;
} rd__knapsack_curve;

typedef struct rd__knapsack_bundles {
    rd__knapsack_thing *thing; /* heavy bundles first, in each the best first */
    uint32_t count;
    uint32_t bundles; /* 0: there are none, or too many */
    uint32_t prices;
    int64_t price[RD__KNAPSACK_PRICES]; /* of a unit of weight, in parts of SCALE */
    rd__knapsack_curve *curve;          /* of things [k * SPACING, count), k = 0, 1 ...: one for each price */
} rd__knapsack_bundles;

/* Sorts items into bundles. */
rd_status rd__knapsack_bundles_find(const rd__knapsack_core *core, rd__knapsack_bundles *b, rd_error *err);
/* Makes the curves. RD_ECANCELLED: the watch said stop. */
rd_status rd__knapsack_bundles_price(const rd__knapsack_core *core, rd__knapsack_bundles *b, const rd__watch *watch,
                                     rd_error *err);
void rd__knapsack_bundles_free(rd__knapsack_bundles *b);

#endif
