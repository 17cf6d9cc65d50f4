/* SPDX-License-Identifier: Apache-2.0 */
/* frontier.k.c - counts what happens to vertices and edges when each vertex is given once. See test_models.c. */
#define RD_APP_RANKS 1
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                           \
    buf(rd_u32, claimed)                                                \
    buf(rd_u32, opened)  /* per vertex: how often */                    \
    buf(rd_u32, visited) /* per edge */                                 \
    buf(rd_u32, told)    /* per vertex, by whoever gave it: plain */    \
    buf(rd_u32, wrong)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 models_value(rd_u32 u)
{
    return u ^ 0x5a5a5a5au;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    rd_add_rlx(&a->opened[u], 1); /* counters, read by the host: here and below */
    if (a->told[u] != u + 1)
        rd_add_rlx(a->wrong, 1);
    return models_value(u);
}

rd_fn rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
{
    return v % 16;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    rd_add_rlx(&a->visited[e], 1);
    if (value != models_value(u))
        rd_add_rlx(a->wrong, 1);
    if (!rd_xchg_rlx(&a->claimed[v], 1)) { /* partner: itself */
        a->told[v] = v + 1;
        rd_give(w, v);
    }
}
