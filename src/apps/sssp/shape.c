/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.c - see shape.h. Two looks.
 *
 * A search from the source that ends after SAMPLE vertices. Of a vertex of a tree all edges lead to vertices that are
 * new, but the one that it was found by; so what leads to others closes a cycle. How the number of vertices grows with
 * the levels, as a power, says how many levels the whole graph has.
 *
 * A sample of edges. In a forest the lesser of the degrees at the two ends of an edge is at most 2 on average (N. Chiba
 * and T. Nishizeki, "Arboricity and subgraph listing algorithms", 1985: the sum over all edges is at most twice the
 * arboricity times their number). That a graph has no more edges than vertices does not make it one: very many pairs
 * beside a dense core do the same. With as many it may be a circle, which is as good: a vertex has two paths, no more.
 */
#include "apps/sssp/shape.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { SAMPLE = 4096, TABLE = 2 * SAMPLE, EDGES = 1024, CYCLES = 16, MANY = 16 };
static const double of_forest = 2.25, sample_off = 1.04; /* 2, 1, and what a sample may be off */

struct search {
    rd_csr csr;
    uint32_t *queue, *table; /* a hash table of what was seen */
    uint32_t seen, levels;
    uint64_t edges, cycles; /* of vertices that were looked at as a whole, and of these those that close one */
};

/* @return 1 when v is new. */
static int meet(struct search *s, uint32_t v)
{
    uint32_t at = v * 2654435761u % TABLE;
    while (s->table[at] != RD_NONE && s->table[at] != v)
        at = (at + 1) % TABLE;
    if (s->table[at] == v)
        return 0;
    s->table[at] = v;
    s->queue[s->seen++] = v;
    return 1;
}

static void search(struct search *s, uint32_t source)
{
    uint32_t level_end = 0;
    memset(s->table, 0xff, TABLE * sizeof *s->table);
    meet(s, source);
    for (uint32_t i = 0; i < s->seen && s->seen < SAMPLE; i++) {
        const uint32_t u = s->queue[i];
        uint64_t met = 0, e = s->csr.row[u];
        if (i == level_end) {
            level_end = s->seen;
            s->levels++;
        }
        for (; e < s->csr.row[u + 1] && s->seen < SAMPLE; e++)
            met += (uint64_t)meet(s, s->csr.col[e]);
        const uint64_t looked = e - s->csr.row[u], known = looked - met;
        s->edges += looked;
        s->cycles += known - (known && i > 0); /* one is the way that it was found by */
    }
}

static uint32_t tail_of(const rd_csr *csr, uint64_t edge)
{
    uint32_t low = 0, high = csr->vertices; /* row[low] <= edge < row[high] */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (csr->row[middle] <= edge)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The lesser of the degrees at the ends of an edge, on average over a sample. One edge between hubs must not decide:
 * MANY is as good as any more, and no more than there are keeps the bound. */
static double lesser_degree(const rd_csr *csr)
{
    const uint64_t sample = csr->edges < EDGES ? csr->edges : EDGES;
    double sum = 0;
    for (uint64_t i = 0; i < sample; i++) {
        const uint64_t e = csr->edges / sample * i + i * 2654435761u % (csr->edges / sample); /* not at even steps */
        const uint32_t u = tail_of(csr, e), v = csr->col[e];
        const uint64_t own = csr->row[u + 1] - csr->row[u], other = csr->row[v + 1] - csr->row[v];
        const uint64_t lesser = own < other ? own : other;
        sum += (double)(lesser < MANY ? lesser : MANY);
    }
    return sample ? sum / (double)sample : 0;
}

/* Vertices that have edges, about: those that have none must not hide that the others have too many for a forest. */
static double with_edges(const rd_csr *csr)
{
    const uint32_t sample = csr->vertices < EDGES ? csr->vertices : EDGES, step = csr->vertices / sample;
    uint32_t with = 0;
    for (uint32_t i = 0; i < sample; i++) {
        const uint32_t v = step * i + (uint32_t)(i * 2654435761ull % step);
        with += csr->row[v + 1] > csr->row[v];
    }
    return (double)csr->vertices * with / sample;
}

/* Vertices of a level. What was seen grows as a power of the levels, at least as fast as they do. Behind a hub nothing
 * else was seen: then it is as wide as that. */
static double width_of(const struct search *s, uint32_t source)
{
    const double levels = s->levels ? s->levels : 1, seen = s->seen;
    const double degree = (double)(s->csr.row[source + 1] - s->csr.row[source]);
    if (s->seen < SAMPLE)
        return seen / levels;
    if (s->levels < 2)
        return degree;
    const double power = log(seen) / log(levels), all = s->csr.vertices;
    return all / (levels * pow(all / seen, 1 / (power > 1 ? power : 1)));
}

rd__sssp_shape rd__sssp_look(const rd_graph *graph, uint32_t source)
{
    struct search s = {.csr = rd_graph_csr(graph),
                       .queue = rd__malloc(SAMPLE * sizeof *s.queue),
                       .table = rd__malloc(TABLE * sizeof *s.table)};
    rd__sssp_shape shape = {.forest = 0, .width = (double)s.csr.edges};
    if (s.queue && s.table && source < s.csr.vertices) {
        search(&s, source);
        shape.width = width_of(&s, source) * (double)s.csr.edges / s.csr.vertices;
        shape.forest = (double)(s.csr.edges / 2) <= sample_off * with_edges(&s.csr) && rd_graph_is_symmetric(graph) &&
                       CYCLES * s.cycles <= s.edges && lesser_degree(&s.csr) <= of_forest;
    }
    rd__free(s.queue);
    rd__free(s.table);
    return shape;
}

/* Where a round has far fewer edges than the device has lanes, doing some twice costs nothing, and fewer phases make
 * fewer rounds. Their number has a limit, though, the hops of the longest of the shortest paths: buckets four times as
 * wide save a sixth of the rounds of a road network, for twice the tasks, and any wider hardly more. */
double rd__sssp_widening(double width, uint32_t lanes)
{
    return lanes >= 16 * width ? 4 : lanes >= 4 * width ? 2 : 1;
}
