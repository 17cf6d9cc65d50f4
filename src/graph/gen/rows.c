/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - a CSR from a function that gives the neighbours of a vertex: count, add up, fill. Nothing is sorted, no edge
 * is stored twice. */
#include "graph/gen/gen.h"

#include "core/watch.h"
#include "graph/part/part.h"

#include <stdatomic.h>

struct rows {
    rd__row_fn fn;
    const void *arg;
    uint32_t first; /* of a part: the vertex whose row is the first */
    uint32_t vertices;
    uint64_t *row;
    uint32_t *col; /* NULL: they are only counted yet */
    rd__watch watch;
    atomic_int stopped; /* set by the thread that asks the watch, the first; relaxed: the others only have to leave */
};

static void make_rows(void *arg, unsigned index, unsigned threads)
{
    struct rows *rows = arg;
    uint64_t v, last, work = 0;
    rd__share(rows->vertices, index, threads, &v, &last);
    for (; v < last; v++) {
        const uint64_t count =
            rows->fn(rows->arg, rows->first + (uint32_t)v, rows->col ? rows->col + rows->row[v] : NULL);
        if (!rows->col)
            rows->row[v + 1] = count;
        work += count + 1;
        if (work < RD__WATCH_ITEMS)
            continue;
        work = 0;
        if (index == 0 && rd__watch_stops(&rows->watch, "generating", v, last, "vertices of the first thread"))
            atomic_store_explicit(&rows->stopped, 1, memory_order_relaxed);
        if (atomic_load_explicit(&rows->stopped, memory_order_relaxed))
            break;
    }
}

/* Counts, or fills when there is room for the edges. */
static rd_status all_rows(struct rows *rows, unsigned threads, rd_error *err)
{
    rd__parallel(threads, make_rows, rows);
    if (atomic_load_explicit(&rows->stopped, memory_order_relaxed))
        return rd__fail(err, RD_ECANCELLED, "stopped while generating a graph");
    return RD_OK;
}

/* All ranks: each counts the edges of some vertices, for blocks to be cut by. */
static rd_status find_block(struct rows *rows, rd_ranks *ranks, rd__part **part, rd_error *err)
{
    unsigned shift;
    const uint32_t bins = rd__blocks_bins(ranks, rows->vertices, &shift);
    uint64_t *work = rd__calloc(bins + 1ull, sizeof *work), v, last;
    if (!work)
        return rd__fail_memory(err, "edges by vertices", bins * sizeof *work);
    rd__share(rows->vertices, rd_ranks_rank(ranks), rd_ranks_count(ranks), &v, &last);
    for (; v < last; v++)
        work[v >> shift] += rows->fn(rows->arg, (uint32_t)v, NULL);
    const rd_status status = rd__blocks_of_bins(ranks, rows->vertices, work, bins, shift, part, err);
    rd__free(work);
    if (status == RD_OK) {
        rows->first = (*part)->first;
        rows->vertices = (*part)->own;
    }
    return status;
}

/* All ranks, of a graph that is renumbered: each makes some rows, whose edges then go to their owners. */
static rd_status deal_rows(const struct rows *rows, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t v, last, room = 0;
    uint32_t *out = NULL;
    rd__builder builder;
    RD_TRY(rd__builder_create(&builder, rows->vertices, 0, 0, options, err));
    rd__share(rows->vertices, rd_ranks_rank(options->ranks), rd_ranks_count(options->ranks), &v, &last);
    rd_status status = RD_OK;
    for (; v < last && status == RD_OK; v++) {
        const uint64_t count = rows->fn(rows->arg, (uint32_t)v, NULL);
        if (count > room) {
            room = 2 * count;
            rd__array_free(out);
            status = rd__array_new(&out, "the edges of one vertex", room, sizeof *out, err);
        }
        if (status == RD_OK)
            (void)rows->fn(rows->arg, (uint32_t)v, out);
        for (uint64_t i = 0; i < count && status == RD_OK; i++)
            if (!rd__builder_add(&builder, 0, (uint32_t)v, out[i], 0))
                status = rd__fail_memory(err, "the edges of the graph", 8 * count);
        if (status == RD_OK && v % RD__WATCH_ITEMS == 0 &&
            rd__watch_stops(&rows->watch, "generating", v, last, "vertices"))
            status = rd__fail(err, RD_ECANCELLED, "stopped while generating a graph");
    }
    rd__array_free(out);
    if (status == RD_OK)
        return rd__part_build(&builder, NULL, graph, err);
    rd__builder_destroy(&builder);
    return status;
}

rd_status rd__rows_build(uint32_t vertices, rd__row_fn fn, const void *arg, const rd_graph_options *options,
                         rd_graph **graph, rd_error *err)
{
    struct rows rows = {
        .fn = fn, .arg = arg, .vertices = vertices, .watch = {options->progress, options->progress_user}};
    rd__part *part = NULL;
    if (options->ranks && options->permute) {
        RD_TRY(deal_rows(&rows, options, graph, err));
        (*graph)->symmetric = 1;
        return RD_OK;
    }
    if (options->ranks) {
        RD_TRY(find_block(&rows, options->ranks, &part, err));
        vertices = rows.vertices;
    }
    rd_status status =
        rd__array_new(&rows.row, "the row offsets of the graph", (uint64_t)vertices + 1, sizeof *rows.row, err);
    if (status != RD_OK) {
        rd__part_free(part);
        return status;
    }
    status = all_rows(&rows, options->threads, err);
    rows.row[0] = 0;
    for (uint64_t v = 0; v < vertices && status == RD_OK; v++)
        rows.row[v + 1] += rows.row[v];
    if (status == RD_OK)
        status = rd__memory_expect(4 * rows.row[vertices], "the edges of the graph", err);
    if (status == RD_OK)
        status = rd__array_new(&rows.col, "the edges of the graph", rows.row[vertices], sizeof *rows.col, err);
    if (status == RD_OK)
        status = all_rows(&rows, options->threads, err);
    if (status != RD_OK) {
        rd__array_free(rows.row);
        rd__array_free(rows.col);
        rd__part_free(part);
        return status;
    }
    status = rd__graph_new(vertices, rows.row[vertices], rows.row, rows.col, NULL, options->threads, graph, err);
    if (status != RD_OK) {
        rd__part_free(part);
        return status;
    }
    (*graph)->symmetric = 1;
    (*graph)->part = part;
    if (part)
        return RD_OK;
    /* loops and duplicates there are none, and it is symmetric: only permuting can be left to do */
    rd_graph_options rest = {.size = sizeof rest,
                             .threads = options->threads,
                             .seed = options->seed,
                             .permute = options->permute,
                             .progress = options->progress,
                             .progress_user = options->progress_user};
    return rd__graph_rebuild(graph, &rest, err);
}
