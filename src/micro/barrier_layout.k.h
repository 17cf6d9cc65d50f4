/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_layout.k.h - the words that the kernels of barrier.k.c leave for the host. Plain numbers: both include
 * it. */
#ifndef RD_MICRO_BARRIER_LAYOUT_H
#define RD_MICRO_BARRIER_LAYOUT_H

/* Faults, by who read from whom. */
#define BARRIER_SAME   0 /* a lane from a lane of its own group */
#define BARRIER_UP     1 /* group 0 from another */
#define BARRIER_DOWN   2 /* another from group 0 */
#define BARRIER_ACROSS 3 /* another from another */
#define BARRIER_PHASE  4 /* a group more than a barrier away */
#define BARRIER_CASES  5
/* After them: */
#define BARRIER_DONE  5 /* groups that passed all barriers */
#define BARRIER_COUNT 6 /* groups that took part */
#define BARRIER_OUT   8

#define BARRIER_LARGE_WORDS 10000 /* group memory of discover_large */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define ROUNDS_ARGS(buf, arg)                        \
    buf(rd_u32, poll) /* words of discovery */       \
    buf(rd_u32, words) /* of the barrier */          \
    buf(rd_u32, board) /* two places a lane */       \
    buf(rd_u32, phase) /* the round of each group */ \
    buf(rd_u32, out)                                 \
    arg(rd_u32, rounds)                              \
    arg(rd_u32, kind) /* of discovery */             \
    arg(rd_u32, delay)
#define DISCOVER_ARGS(buf, arg)                                  \
    buf(rd_u32, poll)                                            \
    buf(rd_u32, words)                                           \
    buf(rd_u32, found) /* number and count, two words a group */ \
    arg(rd_u32, meetings)                                        \
    arg(rd_u32, kind)                                            \
    arg(rd_u32, delay)                                           \
    arg(rd_u32, native)
#define MEET_ARGS(buf, arg) buf(rd_u32, out) arg(rd_u32, looks)
#define NOTHING_ARGS(buf, arg) arg(rd_u32, number)
/* clang-format on */

#endif
