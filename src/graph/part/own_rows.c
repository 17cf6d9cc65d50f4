/* SPDX-License-Identifier: Apache-2.0 */
/* own_rows.c - row offsets as a file has them, one after another. Each rank hears all of them, cuts the blocks as
 * rd__blocks_cut does from the whole array, and keeps those of its own vertices only. Whether a block ends before a
 * vertex follows from its two offsets, so one look at each is enough. */
#include "graph/part/part.h"

#include <inttypes.h>

rd_status rd__own_rows_begin(rd__own_rows *rows, rd_ranks *ranks, const char *name, uint32_t vertices, uint64_t edges,
                             rd_error *err)
{
    *rows = (rd__own_rows){.ranks = ranks, .name = name, .vertices = vertices, .edges = edges, .next = 1};
    rows->start = rd__calloc(rd_ranks_count(ranks) + 1ull, sizeof *rows->start);
    return rows->start ? RD_OK : rd__fail_memory(err, "where parts begin", 4 * (rd_ranks_count(ranks) + 1ull));
}

void rd__own_rows_free(rd__own_rows *rows)
{
    rd__free(rows->start);
    rd__array_free(rows->row);
    rows->start = NULL;
    rows->row = NULL;
}

static rd_status keep(rd__own_rows *rows, uint64_t offset, rd_error *err)
{
    enum { AT_FIRST = 1 << 12 };
    if (rows->kept == rows->room) {
        const uint64_t room = rows->room ? rows->room + rows->room / 2 : AT_FIRST;
        RD_TRY(rd__array_grow(&rows->row, "the row offsets of a part", rows->kept, room, sizeof *rows->row, err));
        rows->room = room;
    }
    rows->row[rows->kept++] = offset;
    return RD_OK;
}

/* The edges of vertex v are last .. offset - 1. */
static rd_status take_vertex(rd__own_rows *rows, uint32_t v, uint64_t offset, rd_error *err)
{
    const uint32_t count = rd_ranks_count(rows->ranks), own = rd_ranks_rank(rows->ranks);
    const double total = (double)rows->edges + rows->vertices;
    const double middle = (double)rows->last / 2 + (double)offset / 2 + (double)v + 0.5;
    if (rows->last > offset || offset > rows->edges)
        return rd__fail(err, RD_EINPUT,
                        "%s: the edges of vertex %" PRIu32 " are said to be %" PRIu64 " to %" PRIu64 " of %" PRIu64
                        "; row offsets must not fall or pass the end",
                        rows->name, v, rows->last, offset, rows->edges);
    for (; rows->next < count; rows->next++) {
        const double before = total * rd__ranks_before(rows->ranks, rows->next);
        if (before >= total || middle < before)
            break;
        rows->start[rows->next] = v;
    }
    const int begun = rows->next > own, ended = rows->next > own + 1 && v > rows->start[own + 1];
    return begun && !ended ? keep(rows, rows->last, err) : RD_OK;
}

rd_status rd__own_rows_add(rd__own_rows *rows, uint64_t offset, rd_error *err)
{
    if (rows->seen == 0 && offset != 0)
        return rd__fail(err, RD_EINPUT, "%s: the first row offset is %" PRIu64 ", not 0", rows->name, offset);
    if (rows->seen)
        RD_TRY(take_vertex(rows, (uint32_t)(rows->seen - 1), offset, err));
    rows->seen++;
    rows->last = offset;
    return RD_OK;
}

rd_status rd__own_rows_end(rd__own_rows *rows, rd_error *err)
{
    const uint32_t count = rd_ranks_count(rows->ranks), own = rd_ranks_rank(rows->ranks);
    if (rows->last != rows->edges)
        return rd__fail(err, RD_EINPUT, "%s: the last row offset is %" PRIu64 ", but there are %" PRIu64 " edges",
                        rows->name, rows->last, rows->edges);
    while (rows->next <= count)
        rows->start[rows->next++] = rows->vertices;
    rows->own = rows->start[own + 1] - rows->start[own];
    if (rows->kept == rows->own) /* the block ends with the graph */
        RD_TRY(keep(rows, rows->edges, err));
    rows->from = rows->row[0];
    rows->count = rows->row[rows->own] - rows->from;
    return RD_OK;
}

rd_status rd__own_rows_slice(rd__own_rows *rows, uint32_t *col, int32_t *weight, unsigned threads, rd_graph **graph,
                             rd_error *err)
{
    rd__part *part = NULL;
    for (uint64_t e = 0; e < rows->count; e++)
        if (col[e] >= rows->vertices) {
            (void)rd__fail(err, RD_EINPUT,
                           "%s: edge %" PRIu64 " goes to vertex %" PRIu32 ", but there are %" PRIu32 " vertices",
                           rows->name, rows->from + e, col[e], rows->vertices);
            rd__array_free(col);
            rd__array_free(weight);
            return RD_EINPUT;
        }
    for (uint64_t v = 0; v <= rows->own; v++)
        rows->row[v] -= rows->from;
    uint64_t *row = rows->row;
    rows->row = NULL;
    RD_TRY(rd__graph_new(rows->own, rows->count, row, col, weight, threads, graph, err));
    const rd_status status = rd__blocks_given(rows->ranks, rows->vertices, rows->start, &part, err);
    (*graph)->part = part;
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}
