/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.k.c - shortest paths on a part of a graph: sssp/sssp.k.c without rounds and parents, with ghosts that never run
 * and a limit beyond which vertices wait. bfs/parts.k.c says what these are. The window that the host moves the limit
 * by is what the buckets of delta-stepping are.
 */
#define RD_APP_NO_ROUNDS 1 /* between ranks there are none */
#define RD_APP_RANKS     1 /* nearest first, where the policy has an order */
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(const rd_u32, weight) \
    buf(rd_u32, distance) \
    buf(rd_u32, notes)    \
    arg(rd_u32, owned)   \
    arg(rd_u32, beyond)  \
    arg(rd_u32, real) /* weights and distances are the bits of floats */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);
#include "apps/sssp/layout.k.h"

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return rd_ld_rlx(&a->distance[u]); /* partner: the offer below */
}

rd_fn rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
{
    return rd_ld_rlx(&a->distance[v]); /* partner: the offer below */
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 from, rd_u32 v)
{
    return rd_ld_rlx(&a->distance[v]) > from; /* partner: the offer below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 from, rd_u32 v, rd_u64 e)
{
    const rd_u32 weight = rd_ld_const(&a->weight[e]);
    const rd_u32 way = a->real ? rd_as_u32(rd_as_f32(from) + rd_as_f32(weight)) : from + weight;
    if (way < from || way == 0xffffffffu || (a->real && way >= 0x7f800000u)) { /* sssp/state.k.h */
        rd_st_rlx(&a->notes[SSSP_OVERFLOW], 1);                                /* read by the host */
        return;
    }
    const rd_u32 old = rd_min_rlx(&a->distance[v], way); /* partner: the same in other lanes; no other data */
    if (old > way && v < a->owned && way < a->beyond)
        rd_give(w, v);
}
