/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_items.k.h - sweeps: steps over items without edges. Part of bsp/sweep.k.h. */
#ifndef RD_SCHED_BSP_SWEEP_ITEMS_K_H
#define RD_SCHED_BSP_SWEEP_ITEMS_K_H

/* Items of which a lane adds up plainly; where nothing is added up, all of a stretch. */
#define SWEEP_ADDED (RD_GAINS & RD_GAIN_TOTAL ? 64 : SWEEP_STRETCH)

/* Items without edges. */
rd_fn void sweep_items(const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain, rd_u32 items)
{
#if RD_LANES == 1
    const rd_u32 share = items / (g->count * 8);
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

#if RD_CORE
/* Called across, with copies, both ways: what nobody else has the address of stays in registers. */
RD_FLAT rd_across(rd_fn, void, sweep_items_across,
                  (const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain, rd_u32 items))
{
    const rd_app mine = *app;
    const rd_sweep step = *s;
    sweep_group other = *g;
    rd_gain all = *gain;
    sweep_items(&mine, &step, &other, &all, items);
    *g = other;
    *gain = all;
}

rd_fn void sweep_items_aside(const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain, rd_u32 items)
{
    const rd_app mine = *app;
    const rd_sweep step = *s;
    sweep_group other = *g;
    rd_gain all = *gain;
    sweep_items_across(&mine, &step, &other, &all, items);
    *g = other;
    *gain = all;
}
#else
#define sweep_items_aside sweep_items
#endif

#endif
