/* SPDX-License-Identifier: Apache-2.0 */
/* color_layout.k.h - what is in a vertex's word. Plain numbers: host and kernels include it. */
#ifndef RD_APPS_COLOR_LAYOUT_H
#define RD_APPS_COLOR_LAYOUT_H

#define COLOR_NONE    0xffffffffu
#define COLOR_SETTLED 0x80000000u /* beside a colour: it is final (color_speculate.k.c) */

#endif
