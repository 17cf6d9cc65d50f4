/* SPDX-License-Identifier: Apache-2.0 */
/* way.h - what is read off the costs of cells after a search: the path, and how much of the grid it took. */
#ifndef RD_APPS_ASTAR_WAY_H
#define RD_APPS_ASTAR_WAY_H

#include "apps/astar/input.h"

/* A search that has ended. */
typedef struct rd__astar_search {
    const rd__astar_grid *grid;
    rd__astar_costs step;
    uint32_t cut_corners, source, target;
    const uint32_t *cost; /* of each cell; RD_NONE: it was not reached */
} rd__astar_search;

/* Writes the cells of the path to the end of path[], which has room for one word a cell, and *count of them: 0 where
 * there is no path. */
rd_status rd__astar_way(const rd__astar_search *search, uint32_t *path, uint64_t *count, rd_error *err);
/* Adds to *touched the cells that got a cost, to *needed those that any search with this bound has to expand: their
 * cost and bound together are below the least cost. */
void rd__astar_count(const rd__astar_search *search, uint64_t *needed, uint64_t *touched);
/* The length of a path by Euclid: straight steps count 1, diagonal ones the root of 2. */
double rd__astar_length(const rd__astar_grid *grid, const uint32_t *path, uint64_t count);
/* Whole numbers in the proportion of 1 to the root of 2, as exactly as costs on this grid stay below 2^32. */
rd__astar_costs rd__astar_octile(const rd__astar_grid *grid);

#endif
