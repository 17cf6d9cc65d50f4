/* SPDX-License-Identifier: Apache-2.0 */
/* seed_layout.k.h - the words and arguments that seed kernels and their host side share. Plain numbers: both
 * include it. */
#ifndef RD_SCHED_SEED_LAYOUT_H
#define RD_SCHED_SEED_LAYOUT_H

#define SEED_NOW   0  /* vertices that are seeds */
#define SEED_LATER 32 /* those that may be one the next time; on a line of its own */
#define SEED_WORDS 64

/* clang-format off */
#define SEED_ARGS(buf, arg)             \
    buf(const rd_u32, seed_list)        \
    arg(rd_u32, seed_first) /* in it */ \
    arg(rd_u32, seed_count)             \
    arg(rd_u32, seed_stride) /* not 0: seeds are all vertices, in steps of it */
#define SEED_WHERE_ARGS(buf, arg)                                         \
    buf(const rd_u32, seed_from) /* vertices to ask for, if listed */     \
    arg(rd_u32, seed_listed)                                              \
    arg(rd_u32, seed_asked) /* how many: else the first ones of all */    \
    buf(rd_u32, seed_now)                                                 \
    buf(rd_u32, seed_later)                                               \
    buf(const rd_u64, seed_row) /* of the graph */                        \
    buf(const rd_u32, seed_col)                                           \
    buf(rd_u32, seed_words)
/* clang-format on */

#endif
