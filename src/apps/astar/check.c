/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - proves results of astar with no code of the app's: the path is walked step by step, and E. Dijkstra's
 * algorithm, serial and without a heuristic, says what the least cost is. Its queue is that of E. Denardo and B. Fox:
 * lists of cells whose costs are as many straight steps, rounded down. No step is cheaper than a straight one, so no
 * cell of a list can make another of the same list cheaper, and a step leads at most two lists on. Costs are doubles:
 * whole numbers are exact, and what roots of 2 are off by is far less than two different lengths are apart.
 */
#include "apps/astar/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LISTS = 4 };

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

static int is_like(const rd__astar_grid *grid, uint8_t terrain, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height && grid->terrain[y * grid->width + x] == terrain;
}

/* What a step from (x, y) by (dx, dy) costs; 0: there is no such step. */
static double step_cost(const rd__astar_grid *grid, const rd__astar_rules *rules, int64_t x, int64_t y, int64_t dx,
                        int64_t dy)
{
    const uint8_t here = grid->terrain[y * grid->width + x];
    if ((dx == 0 && dy == 0) || dx < -1 || dx > 1 || dy < -1 || dy > 1 || !is_like(grid, here, x + dx, y + dy))
        return 0;
    if (dx == 0 || dy == 0)
        return rules->straight;
    const int beside = is_like(grid, here, x + dx, y) && is_like(grid, here, x, y + dy);
    return rules->cut_corners || beside ? rules->diagonal : 0;
}

static uint64_t list_of(const rd__astar_rules *rules, double cost)
{
    return (uint64_t)(cost / rules->straight);
}

static rd_status visit(const rd__astar_grid *grid, const rd__astar_rules *rules, uint32_t cell, double *dist,
                       cells *list, rd_error *err)
{
    const int64_t x = cell % grid->width, y = cell / grid->width;
    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dx = -1; dx <= 1; dx++) {
            const double cost = step_cost(grid, rules, x, y, dx, dy);
            const int64_t next = (y + dy) * grid->width + x + dx;
            if (cost > 0 && dist[cell] + cost < dist[next]) {
                dist[next] = dist[cell] + cost;
                RD_TRY(append(&list[list_of(rules, dist[next]) % LISTS], (uint32_t)next, err));
            }
        }
    return RD_OK;
}

static rd_status dijkstra(const rd__astar_grid *grid, const rd__astar_rules *rules, uint32_t source, uint32_t target,
                          double *dist, rd_error *err)
{
    cells list[LISTS] = {{0}};
    const uint64_t all = (uint64_t)grid->width * grid->height;
    uint64_t idle = 0;
    for (uint64_t i = 0; i < all; i++)
        dist[i] = INFINITY;
    dist[source] = 0;
    rd_status status = append(&list[0], source, err);
    for (uint64_t at = 0; status == RD_OK && idle <= LISTS && dist[target] >= (double)at * rules->straight; at++) {
        cells *now = &list[at % LISTS];
        idle = now->count ? 0 : idle + 1;
        for (uint64_t i = 0; status == RD_OK && i < now->count; i++)
            if (list_of(rules, dist[now->cell[i]]) == at) /* else a better way was found since */
                status = visit(grid, rules, now->cell[i], dist, list, err);
        now->count = 0;
    }
    for (int i = 0; i < LISTS; i++)
        rd__array_free(list[i].cell);
    return status;
}

static int differ(const rd__astar_rules *rules, double a, double b)
{
    return fabs(a - b) > rules->tolerance * b;
}

/* Walks the path. */
static rd_status walk(const rd__astar_grid *grid, const rd__astar_rules *rules, const rd__astar_claim *claim,
                      rd_error *err)
{
    double sum = 0;
    const uint32_t *path = claim->path;
    const uint64_t all = (uint64_t)grid->width * grid->height, count = claim->count;
    for (uint64_t i = 0; i < count; i++)
        if (path[i] >= all || grid->terrain[path[i]] == RD__ASTAR_WALL)
            return rd__fail(err, RD_EWRONG, "astar: step %" PRIu64 " of the path is cell %u, which is %s", i, path[i],
                            path[i] >= all ? "none" : "a wall");
    if (path[0] != claim->source || path[count - 1] != claim->target)
        return rd__fail(err, RD_EWRONG, "astar: the path goes from cell %u to %u, not from %u to %u", path[0],
                        path[count - 1], claim->source, claim->target);
    for (uint64_t i = 0; i + 1 < count; i++) {
        const int64_t x = path[i] % grid->width, y = path[i] / grid->width;
        const double step = step_cost(grid, rules, x, y, (int64_t)(path[i + 1] % grid->width) - x,
                                      (int64_t)(path[i + 1] / grid->width) - y);
        if (!(step > 0))
            return rd__fail(err, RD_EWRONG, "astar: there is no step from cell %u to cell %u", path[i], path[i + 1]);
        sum += step;
    }
    if (differ(rules, claim->cost, sum))
        return rd__fail(err, RD_EWRONG, "astar: the path costs %.10g, not %.10g", sum, claim->cost);
    return RD_OK;
}

rd_status rd__astar_check(const rd__astar_grid *grid, const rd__astar_rules *rules, const rd__astar_claim *claim,
                          rd_error *err)
{
    double *dist;
    if (claim->count)
        RD_TRY(walk(grid, rules, claim, err));
    RD_TRY(rd__array_new(&dist, "costs to check against", (uint64_t)grid->width * grid->height, sizeof *dist, err));
    rd_status status = dijkstra(grid, rules, claim->source, claim->target, dist, err);
    const double least = dist[claim->target];
    if (status == RD_OK && claim->count == 0 && least < INFINITY)
        status =
            rd__fail(err, RD_EWRONG, "astar: cell %u was said to be unreachable, but there is a path of cost %.10g",
                     claim->target, least);
    else if (status == RD_OK && claim->count && differ(rules, claim->cost, least))
        status =
            rd__fail(err, RD_EWRONG, "astar: cost %.10g was said to be the least, but there is a path of cost %.10g",
                     claim->cost, least);
    rd__array_free(dist);
    return status;
}
