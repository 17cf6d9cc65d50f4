/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visit.k.h - the edges of a group's members: load targets, ask, visit, stash. One expansion for every engine of the
 * frontier model.
 *
 * A lane has EDGES_BATCH edges in flight together: all their targets are loaded, then the app is asked which of them it
 * wants, then those are visited; so the round trips to memory overlap. What is given goes into the stash in group
 * memory, at the place that a prefix sum over the lanes gives. A core (one lane) has a plain loop instead, whose loads
 * the processor overlaps by itself.
 *
 * The engine defines, before this is included:
 *   EDGES_BATCH   edges a lane has in flight
 *   EDGES_BY_POINTER   defined: a core's loop has a pointer and no number of the edge, which takes a register less
 *   EDGES_DEFERS  1: some finds wait for a later phase (EDGES_LATER); they fill the stash from EDGES_STASH downwards
 *   edges_ctx     a type: what the kernel was given, with `col`
 *   edges_group   a type: EDGES_MEMBERS and stash of the group; stashed, and with EDGES_DEFERS late
 *   edges_find(c, g, members, t, k, &owner, &edge)  the lane's k-th edge in tile t; 0: it has none (more than one lane)
 *   edges_want(app, value, target, edge)            worth a visit? (one lane)
 *   edges_place(c, g, &worker)                      where what was given goes; EDGES_NOWHERE when nothing was
 *   edges_now(c)                                    finds are pushed at once, without the stash, by
 *   edges_push(c, g, found, where, n, counts)
 */
#ifndef RD_SCHED_EDGES_VISIT_K_H
#define RD_SCHED_EDGES_VISIT_K_H

#include "model/frontier.k.h"

/* Puts one find into the stash. */
rd_fn void edges_stash(edges_group *g, rd_u32 task, rd_u32 where, rd_u32 *near_at, rd_u32 *late_at)
{
    if (where == EDGES_NEXT)
        g->stash[(*near_at)++] = task;
#if EDGES_DEFERS
    if (where == EDGES_LATER)
        g->stash[EDGES_STASH - 1 - (*late_at)++] = task;
#endif
}

#if RD_LANES == 1

#ifdef EDGES_BY_POINTER
typedef rd_global const rd_u32 *edges_step;
#define edges_at(c, e)      ((c)->col + (e))
#define edges_number(c, at) ((rd_u64)((at) - (c)->col))
#define edges_word(c, at)   (at)
#else
typedef rd_u64 edges_step;
#define edges_at(c, e)      (e)
#define edges_number(c, at) (at)
#define edges_word(c, at)   (&(c)->col[at])
#endif

/* Edges from..to of a vertex. The counts of the stash are in registers meanwhile. */
rd_fn void edges_visit(const edges_ctx *c, const rd_app *app, edges_group *g, rd_u32 vertex, rd_u32 value, rd_u64 from,
                       rd_u64 to, rd_u32 counts)
{
    rd_u32 near_at = g->stashed, late_at = 0;
#if EDGES_DEFERS
    late_at = g->late;
#endif
    for (edges_step at = edges_at(c, from); at < edges_at(c, to); at++) {
        const rd_u64 e = edges_number(c, at);
        const rd_u32 target = rd_ld_const(edges_word(c, at));
        if (edges_want(app, value, target, e)) {
            rd_worker w = RD_WORKER_NEW;
            rd_app_edge(app, &w, vertex, value, target, e);
            const rd_u32 where = edges_place(c, g, &w);
            if (edges_now(c))
                edges_push(c, g, &w.task, &where, 1, counts);
            else
                edges_stash(g, w.task, where, &near_at, &late_at);
        }
    }
    g->stashed = near_at;
#if EDGES_DEFERS
    g->late = late_at;
#endif
}

#else

#if EDGES_DEFERS
#define EDGES_FINDS(where) ((where) == EDGES_NEXT ? 1 : (where) == EDGES_LATER ? 0x10000 : 0)
#define EDGES_NEAR(finds)  ((finds)&0xffff)
#else
#define EDGES_FINDS(where) ((where) == EDGES_NEXT)
#define EDGES_NEAR(finds)  (finds)
#endif

/* Puts what the lanes found into the stash, by a prefix sum: finds for now are counted in its lower half, deferred ones
 * in the upper. */
rd_fn void edges_stash_all(edges_group *g, const rd_u32 *found, const rd_u32 *where)
{
    rd_u32 finds = 0, all = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < EDGES_BATCH; k++)
        finds += EDGES_FINDS(where[k]);
    const rd_u32 before = rd_group_scan(g->scratch, finds, &all);
    rd_u32 near_at = g->stashed + EDGES_NEAR(before), late_at = 0;
#if EDGES_DEFERS
    late_at = g->late + (before >> 16);
    g->late += all >> 16;
#endif
    RD_UNROLL
    for (rd_u32 k = 0; k < EDGES_BATCH; k++)
        edges_stash(g, found[k], where[k], &near_at, &late_at);
    g->stashed += EDGES_NEAR(all);
    rd_barrier(); /* the stash is complete */
}

/* Visits the lane's edges of tile t: what they gave, and where it goes. */
rd_fn void edges_visit(const edges_ctx *c, const rd_app *app, edges_group *g, rd_u32 members, rd_u32 t, rd_u32 *found,
                       rd_u32 *where)
{
    rd_u32 target[EDGES_BATCH], owner[EDGES_BATCH];
    rd_u64 edge[EDGES_BATCH];
    RD_UNROLL
    for (rd_u32 k = 0; k < EDGES_BATCH; k++) {
        edge[k] = 0;
        where[k] = edges_find(c, g, members, t, k, &owner[k], &edge[k]);
        target[k] = where[k] ? rd_ld_const(&c->col[edge[k]]) : 0;
        found[k] = 0;
    }
    RD_UNROLL
    for (rd_u32 k = 0; k < EDGES_BATCH; k++)
        where[k] = where[k] ? rd_app_want(app, g->value[owner[k]], target[k]) : 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < EDGES_BATCH; k++) {
        rd_worker w = RD_WORKER_NEW;
        if (where[k])
            rd_app_edge(app, &w, g->vertex[owner[k]], g->value[owner[k]], target[k], edge[k]);
        found[k] = w.task;
        where[k] = edges_place(c, g, &w);
    }
}

#endif

#endif
