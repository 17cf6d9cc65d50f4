/* SPDX-License-Identifier: Apache-2.0 */
/* states.h - dynamic programming over the core of a knapsack problem: see states.c. */
#ifndef RD_APPS_KNAPSACK_STATES_H
#define RD_APPS_KNAPSACK_STATES_H

#include "apps/knapsack/core.h"

/* Begins with the start solution of the core, and makes the best one that it finds it; says whether it is proved to be
 * the best one (core->proved). effort: states that may have been made by then (core->states). When the watch says stop
 * it ends with what it has. */
rd_status rd__knapsack_states(rd__knapsack_core *core, uint64_t effort, const rd__watch *watch, rd_error *err);

#endif
