/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urand.c - the uniform random graph of the GAP benchmark suite: both ends of each of DEGREE * 2^SCALE undirected edges
 * are drawn uniformly. Loops and duplicates are dropped, each edge is stored in both directions.
 */
#include "graph/gen/gen.h"

struct urand {
    uint64_t stream;
    unsigned scale;
};

static int draw_edges(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to)
{
    const struct urand *urand = arg;
    const uint32_t mask = (uint32_t)((1ull << urand->scale) - 1);
    for (uint64_t i = from; i < to; i++) {
        const uint64_t random = rd__draw(urand->stream, i);
        if (!rd__builder_add(builder, lane, (uint32_t)random & mask, (uint32_t)(random >> 32) & mask, 0))
            return 0;
    }
    return 1;
}

rd_status rd__gen_urand(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t edges;
    struct urand urand = {.stream = rd__stream(options->seed, "urand")};
    RD_TRY(rd__draw_sizes(args, "urand", 16, options, &urand.scale, &edges, err));
    return rd__draw_build(1u << urand.scale, edges, draw_edges, &urand, options, graph, err);
}
