/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_wide.k.h - sweeps: the items of a step, where groups do not leave it half-way. Part of bsp/sweep.k.h; on cores
 * it is bsp/sweep_core.k.h.
 */
#ifndef RD_SCHED_SWEEP_WIDE_K_H
#define RD_SCHED_SWEEP_WIDE_K_H

#if SWEEP_STAYS
#include "sched/bsp/sweep_stay.k.h"
#else

/* Vertices with their edges. walks = 0: none. */
rd_fn void sweep_walk(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                      rd_u32 walks)
{
    const rd_u32 items = !walks ? 0 : RD_SWEEP_LISTED(app, s) ? RD_SWEEP_ITEMS(app, s) : s->vertices;
    sweep_parts(c, app, s, g, gain, walks);
    const rd_u32 places = sweep_places(c->scattered, items);
    rd_u32 size = places / (g->count * 8) / rd_lanes() * rd_lanes();
    size = size < rd_lanes() ? rd_lanes() : size > SWEEP_MOST_CLAIM ? SWEEP_MOST_CLAIM : size;
    const rd_u32 claims = places / size + (places % size != 0);
    rd_u32 claim = g->id;
    while (claim < claims) {
        const rd_u32 next = sweep_next_claim(g, claims); /* early: its way to memory and back overlaps */
        const rd_u32 back = RD_LANES == 1 && RD_SWEEP_BACK(app, s), at = back ? claims - 1 - claim : claim;
        const rd_u32 begin = at * size, end = places - begin < size ? places : begin + size;
        for (rd_u32 base = begin; base < end; base += rd_lanes())
            sweep_tile(c, app, s, g, gain, back ? end - 1 - (base - begin) : base, items);
        sweep_add_up(g, gain);
        claim = next;
    }
}

#endif

/* Items of which a lane adds up plainly; where nothing is added up, all of a stretch. */
#define SWEEP_ADDED (RD_GAINS & RD_GAIN_TOTAL ? 64 : SWEEP_STRETCH)

/* Items without edges. */
rd_fn void sweep_items(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                       rd_u32 items)
{
#if RD_LANES == 1
    const rd_u32 share = items / (g->count * RD_SWEEP_SHARES);
    const rd_u32 size = share > SWEEP_STRETCH ? SWEEP_STRETCH : share < RD_SWEEP_STRETCH ? RD_SWEEP_STRETCH : share;
    const rd_u32 stretches = items / size + (items % size != 0);
    for (rd_u32 at = g->id; at < stretches;
         at = g->count + rd_add_rlx(&g->now[SWEEP_CURSOR], 1)) { /* partner: the same add in other groups */
        const rd_u32 begin = at * size, end = items - begin < size ? items : begin + size;
        for (rd_u32 from = begin; from < end; from += SWEEP_ADDED) {
            const rd_u32 to = end - from < SWEEP_ADDED ? end : from + SWEEP_ADDED;
            for (rd_u32 v = from; v < to; v++) {
                rd_app_vertex(app, s, v, RD_FOLD_NONE, gain);
                sweep_add_second(g, gain);
            }
            sweep_add_up(g, gain);
        }
    }
#else
    for (rd_u64 v = g->id * (rd_u64)rd_lanes() + rd_lane(); v < items; v += g->count * (rd_u64)rd_lanes()) {
        rd_app_vertex(app, s, (rd_u32)v, RD_FOLD_NONE, gain);
        sweep_add_second(g, gain);
        sweep_add_up(g, gain);
    }
#endif
}

#endif
