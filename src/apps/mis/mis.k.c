/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mis.k.c - a maximal independent set: vertices of which no two are neighbours, and no further one could be added.
 *
 * Each vertex has a priority, higher for low degrees, since a vertex with few neighbours shuts out few others; ties are
 * broken by number. A vertex enters the set when no neighbour is in it and all that are still undecided have lower
 * priority; it is out when a neighbour is in. Luby's algorithm (STOC 1985) with priorities that are drawn once, without
 * waiting for rounds (Burtscher, Devale, Azimi, Jaiganesh, Powers: A High-Quality and Fast Maximal Independent Set
 * Implementation for GPUs, ACM TOPC 2018).
 *
 * One word a vertex, `mark`: its priority while it is undecided, then MIS_IN or MIS_OUT; never back. Of two neighbours
 * the lower one decides only after the higher one did. So the set is the one that going through all vertices by
 * priority would give, whatever the order in which they are asked: the same in every run.
 *
 * Under schedulers without sweeps: mis/worklist.k.c.
 *
 * Orders. All relaxed: a vertex depends on single words of its neighbours, and an old value only makes it wait.
 */
#define RD_FOLD_MAX(x, y)      ((x) > (y) ? (x) : (y))
#define RD_FOLD_NONE           0u
#define RD_FOLD_JOIN(x, y)     RD_FOLD_MAX(x, y)
#define RD_FOLD_ENOUGH(x)      ((x) == MIS_SHUT) /* not if it has to wait for one: another may shut it out */
#define RD_SWEEP_ONE_DOES      1                 /* a neighbour that is in the set */
#define RD_SWEEP_WALKS(s)      ((s)->phase == MIS_DECIDE)
#define RD_SWEEP_BACK(a, s)    ((a)->back)
#define RD_SWEEP_IDLE(a, s, v) mis_is_decided(a, v)
#define RD_APP_PATIENT         1
#include "model/sweep.k.h"

#include "apps/mis/layout.k.h"
#include "apps/mis/priority.k.h"

#define MIS_FIRST  0
#define MIS_DECIDE 1

/* clang-format off */
#define RD_APP_ARGS(buf, arg)          \
    buf(rd_u32, mark)                  \
    arg(rd_f32, mean) /* degree */     \
    arg(rd_u32, back) /* hubs come first: they wait for the others, which are walked before them */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

#define mis_is_above(a, u, v) ((u) > (v))
#include "apps/mis/rule.k.h"

rd_fn rd_u32 mis_is_decided(const rd_app *a, rd_u32 v)
{
    const rd_u32 mine = rd_ld_rlx(&a->mark[v]); /* partner: the store in rd_app_vertex */
    return mine == MIS_IN || mine == MIS_OUT;
}

rd_fn rd_u32 mis_priority(const rd_app *a, const rd_sweep *s, rd_u32 v)
{
    return mis_priority_of(v, rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]), a->mean);
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return mis_meets(a, v, u);
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    const rd_u32 mine = s->phase == MIS_FIRST ? 0 : rd_ld_rlx(&a->mark[v]); /* only this lane writes it now */
    if (s->phase == MIS_FIRST) {
        rd_st_rlx(&a->mark[v], mis_priority(a, s, v)); /* likewise */
    } else if (mine != MIS_IN && mine != MIS_OUT) {
        if (fold == MIS_WAIT)
            gain->sum++;
        else
            rd_st_rlx(&a->mark[v], fold == MIS_SHUT ? MIS_OUT : MIS_IN); /* partner: the loads in rd_app_edge */
    }
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    return s->phase == MIS_FIRST || gain->sum ? MIS_DECIDE : RD_SWEEP_END;
}
