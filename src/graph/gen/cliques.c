/* SPDX-License-Identifier: Apache-2.0 */
/* cliques.c - many components: COUNT cliques of SIZE vertices each, one after another. cliques:N:1 has no edges,
 * cliques:N:2 is N pairs. */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t cliques_row(const void *arg, uint32_t v, uint32_t *out)
{
    const uint64_t size = *(const uint64_t *)arg, first = v / size * size;
    uint64_t count = 0;
    for (uint64_t other = first; out && other < first + size; other++)
        if (other != v)
            out[count++] = (uint32_t)other;
    return size - 1;
}

rd_status rd__gen_cliques(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t count, size;
    RD_TRY(rd__gen_number(args, 0, "COUNT", 1, RD_VERTEX_MAX, 0, &count, err));
    RD_TRY(rd__gen_number(args, 1, "SIZE", 1, RD_VERTEX_MAX, 0, &size, err));
    const uint64_t vertices = count * size; /* both are below 2^32 */
    snprintf(args->source, sizeof args->source, "cliques:%" PRIu64 ":%" PRIu64, count, size);
    RD_TRY(rd__gen_fits(args, vertices, vertices > RD_VERTEX_MAX ? vertices : vertices * (size - 1), sizeof(uint32_t),
                        err));
    return rd__rows_build((uint32_t)vertices, cliques_row, &size, options, graph, err);
}
