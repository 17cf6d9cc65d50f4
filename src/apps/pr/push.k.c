/* SPDX-License-Identifier: Apache-2.0 */
/*
 * push.k.c - PageRank without rounds: vertices push what is missing. After Y. Chen and others, "Atos", 2022, and R.
 * Andersen and others, "Local graph partitioning using PageRank vectors", 2006, with a start that is nearly right.
 *
 * What holds at any time. Each vertex has a rank and a residue, and the right ranks are the ranks plus what the
 * residues would become if they walked on for ever. A task takes the residue r of its vertex u, adds it to u's rank,
 * and adds alpha * r / degree(u) to the residue of each neighbour; that keeps it true. A residue walks on to no more
 * than alpha / (1 - alpha) times itself, beyond the vertex where it is.
 *
 * Stopping rule. A vertex is a task only while its residue, of either sign, is at least floor * degree. When none is
 * left, residues are below that everywhere, the host adds them to the ranks, and what is missing then is in total less
 * than alpha / (1 - alpha) * floor * edges; on a symmetric graph it is at each vertex less than alpha / (1 - alpha) *
 * floor * degree, since an even share for each edge is what a walk leaves as it is.
 *
 * Start. On a symmetric graph ranks are nearly as the degrees. A rank of start * degree leaves the residue
 * (1 - alpha) * (1 / n - start * degree), which is small and sums up to nothing. Elsewhere start is 0. Each vertex
 * starts in its seed's task; until then its rank is PR_UNSET, and residues that come in earlier just wait.
 *
 * A residue crosses its floor by one addition, and the lane that made it gives the vertex. Residues that fall below
 * before the task runs (they have signs) are left alone.
 *
 * Root pr_cursor (PR_FINDS) has Atos' way to find them instead: nobody gives a vertex whose residue has crossed its
 * floor; a cursor goes round all vertices, and gives those whose residue is above. A task moves it on by as many
 * vertices as it has edges, and looks at one for each edge that it visits. That may pass by some: when no task is left,
 * the cursor goes over all of them (rd_app_is_seed), and the run ends when it finds none. So it ends where the other
 * does, and with the same bound.
 */
#define RD_APP_NO_ROUNDS 1 /* a vertex is pushed again and again */
#define RD_APP_SKIP      0xffffffffu
#include "model/frontier.k.h"
#include "apps/pr/layout.k.h"

#ifndef PR_FINDS
#define PR_FINDS 0
#endif
#define PR_UNSET 0xffffffffu /* the bits of no rank */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                     \
    buf(const rd_u64, rows)                      \
    buf(rd_u32, rank) /* bits of numbers */      \
    buf(rd_f32, residue)                         \
    arg(rd_f32, alpha)                                       \
    arg(rd_f32, floor) /* the least residue that is worth a push, for each edge */ \
    arg(rd_f32, base) /* (1 - alpha) / vertices */           \
    arg(rd_f32, start)                                       \
    buf(rd_u32, note) /* PR_FINDS: the cursor, */            \
    buf(rd_u32, place) /* and where it was for a vertex's last task */ \
    arg(rd_u32, vertices)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_f32 pr_size(rd_f32 x)
{
    return x < 0.0f ? -x : x;
}

rd_fn rd_f32 pr_degree(const rd_app *a, rd_u32 v)
{
    return (rd_f32)(rd_u32)(rd_ld_const(&a->rows[v + 1]) - rd_ld_const(&a->rows[v]));
}

/* Is there something to push at v? As the task itself will ask. */
rd_fn rd_u32 pr_is_worth(const rd_app *a, rd_u32 v)
{
    const rd_f32 residue = rd_as_f32(rd_ld_rlx((rd_global rd_u32 *)&a->residue[v])); /* partners: see rd_app_open */
    return residue != 0.0f && pr_size(residue) >= a->floor * pr_degree(a, v);
}

#ifdef RD_APP_SEEDS
rd_fn rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
{
    return pr_is_worth(a, v) ? RD_SEED_NOW : RD_SEED_NO;
}
#endif

/* Takes what u has to push. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    rd_global rd_u32 *bits = (rd_global rd_u32 *)&a->residue[u];
    const rd_f32 degree = pr_degree(a, u);
    const rd_u32 rank = rd_ld_rlx(&a->rank[u]);  /* partners: the exchange and the addition below, in u's other tasks */
    rd_f32 residue = rd_as_f32(rd_ld_rlx(bits)); /* partners: the additions in rd_app_edge */
    if (rank == PR_UNSET && rd_cas_rlx(&a->rank[u], PR_UNSET, rd_as_u32(a->start * degree)) == PR_UNSET) {
        const rd_f32 first = a->base - (1.0f - a->alpha) * a->start * degree;
        residue = rd_addf_rlx(&a->residue[u], first) + first; /* partners: as above */
    }
    if (pr_size(residue) < a->floor * degree)
        return RD_APP_SKIP;
    residue = rd_as_f32(rd_xchg_rlx(bits, 0)); /* all that came until now; the bits of 0 are 0 */
    if (residue == 0.0f)
        return RD_APP_SKIP;
    rd_addf_rlx((rd_global rd_f32 *)&a->rank[u], residue); /* partner: u's other tasks; read by the host */
    if (PR_FINDS) /* partners: the same in other tasks; the look in rd_app_edge, where what is old is as good */
        rd_st_rlx(&a->place[u], rd_add_together(&a->note[PR_CURSOR], (rd_u32)degree));
    return rd_as_u32(a->alpha * residue / degree); /* without edges nobody asks */
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    const rd_f32 floor = a->floor * pr_degree(a, v), part = rd_as_f32(value);
    const rd_f32 old = rd_addf_rlx(&a->residue[v], part); /* partners: the same in other lanes, and rd_app_open */
    if (PR_FINDS) {
        const rd_u32 i = rd_ld_rlx(&a->place[u]) + (rd_u32)(e - rd_ld_const(&a->rows[u])), next = i % a->vertices;
        if (pr_is_worth(a, next))
            rd_give_again(w, next);
    } else if (pr_size(old) < floor && pr_size(old + part) >= floor)
        rd_give_again(w, v);
}
