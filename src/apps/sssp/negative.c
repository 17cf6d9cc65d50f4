/* SPDX-License-Identifier: Apache-2.0 */
/*
 * negative.c - who is on the cycle? Parents of a search that was stopped on one mostly still go round it. Where they do
 * not, the search is done again, serially (R. Bellman, 1958), with a look at the parents after each round: they go
 * round as soon as a cycle has been gone round once.
 */
#include "apps/sssp/negative.h"

#include "core/memory.h"
#include "core/text.h"

enum { SHOWN = 12 }; /* vertices that a message names */

typedef struct search {
    int64_t *distance;
    uint32_t *parent, *mark;
} search;

/* @return a vertex on a circle of parents, or RD_NONE. mark: room for each vertex. */
static uint32_t find_circle(uint32_t vertices, const uint32_t *parent, uint32_t *mark)
{
    for (uint32_t v = 0; v < vertices; v++)
        mark[v] = RD_NONE;
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t at = v;
        while (at < vertices && mark[at] == RD_NONE) {
            mark[at] = v;
            at = parent[at] == at ? RD_NONE : parent[at]; /* the source is its own */
        }
        if (at < vertices && mark[at] == v)
            return at;
    }
    return RD_NONE;
}

/* The least weight of an edge from u to v; INT64_MAX: there is none. */
static int64_t edge_weight(const rd_csr *csr, uint32_t u, uint32_t v)
{
    int64_t least = INT64_MAX;
    for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
        if (csr->col[e] == v && csr->weight[e] < least)
            least = csr->weight[e];
    return least;
}

/* @return RD_OK when the parents from `at` on are no cycle of negative weight after all. */
static rd_status tell(const rd_graph *graph, const uint32_t *parent, uint32_t at, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(graph);
    char names[SHOWN * 24 + 8] = "";
    int64_t weight = 0;
    uint32_t length = 0, v = at;
    do { /* backwards, so that names come in the order of edges */
        char before[sizeof names];
        const int64_t edge = edge_weight(&csr, parent[v], v);
        if (edge == INT64_MAX)
            return RD_OK;
        weight += edge;
        rd__snprintf(before, sizeof before, "%s", names);
        if (length < SHOWN)
            rd__snprintf(names, sizeof names, "%llu -> %.*s", (unsigned long long)rd_graph_name(graph, v),
                         (int)sizeof names - 30, before);
        v = parent[v];
        length++;
    } while (v != at);
    if (weight >= 0)
        return RD_OK;
    char first[24] = "... ->";
    if (length <= SHOWN)
        rd__snprintf(first, sizeof first, "%llu ->", (unsigned long long)rd_graph_name(graph, at));
    return rd__fail(err, RD_EINPUT,
                    "there is no shortest path: a cycle of weight %lld can be gone round for ever, %s %s...; it has "
                    "%u %s",
                    (long long)weight, first, names, length, length == 1 ? "vertex" : "vertices");
}

/* Rounds until nothing changes. @return a vertex on a circle of s->parent, or RD_NONE. */
static uint32_t search_again(const rd_csr *csr, uint32_t source, const search *s)
{
    int changed = 1;
    uint32_t circle = RD_NONE;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        s->distance[v] = v == source ? 0 : INT64_MAX;
        s->parent[v] = v == source ? v : RD_NONE;
    }
    while (changed && circle == RD_NONE) {
        changed = 0;
        for (uint32_t u = 0; u < csr->vertices; u++)
            for (uint64_t e = csr->row[u]; s->distance[u] != INT64_MAX && e < csr->row[u + 1]; e++)
                if (s->distance[u] + csr->weight[e] < s->distance[csr->col[e]]) {
                    s->distance[csr->col[e]] = s->distance[u] + csr->weight[e];
                    s->parent[csr->col[e]] = u;
                    changed = 1;
                    if (csr->col[e] == u)
                        return u; /* a loop is a circle of one, not a source */
                }
        circle = find_circle(csr->vertices, s->parent, s->mark);
    }
    return circle;
}

rd_status rd__sssp_tell_cycle(const rd_graph *graph, uint32_t source, const uint32_t *parent, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(graph);
    search s = {NULL, NULL, NULL};
    rd_status status = rd__array_new(&s.mark, "marks of vertices", csr.vertices, sizeof *s.mark, err);
    if (status == RD_OK)
        status = rd__array_new(&s.parent, "parents", csr.vertices, sizeof *s.parent, err);
    if (status == RD_OK)
        status = rd__array_new(&s.distance, "distances", csr.vertices, sizeof *s.distance, err);
    if (status == RD_OK) {
        uint32_t circle = find_circle(csr.vertices, parent, s.mark);
        if (circle != RD_NONE)
            status = tell(graph, parent, circle, err);
        circle = status == RD_OK ? search_again(&csr, source, &s) : RD_NONE;
        if (circle != RD_NONE)
            status = tell(graph, s.parent, circle, err);
        if (status == RD_OK)
            status = rd__fail(err, RD_EINPUT,
                              "a distance is below what 32 bits hold (%d at least); use smaller weights", INT32_MIN);
    }
    rd__array_free(s.mark);
    rd__array_free(s.parent);
    rd__array_free(s.distance);
    return status;
}
