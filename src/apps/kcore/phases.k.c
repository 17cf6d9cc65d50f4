/* SPDX-License-Identifier: Apache-2.0 */
/*
 * phases.k.c - kcore/kcore.k.c in one run of rounds, for devices that the host had better not wait for between two k:
 * k is the phase, every vertex waits from the start for the phase of its word, and the scheduler goes from one phase to
 * the next that somebody waits for.
 *
 * A word is a vertex's neighbours that are left, and in the end its coreness. In phase k a task's neighbour with more
 * than k has one less; whoever brings it to k gives it. A subtraction that comes too late is taken back. That is all
 * over when the round ends: from the next one on no edge of phase k looks at a word of more than k there and finds it,
 * so a word of k stays k. Hence a task finds its k in its own word. Of a word that is still more than k, the scheduler
 * is told the phase that it may be due in now (rd_due): this may be one too low for all, when the word has fallen to k
 * since; then the next phase begins without a task, and is followed by the right one.
 *
 * Orders. All atomics are relaxed: a word is all there is to know of a vertex.
 */
#define RD_APP_REPEATS 1 /* has phases */
#define RD_APP_DUE     1 /* what waits may be due earlier */
#include "model/frontier.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)    \
    buf(rd_u32, core)            \
    buf(const rd_u64, graph_row) \
    buf(const rd_u32, graph_col) \
    arg(rd_u32, simple)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 rd_app_when(const rd_app *a, rd_u32 v)
{
    return rd_ld_rlx(&a->core[v]); /* partner: the changes below, in other rounds */
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return rd_ld_rlx(&a->core[u]); /* likewise */
}

/* A loop leads to a vertex that has k: it is not wanted. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 k, rd_u32 v)
{
    return rd_ld_rlx(&a->core[v]) > k; /* partner: the changes below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 k, rd_u32 v, rd_u64 e)
{
    if (!a->simple && e > rd_ld_const(&a->graph_row[u]) && rd_ld_const(&a->graph_col[e - 1]) == v)
        return;                      /* of parallel edges one counts */
    if (rd_ld_rlx(&a->core[v]) <= k) /* not all that visit edges ask whether they are wanted */
        return;
    const rd_u32 old = rd_add_rlx(&a->core[v], 0xffffffffu); /* partner: the same in other lanes */
    if (old == k + 1)
        rd_give(w, v);
    else if (old <= k)
        rd_add_rlx(&a->core[v], 1); /* likewise */
    else
        rd_due(w, old - 1);
}
