/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - proves results of knapsack. */
#ifndef RD_APPS_KNAPSACK_CHECK_H
#define RD_APPS_KNAPSACK_CHECK_H

#include "apps/knapsack/input.h"

/* How it was proved that no choice has a higher value. */
typedef enum rd__knapsack_proof {
    RD__KNAPSACK_BY_BOUND, /* the fractional problem is worth no more */
    RD__KNAPSACK_BY_TABLE, /* dynamic programming over all capacities */
    RD__KNAPSACK_BY_LISTS, /* dynamic programming over weights that may still win */
    RD__KNAPSACK_UNPROVED, /* too large: only that the choice is one, and the bound, are certain */
} rd__knapsack_proof;

/* chosen: `count` item numbers, ascending; value: what they are claimed to be worth, and to be the most.
 * `effort`: how many steps a proof may take; 0: the default, some seconds. *bound: no choice is worth more.
 * @return RD_OK, or RD_EWRONG: a number that is none, too heavy, a wrong sum, or something better exists. */
rd_status rd__knapsack_check(const rd__knapsack_items *items, const uint32_t *chosen, uint32_t count, uint64_t value,
                             uint64_t effort, rd__knapsack_proof *proof, uint64_t *bound, rd_error *err);

/* Only that the choice is one: numbers, weight, value. */
rd_status rd__knapsack_check_choice(const rd__knapsack_items *items, const uint32_t *chosen, uint32_t count,
                                    uint64_t value, rd_error *err);

/* The highest value by dynamic programming over all capacities: obviously right, for capacities that memory holds. */
rd_status rd__knapsack_table(const rd__knapsack_items *items, uint64_t *best, rd_error *err);

const char *rd__knapsack_proof_text(rd__knapsack_proof proof);

#endif
