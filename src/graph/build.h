/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.h - from edges in any order to a CSR, in parallel.
 *
 * 1. Threads add edges, each to its own lane. The options that work edge by edge (symmetrise, drop loops, permute) act
 * here, and the bag (bag.h) deals the edges into buckets of consecutive sources.
 * 2. Threads take bucket after bucket. In a bucket, count the edges of each source, lay the rows out one after another,
 * drop each edge into its row, sort the rows (row_sort.h), drop duplicates. Everything touched in the inner loops fits
 * in a core's cache.
 * 3. When duplicates left gaps between the buckets, the rows move together into arrays of the right size.
 *
 * The result depends on the set of edges alone, not on threads or on the order of arrival. Memory at the peak: the
 * edges (8 bytes each, 12 with weights) or the CSR, whichever is larger, and a little; see bag.h.
 */
#ifndef RD_GRAPH_BUILD_H
#define RD_GRAPH_BUILD_H

#include "graph/bag.h"
#include "graph/graph.h"
#include "graph/permute.h"

typedef struct rd__builder {
    uint32_t vertices;
    rd_graph_options options; /* full, see rd__graph_options */
    uint32_t first;           /* the number that the source gives vertex 0; 0 unless a reader says otherwise */
    int mirror;               /* add the reverse of each edge, as options ask or because the source is undirected */
    rd__permutation permutation;
    rd__bag bag;
} rd__builder;

/* weighted: edges come with weights that matter. undirected: each edge added stands for both directions. */
rd_status rd__builder_create(rd__builder *builder, uint32_t vertices, int weighted, int undirected,
                             const rd_graph_options *options, rd_error *err);
void rd__builder_destroy(rd__builder *builder);

/* Adds an edge from one of options.threads lanes. Both ends must be below vertices. @return 0 when there is no memory.
 */
static inline int rd__builder_add(rd__builder *builder, unsigned lane_index, uint32_t source, uint32_t target,
                                  int32_t weight)
{
    rd__bag_lane *lane = &builder->bag.lane[lane_index];
    if (source == target && builder->options.drop_loops)
        return 1;
    if (builder->options.permute) {
        source = rd__permuted(&builder->permutation, source);
        target = rd__permuted(&builder->permutation, target);
    }
    if (builder->mirror && source != target && !rd__bag_add(&builder->bag, lane, target, source, weight))
        return 0;
    return rd__bag_add(&builder->bag, lane, source, target, weight);
}

/* Empties a bag of as many lanes into the builder. With map, the vertex x of lane i is renumbered map[i][x]. */
rd_status rd__builder_pour(rd__builder *builder, rd__bag *bag, uint32_t *const *map, rd_error *err);

/* Sorts and makes the graph; the builder is empty afterwards, whatever happens. Not yet finished: see rd__graph_finish.
 * ids (or NULL) is taken over: what the file called each vertex, before permuting. */
rd_status rd__builder_finish(rd__builder *builder, uint64_t *ids, rd_graph **graph, rd_error *err);

/* Adds all edges of a graph, or with `turned` the reverse of each, by options.threads lanes. */
void rd__builder_add_graph(rd__builder *builder, const rd_graph *graph, int turned);

/* Applies symmetrize, drop_loops, drop_duplicates and permute to a graph that has its CSR already; does nothing when
 * they ask for nothing. On failure *graph is destroyed and NULL. */
rd_status rd__graph_rebuild(rd_graph **graph, const rd_graph_options *options, rd_error *err);

#endif
