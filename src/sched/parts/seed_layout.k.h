/* SPDX-License-Identifier: Apache-2.0 */
/* seed_layout.k.h - the words that kernel seed_where and its host side share. Plain numbers: both include it. */
#ifndef RD_SCHED_SEED_LAYOUT_H
#define RD_SCHED_SEED_LAYOUT_H

#define SEED_NOW   0  /* vertices that are seeds */
#define SEED_LATER 32 /* those that may be one the next time; on a line of its own */
#define SEED_WORDS 64

#endif
