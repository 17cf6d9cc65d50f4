/* SPDX-License-Identifier: Apache-2.0 */
/* scen.h - scenarios of the MovingAI benchmarks: pairs of cells on a map with the published length of the best path. */
#ifndef RD_APPS_ASTAR_SCEN_H
#define RD_APPS_ASTAR_SCEN_H

#include "apps/astar/input.h"

typedef struct rd__astar_scenario {
    uint64_t line;         /* of the file, from 1 */
    uint32_t x[2], y[2];   /* start and goal, column and row */
    int64_t width, height; /* of the map that it is for; -1: any */
    double length;         /* published */
    uint64_t map;          /* where the name of its map begins in rd__astar_scen.names */
} rd__astar_scenario;

typedef struct rd__astar_scen {
    rd__astar_scenario *item;
    char *names; /* of maps, each ended by 0, in the order of lines; a name that is like the one before stands once */
    uint64_t count, room, names_used, names_room;
    int several; /* names of maps */
    char *file;
} rd__astar_scen;

rd_status rd__astar_scen_open(const char *path, const rd__watch *watch, rd__astar_scen *scen, rd_error *err);
rd_status rd__astar_scen_read(rd__lines *lines, rd__astar_scen *scen, rd_error *err);
void rd__astar_scen_free(rd__astar_scen *scen);

/* Of a file with scenarios for several maps those for the grid, by the file's name without folders, are kept; of one
 * map, all: the file may have been renamed. Sizes and places have to fit the grid. */
rd_status rd__astar_scen_fit(rd__astar_scen *scen, const rd__astar_grid *grid, rd_error *err);

#endif
