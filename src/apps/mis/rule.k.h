/* SPDX-License-Identifier: Apache-2.0 */
/* rule.k.h - what decides a vertex in sweeps: mis.k.c, which has the argument, and parts.k.c, on a part of a graph.
 * Comes after rd_app. */
#ifndef RD_APPS_MIS_RULE_K_H
#define RD_APPS_MIS_RULE_K_H

/* What a neighbour means to a vertex that is undecided. */
#define MIS_FREE 0
#define MIS_WAIT 1
#define MIS_SHUT 2

/* What neighbour u is to v. mis_is_above(a, u, v), has u the higher number, is the includer's. */
rd_fn RD_FOLD mis_meets(const rd_app *a, rd_u32 v, rd_u32 u)
{
    /* partner: the store in rd_app_vertex */
    const rd_u32 mine = rd_ld_stale(&a->mark[v]), other = rd_ld_rlx(&a->mark[u]);
    if (u == v || other == MIS_OUT)
        return MIS_FREE;
    if (other == MIS_IN)
        return MIS_SHUT;
    return other > mine || (other == mine && mis_is_above(a, u, v)) ? MIS_WAIT : MIS_FREE;
}

#endif
