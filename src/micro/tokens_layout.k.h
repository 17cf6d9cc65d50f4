/* SPDX-License-Identifier: Apache-2.0 */
/* tokens_layout.k.h - what micro/tokens.c and micro/tokens.k.c share. Plain numbers: both include it. */
#ifndef RD_MICRO_TOKENS_LAYOUT_H
#define RD_MICRO_TOKENS_LAYOUT_H

/* Words of `control`, on lines of their own. */
#define TOKENS_FRONT  0
#define TOKENS_REAR   32
#define TOKENS_STATS  64 /* 64 bits each: tokens that came, of them wrong ones, reservations, retries, looks in vain */
#define TOKENS_COUNTS 5
#define TOKENS_WORDS  96

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define TOKENS_ARGS(buf, arg) \
    buf(rd_u64, slot)         \
    buf(rd_u32, control)      \
    arg(rd_u32, shift)        \
    arg(rd_u32, kind)         \
    arg(rd_u32, rounds)       \
    arg(rd_u32, burst) /* QUEUE_CAS: 1 */
/* clang-format on */

#endif
