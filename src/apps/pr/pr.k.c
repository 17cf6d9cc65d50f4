/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pr.k.c - PageRank. The rank of v is
 *     (1 - alpha) / n + alpha * sum of rank(u) / degree(u) over the edges u -> v.
 * A vertex without edges is a sink. What it should pass on is lost (pr/pr.c says how that is made up for); or, with
 * PR_SPREADS (root pr_counted), goes to all vertices alike in the next iteration: iterations as the definition has
 * them. Each step then gains the ranks of sinks as it goes, so that it takes no pass of its own. These are two
 * programs, so that the first does not pay for the second.
 *
 * In sweeps (bsp) each vertex pulls: it reads what its in-neighbours pass on. One word a vertex, `share`: what it
 * passes on along each of its edges, rank over degree; its rank for a vertex without edges. So an edge costs one far
 * access of four bytes. Starts at rank 1 / n.
 *   Jacobi    steps read one array and write the other: the same result in every run.
 *   in place  steps read and write one array, so what a vertex finds is as new as can be (Gauss-Seidel, as far as the
 *             order of a parallel run goes): fewer steps on graphs of low degree; relaxed atomics, since others write
 *             now.
 *   leaps     Jacobi's steps, and where these come down by little each time (stars, bipartite graphs, chains: a share
 *             of alpha in the worst case), steps that go further the same way, away from where the rank was two steps
 *             ago: Richardson's second-order iteration (G. Golub, R. Varga, "Chebyshev semi-iterative methods", 1961).
 *             On a symmetric graph all eigenvalues are real, between -alpha and alpha, and `leap` is what is best for
 *             these: sqrt(leap) a step, 0.56 for 0.85. On others it mostly helps; where it does not, it is given up.
 *             The rank of two steps ago is in the word that is written: one access more, to a line that is at hand.
 * Where hubs are packed (pr/pack.h) a vertex of `hub` edges and more has a second word, behind those of all vertices,
 * and edges to it lead there.
 * A step gains the total change of ranks, or the largest (the rule), and is the last when that is below `tolerance`;
 * of a leap it is what the plain step would have changed.
 *
 * Without rounds (fifo) vertices push: pr_push.k.c.
 */
#define RD_APP_WHOLE        1
#define RD_FOLD_F32         1
#define RD_FOLD_NONE        0.0f
#define RD_FOLD_JOIN(x, y)  ((x) + (y))
#define RD_SWEEP_WALKS(s)   ((s)->phase >= PR_PULL)
#define RD_SWEEP_IDEMPOTENT 1 /* an edge is a read */
#ifndef PR_SPREADS
#define PR_SPREADS 0
#endif
#define RD_SWEEP_RESIDENT 1152 /* 56 registers; with 64 kron:20 takes 1.11 as long on an H200 */
#define RD_GAINS (RD_GAIN_TOTAL | RD_GAIN_MOST | (PR_SPREADS ? RD_GAIN_SECOND : 0))
#include "model/sweep.k.h"
#include "apps/pr/layout.k.h"

#define PR_FIRST  0
#define PR_RANKS  1 /* shares become ranks */
#define PR_SPREAD 2 /* ranks are scaled to a sum of 1 */
#define PR_PULL   3 /* an iteration */
#define PR_LEAP   4 /* one that leaps: the first, the second, and those after */
#define PR_STAY   7 /* one that does not any more */

#define PR_SOON  4     /* iterations before it is known how fast they come down */
#define PR_SLOW  0.6f  /* a change is this share of the one before: leaps will be faster */
#define PR_STUCK 0.95f /* so are leaps: they are of no use here */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                                                  \
    buf(const rd_u64, out_row) /* of the graph itself; s->row is of the graph turned round */ \
    buf(rd_u32, share) /* bits of numbers */                                                  \
    buf(rd_u32, other) /* Jacobi: the second array */                                         \
    buf(rd_f32, rank)                                                                         \
    buf(rd_u32, note) /* for the host: see pr/layout.k.h */                                   \
    arg(rd_f32, alpha)                                                                                    \
    arg(rd_f32, base) /* (1 - alpha) / n */                                                               \
    arg(rd_f32, tolerance)                                                                                \
    arg(rd_u32, by_total) /* the rule: 1, the total change; 0, the largest */                             \
    arg(rd_u32, limit) /* most iterations */                                                              \
    arg(rd_u32, in_place)                                                                                 \
    arg(rd_f32, leap) /* how much further a leap goes; 0: none does */                                    \
    arg(rd_u32, spread) /* scale to a sum of 1 at the end */                                              \
    arg(rd_f32, sunk) /* alpha / n, with PR_SPREADS: what each vertex gets of ranks of sinks */ \
    buf(const rd_u32, place) /* of hubs: their numbers among them */ \
    arg(rd_f32, hub) /* edges of one, at least */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Step 0 writes `share`. In place `other` is the same array, which a core need not ask for. */
