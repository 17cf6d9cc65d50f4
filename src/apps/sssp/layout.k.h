/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words that sssp's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_APPS_SSSP_LAYOUT_H
#define RD_APPS_SSSP_LAYOUT_H

#define SSSP_OVERFLOW   0 /* 1: a way was longer than 32 bits hold */
#define SSSP_CYCLE      1 /* 1: negative weights go round for ever, or beyond 32 bits */
#define SSSP_NOTE_WORDS 2

#endif
