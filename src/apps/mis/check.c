/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - looks at each vertex: one in the set has no neighbour in it, one that is not has at least one. On all
 * cores; the first fault is then looked for in turn. */
#include "apps/common/checker.h"

#include "apps/common/called.h"
#include "apps/common/rows.h"

RD__WORD_CHECKER(mis);

typedef struct marks {
    const rd_csr *csr;
    const uint32_t *word;
} marks;

/* A neighbour in the set; RD_NONE: there is none. */
static uint32_t neighbour_in(const rd_csr *csr, const uint32_t *word, uint32_t v)
{
    for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
        if (csr->col[e] != v && word[csr->col[e]] == 1)
            return csr->col[e];
    return RD_NONE;
}

static int are_right(void *pointer, uint32_t from, uint32_t to)
{
    const marks *m = pointer;
    for (uint32_t v = from; v < to; v++)
        if (m->word[v] != (neighbour_in(m->csr, m->word, v) == RD_NONE))
            return 0;
    return 1;
}

/* word[v]: 1 for a vertex in the set, 0 for one that is not. The graph is symmetric; loops do not count. */
RD__WORD_CHECKER(mis)
{
    if (rd__rows_hold(csr, are_right, &(marks){csr, word}))
        return RD_OK;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        const uint32_t neighbour = neighbour_in(csr, word, v);
        if (word[v] > 1)
            return rd__fail(err, RD_EWRONG, "mis: vertex %llu is marked %u, neither in the set nor out of it",
                            rd__called(v), word[v]);
        if (word[v] == 1 && neighbour != RD_NONE)
            return rd__fail(err, RD_EWRONG, "mis: vertices %llu and %llu are in the set, and neighbours", rd__called(v),
                            rd__called(neighbour));
        if (word[v] == 0 && neighbour == RD_NONE)
            return rd__fail(err, RD_EWRONG, "mis: vertex %llu is not in the set, though none of its neighbours is",
                            rd__called(v));
    }
    return RD_OK;
}