rd_fn rd_global rd_u32 *pr_written_by(const rd_app *a, rd_u32 step)
{
    return step % 2 && (RD_CORE || !a->in_place) ? a->other : a->share;
}

rd_fn rd_f32 pr_degree(const rd_app *a, rd_u32 v)
{
    const rd_u64 degree = rd_ld_const(&a->out_row[v + 1]) - rd_ld_const(&a->out_row[v]);
#if RD_CORE /* signed: x86-64 has no instruction for others, and branches */
    return degree ? (rd_f32)(rd_i64)degree : 1.0f;
#else
    return degree ? (rd_f32)degree : 1.0f;
#endif
}

rd_fn rd_u32 pr_is_sink(const rd_app *a, rd_u32 v)
{
    return rd_ld_const(&a->out_row[v + 1]) == rd_ld_const(&a->out_row[v]);
}

rd_fn rd_f32 pr_change(const rd_app *a, const rd_gain *gain)
{
    return a->by_total ? gain->total : rd_as_f32(gain->most);
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    rd_global rd_u32 *const shares = pr_written_by(a, s->step - 1);
    if (a->in_place || RD_WARP == 1)     /* on a CPU such a load is as cheap as any */
        return rd_ldf_stale(&shares[u]); /* partner: the stores in pr_tell */
    return rd_as_f32(shares[u]);
}

/* What v, which has so many edges, passes on along each of them. */
rd_fn void pr_tell(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_f32 degree, rd_f32 share)
{
    rd_global rd_u32 *const shares = pr_written_by(a, s->step);
    rd_stf_rlx(&shares[v], share); /* partner: the load in rd_app_edge */
    if (degree >= a->hub)
        rd_stf_rlx(&shares[s->vertices + rd_ld_const(&a->place[v])], share); /* the same */
}

rd_fn void pr_pull(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_f32 sum, rd_gain *gain)
{
    const rd_f32 degree = pr_degree(a, v), part = 1.0f / degree; /* the division does not have to wait for the sum */
    const rd_f32 base = PR_SPREADS ? a->base + a->sunk * s->gained.second : a->base;
    rd_f32 rank = base + a->alpha * sum;
    const rd_f32 old = rd_ldf_stale(&pr_written_by(a, s->step - 1)[v]) * degree; /* its own of the step before */
    const rd_u32 change = rd_as_u32(rank - old) & 0x7fffffffu; /* without its sign, and without a branch */
    gain->total += rd_as_f32(change);
    gain->most = change > gain->most ? change : gain->most;
    if (PR_SPREADS && pr_is_sink(a, v))
        gain->second += rank;
    if (!PR_SPREADS && s->phase >= PR_LEAP && s->phase < PR_STAY)
        rank += a->leap * (rank - rd_ldf_stale(&pr_written_by(a, s->step)[v]) * degree); /* of two steps ago */
    pr_tell(a, s, v, degree, rank * part);
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (s->phase == PR_FIRST) {
        const rd_f32 degree = pr_degree(a, v);
        pr_tell(a, s, v, degree, 1.0f / (rd_f32)s->vertices / degree);
        if (PR_SPREADS && pr_is_sink(a, v))
            gain->second += 1.0f / (rd_f32)s->vertices;
    } else if (s->phase >= PR_PULL) {
        pr_pull(a, s, v, fold, gain);
    } else if (s->phase == PR_RANKS) {
        const rd_f32 rank = rd_as_f32(pr_written_by(a, s->step - 1)[v]) * pr_degree(a, v);
        a->rank[v] = rank;
        gain->total += rank;
        if (v == 0) {
            a->note[PR_ITERATIONS] = s->step - 1;
            a->note[PR_CHANGE] = rd_as_u32(pr_change(a, &s->gained));
        }
    } else {
        a->rank[v] /= s->gained.total;
    }
}

/* Which kind of iteration comes next, as this one changed ranks by so much, and the one before by so much. */
rd_fn rd_u32 pr_next_kind(const rd_app *a, const rd_sweep *s, rd_f32 change, rd_f32 before)
{
    if (s->phase == PR_PULL)
        return a->leap > 0.0f && s->step >= PR_SOON && change > PR_SLOW * before ? PR_LEAP : PR_PULL;
    if (s->phase < PR_STAY - 1)
        return s->phase + 1;
    return s->phase == PR_STAY || change > PR_STUCK * before ? PR_STAY : s->phase;
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    if (s->phase == PR_FIRST)
        return a->limit ? PR_PULL : PR_RANKS;
    if (s->phase >= PR_PULL) { /* step 1 is the first iteration */
        const rd_f32 change = pr_change(a, gain);
        return change < a->tolerance || s->step >= a->limit ? PR_RANKS
                                                            : pr_next_kind(a, s, change, pr_change(a, &s->gained));
    }
    return s->phase == PR_RANKS && a->spread ? PR_SPREAD : RD_SWEEP_END;
}
