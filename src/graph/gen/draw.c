/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw.c - random graphs whose edges are drawn one by one: threads take blocks of edges, each edge a function of its
 * number alone. Loops and duplicates are dropped, each edge is stored in both directions.
 */
#include "graph/gen/gen.h"
#include "graph/part/part.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

enum { BLOCK = 1 << 12 };

struct draw {
    rd__builder *builder;
    rd__draw_fn fn;
    const void *arg;
    uint64_t edges;
    atomic_ullong next;   /* the first edge that no thread has taken; only hands out places */
    atomic_int cancelled; /* a hint: threads that see it late draw a block in vain */
};

static void draw_blocks(void *arg, unsigned index, unsigned threads)
{
    struct draw *draw = arg;
    const rd_graph_options *options = &draw->builder->options;
    uint64_t from;
    (void)threads;
    while ((from = atomic_fetch_add(&draw->next, BLOCK)) < draw->edges && !atomic_load(&draw->cancelled)) {
        const uint64_t to = from + BLOCK < draw->edges ? from + BLOCK : draw->edges;
        if (!draw->fn(draw->arg, draw->builder, index, from, to))
            return;
        if (index == 0 && options->progress &&
            options->progress(options->progress_user, "generating", from, draw->edges, "edges"))
            atomic_store(&draw->cancelled, 1);
    }
}

rd_status rd__draw_sizes(rd__gen_args *args, const char *name, uint64_t initial, const rd_graph_options *options,
                         unsigned *scale, uint64_t *edges, rd_error *err)
{
    uint64_t log2, degree;
    RD_TRY(rd__gen_number(args, 0, "SCALE", 1, 31, 0, &log2, err));
    RD_TRY(rd__gen_number(args, 1, "DEGREE", 1, 1 << 20, initial, &degree, err));
    *scale = (unsigned)log2;
    *edges = degree << log2;
    snprintf(args->source, sizeof args->source, "%s:%" PRIu64 ":%" PRIu64 " seed=%" PRIu64, name, log2, degree,
             options->seed);
    return rd__gen_fits(args, 1ull << log2, *edges, 2 * sizeof(uint64_t), err);
}

rd_status rd__draw_build(uint32_t vertices, uint64_t edges, rd__draw_fn fn, const void *arg,
                         const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd_graph_options wanted = *options;
    rd__builder builder;
    wanted.drop_loops = 1;
    wanted.drop_duplicates = 1;
    RD_TRY(rd__builder_create(&builder, vertices, 0, 1, &wanted, err));
    struct draw draw = {.builder = &builder, .fn = fn, .arg = arg, .edges = edges};
    uint64_t first = 0;
    if (options->ranks) /* each rank draws a share of the edges */
        rd__share(edges, rd_ranks_rank(options->ranks), rd_ranks_count(options->ranks), &first, &draw.edges);
    atomic_init(&draw.next, first);
    rd__parallel(options->threads, draw_blocks, &draw);
    if (atomic_load(&draw.cancelled)) {
        rd__builder_destroy(&builder);
        return rd__fail(err, RD_ECANCELLED, "stopped while generating");
    }
    const double start = rd_now();
    RD_TRY(rd__part_or_whole(&builder, options->ranks != NULL, graph, err));
    (*graph)->times.build_s = rd_now() - start;
    return RD_OK;
}
