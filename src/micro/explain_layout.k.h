/* SPDX-License-Identifier: Apache-2.0 */
/* explain_layout.k.h - what micro/explain.c and micro/explain.k.c share. Plain numbers: both include it. */
#ifndef RD_MICRO_EXPLAIN_LAYOUT_H
#define RD_MICRO_EXPLAIN_LAYOUT_H

/* Words of `out`, on lines of their own: what atomics add to; lanes that found what should not be; a place to write to.
 */
#define EXPLAIN_SUM   0
#define EXPLAIN_WRONG 32
#define EXPLAIN_SINK  64
#define EXPLAIN_WORDS 96

#define EXPLAIN_BY_LANE 0 /* who adds to the word: */
#define EXPLAIN_BY_WARP 1 /* where there are no warps, the group */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define COMBINE_ARGS(buf, arg) \
    buf(rd_u32, out)           \
    arg(rd_u32, rounds)        \
    arg(rd_u32, by)
#define STRIDE_ARGS(buf, arg)                              \
    buf(const rd_u32, word) /* ones: `rounds` for each lane */ \
    buf(rd_u32, out)                                       \
    arg(rd_u32, rounds)                                    \
    arg(rd_u32, meets) /* 1: at a barrier after each word */
#define WORK_ARGS(buf, arg) \
    buf(rd_u32, out)        \
    arg(rd_u32, loops)
/* clang-format on */

#endif
