/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - what a look at a few thousand vertices says about a graph that paths are searched in. */
#ifndef RD_SSSP_SHAPE_H
#define RD_SSSP_SHAPE_H

#include "raddle.h"

typedef struct rd__sssp_shape {
    int forest;   /* hardly a vertex that the source reaches has a second path */
    double width; /* about how many edges lead from the vertices that are equally far from the source, in hops */
} rd__sssp_shape;

/* The same whatever the size of the graph. Without memory for it: no forest, and as wide as can be. */
rd__sssp_shape rd__sssp_look(const rd_graph *graph, uint32_t source);

/* How many times wider buckets may be on a device of so many lanes. */
double rd__sssp_widening(double width, uint32_t lanes);

#endif
