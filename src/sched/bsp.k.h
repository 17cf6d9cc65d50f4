/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp.k.h - scheduler `bsp`, kernel side: one launch of bsp_expand runs all tasks of one round; what they give is the
 * next round.
 *
 * The queue. A task is a vertex and enters the queue at most once in a run (the app's promise), so the queue is an
 * array of one word a vertex, rounds are consecutive pieces of it, and nothing can overflow. Round r reads [START,
 * START + COUNT) of its slot and appends behind it through the COUNT of slot r+1; one group writes slot r+1's START,
 * which follows from slot r, and clears slot r+2, which no one touches during round r. So the host may launch many
 * rounds without looking: each finds its bounds in memory, and one without tasks ends at once.
 *
 * Spreading edges. The lanes of a group take one vertex each, scan the degrees, and then share all edges of these
 * vertices evenly: edge i belongs to the last vertex whose scan value is at most i (load-balancing search, a binary
 * search in group memory). BSP_BATCH edges a lane are in flight together: first all targets are loaded, then the app is
 * asked which it wants (it may load), then the wanted ones are visited. A vertex with more than `span` edges would
 * still keep one group busy for long; it is cut into parts of `span` edges when it is given, the parts are listed
 * apart, and the vertex in the queue counts as having no edges.
 *
 * Giving. Lanes count what they found, a scan places it in the group's stash, and a full stash goes to the queue with
 * one reservation.
 *
 * Direction. When a round has many edges it is cheaper to ask the vertices that are not settled whether a neighbour is
 * (pull) than to visit the edges of those that are (push): bsp_pull.k.h.
 *
 * Orders. All atomics are relaxed: they only hand out places. The data itself (queue, parts, slots) is written in one
 * launch and read in the next, and a launch happens after the one before it. Within a launch no group reads what
 * another wrote, except through the app's own atomics.
 */
#ifndef RD_SCHED_BSP_K_H
#define RD_SCHED_BSP_K_H

#include "sched/worker.k.h"
#include "sched/bsp_layout.k.h"

#if RD_LANES == 1
#define BSP_BATCH 1024 /* edges between two looks at the stash */
#else
#define BSP_BATCH 4 /* loads in flight */
#endif
#ifndef BSP_CAN_PULL /* 0 in programs for runs that only push */
#define BSP_CAN_PULL 1
#endif
#define BSP_ROOM  (BSP_BATCH * RD_LANES) /* most that one batch can give */
#define BSP_STASH (BSP_ROOM + 2048)
/* A lane counts edges up to here, so that a group's sum fits a word. */
#define BSP_DEGREE_LIMIT (0xffffffffu / RD_LANES)
/* The largest power of two below RD_LANES, where a binary search over as many members starts. */
#define BSP_STEP                                                                                                       \
    (RD_LANES > 512   ? 512                                                                                            \
     : RD_LANES > 256 ? 256                                                                                            \
     : RD_LANES > 128 ? 128                                                                                            \
     : RD_LANES > 64  ? 64                                                                                             \
     : RD_LANES > 32  ? 32                                                                                             \
     : RD_LANES > 16  ? 16                                                                                             \
                      : 8)

/* clang-format off */
#define BSP_ARGS(arg)                                                                     \
    arg(rd_global const rd_u64 *, row)                                                    \
    arg(rd_global const rd_u32 *, col)                                                    \
    arg(rd_global rd_u32 *, queue)                                                        \
    arg(rd_global rd_u64 *, parts) /* vertex in the low half, number of the part above */ \
    arg(rd_global rd_u32 *, bits) /* two sets of vertices, see bsp_pull.k.h */            \
    arg(rd_global rd_u32 *, control)                                                      \
    arg(rd_u32, vertices)                                                                 \
    arg(rd_u64, edges)                                                                    \
    arg(rd_u32, round)                                                                    \
    arg(rd_u32, direction)                                                                \
    arg(rd_u32, span) /* 0: no vertex is big */                                           \
    arg(rd_u32, claim_min)                                                                \
    arg(rd_u32, claim_max)
/* clang-format on */
rd_context(bsp_ctx, BSP_ARGS);

/* What the lanes of a group share. `stashed` is private but equal in all lanes. */
typedef struct {
    rd_local rd_u32 *scratch; /* of collectives */
    rd_local rd_u32 *first;   /* of each member vertex: edges of the members before it */
    rd_local rd_u32 *vertex;
    rd_local rd_u32 *value; /* what the app's open said */
    rd_local rd_u64 *from;  /* where its edges start */
    rd_local rd_u32 *stash;
    rd_u32 stashed;
    rd_global rd_u32 *now; /* slots of this round and the next */
    rd_global rd_u32 *next;
    rd_u64 edges;   /* looked at by the group */
    rd_u32 degrees; /* of what this lane saw being given; limited, it only guides */
} bsp_group;

/* ---- Giving ---- */

/* Lists v's edges in parts, from parts[base] on, when it is big. There are few such vertices: one reservation each. */
rd_fn void bsp_list_parts(const bsp_ctx *c, rd_global rd_u32 *slot, rd_u32 base, rd_u32 v, rd_u64 degree)
{
    if (c->span && degree > c->span) {
        const rd_u32 count = (rd_u32)((degree + c->span - 1) / c->span);
        const rd_u32 at = rd_add_rlx(&slot[BSP_BIG_COUNT], count); /* partner: the same add in other lanes */
        for (rd_u32 p = 0; p < count; p++)
            c->parts[base + at + p] = (rd_u64)v | ((rd_u64)p << 32);
    }
}

rd_fn void bsp_flush(const bsp_ctx *c, bsp_group *g)
{
    const rd_u32 base = g->now[BSP_START] + g->now[BSP_COUNT];
    rd_u32 at = 0;
    if (rd_lane() == 0 && g->stashed)
        at = rd_add_rlx(&g->next[BSP_COUNT], g->stashed); /* partner: the same add in other groups */
    at = rd_group_broadcast(g->scratch, at, 0);
    const rd_u32 parts_base = g->now[BSP_BIG_START] + g->now[BSP_BIG_COUNT];
    const rd_u32 look = c->span || BSP_CAN_PULL; /* else no one asks for degrees */
    for (rd_u32 i = rd_lane(); i < g->stashed; i += rd_lanes()) {
        const rd_u32 v = g->stash[i];
        c->queue[base + at + i] = v;
        if (look) {
            const rd_u64 degree = rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v]);
            bsp_list_parts(c, g->next, parts_base, v, degree);
            g->degrees += degree < BSP_DEGREE_LIMIT - g->degrees ? (rd_u32)degree : BSP_DEGREE_LIMIT - g->degrees;
        }
    }
    rd_barrier(); /* the stash is read; it may be written again */
    g->stashed = 0;
}

