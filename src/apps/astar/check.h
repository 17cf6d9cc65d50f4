/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - proves results of astar. */
#ifndef RD_APPS_ASTAR_CHECK_H
#define RD_APPS_ASTAR_CHECK_H

#include "apps/astar/input.h"

/* What is said of one pair of cells. */
typedef struct rd__astar_claim {
    uint32_t source, target;
    const uint32_t *path; /* from source to target */
    uint64_t count;       /* its cells; 0: said to be unreachable */
    double cost;          /* said to be the least */
} rd__astar_claim;

/* By which rules. */
typedef struct rd__astar_rules {
    int cut_corners;           /* a diagonal step needs no open cell beside it; else both */
    double straight, diagonal; /* what steps cost; diagonal is between straight and twice that */
    double tolerance;          /* by which share of itself a cost may be off */
} rd__astar_rules;

rd_status rd__astar_check(const rd__astar_grid *grid, const rd__astar_rules *rules, const rd__astar_claim *claim,
                          rd_error *err);

#endif
