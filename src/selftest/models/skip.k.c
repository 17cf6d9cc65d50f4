/* SPDX-License-Identifier: Apache-2.0 */
/* skip.k.c - vertices of odd number are opened and skipped; every third is given as urgent. See test_models.c. */
#define RD_APP_NO_ROUNDS 1
#define RD_APP_URGENT    1
#define RD_APP_SKIP      0xffffffffu
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                        \
    buf(rd_u32, claimed)                             \
    buf(rd_u32, opened)  /* per vertex: how often */ \
    buf(rd_u32, visited) /* per edge */              \
    buf(rd_u32, told)    /* per vertex: plain */     \
    buf(rd_u32, wrong)                               \
    buf(rd_u32, order)   /* how many were opened; then per vertex: when it was */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    rd_add_rlx(&a->opened[u], 1); /* counters, read by the host: here and below */
    rd_st_rlx(&a->order[1 + u], rd_add_rlx(a->order, 1));
    if (a->told[u] != u + 1)
        rd_add_rlx(a->wrong, 1);
    return u % 2 ? RD_APP_SKIP : 7;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    rd_add_rlx(&a->visited[e], 1);
    if (value != 7)
        rd_add_rlx(a->wrong, 1);
    if (!rd_xchg_rlx(&a->claimed[v], 1)) { /* partner: itself */
        a->told[v] = v + 1;
        if (v % 3 == 0)
            rd_give_urgent(w, v);
        else
            rd_give(w, v);
    }
}
