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
 * access of four bytes. Ranks start at 1 / n; on cores, where a graph is symmetric, at (1 - alpha) / n and alpha times
 * what they would be by degrees, which is where they end for an alpha of 1: an iteration ahead, and where neighbours'
 * degrees have little to do with each other (kron, attach) two or three.
 *   Jacobi    steps read one array and write the other: the same result in every run.
 *   in place  steps read and write one array, so what a vertex finds is as new as can be (Gauss-Seidel, as far as the
 *             order of a parallel run goes): fewer steps on graphs of low degree; relaxed atomics, since others write
 *             now.
 *   relaxed   cores, of which each goes vertex after vertex, on symmetric graphs: steps begin as either of these, and
 *             where they come down slowly they go on in place and further than they would, by a factor that is best
 *             where eigenvalues lie between -alpha and alpha (successive over-relaxation; D. Young, 1954): 0.31 a step,
 *             for 0.85.
 *   leaps     lanes, of which many go at a time: Jacobi's steps, and where these come down by little each time (stars,
 *             bipartite graphs, chains: a share of alpha in the worst case), steps that go further the same way, away
 *             from where the rank was two steps ago: Richardson's second-order iteration (G. Golub, R. Varga,
 *             "Chebyshev semi-iterative methods", 1961). The factor is the same: sqrt(0.31) a step, 0.56 for 0.85.
 *             On a symmetric graph all eigenvalues are real, between -alpha and alpha; on others both mostly help;
 *             where they do not, they are given up.
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
#define RD_GAINS (RD_GAIN_TOTAL | RD_GAIN_MOST | (PR_SPREADS || RD_CORE ? RD_GAIN_SECOND : 0))
#include "raddle/kernel.h"
#if RD_CORE
#define RD_SWEEP_SCALARS 1
#define RD_SWEEP_RUNS    (!PR_SPREADS)
#endif
#define PR_SUMS (RD_CORE && !PR_SPREADS) /* iterations add up ranks, as the second gain */
#include "model/sweep.k.h"
#include "apps/pr/layout.k.h"

#define PR_FIRST  0
#define PR_RANKS  1 /* shares become ranks */
#define PR_SPREAD 2 /* ranks are scaled to a sum of 1 */
#define PR_PULL   3 /* an iteration */
#define PR_LEAP   4 /* one that leaps, or is relaxed: the first, the second, and those after */
#define PR_STAY   7 /* one that is not any more */

#define PR_SOON  4     /* iterations before it is known how fast they come down */
#define PR_SLOW  0.6f  /* a change is this share of the one before: leaps will be faster */
#define PR_FIRM  3     /* the same for relaxed ones; one less where all are in place, */
#define PR_SLACK 0.4f  /* ... which comes down faster itself */
#define PR_FAR   0.03f /* the first one changed so much in total: the guess was far off, and they will be slow */
#define PR_STUCK 0.95f /* neither is of use here */

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
    arg(rd_u32, ways) /* PR_IN_PLACE from the start; leaps are PR_RELAXED: cores that keep their order */ \
    arg(rd_f32, leap) /* how much further a leap goes; 0: none does */                                    \
    arg(rd_u32, spread) /* scale to a sum of 1 at the end */                                              \
    arg(rd_f32, sunk) /* alpha / n, with PR_SPREADS: what each vertex gets of ranks of sinks; else, on cores: what \
                         an edge passes on at first, besides `base` over degree; 0: ranks start alike */ \
    buf(const rd_u32, place) /* of hubs: their numbers among them */ \
    arg(rd_f32, hub) /* edges of one, at least */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Where a step reads and where it writes. Step 0 writes `share`, the next one `other`, and so on; in place a step reads
 * and writes what the one before wrote. */
#if RD_CORE /* as word 0 of the scalars says; they take lanes up to a twentieth longer than what follows */
#define PR_READS_OTHER  1u
#define PR_WRITES_OTHER 2u
#define pr_from(a, s)   ((s)->scalar[0] & PR_READS_OTHER ? (a)->other : (a)->share)
#define pr_to(a, s)     ((s)->scalar[0] & PR_WRITES_OTHER ? (a)->other : (a)->share)

rd_fn void pr_next_places(rd_sweep *s, rd_u32 in_place)
{
    const rd_u32 wrote = s->scalar[0] / PR_WRITES_OTHER;
    s->scalar[0] = wrote * PR_READS_OTHER + (in_place ? wrote : 1 - wrote) * PR_WRITES_OTHER;
}

#else
#define pr_from(a, s)               pr_written_by(a, (s)->step - 1)
#define pr_to(a, s)                 pr_written_by(a, (s)->step)
#define pr_next_places(s, in_place) ((void)(in_place))

rd_fn rd_global rd_u32 *pr_written_by(const rd_app *a, rd_u32 step)
{
    return step % 2 && !(a->ways & PR_IN_PLACE) ? a->other : a->share;
}

#endif

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
    rd_global rd_u32 *const shares = pr_from(a, s);
    if (a->ways & PR_IN_PLACE || RD_WARP == 1) /* on a CPU such a load is as cheap as any */
        return rd_ldf_stale(&shares[u]); /* partner: the stores in pr_tell */
    return rd_as_f32(shares[u]);
}

