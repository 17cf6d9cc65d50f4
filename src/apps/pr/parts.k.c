/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.k.c - PageRank on a part of a symmetric graph: one of Jacobi's iterations, as pr/pr.k.c has them, for the
 * vertices that the rank owns. What ghosts pass on, their owners have told. The host (pr/parts.c) sends shares between
 * iterations and decides when it is enough.
 */
#define RD_FOLD_F32         1
#define RD_FOLD_NONE        0.0f
#define RD_FOLD_JOIN(x, y)  ((x) + (y))
#define RD_SWEEP_IDEMPOTENT 1 /* an edge is a read */
#define RD_GAINS            0
#include "model/sweep.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(const rd_u64, out_row) \
    buf(const rd_f32, told) /* what each vertex, ghosts too, passes on along an edge */ \
    buf(rd_f32, share)      /* the same after this iteration, of own vertices */ \
    arg(rd_u32, owned) \
    arg(rd_f32, alpha) \
    arg(rd_f32, base)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return a->told[u];
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (v >= a->owned)
        return;
    const rd_u64 degree = rd_ld_const(&a->out_row[v + 1]) - rd_ld_const(&a->out_row[v]);
    a->share[v] = (a->base + a->alpha * fold) / (degree ? (rd_f32)degree : 1.0f);
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    return RD_SWEEP_END;
}
