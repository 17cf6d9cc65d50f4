/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - bags into CSR; build.h has the algorithm. */
#include "graph/build.h"

#include "graph/row_sort.h"
#include "raddle/ranks.h"

#include <stdatomic.h>
#include <string.h>

rd_status rd__builder_create(rd__builder *builder, uint32_t vertices, int weighted, int undirected,
                             const rd_graph_options *options, rd_error *err)
{
    memset(builder, 0, sizeof *builder);
    builder->vertices = vertices;
    builder->options = *options;
    builder->mirror = undirected || options->symmetrize;
    builder->permutation = rd__permutation_of(vertices, options->seed ^ 0x7065726d75746521ull);
    const uint64_t rows = (uint64_t)vertices / rd_ranks_count(options->ranks) + 1; /* of a part */
    RD_TRY(rd__memory_expect(8 * rows, "the row offsets of the graph", err));
    return rd__bag_create(&builder->bag, vertices ? vertices : 1,
                          weighted && (options->weight_max <= 0 || options->keep_weights), options->threads, err);
}

void rd__builder_destroy(rd__builder *builder)
{
    rd__bag_destroy(&builder->bag);
}

struct pour {
    rd__builder *builder;
    rd__bag *bag;
    uint32_t *const *map;
};

static void pour_lane(void *arg, unsigned index, unsigned threads)
{
    const struct pour *pour = arg;
    const uint32_t *map = pour->map ? pour->map[index] : NULL;
    (void)threads;
    for (unsigned b = 0; b < pour->bag->buckets; b++) {
        for (rd__chunk *chunk = pour->bag->lane[index].cursor[b].chunk, *next; chunk; chunk = next) {
            next = chunk->next;
            for (uint32_t i = 0; i < chunk->count; i++) {
                uint32_t source = (uint32_t)(chunk->edge[i] >> 32), target = (uint32_t)chunk->edge[i];
                if (map) {
                    source = map[source];
                    target = map[target];
                }
                if (!rd__builder_add(pour->builder, index, source, target, chunk->weight ? chunk->weight[i] : 0))
                    return;
            }
            rd__bag_release(pour->bag, chunk);
        }
    }
}

rd_status rd__builder_pour(rd__builder *builder, rd__bag *bag, uint32_t *const *map, rd_error *err)
{
    struct pour pour = {builder, bag, map};
    rd_status status = rd__bag_seal(bag, err);
    if (status == RD_OK)
        rd__parallel(bag->lanes, pour_lane, &pour);
    rd__bag_destroy(bag);
    return status;
}

struct sort {
    rd__builder *builder;
    unsigned buckets, shift; /* of the bag, which goes before the rows reach their final places */
    uint64_t *row;
    uint32_t *col;
    int32_t *weight;
    uint64_t *base; /* of each bucket, where its edges start in col before duplicates are dropped; and the end */
    uint64_t *kept; /* of each bucket, edges left */
    atomic_uint next;
    atomic_int failed, cancelled;
    atomic_ullong sorted;
    /* the last step */
    uint64_t *final_base;
    uint32_t *final_col;
    int32_t *final_weight;
};

static void bucket_range(const struct sort *sort, unsigned bucket, uint32_t *from, uint64_t *to)
{
    unsigned shift = sort->shift;
    *from = (uint32_t)((uint64_t)bucket << shift);
    *to = ((uint64_t)bucket + 1) << shift;
    if (*to > sort->builder->vertices)
        *to = sort->builder->vertices;
}

/* Afterwards row[v] is the place after the last edge of v, which is where v + 1 starts. */
static void scatter_bucket(struct sort *sort, unsigned bucket, uint32_t from, uint64_t to)
{
    rd__bag *bag = &sort->builder->bag;
    uint64_t place = sort->base[bucket];
    memset(&sort->row[from], 0, (size_t)(to - from) * sizeof *sort->row);
    for (unsigned lane = 0; lane < bag->lanes; lane++)
        for (const rd__chunk *chunk = bag->lane[lane].cursor[bucket].chunk; chunk; chunk = chunk->next)
            for (uint32_t i = 0; i < chunk->count; i++)
                sort->row[chunk->edge[i] >> 32]++;
    for (uint64_t v = from; v < to; v++) {
        uint64_t degree = sort->row[v];
        sort->row[v] = place;
        place += degree;
    }
    for (unsigned lane = 0; lane < bag->lanes; lane++) {
        for (rd__chunk *chunk = bag->lane[lane].cursor[bucket].chunk, *next; chunk; chunk = next) {
            next = chunk->next;
            for (uint32_t i = 0; i < chunk->count; i++) {
                uint64_t at = sort->row[chunk->edge[i] >> 32]++;
                sort->col[at] = (uint32_t)chunk->edge[i];
                if (sort->weight)
                    sort->weight[at] = chunk->weight[i];
            }
            rd__bag_release(bag, chunk);
        }
    }
}

