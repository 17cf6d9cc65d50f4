/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - looks at every edge, on all cores, and marks every colour that is used. */
#include "apps/color/check.h"

#include "apps/common/called.h"
#include "apps/common/rows.h"
#include "core/memory.h"

#include <string.h>

rd_status rd__color_count(const uint32_t *colour, uint64_t vertices, uint32_t max_colour, uint32_t *colours,
                          rd_error *err)
{
    uint8_t *used;
    *colours = 0;
    RD_TRY(rd__array_new(&used, "marks of used colours", max_colour + 1ull, sizeof *used, err));
    memset(used, 0, max_colour + 1ull);
    for (uint64_t v = 0; v < vertices; v++)
        if (colour[v] <= max_colour && !used[colour[v]]) {
            used[colour[v]] = 1;
            ++*colours;
        }
    rd__array_free(used);
    return RD_OK;
}

typedef struct colours_of {
    const rd_csr *csr;
    const uint32_t *colour;
} colours_of;

static int ends_differ(void *pointer, uint32_t from, uint32_t to)
{
    const colours_of *c = pointer;
    for (uint32_t u = from; u < to; u++)
        for (uint64_t e = c->csr->row[u]; e < c->csr->row[u + 1]; e++)
            if (c->csr->col[e] != u && c->colour[c->csr->col[e]] == c->colour[u])
                return 0;
    return 1;
}

rd_status rd__color_check(const rd_csr *csr, const uint32_t *colour, uint32_t colours, rd_error *err)
{
    uint32_t found, highest = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        /* As many vertices have no use for a higher number. */
        if (colour[v] >= csr->vertices)
            return rd__fail(err, RD_EWRONG,
                            colour[v] == RD_NONE ? "color: vertex %llu has no colour"
                                                 : "color: vertex %llu has colour %u, which is too high",
                            rd__called(v), colour[v]);
        highest = colour[v] > highest ? colour[v] : highest;
    }
    const int differ = rd__rows_hold(csr, ends_differ, &(colours_of){csr, colour});
    for (uint32_t u = 0; !differ && u < csr->vertices; u++)
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (csr->col[e] != u && colour[csr->col[e]] == colour[u])
                return rd__fail(err, RD_EWRONG,
                                "color: an edge joins vertices %llu and %llu, which both have colour %u", rd__called(u),
                                rd__called(csr->col[e]), colour[u]);
    RD_TRY(rd__color_count(colour, csr->vertices, highest, &found, err));
    if (found != colours)
        return rd__fail(err, RD_EWRONG, "color: %u colours are reported, but there are %u", colours, found);
    return RD_OK;
}
