/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_signed.c - proves shortest distances where weights may be negative, as check.c does where they are not: no edge
 * offers less than its target has, the source has 0, and every vertex that has a distance is reached from the source
 * over edges that are exactly as long as the difference. So there is no cycle of negative weight either: an edge of it
 * would offer less. Whole numbers of 32 bits, kept in doubles, which are exact.
 */
#include "apps/sssp/negative.h"

#include "apps/common/called.h"
#include "core/memory.h"

#include <math.h>

static rd_status not_too_long(const rd_csr *csr, uint32_t source, const double *distance, rd_error *err)
{
    if (source != RD_NONE && (distance[source] < 0 || distance[source] > 0))
        return rd__fail(err, RD_EWRONG, "sssp: the source, vertex %llu, has distance %.17g", rd__called(source),
                        distance[source]);
    for (uint32_t u = 0; u < csr->vertices; u++)
        for (uint64_t e = csr->row[u]; isfinite(distance[u]) && e < csr->row[u + 1]; e++)
            if (!(distance[csr->col[e]] <= distance[u] + csr->weight[e]))
                return rd__fail(
                    err, RD_EWRONG, "sssp: vertex %llu has distance %.17g, but the way by vertex %llu has only %.17g",
                    rd__called(csr->col[e]), distance[csr->col[e]], rd__called(u), distance[u] + csr->weight[e]);
    return RD_OK;
}

/* Along tight edges; with `parent`, of those from parents alone. */
static rd_status not_too_short(const rd_csr *csr, uint32_t source, const double *distance, const uint32_t *parent,
                               uint32_t *queue, uint8_t *seen, rd_error *err)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        seen[v] = v == source;
    if (source != RD_NONE)
        queue[tail++] = source;
    while (head < tail) {
        const uint32_t u = queue[head++];
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++) {
            const uint32_t v = csr->col[e];
            const double off = distance[v] - (distance[u] + csr->weight[e]);
            if (!seen[v] && !(off < 0) && !(off > 0) && (!parent || parent[v] == u)) {
                seen[v] = 1;
                queue[tail++] = v;
            }
        }
    }
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (seen[v] != (isfinite(distance[v]) != 0) || (parent && !seen[v] && parent[v] != RD_NONE))
            return rd__fail(err, RD_EWRONG, "sssp: vertex %llu has distance %.17g, but no path%s is so short",
                            rd__called(v), distance[v], parent ? " by the parents" : "");
    return RD_OK;
}

rd_status rd__sssp_check_signed(const rd_csr *csr, uint32_t source, const double *distance, const uint32_t *parent,
                                rd_error *err)
{
    uint32_t *queue = NULL;
    uint8_t *seen = NULL;
    RD_TRY(not_too_long(csr, source, distance, err));
    if (parent && source != RD_NONE && parent[source] != source)
        return rd__fail(err, RD_EWRONG, "sssp: the source, vertex %llu, has parent %llu, not itself",
                        rd__called(source), rd__called(parent[source]));
    rd_status status = rd__array_new(&queue, "the checker's queue", csr->vertices, sizeof *queue, err);
    if (status == RD_OK)
        status = rd__array_new(&seen, "the checker's marks", csr->vertices, sizeof *seen, err);
    if (status == RD_OK)
        status = not_too_short(csr, source, distance, parent, queue, seen, err);
    rd__array_free(queue);
    rd__array_free(seen);
    return status;
}
