/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astar.k.c - A* on a grid: a task is a cell with the cost of a way to it, ranked by that cost plus a lower bound of
 * what is left (the octile distance: what it would take without walls), so cells on promising ways come first. P. Hart,
 * N. Nilsson, B. Raphael, 1968; in parallel it is a search that corrects itself: cells may be taken before their least
 * cost is known, and are taken again when a better way is found.
 *
 * cost[] holds the least cost known of each cell, lowered by an atomic minimum; whoever lowers it gives the cell. A
 * task carries its cost, so one that was overtaken is dropped when it is taken. So is one that cannot beat the target's
 * cost: the bound never overestimates. When no task is left, every way that could be better was followed, so the
 * target's cost is the least one; no order of tasks changes that.
 *
 * Each word stands for itself, so relaxed order is enough.
 */
#include "model/ranked.k.h"

#define RD_TASK_GIVES 8

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                            \
    buf(const rd_u32, open) /* a bit a cell */          \
    buf(rd_u32, cost)                                   \
    arg(rd_u32, width)                                              \
    arg(rd_u32, height)                                             \
    arg(rd_u32, target)                                             \
    arg(rd_u32, cut_corners)                                        \
    arg(rd_u32, straight) /* what steps cost */                     \
    arg(rd_u32, diagonal)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 astar_left(const rd_app *a, rd_u32 x, rd_u32 y)
{
    const rd_u32 tx = a->target % a->width, ty = a->target / a->width;
    const rd_u32 dx = x < tx ? tx - x : x - tx, dy = y < ty ? ty - y : y - ty, both = dx < dy ? dx : dy;
    return a->straight * (dx + dy - 2 * both) + a->diagonal * both;
}

/* Outside the grid nothing is open: x and y of -1 are large numbers here. */
rd_fn rd_u32 astar_open(const rd_app *a, rd_u32 x, rd_u32 y)
{
    const rd_u32 inside = x < a->width && y < a->height, cell = inside ? y * a->width + x : 0;
    return inside && (rd_ld_const(&a->open[cell / 32]) >> cell % 32 & 1);
}

/* Task: rank = (cost + what is left) << 32 | what is left: of equals, the nearest to the target. data = cost << 32 |
 * cell. */
rd_fn rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
{
    /* Partners: the minimum in rd_app_task. Stale looks keep a task that could go. */
    return rd_ld_rlx(&a->cost[(rd_u32)data]) >= (rd_u32)(data >> 32) &&
           (rd_u32)(rank >> 32) < rd_ld_rlx(&a->cost[a->target]);
}

rd_fn void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    const rd_u32 cell = (rd_u32)data, spent = (rd_u32)(data >> 32), x = cell % a->width, y = cell / a->width;
    const rd_u32 limit = rd_ld_rlx(&a->cost[a->target]); /* partner: the minimum below */
    for (rd_u32 i = 0; i < 9; i++) {
        const rd_u32 dx = i % 3 - 1, dy = i / 3 - 1, straight = dx == 0 || dy == 0; /* -1 wraps and adds up */
        const rd_u32 to = spent + (straight ? a->straight : a->diagonal);
        if (i != 4 && astar_open(a, x + dx, y + dy) &&
            (straight || a->cut_corners || (astar_open(a, x + dx, y) && astar_open(a, x, y + dy)))) {
            const rd_u32 next = (y + dy) * a->width + x + dx, left = astar_left(a, x + dx, y + dy);
            if (to + left < limit && to < rd_min_rlx(&a->cost[next], to)) /* partner: itself */
                rd_give_ranked(w, (rd_u64)(to + left) << 32 | left, (rd_u64)to << 32 | next);
        }
    }
}
