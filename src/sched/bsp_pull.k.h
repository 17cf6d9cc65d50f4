/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp_pull.k.h - scheduler `bsp`, the other direction: rounds in which unsettled vertices look for a settled neighbour.
 * (Beamer, Asanovic, Patterson: Direction-Optimizing Breadth-First Search, SC 2012.)
 *
 * Sets of vertices are bitmaps. A round that pulls reads set `round % 2`, which holds the vertices settled before it,
 * and writes the other, which holds those and the ones it settles; each word has one writer. So no vertex sees what
 * others found in the same round, and the next round finds its set in place. A vertex is settled by its first neighbour
 * in the set: had that neighbour been settled before the last round, the vertex would have been settled by now, so any
 * one will do. The graph must be symmetric: edges are followed backwards.
 *
 * bsp_switch runs before each round of a switching run. All groups see the same finished counts and come to the same
 * direction; group 0 writes it down for bsp_expand. Where the direction changes, the launch translates: settled
 * vertices into a set, or what the last round added to its set into tasks in the queue. The queue has room for them at
 * START, because a round that pulls counts its finds in COUNT like any other.
 *
 * A lane takes a vertex and a warp a word of 32 where lanes run in warps of 32; elsewhere a lane takes a word, and
 * stretches of words so that two lanes do not write the same cache line.
 */
#ifndef RD_SCHED_BSP_PULL_K_H
#define RD_SCHED_BSP_PULL_K_H

/* Push to pull when the round's edges exceed 1/ALPHA of those not seen yet; back when its tasks are under 1/BETA of
 * all. */
#define BSP_ALPHA 15
#define BSP_BETA  18

#if RD_WARP == 32 && RD_LANES % 32 == 0
#define BSP_BY_WARP 1
#else
#define BSP_BY_WARP 0
#endif
#define BSP_STRETCH 64 /* words a lane takes at once: 256 bytes */
#if RD_LANES == 1
#define BSP_PROBES 1 /* the processor looks ahead by itself */
#else
#define BSP_PROBES 4 /* edges of a vertex in flight */
#endif

rd_fn rd_global rd_u32 *bsp_set(const bsp_ctx *c, rd_u32 round)
{
    return c->bits + (rd_u64)(round % 2) * ((c->vertices + 31) / 32);
}

/* Looks for a neighbour of v in the set; settles v by it. @return 1 when there is one. */
rd_fn rd_u32 bsp_pull_vertex(const bsp_ctx *c, const rd_app *app, rd_global const rd_u32 *set, rd_u32 v, rd_u32 *looked)
{
    rd_u64 e = rd_ld_const(&c->row[v]);
    const rd_u64 end = rd_ld_const(&c->row[v + 1]);
    rd_u32 hit = 0;
    while (e < end && !hit) {
        rd_u32 u[BSP_PROBES], is_in[BSP_PROBES];
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_PROBES; k++)
            u[k] = rd_ld_const(&c->col[e + k < end ? e + k : end - 1]);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_PROBES; k++)
            is_in[k] = rd_ld_const(&set[u[k] / 32]) >> (u[k] % 32) & 1;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_PROBES; k++)
            if (is_in[k] && !hit) {
                rd_app_pull(app, v, u[k], c->round);
                hit = 1;
            }
        *looked += end - e < BSP_PROBES ? (rd_u32)(end - e) : BSP_PROBES;
        e += BSP_PROBES;
    }
    return hit;
}

/* The stretch a lane takes after `at`: the next that no one has taken where a group is one lane, since some vertices
 * have much to look through and some cores are slow; else the next of its own share. */
rd_fn rd_u32 bsp_next_stretch(const bsp_ctx *c, rd_u32 at, rd_u32 all)
{
#if RD_LANES == 1
    rd_global rd_u32 *now = c->control + c->round % BSP_SLOTS * BSP_SLOT_WORDS;
    return all + rd_add_rlx(&now[BSP_CURSOR], 1); /* partner: the same add in other groups */
#else
    return at + all;
#endif
}

/* One round of pulling by all lanes. @return how many vertices this lane settled. */
rd_fn rd_u32 bsp_pull(const bsp_ctx *c, const rd_app *app, rd_u32 *looked)
{
    rd_global const rd_u32 *set = bsp_set(c, c->round);
    rd_global rd_u32 *next = bsp_set(c, c->round + 1);
    const rd_u32 words = (c->vertices + 31) / 32, me = rd_group() * rd_lanes() + rd_lane(),
                 all = rd_groups() * rd_lanes();
    rd_u32 found = 0;
#if BSP_BY_WARP
    for (rd_u32 w = me / 32; w < words; w += all / 32) {
        const rd_u32 lane = me % 32, v = 32 * w + lane, old = rd_ld_const(&set[w]);
        const rd_u32 hit = v < c->vertices && !(old >> lane & 1) ? bsp_pull_vertex(c, app, set, v, looked) : 0;
        const rd_u32 hits = rd_warp_ballot(hit);
        if (lane == 0)
            next[w] = old | hits;
        found += hit;
    }
#else
    for (rd_u32 at = me; at < (words + BSP_STRETCH - 1) / BSP_STRETCH; at = bsp_next_stretch(c, at, all))
        for (rd_u32 w = at * BSP_STRETCH; w < words && w < (at + 1) * BSP_STRETCH; w++) {
            const rd_u32 old = rd_ld_const(&set[w]), least = 32 * w;
            const rd_u32 here = c->vertices - least < 32 ? c->vertices - least : 32;
            rd_u32 hits = 0;
            if (old != 0xffffffffu)
                for (rd_u32 b = 0; b < here; b++)
                    if (!(old >> b & 1))
                        hits |= bsp_pull_vertex(c, app, set, least + b, looked) << b;
            next[w] = old | hits;
            found += rd_popcount(hits);
        }
#endif
    return found;
}

