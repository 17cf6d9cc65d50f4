/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_layout.k.h - the words that the global barrier and discovery use. Plain numbers: host and kernels include it.
 */
#ifndef RD_SCHED_BARRIER_LAYOUT_H
#define RD_SCHED_BARRIER_LAYOUT_H

#define RD_GRID_LINE 32 /* words that move together between caches: words that many groups hit lie so far apart */
/* The tree form. On an H200 16 branches beat 8 and 32 with 1056 groups; word and tree are equal at 528. */
#define RD_GRID_BRANCHES 16
#define RD_GRID_DIRECT   530 /* groups that need no branches */
/* Words of a barrier among so many groups, whatever its form; zero before the first use, then never again. */
#define RD_GRID_LINES         (RD_GRID_LINE * (RD_GRID_BRANCHES + 1))
#define RD_GRID_WORDS(groups) ((groups) > RD_GRID_LINES ? (groups) : RD_GRID_LINES)

/* Words of discovery; zero before each launch. */
#define RD_DISCOVERY_TICKET  0                  /* the next ticket; of the spin mutex: 1 while it is held */
#define RD_DISCOVERY_SERVING (1 * RD_GRID_LINE) /* the ticket that holds the mutex */
#define RD_DISCOVERY_COUNT   (2 * RD_GRID_LINE) /* participants */
#define RD_DISCOVERY_CLOSED  (3 * RD_GRID_LINE) /* 1: the poll is closed; without mutex: the frozen count */
#define RD_DISCOVERY_WORDS   (4 * RD_GRID_LINE)

/* How groups take turns at the poll. */
#define RD_DISCOVERY_NONE     0 /* no poll at all: the launch promises that all groups are resident */
#define RD_DISCOVERY_TICKETS  1
#define RD_DISCOVERY_SPIN     2
#define RD_DISCOVERY_DESTRUCT 3 /* tickets, until the poll is closed */
#define RD_DISCOVERY_COUNTER  4 /* no mutex: one addition a group */

#define RD_OUTSIDE 0xffffffffu /* the id of a group that does not take part */

#endif
