/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - proves shortest distances by two passes, without searching for them; what is wrong is said by a serial one.
 *   Not too long: the source has distance 0, and no edge u -> v of weight w has d[u] + w < d[v].
 *   Not too short: each vertex with a distance is reached from the source over edges with d[u] + w == d[v] alone, so
 *   there is a path as long as its distance. One such edge into each vertex is enough where it comes from a smaller
 *   distance; where none does the edges are walked from the source on, as on a cycle of weight 0 vertices can vouch for
 *   each other.
 * Parents: exactly the reached vertices have one; the source's is itself; v's parent p has an edge p -> v with
 * d[p] + w == d[v]; and from every vertex the parents lead to the source.
 *
 * Of real weights the sums are those of 32-bit floats, rounded to nearest, and there is no tolerance: adding rounded
 * numbers keeps their order, so the least sum from the source on is one number, whatever found it. It differs from the
 * length in exact numbers by at most one part in 2^24 for each edge.
 */
#include "apps/sssp/check.h"

#include "apps/common/called.h"
#include "apps/common/rows.h"
#include "core/memory.h"

/* Of floats the bits of the rounded sum, which have its order: an infinite one is above all distances. */
static uint64_t way(const rd_csr *csr, int real, const uint32_t *distance, uint32_t u, uint64_t e)
{
    if (!real)
        return (uint64_t)distance[u] + (uint64_t)csr->weight[e];
    return (uint32_t)rd_weight_word(rd_weight_real((int32_t)distance[u]) + rd_weight_real(csr->weight[e]));
}

static uint64_t too_long(int real)
{
    return real ? 0x7f800000u : RD_NONE;
}

/* ---- The proof, on all cores ---- */

typedef struct proof {
    const rd_csr *csr;
    const uint32_t *distance;
    uint32_t source;
    int real;
    atomic_uchar *led_to; /* marks vertices with an edge from a smaller distance that is as long as the difference */
} proof;

static int no_edge_is_a_shorter_way(void *pointer, uint32_t from, uint32_t to)
{
    const proof *p = pointer;
    for (uint32_t u = from; u < to; u++)
        for (uint64_t e = p->csr->row[u]; p->distance[u] != RD_NONE && e < p->csr->row[u + 1]; e++) {
            const uint32_t v = p->csr->col[e];
            const uint64_t by_u = way(p->csr, p->real, p->distance, u, e);
            if (p->csr->weight[e] < 0 || p->distance[v] == RD_NONE || p->distance[v] > by_u)
                return 0;
            if (p->distance[v] == by_u && p->distance[u] < p->distance[v])
                rd__mark(p->led_to, v);
        }
    return 1;
}

static int all_are_led_to(void *pointer, uint32_t from, uint32_t to)
{
    const proof *p = pointer;
    for (uint32_t v = from; v < to; v++)
        if (v != p->source && p->distance[v] != RD_NONE && !rd__is_marked(p->led_to, v))
            return 0;
    return 1;
}

/* @return 0: wrong, or a walk must tell. */
static int proved(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance)
{
    proof p = {.csr = csr, .distance = distance, .source = source, .real = real};
    if (source != RD_NONE && distance[source] != 0)
        return 0;
    p.led_to = rd__marks_new(csr);
    if (!p.led_to)
        return 0; /* what follows says so, if there is no memory for it either */
    const int holds = rd__rows_hold(csr, no_edge_is_a_shorter_way, &p) && rd__rows_hold(csr, all_are_led_to, &p);
    rd__array_free(p.led_to);
    return holds;
}

/* ---- What is wrong ---- */

/* A distance as messages show it. */
static double shown(int real, uint64_t word)
{
    return real ? (double)rd_weight_real((int32_t)word) : (double)word;
}

