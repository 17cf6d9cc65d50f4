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
 * search in group memory). SPREAD_BATCH edges a lane are in flight together: first all targets are loaded, then the app
 * is asked which it wants (it may load), then the wanted ones are visited. A vertex with more than `span` edges would
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

#define SPREAD_EXTRA 1024 /* fewer reservations in the queue */
#include "sched/spread.k.h"
#include "sched/bsp_layout.k.h"

#ifndef BSP_CAN_PULL /* 0 in programs for runs that only push */
#define BSP_CAN_PULL 1
#endif
/* A lane counts edges up to here, so that a group's sum fits a word. */
#define BSP_DEGREE_LIMIT (0xffffffffu / RD_LANES)
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

/* A group at work. All of it is private; degrees is the lane's own, the rest is equal in all lanes. */
typedef struct {
    spread s;
    rd_global rd_u32 *now; /* slots of this round and the next */
    rd_global rd_u32 *next;
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
    if (rd_lane() == 0 && g->s.stashed)
        at = rd_add_rlx(&g->next[BSP_COUNT], g->s.stashed); /* partner: the same add in other groups */
    at = rd_group_broadcast(g->s.scratch, at, 0);
    const rd_u32 parts_base = g->now[BSP_BIG_START] + g->now[BSP_BIG_COUNT];
    const rd_u32 look = c->span || BSP_CAN_PULL; /* else no one asks for degrees */
    for (rd_u32 i = rd_lane(); i < g->s.stashed; i += rd_lanes()) {
        const rd_u32 v = g->s.stash[i];
        c->queue[base + at + i] = v;
        if (look) {
            const rd_u64 degree = rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v]);
            bsp_list_parts(c, g->next, parts_base, v, degree);
            g->degrees += degree < BSP_DEGREE_LIMIT - g->degrees ? (rd_u32)degree : BSP_DEGREE_LIMIT - g->degrees;
        }
    }
    rd_barrier(); /* the stash is read; it may be written again */
    g->s.stashed = 0;
}

/* ---- Edges ---- */

/* Loads the members of a claim: `members` vertices of the queue from `from` on, one a lane; or, for a part, one vertex
 * and a piece of its edges.
 * @return the number of their edges, in all lanes. */
rd_fn rd_u32 bsp_members(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 is_part, rd_u32 from, rd_u32 members)
{
    const rd_u32 lane = rd_lane();
    rd_u32 total = 0, degree = 0, v = 0, value = 0;
    rd_u64 begin = 0;
    if (lane < members) {
        const rd_u64 task =
            is_part ? c->parts[g->now[BSP_BIG_START] + from] : c->queue[g->now[BSP_START] + from + lane];
        v = (rd_u32)task;
        begin = rd_ld_const(&c->row[v]) + (task >> 32) * c->span;
        const rd_u64 edges = rd_ld_const(&c->row[v + 1]) - begin;
        if (!c->span || edges <= c->span)
            degree = (rd_u32)edges;
        else
            degree = is_part ? c->span : 0; /* a big vertex in the queue: its edges are listed as parts */
        value = rd_app_open(app, v);
    }
    g->s.vertex[lane] = v;
    g->s.value[lane] = value;
    g->s.from[lane] = begin;
    g->s.first[lane] = rd_group_scan(g->s.scratch, degree, &total); /* lanes without a member: the total */
    rd_barrier();                                                   /* members are complete */
    g->s.edges += total;
    return total;
}

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
    return rd_group_broadcast(g->s.scratch, claim, 0);
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
    rd_local_array(rd_u32, stash, SPREAD_STASH);
    const bsp_ctx c = rd_bind(BSP_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const spread s = {scratch, first, vertex, value, from, stash, 0, 0, 0};
    bsp_group g;
    g.s = s;
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
            const rd_u32 tiles = total ? (total - 1) / (SPREAD_BATCH * rd_lanes()) + 1 : 1;
            for (rd_u32 t = 0; t < tiles; t++) {
                spread_tile(&g.s, &app, col, t * SPREAD_BATCH * rd_lanes(), total);
                const rd_u32 keep = last && t + 1 == tiles ? 0 : SPREAD_STASH - SPREAD_ROOM;
                while (g.s.stashed > keep) /* an `if`, as a loop: see the rule on loops in kernel.h */
                    bsp_flush(&c, &g);
            }
        }
        claim = next;
    }
#if BSP_CAN_PULL
    bsp_pull_and_count(&c, &app, &g, pulling);
#endif
    if (rd_lane() == 0 && g.s.edges) /* partner: the same add in other groups; read by the host */
        rd_add64_rlx((rd_global rd_u64 *)(control + BSP_EDGES), g.s.edges);
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
