/* SPDX-License-Identifier: Apache-2.0 */
/* back.k.h - bc/levels.k.c on the way back: BACK, for one vertex after another. Part of that text. */
#ifndef RD_APPS_BC_BACK_K_H
#define RD_APPS_BC_BACK_K_H

#include "apps/bc/gather.k.h"

/* The vertices of a level from place `from` on; with = 0: nobody is behind them. @return edges. */
rd_apart rd_u32 levels_back(const rd_app *a, const rd_sweep *s, rd_u32 level, rd_u32 from, rd_u32 to, rd_u32 with)
{
    const rd_u64 n = s->vertices, own = level % 2 * n, next = (level + 1) % 2 * n;
    rd_global const rd_f32 *const ways = a->bc_ways + own, *const gathered = a->bc_through + next;
    rd_global rd_f32 *const through = a->bc_through + own, *const score = a->bc_score;
    rd_global const rd_u64 *const row = s->row;
    rd_global const rd_u32 *const col = s->col, *const order = a->bc_order;
    rd_u64 edges = 0;
    for (rd_u32 i = from; i < to; i++) {
        const rd_u32 v = order[i];
        const rd_u64 e = rd_ld_const(&row[v]), end = with ? rd_ld_const(&row[v + 1]) : e;
        if (with)
            levels_ahead(order, row, col, i, to);
        const rd_f32 sum = levels_gather(gathered, col, e, end), w = ways[v];
        edges += end - e;
        score[v] += w * sum;
        through[v] = 1.0f / w + sum;
    }
    return (rd_u32)edges;
}

rd_apart rd_u32 levels_back64(const rd_app *a, const rd_sweep *s, rd_u32 level, rd_u32 from, rd_u32 to, rd_u32 with)
{
    const rd_u64 n = s->vertices, own = level % 2 * n, next = (level + 1) % 2 * n;
    rd_global const rd_u64 *const ways = a->bc_ways64 + own, *const gathered = a->bc_through64 + next;
    rd_global rd_u64 *const through = a->bc_through64 + own;
    rd_global rd_f32 *const score = a->bc_score;
    rd_global const rd_u64 *const row = s->row;
    rd_global const rd_u32 *const col = s->col, *const order = a->bc_order;
    rd_u64 edges = 0;
    for (rd_u32 i = from; i < to; i++) {
        const rd_u32 v = order[i];
        const rd_u64 e = rd_ld_const(&row[v]), end = with ? rd_ld_const(&row[v + 1]) : e;
        if (with)
            levels_ahead(order, row, col, i, to);
        const rd_u64 sum = levels_gather64(gathered, col, e, end), w = ways[v];
        edges += end - e;
        score[v] += bc_product(w, sum);
        through[v] = bc_sum(bc_inverse(w), sum);
    }
    return (rd_u32)edges;
}

rd_fn void levels_back_some(const rd_app *a, const rd_sweep *s, rd_u32 level, rd_u32 from, rd_u32 to, rd_gain *gain)
{
    const rd_u32 with = level < s->scalar[LEVELS_LAST];
    gain->edges += a->bc_wide ? levels_back64(a, s, level, from, to, with) : levels_back(a, s, level, from, to, with);
}

rd_fn void levels_back_alone(const rd_app *a, const rd_sweep *s, rd_gain *gain)
{
    rd_u32 level = s->scalar[LEVELS_AT], run = 0, vertices = 0;
    while (level && vertices < LEVELS_RUN && (a->bc_start[level] & LEVELS_ALONE)) {
        const rd_u32 from = levels_start(a, level), to = levels_start(a, level + 1);
        levels_back_some(a, s, level, from, to, gain);
        vertices += to - from;
        level--;
        run++;
    }
    gain->sum += run;
}

#endif
