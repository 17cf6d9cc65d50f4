/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kron.c - the Kronecker graph of Graph500 and the GAP benchmark suite (R-MAT with A, B, C = .57, .19, .19).
 *
 * Each of DEGREE * 2^SCALE undirected edges picks, bit by bit from the highest, one quadrant of the adjacency matrix:
 * 16 random bits decide a level, four levels to a random word. Then vertices are renumbered by a pseudo-random
 * permutation, loops and duplicates are dropped and each edge is stored in both directions.
 */
#include "graph/gen/gen.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

enum { LEVEL_BITS = 16, LEVELS_A_WORD = 4, BLOCK = 1 << 16 };
#define CUT_A   ((uint32_t)(0.57 * 65536 + 0.5))
#define CUT_AB  ((uint32_t)(0.76 * 65536 + 0.5))
#define CUT_ABC ((uint32_t)(0.95 * 65536 + 0.5))

struct kron {
    rd__builder *builder;
    rd__permutation scramble;
    uint64_t stream, edges;
    unsigned scale, words;
    atomic_ullong next;
    atomic_int cancelled;
};

static inline void draw_edge(const struct kron *kron, uint64_t i, uint32_t *source, uint32_t *target)
{
    uint32_t u = 0, v = 0;
    unsigned level = kron->scale;
    for (unsigned w = 0; w < kron->words; w++) {
        uint64_t random = rd__draw(kron->stream, i * kron->words + w);
        for (unsigned k = 0; k < LEVELS_A_WORD && level; k++, level--) {
            uint32_t r = (uint32_t)(random & 0xffff);
            random >>= LEVEL_BITS;
            /* quadrants in order A (0,0), B (0,1), C (1,0), D (1,1): without branches, which would be mispredicted */
            uint32_t down = r >= CUT_AB;
            uint32_t right = (uint32_t)(r >= CUT_A) ^ down ^ (uint32_t)(r >= CUT_ABC);
            u = u << 1 | down;
            v = v << 1 | right;
        }
    }
    *source = u;
    *target = v;
}

static void draw_edges(void *arg, unsigned index, unsigned threads)
{
    struct kron *kron = arg;
    const rd_graph_options *options = &kron->builder->options;
    uint64_t from;
    (void)threads;
    while ((from = atomic_fetch_add(&kron->next, BLOCK)) < kron->edges && !atomic_load(&kron->cancelled)) {
        uint64_t to = from + BLOCK < kron->edges ? from + BLOCK : kron->edges;
        for (uint64_t i = from; i < to; i++) {
            uint32_t u, v;
            draw_edge(kron, i, &u, &v);
            if (!rd__builder_add(kron->builder, index, rd__permuted(&kron->scramble, u),
                                 rd__permuted(&kron->scramble, v), 0))
                return;
        }
        if (index == 0 && options->progress &&
            options->progress(options->progress_user, "generating", from, kron->edges, "edges"))
            atomic_store(&kron->cancelled, 1);
    }
}

rd_status rd__gen_kron(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t scale, degree;
    RD_TRY(rd__gen_number(args, 0, "SCALE", 1, 31, 0, &scale, err));
    RD_TRY(rd__gen_number(args, 1, "DEGREE", 1, 1 << 20, 16, &degree, err));
    uint64_t vertices = 1ull << scale, edges = degree << scale;
    snprintf(args->source, sizeof args->source, "kron:%" PRIu64 ":%" PRIu64 " seed=%" PRIu64, scale, degree,
             options->seed);
    RD_TRY(rd__gen_fits(args, vertices, edges, 2 * sizeof(uint64_t), err));

    rd_graph_options wanted = *options;
    wanted.drop_loops = 1;
    wanted.drop_duplicates = 1;
    rd__builder builder;
    rd_status status = rd__builder_create(&builder, (uint32_t)vertices, 0, 1, &wanted, err);
    if (status != RD_OK)
        return status;
    struct kron kron = {
        .builder = &builder, .stream = rd__stream(options->seed, "kron"), .edges = edges, .scale = (unsigned)scale};
    kron.words = (kron.scale + LEVELS_A_WORD - 1) / LEVELS_A_WORD;
    kron.scramble = rd__permutation_of((uint32_t)vertices, rd__stream(options->seed, "kron ids"));
    rd__parallel(options->threads, draw_edges, &kron);
    if (atomic_load(&kron.cancelled)) {
        rd__builder_destroy(&builder);
        return rd__fail(err, RD_ECANCELLED, "stopped while generating");
    }
    double start = rd_now();
    RD_TRY(rd__builder_finish(&builder, NULL, graph, err));
    (*graph)->times.build_s = rd_now() - start;
    return RD_OK;
}
