/* SPDX-License-Identifier: Apache-2.0 */
/* negative.c - shortest paths by weights of which some are negative: the serial answer, and whether results are right.
 */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

/* Rounds over all edges. @return 0 when the last of as many as there are vertices still changed something: a cycle. */
int serial_ford(const rows *g, uint32_t source, int64_t *out)
{
    int changed = 1;
    for (uint32_t v = 0; v < g->vertices; v++)
        out[v] = v == source ? 0 : INT64_MAX;
    for (uint32_t round = 0; changed && round <= g->vertices; round++) {
        changed = 0;
        for (uint32_t u = 0; u < g->vertices; u++)
            for (uint64_t e = g->row[u]; out[u] != INT64_MAX && e < g->row[u + 1]; e++)
                if (out[u] + g->weight[e] < out[g->col[e]]) {
                    out[g->col[e]] = out[u] + g->weight[e];
                    changed = 1;
                }
    }
    return !changed;
}

rd_status expect_signed(const rows *g, uint32_t source)
{
    int64_t *right = room(g->vertices, sizeof *right);
    int fits = serial_ford(g, source, right);
    for (uint32_t v = 0; fits && v < g->vertices; v++)
        fits = right[v] == INT64_MAX || (right[v] >= INT32_MIN && right[v] < INT32_MAX);
    free(right);
    return fits ? RD_OK : RD_EINPUT;
}

/* Does an edge from p to v have this length? */
static int has_length(const rows *g, uint32_t p, uint32_t v, int64_t length)
{
    for (uint64_t e = g->row[p]; e < g->row[p + 1]; e++)
        if (g->col[e] == v && g->weight[e] == length)
            return 1;
    return 0;
}

/* A parent for each vertex that is reached, by an edge of the right length, and none goes round. */
static int is_tree(const rows *g, uint32_t source, const int64_t *right, const uint32_t *parent)
{
    for (uint32_t v = 0; v < g->vertices; v++) {
        uint32_t at = v, steps = 0;
        if ((parent[v] == RD_NONE) != (right[v] == INT64_MAX))
            return 0;
        if (parent[v] == RD_NONE || v == source)
            continue;
        if (parent[v] >= g->vertices || right[parent[v]] == INT64_MAX ||
            !has_length(g, parent[v], v, right[v] - right[parent[v]]))
            return 0;
        while (at != source && steps++ < g->vertices)
            at = parent[at] < g->vertices ? parent[at] : at;
        if (at != source)
            return 0;
    }
    return 1;
}

int judge_signed(const work *w, const rd_result *result, char *why)
{
    const rows *g = &w->rows;
    int64_t *right = room(g->vertices, sizeof *right);
    int good = 1;
    serial_ford(g, w->source, right);
    if (result->kind == RD_RESULT_U32)
        good = is_tree(g, w->source, right, result->word);
    else
        for (uint32_t v = 0; good && v < g->vertices; v++)
            good = right[v] == INT64_MAX ? result->wide_real[v] >= INFINITY
                                         : fabs(result->wide_real[v] - (double)right[v]) < 0.5;
    free(right);
    if (!good)
        snprintf(why, WHY_MOST, "by negative weights these %s are not right",
                 result->kind == RD_RESULT_U32 ? "parents" : "distances");
    return good;
}
