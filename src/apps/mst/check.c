/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - finds the minimum spanning forest again, serially, and compares edge by edge: J. Kruskal, 1956. Edges are
 * sorted by weight, of equal ones the one that is listed first comes first; each that joins two trees is taken. An edge
 * stands where it is listed at its lower end.
 */
#include "apps/mst/check.h"

#include "core/memory.h"

#include <stdlib.h>

typedef struct listed_edge {
    double weight;
    uint32_t place, from;
} listed_edge;

static int by_weight(const void *x, const void *y)
{
    const listed_edge *a = x, *b = y;
    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight < b->weight ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static uint32_t find(uint32_t *tree, uint32_t v)
{
    while (tree[v] != v) {
        tree[v] = tree[tree[v]];
        v = tree[v];
    }
    return v;
}

static uint64_t list(const rd_csr *csr, int real, listed_edge *edges)
{
    uint64_t count = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (csr->col[e] > v)
                edges[count++] = (listed_edge){.weight = real ? (double)rd_weight_real(csr->weight[e]) : csr->weight[e],
                                               .place = (uint32_t)e,
                                               .from = v};
    return count;
}

static rd_status kruskal(const rd_csr *csr, int real, uint32_t *forest, rd_error *err)
{
    listed_edge *edges = NULL;
    uint32_t *tree = NULL, taken = 0;
    RD_TRY(rd__array_new(&edges, "the checker's edges", csr->edges, sizeof *edges, err));
    const rd_status status = rd__array_new(&tree, "the checker's trees", csr->vertices, sizeof *tree, err);
    if (status == RD_OK) {
        const uint64_t count = list(csr, real, edges);
        qsort(edges, count, sizeof *edges, by_weight);
        for (uint32_t v = 0; v < csr->vertices; v++)
            tree[v] = v;
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t x = find(tree, edges[i].from), y = find(tree, csr->col[edges[i].place]);
            tree[x] = y;
            if (x != y)
                forest[++taken] = edges[i].place;
        }
        forest[0] = taken;
        qsort(forest + 1, taken, sizeof *forest, by_place);
    }
    rd__array_free(edges);
    rd__array_free(tree);
    return status;
}

static double weigh(const rd_csr *csr, int real, const uint32_t *place, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += real ? (double)rd_weight_real(csr->weight[place[i]]) : csr->weight[place[i]];
    return sum;
}

rd_status rd__mst_check(const rd_csr *csr, int real, uint32_t **right, const uint32_t *edge, uint64_t count,
                        rd_error *err)
{
    if (!*right) {
        uint32_t *forest = NULL;
        RD_TRY(rd__array_new(&forest, "the checker's forest", csr->vertices + 1ull, sizeof *forest, err));
        const rd_status status = kruskal(csr, real, forest, err);
        if (status != RD_OK) {
            rd__array_free(forest);
            return status;
        }
        *right = forest;
    }
    for (uint64_t i = 0; i < count; i++)
        if (edge[i] >= csr->edges)
            return rd__fail(err, RD_EWRONG, "mst: there is no edge number %u", edge[i]);
    const uint32_t taken = (*right)[0];
    if (count != taken)
        return rd__fail(err, RD_EWRONG, "mst: the forest has %u edges, and the result %llu", taken,
                        (unsigned long long)count);
    for (uint32_t i = 0; i < taken; i++)
        if (edge[i] != (*right)[i + 1])
            return rd__fail(err, RD_EWRONG,
                            "mst: edge number %u is in the forest, and the result, of weight %.17g instead of %.17g, "
                            "has number %u",
                            (*right)[i + 1], weigh(csr, real, edge, count), weigh(csr, real, *right + 1, taken),
                            edge[i]);
    return RD_OK;
}
