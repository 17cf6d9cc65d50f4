/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - grids with obstacles: from a file or a generator. */
#ifndef RD_APPS_ASTAR_INPUT_H
#define RD_APPS_ASTAR_INPUT_H

#include "apps/common/spec.h"

/* Of a cell. A step leads from land to land or from water to water: who starts in the water stays there. */
enum { RD__ASTAR_WALL, RD__ASTAR_LAND, RD__ASTAR_WATER };

/* Cell (x, y) is number y * width + x; rows are counted from the top. */
typedef struct rd__astar_grid {
    uint32_t width, height;
    uint8_t *terrain; /* width * height */
    char *provenance; /* generator, parameters and seed, or the file */
} rd__astar_grid;

#define RD__ASTAR_CELLS_MAX (1u << 27) /* a cost and what is left stay below 2^32: a path has each cell once */

/* What steps cost. */
typedef struct rd__astar_costs {
    uint32_t straight, diagonal;
} rd__astar_costs;

/* text: "grid:1000x500:0.2", "./city.map", "-". seed: of the generator. watch NULL: nobody. */
rd_status rd__astar_open(const char *text, uint64_t seed, const rd__watch *watch, rd__astar_grid *grid, rd_error *err);
rd_status rd__astar_read(rd__lines *lines, rd__astar_grid *grid, rd_error *err);
void rd__astar_free(rd__astar_grid *grid);

#endif
