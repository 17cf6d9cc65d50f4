/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.k.h - what engines for task graphs share, kernel side: a group runs a task, counts down what waits for it, and
 * keeps one of those that became ready for its own next turn; the others go where the policy keeps ready tasks. An
 * engine's file includes this one, defines what is its own, and includes dag/run.k.h:
 *
 *   DAG_POLICY            what it keeps besides a dag_group, private; DAG_LOCALS(name): an array in local memory for it
 *   DAG_IDLE_MOST         how long a group without a task rests at most (rd_idle)
 *   DAG_LOOKS_FIRST       1: the last release is told by a load (below)
 *   dag_wake, dag_sleep   ... from launch to launch
 *   dag_put_seed          takes a task that is ready at once, before the run
 *   dag_find              finds a ready task for a group that has none, or that all is done; all lanes
 *   dag_give              takes `count` tasks that became ready, g->ready[from] and after; all lanes, after each task
 *
 * Why each task runs once, and in time. waits[u] is what is missing of u's releases. A release takes one away; the one
 * that leaves 0, and no other, has made u ready, because a word's changes stand in one order. Additions (rd_await) are
 * made by a task whose own release of u is still to come, so they are before the 0.
 *   Orders. A release is made behind a group barrier after the task, with acquire and release: what all lanes of the
 * group did is seen by whoever releases u after it, and so by the one that leaves 0. That one keeps u, or hands it on
 * by a release that the taker acquires (the ring's slot, the deque's tail, or its head when it is stolen); a barrier of
 * the taker's group is between that and the task.
 *   The last release, where cores are wide. A lane that sees 1 knows that its own release is all that is missing: none
 * other can come, nor an addition. So u is ready, and the lane takes the 1 away without waiting for the answer: a load
 * is a third of an atomic with fences before and behind it, and every chain of tasks waits for it. Its own release of
 * what the task wrote is that of handing u on, or the barrier, when the group keeps u. An app that releases u once too
 * often at that very moment has u run twice, and one of the two answers is then not 1, which is told at the end.
 *
 * Turns. Words that lanes share in a turn exist twice, for even and odd turns: those of a turn are cleared in the turn
 * before it, behind a barrier that all who read them two turns ago have passed.
 */
#ifndef RD_SCHED_DAG_GROUP_K_H
#define RD_SCHED_DAG_GROUP_K_H

#include "model/dag.k.h"
#include "sched/dag/layout.k.h"
#include "sched/parts/pending.k.h"

rd_context(dag_ctx, DAG_ARGS);

#define DAG_NONE       0xffffffffu
#define DAG_IDLE_TURNS (RD_LANES == 1 ? 64 : 256) /* without a task, after which a launch of limited turns is left */

/* Lanes tell each other what became ready by a ballot, not by words and atomics in local memory. */
#define DAG_ONE_WARP (RD_WARP > 1 && RD_LANES == RD_WARP)

/* Words of the board: two of each. */
#define BOARD_TASK   0
#define BOARD_LEAVE  2
#define BOARD_LISTED 4
#define BOARD_READY  6 /* not of one warp */
#define BOARD_AT     8
#define BOARD_COUNT  10
#define BOARD_WORDS  12

/* A group; equal in all lanes but where said. */
typedef struct {
    rd_worker w;
    rd_local rd_u32 *scratch, *board, *ready; /* ready: RD_TASK_RELEASES words */
    rd_u32 kept;                              /* the next task, or DAG_NONE */
    rd_u32 odd, turn, idle_turns;
    rd_u32 active;                            /* units of PENDING that it has */
    rd_u32 tasks, own, steals, failed, empty; /* counts; of lane 0, or of the lane that acted */
    rd_u32 last, missing; /* of each lane: the task whose last release it made, and what was missing then: 1 */
} dag_group;

#endif
