/* SPDX-License-Identifier: Apache-2.0 */
/* beam.h - dynamic programming over items in bundles: see beam.c. */
#ifndef RD_APPS_KNAPSACK_BEAM_H
#define RD_APPS_KNAPSACK_BEAM_H

#include "apps/knapsack/bundles.h"

/* Begins with the start solution of the core, and makes the best one that it finds it; says whether it is proved to be
 * the best one (core->proved). effort: states that may be made. Without bundles, without memory, or when the watch says
 * stop it ends with what it has. */
rd_status rd__knapsack_beam(rd__knapsack_core *core, uint64_t effort, const rd__watch *watch, rd_error *err);

#endif
