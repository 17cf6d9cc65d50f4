/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp.k.h - scheduler `bsp`, kernel side: one launch of bsp_expand runs all tasks of one round; what they give is the next round.
 *
 * The queue. A task is a vertex and enters the queue at most once in a run (the app's promise), so the queue is an array of one word a vertex, rounds
 * are consecutive pieces of it, and nothing can overflow. Round r reads [START, START + COUNT) of its slot and appends behind it through the COUNT of
 * slot r+1; group 0 writes slot r+1's START, which follows from slot r, and clears slot r+2, which no one touches during round r. So the host may
 * launch many rounds without looking: each finds its bounds in memory, and one without tasks ends at once.
 *
 * Taking. Each group starts with a static share (no atomic: on a road graph that is all there is) and then claims more through CURSOR.
 *
 * Spreading edges. The lanes of a group take one vertex each, scan the degrees, and then share all edges of these vertices evenly: edge i belongs to the
 * last vertex whose scan value is at most i (load-balancing search, a binary search in group memory). BSP_BATCH edges a lane are in flight together: first
 * all targets are loaded, then the app is asked which it wants (it may load), then the wanted ones are visited.
 * A vertex with more than `span` edges would still keep one group busy for long; it is cut into parts of `span` edges when it is given, the parts are listed apart,
 * and the vertex in the queue counts as having no edges.
 *
 * Giving. Lanes count what they found, a scan places it in the group's stash, and a full stash goes to the queue with one reservation.
 *
 * Orders. All atomics are relaxed: they only hand out places. The data itself (queue, parts, slots) is written in one launch and read in the next, and a
 * launch happens after the one before it. Within a launch no group reads what another wrote, except through the app's own atomics.
 */
#ifndef RD_SCHED_BSP_K_H
#define RD_SCHED_BSP_K_H

#include "sched/worker.k.h"
#include "sched/bsp_layout.k.h"

#ifndef BSP_BATCH
#define BSP_BATCH 4
#endif
#define BSP_ROOM (BSP_BATCH * RD_LANES) /* most that one batch can give */
#define BSP_STASH (BSP_ROOM < 2048 ? 4096 : 2 * BSP_ROOM)

#define BSP_ARGS(arg)                                                                       \
    arg(rd_global const rd_u64 *, row)                                                      \
    arg(rd_global const rd_u32 *, col)                                                      \
    arg(rd_global rd_u32 *, queue)                                                          \
    arg(rd_global rd_u64 *, parts)    /* vertex in the low half, number of the part above */ \
    arg(rd_global rd_u32 *, control)                                                        \
    arg(rd_u32, round)                                                                      \
    arg(rd_u32, span)                 /* 0: no vertex is big */                             \
    arg(rd_u32, claim_min)                                                                  \
    arg(rd_u32, claim_max)
rd_context(bsp_ctx, BSP_ARGS);

/* What the lanes of a group share. `stashed` is private but equal in all lanes. */
typedef struct {
    rd_local rd_u32 *scratch; /* of collectives */
    rd_local rd_u32 *first;   /* of each member vertex: edges of the members before it */
    rd_local rd_u32 *vertex;
    rd_local rd_u32 *value;   /* what the app's open said */
    rd_local rd_u64 *from;    /* where its edges start */
    rd_local rd_u32 *stash;
    rd_u32 stashed;
    rd_global rd_u32 *now;    /* slots of this round and the next */
    rd_global rd_u32 *next;
    rd_u64 edges;
} bsp_group;

/* ---- Giving ---- */

/* Lists the parts of big vertices among the stash. */
rd_fn void bsp_list_parts(const bsp_ctx *c, bsp_group *g)
{
    const rd_u32 base = g->now[BSP_BIG_START] + g->now[BSP_BIG_COUNT];
    for (rd_u32 i = 0; i < g->stashed; i += rd_lanes()) {
        rd_u32 has = i + rd_lane() < g->stashed, v = has ? g->stash[i + rd_lane()] : 0, all = 0, at = 0;
        rd_u64 degree = has ? rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v]) : 0;
        rd_u32 count = degree > c->span ? (rd_u32)((degree + c->span - 1) / c->span) : 0;
        rd_u32 before = rd_group_scan(g->scratch, count, &all);
        if (rd_lane() == 0 && all)
            at = rd_add_rlx(&g->next[BSP_BIG_COUNT], all); /* partner: the same add in other groups */
        at = rd_group_broadcast(g->scratch, at, 0);
        for (rd_u32 p = 0; p < count; p++)
            c->parts[base + at + before + p] = (rd_u64)v | ((rd_u64)p << 32);
    }
}

