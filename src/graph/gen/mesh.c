/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesh.c - a triangulated mesh: W x H points, vertex y W + x, joined to the right and down, and in each square one of
 * its two diagonals, drawn by the number of the square. Six neighbours on average and eight at most, a diameter as long
 * as the sides: what Delaunay triangulations and surfaces of finite elements look like.
 */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

struct mesh {
    uint64_t stream, size[2];
};

/* Does the diagonal of the square whose upper left corner is (x, y) fall to the right? */
static int falls(const struct mesh *mesh, uint64_t x, uint64_t y)
{
    return (int)(rd__draw(mesh->stream, y * mesh->size[0] + x) >> 63);
}

static uint64_t mesh_row(const void *arg, uint32_t v, uint32_t *out)
{
    const struct mesh *mesh = arg;
    const uint64_t width = mesh->size[0], x = v % width, y = v / width;
    const int left = x > 0, right = x + 1 < width, up = y > 0, down = y + 1 < mesh->size[1];
    /* in the order of their numbers */
    const struct {
        int there;
        uint64_t vertex;
    } near[] = {
        {up && left && falls(mesh, x - 1, y - 1), v - width - 1},
        {up, v - width},
        {up && right && !falls(mesh, x, y - 1), v - width + 1},
        {left, v - 1ull},
        {right, v + 1ull},
        {down && left && !falls(mesh, x - 1, y), v + width - 1},
        {down, v + width},
        {down && right && falls(mesh, x, y), v + width + 1},
    };
    uint64_t count = 0;
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        if (near[i].there && out)
            out[count] = (uint32_t)near[i].vertex;
        count += near[i].there != 0;
    }
    return count;
}

rd_status rd__gen_mesh(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct mesh mesh = {.stream = rd__stream(options->seed, "mesh")};
    RD_TRY(rd__gen_sizes(args, 0, 2, mesh.size, err));
    const uint64_t vertices = mesh.size[0] * mesh.size[1]; /* each below 2^32 */
    snprintf(args->source, sizeof args->source, "mesh:%" PRIu64 "x%" PRIu64 " seed=%" PRIu64, mesh.size[0],
             mesh.size[1], options->seed);
    RD_TRY(rd__gen_fits(args, vertices, 6 * vertices, sizeof(uint32_t), err));
    return rd__rows_build((uint32_t)vertices, mesh_row, &mesh, options, graph, err);
}
