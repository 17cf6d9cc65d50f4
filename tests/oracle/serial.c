/* SPDX-License-Identifier: Apache-2.0 */
/* serial.c - graphs as rows, and textbook answers: slow, short, and apart from the library's own checkers. */
#include "oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

struct pair {
    uint32_t col;
    int32_t weight;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static void sort_row(uint32_t *col, int32_t *weight, uint64_t count)
{
    struct pair *pair = room(count, sizeof *pair);
    for (uint64_t i = 0; i < count; i++)
        pair[i] = (struct pair){col[i], weight[i]};
    if (count)
        qsort(pair, count, sizeof *pair, compare_pairs);
    for (uint64_t i = 0; i < count; i++) {
        col[i] = pair[i].col;
        weight[i] = pair[i].weight;
    }
    free(pair);
}

void rows_make(rows *g, const edges *e)
{
    *g = (rows){.vertices = e->vertices, .edges = e->count};
    g->row = need(calloc(e->vertices + 2ull, sizeof *g->row));
    g->col = room(e->count, sizeof *g->col);
    g->real = e->real;
    g->weight = room(e->count, sizeof *g->weight);
    for (uint64_t i = 0; i < e->count; i++)
        g->row[e->source[i] + 2ull]++;
    for (uint32_t v = 0; v < e->vertices; v++)
        g->row[v + 2ull] += g->row[v + 1ull];
    for (uint64_t i = 0; i < e->count; i++) {
        const uint64_t at = g->row[e->source[i] + 1ull]++;
        g->col[at] = e->target[i];
        g->weight[at] = e->weight[i];
    }
    for (uint32_t v = 0; v < e->vertices; v++) {
        const uint64_t degree = g->row[v + 1] - g->row[v];
        sort_row(g->col + g->row[v], g->weight + g->row[v], degree);
        g->most_degree = degree > g->most_degree ? degree : g->most_degree;
    }
}

void rows_free(rows *g)
{
    free(g->row);
    free(g->col);
    free(g->weight);
    *g = (rows){0};
}

int rows_same(const rows *g, const rd_csr *csr, char *why)
{
    int same = g->vertices == csr->vertices && g->edges == csr->edges;
    for (uint32_t v = 0; same && v <= g->vertices; v++)
        same = g->row[v] == csr->row[v];
    for (uint32_t v = 0; same && v < g->vertices; v++) {
        const uint64_t from = g->row[v], degree = g->row[v + 1] - from;
        uint32_t *col = room(degree, sizeof *col);
        int32_t *weight = room(degree, sizeof *weight);
        for (uint64_t i = 0; i < degree; i++) {
            col[i] = csr->col[from + i];
            weight[i] = csr->weight ? csr->weight[from + i] : 0;
            same = same && (i == 0 || col[i - 1] <= col[i]); /* rows ascend */
        }
        sort_row(col, weight, degree);
        for (uint64_t i = 0; same && i < degree; i++)
            same = col[i] == g->col[from + i] && (!csr->weight || weight[i] == g->weight[from + i]);
        free(col);
        free(weight);
    }
    if (!same)
        snprintf(why, WHY_MOST,
                 "the graph of %u vertices and %" PRIu64 " edges came out with %u and %" PRIu64 ", or with other edges",
                 g->vertices, g->edges, csr->vertices, csr->edges);
    return same;
}

int rows_symmetric(const rows *g)
{
    edges turned = {.vertices = g->vertices, .count = g->edges};
    rows other;
    turned.source = room(g->edges, sizeof(uint32_t));
    turned.target = room(g->edges, sizeof(uint32_t));
    turned.weight = room(g->edges, sizeof(int32_t));
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++) {
            turned.source[e] = g->col[e];
            turned.target[e] = v;
            turned.weight[e] = g->weight[e];
        }
    rows_make(&other, &turned);
    int same = memcmp(other.row, g->row, (g->vertices + 1ull) * sizeof *g->row) == 0;
    for (uint64_t e = 0; same && e < g->edges; e++)
        same = g->col[e] == other.col[e] && g->weight[e] == other.weight[e];
    edges_free(&turned);
    rows_free(&other);
    return same;
}

/* ---- Answers ---- */

void serial_bfs(const rows *g, uint32_t source, uint64_t *out)
{
    uint32_t *queue = room(g->vertices, sizeof *queue), head = 0, tail = 0;
    for (uint32_t v = 0; v < g->vertices; v++)
        out[v] = UINT64_MAX;
    if (source < g->vertices) {
        out[source] = 0;
        queue[tail++] = source;
    }
    while (head < tail) {
        const uint32_t u = queue[head++];
        for (uint64_t e = g->row[u]; e < g->row[u + 1]; e++)
            if (out[g->col[e]] == UINT64_MAX) {
                out[g->col[e]] = out[u] + 1;
                queue[tail++] = g->col[e];
            }
    }
    free(queue);
}

/* A binary heap of (distance, vertex), with entries left behind when a vertex gets nearer. */
struct entry {
    uint64_t distance;
    uint32_t vertex;
};
struct entries {
    struct entry *at;
    size_t count, room;
};

