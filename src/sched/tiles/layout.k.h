/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - names that tiles/tiles.k.h and tiles/tiles.c share. */
#ifndef RD_SCHED_TILES_LAYOUT_H
#define RD_SCHED_TILES_LAYOUT_H

/* How tiles find workers. */
#define TILES_STATIC   0u
#define TILES_CENTRAL  1u
#define TILES_STEAL    2u
#define TILES_HARDWARE 3u

/* Control words, far enough from each other that their users do not disturb each other. */
#define TILES_NEXT   0   /* central: portions handed out */
#define TILES_LEFT   32  /* steal: units that nobody has taken, and more (tiles/offers.k.h) */
#define TILES_HUNGRY 64  /* steal: groups that wait for work */
#define TILES_UNITS  96  /* steal: units that nobody has taken; a hint */
#define TILES_OPEN   128 /* steal: offers that nobody has claimed; a hint */
#define TILES_RESET  160 /* words up to here begin each launch anew */
#define TILES_MOST   160 /* turns of the group that had most */
#define TILES_DEEP   161 /* places that the highest stack would have needed, if there were not so many */
#define TILES_WORDS  192

/* Counters, 64 bits each, in stripes that groups add to in turn: thousands of short groups would queue at one word. */
#define TILES_TASKS    0 /* run */
#define TILES_GIVEN    1 /* by tasks */
#define TILES_TAKEN    2 /* portions */
#define TILES_STEALS   3 /* that brought something */
#define TILES_ATTEMPTS 4
#define TILES_HIGH     5 /* sum of the groups' highest stacks */
#define TILES_TURNS    6 /* in which a group ran tasks */
#define TILES_PLACES   7 /* for tasks in those turns, used or not */
#define TILES_STOLEN   8 /* tasks that another group had on its stack */
#define TILES_BACK     9 /* units that went back to their range */
#define TILES_COUNTS   10
#define TILES_STRIPE   16
#define TILES_STRIPES  32

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define TILES_ARGS(buf, arg)                                                               \
    buf(rd_f32x4, stack) /* of each group, 2 x capacity vectors */                         \
    buf(rd_u32, claim)   /* static, hardware: of each stack, whether it is in use */       \
    buf(rd_u64, range)   /* steal: of each group */                                        \
    buf(rd_f32x4, offered) /* steal: of each group, tasks for others: 2 x slots vectors */ \
    buf(rd_u32, offers)    /* steal: tiles/offers.k.h */                                   \
    buf(rd_u32, control)                                                                   \
    buf(rd_u64, counts)                                                                    \
    arg(rd_u32, scheme)                                                                    \
    arg(rd_u32, stacks)                                                                    \
    arg(rd_u32, capacity)                                                                  \
    arg(rd_u32, shift)  /* a tile is 2^shift items wide and high */                        \
    arg(rd_u32, unit)   /* 2^unit items are a unit: a tile or a part of it */              \
    arg(rd_u32, bunch)  /* steal: 2^bunch units of a range lie side by side */             \
    arg(rd_u32, across) /* tiles in a row */                                               \
    arg(rd_u32, columns)                                                                   \
    arg(rd_u32, rows)                                                                      \
    arg(rd_u32, first) /* units of this launch */                                          \
    arg(rd_u32, last)  /* one behind them */                                               \
    arg(rd_u32, whole) /* tiles that are handed out whole; those behind them: in units */  \
    arg(rd_u32, share) /* steal: tasks too */
/* clang-format on */

#endif
