/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - betweenness centrality again, serially: U. Brandes, 2001, as he wrote it, with a queue and a stack, in
 * double precision. Numbers of ways are a double and a power of two beside it, since there may be more of them than a
 * double counts.
 */
#include "apps/bc/check.h"

#include "apps/common/called.h"
#include "core/memory.h"

#include <math.h>

typedef struct ways {
    double part; /* in [0.5, 1), or 0 */
    int64_t power;
} ways;

typedef struct brandes {
    uint32_t *depth, *queue;
    ways *count;
    double *passing, *score;
} brandes;

static ways add(ways x, ways y)
{
    int carry;
    if (x.part <= 0 || (y.part > 0 && y.power > x.power)) {
        const ways swap = x;
        x = y;
        y = swap;
    }
    const int64_t apart = x.power - y.power;
    const double sum = x.part + (y.part > 0 && apart < 100 ? ldexp(y.part, -(int)apart) : 0);
    const double part = frexp(sum, &carry);
    return (ways){part, x.power + carry};
}

static double ratio(ways x, ways y)
{
    const int64_t apart = x.power - y.power;
    return apart < -1000 ? 0 : ldexp(x.part / y.part, (int)apart);
}

/* @return how many vertices are reached; they are in the queue, by depth. */
static uint32_t search(const rd_csr *csr, const brandes *b, uint32_t source)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        b->depth[v] = RD_NONE;
        b->count[v] = (ways){0, 0};
        b->passing[v] = 0;
    }
    b->depth[source] = 0;
    b->count[source] = (ways){0.5, 1};
    b->queue[tail++] = source;
    while (head < tail) {
        const uint32_t u = b->queue[head++];
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++) {
            const uint32_t v = csr->col[e];
            if (b->depth[v] == RD_NONE) {
                b->depth[v] = b->depth[u] + 1;
                b->queue[tail++] = v;
            }
            if (b->depth[v] == b->depth[u] + 1)
                b->count[v] = add(b->count[v], b->count[u]);
        }
    }
    return tail;
}

static void from(const rd_csr *csr, const brandes *b, uint32_t source)
{
    for (uint32_t i = search(csr, b, source); i-- > 1;) { /* not the source itself, which is first */
        const uint32_t u = b->queue[i];
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (b->depth[csr->col[e]] == b->depth[u] + 1)
                b->passing[u] += ratio(b->count[u], b->count[csr->col[e]]) * (1 + b->passing[csr->col[e]]);
        b->score[u] += b->passing[u];
    }
}

static rd_status compare(const rd_csr *csr, const brandes *b, uint32_t sources, const float *score, rd_error *err)
{
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (!(fabs((double)score[v] - b->score[v]) <= 1e-3 * b->score[v] + 1e-5 * sources))
            return rd__fail(err, RD_EWRONG, "bc: vertex %llu has a centrality of %.9g, and the result says %.9g",
                            rd__called(v), b->score[v], (double)score[v]);
    return RD_OK;
}

rd_status rd__bc_check(const rd_csr *csr, const uint32_t *source, uint32_t count, const float *score, rd_error *err)
{
    brandes b = {0};
    rd_status status = rd__array_new(&b.depth, "depths", csr->vertices, sizeof *b.depth, err);
    if (status == RD_OK)
        status = rd__array_new(&b.queue, "a queue", csr->vertices, sizeof *b.queue, err);
    if (status == RD_OK)
        status = rd__array_new(&b.count, "numbers of ways", csr->vertices, sizeof *b.count, err);
    if (status == RD_OK)
        status = rd__array_new(&b.passing, "ways that pass", csr->vertices, sizeof *b.passing, err);
    if (status == RD_OK)
        status = rd__array_new(&b.score, "centralities", csr->vertices, sizeof *b.score, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++)
        b.score[v] = 0;
    for (uint32_t i = 0; status == RD_OK && i < count; i++)
        from(csr, &b, source[i]);
    if (status == RD_OK)
        status = compare(csr, &b, count, score, err);
    rd__array_free(b.depth);
    rd__array_free(b.queue);
    rd__array_free(b.count);
    rd__array_free(b.passing);
    rd__array_free(b.score);
    return status;
}
