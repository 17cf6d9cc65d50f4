/* SPDX-License-Identifier: Apache-2.0 */
/* turn.c - a graph in parts, turned round: each rank gets the edges that lead to its vertices. Who has an edge sends it
 * to the owner of its end; the vertices and their owners stay. */
#include "graph/part/part.h"

#include <string.h>

/* Edges to vertices of each rank, as end << 32 | source; first counted, then copied. */
static rd_status sort_out(const rd_graph *graph, rd__deal *deal, rd_error *err)
{
    const rd__part *part = graph->part;
    for (int copy = 0; copy < 2; copy++) {
        for (uint32_t u = 0; u < part->own; u++)
            for (uint64_t e = graph->row[u]; e < graph->row[u + 1]; e++) {
                const uint32_t end = rd__part_number(part, graph->col[e]);
                rd__deal *to =
                    &deal[graph->col[e] < part->own ? rd_ranks_rank(part->ranks) : rd__part_owner(part, end)];
                if (copy)
                    ((uint64_t *)to->data)[to->bytes / 8] = (uint64_t)end << 32 | (part->first + u);
                to->bytes += 8;
            }
        for (uint32_t r = 0; r < rd_ranks_count(part->ranks) && !copy; r++) {
            RD_TRY(rd__array_new(&deal[r].data, "edges for other ranks", deal[r].bytes, 1, err));
            deal[r].bytes = 0;
        }
    }
    return RD_OK;
}

/* Rows of the own vertices: sources come from rank after rank, each in order, so that rows ascend. */
static rd_status build(const rd__part *part, const rd__deal *in, unsigned threads, rd_graph **slice, rd_error *err)
{
    uint64_t edges = 0, *row = NULL;
    uint32_t *col = NULL;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    for (uint32_t r = 0; r < ranks; r++)
        edges += in[r].bytes / 8;
    RD_TRY(rd__array_new(&row, "the row offsets of a part", part->own + 1ull, sizeof *row, err));
    const rd_status status = rd__array_new(&col, "the edges of a part", edges, sizeof *col, err);
    if (status != RD_OK) {
        rd__array_free(row);
        return status;
    }
    memset(row, 0, (part->own + 1ull) * sizeof *row);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint64_t i = 0; i < in[r].bytes / 8; i++)
            row[(uint32_t)(((const uint64_t *)in[r].data)[i] >> 32) - part->first]++;
    uint64_t at = 0;
    for (uint64_t v = 0; v <= part->own; v++) { /* where each row begins */
        const uint64_t count = v < part->own ? row[v] : 0;
        row[v] = at;
        at += count;
    }
    for (uint32_t r = 0; r < ranks; r++)
        for (uint64_t i = 0; i < in[r].bytes / 8; i++) {
            const uint64_t edge = ((const uint64_t *)in[r].data)[i];
            col[row[(uint32_t)(edge >> 32) - part->first]++] = (uint32_t)edge;
        }
    for (uint64_t v = part->own; v > 0; v--) /* each is at the next one's now */
        row[v] = row[v - 1];
    row[0] = 0;
    return rd__graph_new(part->own, edges, row, col, NULL, threads, slice, err);
}

rd_status rd__part_turn(const rd_graph *graph, rd_graph **turned, rd_error *err)
{
    const rd__part *part = graph->part;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd_graph *slice = NULL;
    *turned = NULL;
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    rd_status status = sort_out(graph, deal, err);
    if (status == RD_OK)
        status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    if (status == RD_OK)
        status = build(part, deal + ranks, graph->threads, &slice, err);
    rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    if (status == RD_OK)
        status = rd__blocks_given(part->ranks, part->vertices, part->start, &slice->part, err);
    if (status != RD_OK) {
        rd_graph_destroy(slice);
        return status;
    }
    *turned = slice;
    return rd__part_close(turned, err);
}