/* Pulls, when this round does, and adds up what the group found or gave. */
rd_fn void bsp_pull_and_count(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 pulling)
{
    rd_u32 looked = 0;
    const rd_u32 found = pulling ? bsp_pull(c, app, &looked) : 0;
    const rd_u32 all_found = rd_group_sum(g->scratch, found), all_looked = rd_group_sum(g->scratch, looked);
    const rd_u32 degrees = rd_group_sum(g->scratch, g->degrees);
    g->edges += all_looked;
    if (rd_lane() == 0) { /* partners: the same adds in other groups */
        if (all_found)
            rd_add_rlx(&g->next[BSP_COUNT], all_found);
        if (degrees)
            rd_add64_rlx((rd_global rd_u64 *)&g->next[BSP_FRONT_EDGES], degrees);
    }
}

/* ---- Between rounds ---- */

/* Settled vertices as a set. */
rd_fn void bsp_set_from_app(const bsp_ctx *c, const rd_app *app, rd_u32 doit)
{
    rd_global rd_u32 *set = bsp_set(c, c->round);
    const rd_u32 words = doit ? (c->vertices + 31) / 32 : 0;
    const rd_u32 me = rd_group() * rd_lanes() + rd_lane(), all = rd_groups() * rd_lanes();
#if BSP_BY_WARP
    for (rd_u32 w = me / 32; w < words; w += all / 32) {
        const rd_u32 v = 32 * w + me % 32;
        const rd_u32 word = rd_warp_ballot(v < c->vertices && rd_app_settled(app, v));
        if (me % 32 == 0)
            set[w] = word;
    }
#else
    for (rd_u32 base = me * BSP_STRETCH; base < words; base += all * BSP_STRETCH)
        for (rd_u32 w = base; w < words && w < base + BSP_STRETCH; w++) {
            rd_u32 word = 0;
            for (rd_u32 b = 0; b < 32 && 32 * w + b < c->vertices; b++)
                word |= (rd_u32)(rd_app_settled(app, 32 * w + b) != 0) << b;
            set[w] = word;
        }
#endif
}

/* What the last round added to its set, as tasks of this round. */
rd_fn void bsp_queue_from_sets(const bsp_ctx *c, rd_local rd_u32 *scratch, rd_global rd_u32 *now, rd_u32 doit)
{
    rd_global const rd_u32 *set = bsp_set(c, c->round), *old = bsp_set(c, c->round + 1);
    const rd_u32 words = doit ? (c->vertices + 31) / 32 : 0;
    for (rd_u32 base = rd_group() * rd_lanes(); base < words; base += rd_groups() * rd_lanes()) {
        const rd_u32 w = base + rd_lane();
        rd_u32 fresh = w < words ? set[w] & ~old[w] : 0, all = 0, at = 0;
        const rd_u32 before = rd_group_scan(scratch, rd_popcount(fresh), &all);
        if (rd_lane() == 0 && all)
            at = rd_add_rlx(&now[BSP_FILLED], all); /* partner: the same add in other groups */
        at = now[BSP_START] + rd_group_broadcast(scratch, at, 0) + before;
        for (rd_u32 v = 32 * w; fresh; v++, fresh >>= 1)
            if (fresh & 1) {
                c->queue[at++] = v;
                bsp_list_parts(c, now, now[BSP_BIG_START], v, rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v]));
            }
    }
}

/* A 64-bit value in two control words. */
rd_fn rd_u64 bsp_wide(rd_global const rd_u32 *word)
{
    return (rd_u64)word[1] << 32 | word[0];
}

rd_fn void bsp_choose_direction(const bsp_ctx *c, const rd_app *app, rd_local rd_u32 *scratch)
{
    rd_global rd_u32 *now = c->control + c->round % BSP_SLOTS * BSP_SLOT_WORDS;
    rd_global const rd_u32 *before = c->control + (c->round + BSP_SLOTS - 1) % BSP_SLOTS * BSP_SLOT_WORDS;
    const rd_u32 was = c->round ? before[BSP_DIRECTION] : BSP_PUSH, tasks = now[BSP_COUNT];
    const rd_u64 front = bsp_wide(&now[BSP_FRONT_EDGES]);
    const rd_u64 seen = (c->round ? bsp_wide(&before[BSP_SEEN_EDGES]) : 0) + front;
    const rd_u64 unseen = seen < c->edges ? c->edges - seen : 0;
    rd_u32 is = was == BSP_PUSH ? front > unseen / BSP_ALPHA : tasks >= c->vertices / BSP_BETA;
    is = c->direction == BSP_ALWAYS_PULL ? BSP_PULL : is ? BSP_PULL : BSP_PUSH;
    is = tasks ? is : was; /* the run is over: translate nothing */
    if (rd_group() == 0 && rd_lane() == 0) {
        now[BSP_DIRECTION] = is;
        now[BSP_SEEN_EDGES] = (rd_u32)seen;
        now[BSP_SEEN_EDGES + 1] = (rd_u32)(seen >> 32);
        if (tasks && is == BSP_PULL)
            c->control[BSP_PULLED]++;
    }
    bsp_set_from_app(c, app, was == BSP_PUSH && is == BSP_PULL);
    bsp_queue_from_sets(c, scratch, now, was == BSP_PULL && is == BSP_PUSH);
}

#endif