rd_fn void bsp_flush(const bsp_ctx *c, bsp_group *g)
{
    const rd_u32 base = g->now[BSP_START] + g->now[BSP_COUNT];
    rd_u32 at = 0;
    if (rd_lane() == 0 && g->stashed)
        at = rd_add_rlx(&g->next[BSP_COUNT], g->stashed); /* partner: the same add in other groups */
    at = rd_group_broadcast(g->scratch, at, 0);
    for (rd_u32 i = rd_lane(); i < g->stashed; i += rd_lanes())
        c->queue[base + at + i] = g->stash[i];
    if (c->span)
        bsp_list_parts(c, g);
    rd_barrier(); /* the stash is read; it may be written again */
    g->stashed = 0;
}

/* ---- Edges ---- */

/* The member whose edges contain edge i: the last with first[m] <= i. */
rd_fn rd_u32 bsp_owner(const bsp_group *g, rd_u32 members, rd_u32 i)
{
    rd_u32 m = 0;
    RD_UNROLL
    for (rd_u32 step = RD_LANES / 2; step > 0; step /= 2)
        if (m + step < members && g->first[m + step] <= i)
            m += step;
    return m;
}

/* Visits edges 0 .. total-1 of the members. */
rd_fn void bsp_edges(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 members, rd_u32 total)
{
    for (rd_u32 base = 0; base < total; base += BSP_BATCH * rd_lanes()) {
        rd_u32 target[BSP_BATCH], owner[BSP_BATCH], wanted[BSP_BATCH], found[BSP_BATCH];
        rd_u64 edge[BSP_BATCH];
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++) {
            rd_u32 i = base + k * rd_lanes() + rd_lane();
            wanted[k] = i < total;
            owner[k] = wanted[k] ? bsp_owner(g, members, i) : 0;
            edge[k] = wanted[k] ? g->from[owner[k]] + (i - g->first[owner[k]]) : 0;
            target[k] = wanted[k] ? rd_ld_const(&c->col[edge[k]]) : 0;
        }
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            wanted[k] = wanted[k] ? rd_app_want(app, g->value[owner[k]], target[k]) : 0;
        rd_u32 count = 0, all = 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++) {
            rd_worker w = {0, 0};
            if (wanted[k])
                rd_app_edge(app, &w, g->vertex[owner[k]], g->value[owner[k]], target[k], edge[k]);
            found[k] = w.task;
            wanted[k] = w.given;
            count += w.given;
        }
        rd_u32 place = g->stashed + rd_group_scan(g->scratch, count, &all);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_BATCH; k++)
            if (wanted[k])
                g->stash[place++] = found[k];
        g->stashed += all;
        rd_barrier(); /* the stash is complete up to stashed */
        if (g->stashed > BSP_STASH - BSP_ROOM)
            bsp_flush(c, g);
    }
}

/* One vertex a lane, from a piece of the queue. */
rd_fn void bsp_vertices(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 from, rd_u32 members)
{
    const rd_u32 lane = rd_lane(), has = lane < members;
    rd_u32 v = has ? c->queue[g->now[BSP_START] + from + lane] : 0, total = 0;
    rd_u64 begin = has ? rd_ld_const(&c->row[v]) : 0, degree = has ? rd_ld_const(&c->row[v + 1]) - begin : 0;
    if (c->span && degree > c->span)
        degree = 0; /* its edges are listed as parts */
    if (has) {
        g->vertex[lane] = v;
        g->value[lane] = rd_app_open(app, v);
        g->from[lane] = begin;
    }
    rd_u32 before = rd_group_scan(g->scratch, (rd_u32)degree, &total);
    if (has)
        g->first[lane] = before;
    rd_barrier(); /* members are complete */
    g->edges += total;
    bsp_edges(c, app, g, members, total);
}