static void heap_put(struct entries *h, uint64_t distance, uint32_t vertex)
{
    if (h->count == h->room) {
        h->room = h->room ? 2 * h->room : 256;
        h->at = need(realloc(h->at, h->room * sizeof *h->at));
    }
    size_t i = h->count++;
    for (; i && h->at[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = (struct entry){distance, vertex};
}

static struct entry heap_take(struct entries *h)
{
    const struct entry least = h->at[0], last = h->at[--h->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        child += child + 1 < h->count && h->at[child + 1].distance < h->at[child].distance;
        if (h->at[child].distance >= last.distance)
            break;
        h->at[i] = h->at[child];
        i = child;
    }
    if (h->count)
        h->at[i] = last;
    return least;
}

uint64_t serial_sum(const rows *g, uint64_t way, uint64_t edge)
{
    if (!g->real)
        return way + (uint64_t)g->weight[edge];
    float length, weight;
    const uint32_t bits = (uint32_t)way;
    memcpy(&length, &bits, sizeof length);
    memcpy(&weight, &g->weight[edge], sizeof weight);
    const float sum = length + weight;
    uint32_t word;
    memcpy(&word, &sum, sizeof word);
    return word;
}

void serial_dijkstra(const rows *g, uint32_t source, uint64_t *out)
{
    struct entries heap = {0};
    for (uint32_t v = 0; v < g->vertices; v++)
        out[v] = UINT64_MAX;
    if (source < g->vertices) {
        out[source] = 0;
        heap_put(&heap, 0, source);
    }
    while (heap.count) {
        const struct entry next = heap_take(&heap);
        const uint32_t u = next.vertex;
        if (next.distance != out[u])
            continue;
        for (uint64_t e = g->row[u]; e < g->row[u + 1]; e++) {
            const uint64_t way = serial_sum(g, out[u], e);
            if (way < out[g->col[e]]) {
                out[g->col[e]] = way;
                heap_put(&heap, way, g->col[e]);
            }
        }
    }
    free(heap.at);
}

static uint32_t find_root(uint32_t *up, uint32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

void serial_components(const rows *g, uint32_t *out)
{
    for (uint32_t v = 0; v < g->vertices; v++)
        out[v] = v;
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++) {
            const uint32_t a = find_root(out, v), b = find_root(out, g->col[e]);
            if (a < b) /* the smallest vertex is the root */
                out[b] = a;
            else
                out[a] = b;
        }
    for (uint32_t v = 0; v < g->vertices; v++)
        out[v] = find_root(out, v);
}

/* Is e the edge of v that counts, of those to the same vertex? Rows ascend. */
static int counts(const rows *g, uint32_t v, uint64_t e)
{
    return g->col[e] != v && (e == g->row[v] || g->col[e - 1] != g->col[e]);
}

/* For k = 0, 1, ...: takes away who has no more than k neighbours left, until there is nobody. */
void serial_cores(const rows *g, uint32_t *out)
{
    const uint32_t n = g->vertices;
    uint32_t *left = room(n, sizeof *left), *stack = room(n, sizeof *stack), top = 0, gone = 0;
    for (uint32_t v = 0; v < n; v++) {
        left[v] = 0;
        out[v] = RD_NONE;
        for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
            left[v] += (uint32_t)counts(g, v, e);
    }
    for (uint32_t k = 0; gone < n; k++) {
        for (uint32_t v = 0; v < n; v++)
            if (out[v] == RD_NONE && left[v] <= k) {
                out[v] = k;
                stack[top++] = v;
            }
        for (; top; gone++) {
            const uint32_t v = stack[--top];
            for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++) {
                const uint32_t u = g->col[e];
                if (counts(g, v, e) && out[u] == RD_NONE && --left[u] <= k) {
                    out[u] = k;
                    stack[top++] = u;
                }
            }
        }
    }
    free(left);
    free(stack);
}

void serial_pagerank(const rows *g, double alpha, int spread, uint32_t iterations, double still, double *out)
{
    const uint32_t n = g->vertices;
    double *next = room(n, sizeof *next), change = 1;
    for (uint32_t v = 0; v < n; v++)
        out[v] = 1.0 / n;
    for (uint32_t i = 0; i < iterations && change > still; i++) {
        double sunk = 0; /* of vertices without edges */
        for (uint32_t v = 0; spread && v < n; v++)
            sunk += g->row[v] == g->row[v + 1] ? out[v] : 0;
        for (uint32_t v = 0; v < n; v++)
            next[v] = (1 - alpha + alpha * sunk) / n;
        for (uint32_t u = 0; u < n; u++)
            for (uint64_t e = g->row[u]; e < g->row[u + 1]; e++)
                next[g->col[e]] += alpha * out[u] / (double)(g->row[u + 1] - g->row[u]);
        change = 0;
        for (uint32_t v = 0; v < n; v++) {
            change += fabs(next[v] - out[v]);
            out[v] = next[v];
        }
    }
    free(next);
}
