/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - the life of a graph and what can be asked of it. */
#define _DEFAULT_SOURCE
#include "graph/build.h"

#include "core/hash.h"
#include "graph/part/part.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

rd_status rd__graph_options(const rd_graph_options *options, rd_graph_options *full, rd_error *err)
{
    memset(full, 0, sizeof *full);
    if (options) {
        if (options->size < sizeof options->size || options->size > 4096)
            return rd__fail(err, RD_EARG, "rd_graph_options.size is %zu; set it to sizeof(rd_graph_options)",
                            options->size);
        memcpy(full, options, options->size < sizeof *full ? options->size : sizeof *full);
    }
    full->size = sizeof *full;
    if (full->threads > RD__MAX_THREADS)
        return rd__fail(err, RD_EARG, "rd_graph_options.threads is %u; at most %d", full->threads, RD__MAX_THREADS);
    full->threads = rd__thread_count(full->threads);
    if (full->seed == 0)
        full->seed = RD_SEED;
    if (full->order > RD_ORDER_DEGREE_UP)
        return rd__fail(err, RD_EARG, "rd_graph_options.order is %u; the last rd_order is %u", full->order,
                        RD_ORDER_DEGREE_UP);
    if (full->weight_max > 0 && full->weight_min > full->weight_max)
        return rd__fail(err, RD_EARG, "weight_min %d is above weight_max %d", full->weight_min, full->weight_max);
    return RD_OK;
}

rd_status rd__graph_new(uint32_t vertices, uint64_t edges, uint64_t *row, uint32_t *col, int32_t *weight,
                        unsigned threads, rd_graph **graph, rd_error *err)
{
    rd_graph *made = rd__calloc(1, sizeof *made);
    if (!made) {
        rd__array_free(row);
        rd__array_free(col);
        rd__array_free(weight);
        return rd__fail_memory(err, "a graph", sizeof *made);
    }
    made->vertices = vertices;
    made->edges = edges;
    made->row = row;
    made->col = col;
    made->weight = weight;
    made->hub = RD_NONE;
    made->threads = threads;
    made->holders = 1;
    (void)pthread_mutex_init(&made->turning, NULL); /* of a plain mutex, cannot fail */
    *graph = made;
    return RD_OK;
}

int rd__graph_mapped(const rd_graph *graph, const void *array)
{
    const uintptr_t at = (uintptr_t)array, map = (uintptr_t)graph->map;
    return graph->map && at >= map && at < map + graph->map_bytes;
}

void rd__graph_free_array(const rd_graph *graph, void *array)
{
    if (!rd__graph_mapped(graph, array))
        rd__array_free(array);
}

/* Graphs are const to those who look at them. What is counted and made behind that is not part of what they see. */
static rd_graph *inner(const rd_graph *graph)
{
    return (rd_graph *)(uintptr_t)graph;
}

void rd__graph_hold(const rd_graph *graph)
{
    __atomic_add_fetch(&inner(graph)->holders, 1, __ATOMIC_RELAXED); /* by one who is sure of it: nothing to order */
}