/* ---- Edges ---- */

/* The member whose edges contain edge i: the last with first[m] <= i. */
rd_fn rd_u32 bsp_owner(const bsp_group *g, rd_u32 members, rd_u32 i)
{
    rd_u32 m = 0;
    RD_UNROLL
    for (rd_u32 step = BSP_STEP; step > 0; step /= 2)
        if (m + step < members && g->first[m + step] <= i)
            m += step;
    return m;
}

/* Loads the members of a claim: `members` vertices of the queue from `from` on, one a lane; or, for a part, one vertex
 * and a piece of its edges.
 * @return the number of their edges, in all lanes. */
rd_fn rd_u32 bsp_members(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 is_part, rd_u32 from, rd_u32 members)
{
    const rd_u32 lane = rd_lane();
    rd_u32 total = 0, degree = 0;
    if (lane < members) {
        const rd_u64 part =
            is_part ? c->parts[g->now[BSP_BIG_START] + from] : c->queue[g->now[BSP_START] + from + lane];
        const rd_u32 v = (rd_u32)part;
        const rd_u64 begin = rd_ld_const(&c->row[v]) + (part >> 32) * c->span,
                     edges = rd_ld_const(&c->row[v + 1]) - begin;
        if (!c->span || edges <= c->span)
            degree = (rd_u32)edges;
        else
            degree = is_part ? c->span : 0; /* a big vertex in the queue: its edges are listed as parts */
        g->vertex[lane] = v;
        g->value[lane] = rd_app_open(app, v);
        g->from[lane] = begin;
    }
    const rd_u32 before = rd_group_scan(g->scratch, degree, &total);
    if (lane < members)
        g->first[lane] = before;
    rd_barrier(); /* members are complete */
    g->edges += total;
    return total;
}

