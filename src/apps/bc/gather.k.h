/* SPDX-License-Identifier: Apache-2.0 */
/* gather.k.h - bc/levels.k.c: sums over edges, and memory that is asked for before it is needed. Part of that text. */
#ifndef RD_APPS_BC_GATHER_K_H
#define RD_APPS_BC_GATHER_K_H

#include "raddle/kernel.h"
#include "apps/bc/number.k.h"

#define LEVELS_ROWS  8 /* vertices ahead whose place among the edges is asked for */
#define LEVELS_AHEAD 4 /* ... and whose edges are */

/* Before vertex i of the order, of those up to `end`: what those after it need is asked for. */
rd_fn void levels_ahead(rd_global const rd_u32 *order, rd_global const rd_u64 *row, rd_global const rd_u32 *col,
                        rd_u32 i, rd_u32 end)
{
    if (i + LEVELS_ROWS < end)
        rd_prefetch(&row[order[i + LEVELS_ROWS]]);
    if (i + LEVELS_AHEAD < end)
        rd_prefetch(&col[rd_ld_const(&row[order[i + LEVELS_AHEAD]])]);
}

/* Four sums: one would have to wait for itself, edge after edge. */
rd_fn rd_f32 levels_gather(rd_global const rd_f32 *plane, rd_global const rd_u32 *col, rd_u64 e, rd_u64 end)
{
    rd_f32 x = 0, y = 0, z = 0, w = 0;
    for (; end - e >= 4; e += 4) {
        x += plane[rd_ld_const(&col[e])];
        y += plane[rd_ld_const(&col[e + 1])];
        z += plane[rd_ld_const(&col[e + 2])];
        w += plane[rd_ld_const(&col[e + 3])];
    }
    for (; e < end; e++)
        x += plane[rd_ld_const(&col[e])];
    return (x + y) + (z + w);
}

/* Likewise, of words. */
#define LEVELS_GATHER_BY(name, add)                                                                                    \
    rd_fn rd_u64 name(rd_global const rd_u64 *plane, rd_global const rd_u32 *col, rd_u64 e, rd_u64 end)                \
    {                                                                                                                  \
        rd_u64 x = 0, y = 0, z = 0, w = 0;                                                                             \
        for (; end - e >= 4; e += 4) {                                                                                 \
            x = add(x, plane[rd_ld_const(&col[e])]);                                                                   \
            y = add(y, plane[rd_ld_const(&col[e + 1])]);                                                               \
            z = add(z, plane[rd_ld_const(&col[e + 2])]);                                                               \
            w = add(w, plane[rd_ld_const(&col[e + 3])]);                                                               \
        }                                                                                                              \
        for (; e < end; e++)                                                                                           \
            x = add(x, plane[rd_ld_const(&col[e])]);                                                                   \
        return add(add(x, y), add(z, w));                                                                              \
    }
LEVELS_GATHER_BY(levels_gather_doubles, bc_double_sum)
LEVELS_GATHER_BY(levels_gather_pairs, bc_sum)

rd_fn rd_u64 levels_gather_wide(rd_u32 wide, rd_global const rd_u64 *plane, rd_global const rd_u32 *col, rd_u64 e,
                                rd_u64 end)
{
    return bc_is_double(wide) ? levels_gather_doubles(plane, col, e, end) : levels_gather_pairs(plane, col, e, end);
}

#endif
