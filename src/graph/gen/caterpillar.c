/* SPDX-License-Identifier: Apache-2.0 */
/*
 * caterpillar.c - long paths with stars: vertices 0 .. LENGTH-1 are a path, and LEGS leaves hang from each EVERYth of
 * them, numbered after the path. caterpillar:2:1000 is two hubs side by side, caterpillar:5000:9000:5000 a chain that
 * hangs from a hub.
 */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

struct caterpillar {
    uint64_t length, legs, every;
};

static uint64_t caterpillar_row(const void *arg, uint32_t v, uint32_t *out)
{
    const struct caterpillar *body = arg;
    if (v >= body->length) {
        if (out)
            out[0] = (uint32_t)((v - body->length) / body->legs * body->every);
        return 1;
    }
    uint64_t count = 0;
    if (v > 0) {
        if (out)
            out[count] = v - 1;
        count++;
    }
    if (v + 1 < body->length) {
        if (out)
            out[count] = v + 1;
        count++;
    }
    if (v % body->every)
        return count;
    const uint64_t first = body->length + v / body->every * body->legs;
    for (uint64_t leg = 0; out && leg < body->legs; leg++)
        out[count + leg] = (uint32_t)(first + leg);
    return count + body->legs;
}

rd_status rd__gen_caterpillar(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct caterpillar body;
    RD_TRY(rd__gen_number(args, 0, "LENGTH", 1, RD_VERTEX_MAX, 0, &body.length, err));
    RD_TRY(rd__gen_number(args, 1, "LEGS", 1, RD_VERTEX_MAX, 8, &body.legs, err));
    RD_TRY(rd__gen_number(args, 2, "EVERY", 1, RD_VERTEX_MAX, 1, &body.every, err));
    const uint64_t stars = (body.length - 1) / body.every + 1;
    /* both factors are below 2^32, and so is what is added */
    const uint64_t vertices = stars * body.legs > RD_VERTEX_MAX ? stars * body.legs : body.length + stars * body.legs;
    snprintf(args->source, sizeof args->source, "caterpillar:%" PRIu64 ":%" PRIu64 ":%" PRIu64, body.length, body.legs,
             body.every);
    RD_TRY(rd__gen_fits(args, vertices, 2 * vertices, sizeof(uint32_t), err));
    return rd__rows_build((uint32_t)vertices, caterpillar_row, &body, options, graph, err);
}
