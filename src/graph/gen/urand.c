/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urand.c - the uniform random graph of the GAP benchmark suite: both ends of each of DEGREE * 2^SCALE undirected edges
 * are drawn uniformly. Loops and duplicates are dropped, each edge is stored in both directions.
 */
#include "graph/gen/gen.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

enum { BLOCK = 1 << 16 };

struct urand {
    rd__builder *builder;
    uint64_t stream, edges;
    unsigned scale;
    atomic_ullong next;
    atomic_int cancelled;
};

static void draw_edges(void *arg, unsigned index, unsigned threads)
{
    struct urand *urand = arg;
    const rd_graph_options *options = &urand->builder->options;
    uint64_t from;
    uint32_t mask = (uint32_t)((1ull << urand->scale) - 1);
    (void)threads;
    while ((from = atomic_fetch_add(&urand->next, BLOCK)) < urand->edges && !atomic_load(&urand->cancelled)) {
        uint64_t to = from + BLOCK < urand->edges ? from + BLOCK : urand->edges;
        for (uint64_t i = from; i < to; i++) {
            uint64_t random = rd__draw(urand->stream, i);
            if (!rd__builder_add(urand->builder, index, (uint32_t)random & mask, (uint32_t)(random >> 32) & mask, 0))
                return;
        }
        if (index == 0 && options->progress &&
            options->progress(options->progress_user, "generating", from, urand->edges, "edges"))
            atomic_store(&urand->cancelled, 1);
    }
}

rd_status rd__gen_urand(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t scale, degree;
    RD_TRY(rd__gen_number(args, 0, "SCALE", 1, 31, 0, &scale, err));
    RD_TRY(rd__gen_number(args, 1, "DEGREE", 1, 1 << 20, 16, &degree, err));
    uint64_t vertices = 1ull << scale, edges = degree << scale;
    snprintf(args->source, sizeof args->source, "urand:%" PRIu64 ":%" PRIu64 " seed=%" PRIu64, scale, degree,
             options->seed);
    RD_TRY(rd__gen_fits(args, vertices, edges, 2 * sizeof(uint64_t), err));

    rd_graph_options wanted = *options;
    wanted.drop_loops = 1;
    wanted.drop_duplicates = 1;
    rd__builder builder;
    RD_TRY(rd__builder_create(&builder, (uint32_t)vertices, 0, 1, &wanted, err));
    struct urand urand = {
        .builder = &builder, .stream = rd__stream(options->seed, "urand"), .edges = edges, .scale = (unsigned)scale};
    rd__parallel(options->threads, draw_edges, &urand);
    if (atomic_load(&urand.cancelled)) {
        rd__builder_destroy(&builder);
        return rd__fail(err, RD_ECANCELLED, "stopped while generating");
    }
    double start = rd_now();
    RD_TRY(rd__builder_finish(&builder, NULL, graph, err));
    (*graph)->times.build_s = rd_now() - start;
    return RD_OK;
}
