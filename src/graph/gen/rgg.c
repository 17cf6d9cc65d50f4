/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rgg.c - the random geometric graph: 2^SCALE points uniform in the unit square, an edge between points at most RADIUS
 * apart (default 0.55 sqrt(ln n / n), the rgg_n_2_* graphs of DIMACS-10, just connected).
 *
 * Coordinates are 32-bit integers, so distances are exact and the graph is the same on every machine. Points are sorted
 * by cell of a square mesh not finer than the radius; the neighbours of a point are in its cell and the eight around
 * it. Vertices are numbered in the order of their cells, which gives the locality that real geometric graphs have.
 */
#include "graph/gen/gen.h"

#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct rgg {
    uint32_t points, side; /* cells on a side of the mesh */
    uint32_t *x, *y;       /* in the order of cells */
    uint32_t *first;       /* side * side + 1: first point of each cell */
    uint64_t radius2;
};

static uint32_t cell_of(const struct rgg *rgg, uint32_t x, uint32_t y)
{
    return (uint32_t)((uint64_t)y * rgg->side >> 32) * rgg->side + (uint32_t)((uint64_t)x * rgg->side >> 32);
}

static uint64_t rgg_row(const void *arg, uint32_t v, uint32_t *out)
{
    const struct rgg *rgg = arg;
    uint32_t cell = cell_of(rgg, rgg->x[v], rgg->y[v]), cx = cell % rgg->side, cy = cell / rgg->side;
    uint64_t count = 0;
    for (uint32_t ny = cy ? cy - 1 : 0; ny <= cy + 1 && ny < rgg->side; ny++) {
        uint32_t west = cx ? cx - 1 : 0, east = cx + 1 < rgg->side ? cx + 1 : cx;
        /* three cells in a row are one run of points, and runs ascend, so neighbours come out in order */
        for (uint32_t u = rgg->first[ny * rgg->side + west]; u < rgg->first[ny * rgg->side + east + 1]; u++) {
            int64_t dx = (int64_t)rgg->x[u] - rgg->x[v], dy = (int64_t)rgg->y[u] - rgg->y[v];
            if (u == v || (uint64_t)(dx < 0 ? -dx : dx) >> 31 || (uint64_t)(dy < 0 ? -dy : dy) >> 31)
                continue;
            if ((uint64_t)(dx * dx) + (uint64_t)(dy * dy) <= rgg->radius2) {
                if (out)
                    out[count] = u;
                count++;
            }
        }
    }
    return count;
}

/* A counting sort of the points by cell. */
static void place_points(struct rgg *rgg, uint64_t stream)
{
    uint64_t cells = (uint64_t)rgg->side * rgg->side;
    memset(rgg->first, 0, (size_t)(cells + 1) * sizeof *rgg->first);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < rgg->points; i++) {
            uint64_t random = rd__draw(stream, i);
            uint32_t x = (uint32_t)random, y = (uint32_t)(random >> 32), cell = cell_of(rgg, x, y);
            if (pass == 0) {
                rgg->first[cell + 1]++;
            } else {
                uint32_t at = rgg->first[cell]++;
                rgg->x[at] = x;
                rgg->y[at] = y;
            }
        }
        if (pass == 0)
            for (uint64_t c = 0; c < cells; c++)
                rgg->first[c + 1] += rgg->first[c];
    }
    /* filling moved each start to the next cell's start */
    memmove(rgg->first + 1, rgg->first, (size_t)cells * sizeof *rgg->first);
    rgg->first[0] = 0;
}

rd_status rd__gen_rgg(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t scale;
    RD_TRY(rd__gen_number(args, 0, "SCALE", 1, 31, 0, &scale, err));
    double n = (double)(1ull << scale), radius;
    RD_TRY(rd__gen_fraction(args, 1, "RADIUS", 0.55 * sqrt(log(n) / n), &radius, err));
    if (radius <= 0 || radius > 0.5)
        return rd__fail(err, RD_EARG, "RADIUS must be above 0 and at most 0.5, not '%s'; the syntax is %s",
                        args->part[1], args->syntax);
    rd__snprintf(args->source, sizeof args->source, "rgg:%" PRIu64 ":%.9g seed=%" PRIu64, scale, radius, options->seed);
    RD_TRY(rd__gen_fits(args, 1ull << scale, (uint64_t)(n * (n * 3.15 * radius * radius + 1)), sizeof(uint32_t), err));

    double units = floor(radius * 4294967296.0);
    double side = floor(1 / radius), enough = floor(sqrt(n)) + 1;
    struct rgg rgg = {.points = (uint32_t)(1ull << scale), .side = (uint32_t)(side < enough ? side : enough)};
    rgg.radius2 = (uint64_t)units * (uint64_t)units;
    rd_status status = rd__array_new(&rgg.x, "the points", rgg.points, sizeof *rgg.x, err);
    if (status == RD_OK)
        status = rd__array_new(&rgg.y, "the points", rgg.points, sizeof *rgg.y, err);
    if (status == RD_OK)
        status =
            rd__array_new(&rgg.first, "the mesh of points", (uint64_t)rgg.side * rgg.side + 1, sizeof *rgg.first, err);
    if (status == RD_OK) {
        place_points(&rgg, rd__stream(options->seed, "rgg"));
        status = rd__rows_build(rgg.points, rgg_row, &rgg, options, graph, err);
    }
    rd__array_free(rgg.x);
    rd__array_free(rgg.y);
    rd__array_free(rgg.first);
    return status;
}
