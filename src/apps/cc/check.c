/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - components by a union of sets on all cores; compared vertex by vertex.
 *
 * Sets are trees whose roots are their smallest vertices. A root is hung below a smaller one by compare-and-swap, so
 * only while it is a root; a vertex is led past its parent to its grandparent, by whoever comes by. Both make parents
 * smaller and keep vertices in their sets, in any order, so all accesses are relaxed: a thread that reads an old parent
 * walks a longer way to the same root, or finds at its compare-and-swap that this is no root any more. When all edges
 * have been looked at, both ends of each have the same root.
 */
#include "apps/cc/check.h"

#include "apps/common/called.h"
#include "apps/common/rows.h"
#include "core/memory.h"

#include <stdatomic.h>

typedef struct sets {
    const rd_csr *csr;
    atomic_uint *parent;
    uint32_t *label;
} sets;

/* Loads and stores of parents pair with those of other threads. */
static uint32_t parent_of(const sets *s, uint32_t v)
{
    return atomic_load_explicit(&s->parent[v], memory_order_relaxed);
}

static uint32_t root_of(const sets *s, uint32_t v)
{
    for (uint32_t up = parent_of(s, v); up != v;) {
        const uint32_t beyond = parent_of(s, up);
        if (beyond != up)
            atomic_store_explicit(&s->parent[v], beyond, memory_order_relaxed); /* the next search is short */
        v = up;
        up = beyond;
    }
    return v;
}

static void unite(const sets *s, uint32_t u, uint32_t v)
{
    uint32_t a = root_of(s, u), b = root_of(s, v);
    while (a != b) {
        const uint32_t low = a < b ? a : b;
        uint32_t high = a < b ? b : a;
        const uint32_t root = high;
        /* pairs with itself in other threads: one of them hangs a root below another */
        if (atomic_compare_exchange_strong_explicit(&s->parent[root], &high, low, memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
        a = low;
        b = root_of(s, root);
    }
}

static int begin(void *pointer, uint32_t from, uint32_t to)
{
    const sets *s = pointer;
    for (uint32_t v = from; v < to; v++)
        atomic_init(&s->parent[v], v);
    return 1;
}

static int unite_neighbours(void *pointer, uint32_t from, uint32_t to)
{
    const sets *s = pointer;
    for (uint32_t u = from; u < to; u++)
        for (uint64_t e = s->csr->row[u]; e < s->csr->row[u + 1]; e++)
            unite(s, u, s->csr->col[e]);
    return 1;
}

static int name(void *pointer, uint32_t from, uint32_t to)
{
    const sets *s = pointer;
    for (uint32_t v = from; v < to; v++)
        s->label[v] = root_of(s, v);
    return 1;
}

/* *out: the smallest vertex of each vertex's component. */
static rd_status work_out(const rd_csr *csr, uint32_t **out, rd_error *err)
{
    sets s = {.csr = csr};
    RD_TRY(rd__array_new(&s.label, "the checker's labels", csr->vertices, sizeof *s.label, err));
    const rd_status status = rd__array_new(&s.parent, "the checker's sets", csr->vertices, sizeof *s.parent, err);
    if (status != RD_OK) {
        rd__array_free(s.label);
        return status;
    }
    (void)rd__rows_hold(csr, begin, &s);
    (void)rd__rows_hold(csr, unite_neighbours, &s);
    (void)rd__rows_hold(csr, name, &s);
    rd__array_free(s.parent);
    *out = s.label;
    return RD_OK;
}

rd_status rd__cc_check(const rd_csr *csr, uint32_t **right, const uint32_t *label, rd_error *err)
{
    if (!*right)
        RD_TRY(work_out(csr, right, err));
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (label[v] != (*right)[v])
            return rd__fail(err, RD_EWRONG,
                            "cc: vertex %llu has label %llu, but the smallest vertex of its component is %llu",
                            rd__called(v), rd__called(label[v]), rd__called((*right)[v]));
    return RD_OK;
}
