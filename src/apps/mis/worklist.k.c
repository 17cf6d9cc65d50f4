/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worklist.k.c - the independent set of mis/mis.k.c by tasks, where there are no sweeps: each vertex is a task once,
 * when all neighbours of higher priority are decided, and so is it. (G. Blelloch, J. Fineman, J. Shun: Greedy
 * sequential maximal independent set and matching are parallel on average, SPAA 2012, "root sets".)
 *
 * Two words a vertex: `mark`, 1 in the set, 0 out of it, OPEN until then; and `waits`, of 64 bits, below how many edges
 * lead to neighbours of higher priority that have not told it what they are, above how many said that they are in. The
 * seeds are those that wait for no one. A task tells its neighbours of lower priority, by one addition each; who takes
 * off the last decides the neighbour, in unless someone who told it is, and gives it. So the set is that of going
 * through all vertices by priority: the same in every run, and the same as in sweeps. Parallel edges are waited for and
 * told one by one; loops are neither.
 *
 * Orders. All relaxed: what a neighbour was told is in the word that counts who told it. (A mark stored before the
 * count was taken off needed a fence for each edge.)
 */
#define RD_APP_SEEDS      1
#define RD_APP_SEED_EDGES 1
#define RD_APP_NO_ROUNDS  1 /* in rounds there are sweeps */
#include "model/frontier.k.h"

#include "apps/mis/priority.k.h"

#define MIS_OPEN     2u
#define MIS_TOLD_IN  (rd_u64)0xffffffffu
#define MIS_TOLD_OUT ~(rd_u64)0

/* clang-format off */
#define RD_APP_ARGS(buf, arg)      \
    buf(rd_u32, mark)              \
    buf(rd_u64, waits)             \
    buf(const rd_u64, mis_row)     \
    arg(rd_f32, mean) /* degree */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 mis_priority(const rd_app *a, rd_u32 v)
{
    return mis_priority_of(v, rd_ld_const(&a->mis_row[v + 1]) - rd_ld_const(&a->mis_row[v]), a->mean);
}

/* Does u, of priority `other`, go before v? */
rd_fn rd_u32 mis_before(rd_u32 u, rd_u32 other, rd_u32 v, rd_u32 mine)
{
    return other > mine || (other == mine && u > v);
}

rd_fn rd_u32 rd_app_seed_edge(const rd_app *a, rd_u32 v, rd_u32 u)
{
    return mis_before(u, mis_priority(a, u), v, mis_priority(a, v));
}

rd_fn rd_u32 rd_app_is_seed_by(const rd_app *a, rd_u32 v, rd_u32 count)
{
    a->waits[v] = count; /* the run comes after this launch */
    a->mark[v] = count ? MIS_OPEN : 1u;
    return count ? RD_SEED_NO : RD_SEED_NOW;
}

/* Above, its priority, of less than 31 bits; below, whether it is in the set. It is decided. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return mis_priority(a, u) << 1 | rd_ld_rlx(&a->mark[u]); /* partner: the store below, before u was given */
}

/* Who waits for no one has been told all. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return (rd_u32)rd_ld64_rlx(&a->waits[v]) != 0; /* partner: the addition below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    if (!mis_before(u, value >> 1, v, mis_priority(a, v)))
        return;
    /* One edge less, and with a carry one more that is in. Partner: the same by v's other neighbours. */
    const rd_u64 in = value & 1, told = rd_add64_rlx(&a->waits[v], in ? MIS_TOLD_IN : MIS_TOLD_OUT);
    if ((rd_u32)told == 1) { /* no one else is left to write the mark */
        rd_st_rlx(&a->mark[v], !in && told >> 32 == 0);
        rd_give(w, v);
    }
}
