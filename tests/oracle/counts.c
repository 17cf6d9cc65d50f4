/* SPDX-License-Identifier: Apache-2.0 */
/* counts.c - triangles, spanning forests and betweenness: serial answers, and whether results are right. */
#include "oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Triangles ---- */

static int has_edge(const rows *g, uint32_t u, uint32_t v)
{
    uint64_t low = g->row[u], high = g->row[u + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (g->col[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->row[u + 1] && g->col[low] == v;
}

/* Those u < v < w of an edge u - v: w from the shorter row, looked for in the longer. */
static uint64_t at_edge(const rows *g, uint32_t u, uint32_t v)
{
    const int swap = g->row[u + 1] - g->row[u] > g->row[v + 1] - g->row[v];
    const uint32_t few = swap ? v : u, many = swap ? u : v;
    uint64_t count = 0;
    for (uint64_t e = g->row[few]; e < g->row[few + 1]; e++)
        if (g->col[e] > v && (e == g->row[few] || g->col[e - 1] != g->col[e]))
            count += (uint64_t)has_edge(g, many, g->col[e]);
    return count;
}

int judge_triangles(const work *w, const rd_result *result, char *why)
{
    const rows *g = &w->rows;
    uint64_t count = 0;
    for (uint32_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->row[u]; e < g->row[u + 1]; e++)
            if (g->col[e] > u && (e == g->row[u] || g->col[e - 1] != g->col[e]))
                count += at_edge(g, u, g->col[e]);
    if (result->count == 1 && result->wide[0] == count)
        return 1;
    snprintf(why, WHY_MOST, "there are %" PRIu64 " triangles, not %" PRIu64, count,
             result->count == 1 ? result->wide[0] : 0);
    return 0;
}

/* ---- Spanning forests ---- */

static double weigh(const rows *g, uint64_t e)
{
    return g->real ? (double)rd_weight_real(g->weight[e]) : g->weight[e];
}

static uint32_t top(uint32_t *tree, uint32_t v)
{
    while (tree[v] != v)
        v = tree[v] = tree[tree[v]];
    return v;
}

typedef struct weighed {
    double weight;
    uint32_t from, to;
} weighed;

static int lighter(const void *x, const void *y)
{
    const weighed *a = x, *b = y;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static void plant(uint32_t *tree, uint32_t vertices)
{
    for (uint32_t v = 0; v < vertices; v++)
        tree[v] = v;
}

/* @return the least weight of a forest that spans the graph; *taken: how many edges it has. */
static double serial_forest(const rows *g, uint32_t *tree, uint64_t *taken)
{
    weighed *all = room(g->edges, sizeof *all);
    uint64_t count = 0;
    double sum = 0;
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
            all[count++] = (weighed){weigh(g, e), v, g->col[e]};
    qsort(all, count, sizeof *all, lighter);
    plant(tree, g->vertices);
    *taken = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t x = top(tree, all[i].from), y = top(tree, all[i].to);
        if (x != y) {
            tree[x] = y;
            sum += all[i].weight;
            ++*taken;
        }
    }
    free(all);
    return sum;
}

/* Edges of the graph, no circle, as many as can be, and as light. */
int judge_forest(const work *w, const rd_result *result, char *why)
{
    const rows *g = &w->rows;
    uint32_t *tree = room(g->vertices, sizeof *tree), v = 0;
    uint64_t wanted, i = 0;
    double sum = 0, size = 0;
    const double right = serial_forest(g, tree, &wanted);
    plant(tree, g->vertices);
    for (; i < result->count; i++) {
        const uint64_t e = result->word[i];
        if (e >= g->edges || (i && e <= result->word[i - 1]))
            break;
        while (g->row[v + 1] <= e)
            v++;
        const uint32_t x = top(tree, v), y = top(tree, g->col[e]);
        if (x == y)
            break;
        tree[x] = y;
        sum += weigh(g, e);
        size += fabs(weigh(g, e));
    }
    free(tree);
    if (i == result->count && i == wanted && fabs(sum - right) <= 1e-12 * size)
        return 1;
    snprintf(why, WHY_MOST,
             "a forest of %" PRIu64 " edges weighs %.17g; these are %" PRIu64 ", good up to number %" PRIu64
             ", and weigh %.17g",
             wanted, right, result->count, i, sum);
    return 0;
}

/* ---- Betweenness ---- */

/* x times two to the power: a chain of thousands of cliques has more ways than any type has numbers. */
typedef struct count {
    double x;
    int64_t power;
} count;

typedef struct between {
    uint64_t *depth;
    uint32_t *order;
    count *ways;
    long double *through;
} between;

/* a / b, for b above 0; 0 where a is too small to tell. */
static double quotient(count a, count b)
{
    const int64_t power = a.power - b.power;
    return power < -1000 ? 0 : ldexp(a.x / b.x, (int)power);
}

static void add_ways(count *to, count more)
{
    int shift;
    if (to->x <= 0 || more.power - to->power > 100)
        *to = more;
    else if (to->power - more.power <= 100)
        to->x += ldexp(more.x, (int)(more.power - to->power));
    to->x = frexp(to->x, &shift);
    to->power += shift;
}

/* By depths from serial_bfs: ways along edges in the order of depths, and back. */
static void serial_between(const rows *g, uint32_t source, const between *b)
{
    uint64_t *begin = room(g->vertices + 2ull, sizeof *begin);
    uint32_t reached = 0;
    serial_bfs(g, source, b->depth);
    memset(begin, 0, (g->vertices + 2ull) * sizeof *begin);
    for (uint32_t v = 0; v < g->vertices; v++) {
        b->ways[v] = (count){.x = v == source};
        b->through[v] = 0;
        if (b->depth[v] != UINT64_MAX) {
            begin[b->depth[v] + 1]++;
            reached++;
        }
    }
    for (uint32_t d = 0; d < g->vertices; d++)
        begin[d + 1] += begin[d];
    for (uint32_t v = 0; v < g->vertices; v++)
        if (b->depth[v] != UINT64_MAX)
            b->order[begin[b->depth[v]]++] = v;
    for (uint32_t i = 0; i < reached; i++)
        for (uint64_t e = g->row[b->order[i]]; e < g->row[b->order[i] + 1]; e++)
            if (b->depth[g->col[e]] == b->depth[b->order[i]] + 1)
                add_ways(&b->ways[g->col[e]], b->ways[b->order[i]]);
    for (uint32_t i = reached; i-- > 0;)
        for (uint64_t e = g->row[b->order[i]]; e < g->row[b->order[i] + 1]; e++)
            if (b->depth[g->col[e]] == b->depth[b->order[i]] + 1)
                b->through[b->order[i]] +=
                    quotient(b->ways[b->order[i]], b->ways[g->col[e]]) * (1 + b->through[g->col[e]]);
    free(begin);
}

int judge_between(const work *w, const rd_result *result, char *why)
{
    const rows *g = &w->rows;
    between b = {room(g->vertices, sizeof *b.depth), room(g->vertices, sizeof *b.order),
                 room(g->vertices, sizeof *b.ways), room(g->vertices, sizeof *b.through)};
    int good = 1;
    if (g->vertices)
        serial_between(g, w->source, &b);
    for (uint32_t v = 0; good && v < g->vertices; v++) {
        const double right = v == w->source ? 0 : (double)b.through[v];
        good = fabs((double)result->real[v] - right) <= 1e-3 * right + 1e-5;
        if (!good)
            snprintf(why, WHY_MOST, "%.9g of what starts at %u passes vertex %u, not %.9g", right, w->source, v,
                     (double)result->real[v]);
    }
    free(b.depth);
    free(b.order);
    free(b.ways);
    free(b.through);
    return good;
}
