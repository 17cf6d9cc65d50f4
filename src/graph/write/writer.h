/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer.h - writers of graph files: one file each, one line each in writers.c. Bytes go to a sink (core/sink.h).
 */
#ifndef RD_GRAPH_WRITER_H
#define RD_GRAPH_WRITER_H

#include "core/sink.h"
#include "graph/graph.h"

typedef struct rd__writer {
    const char *name;
    const char *text;
    const char *suffixes;
    rd_status (*write)(rd__sink *sink, const rd_graph *graph, rd_error *err);
} rd__writer;

/* Writes one line for each edge in parallel. line writes edge e = (u -> v) to out, which has room for RD_EDGE_LINE
 * bytes, and returns the number of bytes. */
#define RD_EDGE_LINE 64
typedef size_t (*rd__edge_line_fn)(const rd_graph *graph, uint32_t u, uint64_t e, char *out);
rd_status rd__write_edges(rd__sink *sink, const rd_graph *graph, rd__edge_line_fn line, rd_error *err);

/* Writes decimal digits. @return the place after the last. */
char *rd__put_u64(char *out, uint64_t value);
/* The weight of an edge: of real ones as few digits as lead back to it, nine at most. */
char *rd__put_weight(char *out, const rd_graph *graph, uint64_t edge);

/* Of formats without real weights: refuses them. */
rd_status rd__need_whole_weights(const rd__sink *sink, const rd_graph *graph, rd_error *err);

#endif
