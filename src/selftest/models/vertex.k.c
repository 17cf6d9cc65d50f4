/* SPDX-License-Identifier: Apache-2.0 */
/* vertex.k.c - whole vertices: each is run once, by a lane or by a group, and gives one other. See test_models.c. */
#define RD_APP_VERTEX    1
#define RD_APP_NO_ROUNDS 1
#define RD_APP_WIDE      20
#define RD_APP_WORDS     4
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                        \
    buf(const rd_u64, rows)                          \
    buf(rd_u32, opened)  /* per vertex: how often */ \
    buf(rd_u32, visited) /* per edge */              \
    buf(rd_u32, wrong)                               \
    arg(rd_u32, all)                                 \
    arg(rd_u32, apart)   /* how many are seeds */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn void models_give(const rd_app *a, rd_worker *w, rd_u32 v)
{
    rd_add_rlx(&a->opened[v], 1); /* counters, read by the host: here and below */
    if (v < a->all && a->all - v > a->apart)
        rd_give(w, v + a->apart);
}

rd_fn void rd_app_vertex(const rd_app *a, rd_worker *w, rd_u32 v, rd_global const rd_u32 *to, rd_u32 degree)
{
    const rd_u64 first = rd_ld_const(&a->rows[v]);
    for (rd_u32 i = 0; i < degree; i++)
        rd_add_rlx(&a->visited[first + i], to[i] < a->all);
    models_give(a, w, v);
    if (RD_LANES > 1 && degree > RD_APP_WIDE)
        rd_add_rlx(a->wrong, 1);
}

#if RD_LANES > 1

rd_fn void rd_app_vertex_wide(const rd_app *a, rd_worker *w, const rd_team *team, rd_u32 v, rd_global const rd_u32 *to,
                              rd_u32 degree)
{
    const rd_u64 first = rd_ld_const(&a->rows[v]);
    if (rd_lane() == 0)
        team->words[RD_APP_WORDS - 1] = 0;
    rd_barrier(); /* the word is 0 */
    for (rd_u32 i = rd_lane(); i < degree; i += rd_lanes()) {
        rd_add_rlx(&a->visited[first + i], to[i] < a->all);
        rd_add_local(&team->words[RD_APP_WORDS - 1], 1); /* partner: itself */
    }
    rd_barrier(); /* all have counted */
    if (rd_lane() == 0) {
        models_give(a, w, v);
        if (team->words[RD_APP_WORDS - 1] != degree || degree <= RD_APP_WIDE)
            rd_add_rlx(a->wrong, 1);
    }
}

#endif
