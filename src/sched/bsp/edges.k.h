/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges.k.h - scheduler `bsp`: the edges of a group's tasks, spread over its lanes. See bsp.k.h.
 */
#ifndef RD_SCHED_BSP_EDGES_K_H
#define RD_SCHED_BSP_EDGES_K_H

#include "sched/bsp/give.k.h"
#include "sched/bsp/spread.k.h"

/* --frontier bitmap: members are all vertices in turn; is this one a task? */
rd_fn rd_u32 bsp_is_task(const bsp_ctx *c, const bsp_group *g, rd_u32 v)
{
    if (!bsp_option(c, BSP_BITMAP))
        return 1;
    return rd_ld_rlx(&bsp_front(c, g->view.number)[v / 32]) >> (v % 32) & 1; /* partners: atomics of other rounds */
}

#if BSP_LATE
/* Is the task this lane's to run? What the round does with those that are: a round of claims alone has no edges, and
 * bsp_tile gives them on. @return how many edges to visit. */
rd_fn rd_u32 bsp_claim_task(const rd_app *app, bsp_group *g, rd_u32 v, rd_u32 degree)
{
    const rd_u32 round = g->view.number;
    if (!BSP_CLAIMS(round))
        return degree;
    const rd_u32 mine = rd_app_claim(app, v, BSP_LEVEL(round));
    g->fresh += mine;
#ifdef RD_APP_APART
    g->value[rd_lane()] = mine;
    return 0;
#else
    return mine ? degree : 0;
#endif
}
#endif

/* Rounds without edges, which sort their members: where does this lane's go? */
#if BSP_REPEATS
#define bsp_sorts(g)             ((g)->view.kind == BSP_REFILL)
#define bsp_sorted(c, app, g, v) bsp_sort(c, app, g, v)
#elif defined(RD_APP_APART)
#define bsp_sorts(g)             BSP_CLAIMS((g)->view.number)
#define bsp_sorted(c, app, g, v) ((g)->value[rd_lane()] ? EDGES_NEXT : EDGES_NOWHERE)
#endif

/* Loads the members of a claim: `members` vertices from `from` on, one a lane; or, for a part, one vertex and a piece
 * of its edges. In a refill, vertices of the far set, whose edges do not matter. ahead: those of the stash, all of it.
 * @return how many tiles their edges make, in all lanes. */
rd_fn rd_u32 bsp_members(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 is_part, rd_u32 from, rd_u32 members,
                         rd_u32 ahead)
{
    const rd_u32 lane = rd_lane(), refill = BSP_REPEATS && g->view.kind == BSP_REFILL;
    rd_u32 tiles = 0, degree = 0;
    if (refill && lane < members) /* in this order, since OpenCL compilers warn of constants on the right */
        g->vertex[lane] = bsp_far(c, g->view.far)[from + lane];
    if (!refill && lane < members && (is_part || bsp_is_task(c, g, from + lane))) {
        const rd_u64 part = ahead                       ? g->stash[lane]
                            : is_part                   ? c->parts[g->view.big_start + from]
                            : bsp_option(c, BSP_BITMAP) ? from + lane
                                                        : c->queue[g->view.start + from + lane];
        const rd_u32 v = (rd_u32)part;
        const rd_u64 begin = rd_ld_const(&c->row[v]) + BSP_PART_FROM(c, part >> 32),
                     edges = rd_ld_const(&c->row[v + 1]) - begin;
        const rd_u64 most = BSP_HALVES && is_part ? BSP_PART_EDGES(c, part >> 32) : BSP_BIG(c);
        if (!c->span || edges <= most)
            degree = (rd_u32)edges;
        else
            degree = is_part ? (rd_u32)most : 0; /* a big vertex in the queue: its edges are listed as parts */
        if (!is_part && !ahead)
            bsp_taken(c, g, v);
        g->vertex[lane] = v;
        g->value[lane] = bsp_open(app, v, g->view.number);
        g->from[lane] = begin;
#if BSP_LATE
        degree = bsp_claim_task(app, g, v, degree);
#endif
    }
    g->edges += bsp_plan_tiles(c, g, members, degree, &tiles);
    if (ahead) { /* a barrier lies behind the loads above */
        g->stashed = 0;
        g->fused += members;
    }
    return tiles;
}

#if RD_CORE
/* Before task i of a claim of the queue that ends at `end`. */
rd_fn void bsp_prefetch(const bsp_ctx *c, const rd_app *app, const bsp_group *g, rd_u32 i, rd_u32 end)
{
    rd_global const rd_u32 *queue = c->queue + g->view.start;
    if (g->view.kind != BSP_PUSH || bsp_option(c, BSP_BITMAP))
        return;
    if (i + PREFETCH_ROWS < end)
        prefetch_row(c->row, queue[i + PREFETCH_ROWS]);
    if (i + PREFETCH_EDGES < end)
        prefetch_edges(c->row, c->col, app, queue[i + PREFETCH_EDGES]);
}
#endif

