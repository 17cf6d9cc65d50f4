/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words that scheduler bsp's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_SCHED_BSP_LAYOUT_H
#define RD_SCHED_BSP_LAYOUT_H

#include "sched/parts/rest_layout.k.h"

#define BSP_LINE 32 /* words that move together between caches */

/* Round r uses slot r % BSP_SLOTS of the control words. */
#define BSP_SLOTS      4
#define BSP_SLOT_WORDS (3 * BSP_LINE)
/* Written by one group, in the round before: */
#define BSP_RAN       0  /* 64 bits: tasks of the rounds before */
#define BSP_BIG_START 2  /* first part of a big vertex of the round in the list of parts */
#define BSP_SET       3  /* which of the two sets holds the settled vertices */
#define BSP_PHASE     4  /* tasks that are to run in a later phase wait in the far set */
#define BSP_FAR       5  /* refills so far */
#define BSP_WIDTH     11 /* phases that the phase at hand is made of; 0: one */
#define BSP_DONE      12 /* tasks of it that rounds before have run; 2^31 at most */
#define BSP_NARROW    10 /* rounds so far that all groups ran although there were few tasks; as long as none has many */
#define BSP_PROBED    13 /* cores: what pulling would look at, bsp/probe.k.h; 0: nobody asked */
/* Written by one group, in the round itself: */
#define BSP_KIND       6 /* BSP_PUSH, BSP_PULL or BSP_REFILL */
#define BSP_WARY       7 /* 1: a round before this one pulled, and looked at too many edges */
#define BSP_SEEN_EDGES 8 /* 64 bits: edges of the tasks of all rounds up to this one */
/* Written by all groups in the round before, by atomics: */
#define BSP_COUNT       (BSP_LINE + 0) /* tasks of the round */
#define BSP_BIG_COUNT   (BSP_LINE + 1) /* parts of the round */
#define BSP_FRONT_EDGES (BSP_LINE + 2) /* 64 bits: edges of the tasks of the round */
#define BSP_MOST_EDGES  (BSP_LINE + 4) /* edges of its largest task */
#define BSP_OWNED       (BSP_LINE + 6) /* cores: tasks of the round that lie in pieces with an owner */
#define BSP_SPILLED     (BSP_LINE + 5) /* 1: not all of its tasks are in the queue, because the round before pulled */
/* In the round itself, by atomics: */
#define BSP_CURSOR (2 * BSP_LINE)     /* claims taken beyond the first of each group */
#define BSP_LOOKED (2 * BSP_LINE + 2) /* 64 bits: edges that a round looked at that pulls */
/* After the slots: */
#define BSP_ROUNDS    (BSP_SLOTS * BSP_SLOT_WORDS) /* rounds that had a task */
#define BSP_PULLED    (BSP_ROUNDS + 1)             /* rounds that pulled */
#define BSP_REFILLS   (BSP_ROUNDS + 2)             /* rounds that refilled from the far set */
#define BSP_AT        (BSP_ROUNDS + 3)             /* persistent, graph: the round that launches left to do */
#define BSP_MEMBERS   (BSP_ROUNDS + 4)             /* persistent: groups that took part */
#define BSP_PARTS     (BSP_ROUNDS + 5)             /* most parts of a run; where tasks repeat, of a round */
#define BSP_STEPS     (BSP_ROUNDS + BSP_LINE)      /* persistent: two pairs of words, for steps in turn */
#define BSP_STEP_AT   0                            /* the round that comes next */
#define BSP_STEP_HALT 1                            /* 1: the host asked to stop */
#define BSP_EDGES     (BSP_STEPS + BSP_LINE)       /* 64 bits: edges looked at */
#define BSP_FRESH     (BSP_EDGES + 2)              /* 64 bits: tasks given for the first time */
#define BSP_FUSED     (BSP_EDGES + 4)              /* 64 bits: tasks run in the round that found them */
/* The far set of refill s uses entry s % BSP_FAR_SETS. */
#define BSP_FAR_SETS  4
#define BSP_FAR_COUNT (BSP_EDGES + BSP_LINE) /* tasks in it */
#define BSP_FAR_SOON  (BSP_FAR_COUNT + 1)    /* no task of it is to run before this phase */
/* Written by the host before the run: leave after so many rounds in a row with fewer tasks than these; 0 rounds: never.
 * LATE: not before half of all edges were seen. */
#define BSP_LEAVE_ROUNDS (BSP_FAR_COUNT + BSP_FAR_SETS * BSP_LINE)
#define BSP_LEAVE_TASKS  (BSP_LEAVE_ROUNDS + 1)
#define BSP_LEAVE_LATE   (BSP_LEAVE_ROUNDS + 2)
#define BSP_WIDEN        (BSP_LEAVE_ROUNDS + 3)        /* phases of fewer tasks are run together; 0: none */
#define BSP_OWNERS       (BSP_LEAVE_ROUNDS + 4)        /* cores: groups that have entries */
#define BSP_REGIONS      (BSP_LEAVE_ROUNDS + 5)        /* cores: groups that have bins; launches may be of fewer */
#define BSP_CLAIMS_EACH  (BSP_LEAVE_ROUNDS + 6)        /* cores: claims of a group in a round */
#define BSP_HERE         (BSP_LEAVE_ROUNDS + 7)        /* cores: tasks that one runs where it found them */
#define BSP_SHARED       (BSP_LEAVE_ROUNDS + 8)        /* cores: tasks in bins for each, which all share */
#define BSP_STAMP        (BSP_LEAVE_ROUNDS + 9)        /* cores: of round 0 of this run; 0: there are none, but sets */
#define BSP_REST         (BSP_LEAVE_ROUNDS + BSP_LINE) /* cores: head of what is left of a round, parts/rest.k.h */
#define BSP_WORDS        (BSP_REST + REST_HEAD)
/* Behind these, on cores: two entries an owner, for rounds in turn, bsp/own.k.h; then what is left of a round. */
#define BSP_OWN        BSP_WORDS
#define BSP_OWN_ROUND  0 /* the entry is of this round */
#define BSP_OWN_FROM   1 /* first task of the piece, in the round's part of the queue */
#define BSP_OWN_COUNT  2 /* its tasks */
#define BSP_OWN_CURSOR 3 /* those taken, or more */

