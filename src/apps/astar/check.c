/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - proves results of astar with no code of the app's: the path is walked step by step, and E. Dijkstra's
 * algorithm, serial and without a heuristic, says what the least cost is. Its queue is R. Dial's: steps cost at most
 * 14, so 15 lists of cells, by cost modulo 15, are enough.
 */
#include "apps/astar/check.h"

#include <inttypes.h>
#include <string.h>

enum { LISTS = RD__ASTAR_DIAGONAL + 1 };

typedef struct cells {
    uint32_t *cell;
    uint64_t count, room;
} cells;

static rd_status append(cells *list, uint32_t cell, rd_error *err)
{
    if (list->count == list->room) {
        uint32_t *more;
        const uint64_t room = list->room ? 2 * list->room : 256;
        RD_TRY(rd__array_new(&more, "cells to visit", room, sizeof *more, err));
        if (list->count)
            memcpy(more, list->cell, list->count * sizeof *more);
        rd__array_free(list->cell);
        list->cell = more;
        list->room = room;
    }
    list->cell[list->count++] = cell;
    return RD_OK;
}

static int is_open(const rd__astar_grid *grid, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height && grid->open[y * grid->width + x];
}

/* What a step from (x, y) by (dx, dy) costs; 0: there is no such step. */
static uint32_t step_cost(const rd__astar_grid *grid, int cut_corners, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    if ((dx == 0 && dy == 0) || dx < -1 || dx > 1 || dy < -1 || dy > 1 || !is_open(grid, x + dx, y + dy))
        return 0;
    if (dx == 0 || dy == 0)
        return RD__ASTAR_STRAIGHT;
    return cut_corners || (is_open(grid, x + dx, y) && is_open(grid, x, y + dy)) ? RD__ASTAR_DIAGONAL : 0;
}

static rd_status visit(const rd__astar_grid *grid, int cut_corners, uint32_t cell, uint32_t *dist, cells *list,
                       rd_error *err)
{
    const int64_t x = cell % grid->width, y = cell / grid->width;
    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dx = -1; dx <= 1; dx++) {
            const uint32_t cost = step_cost(grid, cut_corners, x, y, dx, dy);
            const int64_t next = (y + dy) * grid->width + x + dx;
            if (cost && dist[cell] + cost < dist[next]) {
                dist[next] = dist[cell] + cost;
                RD_TRY(append(&list[dist[next] % LISTS], (uint32_t)next, err));
            }
        }
    return RD_OK;
}

static rd_status dijkstra(const rd__astar_grid *grid, int cut_corners, uint32_t source, uint32_t target, uint32_t *dist,
                          rd_error *err)
{
    cells list[LISTS] = {{0}};
    const uint64_t all = (uint64_t)grid->width * grid->height;
    rd_status status = RD_OK;
    uint64_t idle = 0;
    for (uint64_t i = 0; i < all; i++)
        dist[i] = RD_NONE;
    dist[source] = 0;
    status = append(&list[0], source, err);
    for (uint32_t cost = 0; status == RD_OK && idle <= LISTS && dist[target] >= cost; cost++) {
        cells *now = &list[cost % LISTS];
        idle = now->count ? 0 : idle + 1;
        for (uint64_t i = 0; status == RD_OK && i < now->count; i++)
            if (dist[now->cell[i]] == cost) /* else a better way was found since */
                status = visit(grid, cut_corners, now->cell[i], dist, list, err);
        now->count = 0;
    }
    for (int i = 0; i < LISTS; i++)
        rd__array_free(list[i].cell);
    return status;
}

/* Walks the path. */
static rd_status walk(const rd__astar_grid *grid, int cut_corners, uint32_t source, uint32_t target,
                      const uint32_t *path, uint64_t count, uint32_t cost, rd_error *err)
{
    uint64_t sum = 0;
    const uint64_t all = (uint64_t)grid->width * grid->height;
    for (uint64_t i = 0; i < count; i++)
        if (path[i] >= all || !grid->open[path[i]])
            return rd__fail(err, RD_EWRONG, "astar: step %" PRIu64 " of the path is cell %u, which is %s", i, path[i],
                            path[i] >= all ? "none" : "a wall");
    if (path[0] != source || path[count - 1] != target)
        return rd__fail(err, RD_EWRONG, "astar: the path goes from cell %u to %u, not from %u to %u", path[0],
                        path[count - 1], source, target);
    for (uint64_t i = 0; i + 1 < count; i++) {
        const int64_t x = path[i] % grid->width, y = path[i] / grid->width;
        const uint32_t step = step_cost(grid, cut_corners, x, y, (int64_t)(path[i + 1] % grid->width) - x,
                                        (int64_t)(path[i + 1] / grid->width) - y);
        if (!step)
            return rd__fail(err, RD_EWRONG, "astar: there is no step from cell %u to cell %u", path[i], path[i + 1]);
        sum += step;
    }
    if (sum != cost)
        return rd__fail(err, RD_EWRONG, "astar: the path costs %" PRIu64 ", not %u", sum, cost);
    return RD_OK;
}

rd_status rd__astar_check(const rd__astar_grid *grid, int cut_corners, uint32_t source, uint32_t target,
                          const uint32_t *path, uint64_t count, uint32_t cost, rd_error *err)
{
    uint32_t *dist;
    if (count)
        RD_TRY(walk(grid, cut_corners, source, target, path, count, cost, err));
    RD_TRY(rd__array_new(&dist, "costs to check against", (uint64_t)grid->width * grid->height, sizeof *dist, err));
    rd_status status = dijkstra(grid, cut_corners, source, target, dist, err);
    if (status == RD_OK && count == 0 && dist[target] != RD_NONE)
        status = rd__fail(err, RD_EWRONG, "astar: cell %u was said to be unreachable, but there is a path of cost %u",
                          target, dist[target]);
    else if (status == RD_OK && count && dist[target] != cost)
        status = rd__fail(err, RD_EWRONG, "astar: cost %u was said to be the least, but there is a path of cost %u",
                          cost, dist[target]);
    rd__array_free(dist);
    return status;
}
