/* SPDX-License-Identifier: Apache-2.0 */
/* rdg_write.c - .rdg; rdg.h has the layout. */
#include "graph/rdg.h"
#include "graph/write/writer.h"

#include <string.h>

static rd_status put(rd__sink *sink, uint64_t *at, uint64_t from, const void *data, uint64_t bytes, rd_error *err)
{
    static const char zeros[RD_RDG_ALIGN];
    RD_TRY(rd__sink_write(sink, zeros, from - *at, err));
    *at = from + bytes;
    return rd__sink_write(sink, data, bytes, err);
}

rd_status rd__rdg_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    rd__rdg_header header = {
        .version = RD_RDG_VERSION, .order = RD_RDG_ORDER, .vertices = graph->vertices, .edges = graph->edges};
    const char *text = rd_graph_provenance(graph);
    uint64_t n = graph->vertices, m = graph->edges, at = 0;
    if (graph->shuffled)
        return rd__fail(err, RD_EARG,
                        "rows of an .rdg file ascend, and those of this graph were shuffled; write it "
                        "without --shuffle-rows, or as .el or .wel");
    memcpy(header.magic, RD_RDG_MAGIC, sizeof header.magic);
    header.flags = (graph->weight ? RD_RDG_WEIGHTS : 0) | (graph->symmetric ? RD_RDG_SYMMETRIC : 0) |
                   (graph->ids ? RD_RDG_IDS : 0) | (!graph->ids && graph->first ? RD_RDG_FROM_ONE : 0) |
                   (graph->weight && graph->real ? RD_RDG_REAL : 0);
    header.text_bytes = strlen(text);
    if (header.text_bytes > 1 << 20)
        header.text_bytes = 1 << 20;
    rd__rdg_place(&header);
    header.content_sum = rd__rdg_content_sum(graph);
    header.header_sum = rd__rdg_header_sum(&header);
    RD_TRY(put(sink, &at, 0, &header, sizeof header, err));
    RD_TRY(put(sink, &at, header.row_at, graph->row, 8 * (n + 1), err));
    RD_TRY(put(sink, &at, header.col_at, graph->col, 4 * m, err));
    if (graph->weight)
        RD_TRY(put(sink, &at, header.weight_at, graph->weight, 4 * m, err));
    if (graph->ids)
        RD_TRY(put(sink, &at, header.ids_at, graph->ids, 8 * n, err));
    return put(sink, &at, header.text_at, text, header.text_bytes, err);
}
