/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - readers of graph files: one file each, one line each in readers.c. */
#ifndef RD_GRAPH_READER_H
#define RD_GRAPH_READER_H

#include "graph/build.h"
#include "graph/read/source.h"

typedef struct rd__reader {
    const char *name;
    const char *text;     /* one line on the format */
    const char *suffixes; /* names of its files end so: ".mtx .mm"; NULL: none in particular */
    /* Whether these first bytes of a file can only be this format. */
    int (*sniff)(const char *head, size_t bytes);
    /* Makes the graph, options applied but not finished (rd__graph_finish). *graph stays NULL on failure. */
    rd_status (*read)(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err);
} rd__reader;

extern const rd__reader rd__reader_table[]; /* ended by name NULL */

/* The reader of a format by its name, as --format has it. */
rd_status rd__reader_named(const char *format, const rd__reader **found, rd_error *err);

/* Reads a graph from a source that was just opened: finds the reader (options->format, content, name) and finishes the
 * graph. path is where a plain file can be mapped from, or NULL. */
rd_status rd__graph_read(rd__source *source, const char *path, const rd_graph_options *options, rd_graph **graph,
                         rd_error *err);

/* How long the suffix is that only says how a file is compressed: 3 of "a.el.gz"; 0: there is none. */
size_t rd__packed_suffix(const char *name, size_t length);

/* Checks that `edges` edges (counted twice if mirrored) of an edge list and the rows fit in memory, or the part of one
 * of `ranks` that share them. */
rd_status rd__read_fits(const rd__source *source, uint64_t vertices, uint64_t edges, int weighted, int mirrored,
                        uint32_t ranks, rd_error *err);

/* .rdg of a plain file is mapped, not read. */
rd_status rd__rdg_map(int fd, const char *path, uint64_t size, const rd_graph_options *options, rd_graph **graph,
                      rd_error *err);

#endif
