/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finish.c - passes over a finished CSR: its order, random weights, hub, symmetry, provenance.
 *
 * Weights are a hash of the seed and the two ends in ascending order, so both directions of an edge get the same one
 * and no thread needs to know another. Symmetry is decided by two sums of hashes, of the edges that go up and of those
 * that go down turned round: equal multisets give equal sums, and different ones do not but for a chance of 2^-64.
 */
#include "graph/graph.h"

#include "core/hash.h"
#include "graph/part/part.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct pass {
    rd_csr csr;
    uint32_t first; /* of a slice: the number that its vertex 0 has in the whole graph */
    int32_t *weight;
    int32_t weight_min;
    uint64_t weight_span;
    int real; /* weights are drawn as floats */
    uint64_t seed;
    atomic_ullong up, down;
    atomic_ullong max_degree;
    atomic_uint hub;
};

static uint64_t pair_hash(uint64_t seed, uint32_t low, uint32_t high)
{
    return rd__mix64(seed + ((uint64_t)high << 32 | low) * RD_GOLDEN);
}

/* Shares vertices out so that each thread gets about as many edges. */
static void share_by_edges(const rd_csr *csr, unsigned index, unsigned threads, uint64_t *from, uint64_t *to)
{
    uint64_t edge[2], *vertex[2] = {from, to};
    rd__share(csr->edges, index, threads, &edge[0], &edge[1]);
    for (int side = 0; side < 2; side++) {
        uint64_t low = 0, high = csr->vertices;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (csr->row[middle] < edge[side])
                low = middle + 1;
            else
                high = middle;
        }
        *vertex[side] = low;
    }
    if (index == 0)
        *from = 0;
    if (index == threads - 1)
        *to = csr->vertices;
}

static void draw_weights(void *arg, unsigned index, unsigned threads)
{
    struct pass *pass = arg;
    const rd_csr *csr = &pass->csr;
    uint64_t v, last;
    share_by_edges(csr, index, threads, &v, &last);
    for (; v < last; v++) {
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
            uint32_t other = csr->col[e], self = pass->first + (uint32_t)v;
            uint64_t random = other < self ? pair_hash(pass->seed, other, self) : pair_hash(pass->seed, self, other);
            if (pass->real) {
                const double part = (double)(random >> 32) / UINT32_MAX;
                pass->weight[e] = rd_weight_word((float)(pass->weight_min + part * (double)(pass->weight_span - 1)));
                continue;
            }
            /* the high half of a product maps 32 random bits evenly enough onto the span */
            pass->weight[e] = (int32_t)(pass->weight_min + (int64_t)((random >> 32) * pass->weight_span >> 32));
        }
    }
}

static void sum_edges(void *arg, unsigned index, unsigned threads)
{
    struct pass *pass = arg;
    const rd_csr *csr = &pass->csr;
    uint64_t v, last, up = 0, down = 0;
    share_by_edges(csr, index, threads, &v, &last);
    for (; v < last; v++) {
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
            uint32_t other = csr->col[e], self = pass->first + (uint32_t)v;
            uint64_t seed = csr->weight ? rd__mix64((uint32_t)csr->weight[e] + RD_GOLDEN) : 0;
            if (self < other)
                up += pair_hash(seed, self, other);
            else if (self > other)
                down += pair_hash(seed, other, self);
        }
    }
    atomic_fetch_add(&pass->up, up);
    atomic_fetch_add(&pass->down, down);
}

int rd__csr_is_symmetric(const rd_csr *csr, unsigned threads)
{
    struct pass pass = {.csr = *csr};
    rd__parallel(threads, sum_edges, &pass);
    return atomic_load(&pass.up) == atomic_load(&pass.down);
}

/* All ranks, of a slice. */
rd_status rd__graph_is_symmetric(const rd_graph *graph, int *is, rd_error *err)
{
    const rd__part *part = graph->part;
    struct pass pass = {.csr = rd_graph_csr(graph), .first = part ? part->first : 0};
    rd__parallel(graph->threads, sum_edges, &pass);
    rd__tally mine = {{atomic_load(&pass.up), atomic_load(&pass.down)}, {0}}, all = mine;
    if (part)
        RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    *is = all.sum[0] == all.sum[1];
    return RD_OK;
}

