/* SPDX-License-Identifier: Apache-2.0 */
/* binary_csr.h - what readers of binary CSR files share. */
#ifndef RD_GRAPH_BINARY_CSR_H
#define RD_GRAPH_BINARY_CSR_H

#include "graph/part/part.h"
#include "graph/read/reader.h"

/* Reads exactly these bytes into data; `what` is for the message. */
rd_status rd__read_exactly(rd__source *source, void *data, uint64_t bytes, const char *what, rd_error *err);
/* Reads an array as rd__source_array does, all of it. part: of the file, for the message. */
rd_status rd__read_array(rd__source *source, void *out_pointer, const char *what, uint64_t count, size_t size,
                         const char *part, rd_error *err);
/* Passes over so many bytes. */
rd_status rd__read_past(rd__source *source, uint64_t bytes, const char *what, rd_error *err);
/* RD_EINPUT when anything follows. */
rd_status rd__read_end(rd__source *source, rd_error *err);

/* Makes a graph of arrays that were read, which it takes over: checks them, sorts rows, applies the options. real:
 * weights are words of rd_weight_word. */
rd_status rd__adopt(const rd__source *source, uint32_t vertices, uint64_t edges, uint64_t *row, uint32_t *col,
                    int32_t *weight, int real, int symmetric, const rd_graph_options *options, rd_graph **graph,
                    rd_error *err);

/* All ranks, each of its own rows: reads the offsets, of `width` bytes, of a whole file into rows that have begun; */
rd_status rd__read_row(rd__source *source, rd__own_rows *rows, size_t width, rd_error *err);
/* and makes a slice of them and of what was read of the edges from rows->from on. Both are taken over. */
rd_status rd__adopt_own(const rd__source *source, rd__own_rows *rows, uint32_t *col, int32_t *weight, int real,
                        int symmetric, const rd_graph_options *options, rd_graph **graph, rd_error *err);

#endif
