/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layers.k.c - what color/priority.k.c does without rounds, as sweeps: layer after layer. The first layer are the
 * vertices that come before all their neighbours; a layer tells its colours (color/wait.k.h), and those that have their
 * own by that are the next one. So there are as many rounds as the longest chain of vertices that wait for each other,
 * and each walks only its layer: every vertex once, every edge twice, with the step that counts who waits for whom.
 *
 * Layers lie one after another in `list`, a place for each vertex. Scalars say where the one at hand begins and ends; a
 * place at the end is taken by an addition to *tail. A vertex of very many edges is walked by parts, which are not in a
 * list: told[v], of no use any more when v has its colour, then has the number of the step that is to walk it, with
 * LAYERS_DUE.
 */
#define RD_FOLD_NONE          0u
#define RD_FOLD_JOIN(x, y)    ((x) + (y))
#define RD_SWEEP_FLIGHT       4
#define RD_SWEEP_SCALARS      2
#define RD_SWEEP_LISTED(a, s) ((s)->phase == LAYERS_TELL)
#define RD_SWEEP_ITEMS(a, s)  ((s)->scalar[LAYERS_END] - (s)->scalar[LAYERS_BEGIN])
#define LAYERS_COUNT          0
#define LAYERS_TELL           1
#define LAYERS_BEGIN          0
#define LAYERS_END            1
#define LAYERS_DUE            ((rd_u64)1 << 63) /* no vertex waits for as many edges */
#include "model/sweep.k.h"
#include "apps/color/wait.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(rd_u64, state) \
    buf(rd_u64, told)  \
    buf(rd_u32, taken) \
    buf(rd_u32, list)  \
    buf(rd_u32, tail)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 rd_app_item(const rd_app *a, const rd_sweep *s, rd_u32 i)
{
    return rd_ld_rlx(&a->list[s->scalar[LAYERS_BEGIN] + i]); /* partner: the store below, a step ago */
}

/* v has its colour: the next step walks it. */
rd_fn void layers_append(const rd_app *a, const rd_sweep *s, rd_u32 v)
{
    rd_st64_rlx(&a->told[v], LAYERS_DUE | (s->step + 1)); /* partner: the load below, in the next step */
    rd_st_rlx(&a->list[rd_add_together(a->tail, 1)], v);  /* partners: the same in other lanes; the load above */
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    if (s->phase == LAYERS_TELL && rd_ld64_rlx(&a->told[v]) != (LAYERS_DUE | s->step)) /* partner: as above */
        *from = *to;
}

/* Counting: does v wait for u? Telling: has u its colour by that? */
rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    const rd_u64 own = rd_ld64_rlx(&a->state[v]); /* of this step or before: no one changes it now */
    const rd_u32 place = (rd_u32)(own >> 32), other = (rd_u32)(rd_ld64_rlx(&a->state[u]) >> 32);
    if (s->phase == LAYERS_COUNT)
        return other < place;
    if (other <= place || !color_tell(a->state, a->told, a->taken, s->row, u, (rd_u32)own))
        return 0;
    layers_append(a, s, u);
    return 1;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    const rd_u32 is_first = s->phase == LAYERS_COUNT && !fold;
    if (s->phase == LAYERS_COUNT)
        color_expect(a->state, a->told, a->taken, s->row, v, fold);
    if (is_first)
        layers_append(a, s, v);
    gain->sum += s->phase == LAYERS_COUNT ? is_first : fold; /* the next layer */
}

rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    s->scalar[LAYERS_BEGIN] = s->scalar[LAYERS_END];
    s->scalar[LAYERS_END] += gain->sum;
    return gain->sum ? LAYERS_TELL : RD_SWEEP_END;
}
