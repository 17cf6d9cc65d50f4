/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - proves results of astar. */
#ifndef RD_APPS_ASTAR_CHECK_H
#define RD_APPS_ASTAR_CHECK_H

#include "apps/astar/input.h"

/* path: `count` cells from source to target; count 0: said to be unreachable. cost: said to be the least.
 * cut_corners: a diagonal step needs no open cell beside it; else both. */
rd_status rd__astar_check(const rd__astar_grid *grid, int cut_corners, uint32_t source, uint32_t target,
                          const uint32_t *path, uint64_t count, uint32_t cost, rd_error *err);

#endif
