/* SPDX-License-Identifier: Apache-2.0 */
/* writers.c - the table of writers, and rd_graph_save. */
#define _POSIX_C_SOURCE 200809L
#include "graph/write/writer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* name, suffix, one line */
#define WRITER_LIST(X)                                                                                                 \
    X(rdg, ".rdg", "Raddle's own binary CSR, mapped into memory")                                                      \
    X(mtx, ".mtx", "MatrixMarket coordinate; the lower triangle when the graph is symmetric")                          \
    X(el, ".el", "edge list 'u v', numbered from 0; isolated vertices at the end are lost")                            \
    X(wel, ".wel", "edge list 'u v w', numbered from 0; isolated vertices at the end are lost")                        \
    X(gr, ".gr", "DIMACS-9 shortest paths; needs weights")                                                             \
    X(adj, ".adj", "PBBS and Ligra: AdjacencyGraph, or WeightedAdjacencyGraph")                                        \
    X(sg, ".sg", "GAP benchmark suite, binary")                                                                        \
    X(wsg, ".wsg", "GAP benchmark suite, binary with weights")                                                         \
    X(egr, ".egr", "ECL suite, binary; at most 2^31 - 1 edges")

#define DECLARE(name, suffix, text) rd_status rd__##name##_write(rd__sink *sink, const rd_graph *graph, rd_error *err);
WRITER_LIST(DECLARE)
#undef DECLARE

#define ROW(name, suffix, text) {#name, text, suffix, rd__##name##_write},
static const rd__writer table[] = {
    WRITER_LIST(ROW){NULL, NULL, NULL, NULL},
};
#undef ROW

const rd_name_text *rd_writers(void)
{
#define ROW(name, suffix, text) {#name, text},
    static const rd_name_text names[] = {
        WRITER_LIST(ROW){NULL, NULL},
    };
#undef ROW
    return names;
}

static rd_status find_writer(const char *path, const char *format, const rd__writer **found, rd_error *err)
{
    char names[200];
    size_t used = 0, length = strlen(path);
    for (const rd__writer *writer = table; writer->name; writer++) {
        size_t suffix = strlen(writer->suffixes);
        if (format ? strcmp(format, writer->name) == 0
                   : length > suffix && strcasecmp(path + length - suffix, writer->suffixes) == 0) {
            *found = writer;
            return RD_OK;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", writer->name);
    }
    if (format)
        return rd__fail(err, RD_EARG, "there is no format '%.40s' to write; there are: %s", format, names);
    static const char *const packed[] = {".gz", ".zst", ".bz2", ".xz"};
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (length > strlen(packed[i]) && strcasecmp(path + length - strlen(packed[i]), packed[i]) == 0)
            return rd__fail(err, RD_EARG,
                            "'%.300s': files are not packed when they are written; leave out '%s' and pack it then",
                            path, packed[i]);
    return rd__fail(err, RD_EARG,
                    "'%.300s' does not tell what format to write; end it in a dot and one of %s, or name the format",
                    path, names);
}

rd_status rd_graph_save(const rd_graph *graph, const char *path, const char *format, rd_error *err)
{
    const rd__writer *writer = NULL;
    rd__sink sink;
    if (!graph)
        return rd__fail(err, RD_EARG, "rd_graph_save needs a graph");
    if (!path || !*path)
        return rd__fail(err, RD_EARG, "no file was named to write the graph to");
    RD_TRY(find_writer(path, format, &writer, err));
    RD_TRY(rd__sink_open(&sink, path, RD__SINK_REPLACE, err));
    return rd__sink_close(&sink, writer->write(&sink, graph, err), err);
}
