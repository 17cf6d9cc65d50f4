/* SPDX-License-Identifier: Apache-2.0 */
/* handed.c - see handed.h. */
#include "graph/part/handed.h"

#include "core/memory.h"

void rd__handed_put(const rd__handed *handed, void *array, uint64_t at, uint64_t value)
{
    if (handed->width == 8)
        ((int64_t *)array)[at] = (int64_t)value;
    else
        ((int32_t *)array)[at] = (int32_t)value;
}

rd_status rd__handed_allows(const rd_graph *graph, size_t width, const char *library, rd_error *err)
{
    if (!graph->symmetric)
        return rd__fail(err, RD_EARG, "%s takes symmetric graphs: each edge with its reverse; option -s adds them",
                        library);
    if (width == 4 && (graph->edges > INT32_MAX || graph->vertices > INT32_MAX))
        return rd__fail(err, RD_EARG, "this %s has numbers of 32 bits, and the graph has %llu edges", library,
                        (unsigned long long)graph->edges);
    return RD_OK;
}

rd_status rd__handed_fill(rd__handed *handed, const rd_graph *graph, rd_error *err)
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

void rd__handed_take(const rd__handed *handed, uint64_t vertices, uint32_t *part_of)
{
    for (uint64_t v = 0; v < vertices; v++)
        part_of[v] = handed->width == 8 ? (uint32_t)((const int64_t *)handed->part)[v]
                                        : (uint32_t)((const int32_t *)handed->part)[v];
}

void rd__handed_free(rd__handed *handed)
{
    rd__array_free(handed->row);
    rd__array_free(handed->col);
    rd__array_free(handed->load);
    rd__array_free(handed->part);
}
