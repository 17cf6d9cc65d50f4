/* SPDX-License-Identifier: Apache-2.0 */
/* litmus_layout.k.h - arguments of the kernels of litmus.k.c, for them and for the host. */
#ifndef RD_SELFTEST_LITMUS_LAYOUT_H
#define RD_SELFTEST_LITMUS_LAYOUT_H

/* clang-format off */
#define MESSAGE_ARGS(buf, arg) \
    buf(rd_u32, data)          \
    buf(rd_u32, flag)          \
    buf(rd_u64, flag64)        \
    buf(rd_u32, count)         \
    arg(rd_u32, rounds)        \
    arg(rd_u32, how)
#define COHERENCE_ARGS(buf, arg) \
    buf(rd_u32, word)            \
    buf(rd_u64, word64)          \
    buf(rd_u32, count)           \
    arg(rd_u32, rounds)
#define BARRIER_ARGS(buf, arg) \
    buf(rd_u32, board)         \
    buf(rd_u32, count)         \
    arg(rd_u32, rounds)
#define STEP_ARGS(buf, arg) \
    buf(rd_u32, board)      \
    buf(rd_u32, count)      \
    arg(rd_u32, words)      \
    arg(rd_u32, step)
#define ENDLESS_ARGS(buf, arg) \
    buf(rd_u32, count)         \
    arg(rd_u32, most)          \
    arg(rd_u32, linger)
#define FALLING_ARGS(buf, arg) \
    buf(rd_u32, word)          \
    arg(rd_u32, words)
/* clang-format on */

#endif