/* Worth a visit? An app may ask for the edge too: it is for loops that hold nothing else (bsp_visit_many). */
rd_fn rd_u32 bsp_want(const rd_app *app, rd_u32 value, rd_u32 target, rd_u64 e)
{
#ifdef RD_APP_WANTS_EDGE
    return rd_app_want_edge(app, value, target, e);
#else
    return rd_app_want(app, value, target);
#endif
}

#define EDGES_BATCH  BSP_BATCH
#define EDGES_STASH  BSP_STASH
#define EDGES_DEFERS 1
#define edges_ctx    bsp_ctx
#define edges_group  bsp_group
#define edges_find   bsp_edge_of
#define edges_want   bsp_want
#define edges_place  bsp_place
#define edges_now(c) (bsp_option(c, BSP_PUSH_MASK) != BSP_PUSH_BY_GROUP)
#define edges_push   bsp_push_now
#include "sched/edges/visit.k.h"

/* Visits the edges of tile t of the members, BSP_BATCH a lane, and stashes what they give. */
#if RD_LANES == 1

#ifdef RD_APP_WANTS_EDGE

/* For vertices of many edges, few of which are wanted: what those lead to is apart, and takes no registers from the
 * loop over all of them. */
rd_apart void bsp_visit_one(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 vertex, rd_u32 value, rd_u64 e,
                            rd_u32 counts)
{
    edges_visit(c, app, g, vertex, value, e, e + 1, counts);
}

rd_fn void bsp_visit_many(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 vertex, rd_u32 value, rd_u64 from,
                          rd_u64 to, rd_u32 counts)
{
    const rd_app here = *app; /* no one else has its address, so it stays in registers */
    rd_global const rd_u32 *const col = c->col;
    for (rd_u64 e = from; e < to; e++) {
        const rd_u32 target = rd_ld_const(&col[e]);
        prefetch_target(col, &here, e, to);
        if (edges_want(&here, value, target, e))
            bsp_visit_one(c, app, g, vertex, value, e, counts);
    }
}

#else
#define bsp_visit_many edges_visit
#endif

/* One lane, one member. */
rd_fn void bsp_tile(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 members, rd_u32 t, rd_u32 counts)
{
    const rd_u32 total = g->first[0], base = t * BSP_BATCH;
#ifdef bsp_sorts
    if (members && bsp_sorts(g)) {
        rd_u32 stashed = g->stashed, late = g->late;
        edges_stash(g, g->vertex[0], bsp_sorted(c, app, g, g->vertex[0]), &stashed, &late);
        g->stashed = stashed;
        g->late = late;
        return;
    }
#endif
    bsp_visit_many(c, app, g, g->vertex[0], g->value[0], g->from[0] + base,
                   g->from[0] + (total - base < BSP_BATCH ? total : base + BSP_BATCH), counts);
}

#else

rd_fn void bsp_tile(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 members, rd_u32 t, rd_u32 counts)
{
    rd_u32 found[BSP_BATCH], where[BSP_BATCH];
    edges_visit(c, app, g, members, t, found, where);
#ifdef bsp_sorts
    if (bsp_sorts(g) && rd_lane() < members) { /* there are no edges */
        found[0] = g->vertex[rd_lane()];
        where[0] = bsp_sorted(c, app, g, found[0]);
    }
#endif
    if (edges_now(c))
        bsp_push_now(c, g, found, where, BSP_BATCH, counts);
    rd_once(!edges_now(c))
        edges_stash_all(g, found, where);
}

#endif

#include "sched/bsp/fuse.k.h"

/* ---- Taking ---- */

/* Claims are numbered: first the parts of big vertices, one each, because they are the longest pieces of work; then
 * pieces of the queue. A group starts with the claim of its own number (no atomic: on a road graph that is all there
 * is) and takes further ones through CURSOR.
 * @return the number of the next claim, or `claims` when none is left or the host asked to stop. */
rd_fn rd_u32 bsp_next_claim(bsp_group *g, rd_u32 claims, rd_u32 stop)
{
    rd_u32 claim = claims;
    if (rd_lane() == 0 && g->all < claims) {
        claim = g->all + rd_add_rlx(&g->now[BSP_CURSOR], 1); /* partner: the same add in other groups */
        claim = stop || claim > claims ? claims : claim;
    }
    return rd_group_broadcast(g->scratch, claim, 0);
}

/* Going ahead. On a road-like graph thousands of rounds have a few tasks for each group, and what they cost is the way
 * of tasks through memory and the launch or the barrier, not the tasks. So, where a task may run again, a group that
 * has run its last claim runs what it found, as if the next round had come for it alone; and so on, a few times. It
 * may find distances that others are about to improve: then those give the task again. What it found is not marked
 * (bsp/give.k.h) before it leaves for the queue, so that nobody relies on a group that is about to read what it needs:
 * whoever improves a vertex queues it, or runs it himself.
 * @return how often the group has gone ahead in this round, with the time that comes now; 0: it does not. */