/* One part of a big vertex: a single member. */
rd_fn void bsp_part(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 index)
{
    const rd_u64 part = c->parts[g->now[BSP_BIG_START] + index];
    const rd_u32 v = (rd_u32)part;
    const rd_u64 begin = rd_ld_const(&c->row[v]) + (part >> 32) * c->span, end = rd_ld_const(&c->row[v + 1]);
    const rd_u32 total = end - begin < c->span ? (rd_u32)(end - begin) : c->span;
    if (rd_lane() == 0) {
        g->vertex[0] = v;
        g->value[0] = rd_app_open(app, v);
        g->from[0] = begin;
        g->first[0] = 0;
    }
    rd_barrier(); /* the member is complete */
    g->edges += total;
    bsp_edges(c, app, g, 1, total);
    rd_barrier(); /* and may be replaced */
}

/* ---- Taking ---- */

/* The next claim: `limit` when nothing is left or the host asked to stop. */
rd_fn rd_u32 bsp_claim(bsp_group *g, rd_u32 word, rd_u32 reserved, rd_u32 size, rd_u32 limit, rd_u32 stop)
{
    rd_u32 at = limit;
    if (reserved < limit) { /* equal in all lanes */
        if (rd_lane() == 0) {
            at = reserved + rd_add_rlx(&g->now[word], size); /* partner: the same add in other groups */
            at = stop || at > limit ? limit : at;
        }
        at = rd_group_broadcast(g->scratch, at, 0);
    }
    return at;
}

#define BSP_EXPAND_ARGS(arg) BSP_ARGS(arg) RD_APP_ARGS(arg)

rd_kernel(bsp_expand, BSP_EXPAND_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, first, RD_LANES);
    rd_local_array(rd_u32, vertex, RD_LANES);
    rd_local_array(rd_u32, value, RD_LANES);
    rd_local_array(rd_u64, from, RD_LANES);
    rd_local_array(rd_u32, stash, BSP_STASH);
    const bsp_ctx c = rd_bind(BSP_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    bsp_group g;
    g.scratch = scratch;
    g.first = first;
    g.vertex = vertex;
    g.value = value;
    g.from = from;
    g.stash = stash;
    g.stashed = 0;
    g.edges = 0;
    g.now = control + round % BSP_SLOTS * BSP_SLOT_WORDS;
    g.next = control + (round + 1) % BSP_SLOTS * BSP_SLOT_WORDS;

    const rd_u32 tasks = g.now[BSP_COUNT], big = g.now[BSP_BIG_COUNT];
    if (rd_group() == 0 && rd_lane() == 0) {
        rd_global rd_u32 *clear = control + (round + 2) % BSP_SLOTS * BSP_SLOT_WORDS;
        g.next[BSP_START] = g.now[BSP_START] + tasks;
        g.next[BSP_BIG_START] = g.now[BSP_BIG_START] + big;
        clear[BSP_COUNT] = 0;
        clear[BSP_BIG_COUNT] = 0;
        clear[BSP_CURSOR] = 0;
        clear[BSP_BIG_CURSOR] = 0;
        if (tasks)
            control[BSP_ROUNDS] = round + 1;
    }

    /* Parts first: they are the longest pieces of work. */
    for (rd_u32 p = rd_group(); p < big; p = bsp_claim(&g, BSP_BIG_CURSOR, rd_groups(), 1, big, rd_stopped()))
        bsp_part(&c, &app, &g, p);

    rd_u32 claim = tasks / (rd_groups() * 4);
    claim = claim < claim_min ? claim_min : claim > claim_max ? claim_max : claim;
    const rd_u64 shares = (rd_u64)rd_groups() * claim;
    const rd_u32 reserved = shares < tasks ? (rd_u32)shares : tasks;
    const rd_u64 share = (rd_u64)rd_group() * claim;
    for (rd_u32 at = share < tasks ? (rd_u32)share : tasks; at < tasks;
         at = bsp_claim(&g, BSP_CURSOR, reserved, claim, tasks, rd_stopped())) {
        const rd_u32 end = tasks - at < claim ? tasks : at + claim;
        for (rd_u32 i = at; i < end; i += rd_lanes())
            bsp_vertices(&c, &app, &g, i, end - i < rd_lanes() ? end - i : rd_lanes());
    }
    if (g.stashed)
        bsp_flush(&c, &g);
    if (rd_lane() == 0 && g.edges)
        rd_add64_rlx((rd_global rd_u64 *)(control + BSP_EDGES), g.edges); /* partner: the same add in other groups; read by the host */
}

#define BSP_KERNELS(k) k(bsp_expand, BSP_EXPAND_ARGS)
rd_kernels(BSP_KERNELS);

#endif
