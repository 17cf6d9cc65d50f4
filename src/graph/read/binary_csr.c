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
    uint64_t skipped;
    RD_TRY(rd__source_skip(source, bytes, &skipped, err));
    return skipped == bytes ? RD_OK : ends_early(source, what, bytes - skipped, err);
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

/* The arrays are in order: rows are sorted, options applied. All ranks, of a slice. */
static rd_status complete(const rd__source *source, rd_graph *made, int symmetric, const rd_graph_options *options,
                          rd_graph **graph, rd_error *err)
{
    struct sorting sorting = {.graph = made};
    int is_symmetric = 1;
    rd__parallel(options->threads, sort_rows, &sorting);
    rd_status status =
        atomic_load(&sorting.failed) ? rd__fail_memory(err, "sorting the edges of one vertex", 0) : RD_OK;
    if (status == RD_OK && symmetric)
        status = rd__graph_is_symmetric(made, &is_symmetric, err);
    if (status == RD_OK && !is_symmetric)
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

rd_status rd__adopt(const rd__source *source, uint32_t vertices, uint64_t edges, uint64_t *row, uint32_t *col,
                    int32_t *weight, int real, int symmetric, const rd_graph_options *options, rd_graph **graph,
                    rd_error *err)
{
    rd_graph *made;
    RD_TRY(rd__graph_new(vertices, edges, row, col, weight, options->threads, &made, err));
    made->real = weight && real;
    const rd_csr csr = rd_graph_csr(made);
    const rd_status status = rd__csr_check(&csr, 0, options->threads, source->name, err);
    if (status == RD_OK)
        return complete(source, made, symmetric, options, graph, err);
    rd_graph_destroy(made);
    return status;
}

rd_status rd__read_row(rd__source *source, rd__own_rows *rows, size_t width, rd_error *err)
{
    enum { BATCH = 1 << 13 };
    const uint64_t all = (uint64_t)rows->vertices + 1;
    int64_t *batch = rd__malloc(BATCH * sizeof *batch);
    rd_status status = batch ? RD_OK : rd__fail_memory(err, "reading a graph", BATCH * sizeof *batch);
    for (uint64_t at = 0; at < all && status == RD_OK; at += BATCH) {
        const uint64_t some = all - at < BATCH ? all - at : BATCH;
        status = rd__read_exactly(source, batch, some * width, "the offsets", err);
        for (uint64_t i = 0; i < some && status == RD_OK; i++) {
            const int64_t offset = width == 8 ? batch[i] : ((const int32_t *)batch)[i];
            if (offset < 0 && width == 4)
                status = rd__fail(err, RD_EINPUT, "%s: the offset of vertex %" PRIu64 " is %" PRId64, source->name,
                                  at + i, offset);
            else
                status = rd__own_rows_add(rows, (uint64_t)offset, err);
        }
    }
    rd__free(batch);
    return status == RD_OK ? rd__own_rows_end(rows, err) : status;
}

rd_status rd__adopt_own(const rd__source *source, rd__own_rows *rows, uint32_t *col, int32_t *weight, int real,
                        int symmetric, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd_graph *made = NULL;
    const rd_status status = rd__own_rows_slice(rows, col, weight, options->threads, &made, err);
    rd__own_rows_free(rows);
    RD_TRY(status);
    made->real = weight && real;
    return complete(source, made, symmetric, options, graph, err);
}