static void find_max_degree(void *arg, unsigned index, unsigned threads)
{
    struct pass *pass = arg;
    uint64_t v, last;
    unsigned long long most = 0, seen;
    rd__share(pass->csr.vertices, index, threads, &v, &last);
    for (; v < last; v++)
        if (pass->csr.row[v + 1] - pass->csr.row[v] > most)
            most = pass->csr.row[v + 1] - pass->csr.row[v];
    seen = atomic_load(&pass->max_degree);
    while (seen < most && !atomic_compare_exchange_weak(&pass->max_degree, &seen, most))
        ;
}

static void find_hub(void *arg, unsigned index, unsigned threads)
{
    struct pass *pass = arg;
    uint64_t v, last, most = atomic_load(&pass->max_degree);
    rd__share(pass->csr.vertices, index, threads, &v, &last);
    for (; v < last; v++)
        if (pass->csr.row[v + 1] - pass->csr.row[v] == most)
            break;
    if (v < last) {
        unsigned seen = atomic_load(&pass->hub);
        while (seen > v && !atomic_compare_exchange_weak(&pass->hub, &seen, (unsigned)v))
            ;
    }
}

static rd_status write_provenance(rd_graph *graph, const rd_graph_options *options, const char *source, int drawn,
                                  rd_error *err)
{
    size_t room = strlen(source) + 200;
    graph->provenance = rd__malloc(room);
    if (!graph->provenance)
        return rd__fail_memory(err, "the provenance of a graph", room);
    char weights[64] = "", seed[40] = "";
    if (drawn)
        snprintf(weights, sizeof weights, " weights=%d-%d", options->weight_min, options->weight_max);
    if (options->permute || options->shuffle_rows || drawn)
        snprintf(seed, sizeof seed, " options-seed=%" PRIu64, options->seed);
    static const char *const order[] = {"", " order=degree", " order=degree-up"};
    snprintf(graph->provenance, room, "%s%s%s%s%s%s%s%s%s%s", source, options->symmetrize ? " symmetrize" : "",
             options->drop_loops ? " drop-loops" : "", options->drop_duplicates ? " drop-duplicates" : "",
             options->permute ? " permute" : "", order[options->order], options->shuffle_rows ? " shuffle-rows" : "",
             options->round_weights                 ? " round-weights"
             : options->real_weights && graph->real ? " real-weights"
                                                    : "",
             weights, seed);
    return RD_OK;
}

rd_status rd__graph_finish(rd_graph *graph, const rd_graph_options *options, const char *source, int find_symmetric,
                           rd_error *err)
{
    RD_TRY(rd__graph_reorder(graph, options, err));
    struct pass pass = {.csr = rd_graph_csr(graph), .first = graph->part ? graph->part->first : 0, .hub = RD_NONE};
    const int drawn = options->weight_max > 0 && !(options->keep_weights && graph->weight);
    if (drawn) {
        int32_t *weight;
        RD_TRY(rd__array_new(&weight, "the weights of the graph", graph->edges, sizeof *weight, err));
        pass.weight = weight;
        pass.weight_min = options->weight_min;
        pass.weight_span = (uint64_t)((int64_t)options->weight_max - options->weight_min) + 1;
        pass.real = options->real_weights;
        pass.seed = rd__mix64(options->seed ^ 0x7765696768747321ull);
        rd__parallel(graph->threads, draw_weights, &pass);
        rd__graph_free_array(graph, graph->weight);
        graph->weight = weight;
        graph->real = options->real_weights;
        graph->drawn = 1;
        pass.csr.weight = weight;
    }
    rd__parallel(graph->threads, find_max_degree, &pass);
    rd__parallel(graph->threads, find_hub, &pass);
    graph->hub = atomic_load(&pass.hub);
    graph->max_degree = atomic_load(&pass.max_degree);
    if (!graph->symmetric && find_symmetric)
        RD_TRY(rd__graph_is_symmetric(graph, &graph->symmetric, err));
    return write_provenance(graph, options, source, drawn, err);
}
