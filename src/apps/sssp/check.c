/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - proves shortest distances by two passes, without searching for them.
 *   Not too long: the source has distance 0, and no edge u -> v of weight w has d[u] + w < d[v].
 *   Not too short: each vertex with a distance is reached from the source over edges with d[u] + w == d[v] alone, so
 *   there is a path as long as its distance. (A look at one such edge into each vertex would not do: on a cycle of
 *   weight 0 vertices can vouch for each other.)
 * Parents: exactly the reached vertices have one; the source's is itself; v's parent p has an edge p -> v with
 * d[p] + w == d[v]; and from every vertex the parents lead to the source.
 */
#include "apps/sssp/check.h"

#include "core/memory.h"

static uint64_t way(const rd_csr *csr, const uint32_t *distance, uint32_t u, uint64_t e)
{
    return (uint64_t)distance[u] + (uint64_t)csr->weight[e];
}

static rd_status not_too_long(const rd_csr *csr, uint32_t source, const uint32_t *distance, rd_error *err)
{
    if (source != RD_NONE && distance[source] != 0)
        return rd__fail(err, RD_EWRONG, "sssp: the source, vertex %u, has distance %u", source, distance[source]);
    for (uint32_t u = 0; u < csr->vertices; u++) {
        if (distance[u] == RD_NONE)
            continue;
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++) {
            const uint32_t v = csr->col[e];
            if (csr->weight[e] < 0)
                return rd__fail(err, RD_EINPUT, "sssp: the edge from %u to %u has weight %d", u, v, csr->weight[e]);
            if (distance[v] == RD_NONE && way(csr, distance, u, e) >= RD_NONE)
                return rd__fail(err, RD_EINPUT, "sssp: the distance of vertex %u does not fit 32 bits", v);
            if (distance[v] == RD_NONE)
                return rd__fail(err, RD_EWRONG, "sssp: vertex %u has no distance, but an edge from %u, which has %u", v,
                                u, distance[u]);
            if (distance[v] > way(csr, distance, u, e))
                return rd__fail(err, RD_EWRONG,
                                "sssp: vertex %u has distance %u, but the way by vertex %u has only %llu", v,
                                distance[v], u, (unsigned long long)way(csr, distance, u, e));
        }
    }
    return RD_OK;
}

/* Walks over tight edges. queue has room for each vertex, seen is all 0. */
static rd_status not_too_short(const rd_csr *csr, uint32_t source, const uint32_t *distance, uint32_t *queue,
                               uint8_t *seen, rd_error *err)
{
    uint32_t head = 0, tail = 0;
    if (source != RD_NONE) {
        seen[source] = 1;
        queue[tail++] = source;
    }
    while (head < tail) {
        const uint32_t u = queue[head++];
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++) {
            const uint32_t v = csr->col[e];
            if (!seen[v] && distance[v] != RD_NONE && distance[v] == way(csr, distance, u, e)) {
                seen[v] = 1;
                queue[tail++] = v;
            }
        }
    }
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (!seen[v] && distance[v] != RD_NONE)
            return rd__fail(err, RD_EWRONG, "sssp: vertex %u has distance %u, but no path from the source is so short",
                            v, distance[v]);
    return RD_OK;
}

rd_status rd__sssp_check_distances(const rd_csr *csr, uint32_t source, const uint32_t *distance, rd_error *err)
{
    uint32_t *queue = NULL;
    uint8_t *seen = NULL;
    RD_TRY(not_too_long(csr, source, distance, err));
    rd_status status = rd__array_new(&queue, "the checker's queue", csr->vertices, sizeof *queue, err);
    if (status == RD_OK)
        status = rd__array_new(&seen, "the checker's marks", csr->vertices, sizeof *seen, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++)
        seen[v] = 0;
    if (status == RD_OK)
        status = not_too_short(csr, source, distance, queue, seen, err);
    rd__array_free(queue);
    rd__array_free(seen);
    return status;
}

/* ---- Parents ---- */

enum { UNKNOWN, TIGHT, ON_THE_WAY, LEADS_TO_SOURCE }; /* what is known of v's parent edge, and of the way beyond it */

static rd_status parents_exist(const rd_csr *csr, uint32_t source, const uint32_t *distance, const uint32_t *parent,
                               rd_error *err)
{
    for (uint32_t v = 0; v < csr->vertices; v++) {
        if ((parent[v] == RD_NONE) != (distance[v] == RD_NONE))
            return rd__fail(err, RD_EWRONG, "sssp: vertex %u has %s parent, but %s distance", v,
                            parent[v] == RD_NONE ? "no" : "a", distance[v] == RD_NONE ? "no" : "a");
        if (parent[v] != RD_NONE && parent[v] >= csr->vertices)
            return rd__fail(err, RD_EWRONG, "sssp: vertex %u has parent %u, which is no vertex", v, parent[v]);
    }
    if (source != RD_NONE && parent[source] != source)
        return rd__fail(err, RD_EWRONG, "sssp: the source, vertex %u, has parent %u, not itself", source,
                        parent[source]);
    return RD_OK;
}

static rd_status parents_make_a_tree(const rd_csr *csr, uint32_t source, const uint32_t *distance,
                                     const uint32_t *parent, uint8_t *known, rd_error *err)
{
    for (uint32_t v = 0; v < csr->vertices; v++)
        known[v] = UNKNOWN;
    for (uint32_t u = 0; u < csr->vertices; u++) /* one pass over all edges confirms every parent edge */
        for (uint64_t e = csr->row[u]; distance[u] != RD_NONE && e < csr->row[u + 1]; e++)
            if (parent[csr->col[e]] == u && distance[csr->col[e]] == way(csr, distance, u, e))
                known[csr->col[e]] = TIGHT;
    if (source != RD_NONE)
        known[source] = LEADS_TO_SOURCE;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        uint32_t at = v;
        if (parent[v] == RD_NONE)
            continue;
        for (; known[at] == TIGHT; at = parent[at])
            known[at] = ON_THE_WAY;
        if (known[at] == UNKNOWN)
            return rd__fail(err, RD_EWRONG,
                            "sssp: vertex %u at distance %u has parent %u at distance %u, but no edge from there is as "
                            "long as the difference",
                            at, distance[at], parent[at], distance[parent[at]]);
        if (known[at] == ON_THE_WAY)
            return rd__fail(err, RD_EWRONG, "sssp: the parents of vertex %u go round in a circle", at);
        for (at = v; known[at] == ON_THE_WAY; at = parent[at])
            known[at] = LEADS_TO_SOURCE;
    }
    return RD_OK;
}

rd_status rd__sssp_check_parents(const rd_csr *csr, uint32_t source, const uint32_t *distance, const uint32_t *parent,
                                 rd_error *err)
{
    uint8_t *known = NULL;
    RD_TRY(parents_exist(csr, source, distance, parent, err));
    RD_TRY(rd__array_new(&known, "the checker's marks", csr->vertices, sizeof *known, err));
    const rd_status status = parents_make_a_tree(csr, source, distance, parent, known, err);
    rd__array_free(known);
    return status;
}
