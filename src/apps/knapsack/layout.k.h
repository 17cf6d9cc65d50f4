/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - what knapsack/knapsack.c and knapsack/knapsack.k.c agree on: the words of their buffers. */
#ifndef RD_APPS_KNAPSACK_LAYOUT_H
#define RD_APPS_KNAPSACK_LAYOUT_H

/* problem: constants of 64 bits */
#define KNAPSACK_CAPACITY      0
#define KNAPSACK_START         1 /* value of the start solution */
#define KNAPSACK_UPPER         2 /* Dantzig's bound of the whole problem */
#define KNAPSACK_MOST          3 /* highest value of an item */
#define KNAPSACK_SPAN          4 /* dominance: weights are below it; */
#define KNAPSACK_KEY_BITS      5 /*   (level, weight) is a number of so many bits, */
#define KNAPSACK_VALUE_BITS    6 /* beside it in a slot stands one of so many */
#define KNAPSACK_EPOCH         7 /* above both: the run that wrote the slot; older slots count as empty */
#define KNAPSACK_RANK_DROP     8 /* bits of a difference of bounds that a rank has no room for */
#define KNAPSACK_BUDGET        9 /* of several ranks: tasks that are run in a while */
#define KNAPSACK_PROBLEM_WORDS 10

/* A subtree that is being searched, in the pool; words of 64 bits */
#define KNAPSACK_TASK_BITS   0 /* decisions of the last (level mod 64) levels: 1 = unlike the break solution */
#define KNAPSACK_TASK_OPEN   1 /* levels among them whose other decision is still to be tried */
#define KNAPSACK_TASK_WEIGHT 2
#define KNAPSACK_TASK_VALUE  3
#define KNAPSACK_TASK_PLACE  4 /* level | trail << 32 */
#define KNAPSACK_TASK_TOP    5 /* level of its root | flags << 32 */
#define KNAPSACK_TASK_WORDS  6
#define KNAPSACK_ENTER       1u /* flags: the node at `level` is yet to be looked at */
#define KNAPSACK_AGE_SHIFT   8  /* flags: how often it was split, up to 255 */

/* 64 levels of a path, in the trail */
#define KNAPSACK_TRAIL_BITS   0
#define KNAPSACK_TRAIL_OPEN   1
#define KNAPSACK_TRAIL_PARENT 2 /* the 64 levels above; KNAPSACK_ROOT: none */
#define KNAPSACK_TRAIL_WORDS  3
#define KNAPSACK_ROOT         0xffffffffu

/* notes: words of 64 bits */
#define KNAPSACK_BEST           0  /* value of the best solution */
#define KNAPSACK_SOLUTIONS      1  /* solutions written down */
#define KNAPSACK_TRAIL          2  /* entries of the trail in use */
#define KNAPSACK_LOST           3  /* nodes that were dropped because the trail was full */
#define KNAPSACK_RUN            4  /* of several ranks: tasks that were to run in this while */
#define KNAPSACK_COUNTS         16 /* shards of 8 words */
#define KNAPSACK_SHARDS         64
#define KNAPSACK_NODES          0 /* in a shard: nodes looked at */
#define KNAPSACK_HOPELESS       1 /* ... that could not beat the best */
#define KNAPSACK_DOMINATED      2 /* ... that another node of the same level and weight beats */
#define KNAPSACK_LIST           (KNAPSACK_COUNTS + 8 * KNAPSACK_SHARDS) /* solutions: a ring */
#define KNAPSACK_LIST_SIZE      4096
#define KNAPSACK_SOLUTION_VALUE 0
#define KNAPSACK_SOLUTION_BITS  1
#define KNAPSACK_SOLUTION_PLACE 2 /* level | trail << 32 */
#define KNAPSACK_SOLUTION_WORDS 4
#define KNAPSACK_CONTROL_WORDS  (KNAPSACK_LIST + KNAPSACK_LIST_SIZE * KNAPSACK_SOLUTION_WORDS)

/* Of several ranks: what a task that starts a while has above the number of its slot. Behind the records of the pool
 * stands a word a slot, the rank of a task that waits. */
#define KNAPSACK_SEED 0x80000000u

/* A rank: how far the subtree's bound lies below the whole problem's, in so many steps of 2^KNAPSACK_RANK_DROP, then
 * the deeper the sooner. */
#define KNAPSACK_RANK_SHIFT 20

#endif
