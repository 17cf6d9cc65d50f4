/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_ranges.k.h - which items of a step a core takes. Part of bsp/sweep_core.k.h.
 *
 * Items that follow each other are a core's range, the same in each step: what it wrote in one step it finds in its own
 * cache in the next. It takes them claim by claim through the range's cursor, and when there are none left those of the
 * ranges after its own, so nobody waits for a core that has much to do or is away. A step that goes on with what a
 * launch left half-way has pieces in its place, which are numbered (parts/rest.k.h).
 *
 * Orders. All relaxed. An addition to a cursor gives each claim to one core. The cursors of a step are cleared in the
 * step before, each by the core of that range: who used these words last did so SWEEP_SLOTS steps before theirs, with
 * barriers or launches between. Where the next launch may have more groups, the host clears all (bsp/sweep.c).
 */
#ifndef RD_SCHED_SWEEP_RANGES_K_H
#define RD_SCHED_SWEEP_RANGES_K_H

#include "sched/parts/rest.k.h"

typedef struct {
    rest_plan plan; /* of ranges, for the host: units are these, claims the items */
    rd_u32 owned;   /* there are ranges; else numbered claims */
    rd_u32 range;
    rd_u32 tried;   /* ranges that have nothing left; of claims: the first was taken */
    rd_u32 begin, length; /* of the range; length 0: it was not looked at yet */
} sweep_work;

rd_fn rd_global rd_u32 *sweep_cursor(const sweep_ctx *c, rd_u32 step, rd_u32 range)
{
    return c->grid_words + SWEEP_CURSORS + range * SWEEP_CURSOR_WORDS + step % SWEEP_SLOTS * RD_GRID_LINE;
}

/* least: items of a range, unless there are fewer. back: who has the first items last has the last ones now, which are
 * the same. */
rd_fn sweep_work sweep_open(const sweep_ctx *c, const rd_sweep *s, const sweep_group *g, rd_u32 items, rd_u32 size,
                            rd_u32 least, rd_u32 back)
{
    rd_global const rd_u32 *const head = c->control + SWEEP_REST;
    const rd_u32 again = rest_resumes(head, s->step);
    const rd_u32 most = items / least < g->count ? items / least : g->count, ranges = most ? most : 1;
    sweep_work w;
    w.plan = rest_open(head, again, items, 0, size);
    w.owned = !again;
    w.range = g->id % ranges;
    w.tried = w.begin = w.length = 0;
    if (w.owned) {
        w.plan.units = ranges;
        w.plan.claims = items;
        w.range = back ? ranges - 1 - w.range : w.range;
    }
    return w;
}

/* The next claim of the range at hand. */
rd_fn rest_piece sweep_of_range(const sweep_ctx *c, rd_u32 step, const sweep_work *w)
{
    rd_global rd_u32 *const cursor = sweep_cursor(c, step, w->range);
    const rd_u32 claims = w->length / w->plan.size + (w->length % w->plan.size != 0);
    rest_piece piece = {0, 0};
    if (rd_ld_rlx(cursor) >= claims) /* partner of both: the addition in other groups; the load saves one of them */
        return piece;
    const rd_u32 claim = rd_add_rlx(cursor, 1);
    if (claim < claims) {
        const rd_u32 at = claim * w->plan.size, rest = w->length - at;
        piece.at = w->begin + at;
        piece.end = piece.at + (rest < w->plan.size ? rest : w->plan.size);
    }
    return piece;
}

/* @return what the core does next; an empty piece: there is no more. */
rd_fn rest_piece sweep_take(const sweep_ctx *c, const rd_sweep *s, sweep_group *g, sweep_work *w)
{
    rest_piece piece = {0, 0};
    if (!w->owned) {
        const rd_u32 claim = w->tried ? sweep_next_claim(g, w->plan.claims) : g->id;
        w->tried = 1;
        return claim < w->plan.claims ? rest_claim(c->control + SWEEP_WORDS, &w->plan, claim) : piece;
    }
    while (piece.at == piece.end && w->tried < w->plan.units) {
        if (!w->length) {
            w->begin = (rd_u32)((rd_u64)w->plan.places * w->range / w->plan.units);
            w->length = (rd_u32)((rd_u64)w->plan.places * (w->range + 1) / w->plan.units) - w->begin;
        }
        piece = sweep_of_range(c, s->step, w);
        if (piece.at == piece.end) {
            w->range = w->range + 1 < w->plan.units ? w->range + 1 : 0;
            w->length = 0;
            w->tried++;
        }
    }
    return piece;
}

#endif
