/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - a proof of depths by one look at each edge; and the serial textbook search, which says what is wrong.
 *   depths:  no edge leads more than one level down, and each vertex but the source has an edge from one level above.
 *            The first says that depths are not too large, the second that there is a path as short: it ends at a
 *            vertex of depth 0, which only the source is.
 *   parents: the source is its own parent; exactly the reached vertices have one; v's parent p is a vertex with an edge
 * p -> v, one level above v.
 */
#include "apps/bfs/check.h"

#include "apps/common/called.h"
#include "apps/common/rows.h"
#include "core/memory.h"

/* ---- The proof ---- */

typedef struct proof {
    const rd_csr *csr;
    const uint32_t *depth;
    uint32_t source;
    atomic_uchar *below; /* marks vertices that have an edge from one level above */
} proof;

static int edges_lead_one_level_down(void *pointer, uint32_t from, uint32_t to)
{
    const proof *p = pointer;
    for (uint32_t u = from; u < to; u++)
        for (uint64_t e = p->csr->row[u]; p->depth[u] != RD_NONE && e < p->csr->row[u + 1]; e++) {
            const uint32_t v = p->csr->col[e];
            if (p->depth[v] == RD_NONE || p->depth[v] > p->depth[u] + 1)
                return 0;
            if (p->depth[v] == p->depth[u] + 1)
                rd__mark(p->below, v);
        }
    return 1;
}

static int all_have_one_above(void *pointer, uint32_t from, uint32_t to)
{
    const proof *p = pointer;
    for (uint32_t v = from; v < to; v++)
        if (v == p->source ? p->depth[v] != 0 : p->depth[v] != RD_NONE && !rd__is_marked(p->below, v))
            return 0;
    return 1;
}

static int proved(const rd_csr *csr, uint32_t source, const uint32_t *depth)
{
    proof p = {.csr = csr, .depth = depth, .source = source, .below = rd__marks_new(csr)};
    if (!p.below)
        return 0; /* the textbook says so, if there is no memory for it either */
    const int holds = rd__rows_hold(csr, edges_lead_one_level_down, &p) && rd__rows_hold(csr, all_have_one_above, &p);
    rd__array_free(p.below);
    return holds;
}

/* ---- The textbook ---- */

/* *out: depth of each vertex, freed with rd__array_free. */
static rd_status textbook(const rd_csr *csr, uint32_t source, uint32_t **out, rd_error *err)
{
    uint32_t *depth = NULL, *queue = NULL;
    *out = NULL;
    RD_TRY(rd__array_new(&depth, "the checker's depths", csr->vertices, sizeof *depth, err));
    rd_status status = rd__array_new(&queue, "the checker's queue", csr->vertices, sizeof *queue, err);
    if (status != RD_OK) {
        rd__array_free(depth);
        return status;
    }
    for (uint32_t v = 0; v < csr->vertices; v++)
        depth[v] = RD_NONE;
    uint32_t head = 0, tail = 0;
    if (source != RD_NONE) {
        depth[source] = 0;
        queue[tail++] = source;
    }
    while (head < tail) {
        uint32_t u = queue[head++];
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (depth[csr->col[e]] == RD_NONE) {
                depth[csr->col[e]] = depth[u] + 1;
                queue[tail++] = csr->col[e];
            }
    }
    rd__array_free(queue);
    *out = depth;
    return RD_OK;
}

static rd_status wrong(rd_error *err, uint32_t v, const char *what, uint32_t found, uint32_t right)
{
    if (right == RD_NONE)
        return rd__fail(err, RD_EWRONG, "bfs: vertex %llu has %s %u but cannot be reached from the source",
                        rd__called(v), what, found);
    if (found == RD_NONE)
        return rd__fail(err, RD_EWRONG, "bfs: vertex %llu has no %s but lies at depth %u", rd__called(v), what, right);
    return rd__fail(err, RD_EWRONG, "bfs: vertex %llu has %s %u, but lies at depth %u", rd__called(v), what, found,
                    right);
}

rd_status rd__bfs_check_depths(const rd_csr *csr, uint32_t source, const uint32_t *depth, rd_error *err)
{
    uint32_t *right;
    if (proved(csr, source, depth))
        return RD_OK;
    rd_status status = textbook(csr, source, &right, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++)
        if (depth[v] != right[v])
            status = wrong(err, v, "depth", depth[v], right[v]);
    rd__array_free(right);
    return status;
}

static int has_edge(const rd_csr *csr, uint32_t u, uint32_t v)
{
    for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
        if (csr->col[e] == v)
            return 1;
    return 0;
}

/* Every vertex's parent edge in one pass over all edges: a search per vertex would walk a hub's edges once for each of
 * its children. */
static rd_status confirm_edges(const rd_csr *csr, const uint32_t *parent, uint32_t source, uint32_t *depth,
                               rd_error *err)
{
    const uint32_t confirmed = RD_NONE - 1; /* no depth is as large: it would need as many vertices */
    for (uint32_t u = 0; u < csr->vertices; u++)
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (parent[csr->col[e]] == u)
                depth[csr->col[e]] = confirmed;
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (parent[v] != RD_NONE && v != source && depth[v] != confirmed)
            return rd__fail(err, RD_EWRONG, "bfs: vertex %llu has parent %llu, but there is no edge from %llu to it%s",
                            rd__called(v), rd__called(parent[v]), rd__called(parent[v]),
                            has_edge(csr, v, parent[v]) ? " (only one from it)" : "");
    return RD_OK;
}

rd_status rd__bfs_check_parents(const rd_csr *csr, uint32_t source, const uint32_t *parent, rd_error *err)
{
    uint32_t *depth;
    rd_status status = textbook(csr, source, &depth, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++) {
        if ((parent[v] == RD_NONE) != (depth[v] == RD_NONE))
            status = wrong(err, v, "parent", parent[v], depth[v]);
        else if (parent[v] == RD_NONE)
            continue;
        else if (parent[v] >= csr->vertices)
            status = rd__fail(err, RD_EWRONG, "bfs: vertex %llu has parent %u, which is no vertex", rd__called(v),
                              parent[v]);
        else if (v == source ? parent[v] != v : depth[parent[v]] != depth[v] - 1)
            status = rd__fail(err, RD_EWRONG, "bfs: vertex %llu at depth %u has parent %llu at depth %u", rd__called(v),
                              depth[v], rd__called(parent[v]), depth[parent[v]]);
    }
    if (status == RD_OK)
        status = confirm_edges(csr, parent, source, depth, err);
    rd__array_free(depth);
    return status;
}
