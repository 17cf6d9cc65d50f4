/* SPDX-License-Identifier: Apache-2.0 */
/* dialect_layout.k.h - arguments of the kernels of dialect.k.c, for them and for the host. */
#ifndef RD_SELFTEST_DIALECT_LAYOUT_H
#define RD_SELFTEST_DIALECT_LAYOUT_H

/* clang-format off */
#define ATOMICS32_ARGS(buf, arg) \
    buf(rd_u32, word)            \
    buf(rd_u32, ticket)          \
    arg(rd_u32, turns)
#define ATOMICS64_ARGS(buf, arg) \
    buf(rd_u64, word)            \
    buf(rd_u64, ticket)          \
    arg(rd_u32, turns)
#define TOGETHER_ARGS(buf, arg) \
    buf(rd_u32, word)           \
    buf(rd_u32, ticket)         \
    arg(rd_u32, turns)
#define CAS_ARGS(buf, arg) \
    buf(rd_u32, word)      \
    buf(rd_u64, wide)      \
    buf(rd_f32, sum)       \
    arg(rd_u32, turns)
#define LOAD_STORE_ARGS(buf, arg) buf(rd_u32, narrow) buf(rd_u64, wide)
#define COLLECTIVES_ARGS(buf, arg) \
    buf(const rd_u32, in)          \
    buf(rd_u32, out)               \
    arg(rd_u32, turns)             \
    arg(rd_u32, from)
#define GEOMETRY_ARGS(buf, arg) buf(rd_u32, out)
/* clang-format on */

/* Kernel `together`: what lane number `me` of the launch adds in turn i, or TOGETHER_AWAY: it does not come by. Small
 * numbers, none, and one that takes many bits. */
#define TOGETHER_ADDS(me, i)                                                                                           \
    (((me) + (i)) % 5 == 3 ? TOGETHER_AWAY : ((me) + 3 * (i)) % 61 == 60 ? 1000u : ((me)*7 + (i)) % 9)
#define TOGETHER_MOST 1000u
#define TOGETHER_AWAY 0xffffffffu

#endif