static rd_status not_too_long(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance, rd_error *err)
{
    if (source != RD_NONE && distance[source] != 0)
        return rd__fail(err, RD_EWRONG, "sssp: the source, vertex %llu, has distance %.10g", rd__called(source),
                        shown(real, distance[source]));
    for (uint32_t u = 0; u < csr->vertices; u++) {
        if (distance[u] == RD_NONE)
            continue;
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++) {
            const uint32_t v = csr->col[e];
            if (csr->weight[e] < 0)
                return rd__fail(err, RD_EINPUT, "sssp: the edge from %llu to %llu has a negative weight", rd__called(u),
                                rd__called(v));
            if (distance[v] == RD_NONE && way(csr, real, distance, u, e) >= too_long(real))
                return rd__fail(err, RD_EINPUT, "sssp: the distance of vertex %llu does not fit 32 bits",
                                rd__called(v));
            if (distance[v] == RD_NONE)
                return rd__fail(err, RD_EWRONG,
                                "sssp: vertex %llu has no distance, but an edge from %llu, which has %.10g",
                                rd__called(v), rd__called(u), shown(real, distance[u]));
            if (distance[v] > way(csr, real, distance, u, e))
                return rd__fail(err, RD_EWRONG,
                                "sssp: vertex %llu has distance %.10g, but the way by vertex %llu has only %.10g",
                                rd__called(v), shown(real, distance[v]), rd__called(u),
                                shown(real, way(csr, real, distance, u, e)));
        }
    }
    return RD_OK;
}

/* Walks over tight edges. queue has room for each vertex, seen is all 0. */
static rd_status not_too_short(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance, uint32_t *queue,
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
            if (!seen[v] && distance[v] != RD_NONE && distance[v] == way(csr, real, distance, u, e)) {
                seen[v] = 1;
                queue[tail++] = v;
            }
        }
    }
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (!seen[v] && distance[v] != RD_NONE)
            return rd__fail(err, RD_EWRONG,
                            "sssp: vertex %llu has distance %.10g, but no path from the source is so short",
                            rd__called(v), shown(real, distance[v]));
    return RD_OK;
}

rd_status rd__sssp_check_distances(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance,
                                   rd_error *err)
{
    uint32_t *queue = NULL;
    uint8_t *seen = NULL;
    if (proved(csr, real, source, distance))
        return RD_OK;
    RD_TRY(not_too_long(csr, real, source, distance, err));
    rd_status status = rd__array_new(&queue, "the checker's queue", csr->vertices, sizeof *queue, err);
    if (status == RD_OK)
        status = rd__array_new(&seen, "the checker's marks", csr->vertices, sizeof *seen, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++)
        seen[v] = 0;
    if (status == RD_OK)
        status = not_too_short(csr, real, source, distance, queue, seen, err);
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
            return rd__fail(err, RD_EWRONG, "sssp: vertex %llu has %s parent, but %s distance", rd__called(v),
                            parent[v] == RD_NONE ? "no" : "a", distance[v] == RD_NONE ? "no" : "a");
        if (parent[v] != RD_NONE && parent[v] >= csr->vertices)
            return rd__fail(err, RD_EWRONG, "sssp: vertex %llu has parent %u, which is no vertex", rd__called(v),
                            parent[v]);
    }
    if (source != RD_NONE && parent[source] != source)
        return rd__fail(err, RD_EWRONG, "sssp: the source, vertex %llu, has parent %llu, not itself",
                        rd__called(source), rd__called(parent[source]));
    return RD_OK;
}

static rd_status parents_make_a_tree(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance,
                                     const uint32_t *parent, uint8_t *known, rd_error *err)
{
    for (uint32_t v = 0; v < csr->vertices; v++)
        known[v] = UNKNOWN;
    for (uint32_t u = 0; u < csr->vertices; u++) /* one pass over all edges confirms every parent edge */
        for (uint64_t e = csr->row[u]; distance[u] != RD_NONE && e < csr->row[u + 1]; e++)
            if (parent[csr->col[e]] == u && distance[csr->col[e]] == way(csr, real, distance, u, e))
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
            return rd__fail(
                err, RD_EWRONG,
                "sssp: vertex %llu at distance %.10g has parent %llu at distance %.10g, but no edge from there "
                "is as long as the difference",
                rd__called(at), shown(real, distance[at]), rd__called(parent[at]), shown(real, distance[parent[at]]));
        if (known[at] == ON_THE_WAY)
            return rd__fail(err, RD_EWRONG, "sssp: the parents of vertex %llu go round in a circle", rd__called(at));
        for (at = v; known[at] == ON_THE_WAY; at = parent[at])
            known[at] = LEADS_TO_SOURCE;
    }
    return RD_OK;
}

rd_status rd__sssp_check_parents(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance,
                                 const uint32_t *parent, rd_error *err)
{
    uint8_t *known = NULL;
    RD_TRY(parents_exist(csr, source, distance, parent, err));
    RD_TRY(rd__array_new(&known, "the checker's marks", csr->vertices, sizeof *known, err));
    const rd_status status = parents_make_a_tree(csr, real, source, distance, parent, known, err);
    rd__array_free(known);
    return status;
}