void rd_graph_destroy(rd_graph *graph)
{
    /* acq_rel, pairs with itself: who drops it last has acquired all that the others did with it before */
    if (!graph || __atomic_sub_fetch(&graph->holders, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    pthread_mutex_destroy(&graph->turning);
    rd__graph_free_array(graph, graph->row);
    rd__graph_free_array(graph, graph->col);
    rd__graph_free_array(graph, graph->weight);
    if (!graph->part || !graph->part->names) /* else they are its */
        rd__graph_free_array(graph, graph->ids);
    rd__array_free(graph->in_row);
    rd__array_free(graph->in_col);
    rd__array_free(graph->in_weight);
    rd__free(graph->provenance);
    rd__part_free(graph->part);
    if (graph->map)
        munmap(graph->map, graph->map_bytes);
    rd__free(graph);
}

rd_csr rd_graph_csr(const rd_graph *graph)
{
    return graph ? (rd_csr){graph->vertices, graph->edges, graph->row, graph->col, graph->weight} : (rd_csr){0};
}

const char *rd_graph_provenance(const rd_graph *graph)
{
    return graph && graph->provenance ? graph->provenance : "";
}

int rd_graph_is_symmetric(const rd_graph *graph)
{
    return graph ? graph->symmetric : 0;
}

int rd_graph_has_real_weights(const rd_graph *graph)
{
    return graph && graph->weight && graph->real;
}

int rd_graph_has_drawn_weights(const rd_graph *graph)
{
    return graph && graph->weight && graph->drawn;
}

uint32_t rd_graph_hub(const rd_graph *graph)
{
    return graph ? graph->hub : RD_NONE;
}

uint64_t rd_graph_max_degree(const rd_graph *graph)
{
    return graph ? graph->max_degree : 0;
}

rd_graph_times rd_graph_get_times(const rd_graph *graph)
{
    return graph ? graph->times : (rd_graph_times){0};
}

uint64_t rd_graph_name(const rd_graph *graph, uint32_t vertex)
{
    if (!graph || vertex >= (graph->part ? graph->part->vertices : graph->vertices)) /* of the whole one */
        return UINT64_MAX;
    if (graph->part && graph->part->named && !graph->ids)
        return rd__part_called(graph->part, vertex);
    return graph->ids ? graph->ids[vertex] : (uint64_t)vertex + graph->first;
}

/* ids ascend when a file was read, and do not when vertices were permuted, or when another program wrote the .rdg. So
 * all are looked at: a millisecond for a million, and it is asked for a few sources. */
uint32_t rd_graph_find(const rd_graph *graph, uint64_t name)
{
    if (!graph)
        return RD_NONE;
    const uint32_t vertices = graph->part ? graph->part->vertices : graph->vertices;
    if (graph->part && graph->part->named && !graph->ids)
        return rd__part_find_own(graph->part, name);
    if (!graph->ids)
        return name >= graph->first && name - graph->first < vertices ? (uint32_t)(name - graph->first) : RD_NONE;
    for (uint32_t v = 0; v < vertices; v++)
        if (graph->ids[v] == name)
            return v;
    return RD_NONE;
}

const uint64_t *rd_graph_ids(const rd_graph *graph)
{
    return graph ? graph->ids : NULL;
}

void rd__graph_drop(const rd_graph *graph, const void *from, uint64_t bytes)
{
    const long page = sysconf(_SC_PAGESIZE);
    const uintptr_t size = page > 0 ? (uintptr_t)page : 4096, start = (uintptr_t)from;
    const uintptr_t first = (start + size - 1) / size * size, last = (start + (uintptr_t)bytes) / size * size;
    if (rd__graph_mapped(graph, from) && last > first) /* read only: what is asked for again comes from the file */
        (void)madvise((char *)(uintptr_t)from + (first - start), last - first, MADV_DONTNEED);
}

/* ---- Transposing ---- */

/* Under the lock. */
static rd_status turn(rd_graph *graph, rd_error *err)
{
    rd_graph_options options = {.size = sizeof options, .threads = graph->threads, .seed = RD_SEED};
    rd__builder builder;
    rd_graph *turned;
    RD_TRY(rd__builder_create(&builder, graph->vertices, graph->weight != NULL, 0, &options, err));
    rd__builder_add_graph(&builder, graph, 1);
    RD_TRY(rd__builder_finish(&builder, NULL, &turned, err));
    graph->in_row = turned->row;
    graph->in_col = turned->col;
    graph->in_weight = turned->weight;
    turned->row = NULL;
    turned->col = NULL;
    turned->weight = NULL;
    rd_graph_destroy(turned);
    return RD_OK;
}

rd_status rd_graph_transpose(const rd_graph *graph, rd_csr *csr, rd_error *err)
{
    if (csr)
        *csr = (rd_csr){0};
    if (!graph || !csr)
        return rd__fail(err, RD_EARG, "rd_graph_transpose needs a graph and a place for what it finds");
    if (graph->symmetric) {
        *csr = rd_graph_csr(graph);
        return RD_OK;
    }
    rd_graph *made = inner(graph);
    pthread_mutex_lock(&made->turning);
    const rd_status status = made->in_row ? RD_OK : turn(made, err);
    pthread_mutex_unlock(&made->turning);
    if (status == RD_OK) /* written once, before whoever gets here took the lock */
        *csr = (rd_csr){graph->vertices, graph->edges, graph->in_row, graph->in_col, graph->in_weight};
    return status;
}
