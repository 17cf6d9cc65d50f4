/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.k.c - breadth-first search on a part of a graph, whose other parts other ranks search (job/ranks_least.c). The
 * search speculates as bfs/bfs.k.c does without rounds: a claim is an atomic minimum. Two things differ. Ghosts,
 * vertices from `owned` on, are told their depth but never run: they have no edges here, and the host sends what
 * changed to their owners. And a vertex at depth `beyond` or more waits: when no rank has anything below it left, the
 * host raises it and gives those that waited.
 */
#define RD_APP_NO_ROUNDS 1 /* between ranks there are none */
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(rd_u32, depth) \
    arg(rd_u32, owned)   \
    arg(rd_u32, beyond)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* What a vertex offers to its neighbours. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return rd_ld_rlx(&a->depth[u]) + 1; /* partner: the claim below */
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 offer, rd_u32 v)
{
    return rd_ld_rlx(&a->depth[v]) > offer; /* partner: the claim below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 offer, rd_u32 v, rd_u64 e)
{
    const rd_u32 old = rd_min_rlx(&a->depth[v], offer); /* partner: the same claims in other lanes; no other data */
    if (old > offer && v < a->owned && offer < a->beyond)
        rd_give(w, v);
}
