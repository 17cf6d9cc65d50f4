/* SPDX-License-Identifier: Apache-2.0 */
/*
 * way.c - paths from costs, backwards; and costs in the proportion of 1 to the root of 2.
 *
 * The root of 2 as p/q: let p and q be a solution of |p^2 - 2 q^2| = 1, so that |p - q sqrt 2| = 1 / (p + q sqrt 2),
 * about 1 / (2 sqrt 2 q). Of two paths that differ by a straight steps and b diagonal ones, a q + b p and a + b sqrt 2
 * have different signs only if |a + b sqrt 2| <= |b| / (2 sqrt 2 q^2). But |a^2 - 2 b^2| >= 1, so |a + b sqrt 2| is at
 * least about 1 / (2 sqrt 2 |b|): that takes |b| >= q. So the path of least whole cost is a shortest one unless another
 * has q diagonal steps more or less; and even then it is longer by at most one part in 4 q^2.
 */
#include "apps/astar/way.h"

#include <math.h>

rd__astar_costs rd__astar_octile(const rd__astar_grid *grid)
{
    const uint64_t cells = (uint64_t)grid->width * grid->height;
    uint64_t open = grid->width > grid->height ? grid->width : grid->height; /* the bound of what is left */
    for (uint64_t i = 0; i < cells; i++)
        open += grid->terrain[i] != RD__ASTAR_WALL;
    rd__astar_costs best = {.straight = 5, .diagonal = 7};
    for (;;) { /* the next solution */
        const uint64_t q = (uint64_t)best.straight + best.diagonal, p = q + best.straight;
        if (p > RD_NONE / 4 || (open + 1) * p >= RD_NONE)
            return best;
        best = (rd__astar_costs){.straight = (uint32_t)q, .diagonal = (uint32_t)p};
    }
}

double rd__astar_length(const rd__astar_grid *grid, const uint32_t *path, uint64_t count)
{
    uint64_t diagonal = 0;
    for (uint64_t i = 0; i + 1 < count; i++)
        diagonal +=
            path[i] % grid->width != path[i + 1] % grid->width && path[i] / grid->width != path[i + 1] / grid->width;
    return count ? (double)(count - 1 - diagonal) + (double)diagonal * sqrt(2.0) : 0;
}

/* The cell before `cell` on a least-cost path; RD_NONE: there is none, which cannot be. A cell's cost came from a
 * neighbour, and had that one's cost dropped since without a second look at this cell, the target's cost would not be
 * the least. Only cells of the source's terrain have costs. */
static uint32_t cell_before(const rd__astar_search *search, uint32_t cell)
{
    const rd__astar_grid *grid = search->grid;
    const uint8_t terrain = grid->terrain[cell];
    const int64_t x = cell % grid->width, y = cell / grid->width;
    for (int i = 0; i < 9; i++) {
        const int64_t dx = i % 3 - 1, dy = i / 3 - 1, nx = x + dx, ny = y + dy;
        if (i == 4 || nx < 0 || ny < 0 || nx >= grid->width || ny >= grid->height)
            continue;
        const int64_t from = ny * grid->width + nx;
        const int beside =
            grid->terrain[y * grid->width + nx] == terrain && grid->terrain[ny * grid->width + x] == terrain;
        const uint32_t step = dx && dy ? search->step.diagonal : search->step.straight;
        if ((!dx || !dy || beside || search->cut_corners) && search->cost[from] != RD_NONE &&
            search->cost[from] + step == search->cost[cell])
            return (uint32_t)from;
    }
    return RD_NONE;
}

rd_status rd__astar_way(const rd__astar_search *search, uint32_t *path, uint64_t *count, rd_error *err)
{
    uint64_t at = (uint64_t)search->grid->width * search->grid->height;
    uint32_t cell = search->target;
    *count = 0;
    if (search->cost[cell] == RD_NONE)
        return RD_OK;
    for (;;) {
        path[--at] = cell;
        ++*count;
        if (cell == search->source)
            return RD_OK;
        const uint32_t before = cell_before(search, cell);
        if (before == RD_NONE || at == 0)
            return rd__fail(err, RD_EWRONG, "astar: no neighbour accounts for the cost %u of cell %u",
                            search->cost[cell], cell);
        cell = before;
    }
}

void rd__astar_count(const rd__astar_search *search, uint64_t *needed, uint64_t *touched)
{
    const uint32_t width = search->grid->width, tx = search->target % width, ty = search->target / width;
    const uint64_t cells = (uint64_t)width * search->grid->height;
    for (uint64_t i = 0; i < cells; i++) {
        if (search->cost[i] == RD_NONE)
            continue;
        const uint32_t x = (uint32_t)(i % width), y = (uint32_t)(i / width);
        const uint32_t dx = x < tx ? tx - x : x - tx, dy = y < ty ? ty - y : y - ty, both = dx < dy ? dx : dy;
        const uint32_t left = search->step.straight * (dx + dy - 2 * both) + search->step.diagonal * both;
        ++*touched;
        *needed += search->cost[i] + left < search->cost[search->target];
    }
}
