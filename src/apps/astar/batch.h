/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h - the scenarios of a file one after another: what was found, beside what is published. */
#ifndef RD_APPS_ASTAR_BATCH_H
#define RD_APPS_ASTAR_BATCH_H

#include "apps/astar/check.h"
#include "apps/astar/scen.h"

typedef struct rd__astar_batch {
    rd__astar_scen scen;
    uint64_t done;   /* scenarios of the last run */
    float *length;   /* of each; -1: there is no path */
    uint64_t *start; /* where the path of each begins in cell[]; one more, where the last one ends */
    uint32_t *cell;
    uint64_t room;                                   /* of cell[] */
    uint64_t as_published, longer, shorter, no_path; /* of those done */
    uint64_t first_other;                            /* the first that is not as published */
} rd__astar_batch;

/* Reads the file for the grid and makes room for results. */
rd_status rd__astar_batch_open(rd__astar_batch *batch, const char *path, const rd__astar_grid *grid,
                               const rd__watch *watch, rd_error *err);
void rd__astar_batch_free(rd__astar_batch *batch);
void rd__astar_batch_restart(rd__astar_batch *batch);

/* The cells that a scenario is about. */
uint32_t rd__astar_batch_cell(const rd__astar_batch *batch, const rd__astar_grid *grid, uint64_t scenario, int goal);
/* Adds the path of the next scenario; count 0: there is none. */
rd_status rd__astar_batch_add(rd__astar_batch *batch, const rd__astar_grid *grid, const uint32_t *path, uint64_t count,
                              rd_error *err);
/* "350 paths, each as long as published"; where one is not, which is the first. */
void rd__astar_batch_answer(const rd__astar_batch *batch, char *text, size_t room);
/* Proves each path, and that each is as long as published. */
rd_status rd__astar_batch_check(const rd__astar_batch *batch, const rd__astar_grid *grid, const rd__astar_rules *rules,
                                const rd__watch *watch, rd_error *err);

#endif
