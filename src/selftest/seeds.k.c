/* SPDX-License-Identifier: Apache-2.0 */
/* seeds.k.c - an app that says from which seeds a vertex can be reached: from some, or from none. For test_seeds.c,
 * under every engine for frontiers. */
#include "model/frontier.k.h"

#define RD_APP_SEEDS 1
#define RD_APP_RANKS 1

/* clang-format off */
#define RD_APP_ARGS(buf, arg)   \
    buf(rd_u32, sd_mark) /* 1: reached */ \
    arg(rd_u32, sd_turn)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Every third vertex the first time, those after them the second time, the others never. */
rd_fn rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
{
    if (v % 3 == a->sd_turn && rd_xchg_rlx(&a->sd_mark[v], 1) == 0) /* asked for once */
        return RD_SEED_NOW;
    return v % 3 == 1 ? RD_SEED_LATER : RD_SEED_NO;
}

rd_fn rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
{
    return 0;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return 0;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    return rd_ld_rlx(&a->sd_mark[v]) == 0; /* partner: the claim below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    if (rd_cas_rlx(&a->sd_mark[v], 0, 1) == 0) /* partner: the same in other lanes */
        rd_give(w, v);
}
