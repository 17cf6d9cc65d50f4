/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reorder.c - the same graph in another order: vertices renumbered by their degrees, the edges of each vertex shuffled.
 * What a graph's author did to its numbers decides how near in memory neighbours are and who meets whom first, so a
 * rule that is good on every shape must be good on every order of it.
 *
 * Degrees: a counting sort, stable, so that the order is one whatever the threads. Rows: an exchange of each place with
 * one drawn from those up to it, by a stream of the seed and the vertex.
 */
#include "graph/graph.h"

#include "core/hash.h"
#include "graph/row_sort.h"

#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 1 << 10 };

struct reorder {
    rd_graph *graph;
    uint32_t *place;  /* of each vertex, its new number */
    uint32_t *origin; /* of each new number, the vertex */
    uint64_t *row;
    uint32_t *col;
    int32_t *weight;
    uint64_t seed;
    atomic_ullong next; /* vertices that no thread has taken; only hands out places */
    atomic_int failed;  /* a hint: others fill a block in vain */
};

/* A block of vertices at a time, as degrees may lie together. @return 0 when there are no more. */
static int take_block(struct reorder *task, uint64_t *from, uint64_t *to)
{
    const uint64_t n = task->graph->vertices;
    *from = atomic_fetch_add_explicit(&task->next, BLOCK, memory_order_relaxed);
    *to = *from + BLOCK < n ? *from + BLOCK : n;
    return *from < n;
}

static uint64_t degree_of(const rd_graph *graph, uint64_t v)
{
    return graph->row[v + 1] - graph->row[v];
}

/* count: room for the highest degree and two. Fills place and origin. */
static void sort_by_degree(const struct reorder *task, uint64_t *count, uint64_t highest, int up)
{
    const rd_graph *graph = task->graph;
    memset(count, 0, (size_t)(highest + 2) * sizeof *count);
    for (uint64_t v = 0; v < graph->vertices; v++)
        count[(up ? degree_of(graph, v) : highest - degree_of(graph, v)) + 1]++;
    for (uint64_t d = 0; d <= highest; d++)
        count[d + 1] += count[d];
    for (uint64_t v = 0; v < graph->vertices; v++) {
        const uint64_t to = count[up ? degree_of(graph, v) : highest - degree_of(graph, v)]++;
        task->place[v] = (uint32_t)to;
        task->origin[to] = (uint32_t)v;
    }
}

static void move_rows(void *arg, unsigned index, unsigned threads)
{
    struct reorder *task = arg;
    const rd_graph *graph = task->graph;
    rd__row_sorter sorter = {0};
    uint64_t v, to;
    (void)index, (void)threads;
    while (!atomic_load_explicit(&task->failed, memory_order_relaxed) && take_block(task, &v, &to))
        for (; v < to; v++) {
            const uint64_t from = graph->row[task->origin[v]], count = degree_of(graph, task->origin[v]);
            uint32_t *col = task->col + task->row[v];
            int32_t *weight = task->weight ? task->weight + task->row[v] : NULL;
            for (uint64_t e = 0; e < count; e++)
                col[e] = task->place[graph->col[from + e]];
            if (weight)
                memcpy(weight, graph->weight + from, (size_t)count * sizeof *weight);
            if (!rd__row_sort(&sorter, col, weight, count))
                atomic_store_explicit(&task->failed, 1, memory_order_relaxed);
        }
    rd__row_sorter_free(&sorter);
}

static rd_status move_names(struct reorder *task, rd_error *err)
{
    uint64_t *ids;
    RD_TRY(rd__array_new(&ids, "the original vertex numbers", task->graph->vertices, sizeof *ids, err));
    for (uint32_t v = 0; v < task->graph->vertices; v++)
        ids[v] = rd_graph_name(task->graph, task->origin[v]);
    rd__graph_free_array(task->graph, task->graph->ids);
    task->graph->ids = ids;
    task->graph->first = 0;
    return RD_OK;
}

