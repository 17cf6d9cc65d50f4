/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.k.c - the independent set of mis/mis.k.c on a part of a graph: the same priorities, by numbers and degrees of
 * the whole graph, and the same rule, for the vertices that the rank owns. What ghosts are their owners have told. A
 * run goes on until no vertex of the part can be decided; then the host (mis/parts.c) has owners tell again.
 *
 * Orders. As in mis/mis.k.c.
 */
#define RD_FOLD_MAX(x, y)  ((x) > (y) ? (x) : (y))
#define RD_FOLD_NONE       0u
#define RD_FOLD_JOIN(x, y) RD_FOLD_MAX(x, y)
#define RD_FOLD_ENOUGH(x)  ((x) == MIS_SHUT)
#define RD_SWEEP_FLIGHT    4 /* a few are often enough */
#include "model/sweep.k.h"

#include "apps/mis/layout.k.h"
#include "apps/mis/priority.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)          \
    buf(rd_u32, mark)                  \
    arg(rd_u32, begins) /* only the priorities of own vertices are wanted */ \
    arg(rd_u32, lowest) /* number of vertex 0 in the whole graph */ \
    arg(rd_u32, owned)                 \
    arg(rd_u32, below)  /* so many ghosts have lower numbers than own vertices */ \
    arg(rd_f32, mean)   /* degree, of the whole graph */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    if (a->begins || v >= a->owned) {
        *from = *to;
        return;
    }
    const rd_u32 mine = rd_ld_rlx(&a->mark[v]); /* partner: the store in rd_app_vertex */
    if (mine == MIS_IN || mine == MIS_OUT)
        *from = *to;
}

/* Has u the higher number in the whole graph? v is owned. */
rd_fn rd_u32 mis_is_above(const rd_app *a, rd_u32 u, rd_u32 v)
{
    return u < a->owned ? u > v : u >= a->owned + a->below;
}
#include "apps/mis/rule.k.h"

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return mis_meets(a, v, u);
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (v >= a->owned)
        return;
    if (a->begins) {
        const rd_u64 degree = rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]);
        rd_st_rlx(&a->mark[v], mis_priority_of(a->lowest + v, degree, a->mean)); /* read after the run */
        return;
    }
    const rd_u32 mine = rd_ld_rlx(&a->mark[v]); /* only this lane writes it now */
    if (mine == MIS_IN || mine == MIS_OUT || fold == MIS_WAIT)
        return;
    gain->sum++;
    rd_st_rlx(&a->mark[v], fold == MIS_SHUT ? MIS_OUT : MIS_IN); /* partner: the loads in rd_app_edge */
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    return gain->sum ? 0 : RD_SWEEP_END;
}
