/* SPDX-License-Identifier: Apache-2.0 */
/* info_shape.h - what `raddle info` computes of a graph: degrees, weights, loops, components, a bound on the diameter.
 */
#ifndef RD_CLI_INFO_SHAPE_H
#define RD_CLI_INFO_SHAPE_H

#include "cli/input.h"

enum { INFO_BINS = 34 }; /* degree 0, then 1, 2-3, 4-7, ... */

typedef struct info_shape {
    uint64_t bin[INFO_BINS];        /* vertices by degree */
    uint64_t loops;                 /* edges v -> v */
    uint64_t duplicates;            /* edges with the same ends as the one before */
    int32_t weight_min, weight_max; /* as words */
    double weight_mean;
    uint64_t components; /* weakly connected */
    uint64_t largest;    /* vertices in the largest */
    uint32_t depth;      /* longest shortest path found: in a symmetric graph the diameter is at least this */
    uint32_t depth_from; /* where it starts */
} info_shape;

/* Serial; a few passes over the edges. @return RD_OK, RD_ENOMEM, or RD_ECANCELLED when the user stopped it. */
rd_status info_shape_of(const rd_graph *graph, rd_progress_line *progress, info_shape *shape, rd_error *err);

/* The degrees that a bin holds. */
void info_bin_range(int bin, uint64_t *least, uint64_t *most);

#endif