/* New arrays, full, or an error. */
static rd_status by_degree(struct reorder *task, int up, rd_error *err)
{
    rd_graph *graph = task->graph;
    const uint64_t n = graph->vertices, m = graph->edges;
    uint64_t highest = 0, *count = NULL;
    for (uint64_t v = 0; v < n; v++)
        highest = degree_of(graph, v) > highest ? degree_of(graph, v) : highest;
    RD_TRY(rd__memory_expect(24 * n + 8 * highest + (graph->weight ? 8 : 4) * m, "the graph in another order", err));
    RD_TRY(rd__array_new(&task->place, "the new vertex numbers", n, sizeof *task->place, err));
    RD_TRY(rd__array_new(&task->origin, "the new vertex numbers", n, sizeof *task->origin, err));
    RD_TRY(rd__array_new(&task->row, "the row offsets of the graph", n + 1, sizeof *task->row, err));
    RD_TRY(rd__array_new(&task->col, "the edges of the graph", m, sizeof *task->col, err));
    if (graph->weight)
        RD_TRY(rd__array_new(&task->weight, "the weights of the graph", m, sizeof *task->weight, err));
    RD_TRY(rd__array_new(&count, "the degrees of the graph", highest + 2, sizeof *count, err));
    sort_by_degree(task, count, highest, up);
    rd__array_free(count);
    task->row[0] = 0;
    for (uint64_t v = 0; v < n; v++)
        task->row[v + 1] = task->row[v] + degree_of(graph, task->origin[v]);
    rd__parallel(graph->threads, move_rows, task);
    if (atomic_load_explicit(&task->failed, memory_order_relaxed))
        return rd__fail_memory(err, "sorting the edges of one vertex", 0);
    return move_names(task, err);
}

static void shuffle_rows(void *arg, unsigned index, unsigned threads)
{
    struct reorder *task = arg;
    uint64_t v, to;
    (void)index, (void)threads;
    while (take_block(task, &v, &to))
        for (; v < to; v++) {
            const uint64_t own = rd__mix64(task->seed + v * RD_GOLDEN), first = task->graph->row[v];
            for (uint64_t i = degree_of(task->graph, v); i > 1; i--) {
                const uint64_t a = first + i - 1, b = first + rd__mix64(own + i * RD_GOLDEN) % i;
                const uint32_t col = task->col[a];
                task->col[a] = task->col[b];
                task->col[b] = col;
                if (task->weight) {
                    const int32_t weight = task->weight[a];
                    task->weight[a] = task->weight[b];
                    task->weight[b] = weight;
                }
            }
        }
}

/* Arrays that lie in a file become the graph's own. */
static rd_status leave_file(rd_graph *graph, rd_error *err)
{
    const uint64_t m = graph->edges;
    if (!rd__graph_mapped(graph, graph->col))
        return RD_OK;
    RD_TRY(rd__memory_expect((graph->weight ? 8 : 4) * m, "the graph in another order", err));
    const uint32_t *col = graph->col;
    uint32_t *new_col;
    RD_TRY(rd__array_new(&new_col, "the edges of the graph", m, sizeof *new_col, err));
    memcpy(new_col, col, (size_t)m * sizeof *col);
    graph->col = new_col;
    if (!graph->weight)
        return RD_OK;
    const int32_t *weight = graph->weight;
    int32_t *new_weight;
    RD_TRY(rd__array_new(&new_weight, "the weights of the graph", m, sizeof *new_weight, err));
    memcpy(new_weight, weight, (size_t)m * sizeof *weight);
    graph->weight = new_weight;
    return RD_OK;
}

static rd_status renumber(rd_graph *graph, int up, rd_error *err)
{
    struct reorder task = {.graph = graph};
    const rd_status status = by_degree(&task, up, err);
    if (status == RD_OK) {
        rd__graph_free_array(graph, graph->row);
        rd__graph_free_array(graph, graph->col);
        rd__graph_free_array(graph, graph->weight);
        graph->row = task.row;
        graph->col = task.col;
        graph->weight = task.weight;
    } else {
        rd__array_free(task.row);
        rd__array_free(task.col);
        rd__array_free(task.weight);
    }
    rd__array_free(task.place);
    rd__array_free(task.origin);
    return status;
}

rd_status rd__graph_reorder(rd_graph *graph, const rd_graph_options *options, rd_error *err)
{
    if (graph->part && options->order != RD_ORDER_GIVEN) /* degrees of others' vertices are not known here */
        return rd__fail(err, RD_EARG,
                        "a graph in parts on several ranks cannot be put in another order: convert it "
                        "with --order first");
    if (options->order != RD_ORDER_GIVEN)
        RD_TRY(renumber(graph, options->order == RD_ORDER_DEGREE_UP, err));
    if (!options->shuffle_rows)
        return RD_OK;
    RD_TRY(leave_file(graph, err));
    struct reorder task = {.graph = graph,
                           .col = graph->col,
                           .weight = graph->weight,
                           .seed = rd__mix64(options->seed ^ 0x73687566666c6521ull)};
    rd__parallel(graph->threads, shuffle_rows, &task);
    graph->shuffled = 1;
    return RD_OK;
}
