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
#define COLOR_CLASSES 33          /* numbers of bits that a degree has */

#endif
