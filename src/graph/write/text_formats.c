/* SPDX-License-Identifier: Apache-2.0 */
/* text_formats.c - writers of text formats with one edge a line: mtx, el, wel, gr; adj has a number a line. */
#include "graph/write/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Between the words of a line: 'u v' or 'u v w', numbered from `base`. */
static char *put_edge(const rd_graph *graph, uint32_t u, uint64_t e, unsigned base, char *out)
{
    out = rd__put_u64(out, (uint64_t)u + base);
    *out++ = ' ';
    out = rd__put_u64(out, (uint64_t)graph->col[e] + base);
    if (graph->weight) {
        *out++ = ' ';
        out = rd__put_weight(out, graph, e);
    }
    *out++ = '\n';
    return out;
}

static size_t line_from_0(const rd_graph *graph, uint32_t u, uint64_t e, char *out)
{
    return (size_t)(put_edge(graph, u, e, 0, out) - out);
}

static size_t line_from_1(const rd_graph *graph, uint32_t u, uint64_t e, char *out)
{
    return (size_t)(put_edge(graph, u, e, 1, out) - out);
}

/* Only the lower triangle of a symmetric graph. */
static size_t line_lower(const rd_graph *graph, uint32_t u, uint64_t e, char *out)
{
    return graph->col[e] > u ? 0 : line_from_1(graph, u, e, out);
}

/* A provenance is one line of a comment: nothing in it may start another. */
static void one_line(const char *text, char *out, size_t room)
{
    size_t i = 0;
    for (; text[i] && i + 1 < room; i++)
        out[i] = (unsigned char)text[i] < 32 ? ' ' : text[i];
    out[i] = 0;
}

static uint64_t lower_entries(const rd_graph *graph)
{
    uint64_t count = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++)
            count += graph->col[e] <= v;
    return count;
}

rd_status rd__mtx_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    char head[1024], from[700];
    uint64_t entries = graph->symmetric ? lower_entries(graph) : graph->edges;
    one_line(rd_graph_provenance(graph), from, sizeof from);
    int bytes = snprintf(head, sizeof head,
                         "%%%%MatrixMarket matrix coordinate %s %s\n%% %s\n%" PRIu32 " %" PRIu32 " %" PRIu64 "\n",
                         !graph->weight ? "pattern"
                         : graph->real  ? "real"
                                        : "integer",
                         graph->symmetric ? "symmetric" : "general", from, graph->vertices, graph->vertices, entries);
    RD_TRY(rd__sink_write(sink, head, (uint64_t)bytes, err));
    return rd__write_edges(sink, graph, graph->symmetric ? line_lower : line_from_1, err);
}

rd_status rd__el_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    if (graph->weight)
        return rd__fail(err, RD_EARG, "%s: an .el file has no weights, and this graph has: write .wel", sink->path);
    return rd__write_edges(sink, graph, line_from_0, err);
}

rd_status rd__wel_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    if (!graph->weight)
        return rd__fail(err, RD_EARG,
                        "%s: a .wel file has weights, and this graph has none: write .el, or draw some with --weights",
                        sink->path);
    return rd__write_edges(sink, graph, line_from_0, err);
}

rd_status rd__need_whole_weights(const rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    if (!graph->weight || !graph->real)
        return RD_OK;
    return rd__fail(err, RD_EARG,
                    "%s: this format has whole numbers as weights, and these are real: write .rdg, .mtx, "
                    ".wel or .adj",
                    sink->path);
}

static size_t arc_line(const rd_graph *graph, uint32_t u, uint64_t e, char *out)
{
    memcpy(out, "a ", 2);
    return 2 + line_from_1(graph, u, e, out + 2);
}

rd_status rd__gr_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    char head[1024], from[700];
    if (!graph->weight)
        return rd__fail(err, RD_EARG,
                        "%s: a DIMACS .gr file has weights, and this graph has none: draw some with --weights",
                        sink->path);
    RD_TRY(rd__need_whole_weights(sink, graph, err));
    one_line(rd_graph_provenance(graph), from, sizeof from);
    int bytes =
        snprintf(head, sizeof head, "c %s\np sp %" PRIu32 " %" PRIu64 "\n", from, graph->vertices, graph->edges);
    RD_TRY(rd__sink_write(sink, head, (uint64_t)bytes, err));
    return rd__write_edges(sink, graph, arc_line, err);
}

static size_t target_line(const rd_graph *graph, uint32_t u, uint64_t e, char *out)
{
    (void)u;
    char *end = rd__put_u64(out, graph->col[e]);
    *end++ = '\n';
    return (size_t)(end - out);
}

static size_t weight_line(const rd_graph *graph, uint32_t u, uint64_t e, char *out)
{
    (void)u;
    char *end = rd__put_weight(out, graph, e);
    *end++ = '\n';
    return (size_t)(end - out);
}

/* Where the edges of each vertex begin. */
static rd_status write_offsets(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    char text[1 << 14], *end = text;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        end = rd__put_u64(end, graph->row[v]);
        *end++ = '\n';
        if (end > text + sizeof text - 32 || v + 1 == graph->vertices) {
            RD_TRY(rd__sink_write(sink, text, (uint64_t)(end - text), err));
            end = text;
        }
    }
    return RD_OK;
}

rd_status rd__adj_write(rd__sink *sink, const rd_graph *graph, rd_error *err)
{
    char head[100];
    const int bytes = snprintf(head, sizeof head, "%sAdjacencyGraph\n%" PRIu32 "\n%" PRIu64 "\n",
                               graph->weight ? "Weighted" : "", graph->vertices, graph->edges);
    RD_TRY(rd__sink_write(sink, head, (uint64_t)bytes, err));
    RD_TRY(write_offsets(sink, graph, err));
    RD_TRY(rd__write_edges(sink, graph, target_line, err));
    return graph->weight ? rd__write_edges(sink, graph, weight_line, err) : RD_OK;
}
