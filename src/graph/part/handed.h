/* SPDX-License-Identifier: Apache-2.0 */
/* handed.h - a graph as it is handed to a library that cuts graphs, whose numbers have 32 or 64 bits. */
#ifndef RD_GRAPH_HANDED_H
#define RD_GRAPH_HANDED_H

#include "graph/graph.h"

typedef struct rd__handed {
    size_t width; /* bytes of a number: 4 or 8 */
    void *row, *col, *load, *part;
    uint64_t edges; /* without loops */
} rd__handed;

/* Sets item `at` of an array of such numbers. */
void rd__handed_put(const rd__handed *handed, void *array, uint64_t at, uint64_t value);
/* May `library` have the graph? RD_EARG: it is not symmetric, or, once the width is known, it is too large. */
rd_status rd__handed_allows(const rd_graph *graph, size_t width, const char *library, rd_error *err);
/* The graph without loops. A vertex weighs as much as blocks count it: itself and its edges. width is set before;
 * rd__handed_free afterwards, whatever happened. */
rd_status rd__handed_fill(rd__handed *handed, const rd_graph *graph, rd_error *err);
/* The parts that the library has set. */
void rd__handed_take(const rd__handed *handed, uint64_t vertices, uint32_t *part_of);
void rd__handed_free(rd__handed *handed);

#endif
