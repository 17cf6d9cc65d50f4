/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_core.k.h - sweeps on cores: the items of a step, which is left half-way when an urgent job waits
 * (parts/rest.k.h). Part of bsp/sweep.k.h.
 *
 * A core looks at the stop word every few items: up to SWEEP_LOOK vertices with their edges, fewer where these are
 * many, or a sixteenth of the stretch that an app says is little work. What it gained so far goes to the step's words,
 * as at its end; the launch that goes on adds what comes. Where one item may be much work the app looks too, and leaves
 * it half-way (RD_SWEEP_HALVES): then the item is put back with those behind it.
 */
#ifndef RD_SCHED_SWEEP_CORE_K_H
#define RD_SCHED_SWEEP_CORE_K_H

#include "sched/bsp/sweep_ranges.k.h"

#define SWEEP_LOOK       64
#define SWEEP_LOOK_EDGES 1024

#if RD_SWEEP_LEAVES_ITEMS
#define SWEEP_PAUSES(gain) ((gain)->half | ((gain)->work >= RD_SWEEP_LOOK))
#define SWEEP_HALF(gain)   ((gain)->half)
#define SWEEP_LOOKS(gain, word)                                                                                        \
    (gain)->stop = (word);                                                                                             \
    (gain)->half = (gain)->work = 0;
#else
#define SWEEP_PAUSES(gain) 0
#define SWEEP_HALF(gain)   0
#define SWEEP_LOOKS(gain, word)
#endif

/* Asks vertices with their edges, or items without. @return where those begin that are left. */
rd_fn rd_u32 sweep_some(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                      rd_u32 at, rd_u32 end, rd_u32 items, rd_u32 walks)
{
    if (walks && RD_SWEEP_BACK(app, s)) {
        for (; at < end && !SWEEP_PAUSES(gain); at++)
            sweep_tile(c, app, s, g, gain, items - 1 - at, items);
#if RD_SWEEP_RUNS
    } else if (walks && !c->scattered && !RD_SWEEP_LISTED(app, s)) {
        while (at < end && !SWEEP_PAUSES(gain)) {
            const rd_u32 next = rd_app_run(app, s, at, end, gain);
            g->edges += rd_ld_const(&s->row[next]) - rd_ld_const(&s->row[at]);
            sweep_add_second(g, gain);
            at = next;
            if (at < end)
                sweep_tile(c, app, s, g, gain, at++, items);
        }
#endif
    } else if (walks) {
        for (; at < end && !SWEEP_PAUSES(gain); at++)
            sweep_tile(c, app, s, g, gain, at, items);
    } else {
        for (; at < end && !SWEEP_PAUSES(gain); at++) {
            rd_app_vertex(app, s, at, RD_FOLD_NONE, gain);
            sweep_add_second(g, gain);
        }
        sweep_add_up(g, gain);
    }
    return at - SWEEP_HALF(gain);
}

/* All that a core does of a step: claims of `size` items. least: items of a core's range, unless there are fewer. */
rd_fn void sweep_claims(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                        rd_u32 items, rd_u32 size, rd_u32 least, rd_u32 walks)
{
    rd_global rd_u32 *const head = c->control + SWEEP_REST, *const entries = c->control + SWEEP_WORDS;
    rd_global const rd_u32 *const stop = g->looks ? rd_stop_word() : head + REST_NEVER;
    const rd_u32 most = walks ? SWEEP_LOOK : RD_SWEEP_STRETCH < 16 ? 1 : RD_SWEEP_STRETCH / 16;
    const rest_piece none = {0, 0};
    sweep_work work = sweep_open(c, s, g, items, size, least, walks && RD_SWEEP_BACK(app, s));
    rest_piece piece = sweep_take(c, s, g, &work);
    rd_u32 asked = 0, some = walks ? 1 : most; /* hubs often come first */
    while (piece.at < piece.end) {
        while (piece.at < piece.end && !asked) {
            const rd_u64 before = g->edges;
            const rd_u32 end = piece.end - piece.at < some ? piece.end : piece.at + some;
            SWEEP_LOOKS(gain, stop)
            piece.at = sweep_some(c, app, s, g, gain, piece.at, end, items, walks);
            some = walks ? rest_some(some, most, g->edges - before, SWEEP_LOOK_EDGES) : most;
            asked = rd_asked(stop) | SWEEP_HALF(gain); /* partner: the host */
        }
        sweep_add_up(g, gain);
        if (asked)
            rest_leave(head, entries, &work.plan, s->step, g->id, g->count, piece, none, work.owned);
        piece = asked ? none : sweep_take(c, s, g, &work);
    }
}

/* Vertices with their edges. walks = 0: none. */
rd_fn void sweep_walk(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                      rd_u32 walks)
{
    if (walks) { /* else there may be no items to ask for: the sweep may be at its end */
        const rd_u32 items = RD_SWEEP_LISTED(app, s) ? RD_SWEEP_ITEMS(app, s) : s->vertices;
        const rd_u32 share = items / (g->count * 8);
        const rd_u32 size = share < 1 ? 1 : share > SWEEP_MOST_CLAIM ? SWEEP_MOST_CLAIM : share;
        sweep_claims(c, app, s, g, gain, items, size, 1, 1);
    }
}

/* Items without edges; across, with copies, both ways: what nobody else has the address of stays in registers. */
RD_FLAT rd_across(rd_fn, void, sweep_items_across,
                  (const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                   rd_u32 items))
{
    const sweep_ctx here = *c;
    const rd_app mine = *app;
    const rd_sweep step = *s;
    sweep_group other = *g;
    rd_gain all = *gain;
    const rd_u32 share = items / (g->count * RD_SWEEP_SHARES);
    sweep_claims(&here, &mine, &step, &other, &all, items,
                 share > SWEEP_STRETCH      ? SWEEP_STRETCH
                 : share < RD_SWEEP_STRETCH ? RD_SWEEP_STRETCH
                                            : share,
                 RD_SWEEP_STRETCH, 0);
    *g = other;
    *gain = all;
}

rd_fn void sweep_items(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                       rd_u32 items)
{
    const sweep_ctx here = *c;
    const rd_app mine = *app;
    const rd_sweep step = *s;
    sweep_group other = *g;
    rd_gain all = *gain;
    sweep_items_across(&here, &mine, &step, &other, &all, items);
    *g = other;
    *gain = all;
}

#endif
