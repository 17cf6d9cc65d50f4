/* SPDX-License-Identifier: Apache-2.0 */
/*
 * affiliation.c - overlapping cliques, as people who were in one film, on one board or wrote one paper: groups draw
 * their members, and every two members of a group are joined. Each vertex is in GROUPS of them on average.
 *
 * Three groups in four have 4 to 7 members, and each doubling of the size is a quarter as frequent, up to
 * MOST_MEMBERS. Of the members three in four are from a neighbourhood of the group, which makes communities; the others
 * from all, those of low rank more often, which makes stars that are everywhere. Vertices are numbered at random, so
 * numbers tell nothing.
 */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    LEAST_MEMBERS = 4,
    MOST_MEMBERS = 512,
    MEAN_MEMBERS = 8,   /* of the distribution below; 8.5 in fact */
    MEAN_PAIRS = 96,    /* likewise, of two members of a group; for the memory that is needed */
    NEIGHBOURHOOD = 256 /* vertices that a group takes most members from */
};

struct casts {
    uint64_t stream, vertices, most;
    rd__permutation scramble;
};

static uint64_t members_of(const struct casts *casts, uint64_t group)
{
    const uint64_t random = rd__draw(rd__mix64(casts->stream + group), 0);
    uint64_t octave = LEAST_MEMBERS;
    for (uint64_t coins = random; (coins & 3) == 0 && octave < MOST_MEMBERS / 2; coins >>= 2)
        octave *= 2;
    const uint64_t members = octave + rd__below(random, octave);
    return members < casts->most ? members : casts->most;
}

static uint32_t member(const struct casts *casts, uint64_t group, uint64_t place)
{
    const uint64_t own = rd__mix64(casts->stream + group);
    const uint64_t random = rd__draw(own, place + 2), pick = random & 3, n = casts->vertices;
    if (pick) {
        const uint64_t near = n < NEIGHBOURHOOD ? n : NEIGHBOURHOOD;
        return rd__permuted(&casts->scramble,
                            (uint32_t)((rd__below(rd__draw(own, 1), n) + rd__below(random, near)) % n));
    }
    /* a square of an even draw falls low more often: the k-th vertex with a probability like 1 / sqrt(k) */
    const uint64_t even = random >> 32;
    return rd__permuted(&casts->scramble, (uint32_t)rd__below(even * even, n));
}

static int draw_groups(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to)
{
    const struct casts *casts = arg;
    uint32_t cast[MOST_MEMBERS];
    for (uint64_t group = from; group < to; group++) {
        const uint64_t members = members_of(casts, group);
        for (uint64_t i = 0; i < members; i++) {
            cast[i] = member(casts, group, i);
            for (uint64_t j = 0; j < i; j++)
                if (!rd__builder_add(builder, lane, cast[j], cast[i], 0))
                    return 0;
        }
    }
    return 1;
}

rd_status rd__gen_affiliation(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t scale, groups;
    RD_TRY(rd__gen_number(args, 0, "SCALE", 1, 31, 0, &scale, err));
    RD_TRY(rd__gen_number(args, 1, "GROUPS", 1, 1 << 16, 2, &groups, err));
    struct casts casts = {.stream = rd__stream(options->seed, "affiliation"), .vertices = 1ull << scale};
    casts.most = casts.vertices < MOST_MEMBERS ? casts.vertices : MOST_MEMBERS;
    casts.scramble = rd__permutation_of((uint32_t)casts.vertices, rd__stream(options->seed, "affiliation ids"));
    const uint64_t casts_all = (groups << scale) / MEAN_MEMBERS + 1;
    snprintf(args->source, sizeof args->source, "affiliation:%" PRIu64 ":%" PRIu64 " seed=%" PRIu64, scale, groups,
             options->seed);
    RD_TRY(rd__gen_fits(args, casts.vertices, MEAN_PAIRS * casts_all, 2 * sizeof(uint64_t), err));
    return rd__draw_build((uint32_t)casts.vertices, casts_all, draw_groups, &casts, options, graph, err);
}
