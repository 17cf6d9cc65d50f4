/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pull.k.h - scheduler `bsp`, the other direction: rounds in which unsettled vertices look for a settled neighbour.
 * (Beamer, Asanovic, Patterson: Direction-Optimizing Breadth-First Search, SC 2012.)
 *
 * Sets of vertices are bitmaps. A round that pulls reads the set of what was settled before it and writes the other
 * one, which holds those and the ones it settles; each word has one writer. So no vertex sees what others found in the
 * same round, and the next round finds its set in place. Rounds that push add what they give to the one set there is
 * (bsp_flush), so that pulling may begin in any round. A vertex is settled by its first neighbour in the set: had that
 * neighbour been settled before the last round, the vertex would have been settled by now, so any one will do. The
 * graph must be symmetric: edges are followed backwards.
 *
 * What is found also goes to the group's stash and from there to the queue, so that pushing may begin in any round too.
 * What does not fit the stash is only counted; then the next round must pull (SPILLED). That happens while much is
 * found, when one would pull anyway.
 *
 * A lane takes a vertex and a warp a word of 32 where lanes run in warps of 32; elsewhere a lane takes a word, and
 * stretches of words so that two lanes do not write the same cache line. Sets are read by plain loads, not rd_ld_const:
 * a persistent kernel writes them too, in other rounds.
 */
#ifndef RD_SCHED_BSP_PULL_K_H
#define RD_SCHED_BSP_PULL_K_H

#include "sched/bsp/give.k.h"

#if BSP_CAN_PULL

#define BSP_STRETCH 64 /* words a lane takes at once: 256 bytes */
#if RD_LANES == 1
#define BSP_PROBES 1 /* the processor looks ahead by itself */
#else
#define BSP_PROBES 4 /* edges of a vertex in flight */
#endif

/* Looks for a neighbour of v in the set; settles v by it. @return 1 when there is one. */
rd_fn rd_u32 bsp_pull_vertex(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_global const rd_u32 *set, rd_u32 v,
                             rd_u32 *looked)
{
    const rd_u64 begin = rd_ld_const(&c->row[v]), end = rd_ld_const(&c->row[v + 1]);
    rd_u64 e = begin;
    rd_u32 hit = 0;
    while (e < end && !hit) {
        rd_u32 u[BSP_PROBES], is_in[BSP_PROBES];
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_PROBES; k++)
            u[k] = rd_ld_const(&c->col[e + k < end ? e + k : end - 1]);
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_PROBES; k++)
            is_in[k] = set[u[k] / 32] >> (u[k] % 32) & 1;
        RD_UNROLL
        for (rd_u32 k = 0; k < BSP_PROBES; k++)
            if (is_in[k] && !hit) {
                rd_app_pull(app, v, u[k], g->view.number);
                hit = 1;
            }
        *looked += end - e < BSP_PROBES ? (rd_u32)(end - e) : BSP_PROBES;
        e += BSP_PROBES;
    }
    return hit;
}

#if BSP_BY_WARP

/* A warp's finds go to the stash together. All lanes of the warp come here. */
rd_fn void bsp_pull_stash(bsp_group *g, rd_u32 v, rd_u32 hits)
{
    const rd_u32 lane = rd_warp_lane(), lower = rd_popcount(hits & ((1u << lane) - 1));
    rd_u32 at = 0;
    if (lane == 0)
        at = rd_add_local(&g->tally[0], rd_popcount(hits)); /* partner: the same in other warps */
    at = rd_warp_shuffle(at, 0) + lower;
    if (hits >> lane & 1 && at < BSP_STASH)
        g->stash[at] = v;
}

rd_fn void bsp_pull(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 *looked)
{
    rd_global const rd_u32 *set = bsp_set(c, g->view.set);
    rd_global rd_u32 *next = bsp_set(c, g->view.set ^ 1);
    const rd_u32 words = (c->vertices + 31) / 32, me = g->id * rd_lanes() + rd_lane(), all = g->all * rd_lanes();
    for (rd_u32 w = me / 32; w < words; w += all / 32) {
        const rd_u32 lane = me % 32, v = 32 * w + lane, old = set[w];
        const rd_u32 hit = v < c->vertices && !(old >> lane & 1) ? bsp_pull_vertex(c, app, g, set, v, looked) : 0;
        const rd_u32 hits = rd_warp_ballot(hit);
        if (lane == 0)
            next[w] = old | hits;
        if (hits)
            bsp_pull_stash(g, v, hits);
    }
}

