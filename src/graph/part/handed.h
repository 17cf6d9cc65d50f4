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

/* A library that cuts graphs; `use` is what it keeps while it is open, zeroed at first. */
typedef struct rd__cutter {
    const char *name;
    rd_status (*open)(void *use, size_t *width, rd_error *err);
    rd_status (*cut)(const void *use, const rd_graph *graph, uint32_t parts, rd__handed *of, rd_error *err);
    void (*close)(void *use); /* after open, whatever came of it */
} rd__cutter;

/* part_of[v] is the part of vertex v, by that library, which gets the graph without loops. A vertex weighs as much as
 * blocks count it: itself and its edges. RD_EARG: it is not symmetric, or too large for the library's numbers. */
rd_status rd__handed_cut(const rd__cutter *cutter, void *use, const rd_graph *graph, uint32_t parts, uint32_t *part_of,
                         rd_error *err);

#endif
