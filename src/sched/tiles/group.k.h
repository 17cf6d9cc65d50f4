/* SPDX-License-Identifier: Apache-2.0 */
/* group.k.h - arguments of scheduler `tiles` and what a group knows of itself; tiles/tiles.k.h explains. */
#ifndef RD_SCHED_TILES_GROUP_K_H
#define RD_SCHED_TILES_GROUP_K_H

#include "raddle/kernel.h"
#include "sched/parts/pending.k.h"
#include "sched/tiles/layout.k.h"

#define TILES_NONE 0xffffffffu

/* clang-format off */
#define TILES_KERNEL_ARGS(buf, arg) TILES_ARGS(buf, arg) RD_APP_ARGS(buf, arg)
/* clang-format on */
rd_context(tiles_ctx, TILES_ARGS);

/* Words of the board: what lane 0 tells the others. */
#define BOARD_PORTION 0
#define BOARD_DRY     1
#define BOARD_STOP    2
#define BOARD_OFFER   3 /* how many tasks to offer */
#define BOARD_LOOT    4 /* how many tasks were stolen, and whose */
#define BOARD_OWNER   5
#define BOARD_START   6 /* where to begin the next search for work */
#define BOARD_SEEK    7 /* steal: whether to look at what others have */
#define BOARD_STACK   8 /* which one is the group's; in other 128 bits than LOOT, which lane 0 reads when all read it */
#define BOARD_UNITS   9 /* steal: of the portion */
#define BOARD_BACK    10 /* steal: units of it that went back to the range */
#define BOARD_WORDS   11

/* Items that lie one behind the other, by their number: tile after tile. */
typedef struct {
    rd_u32 item, left;
} tiles_span;

/* What only lane 0 needs to know: in memory of the group, since registers are what limits how many groups run at a
 * time. */
typedef struct {
    rd_u64 tasks, given, stolen;
    rd_u64 own;   /* steal: the group's range as last seen */
    rd_u32 spare; /* steal: the last portion was of several units */
    rd_u32 next;  /* portion */
    rd_u32 seed;
    rd_u32 holds, hungry, idle; /* has work that LEFT counts; is counted as waiting; for how many turns */
    rd_u32 taken, back, steals, attempts, turns, high;
} tiles_book;

typedef struct {
    rd_local rd_u32 *board;
    rd_local rd_u32 *scratch;
    rd_local tiles_book *book;
    /* equal in all lanes */
    tiles_span now, later; /* later: only while now has items */
    rd_u32 bottom, height; /* of the stack, in tasks */
    rd_u32 shared;         /* others may have tasks of the same items */
    rd_u32 dry;            /* nothing will come any more */
} tiles_group;

/* A place of the group's stack, which is a ring: its bottom moves up when tasks are offered. */
rd_fn rd_global rd_f32x4 *tiles_place(const tiles_ctx *c, const tiles_group *g, rd_u32 i)
{
    const rd_u32 at = g->bottom + i;
    return c->stack + 2 * ((rd_u64)c->capacity * g->board[BOARD_STACK] + (at < c->capacity ? at : at - c->capacity));
}

#endif
