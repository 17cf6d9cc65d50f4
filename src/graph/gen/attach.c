/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach.c - preferential attachment (Barabasi and Albert): each new vertex sends DEGREE edges to earlier ones, chosen
 * with a probability that grows with their degree. Vertices are numbered by age, so the hubs come first.
 *
 * Edge i has its ends at places 2 i and 2 i + 1 of a list of ends. The even place is vertex i / DEGREE; the odd one
 * copies a place drawn from all before it, and a vertex stands there as often as it has edges. A place that was itself
 * copied is followed to where it came from, by the same draw, so any thread can tell any edge and no list is kept;
 * half of all places are even, so two steps are enough on average. After P. Sanders and C. Schulz, "Scalable
 * generation of scale-free graphs", 2016.
 */
#include "graph/gen/gen.h"

struct attach {
    uint64_t stream, degree;
};

static uint64_t target_of(const struct attach *attach, uint64_t edge)
{
    uint64_t place = 2 * edge + 1;
    while (place & 1)
        place = rd__draw(attach->stream, place) % place;
    return place / 2 / attach->degree;
}

static int draw_edges(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to)
{
    const struct attach *attach = arg;
    for (uint64_t i = from; i < to; i++)
        if (!rd__builder_add(builder, lane, (uint32_t)(i / attach->degree), (uint32_t)target_of(attach, i), 0))
            return 0;
    return 1;
}

rd_status rd__gen_attach(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t edges;
    unsigned scale;
    struct attach attach = {.stream = rd__stream(options->seed, "attach")};
    RD_TRY(rd__draw_sizes(args, "attach", 8, options, &scale, &edges, err));
    attach.degree = edges >> scale;
    return rd__draw_build(1u << scale, edges, draw_edges, &attach, options, graph, err);
}
