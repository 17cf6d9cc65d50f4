/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid.c - the generators road (two dimensions) and grid3d (three). Vertex (x, y, z) has number (z * H + y) * W + x.
 * The edge from v in direction a (0: +x, 1: +y, 2: +z) is kept when draw number 3 v + a is below the probability, so
 * either end can tell.
 */
#include "graph/gen/gen.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct grid {
    uint64_t stream, below;
    uint64_t size[3], step[3];
};

static int kept(const struct grid *grid, uint64_t v, unsigned axis)
{
    return rd__draw(grid->stream, 3 * v + axis) >> 32 < grid->below;
}

static uint64_t grid_row(const void *arg, uint32_t v, uint32_t *out)
{
    const struct grid *grid = arg;
    uint64_t count = 0, at[3];
    at[0] = v % grid->size[0];
    at[1] = v / grid->step[1] % grid->size[1];
    at[2] = v / grid->step[2];
    for (unsigned axis = 3; axis-- > 0;) {
        if (at[axis] > 0 && kept(grid, v - grid->step[axis], axis)) {
            if (out)
                out[count] = (uint32_t)(v - grid->step[axis]);
            count++;
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        if (at[axis] + 1 < grid->size[axis] && kept(grid, v, axis)) {
            if (out)
                out[count] = (uint32_t)(v + grid->step[axis]);
            count++;
        }
    }
    return count;
}

static rd_status make(struct grid *grid, const char *name, double p, rd__gen_args *args,
                      const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    /* each factor is below 2^32, so two of them cannot overflow; the third only after the first two are known to fit */
    uint64_t plane = grid->size[0] * grid->size[1];
    uint64_t vertices = plane > RD_VERTEX_MAX ? plane : plane * grid->size[2];
    grid->step[0] = 1;
    grid->step[1] = grid->size[0];
    grid->step[2] = plane;
    grid->stream = rd__stream(options->seed, name);
    grid->below = rd__threshold(p);
    RD_TRY(rd__gen_fits(args, vertices, 2 * vertices, sizeof(uint32_t), err));
    return rd__rows_build((uint32_t)vertices, grid_row, grid, options, graph, err);
}

rd_status rd__gen_road(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct grid grid = {.size = {1, 1, 1}};
    double p;
    RD_TRY(rd__gen_sizes(args, 0, 2, grid.size, err));
    RD_TRY(rd__gen_fraction(args, 1, "P", 0.65, &p, err));
    rd__snprintf(args->source, sizeof args->source, "road:%" PRIu64 "x%" PRIu64 ":%g seed=%" PRIu64, grid.size[0],
                 grid.size[1], p, options->seed);
    return make(&grid, "road", p, args, options, graph, err);
}

rd_status rd__gen_grid3d(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct grid grid = {.size = {1, 1, 1}};
    double p;
    if (args->count && strchr(args->part[0], 'x')) {
        RD_TRY(rd__gen_sizes(args, 0, 3, grid.size, err));
    } else {
        RD_TRY(rd__gen_number(args, 0, "N", 1, 1625, 0, &grid.size[0], err));
        grid.size[1] = grid.size[2] = grid.size[0];
    }
    RD_TRY(rd__gen_fraction(args, 1, "P", 1, &p, err));
    rd__snprintf(args->source, sizeof args->source, "grid3d:%" PRIu64 "x%" PRIu64 "x%" PRIu64 ":%g seed=%" PRIu64,
                 grid.size[0], grid.size[1], grid.size[2], p, options->seed);
    return make(&grid, "grid3d", p, args, options, graph, err);
}
