/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gap_sg.c - .sg and .wsg, the serialised graphs of the GAP benchmark suite's `converter`, in the byte order of this
 * machine:
 *
 *   1 byte directed (0 or 1), int64 edges (directed), int64 vertices, int64 offset[vertices + 1],
 *   int32 target[edges] in .sg, or {int32 target, int32 weight}[edges] in .wsg;
 *   when directed, offsets and targets of the transposed graph follow, which we make ourselves when needed and so pass
 * over.
 *
 * There is no magic number; sizes that do not add up to the file's size are refused.
 */
#include "graph/read/binary_csr.h"

#include <inttypes.h>
#include <string.h>

enum { HEADER = 17, BATCH = 1 << 16 };

struct sg {
    int weighted, directed;
    rd_ranks *ranks; /* each of which reads its own rows; NULL: all are read */
    uint64_t edges, vertices;
    uint64_t from, count; /* the edges that are read */
    uint64_t *row;
    rd__own_rows own; /* instead, with ranks */
    uint32_t *col;
    int32_t *weight;
};

static uint64_t expected_bytes(const struct sg *sg, int weighted)
{
    return HEADER + (sg->directed ? 2 : 1) * (8 * (sg->vertices + 1) + (weighted ? 8 : 4) * sg->edges);
}

static rd_status read_header(rd__source *source, struct sg *sg, rd_error *err)
{
    unsigned char head[HEADER];
    int64_t edges, vertices;
    RD_TRY(rd__read_exactly(source, head, sizeof head, "the header", err));
    memcpy(&edges, head + 1, sizeof edges);
    memcpy(&vertices, head + 9, sizeof vertices);
    if (head[0] > 1)
        return rd__fail(err, RD_EINPUT, "%s: the first byte is %d; in a .sg file it tells 'directed' and is 0 or 1",
                        source->name, head[0]);
    if (vertices < 0 || vertices > INT32_MAX || edges < 0 || (uint64_t)edges > UINT64_MAX / 64)
        return rd__fail(err, RD_EINPUT, "%s: %" PRId64 " vertices and %" PRId64 " edges make no sense in a .sg file",
                        source->name, vertices, edges);
    sg->directed = head[0];
    sg->edges = (uint64_t)edges;
    sg->vertices = (uint64_t)vertices;
    uint64_t bytes = expected_bytes(sg, sg->weighted);
    if (source->size && !source->compressed && source->size != bytes)
        return rd__fail(err, RD_EINPUT,
                        "%s: has %" PRIu64 " bytes, but a .%s file of %" PRIu64 " vertices and %" PRIu64
                        " edges has %" PRIu64 "%s",
                        source->name, source->size, sg->weighted ? "wsg" : "sg", sg->vertices, sg->edges, bytes,
                        expected_bytes(sg, !sg->weighted) == source->size
                            ? sg->weighted ? "; read it with --format sg" : "; read it with --format wsg"
                        : source->size < bytes ? ": it is truncated"
                                               : "");
    return rd__memory_expect((8 * (sg->vertices + 1) + (sg->weighted ? 8 : 4) * sg->edges) / rd_ranks_count(sg->ranks),
                             "the graph", err);
}

/* Targets and weights alternate in the file. */
static rd_status read_pairs(rd__source *source, struct sg *sg, rd_error *err)
{
    int32_t *pair = rd__malloc(2 * BATCH * sizeof *pair);
    rd_status status = pair ? RD_OK : rd__fail_memory(err, "reading a graph", 2 * BATCH * sizeof *pair);
    if (status == RD_OK && sg->count == 0) /* arrays of nothing all the same */
        status = rd__array_new(&sg->col, "the edges of the graph", 0, 4, err);
    if (status == RD_OK && sg->count == 0)
        status = rd__array_new(&sg->weight, "the weights of the graph", 0, 4, err);
    uint64_t room = 0;
    for (uint64_t e = 0; status == RD_OK && e < sg->count; e += BATCH) {
        uint64_t some = sg->count - e < BATCH ? sg->count - e : BATCH;
        if (e + some > room) { /* the room is a multiple of BATCH, or all */
            room = rd__source_room(source, e, sg->count, 4);
            status = rd__array_grow(&sg->col, "the edges of the graph", e, room, 4, err);
            if (status == RD_OK)
                status = rd__array_grow(&sg->weight, "the weights of the graph", e, room, 4, err);
        }
        if (status == RD_OK)
            status = rd__read_exactly(source, pair, 8 * some, "the edges", err);
        for (uint64_t i = 0; status == RD_OK && i < some; i++) {
            sg->col[e + i] = (uint32_t)pair[2 * i];
            sg->weight[e + i] = pair[2 * i + 1];
        }
    }
    rd__free(pair);
    return status;
}

static rd_status read_rows(rd__source *source, struct sg *sg, rd_error *err)
{
    sg->count = sg->edges;
    if (!sg->ranks)
        return rd__read_array(source, &sg->row, "the row offsets of the graph", sg->vertices + 1, 8, "the offsets",
                              err);
    RD_TRY(rd__own_rows_begin(&sg->own, sg->ranks, source->name, (uint32_t)sg->vertices, sg->edges, err));
    RD_TRY(rd__read_row(source, &sg->own, 8, err));
    sg->from = sg->own.from;
    sg->count = sg->own.count;
    return RD_OK;
}

static rd_status read_arrays(rd__source *source, struct sg *sg, rd_error *err)
{
    const uint64_t width = sg->weighted ? 8 : 4;
    RD_TRY(read_header(source, sg, err));
    RD_TRY(read_rows(source, sg, err));
    RD_TRY(rd__read_past(source, width * sg->from, "the edges", err));
    if (sg->weighted)
        RD_TRY(read_pairs(source, sg, err));
    else
        RD_TRY(rd__read_array(source, &sg->col, "the edges of the graph", sg->count, 4, "the edges", err));
    RD_TRY(rd__read_past(source, width * (sg->edges - sg->from - sg->count), "the edges", err));
    if (sg->directed)
        RD_TRY(rd__read_past(source, 8 * (sg->vertices + 1) + width * sg->edges, "the transposed graph", err));
    return rd__read_end(source, err);
}

static rd_status read_sg(rd__source *source, const rd_graph_options *options, int weighted, rd_graph **graph,
                         rd_error *err)
{
    struct sg sg = {.weighted = weighted, .ranks = rd__options_share(options) ? options->ranks : NULL};
    rd_status status = read_arrays(source, &sg, err);
    if (status != RD_OK) {
        rd__own_rows_free(&sg.own);
        rd__array_free(sg.row);
        rd__array_free(sg.col);
        rd__array_free(sg.weight);
        return status;
    }
    if (sg.ranks)
        return rd__adopt_own(source, &sg.own, sg.col, sg.weight, 0, !sg.directed, options, graph, err);
    return rd__adopt(source, (uint32_t)sg.vertices, sg.edges, sg.row, sg.col, sg.weight, 0, !sg.directed, options,
                     graph, err);
}

rd_status rd__sg_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return read_sg(source, options, 0, graph, err);
}

rd_status rd__wsg_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return read_sg(source, options, 1, graph, err);
}