#else

/* The stretch a lane takes after `at`: the next that no one has taken where a group is one lane, since some vertices
 * have much to look through and some cores are slow; else the next of its own share. */
rd_fn rd_u32 bsp_next_stretch(bsp_group *g, rd_u32 at, rd_u32 all)
{
#if RD_LANES == 1
    return all + rd_add_rlx(&g->now[BSP_CURSOR], 1); /* partner: the same add in other groups */
#else
    return at + all;
#endif
}

rd_fn void bsp_pull_stash(const bsp_ctx *c, bsp_group *g, rd_u32 v)
{
#if RD_LANES == 1
    if (g->stashed == BSP_STASH)
        bsp_flush(c, g, 1);
    g->stash[g->stashed++] = v;
#else
    const rd_u32 at = rd_add_local(&g->tally[0], 1); /* partner: the same in other lanes */
    if (at < BSP_STASH)
        g->stash[at] = v;
#endif
}

#if BSP_NOTES

/* The vertices of a word, by a core. What it finds it notes at once (bsp_note_list), as it has the rows at hand: in a
 * round that finds most of a graph that took as long as to find it. */
rd_fn void bsp_pull_word(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 w, rd_u32 *looked)
{
    rd_global const rd_u32 *const set = bsp_set(c, g->view.set), *const col = c->col;
    rd_global const rd_u64 *const row = c->row;
    const rd_u64 big = c->span ? BSP_BIG(c) : ~(rd_u64)0;
    const rd_u32 old = set[w], least = 32 * w, round = g->view.number;
    const rd_u32 here = c->vertices - least < 32 ? (1u << (c->vertices - least)) - 1 : 0xffffffffu;
    rd_u32 hits = 0, found = 0, seen = 0;
    rd_u64 degrees = 0, most = 0;
    if (BSP_STASH - g->stashed < 32)
        bsp_flush(c, g, 1);
    rd_local rd_u32 *const stash = g->stash + g->stashed;
    for (rd_u32 rest = ~old & here; rest; rest &= rest - 1) {
        const rd_u32 b = rd_lowest(rest), v = least + b;
        const rd_u64 begin = rd_ld_const(&row[v]);
        const rd_u64 all = rd_ld_const(&row[v + 1]) - begin;
        rd_global const rd_u32 *const edges = &col[begin];
        for (rd_u64 e = 0; e < all; e++) {
            const rd_u32 u = rd_ld_const(&edges[e]);
            seen++;
            if (set[u / 32] >> (u % 32) & 1) {
                rd_app_pull(app, v, u, round);
                hits |= 1u << b;
                stash[found++] = v;
                if (all > big)
                    bsp_list_parts(c, g->next, bsp_parts_start(c, round + 1, g->view.big_start + g->view.parts), v,
                                   all);
                degrees += all;
                most = all > most ? all : most;
                break;
            }
        }
    }
    *looked += seen;
    const rd_u32 room = BSP_DEGREE_LIMIT - g->degrees, more = most < room ? (rd_u32)most : room;
    g->degrees += degrees < room ? (rd_u32)degrees : room;
    g->most = more > g->most ? more : g->most;
    g->noted = g->stashed += found;
    bsp_set(c, g->view.set ^ 1)[w] = old | hits;
}

#else

/* The vertices of a word. */
rd_fn void bsp_pull_word(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 w, rd_u32 *looked)
{
    rd_global const rd_u32 *set = bsp_set(c, g->view.set);
    const rd_u32 old = set[w], least = 32 * w;
    const rd_u32 here = c->vertices - least < 32 ? (1u << (c->vertices - least)) - 1 : 0xffffffffu;
    rd_u32 hits = 0;
    for (rd_u32 rest = ~old & here; rest; rest &= rest - 1) {
        const rd_u32 b = rd_lowest(rest);
        if (bsp_pull_vertex(c, app, g, set, least + b, looked)) {
            hits |= 1u << b;
            bsp_pull_stash(c, g, least + b);
        }
    }
    bsp_set(c, g->view.set ^ 1)[w] = old | hits;
    bsp_note_some(c, g, 1);
}

