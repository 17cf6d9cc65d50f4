/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen.h - generators: one file each, one line each in generators.c.
 *
 * Everything random is a hash of the seed and a counter (core/hash.h), so a graph depends on its parameters and the
 * seed alone, not on the number of threads. A generator hands a function that draws edges to rd__draw_build, or, where
 * the neighbours of a vertex can be computed, a function for that to rd__rows_build, or adds edges to a builder itself.
 */
#ifndef RD_GRAPH_GEN_H
#define RD_GRAPH_GEN_H

#include "core/hash.h"
#include "graph/build.h"

#define RD_GEN_PARTS 6

typedef struct rd__gen_args {
    const char *syntax;
    unsigned count;
    uint32_t ranks;              /* that the graph is made by, each a part of it */
    char part[RD_GEN_PARTS][32]; /* what stands between the colons after the name */
    char source[160];            /* out: parameters in full, for the provenance */
} rd__gen_args;

typedef struct rd__generator {
    const char *name;
    const char *syntax;
    const char *text;
    rd_status (*make)(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err);
} rd__generator;

extern const rd__generator rd__generator_table[]; /* ended by name NULL */

/* @return the generator that spec names ("kron:20"), or NULL when it names none. */
const rd__generator *rd__generator_find(const char *spec);
rd_status rd__generate(const rd__generator *generator, const char *spec, const rd_graph_options *options,
                       rd_graph **graph, rd_error *err);

/* Parameter `index` as a number from least to most; initial when it is not given. `name` is for the message. */
rd_status rd__gen_number(const rd__gen_args *args, unsigned index, const char *name, uint64_t least, uint64_t most,
                         uint64_t initial, uint64_t *value, rd_error *err);
/* Parameter `index` as a probability or length from 0 to 1. */
rd_status rd__gen_fraction(const rd__gen_args *args, unsigned index, const char *name, double initial, double *value,
                           rd_error *err);
/* Parameter `index` as "AxB" or "AxBxC": `count` numbers from 1. */
rd_status rd__gen_sizes(const rd__gen_args *args, unsigned index, unsigned count, uint64_t *size, rd_error *err);
/* RD_EARG unless vertices fit in 32-bit numbers, RD_ENOMEM unless a CSR with these many edges, or a rank's part of it,
 * fits in memory. */
rd_status rd__gen_fits(const rd__gen_args *args, uint64_t vertices, uint64_t edges, uint64_t bytes_an_edge,
                       rd_error *err);

/* A neighbour function: writes the neighbours of v to out in ascending order unless out is NULL; returns how many. */
typedef uint64_t (*rd__row_fn)(const void *arg, uint32_t v, uint32_t *out);
/* A symmetric graph without parallel edges, from its neighbour function. */
rd_status rd__rows_build(uint32_t vertices, rd__row_fn fn, const void *arg, const rd_graph_options *options,
                         rd_graph **graph, rd_error *err);

/* Adds edges [from, to) to the builder, as one of its lanes. @return 0 when there is no memory. */
typedef int (*rd__draw_fn)(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to);
/* Parameters SCALE[:DEGREE] of random graphs: 2^SCALE vertices, DEGREE (or `initial`) edges for each. Fills
 * args->source. */
rd_status rd__draw_sizes(rd__gen_args *args, const char *name, uint64_t initial, const rd_graph_options *options,
                         unsigned *scale, uint64_t *edges, rd_error *err);
/* An undirected graph without loops and parallel edges, from a function that draws edges. */
rd_status rd__draw_build(uint32_t vertices, uint64_t edges, rd__draw_fn fn, const void *arg,
                         const rd_graph_options *options, rd_graph **graph, rd_error *err);

/* Number i of the stream with this seed. */
static inline uint64_t rd__draw(uint64_t stream, uint64_t i)
{
    return rd__mix64(stream + i * RD_GOLDEN);
}

/* Each generator's own stream, so that two generators with one seed are not alike. */
static inline uint64_t rd__stream(uint64_t seed, const char *name)
{
    for (; *name; name++)
        seed = rd__mix64(seed + RD_GOLDEN + (unsigned char)*name);
    return seed;
}

/* A random number brought below `count`, which is at most 2^32: the high half of a product. */
static inline uint64_t rd__below(uint64_t random, uint64_t count)
{
    return (random >> 32) * count >> 32;
}

/* A threshold for rd__draw() >> 32: below it with this probability. */
static inline uint64_t rd__threshold(double probability)
{
    return (uint64_t)(probability * 4294967296.0);
}

#endif
