/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - a CSR from a function that gives the neighbours of a vertex: count, add up, fill. Nothing is sorted, no edge
 * is stored twice. */
#include "graph/gen/gen.h"

#include "raddle/tool.h"

struct rows {
    rd__row_fn fn;
    const void *arg;
    uint32_t vertices;
    uint64_t *row;
    uint32_t *col;
};

static void count_rows(void *arg, unsigned index, unsigned threads)
{
    struct rows *rows = arg;
    uint64_t v, last;
    rd__share(rows->vertices, index, threads, &v, &last);
    for (; v < last; v++)
        rows->row[v + 1] = rows->fn(rows->arg, (uint32_t)v, NULL);
}

static void fill_rows(void *arg, unsigned index, unsigned threads)
{
    struct rows *rows = arg;
    uint64_t v, last;
    rd__share(rows->vertices, index, threads, &v, &last);
    for (; v < last; v++)
        rows->fn(rows->arg, (uint32_t)v, rows->col + rows->row[v]);
}

rd_status rd__rows_build(uint32_t vertices, rd__row_fn fn, const void *arg, const rd_graph_options *options,
                         rd_graph **graph, rd_error *err)
{
    struct rows rows = {.fn = fn, .arg = arg, .vertices = vertices};
    RD_TRY(rd__array_new(&rows.row, "the row offsets of the graph", (uint64_t)vertices + 1, sizeof *rows.row, err));
    rd__parallel(options->threads, count_rows, &rows);
    rows.row[0] = 0;
    for (uint64_t v = 0; v < vertices; v++)
        rows.row[v + 1] += rows.row[v];
    rd_status status = rd__memory_expect(4 * rows.row[vertices], "the edges of the graph", err);
    if (status == RD_OK)
        status = rd__array_new(&rows.col, "the edges of the graph", rows.row[vertices], sizeof *rows.col, err);
    if (status != RD_OK) {
        rd__array_free(rows.row);
        return status;
    }
    rd__parallel(options->threads, fill_rows, &rows);
    RD_TRY(rd__graph_new(vertices, rows.row[vertices], rows.row, rows.col, NULL, options->threads, graph, err));
    (*graph)->symmetric = 1;
    /* loops and duplicates there are none, and it is symmetric: only permuting can be left to do */
    rd_graph_options rest = {.size = sizeof rest,
                             .threads = options->threads,
                             .seed = options->seed,
                             .permute = options->permute,
                             .progress = options->progress,
                             .progress_user = options->progress_user};
    return rd__graph_rebuild(graph, &rest, err);
}
