/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - looks at each vertex: one in the set has no neighbour in it, one that is not has at least one. */
#include "apps/common/checker.h"

#include "apps/common/called.h"

RD__WORD_CHECKER(mis);

/* word[v]: 1 for a vertex in the set, 0 for one that is not. The graph is symmetric; loops do not count. */
RD__WORD_CHECKER(mis)
{
    for (uint32_t v = 0; v < csr->vertices; v++) {
        uint32_t neighbour = RD_NONE;
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1] && neighbour == RD_NONE; e++)
            if (csr->col[e] != v && word[csr->col[e]] == 1)
                neighbour = csr->col[e];
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
