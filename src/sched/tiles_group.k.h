/* SPDX-License-Identifier: Apache-2.0 */
/* tiles_group.k.h - arguments of scheduler `tiles` and what a group knows of itself; tiles.k.h explains. */
#ifndef RD_SCHED_TILES_GROUP_K_H
#define RD_SCHED_TILES_GROUP_K_H

#include "raddle/kernel.h"
#include "sched/tiles_layout.k.h"

#define TILES_NONE 0xffffffffu

/* clang-format off */
#define TILES_ARGS(arg)                                                                  \
    arg(rd_global rd_f32x4 *, stack) /* of each group, 2 x capacity vectors */           \
    arg(rd_global rd_u32 *, claim)   /* hardware: of each stack, whether it is in use */ \
    arg(rd_global rd_u64 *, deque)   /* steal: of each group */                          \
    arg(rd_global rd_u32 *, control)                                                     \
    arg(rd_global rd_u64 *, counts)                                                      \
    arg(rd_u32, scheme)                                                                  \
    arg(rd_u32, stacks)                                                                  \
    arg(rd_u32, capacity)                                                                \
    arg(rd_u32, shift)  /* a tile is 2^shift items wide and high */                      \
    arg(rd_u32, unit)   /* 2^unit items are a unit: a tile or a part of it */            \
    arg(rd_u32, across) /* tiles in a row */                                             \
    arg(rd_u32, columns)                                                                 \
    arg(rd_u32, rows)                                                                    \
    arg(rd_u32, first) /* units of this launch */                                        \
    arg(rd_u32, last)  /* one behind them */                                             \
    arg(rd_u32, whole) /* tiles that are handed out whole; those behind them: in units */
#define TILES_KERNEL_ARGS(arg) TILES_ARGS(arg) RD_APP_ARGS(arg)
/* clang-format on */
rd_context(tiles_ctx, TILES_ARGS);

/* Words of the board: what lane 0 tells the others. */
#define BOARD_PORTION 0
#define BOARD_DRY     1
#define BOARD_STOP    2
#define BOARD_WORDS   3

/* Items of one tile that lie one behind the other. */
typedef struct {
    rd_u32 tile, item, left;
} tiles_span;

typedef struct {
    rd_local rd_u32 *board;
    rd_local rd_u32 *scratch;
    rd_global rd_f32x4 *stack;
    /* equal in all lanes */
    tiles_span now, later; /* later: only while now has items */
    rd_u32 height;         /* of the stack, in tasks */
    rd_u32 dry;            /* nothing will come any more */
    rd_u32 turns, high;
    rd_u64 tasks, given;
    /* of lane 0 */
    rd_u32 next, seed;
    rd_u32 taken, steals, attempts;
} tiles_group;

#endif