/* Visits BSP_BATCH edges a lane of the members, from edge `base` on, and stashes what they give. */
#if RD_LANES == 1

/* One lane, one member: a plain loop, whose loads the processor overlaps by itself. */
rd_fn void bsp_tile(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 members, rd_u32 base, rd_u32 total)
{
    const rd_u32 vertex = g->vertex[0], value = g->value[0];
    const rd_u64 from = g->from[0], end = from + (total - base < BSP_BATCH ? total : base + BSP_BATCH);
    rd_u32 stashed = g->stashed;
    for (rd_u64 e = from + base; e < end; e++) {
        const rd_u32 target = rd_ld_const(&c->col[e]);
        if (rd_app_want(app, value, target)) {
            rd_worker w = {0, 0, 0};
            rd_app_edge(app, &w, vertex, value, target, e);
            if (w.given)
                g->stash[stashed++] = w.task;
        }
    }
    g->stashed = stashed;
}

#else

rd_fn void bsp_tile(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 members, rd_u32 base, rd_u32 total)
{
    rd_u32 target[BSP_BATCH], owner[BSP_BATCH], wanted[BSP_BATCH], found[BSP_BATCH], count = 0, all = 0;
    rd_u64 edge[BSP_BATCH];
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        const rd_u32 i = base + k * rd_lanes() + rd_lane();
        wanted[k] = i < total;
        owner[k] = wanted[k] ? bsp_owner(g, members, i) : 0;
        edge[k] = wanted[k] ? g->from[owner[k]] + (i - g->first[owner[k]]) : 0;
        target[k] = wanted[k] ? rd_ld_const(&c->col[edge[k]]) : 0;
    }
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++)
        wanted[k] = wanted[k] ? rd_app_want(app, g->value[owner[k]], target[k]) : 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < BSP_BATCH; k++) {
        rd_worker w = {0, 0, 0};
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
}

#endif

/* ---- Taking ---- */

/* Claims are numbered: first the parts of big vertices, one each, because they are the longest pieces of work; then
 * pieces of the queue. A group starts with the claim of its own number (no atomic: on a road graph that is all there
 * is) and takes further ones through CURSOR.
 * @return the number of the next claim, or `claims` when none is left or the host asked to stop. */
rd_fn rd_u32 bsp_next_claim(bsp_group *g, rd_u32 claims, rd_u32 stop)
{
    rd_u32 claim = claims;
    if (rd_lane() == 0 && rd_groups() < claims) {
        claim = rd_groups() + rd_add_rlx(&g->now[BSP_CURSOR], 1); /* partner: the same add in other groups */
        claim = stop || claim > claims ? claims : claim;
    }
    return rd_group_broadcast(g->scratch, claim, 0);
}

