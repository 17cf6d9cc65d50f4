/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.k.h - what host and kernels of color share. Plain numbers: both include it.
 *
 * A vertex has one 64-bit word. The upper half is its place in the order of degrees, and never changes during a run.
 * The lower half is its colour, COLOR_NONE until it has one.
 */
#ifndef RD_APPS_COLOR_LAYOUT_H
#define RD_APPS_COLOR_LAYOUT_H

#define COLOR_NONE    0xffffffffu
#define COLOR_SETTLED 0x80000000u /* beside a colour: it is final (color/speculate.k.c) */
#define COLOR_TRIED   0x40000000u /* beside a colour: it may still clash (color/rounds.k.c) */
#define COLOR_FIRM    0x20000000u /* beside these: the vertex insists (likewise) */
#define COLOR_CLASSES 33          /* numbers of bits that a degree has */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define ORDER_ARGS(buf, arg)                                                              \
    buf(const rd_u64, row)                                                                \
    arg(rd_u32, vertices)                                                                 \
    arg(rd_u32, stride) /* no divisor in common with vertices: brings neighbours apart */ \
    buf(rd_u32, count)                                                                    \
    buf(rd_u32, order)                                                                    \
    buf(rd_u64, state)
/* clang-format on */

#endif
