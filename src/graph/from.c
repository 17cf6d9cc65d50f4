/* SPDX-License-Identifier: Apache-2.0 */
/* from.c - graphs from arrays of the caller. */
#include "graph/build.h"

#include <inttypes.h>
#include <stdatomic.h>

struct from {
    rd__builder *builder;
    /* edges: pairs */
    const uint32_t *source, *target;
    const int32_t *weight;
    uint64_t edges;
    /* or a CSR */
    rd_csr csr;
    atomic_ullong bad; /* first edge with an end out of range */
};

static void add_pairs(void *arg, unsigned index, unsigned threads)
{
    struct from *from = arg;
    uint64_t i, last;
    uint32_t n = from->builder->vertices;
    rd__share(from->edges, index, threads, &i, &last);
    for (; i < last; i++) {
        if (from->source[i] >= n || from->target[i] >= n) {
            unsigned long long seen = atomic_load(&from->bad);
            while (i < seen && !atomic_compare_exchange_weak(&from->bad, &seen, i))
                ;
            return;
        }
        if (!rd__builder_add(from->builder, index, from->source[i], from->target[i],
                             from->weight ? from->weight[i] : 0))
            return;
    }
}

static void add_rows(void *arg, unsigned index, unsigned threads)
{
    struct from *from = arg;
    const rd_csr *csr = &from->csr;
    uint64_t v, last;
    rd__share(csr->vertices, index, threads, &v, &last);
    for (; v < last; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (!rd__builder_add(from->builder, index, (uint32_t)v, csr->col[e], csr->weight ? csr->weight[e] : 0))
                return;
}

static rd_status finish(rd__builder *builder, const rd_graph_options *options, const char *source, rd_graph **graph,
                        rd_error *err)
{
    RD_TRY(rd__builder_finish(builder, NULL, graph, err));
    rd_status status = rd__graph_finish(*graph, options, source, 1, err);
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}

rd_status rd_graph_from_edges(uint32_t vertices, uint64_t edges, const uint32_t *source, const uint32_t *target,
                              const int32_t *weight, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd_graph_options full;
    rd__builder builder;
    if (!graph)
        return rd__fail(err, RD_EARG, "rd_graph_from_edges needs a place to put the graph");
    *graph = NULL;
    RD_TRY(rd__graph_options(options, &full, err));
    if (vertices > RD_VERTEX_MAX)
        return rd__fail(err, RD_EARG, "%" PRIu32 " vertices are more than the most, %u", vertices, RD_VERTEX_MAX);
    if (edges && (!source || !target))
        return rd__fail(err, RD_EARG, "rd_graph_from_edges was given %" PRIu64 " edges and no arrays", edges);
    RD_TRY(rd__builder_create(&builder, vertices, weight != NULL, 0, &full, err));
    struct from from = {
        .builder = &builder, .source = source, .target = target, .weight = weight, .edges = edges, .bad = UINT64_MAX};
    rd__parallel(full.threads, add_pairs, &from);
    uint64_t bad = atomic_load(&from.bad);
    if (bad != UINT64_MAX) {
        rd__builder_destroy(&builder);
        return rd__fail(err, RD_EINPUT,
                        "edge %" PRIu64 " is %" PRIu32 " -> %" PRIu32 ", but there are %" PRIu32 " vertices", bad,
                        source[bad], target[bad], vertices);
    }
    return finish(&builder, &full, "memory (edges)", graph, err);
}

rd_status rd_graph_from_csr(const rd_csr *csr, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd_graph_options full;
    rd__builder builder;
    if (!graph || !csr)
        return rd__fail(err, RD_EARG, "rd_graph_from_csr needs arrays and a place to put the graph");
    *graph = NULL;
    RD_TRY(rd__graph_options(options, &full, err));
    if (csr->vertices > RD_VERTEX_MAX)
        return rd__fail(err, RD_EARG, "%" PRIu32 " vertices are more than the most, %u", csr->vertices, RD_VERTEX_MAX);
    if (!csr->row || (csr->edges && !csr->col))
        return rd__fail(err, RD_EARG, "rd_graph_from_csr was given no arrays");
    RD_TRY(rd__csr_check(csr, 0, full.threads, "rd_graph_from_csr", err));
    RD_TRY(rd__builder_create(&builder, csr->vertices, csr->weight != NULL, 0, &full, err));
    rd__parallel(full.threads, add_rows, &(struct from){.builder = &builder, .csr = *csr});
    return finish(&builder, &full, "memory (CSR)", graph, err);
}
