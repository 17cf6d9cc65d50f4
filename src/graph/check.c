/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - checks of CSR arrays that came from outside, in parallel and at the speed of memory.
 *
 * Whether rows ascend is found by counting descents, places where a target is less than the one before it: over all
 * edges, which compilers turn into vector code, and over the places where a new row starts. All descents are at starts
 * of rows exactly when the numbers are equal.
 */
#include "graph/graph.h"

#include <inttypes.h>
#include <stdatomic.h>

struct check {
    rd_csr csr;
    uint64_t first, last;  /* the vertices whose targets are looked at */
    atomic_ullong bad_row; /* first vertex whose offsets fall, or UINT64_MAX */
    atomic_ullong bad_col; /* first edge whose target is out of range, or UINT64_MAX */
    atomic_ullong descents, descents_at_rows;
};

static void keep_least(atomic_ullong *place, unsigned long long value)
{
    unsigned long long seen = atomic_load(place);
    while (value < seen && !atomic_compare_exchange_weak(place, &seen, value))
        ;
}

static void check_rows(void *arg, unsigned index, unsigned threads)
{
    struct check *check = arg;
    uint64_t v, last;
    rd__share(check->csr.vertices, index, threads, &v, &last);
    for (; v < last; v++)
        if (check->csr.row[v] > check->csr.row[v + 1] || check->csr.row[v + 1] > check->csr.edges) {
            keep_least(&check->bad_row, v);
            return;
        }
}

static void check_cols(void *arg, unsigned index, unsigned threads)
{
    struct check *check = arg;
    const uint32_t *col = check->csr.col;
    const uint64_t from = check->csr.row[check->first];
    uint64_t e, last, descents = 0;
    rd__share(check->csr.row[check->last] - from, index, threads, &e, &last);
    e += from;
    last += from;
    while (e < last) {
        /* a block's maximum first, which compilers turn into vector code */
        uint64_t end = e + 4096 < last ? e + 4096 : last;
        uint32_t most = col[e], some = 0;
        for (uint64_t i = e + 1; i < end; i++) {
            most = col[i] > most ? col[i] : most;
            some += col[i - 1] > col[i];
        }
        descents += some + (e > from && col[e - 1] > col[e]);
        if (most >= check->csr.vertices) {
            while (col[e] < check->csr.vertices)
                e++;
            keep_least(&check->bad_col, e);
            return;
        }
        e = end;
    }
    atomic_fetch_add(&check->descents, descents);
}

/* Descents from one row to the next, which mean nothing. */
static void count_at_rows(void *arg, unsigned index, unsigned threads)
{
    struct check *check = arg;
    const rd_csr *csr = &check->csr;
    const uint64_t from = csr->row[check->first];
    uint64_t v, last, descents = 0;
    rd__share(check->last - check->first, index, threads, &v, &last);
    for (v += check->first, last += check->first; v < last; v++) {
        uint64_t start = csr->row[v];
        if (start > from && start < csr->row[v + 1])
            descents += csr->col[start - 1] > csr->col[start];
    }
    atomic_fetch_add(&check->descents_at_rows, descents);
}

rd_status rd__csr_check_rows(const rd_csr *csr, unsigned threads, const char *name, rd_error *err)
{
    struct check check = {.csr = *csr, .bad_row = UINT64_MAX};
    if (csr->row[0] != 0)
        return rd__fail(err, RD_EINPUT, "%s: the first row offset is %" PRIu64 ", not 0", name, csr->row[0]);
    rd__parallel(threads, check_rows, &check);
    uint64_t v = atomic_load(&check.bad_row);
    if (v != UINT64_MAX)
        return rd__fail(err, RD_EINPUT,
                        "%s: the edges of vertex %" PRIu64 " are said to be %" PRIu64 " to %" PRIu64 " of %" PRIu64
                        "; row offsets must not fall or pass the end",
                        name, v, csr->row[v], csr->row[v + 1], csr->edges);
    if (csr->row[csr->vertices] != csr->edges)
        return rd__fail(err, RD_EINPUT, "%s: the last row offset is %" PRIu64 ", but there are %" PRIu64 " edges", name,
                        csr->row[csr->vertices], csr->edges);
    return RD_OK;
}

rd_status rd__csr_check_targets(const rd_csr *csr, uint32_t first, uint32_t last, int sorted, unsigned threads,
                                const char *name, rd_error *err)
{
    struct check check = {.csr = *csr, .first = first, .last = last, .bad_col = UINT64_MAX};
    rd__parallel(threads, check_cols, &check);
    uint64_t e = atomic_load(&check.bad_col);
    if (e != UINT64_MAX)
        return rd__fail(err, RD_EINPUT,
                        "%s: edge %" PRIu64 " goes to vertex %" PRIu32 ", but there are %" PRIu32 " vertices", name, e,
                        csr->col[e], csr->vertices);
    if (sorted) {
        rd__parallel(threads, count_at_rows, &check);
        if (atomic_load(&check.descents) != atomic_load(&check.descents_at_rows))
            return rd__fail(err, RD_EINPUT, "%s: the edges of some vertex are not in ascending order", name);
    }
    return RD_OK;
}

rd_status rd__csr_check(const rd_csr *csr, int sorted, unsigned threads, const char *name, rd_error *err)
{
    RD_TRY(rd__csr_check_rows(csr, threads, name, err));
    return rd__csr_check_targets(csr, 0, csr->vertices, sorted, threads, name, err);
}
