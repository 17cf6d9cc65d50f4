/* SPDX-License-Identifier: Apache-2.0 */
/*
 * smallworld.c - the small world of Watts and Strogatz: vertices in a ring, each joined to the DEGREE next ones (2
 * DEGREE neighbours in all); of each edge the far end is with probability P drawn anew from all vertices. A few such
 * edges turn a graph of a large diameter into one of a small one.
 */
#include "graph/gen/gen.h"

#include "core/text.h"

#include <inttypes.h>
#include <string.h>

struct world {
    uint64_t stream, degree, vertices, below;
};

static int draw_edges(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to)
{
    const struct world *world = arg;
    for (uint64_t i = from; i < to; i++) {
        const uint64_t source = i / world->degree;
        uint64_t target = (source + 1 + i % world->degree) % world->vertices;
        if (rd__draw(world->stream, 2 * i) >> 32 < world->below)
            target = rd__below(rd__draw(world->stream, 2 * i + 1), world->vertices);
        if (!rd__builder_add(builder, lane, (uint32_t)source, (uint32_t)target, 0))
            return 0;
    }
    return 1;
}

rd_status rd__gen_smallworld(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t edges;
    unsigned scale;
    double part;
    struct world world = {.stream = rd__stream(options->seed, "smallworld")};
    RD_TRY(rd__draw_sizes(args, "smallworld", 4, options, &scale, &edges, err));
    RD_TRY(rd__gen_fraction(args, 2, "P", 0.1, &part, err));
    world.vertices = 1ull << scale;
    world.degree = edges >> scale;
    world.below = rd__threshold(part);
    if (world.degree >= world.vertices)
        return rd__fail(err, RD_EARG, "DEGREE must be less than the number of vertices, %" PRIu64 "; the syntax is %s",
                        world.vertices, args->syntax);
    rd__snprintf(args->source, sizeof args->source, "smallworld:%u:%" PRIu64 ":%.9g seed=%" PRIu64, scale, world.degree,
                 part, options->seed);
    return rd__draw_build(1u << scale, edges, draw_edges, &world, options, graph, err);
}
