/* SPDX-License-Identifier: Apache-2.0 */
/* bsp_layout.k.h - the words that scheduler bsp's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_SCHED_BSP_LAYOUT_H
#define RD_SCHED_BSP_LAYOUT_H

/* Round r uses slot r % BSP_SLOTS of the control words. Words that many groups hit lie on lines of their own (128
 * bytes). */
#define BSP_SLOTS       4
#define BSP_SLOT_WORDS  128
#define BSP_START       0  /* first task of the round in the queue */
#define BSP_BIG_START   1  /* first part of a big vertex of the round in the list of parts */
#define BSP_DIRECTION   2  /* of the round: BSP_PUSH or BSP_PULL */
#define BSP_SEEN_EDGES  4  /* 64 bits: edges of the tasks of all rounds up to this one, as far as they were counted */
#define BSP_COUNT       32 /* tasks of the round */
#define BSP_BIG_COUNT   33 /* parts of the round */
#define BSP_FRONT_EDGES 34 /* 64 bits: edges of the tasks of the round */
#define BSP_CURSOR      64 /* claims taken beyond the first of each group */
#define BSP_FILLED      96 /* tasks written to the queue when pulling ends */
/* After the slots: */
#define BSP_ROUNDS (BSP_SLOTS * BSP_SLOT_WORDS) /* rounds that had a task */
#define BSP_PULLED (BSP_ROUNDS + 1)             /* rounds that pulled */
#define BSP_EDGES  (BSP_ROUNDS + 32)            /* 64 bits: edges looked at */
#define BSP_WORDS  (BSP_EDGES + 32)

#define BSP_PUSH 0
#define BSP_PULL 1
/* Kernel argument `direction`: */
#define BSP_ALWAYS_PUSH 0
#define BSP_ALWAYS_PULL 1
#define BSP_SWITCHING   2

#endif
