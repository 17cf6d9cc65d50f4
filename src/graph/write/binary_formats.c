/* SPDX-License-Identifier: Apache-2.0 */
/* binary_formats.c - writers of other people's binary CSR: sg, wsg (layout in read/gap_sg.c) and egr (read/egr.c). */
#include "graph/write/writer.h"

#include <inttypes.h>
#include <string.h>

enum { BATCH = 1 << 16 };

static rd_status refuse_many(const rd__sink *sink, const char *format, const char *what, uint64_t count, rd_error *err)
{
    return rd__fail(err, RD_EARG, "%s: a .%s file counts %s in 31 bits, and this graph has %" PRIu64, sink->path,
                    format, what, count);
}

/* Targets, or targets and weights in turn. */
static rd_status write_targets(rd__sink *sink, const rd_csr *csr, int weighted, rd_error *err)
{
    if (!weighted)
        return rd__sink_write(sink, csr->col, 4 * csr->edges, err);
    int32_t *pair = rd__malloc(2 * BATCH * sizeof *pair);
    rd_status status = pair ? RD_OK : rd__fail_memory(err, "writing a graph", 2 * BATCH * sizeof *pair);
    for (uint64_t e = 0; status == RD_OK && e < csr->edges; e += BATCH) {
        uint64_t some = csr->edges - e < BATCH ? csr->edges - e : BATCH;
        for (uint64_t i = 0; i < some; i++) {
            pair[2 * i] = (int32_t)csr->col[e + i];
            pair[2 * i + 1] = csr->weight[e + i];
        }
        status = rd__sink_write(sink, pair, 8 * some, err);
    }
    rd__free(pair);
    return status;
}

static rd_status write_sg(rd__sink *sink, const rd_graph *graph, int weighted, rd_error *err)
{
    unsigned char head[17] = {(unsigned char)!graph->symmetric};
    int64_t edges = (int64_t)graph->edges, vertices = graph->vertices;
    rd_csr csr = rd_graph_csr(graph), turned;
    if (weighted != (graph->weight != NULL))
        return rd__fail(
            err, RD_EARG,
            weighted ? "%s: a .wsg file has weights, and this graph has none: write .sg, or draw some with --weights"
                     : "%s: a .sg file has no weights, and this graph has: write .wsg",
            sink->path);
    if (vertices > INT32_MAX)
        return refuse_many(sink, weighted ? "wsg" : "sg", "vertices", graph->vertices, err);
    memcpy(head + 1, &edges, sizeof edges);
    memcpy(head + 9, &vertices, sizeof vertices);
    if (!graph->symmetric) /* keeping the transposed graph is a cache, not a change of the graph */
        RD_TRY(rd_graph_transpose(graph, &turned, err));
    RD_TRY(rd__sink_write(sink, head, sizeof head, err));
    RD_TRY(rd__sink_write(sink, csr.row, 8 * ((uint64_t)csr.vertices + 1), err));
    RD_TRY(write_targets(sink, &csr, weighted, err));
    if (graph->symmetric)
        return RD_OK;
    RD_TRY(rd__sink_write(sink, turned.row, 8 * ((uint64_t)turned.vertices + 1), err));
    return write_targets(sink, &turned, weighted, err);
}

rd_status rd__sg_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    return write_sg(sink, graph, 0, err);
}

rd_status rd__wsg_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    RD_TRY(rd__need_whole_weights(sink, graph, err));
    return write_sg(sink, graph, 1, err);
}

rd_status rd__egr_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    int32_t size[2] = {(int32_t)graph->vertices, (int32_t)graph->edges};
    int32_t *offset;
    RD_TRY(rd__need_whole_weights(sink, graph, err));
    if (graph->vertices >= INT32_MAX)
        return refuse_many(sink, "egr", "vertices", graph->vertices, err);
    if (graph->edges > INT32_MAX)
        return refuse_many(sink, "egr", "edges", graph->edges, err);
    RD_TRY(rd__sink_write(sink, size, sizeof size, err));
    RD_TRY(rd__array_new(&offset, "writing a graph", (uint64_t)graph->vertices + 1, sizeof *offset, err));
    for (uint64_t v = 0; v <= graph->vertices; v++)
        offset[v] = (int32_t)graph->row[v];
    rd_status status = rd__sink_write(sink, offset, 4 * ((uint64_t)graph->vertices + 1), err);
    rd__array_free(offset);
    if (status == RD_OK)
        status = rd__sink_write(sink, graph->col, 4 * graph->edges, err);
    if (status == RD_OK && graph->weight)
        status = rd__sink_write(sink, graph->weight, 4 * graph->edges, err);
    return status;
}
