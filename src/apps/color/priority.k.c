/* SPDX-License-Identifier: Apache-2.0 */
/*
 * priority.k.c - colouring without a single clash: a vertex is coloured when all neighbours that come before it in the
 * order of degrees are, with the least colour that none of them has (color/wait.k.h says how).
 *
 * A vertex is a task once, when it has its colour. The seeds are those that come before all their neighbours. A task
 * tells the neighbours that come later, and gives those that have their colours by that.
 *
 * In rounds: color/layers.k.c.
 */
#define RD_APP_SEEDS      1
#define RD_APP_SEED_EDGES 1
#define RD_APP_NO_ROUNDS  1 /* in rounds there are sweeps */
#include "model/frontier.k.h"
#include "apps/color/wait.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(rd_u64, state) \
    buf(rd_u64, told) \
    buf(rd_u32, taken) \
    buf(const rd_u64, graph_row)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* No one changes it in a run. */
rd_fn rd_u32 color_place(const rd_app *a, rd_u32 v)
{
    return (rd_u32)(rd_ld64_rlx(&a->state[v]) >> 32);
}

rd_fn rd_u32 rd_app_seed_edge(const rd_app *a, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return color_place(a, u) < color_place(a, v);
}

rd_fn rd_u32 rd_app_is_seed_by(const rd_app *a, rd_u32 v, rd_u32 count)
{
    color_expect(a->state, a->told, a->taken, a->graph_row, v, count);
    return count ? RD_SEED_NO : RD_SEED_NOW;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return color_place(a, u);
}

/* Only those that come later are told. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 place, rd_u32 v)
{
    return color_place(a, v) > place;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 place, rd_u32 v, rd_u64 e)
{
    const rd_u32 colour = (rd_u32)rd_ld64_rlx(&a->state[u]); /* partner: the store before u was given */
    if (color_place(a, v) > place && color_tell(a->state, a->told, a->taken, a->graph_row, v, colour))
        rd_give(w, v);
}
