/* SPDX-License-Identifier: Apache-2.0 */
/* rebuild.c - a graph that came as CSR: its edges go through a builder like any others, to apply options or to turn
 * them round. */
#include "graph/part/part.h"

struct feed {
    const rd_graph *graph;
    rd__builder *builder;
    int turned;
    uint32_t first, last; /* vertices whose edges are added */
    uint32_t base;        /* of a slice: the number that its vertex 0 has in the whole graph */
};

static void feed_edges(void *arg, unsigned index, unsigned threads)
{
    const struct feed *feed = arg;
    const rd_graph *graph = feed->graph;
    uint64_t v, last;
    rd__share(feed->last - feed->first, index, threads, &v, &last);
    for (v += feed->first, last += feed->first; v < last; v++)
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            const uint32_t self = feed->base + (uint32_t)v;
            const uint32_t source = feed->turned ? graph->col[e] : self;
            const uint32_t target = feed->turned ? self : graph->col[e];
            if (!rd__builder_add(feed->builder, index, source, target, graph->weight ? graph->weight[e] : 0))
                return;
        }
}

void rd__builder_add_graph(rd__builder *builder, const rd_graph *graph, int turned)
{
    rd__parallel(builder->options.threads, feed_edges, &(struct feed){graph, builder, turned, 0, graph->vertices, 0});
}

/* The names of the vertices whose edges are fed, if they have some: a copy of them. */
static rd_status copy_names(const struct feed *feed, rd__naming *names, uint64_t **copy, rd_error *err)
{
    const rd_graph *old = feed->graph;
    const uint64_t *from = old->part && old->part->named ? old->part->name : old->ids;
    *names = (rd__naming){.from = feed->base + feed->first, .count = feed->last - feed->first};
    if (!from)
        return RD_OK;
    RD_TRY(rd__array_new(copy, "the original vertex numbers", names->count, sizeof **copy, err));
    for (uint32_t i = 0; i < names->count; i++)
        (*copy)[i] = from[feed->first + i];
    names->name = *copy;
    return RD_OK;
}

/* All ranks: each adds the edges of its block, as the graph is now, or of its slice, and they go to their new owners.
 */
static rd_status rebuild_part(rd_graph *old, rd__builder *builder, rd_graph **graph, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(old);
    struct feed feed = {.graph = old, .builder = builder, .last = csr.vertices};
    const rd_graph_times times = old->times;
    const int symmetric = old->symmetric;
    uint64_t *copy = NULL;
    rd__naming names;
    rd_status status = RD_OK;
    if (old->part)
        feed.base = old->part->first;
    else
        status = rd__blocks_own(&csr, builder->options.ranks, &feed.first, &feed.last, err);
    if (status == RD_OK)
        status = copy_names(&feed, &names, &copy, err);
    if (status == RD_OK)
        rd__parallel(builder->options.threads, feed_edges, &feed);
    builder->first = old->ids ? 0 : old->first;
    rd_graph_destroy(old);
    if (status != RD_OK) {
        rd__builder_destroy(builder);
        return status;
    }
    status = rd__part_build(builder, copy ? &names : NULL, graph, err);
    rd__array_free(copy);
    RD_TRY(status);
    (*graph)->symmetric |= symmetric;
    (*graph)->times = times;
    return RD_OK;
}

rd_status rd__graph_rebuild(rd_graph **graph, const rd_graph_options *options, rd_error *err)
{
    rd_graph *old = *graph;
    rd_graph_options wanted = *options;
    rd__builder builder;
    int symmetric = old->symmetric;
    wanted.real_weights = old->real != 0;
    if (symmetric)
        wanted.symmetrize = 0; /* it would only double every edge */
    if (!wanted.symmetrize && !wanted.drop_loops && !wanted.drop_duplicates && !wanted.permute)
        return RD_OK;
    *graph = NULL;
    const uint32_t vertices = old->part ? old->part->vertices : old->vertices;
    rd_status status = rd__builder_create(&builder, vertices, old->weight != NULL, 0, &wanted, err);
    uint64_t *ids = NULL;
    if (status == RD_OK && rd__options_share(&wanted))
        return rebuild_part(old, &builder, graph, err);
    if (status == RD_OK) {
        builder.first = old->first;
        rd__builder_add_graph(&builder, old, 0);
        if (!old->map) {
            ids = old->ids;
            old->ids = NULL;
        } else if (old->ids) {
            status = rd__array_new(&ids, "the original vertex numbers", old->vertices, sizeof *ids, err);
            for (uint32_t v = 0; status == RD_OK && v < old->vertices; v++)
                ids[v] = old->ids[v];
        }
    }
    rd_graph_times times = old->times;
    rd_graph_destroy(old); /* before sorting, so that at most one CSR and the edge list exist at once */
    if (status != RD_OK) {
        rd__builder_destroy(&builder);
        return status;
    }
    RD_TRY(rd__builder_finish(&builder, ids, graph, err));
    (*graph)->symmetric |= symmetric;
    (*graph)->times = times;
    return RD_OK;
}
