/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spread.k.h - the work of some vertices, spread evenly over the lanes of a group. Each lane brings at most one vertex,
 * and all that they are to do is cut into tiles; a tile visits its part and puts what is given into the stash.
 *
 * Edges. A scan of the degrees numbers all edges; edge i belongs to the last member whose scan value is at most i
 * (load-balancing search, a binary search in group memory). SPREAD_BATCH edges a lane are in flight together: first all
 * targets are loaded, then the app is asked which it wants, then those are visited.
 *
 * Whole vertices (apps with RD_APP_VERTEX). In the first tile each lane runs its own vertex, unless it has more than
 * RD_APP_WIDE edges; those take a tile each, with all lanes.
 */
#ifndef RD_SCHED_SPREAD_K_H
#define RD_SCHED_SPREAD_K_H

#include "sched/edges/owner.k.h"
#include "sched/edges/place.k.h"
#include "sched/edges/hubs.k.h"
#include "sched/edges/spread_layout.k.h"
#include "model/frontier.k.h"

#ifdef SPREAD_HERE
#define spread_call(type, name, args) rd_fn type name args
#else
#define spread_call(type, name, args) rd_across(rd_fn, type, name, args)
#endif
#ifndef SPREAD_BATCH
#define SPREAD_BATCH SPREAD_BATCH_OF(RD_LANES)
#endif
/* Most that one tile can give. */
#ifdef RD_APP_VERTEX
#define SPREAD_ROOM RD_LANES
#else
#define SPREAD_ROOM (SPREAD_BATCH * RD_LANES)
#endif
/* Edges between two times that a core makes way: some ten microseconds. With four times as many, several workers of a
 * core had most of a graph of a thousand vertices in hand at a time. */
#define SPREAD_WAY 2048
#ifndef SPREAD_STASH
#define SPREAD_STASH (SPREAD_ROOM + SPREAD_SPARE_OF(RD_CORE))
#endif
#if !defined(RD_APP_VERTEX) || !defined(RD_APP_WORDS) || RD_LANES == 1
#define SPREAD_WORDS 1
#else
#define SPREAD_WORDS (RD_APP_WORDS)
#endif

/* What the lanes of a group share; `stashed` and `total` are private but equal in all lanes, the rest is the lane's. */
typedef struct {
    EDGES_MEMBERS /* of whole vertices: value is the degree, first a list of wide members */
        rd_local rd_u32 *stash;
    rd_local rd_u32 *words; /* SPREAD_WORDS, the app's */
    rd_local rd_u32 *hint;  /* of edges/hubs.k.h: 1 + a slot of the board that may have spans, or 0 */
    rd_u32 stashed;
    rd_u32 total; /* edges of the members */
    rd_u32 mine;  /* this lane runs its member by itself */
    rd_u32 fresh; /* tasks given for the first time */
    rd_u64 edges;
} spread;

/* After a turn. A worker that shares its core, and that the system stops in the middle of its tasks, keeps others
 * waiting for milliseconds for what it would have told them in microseconds; and where what they do meanwhile has to be
 * done again, as pushing residues, a run takes many times as long. */
rd_fn void spread_make_way(const spread *s, rd_u64 *at)
{
#if RD_CORE
    if (s->edges >= *at) {
        *at = s->edges + SPREAD_WAY;
        rd_make_way();
    }
#endif
}

/* At the top of a kernel: group memory, and a spread that knows it. Names of arguments of apps do not begin so. */
#define SPREAD_MAKE(name)                                                                                              \
    rd_local_array(rd_u32, spread_scratch, RD_SCRATCH);                                                                \
    rd_local_array(rd_u32, spread_first, RD_LANES);                                                                    \
    rd_local_array(rd_u32, spread_vertex, RD_LANES);                                                                   \
    rd_local_array(rd_u32, spread_value, RD_LANES);                                                                    \
    rd_local_array(rd_u64, spread_from, RD_LANES);                                                                     \
    rd_local_array(rd_u32, spread_stashed, SPREAD_STASH);                                                              \
    rd_local_array(rd_u32, spread_words, SPREAD_WORDS);                                                                \
    rd_local_array(rd_u32, spread_hint, 1);                                                                            \
    spread name = {spread_scratch,                                                                                     \
                   spread_first,                                                                                       \
                   spread_vertex,                                                                                      \
                   spread_value,                                                                                       \
                   spread_from,                                                                                        \
                   spread_stashed,                                                                                     \
                   spread_words,                                                                                       \
                   spread_hint,                                                                                        \
                   0,                                                                                                  \
                   0,                                                                                                  \
                   0,                                                                                                  \
                   0,                                                                                                  \
                   0}

/* Puts what each lane gave (at most one task) behind the stash. */
rd_fn void spread_stash(spread *s, const rd_worker *w)
{
    rd_u32 all = 0;
    const rd_u32 place = s->stashed + rd_group_scan(s->scratch, w->given, &all);
    if (w->given)
        s->stash[place] = w->task;
    s->stashed += all;
    s->fresh += w->given - w->again;
    rd_barrier(); /* the stash is complete up to stashed */
}

