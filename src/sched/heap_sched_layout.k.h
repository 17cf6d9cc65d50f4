/* SPDX-License-Identifier: Apache-2.0 */
/* heap_sched_layout.k.h - the words that scheduler heap's host and kernel sides share. Plain numbers: both include it.
 */
#ifndef RD_SCHED_HEAP_SCHED_LAYOUT_H
#define RD_SCHED_HEAP_SCHED_LAYOUT_H

/* Words of 64 bits; those that many groups hit lie on lines of their own. */
#define RANK_PENDING 0  /* tasks that wait or run */
#define RANK_LEAVE   16 /* RANK_LEAVE_...: all workers are to leave */
#define RANK_KEPT    32 /* items that a collection kept */
#define RANK_STATS   48
#define RANK_WORDS   64

#define RANK_LEAVE_TURNS 1 /* the host wants to have a look */
#define RANK_LEAVE_FULL  2 /* the heap needs room, or a collection */

/* Counts, from RANK_STATS on. */
#define RANK_TASKS   0 /* run */
#define RANK_PRUNED  1 /* taken and dropped: not worth running any more */
#define RANK_FRESH   2 /* vertices given for the first time */
#define RANK_EDGES   3
#define RANK_POLLS   4 /* looks at an empty heap */
#define RANK_PEAK    5 /* most items seen in the heap */
#define RANK_AT_ONCE 6 /* tasks run by who found them, without the heap */
#define RANK_COUNTS  7

#endif
