/* SPDX-License-Identifier: Apache-2.0 */
/* binary_csr.c - reading arrays from binary files, and making graphs of arrays that nobody vouches for. */
#include "graph/read/binary_csr.h"

#include "graph/row_sort.h"

#include <inttypes.h>
#include <stdatomic.h>

static rd_status ends_early(const rd__source *source, const char *part, uint64_t missing, rd_error *err)
{
    return rd__fail(err, RD_EINPUT,
                    "%s: the file ends within %s, %" PRIu64 " bytes early: it is truncated or of another format",
                    source->name, part, missing);
}

rd_status rd__read_exactly(rd__source *source, void *data, uint64_t bytes, const char *what, rd_error *err)
{
    size_t got;
    RD_TRY(rd__source_read(source, data, (size_t)bytes, &got, err));
    return got == bytes ? RD_OK : ends_early(source, what, bytes - got, err);
}

rd_status rd__read_array(rd__source *source, void *out_pointer, const char *what, uint64_t count, size_t size,
                         const char *part, rd_error *err)
{
    uint64_t got;
    RD_TRY(rd__source_array(source, out_pointer, what, count, size, &got, err));
    return got == count * size ? RD_OK : ends_early(source, part, count * size - got, err);
}

rd_status rd__read_past(rd__source *source, uint64_t bytes, const char *what, rd_error *err)
{
    char buffer[4096];
    while (bytes) {
        uint64_t some = bytes < sizeof buffer ? bytes : sizeof buffer;
        RD_TRY(rd__read_exactly(source, buffer, some, what, err));
        bytes -= some;
    }
    return RD_OK;
}

rd_status rd__read_end(rd__source *source, rd_error *err)
{
    char byte;
    size_t got;
    RD_TRY(rd__source_read(source, &byte, 1, &got, err));
    if (got)
        return rd__fail(err, RD_EINPUT,
                        "%s: there are bytes after the end of the graph: the file is damaged or of another format",
                        source->name);
    return RD_OK;
}

struct sorting {
    rd_graph *graph;
    atomic_int failed;
};

static void sort_rows(void *arg, unsigned index, unsigned threads)
{
    struct sorting *sorting = arg;
    const rd_graph *graph = sorting->graph;
    rd__row_sorter sorter = {0};
    uint64_t v, last;
    rd__share(graph->vertices, index, threads, &v, &last);
    for (; v < last; v++) {
        uint64_t from = graph->row[v];
        if (!rd__row_sort(&sorter, graph->col + from, graph->weight ? graph->weight + from : NULL,
                          graph->row[v + 1] - from))
            atomic_store(&sorting->failed, 1);
    }
    rd__row_sorter_free(&sorter);
}

rd_status rd__adopt(const rd__source *source, uint32_t vertices, uint64_t edges, uint64_t *row, uint32_t *col,
                    int32_t *weight, int real, int symmetric, const rd_graph_options *options, rd_graph **graph,
                    rd_error *err)
{
    rd_graph *made;
    RD_TRY(rd__graph_new(vertices, edges, row, col, weight, options->threads, &made, err));
    made->real = weight && real;
    rd_csr csr = rd_graph_csr(made);
    rd_status status = rd__csr_check(&csr, 0, options->threads, source->name, err);
    struct sorting sorting = {.graph = made};
    if (status == RD_OK) {
        rd__parallel(options->threads, sort_rows, &sorting);
        if (atomic_load(&sorting.failed))
            status = rd__fail_memory(err, "sorting the edges of one vertex", 0);
    }
    if (status == RD_OK && symmetric && !rd__csr_is_symmetric(&csr, options->threads))
        status =
            rd__fail(err, RD_EINPUT, "%s: says that it is undirected, but some edge has no reverse of the same weight",
                     source->name);
    if (status != RD_OK) {
        rd_graph_destroy(made);
        return status;
    }
    made->symmetric = symmetric;
    status = rd__graph_rebuild(&made, options, err);
    *graph = made;
    return status;
}
