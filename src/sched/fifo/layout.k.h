/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words that scheduler fifo's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_SCHED_FIFO_LAYOUT_H
#define RD_SCHED_FIFO_LAYOUT_H

/* Launch r uses slot r % FIFO_SLOTS of the control words. A slot has the words of each ring: class 0, the ordinary
 * tasks; class 1, those that come first. Words that many groups hit lie on lines of their own (128 bytes). */
#define FIFO_SLOTS      4
#define FIFO_RING_WORDS 128
#define FIFO_SLOT_WORDS (2 * FIFO_RING_WORDS)
#define FIFO_START      0  /* the first ticket; front and rear count from there */
#define FIFO_REAR       32 /* tickets to give handed out; discrete: the tasks of this launch, given by the one before */
#define FIFO_FRONT      64 /* tickets to take handed out */
/* After the slots: */
#define FIFO_PENDING (FIFO_SLOTS * FIFO_SLOT_WORDS) /* units of work: see fifo/fifo.k.h */
#define FIFO_GATE    (FIFO_PENDING + 32)            /* 64 bits, of a gated run: see FIFO_GATE_WORD */
#define FIFO_LEVELS  (FIFO_GATE + 2)                /* of a gated run: levels that were opened */
#define FIFO_FULL    (FIFO_GATE + 32)  /* a ring was full in launch FULL - 1: all leave, the host makes it larger */
#define FIFO_HELD    (FIFO_FULL + 1)   /* of groups that left with a checkpoint: tasks in hand less their credit */
#define FIFO_STATS   (FIFO_FULL + 32)  /* FIFO_COUNTS numbers of 64 bits */
#define FIFO_LOADS   (FIFO_STATS + 32) /* of workers of one lane: see fifo/cpu_worker.k.h */
#define FIFO_LOAD(g) (FIFO_LOADS + 16 * (g))
#define FIFO_LOADED  64 /* so many of them at most */
#define FIFO_WORDS   (FIFO_LOADS + 16 * FIFO_LOADED)

/* The gate: tasks of tickets before this one may be run; over: there are no others. */
#define FIFO_GATE_WORD(over, ticket) ((over) << 32 | (ticket))

#define FIFO_TASKS        0 /* tasks run */
#define FIFO_FRESH        1 /* tasks given for the first time */
#define FIFO_RESERVATIONS 2 /* atomics on the ends of the rings that succeeded ... */
#define FIFO_RETRIES      3 /* ... and that did not */
#define FIFO_EMPTY_POLLS  4
#define FIFO_SHARED       5 /* tasks that went through a ring */
#define FIFO_EDGES        6
#define FIFO_COUNTS       7

/* queued[v]: parts/mark.k.h. With two classes it is a set of bits: */
#define FIFO_IN_RING(class) (1u << (class)) /* v is in that ring */
#define FIFO_NEWS           4u              /* and no task has run since it was given */

/* Room in a worker of so many lanes, which is a core or is not: tickets of a class that each lane holds, and tasks that
 * the worker keeps to itself. */
#define FIFO_MOST_FETCH              1023 /* tickets that a worker takes at once */
#define FIFO_FETCH_ROOM(core, lanes) ((lanes) > 1 ? 1 : (core) ? FIFO_MOST_FETCH + 1 : 64)
#define FIFO_KEEP_ROOM(core, lanes)  ((lanes) > 1 ? (lanes) : (core) ? 2048 : 64)

/* What a group of so many lanes leaves behind when a ring is full: at most so many words. fifo/checkpoint.k.h checks.
 */
#define FIFO_CHECKPOINT(lanes) (9472 + 32 * (lanes))

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define FIFO_ARGS(buf, arg)                                                        \
    buf(const rd_u64, row)                                                         \
    buf(const rd_u32, col)                                                         \
    buf(rd_u64, ring)                                                              \
    buf(rd_u64, first_ring) /* of tasks that come first; unused without them */    \
    buf(rd_u32, queued)                                                            \
    buf(rd_u32, control)                                                           \
    buf(rd_u32, checkpoint)                                                        \
    buf(rd_u32, hub_board) /* edges/hubs.k.h */                                    \
    arg(rd_u32, shift) /* a ring has 2^shift slots */                              \
    arg(rd_u32, kind)  /* of queue; only where it is no constant */                \
    arg(rd_u32, leaves) /* likewise; fifo/group.k.h */                             \
    arg(rd_u32, resume) /* go on where the launch before left, with its checkpoint */ \
    arg(rd_u32, round) /* discrete: the number of the launch; persistent: 0 */     \
    arg(rd_u32, persistent)                                                        \
    arg(rd_u32, keep)                                                              \
    arg(rd_u32, fetch) /* most tickets at once, up to FIFO_MOST_FETCH */           \
    arg(rd_u32, hub_span) /* of hubs; 0: there are none */
#define FIFO_SEED_OWN_ARGS(buf, arg)                                                   \
    buf(rd_u64, ring)                                                                  \
    buf(rd_u32, queued)                                                                \
    arg(rd_u32, shift)                                                                 \
    arg(rd_u32, ticket) /* of task 0 */                                                \
    arg(rd_u32, takers) /* groups */                                                   \
    arg(rd_u32, share)
/* clang-format on */

#endif
