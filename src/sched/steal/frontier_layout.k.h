/* SPDX-License-Identifier: Apache-2.0 */
/* frontier_layout.k.h - the words that steal/frontier.k.h and its host side share. Plain numbers: both include it. */
#ifndef RD_SCHED_STEAL_VERTEX_LAYOUT_H
#define RD_SCHED_STEAL_VERTEX_LAYOUT_H

#include "sched/parts/deque_layout.k.h"

#define STEAL_PENDING 0  /* groups that have work, and spans of hubs */
#define STEAL_COUNT   32 /* level by level: tasks of level L at word L % STEAL_SLOTS */
#define STEAL_SLOTS   4
#define STEAL_LEVEL   40  /* the level that the next launch runs */
#define STEAL_HALT    44  /* level L at word L % STEAL_SLOTS: 1 when a group left it unfinished, to stop */
#define STEAL_STATS   64  /* STEAL_COUNTS numbers of 64 bits */
#define STEAL_GRID    128 /* words of the global barrier from here on */

#define STEAL_TASKS  0
#define STEAL_FRESH  1
#define STEAL_STEALS 2
#define STEAL_FAILED 3
#define STEAL_EMPTY  4
#define STEAL_EDGES  5
#define STEAL_COUNTS 6

/* Words of a deque's line after its own. */
#define STEAL_TAIL   DEQUE_USER       /* the owner's copy */
#define STEAL_ACTIVE (DEQUE_USER + 1) /* of the first deque of a group: units that it has */

/* Choices, bits of one argument. */
#define STEAL_BLOCKING 1
#define STEAL_NEAREST  2
#define STEAL_NO_THEFT 4

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define STEAL_ARGS(buf, arg)                                                         \
    buf(const rd_u64, st_row)                                                          \
    buf(const rd_u32, st_col)                                                          \
    buf(rd_u32, st_control)                                                            \
    buf(rd_u32, st_line) /* DEQUE_LINE words a deque */                                \
    buf(rd_u32, st_item)                                                               \
    buf(rd_u32, st_queued) /* RD_ROUNDS 0 */                                           \
    buf(rd_u32, st_hubs) /* edges/hubs.k.h; RD_ROUNDS 0 */                             \
    arg(rd_u32, st_shift)                                                              \
    arg(rd_u32, st_limit) /* of turns, or in rounds of levels; 0: until all is done */ \
    arg(rd_u32, st_choices)                                                            \
    arg(rd_u32, st_span) /* of hubs; 0: there are none */
#define STEAL_LEVEL_ARGS(buf, arg) \
    buf(rd_u32, st_control)          \
    arg(rd_u32, st_level)
/* clang-format on */

#endif