#if defined(RD_APP_VERTEX)

/* Takes in one vertex from each lane that has one; the caller's next barrier completes it. Of edges: a vertex of very
 * many is posted on the board, and has none here. @return the number of tiles, in all lanes. */
spread_call(rd_u32, spread_members,
            (spread * s, const rd_app *app, rd_global const rd_u64 *row, rd_u32 has, rd_u32 v, const hubs *h))
{
    const rd_u32 lane = rd_lane();
    rd_u32 degree = 0, all = 0;
    rd_u64 begin = 0;
    if (has) {
        begin = rd_ld_const(&row[v]);
        degree = (rd_u32)(rd_ld_const(&row[v + 1]) - begin);
    }
#if RD_LANES > 1
    const rd_u32 wide = has && degree > RD_APP_WIDE;
#else
    const rd_u32 wide = 0;
#endif
    s->vertex[lane] = v;
    s->value[lane] = degree;
    s->from[lane] = begin;
    s->mine = !wide && has;
    s->edges += degree;
    const rd_u32 place = rd_group_scan(s->scratch, wide << 16 | has, &all) >> 16;
    if (wide)
        s->first[place] = lane;
    return all ? 1 + (all >> 16) : 0;
}

spread_call(void, spread_tile, (spread * s, const rd_app *app, rd_global const rd_u32 *col, rd_u32 tile))
{
    rd_worker w = RD_WORKER_NEW;
    if (tile == 0 && s->mine)
        rd_app_vertex(app, &w, s->vertex[rd_lane()], col + s->from[rd_lane()], s->value[rd_lane()]);
#if RD_LANES > 1
    rd_once(tile > 0) {
        const rd_team team = {s->scratch, s->words};
        const rd_u32 member = s->first[tile - 1];
        rd_app_vertex_wide(app, &w, &team, s->vertex[member], col + s->from[member], s->value[member]);
        rd_barrier(); /* the app's words may be used again */
    }
#endif
    spread_stash(s, &w);
}

#define spread_span(s, h) 0u

#else

/* Tiles of the members' edges. */
rd_fn rd_u32 spread_tiles(const spread *s)
{
    return s->total ? (s->total - 1) / (SPREAD_BATCH * rd_lanes()) + 1 : 0;
}

spread_call(rd_u32, spread_members,
            (spread * s, const rd_app *app, rd_global const rd_u64 *row, rd_u32 has, rd_u32 v, const hubs *h))
{
    const rd_u32 lane = rd_lane();
    rd_u32 total = 0, degree = 0, value = 0;
    rd_u64 begin = 0;
    if (has) {
        begin = rd_ld_const(&row[v]);
        degree = (rd_u32)(rd_ld_const(&row[v + 1]) - begin);
        value = rd_app_open(app, v);
#ifdef RD_APP_SKIP
        degree = value == RD_APP_SKIP ? 0 : degree;
#endif
        if (degree > h->most && hubs_post(h->word, h->pending, h->span, v, value, begin, degree))
            degree = 0;
    }
    s->vertex[lane] = v;
    s->value[lane] = value;
    s->from[lane] = begin;
    s->first[lane] = rd_group_scan(s->scratch, degree, &total);
    s->edges += degree;
    s->total = total;
    return spread_tiles(s);
}

/* All lanes, between two tiles: takes a span of a hub, with its unit, as the only member. @return its tiles, in all
 * lanes; 0: there is none. */
rd_fn rd_u32 spread_span(spread *s, const hubs *h)
{
    rd_u32 edges = 0;
    if (rd_lane() == 0)
        edges = hubs_take(h->word, h->span, s->hint, s->vertex, s->value, s->from);
    s->edges += edges;
    s->total = rd_group_broadcast(s->scratch, edges, 0);
    s->first[rd_lane()] = rd_lane() ? s->total : 0;
    rd_barrier(); /* the member is complete */
    return spread_tiles(s);
}

/* What edges/visit.k.h asks for: nothing waits for a later phase, and everything goes through the stash. */
typedef struct {
    rd_global const rd_u32 *col;
} spread_ctx;

rd_fn rd_u32 spread_place(const spread_ctx *c, spread *s, const rd_worker *w)
{
    if (!w->given)
        return EDGES_NOWHERE;
    s->fresh += !w->again;
    return EDGES_NEXT;
}

rd_fn rd_u32 spread_find(const spread_ctx *c, const spread *s, rd_u32 members, rd_u32 tile, rd_u32 k, rd_u32 *owner,
                         rd_u64 *edge)
{
    const rd_u32 i = (tile * SPREAD_BATCH + k) * rd_lanes() + rd_lane();
    *owner = 0;
    if (i >= s->total)
        return 0;
    *owner = owner_of(s->first, members, OWNER_STEP, i);
    *edge = s->from[*owner] + (i - s->first[*owner]);
    return 1;
}

