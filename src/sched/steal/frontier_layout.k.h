/* SPDX-License-Identifier: Apache-2.0 */
/* frontier_layout.k.h - the words that steal/frontier.k.h and its host side share. Plain numbers: both include it. */
#ifndef RD_SCHED_STEAL_VERTEX_LAYOUT_H
#define RD_SCHED_STEAL_VERTEX_LAYOUT_H

#include "sched/parts/deque_layout.k.h"

#define SVERTEX_PENDING 0  /* groups that have work */
#define SVERTEX_COUNT   32 /* level by level: tasks of level L at word L % SVERTEX_SLOTS */
#define SVERTEX_SLOTS   4
#define SVERTEX_LEVEL   40  /* the level that the next launch runs */
#define SVERTEX_HALT    44  /* level L at word L % SVERTEX_SLOTS: 1 when a group left it unfinished, to stop */
#define SVERTEX_STATS   64  /* SVERTEX_COUNTS numbers of 64 bits */
#define SVERTEX_GRID    128 /* words of the global barrier from here on */

#define SVERTEX_TASKS  0
#define SVERTEX_FRESH  1
#define SVERTEX_STEALS 2
#define SVERTEX_FAILED 3
#define SVERTEX_EMPTY  4
#define SVERTEX_EDGES  5
#define SVERTEX_COUNTS 6

/* Words of a deque's line after its own. */
#define SVERTEX_TAIL   DEQUE_USER       /* the owner's copy */
#define SVERTEX_ACTIVE (DEQUE_USER + 1) /* of the first deque of a group */

/* Choices, bits of one argument. */
#define SVERTEX_BLOCKING 1
#define SVERTEX_NEAREST  2
#define SVERTEX_NO_THEFT 4

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define SVERTEX_ARGS(buf, arg)                                                         \
    buf(const rd_u64, sv_row)                                                          \
    buf(const rd_u32, sv_col)                                                          \
    buf(rd_u32, sv_control)                                                            \
    buf(rd_u32, sv_line) /* DEQUE_LINE words a deque */                                \
    buf(rd_u32, sv_item)                                                               \
    buf(rd_u32, sv_queued) /* RD_ROUNDS 0 */                                           \
    arg(rd_u32, sv_shift)                                                              \
    arg(rd_u32, sv_limit) /* of turns, or in rounds of levels; 0: until all is done */ \
    arg(rd_u32, sv_choices)
#define SVERTEX_LEVEL_ARGS(buf, arg) \
    buf(rd_u32, sv_control)          \
    arg(rd_u32, sv_level)
/* clang-format on */

#endif
