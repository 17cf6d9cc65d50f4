/* SPDX-License-Identifier: Apache-2.0 */
/* counts.h - a bound by how many items a choice can have. */
#ifndef RD_APPS_KNAPSACK_COUNTS_H
#define RD_APPS_KNAPSACK_COUNTS_H

#include "apps/knapsack/core.h"

/* Lowers core->upper where that many items, or that few, say more than Dantzig's bound. best: what some choice is
 * worth, in units; the bound is not below it. */
rd_status rd__knapsack_count_bound(rd__knapsack_core *core, uint64_t best, rd_error *err);

#endif
