/* SPDX-License-Identifier: Apache-2.0 */
/* queue_layout.k.h - what selftest/test_queue.c and selftest/queue.k.c share. Plain numbers: both include it. */
#ifndef RD_SELFTEST_QUEUE_LAYOUT_H
#define RD_SELFTEST_QUEUE_LAYOUT_H

/* Words of `control`, on lines of their own. */
#define QUEUE_FRONT 0
#define QUEUE_REAR  32
#define QUEUE_LEFT  64 /* tokens nobody has met yet */
#define QUEUE_STATS                                                                                                    \
    96 /* reservations, retries, empty polls, workers that gave up, tokens that nobody gave, old data  \
                        */
#define QUEUE_CONTROL 128

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define QUEUE_ARGS(buf, arg) \
    buf(rd_u64, slot)        \
    buf(rd_u32, control)     \
    buf(rd_u32, seen)        \
    buf(rd_u32, data)        \
    arg(rd_u32, shift)       \
    arg(rd_u32, kind)        \
    arg(rd_u32, tokens)      \
    arg(rd_u32, burst)       \
    arg(rd_u32, givers)      \
    arg(rd_u32, taker)       \
    arg(rd_u32, turns)
/* clang-format on */

#endif
