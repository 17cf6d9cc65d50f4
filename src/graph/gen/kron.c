/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kron.c - the Kronecker graph of Graph500 and the GAP benchmark suite (R-MAT with A, B, C = .57, .19, .19).
 *
 * Each of DEGREE * 2^SCALE undirected edges picks, bit by bit from the highest, one quadrant of the adjacency matrix:
 * 16 random bits decide a level, four levels to a random word. Then vertices are renumbered by a pseudo-random
 * permutation, loops and duplicates are dropped and each edge is stored in both directions.
 */
#include "graph/gen/gen.h"

enum { LEVEL_BITS = 16, LEVELS_A_WORD = 4 };
#define CUT_A   ((uint32_t)(0.57 * 65536 + 0.5))
#define CUT_AB  ((uint32_t)(0.76 * 65536 + 0.5))
#define CUT_ABC ((uint32_t)(0.95 * 65536 + 0.5))

struct kron {
    rd__permutation scramble;
    uint64_t stream;
    unsigned scale, words;
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

static int draw_edges(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to)
{
    const struct kron *kron = arg;
    for (uint64_t i = from; i < to; i++) {
        uint32_t u, v;
        draw_edge(kron, i, &u, &v);
        if (!rd__builder_add(builder, lane, rd__permuted(&kron->scramble, u), rd__permuted(&kron->scramble, v), 0))
            return 0;
    }
    return 1;
}

rd_status rd__gen_kron(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t edges;
    struct kron kron = {.stream = rd__stream(options->seed, "kron")};
    RD_TRY(rd__draw_sizes(args, "kron", 16, options, &kron.scale, &edges, err));
    const uint32_t vertices = 1u << kron.scale;
    kron.words = (kron.scale + LEVELS_A_WORD - 1) / LEVELS_A_WORD;
    kron.scramble = rd__permutation_of(vertices, rd__stream(options->seed, "kron ids"));
    return rd__draw_build(vertices, edges, draw_edges, &kron, options, graph, err);
}
