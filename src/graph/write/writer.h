/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer.h - writers of graph files: one file each, one line each in writers.c.
 *
 * A sink is where bytes go. A file is written under another name beside its own and renamed when it is complete, so
 * readers see the whole file or the old one, and a failed or killed write leaves no half of a graph behind.
 */
#ifndef RD_GRAPH_WRITER_H
#define RD_GRAPH_WRITER_H

#include "graph/graph.h"

typedef struct rd__sink {
    const char *path; /* as messages call it */
    char *temporary;  /* NULL: standard output */
    int fd;
} rd__sink;

rd_status rd__sink_open(rd__sink *sink, const char *path, rd_error *err);
rd_status rd__sink_write(rd__sink *sink, const void *data, uint64_t bytes, rd_error *err);
/* Completes the file when status is RD_OK, else removes what there is. @return status, or what went wrong now. */
rd_status rd__sink_close(rd__sink *sink, rd_status status, rd_error *err);

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
char *rd__put_i32(char *out, int32_t value);

#endif