#define EDGES_BATCH                       SPREAD_BATCH
#define EDGES_DEFERS                      0
#define EDGES_BY_POINTER /* lists of tasks are run by a function that has many words to keep, spread_burst */
#define edges_ctx                         spread_ctx
#define edges_group                       spread
#define edges_find                        spread_find
#define edges_want(app, value, target, e) rd_app_want(app, value, target)
#define edges_place                       spread_place
#define edges_now(c)                      0
#define edges_push(c, g, found, where, n, counts)
#include "sched/edges/visit.k.h"

/* Visits SPREAD_BATCH edges a lane and stashes what they give. */
spread_call(void, spread_tile, (spread * s, const rd_app *app, rd_global const rd_u32 *col, rd_u32 tile))
{
    const spread_ctx c = {col};
#if RD_LANES == 1 /* and one member */
    const rd_u32 base = tile * SPREAD_BATCH, total = s->total;
    const rd_u64 from = s->from[0], end = from + (total - base < SPREAD_BATCH ? total : base + SPREAD_BATCH);
    edges_visit(&c, app, s, s->vertex[0], s->value[0], from + base, end, 0);
#else
    rd_u32 found[SPREAD_BATCH], where[SPREAD_BATCH];
    edges_visit(&c, app, s, rd_lanes(), tile, found, where);
    edges_stash_all(s, found, where);
#endif
}

#endif

#if RD_CORE

/* A core runs one task, unless it has so many edges that it takes tiles. @return whether it did. */
rd_fn rd_u32 spread_whole(spread *s, const rd_app *app, rd_global const rd_u64 *row, rd_global const rd_u32 *col,
                          rd_u32 v)
{
    const rd_u64 begin = rd_ld_const(&row[v]), end = rd_ld_const(&row[v + 1]);
#ifdef RD_APP_VERTEX
    rd_worker w = RD_WORKER_NEW;
    rd_app_vertex(app, &w, v, col + begin, (rd_u32)(end - begin));
    if (w.given)
        s->stash[s->stashed++] = w.task;
    s->fresh += w.given - w.again;
    s->edges += end - begin;
    return 1;
#else
    if (end - begin > SPREAD_BATCH)
        return 0;
    const rd_u32 value = rd_app_open(app, v);
#ifdef RD_APP_SKIP
    const rd_u64 until = value == RD_APP_SKIP ? begin : end;
#else
    const rd_u64 until = end;
#endif
    const spread_ctx edges = {col};
    edges_visit(&edges, app, s, v, value, begin, until, 0);
    s->edges += until - begin;
    return 1;
#endif
}

#ifdef RD_APP_VERTEX /* of any degree */
typedef rd_u64 spread_edges;
#else
typedef rd_u32 spread_edges;
#endif

/* What became of a list of tasks; of edges it fits two registers. */
typedef struct {
    rd_u32 tasks, stashed, fresh;
    spread_edges edges;
} spread_ran;

/* Edges of a list between two looks whether to leave: a few microseconds. */
#ifndef SPREAD_LOOK
#define SPREAD_LOOK 256
#endif

/* Tasks of a list, until more than `most` are in the stash, one takes tiles or they had SPREAD_LOOK edges and tasks.
 * Apart from the engine, which has too much in registers, and by values, so that neither knows where the other one has
 * them. */
rd_across(rd_apart, spread_ran, spread_burst,
          (const rd_app *given, rd_global const rd_u64 *row, rd_global const rd_u32 *col, rd_local const rd_u32 *list,
           rd_u32 count, rd_local rd_u32 *stash, rd_u32 stashed, rd_u32 most))
{
    const rd_app app = *given;
    spread s;
    rd_local const rd_u32 *at = list, *const last = list + (count < SPREAD_LOOK ? count : SPREAD_LOOK);
    rd_u32 fits = 1;
    s.stash = stash;
    s.stashed = stashed;
    s.fresh = 0;
    s.edges = 0;
    while (at < last && fits && s.stashed <= most && s.edges < SPREAD_LOOK) {
        fits = spread_whole(&s, &app, row, col, *at);
        at += fits;
    }
    const spread_ran ran = {(rd_u32)(at - list), s.stashed, s.fresh, (spread_edges)s.edges};
    return ran;
}

/* @return how many of them were run. */
rd_fn rd_u32 spread_list(spread *s, const rd_app *app, rd_global const rd_u64 *row, rd_global const rd_u32 *col,
                         rd_local const rd_u32 *list, rd_u32 count, rd_u32 most)
{
    const spread_ran ran = spread_burst(app, row, col, list, count, s->stash, s->stashed, most);
    s->stashed = ran.stashed;
    s->fresh += ran.fresh;
    s->edges += ran.edges;
    return ran.tasks;
}

#endif

#endif
