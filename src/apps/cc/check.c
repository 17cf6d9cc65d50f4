/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - components by a serial union of sets, the smaller set below the larger one, then the smallest vertex of
 * each set; compared vertex by vertex. */
#include "apps/cc/check.h"

#include "apps/common/called.h"
#include "core/memory.h"

typedef struct sets {
    uint32_t *parent, *size, *least;
} sets;

static void free_sets(sets *s)
{
    rd__array_free(s->parent);
    rd__array_free(s->size);
    rd__array_free(s->least);
}

static rd_status make_sets(sets *s, uint32_t vertices, rd_error *err)
{
    *s = (sets){NULL, NULL, NULL};
    rd_status status = rd__array_new(&s->parent, "the checker's sets", vertices, sizeof *s->parent, err);
    if (status == RD_OK)
        status = rd__array_new(&s->size, "the checker's sizes", vertices, sizeof *s->size, err);
    if (status == RD_OK)
        status = rd__array_new(&s->least, "the checker's smallest vertices", vertices, sizeof *s->least, err);
    for (uint32_t v = 0; status == RD_OK && v < vertices; v++) {
        s->parent[v] = v;
        s->size[v] = 1;
        s->least[v] = RD_NONE;
    }
    return status;
}

static uint32_t find(const sets *s, uint32_t v)
{
    uint32_t root = v;
    while (s->parent[root] != root)
        root = s->parent[root];
    while (s->parent[v] != root) { /* the next search is short */
        uint32_t next = s->parent[v];
        s->parent[v] = root;
        v = next;
    }
    return root;
}

static void unite(sets *s, uint32_t u, uint32_t v)
{
    uint32_t big = find(s, u), small = find(s, v);
    if (big == small)
        return;
    if (s->size[big] < s->size[small]) {
        uint32_t other = big;
        big = small;
        small = other;
    }
    s->parent[small] = big;
    s->size[big] += s->size[small];
}

/* *out: the smallest vertex of each vertex's component. */
static rd_status work_out(const rd_csr *csr, uint32_t **out, rd_error *err)
{
    sets s;
    uint32_t *label = NULL;
    RD_TRY(rd__array_new(&label, "the checker's labels", csr->vertices, sizeof *label, err));
    rd_status status = make_sets(&s, csr->vertices, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            unite(&s, v, csr->col[e]);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++) {
        uint32_t *least = &s.least[find(&s, v)];
        if (*least == RD_NONE) /* v is the first of its set to come by */
            *least = v;
        label[v] = *least;
    }
    free_sets(&s);
    if (status == RD_OK)
        *out = label;
    else
        rd__array_free(label);
    return status;
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