/* Sorts each row and closes the gaps that duplicates leave; row[v] becomes the start of v counted from the bucket's
 * base. */
static int sort_bucket(struct sort *sort, unsigned bucket, uint32_t from, uint64_t to, rd__row_sorter *sorter)
{
    uint64_t base = sort->base[bucket], start = base, kept = 0;
    for (uint64_t v = from; v < to; v++) {
        uint64_t end = sort->row[v], count = end - start;
        int32_t *weight = sort->weight ? sort->weight + start : NULL;
        if (!rd__row_sort(sorter, sort->col + start, weight, count))
            return 0;
        if (sort->builder->options.drop_duplicates) {
            count = rd__row_unique(sort->col + start, weight, count);
            if (start != base + kept) {
                memmove(sort->col + base + kept, sort->col + start, (size_t)count * sizeof *sort->col);
                if (weight)
                    memmove(sort->weight + base + kept, weight, (size_t)count * sizeof *weight);
            }
        }
        sort->row[v] = kept;
        kept += count;
        start = end;
    }
    sort->kept[bucket] = kept;
    return 1;
}

static void sort_buckets(void *arg, unsigned index, unsigned threads)
{
    struct sort *sort = arg;
    const rd_graph_options *options = &sort->builder->options;
    rd__row_sorter sorter = {0};
    unsigned buckets = sort->buckets, bucket;
    (void)threads;
    while ((bucket = atomic_fetch_add(&sort->next, 1)) < buckets && !atomic_load(&sort->failed) &&
           !atomic_load(&sort->cancelled)) {
        uint32_t from;
        uint64_t to;
        bucket_range(sort, bucket, &from, &to);
        scatter_bucket(sort, bucket, from, to);
        if (!sort_bucket(sort, bucket, from, to, &sorter))
            atomic_store(&sort->failed, 1);
        atomic_fetch_add(&sort->sorted, sort->base[bucket + 1] - sort->base[bucket]);
        if (index == 0 && options->progress &&
            options->progress(options->progress_user, "sorting edges", atomic_load(&sort->sorted), sort->base[buckets],
                              "edges"))
            atomic_store(&sort->cancelled, 1);
    }
    rd__row_sorter_free(&sorter);
}

/* Rows get their final offsets, and edges their final places when there are gaps to close. */
static void place_buckets(void *arg, unsigned index, unsigned threads)
{
    struct sort *sort = arg;
    uint64_t bucket, last;
    rd__share(sort->buckets, index, threads, &bucket, &last);
    for (; bucket < last; bucket++) {
        uint32_t from;
        uint64_t to;
        bucket_range(sort, (unsigned)bucket, &from, &to);
        for (uint64_t v = from; v < to; v++)
            sort->row[v] += sort->final_base[bucket];
        if (sort->final_col)
            memcpy(sort->final_col + sort->final_base[bucket], sort->col + sort->base[bucket],
                   (size_t)sort->kept[bucket] * sizeof *sort->col);
        if (sort->final_weight)
            memcpy(sort->final_weight + sort->final_base[bucket], sort->weight + sort->base[bucket],
                   (size_t)sort->kept[bucket] * sizeof *sort->weight);
    }
}