/* Cores list vertices of more than a part's edges over this as parts: what they may leave half-way. */
#define BSP_CORE_BIG 4

#define BSP_PUSH   0
#define BSP_PULL   1
#define BSP_REFILL 2
#define BSP_OPEN   3           /* a refill that leaves the far set alone */
#define BSP_NEVER  0xffffffffu /* no phase */
/* Options, added up: kernel argument `options`, or the compile-time constant BSP_OPTIONS. */
#define BSP_PUSH_BY_GROUP 0 /* one reservation for all that a group found, or a warp, or a lane */
#define BSP_PUSH_BY_WARP  1
#define BSP_PUSH_BY_LANE  2
#define BSP_PUSH_MASK     3
#define BSP_BY_DEGREE     4 /* edges of a vertex by a group, a warp or a lane, as its degree is */
#define BSP_BITMAP        8 /* the tasks of a round are a set, not a queue */
/* With BSP_BY_DEGREE: no vertex is the group's, or a warp's; what is left is shared by all lanes, not by its own. */
#define BSP_NO_GROUP 16
#define BSP_NO_WARP  32
#define BSP_FINE     64
#define BSP_NESTED   (BSP_NO_GROUP | BSP_NO_WARP | BSP_FINE)
/* Bins of a group, bsp/bins.k.h: its region of words. Chunks are numbered from 1 in words that may say "none". */
#define BSP_BIN_COUNT  128
#define BSP_CHUNK      64 /* words: the next chunk, and tasks */
#define BSP_BIN_SOON   0  /* least phase that has tasks, or BSP_NEVER */
#define BSP_BIN_FREE   1  /* first chunk that was used and is not */
#define BSP_BIN_FRESH  2  /* chunks that were ever used */
#define BSP_BIN_TOP    3  /* unless SOON is BSP_NEVER: no task is of a later phase */
#define BSP_BIN_SHOWN  4  /* two pairs, for rounds in turn: SOON as it was when the round began, and its tasks */
#define BSP_BIN_RAN    8  /* likewise two: tasks that the group ran in the round before without passing the queue */
#define BSP_BIN_KEPT   10 /* what was in the stash when the group left half-way: the first chunk, and how many tasks */
#define BSP_BIN_HEADS  BSP_LINE
#define BSP_BIN_TASKS  (BSP_BIN_HEADS + BSP_BIN_COUNT) /* of each bin; all chunks but the first are full */
#define BSP_BIN_HEADER (BSP_BIN_TASKS + BSP_BIN_COUNT)
#define BSP_FUSE_MOST  1024 /* tasks that a core runs where it found them */
/* Compile-time constant BSP_LAUNCH: */
#define BSP_BOTH       0
#define BSP_DISCRETE   1
#define BSP_PERSISTENT 2
#define BSP_LOOPED     3 /* launch `graph` */
#define BSP_LOOP       8 /* its rounds between two looks whether there are more */
/* Most edges of a task in rounds that group 0 runs alone, bsp/one_group.k.h. */
#define BSP_ONE_GROUP_EDGES 16
/* Kernel argument `delay`: looks or turns, and above them the kind of discovery. */
#define BSP_LOOKS_BITS   28
#define BSP_LOOKS(delay) ((delay) & ((1u << BSP_LOOKS_BITS) - 1))
/* Kernel argument `direction`: */
#define BSP_ALWAYS_PUSH 0
#define BSP_ALWAYS_PULL 1
#define BSP_SWITCHING   2

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define BSP_ARGS(buf, arg)                                                        \
    buf(const rd_u64, row)                                                        \
    buf(const rd_u32, col)                                                        \
    buf(rd_u32, queue) /* repeating: two queues in turn, then two far sets */        \
    buf(rd_u64, parts) /* vertex in the low half, number of the part above */     \
    buf(rd_u32, bits) /* sets of vertices: two settled ones, bsp/pull.k.h; */     \
    /* or queued ones for rounds in turn and those in the far set, bsp/give.k.h, */  \
    /* then stamps; */                                                            \
    /* --frontier bitmap: the tasks of rounds in turn */                          \
    buf(rd_u32, control)                                                          \
    buf(rd_u32, grid) /* persistent: words of discovery, then of the barrier */   \
    arg(rd_u32, vertices)                                                         \
    arg(rd_u64, edges)                                                            \
    arg(rd_u32, round) /* the one to run, or to start with */                     \
    arg(rd_u32, direction)                                                        \
    arg(rd_u32, span) /* 0: no vertex is big */                                   \
    arg(rd_u32, claim_min)                                                        \
    arg(rd_u32, claim_max)                                                        \
    arg(rd_u32, options)                                                          \
    arg(rd_u32, delay) /* persistent: of discovery, its kind above; 0: none */    \
    buf(rd_u32, bins) /* CPUs, repeating: a region for each group */              \
    arg(rd_u32, bin_words) /* of a region; 0: there are no bins */                \
    arg(rd_u32, flat) /* no vertex has many edges */                              \
    arg(rd_u32, ahead) /* groups run tasks that they found */
/* clang-format on */

#endif
