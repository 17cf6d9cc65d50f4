/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - computes coreness again, serially, and compares. V. Batagelj and M. Zaversnik, "An O(m) algorithm for cores
 * decomposition of networks", 2003: vertices lie in buckets by degree; the one of least degree is taken away, and its
 * neighbours of higher degree move one bucket down. The graph is symmetric; loops do not count, of parallel edges one
 * does.
 */
#include "apps/common/checker.h"

#include "apps/common/called.h"
#include "core/memory.h"

RD__WORD_CHECKER(kcore);

typedef struct buckets {
    uint32_t *degree; /* of each vertex, among those that are left */
    uint32_t *sorted; /* vertices by degree */
    uint32_t *place;  /* of each vertex in `sorted` */
    uint32_t *start;  /* of each degree in `sorted` */
} buckets;

static int counts(const rd_csr *csr, uint32_t v, uint64_t e)
{
    return csr->col[e] != v && (e == csr->row[v] || csr->col[e] != csr->col[e - 1]);
}

static uint32_t fill(const rd_csr *csr, uint32_t *degree)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        degree[v] = 0;
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            degree[v] += (uint32_t)counts(csr, v, e);
        most = degree[v] > most ? degree[v] : most;
    }
    return most;
}

static void sort(const rd_csr *csr, const buckets *b, uint32_t most)
{
    for (uint64_t d = 0; d < most + 2ull; d++)
        b->start[d] = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        b->start[b->degree[v] + 1ull]++;
    for (uint64_t d = 1; d < most + 2ull; d++)
        b->start[d] += b->start[d - 1];
    for (uint32_t v = 0; v < csr->vertices; v++) {
        b->place[v] = b->start[b->degree[v]]++;
        b->sorted[b->place[v]] = v;
    }
    for (uint64_t d = most + 1ull; d > 0; d--)
        b->start[d] = b->start[d - 1];
    b->start[0] = 0;
}

/* v's degree falls by one: it changes places with the first of its bucket, which then begins one later. */
static void move_down(const buckets *b, uint32_t v)
{
    const uint32_t first = b->start[b->degree[v]], other = b->sorted[first];
    b->sorted[b->place[v]] = other;
    b->place[other] = b->place[v];
    b->sorted[first] = v;
    b->place[v] = first;
    b->start[b->degree[v]]++;
    b->degree[v]--;
}

static rd_status peel(const rd_csr *csr, const buckets *b, const uint32_t *core, rd_error *err)
{
    for (uint32_t i = 0; i < csr->vertices; i++) {
        const uint32_t v = b->sorted[i];
        if (core[v] != b->degree[v])
            return rd__fail(err, RD_EWRONG, "kcore: vertex %llu has coreness %u, and the result says %u", rd__called(v),
                            b->degree[v], core[v]);
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (counts(csr, v, e) && b->degree[csr->col[e]] > b->degree[v])
                move_down(b, csr->col[e]);
    }
    return RD_OK;
}

/* word[v]: the coreness of v. */
RD__WORD_CHECKER(kcore)
{
    buckets b = {NULL, NULL, NULL, NULL};
    rd_status status = rd__array_new(&b.degree, "degrees", csr->vertices, sizeof *b.degree, err);
    if (status == RD_OK)
        status = rd__array_new(&b.sorted, "vertices by degree", csr->vertices, sizeof *b.sorted, err);
    if (status == RD_OK)
        status = rd__array_new(&b.place, "places of vertices", csr->vertices, sizeof *b.place, err);
    const uint32_t most = status == RD_OK ? fill(csr, b.degree) : 0;
    if (status == RD_OK)
        status = rd__array_new(&b.start, "buckets", most + 2ull, sizeof *b.start, err);
    if (status == RD_OK) {
        sort(csr, &b, most);
        status = peel(csr, &b, word, err);
    }
    rd__array_free(b.degree);
    rd__array_free(b.sorted);
    rd__array_free(b.place);
    rd__array_free(b.start);
    return status;
}
