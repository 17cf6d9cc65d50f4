/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edge_lines.c - text output, one line an edge, in parallel and in order: each round, every thread formats a batch of
 * edges into its own buffer, then the buffers are written one after another.
 */
#include "graph/write/writer.h"

#include "core/text.h"
#include "raddle/tool.h"

enum { BATCH = 1 << 14 };

struct lines {
    const rd_graph *graph;
    rd__edge_line_fn line;
    uint64_t next;  /* first edge of this round */
    char **buffer;  /* one a thread */
    size_t *filled; /* bytes in it */
};

/* @return the vertex whose row holds edge e. */
static uint32_t source_of(const rd_graph *graph, uint64_t e)
{
    uint64_t low = 0, high = graph->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->row[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void format(void *arg, unsigned index, unsigned threads)
{
    struct lines *lines = arg;
    const rd_graph *graph = lines->graph;
    uint64_t e = lines->next + (uint64_t)index * BATCH, last = e + BATCH < graph->edges ? e + BATCH : graph->edges;
    char *out = lines->buffer[index];
    (void)threads;
    if (e < last) {
        uint32_t u = source_of(graph, e);
        for (; e < last; e++) {
            while (graph->row[u + 1] <= e)
                u++;
            out += lines->line(graph, u, e, out);
        }
    }
    lines->filled[index] = (size_t)(out - lines->buffer[index]);
}

static rd_status write_rounds(rd__sink *sink, struct lines *lines, unsigned threads, rd_error *err)
{
    for (unsigned i = 0; i < threads; i++) {
        lines->buffer[i] = rd__malloc((size_t)BATCH * RD_EDGE_LINE);
        if (!lines->buffer[i])
            return rd__fail_memory(err, "writing a graph", (size_t)BATCH * RD_EDGE_LINE);
    }
    for (; lines->next < lines->graph->edges; lines->next += (uint64_t)threads * BATCH) {
        rd__parallel(threads, format, lines);
        for (unsigned i = 0; i < threads; i++)
            RD_TRY(rd__sink_write(sink, lines->buffer[i], lines->filled[i], err));
    }
    return RD_OK;
}

rd_status rd__write_edges(rd__sink *sink, const rd_graph *graph, rd__edge_line_fn line, rd_error *err)
{
    unsigned threads = graph->edges < 4 * BATCH ? 1 : graph->threads;
    struct lines lines = {.graph = graph, .line = line};
    lines.buffer = rd__calloc(threads, sizeof *lines.buffer);
    lines.filled = rd__calloc(threads, sizeof *lines.filled);
    rd_status status = RD_OK;
    if (!lines.buffer || !lines.filled)
        status = rd__fail_memory(err, "writing a graph", threads * (sizeof *lines.buffer + sizeof *lines.filled));
    else
        status = write_rounds(sink, &lines, threads, err);
    for (unsigned i = 0; lines.buffer && i < threads; i++)
        rd__free(lines.buffer[i]);
    rd__free(lines.buffer);
    rd__free(lines.filled);
    return status;
}

char *rd__put_u64(char *out, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *out++ = digits[--count];
    return out;
}

static char *put_i32(char *out, int32_t value)
{
    int64_t wide = value;
    if (wide < 0) {
        *out++ = '-';
        wide = -wide;
    }
    return rd__put_u64(out, (uint64_t)wide);
}

char *rd__put_weight(char *out, const rd_graph *graph, uint64_t edge)
{
    enum { ROOM = 24 };
    if (!graph->real)
        return put_i32(out, graph->weight[edge]);
    const float value = rd_weight_real(graph->weight[edge]);
    int bytes = 0;
    for (int digits = 6; digits <= 9; digits++) {
        double back = 0;
        bytes = rd__snprintf(out, ROOM, "%.*g", digits, (double)value);
        if (rd_parse_double(out, &back) && (float)back == value)
            break;
    }
    return out + bytes;
}