static rd_status sort_all(struct sort *sort, rd_error *err)
{
    rd__builder *builder = sort->builder;
    unsigned buckets = sort->buckets;
    for (unsigned b = 0; b < buckets; b++)
        sort->base[b + 1] = sort->base[b] + rd__bag_count(&builder->bag, b);
    uint64_t edges = sort->base[buckets];
    /* The bag gives back twice what the columns take, so only the rows and the weights are new. */
    RD_TRY(rd__memory_expect(8 * ((uint64_t)builder->vertices + 1), "the row offsets of the graph", err));
    RD_TRY(rd__array_new(&sort->row, "the row offsets of the graph", (uint64_t)builder->vertices + 1, sizeof *sort->row,
                         err));
    RD_TRY(rd__array_new(&sort->col, "the edges of the graph", edges, sizeof *sort->col, err));
    if (builder->bag.weighted)
        RD_TRY(rd__array_new(&sort->weight, "the weights of the graph", edges, sizeof *sort->weight, err));

    rd__parallel(builder->options.threads, sort_buckets, sort);
    if (atomic_load(&sort->cancelled))
        return rd__fail(err, RD_ECANCELLED, "stopped while sorting edges");
    if (atomic_load(&sort->failed))
        return rd__fail_memory(err, "sorting the edges of one vertex", 0);
    rd__bag_destroy(&builder->bag);
    return RD_OK;
}

static rd_status place_all(struct sort *sort, rd_error *err)
{
    unsigned buckets = sort->buckets;
    for (unsigned b = 0; b < buckets; b++)
        sort->final_base[b + 1] = sort->final_base[b] + sort->kept[b];
    uint64_t edges = sort->final_base[buckets];
    if (edges != sort->base[buckets]) {
        RD_TRY(rd__array_new(&sort->final_col, "the edges of the graph", edges, sizeof *sort->col, err));
        if (sort->weight)
            RD_TRY(rd__array_new(&sort->final_weight, "the weights of the graph", edges, sizeof *sort->weight, err));
    }
    rd__parallel(sort->builder->options.threads, place_buckets, sort);
    sort->row[sort->builder->vertices] = edges;
    if (sort->final_col) {
        rd__array_free(sort->col);
        rd__array_free(sort->weight);
        sort->col = sort->final_col;
        sort->weight = sort->final_weight;
        sort->final_col = NULL;
        sort->final_weight = NULL;
    }
    return RD_OK;
}

/* What each vertex was called before permuting, given what it was called before that (or NULL: its number). */
static rd_status permute_ids(const rd__builder *builder, uint64_t **ids, rd_error *err)
{
    uint64_t *moved;
    RD_TRY(rd__array_new(&moved, "the original vertex numbers", builder->vertices, sizeof *moved, err));
    for (uint32_t v = 0; v < builder->vertices; v++)
        moved[rd__permuted(&builder->permutation, v)] = *ids ? (*ids)[v] : (uint64_t)v + builder->first;
    rd__array_free(*ids);
    *ids = moved;
    return RD_OK;
}

rd_status rd__builder_finish(rd__builder *builder, uint64_t *ids, rd_graph **graph, rd_error *err)
{
    unsigned buckets = builder->bag.buckets;
    struct sort sort = {.builder = builder, .buckets = buckets, .shift = builder->bag.shift};
    rd_status status = rd__bag_seal(&builder->bag, err);
    if (status == RD_OK) {
        sort.base = rd__calloc(buckets + 1, sizeof *sort.base);
        sort.kept = rd__calloc(buckets, sizeof *sort.kept);
        sort.final_base = rd__calloc(buckets + 1, sizeof *sort.final_base);
        if (!sort.base || !sort.kept || !sort.final_base)
            status = rd__fail_memory(err, "sorting edges", 3 * buckets * sizeof *sort.base);
    }
    if (status == RD_OK)
        status = sort_all(&sort, err);
    if (status == RD_OK)
        status = place_all(&sort, err);
    if (status == RD_OK && builder->options.permute)
        status = permute_ids(builder, &ids, err);
    if (status == RD_OK) {
        status = rd__graph_new(builder->vertices, sort.final_base[buckets], sort.row, sort.col, sort.weight,
                               builder->options.threads, graph, err);
        sort.row = NULL;
        sort.col = NULL;
        sort.weight = NULL;
    }
    if (status == RD_OK) {
        (*graph)->symmetric = builder->mirror;
        (*graph)->real = (*graph)->weight && builder->options.real_weights;
        (*graph)->ids = ids;
        (*graph)->first = ids ? 0 : builder->first;
        ids = NULL;
    }
    rd__array_free(sort.row);
    rd__array_free(sort.col);
    rd__array_free(sort.weight);
    rd__array_free(sort.final_col);
    rd__array_free(sort.final_weight);
    rd__array_free(ids);
    rd__free(sort.base);
    rd__free(sort.kept);
    rd__free(sort.final_base);
    rd__builder_destroy(builder);
    return status;
}
