/* SPDX-License-Identifier: Apache-2.0 */
/* back.k.h - bc/levels.k.c on the way back: BACK, for one vertex after another. Part of that text. */
#ifndef RD_APPS_BC_BACK_K_H
#define RD_APPS_BC_BACK_K_H

#include "apps/bc/gather.k.h"

/* The vertices of a level from place `from` on; with = 0: nobody is behind them. @return edges. T: the
 * type of numbers; behind(w, sum): what the level before will gather. */
#define LEVELS_BACK_BY(name, T, ways_of, through_of, gather, product, behind)                                          \
    rd_apart rd_u32 name(const rd_app *a, const rd_sweep *s, rd_u32 level, rd_u32 from, rd_u32 to, rd_u32 with)        \
    {                                                                                                                  \
        const rd_u64 n = s->vertices, own = level % 2 * n, next = (level + 1) % 2 * n;                                 \
        rd_global const T *const ways = a->ways_of + own, *const gathered = a->through_of + next;                      \
        rd_global T *const through = a->through_of + own;                                                              \
        rd_global rd_f32 *const score = a->bc_score;                                                                   \
        rd_global const rd_u64 *const row = s->row;                                                                    \
        rd_global const rd_u32 *const col = s->col, *const order = a->bc_order;                                        \
        rd_u64 edges = 0;                                                                                              \
        for (rd_u32 i = from; i < to; i++) {                                                                           \
            const rd_u32 v = order[i];                                                                                 \
            const rd_u64 e = rd_ld_const(&row[v]), end = with ? rd_ld_const(&row[v + 1]) : e;                          \
            if (with)                                                                                                  \
                levels_ahead(order, row, col, i, to);                                                                  \
            const T sum = gather(gathered, col, e, end), w = ways[v];                                                  \
            edges += end - e;                                                                                          \
            score[v] += product(w, sum);                                                                               \
            through[v] = behind(w, sum);                                                                               \
        }                                                                                                              \
        return (rd_u32)edges;                                                                                          \
    }
#define LEVELS_PRODUCT(w, sum)     ((w) * (sum))
#define LEVELS_BEHIND(w, sum)      (1.0f / (w) + (sum))
#define LEVELS_BEHIND_PAIR(w, sum) bc_sum(bc_inverse(w), sum)
LEVELS_BACK_BY(levels_back_floats, rd_f32, bc_ways, bc_through, levels_gather, LEVELS_PRODUCT, LEVELS_BEHIND)
LEVELS_BACK_BY(levels_back_doubles, rd_u64, bc_ways64, bc_through64, levels_gather_doubles, bc_double_product,
               bc_double_behind)
LEVELS_BACK_BY(levels_back_pairs, rd_u64, bc_ways64, bc_through64, levels_gather_pairs, bc_product, LEVELS_BEHIND_PAIR)

rd_fn void levels_back_some(const rd_app *a, const rd_sweep *s, rd_u32 level, rd_u32 from, rd_u32 to, rd_gain *gain)
{
    const rd_u32 with = level < s->scalar[LEVELS_LAST];
    if (!a->bc_wide)
        gain->edges += levels_back_floats(a, s, level, from, to, with);
    else if (bc_is_double(a->bc_wide))
        gain->edges += levels_back_doubles(a, s, level, from, to, with);
    else
        gain->edges += levels_back_pairs(a, s, level, from, to, with);
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
