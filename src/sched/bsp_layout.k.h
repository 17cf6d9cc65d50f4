/* SPDX-License-Identifier: Apache-2.0 */
/* bsp_layout.k.h - the words that scheduler bsp's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_SCHED_BSP_LAYOUT_H
#define RD_SCHED_BSP_LAYOUT_H

/* Round r uses slot r % BSP_SLOTS of the control words. Words that many groups hit lie on lines of their own (128
 * bytes). */
#define BSP_SLOTS      4
#define BSP_SLOT_WORDS 128
#define BSP_START      0  /* first task of the round in the queue */
#define BSP_BIG_START  1  /* first part of a big vertex of the round in the list of parts */
#define BSP_COUNT      32 /* tasks of the round */
#define BSP_BIG_COUNT  33 /* parts of the round */
#define BSP_CURSOR     64 /* claims taken beyond the first of each group */
/* After the slots: */
#define BSP_ROUNDS (BSP_SLOTS * BSP_SLOT_WORDS) /* rounds that had a task */
#define BSP_EDGES  (BSP_ROUNDS + 32)            /* 64 bits: edges looked at */
#define BSP_WORDS  (BSP_EDGES + 32)

#endif
