/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - graphs of the C API: read, generated or built from arrays. raddle.h has the rules. */
#ifndef RADDLE_GRAPH_H
#define RADDLE_GRAPH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RD_VERTEX_MAX 4294967294u /* most vertices: ids are 32 bits and 2^32-1 means "none" */
#define RD_NONE       4294967295u

typedef struct rd_graph rd_graph;

/* A borrowed look at a graph in CSR form: edges of v are col[row[v]] .. col[row[v+1]-1]. */
typedef struct rd_csr {
    uint32_t vertices;
    uint64_t edges;        /* directed: an undirected edge counts twice */
    const uint64_t *row;   /* vertices + 1 offsets */
    const uint32_t *col;   /* edges targets, ascending within a row unless rd_graph_options.shuffle_rows */
    const int32_t *weight; /* edges weights, or NULL; of real ones the words of rd_weight_word */
} rd_csr;

/* A real weight, a finite 32-bit float, as a word that has its order: words compare as the numbers do. Of numbers that
 * are not negative it is just the bits of the float. */
static inline int32_t rd_weight_word(float real)
{
    union {
        float real;
        int32_t word;
    } both = {real + 0.0f}; /* -0 is 0 */
    return both.word < 0 ? both.word ^ INT32_MAX : both.word;
}

static inline float rd_weight_real(int32_t word)
{
    const union {
        int32_t word;
        float real;
    } both = {word < 0 ? word ^ INT32_MAX : word};
    return both.real;
}

typedef struct rd_graph_options {
    size_t size;
    const char *format;      /* force a reader by name ("mtx", "el", ...); NULL: by content, then by name */
    uint8_t symmetrize;      /* add the reverse of each edge */
    uint8_t drop_loops;      /* drop edges v -> v */
    uint8_t drop_duplicates; /* keep one of parallel edges (the one of least weight) */
    uint8_t permute;         /* renumber vertices at random by seed */
    uint8_t round_weights;   /* round fractional weights of a file to the nearest integer */
    uint8_t verify;          /* .rdg: also check the content against its checksum, and what the header claims of it */
    uint8_t keep_weights;    /* weight_min and weight_max are only for input that has no weights of its own */
    uint8_t own_numbers;     /* forget what the file calls its vertices: rd_graph_name(v) is v */
    uint32_t threads;        /* at most 4096; 0: all cores */
    int32_t weight_min;      /* with weight_max > 0: draw weights uniformly from [min, max] by seed, */
    int32_t weight_max;      /*   equal on both directions of an edge */
    uint64_t seed;           /* 0: the default seed, RD_SEED */
    rd_progress_fn progress;
    void *progress_user;
    struct rd_ranks *ranks; /* of rd_graph_open_part (raddle/ranks.h), which sets it; else NULL */
    uint8_t order;          /* renumber vertices, after permuting: an rd_order */
    uint8_t shuffle_rows;   /* the edges of each vertex in random order, by seed; .rdg files cannot hold that */
    uint8_t real_weights;   /* weights are 32-bit floats: of text and drawn ones so, of arrays words of rd_weight_word.
                               A file of text that has fractions is read so by itself, unless round_weights is set */
} rd_graph_options;

typedef enum rd_order {
    RD_ORDER_GIVEN,     /* as they come */
    RD_ORDER_DEGREE,    /* most edges first; of equals the one that came first */
    RD_ORDER_DEGREE_UP, /* fewest edges first, likewise */
} rd_order;

#define RD_SEED 27491u

/* Opens what the command calls INPUT: a file, "-" for standard input, or a generator such as "kron:20",
 * "urand:20:16", "road:2048x2048:0.65", "tree:4:11", "path:100", "star:100". A name that contains ':' and
 * starts with a generator's name is a generator; "./" before a file name avoids that. */
RD_API rd_status rd_graph_open(const char *spec, const rd_graph_options *options, rd_graph **graph, rd_error *err);

/* Builds a graph from `edges` pairs source[i] -> target[i] (and weight[i] unless weight is NULL). Copies. */
RD_API rd_status rd_graph_from_edges(uint32_t vertices, uint64_t edges, const uint32_t *source, const uint32_t *target,
                                     const int32_t *weight, const rd_graph_options *options, rd_graph **graph,
                                     rd_error *err);
/* Builds a graph from CSR arrays, checked in full. Copies. Rows need not be sorted. */
RD_API rd_status rd_graph_from_csr(const rd_csr *csr, const rd_graph_options *options, rd_graph **graph, rd_error *err);

/* Writes a graph. format NULL: by the name's suffix. The file appears complete or not at all. "-": stdout. */
RD_API rd_status rd_graph_save(const rd_graph *graph, const char *path, const char *format, rd_error *err);
/* A job that was given the graph keeps it until it gets another one or is destroyed. */
RD_API void rd_graph_destroy(rd_graph *graph);

RD_API rd_csr rd_graph_csr(const rd_graph *graph);
/* The graph with every edge turned round; made on the first call and kept; several threads may ask at
 * once. A symmetric graph is its own. */
RD_API rd_status rd_graph_transpose(const rd_graph *graph, rd_csr *csr, rd_error *err);
/* @return where the graph came from: generator and seed, or file and options. Owned by the graph. */
RD_API const char *rd_graph_provenance(const rd_graph *graph);
/* Vertices here are 0, 1, 2 ...; files may count from 1, or use any numbers. @return what the file calls a vertex (its
 * own number, of what is no file; UINT64_MAX of none), and the vertex of that name or RD_NONE. .rdg files keep names.
 */
RD_API uint64_t rd_graph_name(const rd_graph *graph, uint32_t vertex);
RD_API uint32_t rd_graph_find(const rd_graph *graph, uint64_t name);
/* @return all names when reading (sparse ids) or `permute` renumbered vertices, else NULL. Owned by the graph. */
RD_API const uint64_t *rd_graph_ids(const rd_graph *graph);
/* @return 1 when each edge is known to have its reverse (with the same weight). */
RD_API int rd_graph_is_symmetric(const rd_graph *graph);
/* @return 1 when the weights are real, 32-bit floats: rd_weight_real. */
RD_API int rd_graph_has_real_weights(const rd_graph *graph);
/* @return 1 when the weights were drawn at random, because options asked for it. */
RD_API int rd_graph_has_drawn_weights(const rd_graph *graph);
/* @return the vertex of highest out-degree, lowest id on a tie; RD_NONE for a graph without vertices. */
RD_API uint32_t rd_graph_hub(const rd_graph *graph);
RD_API uint64_t rd_graph_max_degree(const rd_graph *graph); /* the highest out-degree */

typedef struct rd_graph_times {
    double read_s;  /* reading and parsing, or generating edges */
    double build_s; /* sorting into CSR */
} rd_graph_times;
RD_API rd_graph_times rd_graph_get_times(const rd_graph *graph);

/* Tables of what this library knows, each ended by an entry whose name is NULL. */
RD_API const rd_name_text *rd_generators(void); /* name = syntax, e.g. "kron:SCALE[:DEGREE]" */
RD_API const rd_name_text *rd_readers(void);
RD_API const rd_name_text *rd_writers(void);

#ifdef __cplusplus
}
#endif

#endif