#endif

#if BSP_HALVES

/* Places are words (parts/rest.k.h). */
rd_fn void bsp_pull(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 *looked)
{
    rd_global rd_u32 *const head = c->control + BSP_REST, *const entries = bsp_rest_entries(c);
    const rest_plan plan = rest_open(head, g->again, (c->vertices + 31) / 32, 0, BSP_STRETCH);
    const rest_piece none = {0, 0};
    rd_u32 asked = 0;
    for (rd_u32 at = g->id; at < plan.claims; at = asked ? plan.claims : bsp_next_stretch(g, at, g->all)) {
        rest_piece piece = rest_claim(entries, &plan, at);
        for (; piece.at < piece.end && !asked; piece.at++) {
            bsp_pull_word(c, app, g, piece.at, looked);
            asked = bsp_asked(g);
        }
        if (asked)
            rest_leave(head, entries, &plan, g->view.number, g->id, g->all, piece, none, 0);
    }
}

#else

rd_fn void bsp_pull(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 *looked)
{
    const rd_u32 words = (c->vertices + 31) / 32, me = g->id * rd_lanes() + rd_lane(), all = g->all * rd_lanes();
    for (rd_u32 at = me; at < (words + BSP_STRETCH - 1) / BSP_STRETCH; at = bsp_next_stretch(g, at, all))
        for (rd_u32 w = at * BSP_STRETCH; w < words && w < (at + 1) * BSP_STRETCH; w++)
            bsp_pull_word(c, app, g, w, looked);
}

#endif
#endif

/* One round of pulling by all lanes, when this round pulls. What was found is in the stash afterwards. */
rd_fn void bsp_pull_round(const bsp_ctx *c, const rd_app *app, bsp_group *g)
{
    const rd_u32 pulls = g->view.kind == BSP_PULL && g->view.tasks != 0;
    rd_u32 looked = 0;
    if (rd_lane() == 0)
        g->tally[0] = 0;
    rd_barrier(); /* the tally is empty */
    if (pulls)
        bsp_pull(c, app, g, &looked);
    looked = rd_group_sum(g->scratch, looked); /* ends with a barrier: stash and tally are complete */
    g->edges += looked;
    if (rd_lane() == 0 && looked) /* partner: the same in other groups; read in the next round */
        rd_add64_rlx((rd_global rd_u64 *)&g->now[BSP_LOOKED], looked);
#if RD_LANES > 1
    const rd_u32 found = g->tally[0], fits = found < BSP_STASH ? found : BSP_STASH;
    if (rd_lane() == 0 && found > fits) { /* partners: the same in other groups */
        rd_add_rlx(&g->next[BSP_COUNT], found - fits);
        rd_st_rlx(&g->next[BSP_SPILLED], 1);
    }
    g->stashed = fits;
#endif
}

#if BSP_HALVES /* a core of ours: own files are compiled in parts */
/* Called across, with copies, both ways: what nobody else has the address of stays in registers. */
RD_FLAT rd_across(rd_fn, void, bsp_pull_across, (const bsp_ctx *c, const rd_app *app, bsp_group *g))
{
    const bsp_ctx here = *c;
    const rd_app mine = *app;
    bsp_group other = *g;
    bsp_pull_round(&here, &mine, &other);
    *g = other;
}

rd_fn void bsp_pull_aside(const bsp_ctx *c, const rd_app *app, bsp_group *g)
{
    if (g->view.kind != BSP_PULL)
        return;
    const bsp_ctx here = *c;
    const rd_app mine = *app;
    bsp_group other = *g;
    rd_u32 word[1];
    rd_u64 wide[1];
    other.tally = other.scratch = other.first = other.vertex = other.value = other.degree = other.second = word;
    other.from = wide;
    bsp_pull_across(&here, &mine, &other);
    g->stashed = other.stashed;
    g->noted = other.noted;
    g->edges = other.edges;
    g->degrees = other.degrees;
    g->most = other.most;
}
#else
#define bsp_pull_aside bsp_pull_round
#endif

#endif /* BSP_CAN_PULL */

#endif
