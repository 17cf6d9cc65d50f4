/* SPDX-License-Identifier: Apache-2.0 */
/*
 * egr.c - .egr, the binary CSR of the ECL suite, in the byte order of this machine: int32 vertices, int32 edges, int32
 * offset[vertices + 1], int32 target[edges], and int32 weight[edges] or nothing. There is no magic number.
 */
#include "graph/read/binary_csr.h"

#include <inttypes.h>

struct egr {
    rd_ranks *ranks; /* each of which reads its own rows; NULL: all are read */
    uint32_t vertices;
    uint64_t edges;
    uint64_t from, count; /* the edges that are read */
    uint64_t *row;
    rd__own_rows own; /* instead, with ranks */
    uint32_t *col;
    int32_t *weight;
};

/* Weights follow or nothing does. */
static rd_status read_weights(rd__source *source, struct egr *egr, rd_error *err)
{
    int32_t first;
    size_t got;
    RD_TRY(rd__source_read(source, &first, sizeof first, &got, err));
    if (got == 0)
        return RD_OK;
    if (got < sizeof first || egr->edges == 0)
        return rd__fail(err, RD_EINPUT,
                        "%s: there are bytes after the end of the graph: the file is damaged or of another format",
                        source->name);
    /* the edges came, so there is memory for as many weights */
    RD_TRY(rd__array_new(&egr->weight, "the weights of the graph", egr->count, 4, err));
    const uint64_t have = egr->from == 0 && egr->count; /* the first is one of them */
    if (have)
        egr->weight[0] = first;
    RD_TRY(rd__read_past(source, egr->from ? 4 * (egr->from - 1) : 0, "the weights", err));
    RD_TRY(rd__read_exactly(source, egr->weight + have, 4 * (egr->count - have), "the weights", err));
    const uint64_t end = egr->from + egr->count ? egr->from + egr->count : 1;
    RD_TRY(rd__read_past(source, 4 * (egr->edges - end), "the weights", err));
    return rd__read_end(source, err);
}

/* The offsets, as we have them: of 64 bits. */
static rd_status widen(const rd__source *source, struct egr *egr, const int32_t *narrow, rd_error *err)
{
    RD_TRY(rd__array_new(&egr->row, "the row offsets of the graph", (uint64_t)egr->vertices + 1, 8, err));
    for (uint64_t v = 0; v <= egr->vertices; v++) {
        if (narrow[v] < 0)
            return rd__fail(err, RD_EINPUT, "%s: the offset of vertex %" PRIu64 " is %" PRId32, source->name, v,
                            narrow[v]);
        egr->row[v] = (uint64_t)narrow[v];
    }
    return RD_OK;
}

static rd_status read_rows(rd__source *source, struct egr *egr, rd_error *err)
{
    int32_t *narrow = NULL;
    egr->count = egr->edges;
    if (egr->ranks) {
        RD_TRY(rd__own_rows_begin(&egr->own, egr->ranks, source->name, egr->vertices, egr->edges, err));
        RD_TRY(rd__read_row(source, &egr->own, 4, err));
        egr->from = egr->own.from;
        egr->count = egr->own.count;
        return RD_OK;
    }
    rd_status status = rd__read_array(source, &narrow, "the row offsets of the graph", (uint64_t)egr->vertices + 1, 4,
                                      "the offsets", err);
    if (status == RD_OK)
        status = widen(source, egr, narrow, err);
    rd__array_free(narrow);
    return status;
}

static rd_status read_arrays(rd__source *source, struct egr *egr, rd_error *err)
{
    int32_t size[2];
    RD_TRY(rd__read_exactly(source, size, sizeof size, "the header", err));
    if (size[0] < 0 || size[1] < 0)
        return rd__fail(err, RD_EINPUT, "%s: %" PRId32 " vertices and %" PRId32 " edges make no sense in an .egr file",
                        source->name, size[0], size[1]);
    egr->vertices = (uint32_t)size[0];
    egr->edges = (uint64_t)size[1];
    uint64_t least = 8 + 4 * ((uint64_t)egr->vertices + 1) + 4 * egr->edges;
    if (source->size && !source->compressed && source->size != least && source->size != least + 4 * egr->edges)
        return rd__fail(err, RD_EINPUT,
                        "%s: has %" PRIu64 " bytes, but an .egr file of %" PRIu32 " vertices and %" PRIu64
                        " edges has %" PRIu64 ", or %" PRIu64 " with weights%s",
                        source->name, source->size, egr->vertices, egr->edges, least, least + 4 * egr->edges,
                        source->size < least ? ": it is truncated" : "");
    RD_TRY(rd__memory_expect((8 * ((uint64_t)egr->vertices + 1) + 8 * egr->edges) / rd_ranks_count(egr->ranks),
                             "the graph", err));
    RD_TRY(read_rows(source, egr, err));
    RD_TRY(rd__read_past(source, 4 * egr->from, "the edges", err));
    RD_TRY(rd__read_array(source, &egr->col, "the edges of the graph", egr->count, 4, "the edges", err));
    RD_TRY(rd__read_past(source, 4 * (egr->edges - egr->from - egr->count), "the edges", err));
    return read_weights(source, egr, err);
}

rd_status rd__egr_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct egr egr = {.ranks = rd__options_share(options) ? options->ranks : NULL};
    rd_status status = read_arrays(source, &egr, err);
    if (status != RD_OK) {
        rd__own_rows_free(&egr.own);
        rd__array_free(egr.row);
        rd__array_free(egr.col);
        rd__array_free(egr.weight);
        return status;
    }
    if (egr.ranks)
        return rd__adopt_own(source, &egr.own, egr.col, egr.weight, 0, 0, options, graph, err);
    return rd__adopt(source, egr.vertices, egr.edges, egr.row, egr.col, egr.weight, 0, 0, options, graph, err);
}
