/* SPDX-License-Identifier: Apache-2.0 */
/* heatmap.h - run time over worker size x fetch size: gathered by cases, printed as tables, written as a picture. */
#ifndef RD_CLI_BENCH_HEATMAP_H
#define RD_CLI_BENCH_HEATMAP_H

#include <stddef.h>
#include <stdio.h>

extern const char *const bench_heatmap_cell[]; /* "worker=32 fetch=8": settings of a case for each cell */
extern const size_t bench_heatmap_cells;

/* Keeps the least time of a cell of the map of this app and graph; settings is one of the above. Texts must last. */
void bench_heatmap_add(const char *app, const char *graph, const char *settings, double seconds);
/* All maps that have a cell, as tables of milliseconds. */
void bench_heatmap_print(FILE *out);
/* The same as a picture (PPM), one map below the other: the quickest cell is green, one that takes twice as long or
 * more red. Says what went wrong. */
void bench_heatmap_picture(const char *path);

#endif
