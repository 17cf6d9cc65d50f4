/* SPDX-License-Identifier: Apache-2.0 */
/* handed.c - see handed.h. */
#include "graph/part/handed.h"

#include "core/memory.h"

#include <string.h>

void rd__handed_put(const rd__handed *handed, void *array, uint64_t at, uint64_t value)
{
    if (handed->width == 8)
        ((int64_t *)array)[at] = (int64_t)value;
    else
        ((int32_t *)array)[at] = (int32_t)value;
}

static rd_status allows(const rd_graph *graph, size_t width, const char *library, rd_error *err)
{
    if (!graph->symmetric)
        return rd__fail(err, RD_EARG, "%s takes symmetric graphs: each edge with its reverse; option -s adds them",
                        library);
    if (width == 4 && (graph->edges > INT32_MAX || graph->vertices > INT32_MAX))
        return rd__fail(err, RD_EARG, "this %s has numbers of 32 bits, and the graph has %llu edges", library,
                        (unsigned long long)graph->edges);
    return RD_OK;
}

static rd_status fill(rd__handed *handed, const rd_graph *graph, rd_error *err)
{
    const uint64_t vertices = graph->vertices;
    uint64_t at = 0;
    RD_TRY(rd__array_new(&handed->row, "rows to be cut", vertices + 1, handed->width, err));
    RD_TRY(rd__array_new(&handed->col, "edges to be cut", graph->edges, handed->width, err));
    RD_TRY(rd__array_new(&handed->load, "weights to be cut", vertices, handed->width, err));
    RD_TRY(rd__array_new(&handed->part, "parts of a cut", vertices, handed->width, err));
    for (uint64_t v = 0; v < vertices; v++) {
        rd__handed_put(handed, handed->row, v, at);
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++)
            if (graph->col[e] != v)
                rd__handed_put(handed, handed->col, at++, graph->col[e]);
        rd__handed_put(handed, handed->load, v, graph->row[v + 1] - graph->row[v] + 1);
    }
    rd__handed_put(handed, handed->row, vertices, at);
    handed->edges = at;
    return RD_OK;
}

static void take(const rd__handed *handed, uint64_t vertices, uint32_t *part_of)
{
    for (uint64_t v = 0; v < vertices; v++)
        part_of[v] = handed->width == 8 ? (uint32_t)((const int64_t *)handed->part)[v]
                                        : (uint32_t)((const int32_t *)handed->part)[v];
}

static void free_arrays(rd__handed *handed)
{
    rd__array_free(handed->row);
    rd__array_free(handed->col);
    rd__array_free(handed->load);
    rd__array_free(handed->part);
}

rd_status rd__handed_cut(const rd__cutter *cutter, void *use, const rd_graph *graph, uint32_t parts, uint32_t *part_of,
                         rd_error *err)
{
    rd__handed of = {0};
    RD_TRY(allows(graph, 0, cutter->name, err));
    rd_status status = cutter->open(use, &of.width, err);
    if (status == RD_OK)
        status = allows(graph, of.width, cutter->name, err);
    memset(part_of, 0, graph->vertices * sizeof *part_of);
    if (status == RD_OK && parts > 1 && graph->vertices) { /* it does not take trifles */
        status = fill(&of, graph, err);
        if (status == RD_OK)
            status = cutter->cut(use, graph, parts, &of, err);
        if (status == RD_OK)
            take(&of, graph->vertices, part_of);
    }
    free_arrays(&of);
    cutter->close(use);
    return status;
}
