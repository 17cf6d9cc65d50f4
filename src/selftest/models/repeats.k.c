/* SPDX-License-Identifier: Apache-2.0 */
/* repeats.k.c - vertices are given for phases; in rounds phases must come in order. See test_models.c. */
#define RD_APP_REPEATS 1
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                               \
    buf(rd_u32, when)    /* per vertex; NONE: not given */  \
    buf(rd_u32, opened)  /* per vertex: how often */        \
    buf(rd_u32, visited) /* per edge */                     \
    buf(rd_u32, latest)  /* phase that has begun */         \
    buf(rd_u32, wrong)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

#define MODELS_NONE 0xffffffffu

rd_fn rd_u32 rd_app_when(const rd_app *a, rd_u32 v)
{
    return rd_ld_rlx(&a->when[v]); /* partner: the swap in rd_app_edge */
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    const rd_u32 when = rd_app_when(a, u);
    rd_add_rlx(&a->opened[u], 1); /* counters, read by the host: here and below */
#if RD_ROUNDS
    if (rd_max_rlx(a->latest, when) > when) /* partner: itself */
        rd_add_rlx(a->wrong, 1);
#endif
    return when;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    const rd_u32 own = v * 7 % 5, when = own > value ? own : value;
    rd_add_rlx(&a->visited[e], 1);
    if (rd_cas_rlx(&a->when[v], MODELS_NONE, when) == MODELS_NONE) /* partner: itself */
        rd_give_later(w, v, when);
}
