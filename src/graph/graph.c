/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - the life of a graph and what can be asked of it. */
#define _DEFAULT_SOURCE
#include "graph/build.h"

#include "core/hash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

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
    full->threads = rd__thread_count(full->threads);
    if (full->seed == 0)
        full->seed = RD_SEED;
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
    *graph = made;
    return RD_OK;
}

static void free_array(const rd_graph *graph, void *array)
{
    uintptr_t at = (uintptr_t)array, map = (uintptr_t)graph->map;
    if (!graph->map || at < map || at >= map + graph->map_bytes)
        rd__array_free(array);
}

void rd_graph_destroy(rd_graph *graph)
{
    if (!graph)
        return;
    free_array(graph, graph->row);
    free_array(graph, graph->col);
    free_array(graph, graph->weight);
    free_array(graph, graph->ids);
    rd__array_free(graph->in_row);
    rd__array_free(graph->in_col);
    rd__array_free(graph->in_weight);
    rd__free(graph->provenance);
    if (graph->map)
        munmap(graph->map, graph->map_bytes);
    rd__free(graph);
}

rd_csr rd_graph_csr(const rd_graph *graph)
{
    return (rd_csr){graph->vertices, graph->edges, graph->row, graph->col, graph->weight};
}

const char *rd_graph_provenance(const rd_graph *graph)
{
    return graph->provenance ? graph->provenance : "";
}

int rd_graph_is_symmetric(const rd_graph *graph)
{
    return graph->symmetric;
}

uint32_t rd_graph_hub(const rd_graph *graph)
{
    return graph->hub;
}

uint64_t rd_graph_max_degree(const rd_graph *graph)
{
    return graph->max_degree;
}

rd_graph_times rd_graph_get_times(const rd_graph *graph)
{
    return graph->times;
}

const uint64_t *rd_graph_ids(const rd_graph *graph)
{
    return graph->ids;
}

/* ---- Transposing ---- */

rd_status rd_graph_transpose(rd_graph *graph, rd_csr *csr, rd_error *err)
{
    if (graph->symmetric) {
        *csr = rd_graph_csr(graph);
        return RD_OK;
    }
    if (!graph->in_row) {
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
    }
    *csr = (rd_csr){graph->vertices, graph->edges, graph->in_row, graph->in_col, graph->in_weight};
    return RD_OK;
}
