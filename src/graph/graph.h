/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h - what a graph is inside the library.
 *
 * CSR: row[v] .. row[v+1] are the edges of v, col their targets in ascending order (unless `shuffled`), weight (or
 * NULL) beside col.
 * Parallel edges are ordered by weight. The arrays are either the graph's own (rd__array_alloc) or lie in a file that
 * is mapped (.rdg).
 *
 * How a graph comes to be: a reader or a generator emits edges into a builder (build.h), which applies the options and
 * sorts; or it fills CSR arrays itself (a grid, a binary file) and hands them to rd__graph_new. Then rd__graph_finish
 * draws weights, finds the hub and whether the graph is symmetric.
 */
#ifndef RD_GRAPH_GRAPH_H
#define RD_GRAPH_GRAPH_H

#include "core/memory.h"
#include "core/parallel.h"

#include <pthread.h>

struct rd_graph {
    uint32_t vertices;
    uint64_t edges;
    uint64_t *row; /* vertices + 1 */
    uint32_t *col;
    int32_t *weight; /* or NULL */
    uint64_t *ids;   /* what the file called each vertex, or NULL when nothing was renumbered: then v was first + v */
    uint32_t first;  /* what the file called vertex 0, when ids is NULL: formats count from 0 or from 1 */
    void *map;       /* when not NULL, arrays above lie in this mapping, but for those that were made since */
    size_t map_bytes;
    int symmetric; /* each edge has its reverse with the same weight */
    int shuffled;  /* rows do not ascend (options.shuffle_rows) */
    int real;      /* weights are floats, as words of rd_weight_word */
    int drawn;     /* weights are random */
    uint32_t hub;
    uint64_t max_degree;
    unsigned threads; /* for work on the graph later: transposing */
    char *provenance;
    rd_graph_times times;
    uint32_t holders; /* the caller until rd_graph_destroy, and each job that was given it; atomic */
    /* the graph turned round, once asked for; under the lock, as several threads may ask first */
    pthread_mutex_t turning;
    uint64_t *in_row;
    uint32_t *in_col;
    int32_t *in_weight;
    struct rd__part *part; /* of several (part/part.h), or NULL: it is a whole graph */
};

/* Whoever keeps a graph beyond a call holds it, and gives it back with rd_graph_destroy. So the address of a graph that
 * someone remembers is never that of another. */
void rd__graph_hold(const rd_graph *graph);

/* Options with defaults filled in: threads >= 1, seed not 0. Copies at most options->size bytes, so older callers still
 * work. */
rd_status rd__graph_options(const rd_graph_options *options, rd_graph_options *full, rd_error *err);

/* Do several ranks make a graph, each only its part? Options that need the whole of it keep them from it. */
static inline int rd__options_share(const rd_graph_options *options)
{
    return options->ranks && options->order == RD_ORDER_GIVEN && !options->shuffle_rows;
}

/* Makes a graph of arrays from rd__array_alloc and takes them over, also when it fails. weight may be NULL. */
rd_status rd__graph_new(uint32_t vertices, uint64_t edges, uint64_t *row, uint32_t *col, int32_t *weight,
                        unsigned threads, rd_graph **graph, rd_error *err);

/* Does this array of the graph lie in its mapping? Those that do not are the graph's own, and freed one by one. */
int rd__graph_mapped(const rd_graph *graph, const void *array);
void rd__graph_free_array(const rd_graph *graph, void *array);
/* These bytes of an array that lies in the mapping will not be read soon: they need not stay in memory. */
void rd__graph_drop(const rd_graph *graph, const void *from, uint64_t bytes);

/* Renumbers vertices and shuffles rows as options.order and options.shuffle_rows say, in place (reorder.c). */
rd_status rd__graph_reorder(rd_graph *graph, const rd_graph_options *options, rd_error *err);

/* What every new graph needs last: reordered and weights drawn when options ask for them, hub and maximum degree, and
 * provenance (source and the options that changed it). With find_symmetric the edges are looked through for being
 * symmetric unless that is known. */
rd_status rd__graph_finish(rd_graph *graph, const rd_graph_options *options, const char *source, int find_symmetric,
                           rd_error *err);

/* @return 1 when every edge u -> v has a reverse of the same weight (judged by a 64-bit sum of hashes over both
 * halves). */
int rd__csr_is_symmetric(const rd_csr *csr, unsigned threads);
/* The same of a graph; of a slice (part/part.h) all ranks have to ask, and hear of the whole. */
rd_status rd__graph_is_symmetric(const rd_graph *graph, int *is, rd_error *err);

/* Checks that the row offsets start at 0, never fall and end at edges, that all targets are below vertices and, with
 * `sorted`, that they ascend in each row. `name` starts the message. */
rd_status rd__csr_check(const rd_csr *csr, int sorted, unsigned threads, const char *name, rd_error *err);
/* The two halves of it: the offsets; then the targets of vertices first .. last - 1. */
rd_status rd__csr_check_rows(const rd_csr *csr, unsigned threads, const char *name, rd_error *err);
rd_status rd__csr_check_targets(const rd_csr *csr, uint32_t first, uint32_t last, int sorted, unsigned threads,
                                const char *name, rd_error *err);

/* RD_ENOMEM, naming `what`, when bytes are more than this process can hope to get: free memory, the limits of its
 * control group, its address space. */
rd_status rd__memory_expect(uint64_t bytes, const char *what, rd_error *err);

#endif