/* Writes where the next round starts and clears the slot of the one after; by one lane of the launch. */
rd_fn void bsp_turn_slots(const bsp_ctx *c, bsp_group *g)
{
    rd_global rd_u32 *clear = c->control + (c->round + 2) % BSP_SLOTS * BSP_SLOT_WORDS;
    g->next[BSP_START] = g->now[BSP_START] + g->now[BSP_COUNT];
    g->next[BSP_BIG_START] = g->now[BSP_BIG_START] + g->now[BSP_BIG_COUNT];
    clear[BSP_COUNT] = 0;
    clear[BSP_BIG_COUNT] = 0;
    clear[BSP_CURSOR] = 0;
    clear[BSP_FILLED] = 0;
    clear[BSP_FRONT_EDGES] = 0;
    clear[BSP_FRONT_EDGES + 1] = 0;
    if (g->now[BSP_COUNT])
        c->control[BSP_ROUNDS] = c->round + 1;
}

#define BSP_EXPAND_ARGS(arg) BSP_ARGS(arg) RD_APP_ARGS(arg)
#include "sched/bsp_pull.k.h"

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
    g.degrees = 0;
    g.now = control + round % BSP_SLOTS * BSP_SLOT_WORDS;
    g.next = control + (round + 1) % BSP_SLOTS * BSP_SLOT_WORDS;

    const rd_u32 pulling = BSP_CAN_PULL && g.now[BSP_DIRECTION] == BSP_PULL && g.now[BSP_COUNT] > 0;
    const rd_u32 tasks = pulling ? 0 : g.now[BSP_COUNT], parts_now = pulling ? 0 : g.now[BSP_BIG_COUNT];
    if (rd_group() == rd_groups() - 1 && rd_lane() == 0) /* the group that is least likely to have a claim */
        bsp_turn_slots(&c, &g);

    rd_u32 size = tasks / (rd_groups() * 4);
    size = size < claim_min ? claim_min : size > claim_max ? claim_max : size;
    const rd_u32 claims = parts_now + tasks / size + (tasks % size != 0);

    /* The loops hold one copy of each group operation, because compilers that turn lanes into loops copy what follows a
     * barrier. */
    rd_u32 claim = rd_group();
    while (claim < claims) {
        const rd_u32 next = bsp_next_claim(&g, claims, rd_stopped()); /* early: its way to memory and back overlaps */
        const rd_u32 is_part = claim < parts_now, begin = is_part ? claim : (claim - parts_now) * size;
        const rd_u32 end = is_part ? claim + 1 : tasks - begin < size ? tasks : begin + size;
        for (rd_u32 i = begin; i < end; i += rd_lanes()) {
            const rd_u32 members = end - i < rd_lanes() ? end - i : rd_lanes();
            const rd_u32 total = bsp_members(&c, &app, &g, is_part, i, members);
            /* The very last tile empties the stash. There is always one tile at least, for that purpose. */
            const rd_u32 last = next >= claims && i + rd_lanes() >= end;
            const rd_u32 tiles = total ? (total - 1) / (BSP_BATCH * rd_lanes()) + 1 : 1;
            for (rd_u32 t = 0; t < tiles; t++) {
                bsp_tile(&c, &app, &g, members, t * BSP_BATCH * rd_lanes(), total);
                const rd_u32 keep = last && t + 1 == tiles ? 0 : BSP_STASH - BSP_ROOM;
                while (g.stashed > keep) /* an `if`, as a loop: see the rule on loops in kernel.h */
                    bsp_flush(&c, &g);
            }
        }
        claim = next;
    }
#if BSP_CAN_PULL
    bsp_pull_and_count(&c, &app, &g, pulling);
#endif
    if (rd_lane() == 0 && g.edges) /* partner: the same add in other groups; read by the host */
        rd_add64_rlx((rd_global rd_u64 *)(control + BSP_EDGES), g.edges);
}

rd_kernel(bsp_switch, BSP_EXPAND_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const bsp_ctx c = rd_bind(BSP_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    bsp_choose_direction(&c, &app, scratch);
}

#define BSP_KERNELS(k) k(bsp_expand, BSP_EXPAND_ARGS) k(bsp_switch, BSP_EXPAND_ARGS)
rd_kernels(BSP_KERNELS);

#endif