rd_fn rd_u32 bsp_goes_ahead(const bsp_ctx *c, const bsp_group *g, rd_u32 before)
{
    const rd_u32 most = g->view.tasks <= c->claim_min ? BSP_AHEAD_ALONE : BSP_AHEAD_MOST;
    return BSP_AHEAD(c) && before < most && g->view.kind == BSP_PUSH && g->stashed && g->stashed <= rd_lanes()
               ? before + 1
               : 0;
}

/* After a tile: makes room in the stash; after the very last one of the group, empties it, or keeps what is run next.
 * @return as above. */
rd_fn rd_u32 bsp_end_tile(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 last, rd_u32 before, rd_u32 counts)
{
    const rd_u32 ahead = last ? bsp_goes_ahead(c, g, before) : before;
    rd_u32 keep = last && !ahead ? 0 : BSP_STASH - BSP_ROOM;
#if BSP_FUSES
    if (keep == 0 && g->view.kind == BSP_PUSH && c->bin_words)
        bsp_fuse(c, app, g, counts);
    keep = keep == 0 && bsp_asked(g) ? BSP_STASH - BSP_ROOM : keep; /* whoever leaves keeps what it has */
#endif
    while (g->stashed + g->late > keep) /* an `if`, as a loop: see the rule on loops in kernel.h */
        bsp_flush(c, g, counts);
    return ahead;
}

/* Tasks of a claim. */
rd_fn rd_u32 bsp_claim_size(const bsp_ctx *c, const bsp_group *g, rd_u32 tasks)
{
    const rd_u32 size = tasks / (g->all * (RD_CORE ? c->control[BSP_CLAIMS_EACH] : 4));
    return size < c->claim_min ? c->claim_min : size > c->claim_max ? c->claim_max : size;
}

#if BSP_HALVES
#include "sched/bsp/edges_core.k.h"
#else

/* Runs the round's tasks, or refills from the far set; and writes what is in the stash, also that of a round that
 * pulled. */
rd_fn void bsp_expand_claims(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 counts, rd_u32 stop)
{
    const bsp_view *v = &g->view;
    const rd_u32 pulls = v->kind == BSP_PULL && v->tasks != 0;
    const rd_u32 all = !v->tasks ? 0 : bsp_option(c, BSP_BITMAP) ? c->vertices : v->tasks;
    const rd_u32 tasks = pulls ? 0 : v->kind == BSP_REFILL ? v->far_tasks : all, parts = pulls ? 0 : v->parts;
    const rd_u32 size = bsp_claim_size(c, g, tasks);
    const rd_u32 owned = bsp_is_owned(c, g); /* then a claim's number is that of its first task */
    /* After pulling each group has a claim of its own, an empty one, that only writes its stash. */
    const rd_u32 claims = owned ? tasks : pulls ? 1 : parts + tasks / size + (tasks % size != 0);

    /* The loops hold one copy of each group operation, because compilers that turn lanes into loops copy what follows a
     * barrier. */
    rd_u32 ahead = 0, own_end = 0, next_end = 0;
    rd_u32 claim = owned ? bsp_first_claim(c, g, size, &own_end) : pulls ? 0 : g->id;
    while (claim < claims) {
        /* early: its way to memory and back overlaps */
        const rd_u32 next = owned ? bsp_own_claim(c, g, size, stop, &next_end) : bsp_next_claim(g, claims, stop);
        const rd_u32 is_part = claim < parts, begin = is_part || owned ? claim : (claim - parts) * size;
        const rd_u32 one = is_part || pulls;
        const rd_u32 end = owned ? own_end : one ? begin + 1 : tasks - begin < size ? tasks : begin + size;
        for (rd_u32 i = begin; i < end || ahead; i += rd_lanes()) {
            const rd_u32 members = ahead ? g->stashed : pulls ? 0 : end - i < rd_lanes() ? end - i : rd_lanes();
#if RD_CORE
            if (!is_part)
                bsp_prefetch(c, app, g, i, end);
#endif
            /* The very last tile empties the stash. There is always one tile at least, for that purpose. */
            const rd_u32 tiles = bsp_members(c, app, g, is_part, i, members, ahead != 0);
            const rd_u32 last = next >= claims && (ahead || i + rd_lanes() >= end);
            for (rd_u32 t = 0; t < tiles; t++) {
                bsp_tile(c, app, g, members, t, counts);
                ahead = bsp_end_tile(c, app, g, last && t + 1 == tiles, ahead, counts);
            }
        }
        claim = next;
        own_end = next_end;
    }
}

#endif

#endif
