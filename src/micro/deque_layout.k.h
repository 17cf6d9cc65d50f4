/* SPDX-License-Identifier: Apache-2.0 */
/* deque_layout.k.h - the words that micro/deque.k.c and its host side share. */
#ifndef RD_MICRO_DEQUE_LAYOUT_H
#define RD_MICRO_DEQUE_LAYOUT_H

/* What groups do. */
#define DEQUE_ACT_PUSH  1
#define DEQUE_ACT_POP   2
#define DEQUE_ACT_STEAL 4
#define DEQUE_ACT_COUNT 8 /* each token in `seen` */

/* Control words. */
#define DEQUE_LEFT    0 /* tokens nobody has met yet */
#define DEQUE_WON     32
#define DEQUE_FAILED  33
#define DEQUE_EMPTY   34
#define DEQUE_MOST    35 /* taken by one group */
#define DEQUE_BAD     36
#define DEQUE_SUM     38 /* 64 bits: of all tokens met */
#define DEQUE_CONTROL 64

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define DEQUE_RUN_ARGS(buf, arg)                         \
    buf(rd_u32, line)                                    \
    buf(rd_u32, item)                                    \
    buf(rd_u32, control)                                 \
    buf(rd_u32, seen)                                    \
    arg(rd_u32, shift)                                   \
    arg(rd_u32, kind)                                    \
    arg(rd_u32, owners)                                  \
    arg(rd_u32, each)                                    \
    arg(rd_u32, burst) /* most items of one operation */ \
    arg(rd_u32, acts)                                    \
    arg(rd_u32, turns)
/* clang-format on */

#endif