/* What v, which has so many edges, passes on along each of them. */
rd_fn void pr_tell(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_f32 degree, rd_f32 share)
{
    rd_global rd_u32 *const shares = pr_to(a, s);
    rd_stf_rlx(&shares[v], share); /* partner: the load in rd_app_edge */
    if (degree >= a->hub)
        rd_stf_rlx(&shares[s->vertices + rd_ld_const(&a->place[v])], share); /* the same */
}

rd_fn void pr_pull(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_f32 sum, rd_gain *gain)
{
    const rd_f32 degree = pr_degree(a, v), part = 1.0f / degree; /* the division does not have to wait for the sum */
    const rd_f32 base = PR_SPREADS ? a->base + a->sunk * s->gained.second : a->base;
    rd_f32 rank = base + a->alpha * sum;
    const rd_f32 old = rd_ldf_stale(&pr_from(a, s)[v]) * degree; /* its own of the step before */
    const rd_u32 change = rd_as_u32(rank - old) & 0x7fffffffu; /* without its sign, and without a branch */
    if (!RD_CORE || a->by_total)
        gain->total += rd_as_f32(change);
    if (!RD_CORE || !a->by_total)
        gain->most = change > gain->most ? change : gain->most;
    if (PR_SPREADS && pr_is_sink(a, v))
        gain->second += rank;
    if (!PR_SPREADS && s->phase >= PR_LEAP && s->phase < PR_STAY) /* away from the rank of two steps ago, or of one */
        rank += a->leap * (rank - (RD_CORE && a->ways & PR_RELAXED ? old : rd_ldf_stale(&pr_to(a, s)[v]) * degree));
    if (PR_SUMS)
        gain->second += rank;
    pr_tell(a, s, v, degree, rank * part);
}

#if PR_SUMS
#include "apps/pr/run.k.h"
#endif

/* What v passes on along each edge before the first iteration. */
rd_fn rd_f32 pr_first(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_f32 degree)
{
    if (PR_SUMS && a->sunk > 0.0f)
        return pr_is_sink(a, v) ? a->base : a->sunk + a->base / degree;
    return 1.0f / (rd_f32)s->vertices / degree;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (s->phase == PR_FIRST) {
        const rd_f32 degree = pr_degree(a, v);
        pr_tell(a, s, v, degree, pr_first(a, s, v, degree));
        if (PR_SPREADS && pr_is_sink(a, v))
            gain->second += 1.0f / (rd_f32)s->vertices;
    } else if (s->phase >= PR_PULL) {
        pr_pull(a, s, v, fold, gain);
    } else if (s->phase == PR_RANKS) {
        const rd_f32 rank = rd_as_f32(pr_from(a, s)[v]) * pr_degree(a, v);
        a->rank[v] = PR_SUMS && a->spread ? rank / s->gained.second : rank;
        if (!PR_SUMS)
            gain->total += rank;
        if (v == 0) {
            a->note[PR_ITERATIONS] = s->step - 1;
            a->note[PR_CHANGE] = rd_as_u32(pr_change(a, &s->gained));
        }
    } else {
        a->rank[v] /= s->gained.total;
    }
}

/* Will leaps be faster, as this iteration changed ranks by so much, and the one before by so much? The first relaxed
 * one comes down by less than a plain one, so it is none where two of those will do. */
rd_fn rd_u32 pr_is_slow(const rd_app *a, const rd_sweep *s, rd_f32 change, rd_f32 before)
{
    const rd_f32 ratio = s->step > 1 ? change / before : 0.0f;
    if (PR_SUMS && a->ways & PR_RELAXED && a->sunk > 0.0f && s->step == 1 && a->by_total && change > PR_FAR)
        return change * PR_SLACK * PR_SLACK > a->tolerance;
    if (a->ways & PR_RELAXED)
        return ratio > PR_SLACK && s->step + (a->ways & PR_IN_PLACE) >= PR_FIRM &&
               change * ratio * ratio > a->tolerance;
    return a->leap > 0.0f && s->step >= PR_SOON && ratio > PR_SLOW;
}

/* Which kind of iteration comes next. */
rd_fn rd_u32 pr_next_kind(const rd_app *a, const rd_sweep *s, rd_f32 change, rd_f32 before)
{
    if (s->phase == PR_PULL)
        return pr_is_slow(a, s, change, before) ? PR_LEAP : PR_PULL;
    if (s->phase < PR_STAY - 1)
        return s->phase + 1;
    return s->phase == PR_STAY || change > PR_STUCK * before ? PR_STAY : s->phase;
}

rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    rd_u32 next = s->phase == PR_RANKS && a->spread && !PR_SUMS ? PR_SPREAD : RD_SWEEP_END;
    if (s->phase == PR_FIRST) {
        next = a->limit ? PR_PULL : PR_RANKS;
    } else if (s->phase >= PR_PULL) { /* step 1 is the first iteration */
        const rd_f32 change = pr_change(a, gain);
        next = change < a->tolerance || s->step >= a->limit ? PR_RANKS
                                                            : pr_next_kind(a, s, change, pr_change(a, &s->gained));
    }
    pr_next_places(s, (a->ways & PR_IN_PLACE) || (a->ways & PR_RELAXED && next >= PR_LEAP));
    return next;
}
