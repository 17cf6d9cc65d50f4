/* SPDX-License-Identifier: Apache-2.0 */
/* group.k.h - what a worker of scheduler fifo is: constants, kernel arguments, the state of a group. */
#ifndef RD_SCHED_FIFO_GROUP_K_H
#define RD_SCHED_FIFO_GROUP_K_H

/* Of a core, room for the task that fills it and for the tile behind that: see fifo_burst. */
#define SPREAD_HERE  1 /* as under `steal`: single tasks are run where the turn is, lists of them across */
#define SPREAD_STASH (SPREAD_SPARE_OF(RD_CORE) + (1 + RD_CORE) * SPREAD_ROOM)
#ifdef RD_APP_VERTEX
#define SPREAD_LOOK 64
#endif
#include "sched/edges/spread.k.h"
#include "sched/parts/mark.k.h"
#include "sched/parts/pending.k.h"
#include "sched/parts/ring.k.h"
#include "sched/fifo/layout.k.h"

#ifdef RD_APP_URGENT
#define FIFO_CLASSES 2
#else
#define FIFO_CLASSES 1
#endif
#define FIFO_EACH_CLASS(k) for (rd_u32 k = FIFO_CLASSES; k-- > 0;) /* those that come first, first */

/* A core keeps most of its tasks to itself. See fifo/cpu_worker.k.h. */
#define FIFO_FETCH FIFO_FETCH_ROOM(RD_CORE, RD_LANES)
#define FIFO_KEEP  FIFO_KEEP_ROOM(RD_CORE, RD_LANES)
#define FIFO_INBOX (FIFO_CLASSES * FIFO_FETCH)
#if RD_CORE /* a turn is a hundred edges and more */
#define FIFO_STOP_EVERY 1
#elif defined(RD_APP_URGENT) /* tasks that wait for others: turns are long */
#define FIFO_STOP_EVERY 4
#else
#define FIFO_STOP_EVERY 64 /* turns between two looks at the host's request to stop */
#endif

/* 1: level by level; see fifo.k.h. */
#ifndef FIFO_GATED
#define FIFO_GATED 0
#endif
/* 1: groups may leave with a checkpoint (fifo/checkpoint.k.h); 2: also since a ring may be full, which takes a look at
 * each turn. An argument where programs are compiled only once (CPUs). */
#ifndef FIFO_LEAVES
#define FIFO_LEAVES_OF(c) ((c)->leaves)
#else
#define FIFO_LEAVES_OF(c) (FIFO_LEAVES)
#endif
#define FIFO_HAS_CHECKPOINT(c) (FIFO_LEAVES_OF(c) > 0)
#define FIFO_MAY_FILL(c)       (FIFO_LEAVES_OF(c) > 1)
/* 1: each lane reserves tickets for itself; 0: one lane for its whole group. A queue of single tokens knows only the
 * former. */
#ifndef FIFO_DIRECT_TAKE
#define FIFO_DIRECT_TAKE 0
#endif
#ifndef FIFO_DIRECT_GIVE
#define FIFO_DIRECT_GIVE 0
#endif

rd_context(fifo_ctx, FIFO_ARGS);

#define FIFO_PUTS  256 /* tokens that a core puts between two looks whether to leave */
#define FIFO_SPANS 8   /* of hubs, taken between two looks at other things */

/* What to do next. */
#define FIFO_GO_ON     0
#define FIFO_PUT_AGAIN 1
#define FIFO_LEAVE     2
#define FIFO_PACK      3 /* leave, and be back after the rings have grown */

/* Words of the board: what lane 0 tells the others. */
#define BOARD_LEAVE      0         /* 0, FIFO_LEAVE or FIFO_PACK */
#define BOARD_WAITING(k) (1 + (k)) /* tasks that wait in the ring, or fewer than 0: tickets that wait for tasks */
#define BOARD_TICKET(k)  (3 + (k))
#define BOARD_GOT(k)     (5 + (k))
#define BOARD_GATE       7
#define BOARD_HUBS       8 /* not 0: there is a span to take */
#define BOARD_WORDS      9

typedef struct {
    spread s;
    rd_u64 way; /* edges after which it makes way */
    queue_end q[FIFO_CLASSES];
    rd_local rd_u32 *kept;
    rd_local rd_u32 *board;
    rd_u32 take_base[FIFO_CLASSES], give_base[FIFO_CLASSES]; /* tickets from which front and rear count */
    rd_u32 limit[FIFO_CLASSES];                              /* discrete: tasks of this launch */
    /* equal in all lanes */
    rd_u32 kept_at, kept_end, credit, waiting[FIFO_CLASSES]; /* waiting: tickets not served */
    /* of this lane: tickets not yet served, tasks in its inbox */
    rd_u32 ticket[FIFO_CLASSES], todo[FIFO_CLASSES], in_at, in_end, tasks, shared;
    rd_u32 inbox[FIFO_INBOX];
    rd_u32 put_ticket[FIFO_CLASSES], put_from, put, put_end; /* the exchange: its tokens */
    rd_u32 put_busy;                                         /* some lane has tokens left; equal in all lanes */
    rd_u32 gate;      /* gated: tickets before this one may be run; equal in all lanes */
    rd_u32 put_ready; /* QUEUE_CAS: the next token has its ticket */
    hubs hubs;
    rd_u32 spans; /* that may be taken before the next look; equal in all lanes */
} fifo_group;

/* Do tasks wait in a ring? */
rd_fn rd_u32 fifo_crowded(const fifo_group *g)
{
    rd_u32 crowded = 0;
    FIFO_EACH_CLASS(k)
    crowded |= (rd_i32)g->board[BOARD_WAITING(k)] > 0;
    return crowded;
}

/* Marks v as waiting in ring k; after rd_fence_rel(), which came after v's data was changed. @return 1 when it did not
 * wait there, and has to be put there. */
rd_fn rd_u32 fifo_mark(const fifo_ctx *c, rd_u32 v, rd_u32 k)
{
#if FIFO_GATED
    return 1; /* each task is given once: the app's promise in rounds */
#elif FIFO_CLASSES == 1
    return mark_set(&c->queued[v]);
#else
    return !(mark_add(&c->queued[v], FIFO_IN_RING(k) | FIFO_NEWS) & FIFO_IN_RING(k));
#endif
}

/* v came out of ring k. @return 1 when it has to be run; 0: the same task came out of the other ring meanwhile. */
rd_fn rd_u32 fifo_unmark(const fifo_ctx *c, rd_u32 v, rd_u32 k)
{
#if FIFO_GATED
    return 1;
#elif FIFO_CLASSES == 1
    mark_clear(&c->queued[v]);
    return 1;
#else
    return (mark_take(&c->queued[v], FIFO_IN_RING(k) | FIFO_NEWS) & FIFO_NEWS) != 0;
#endif
}

#endif
