/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - PageRank in double precision. One iteration of the checker's own proves most results; where it does not,
 * the checker iterates until ranks stand still by comparison, and compares.
 *
 * How far may a right result be off? A run that stops when an iteration changes ranks by less than tolerance is, when
 * each iteration shrinks the error to alpha times what it was, less than tolerance * alpha / (1 - alpha) from the end.
 * With the total change this is a proof for Jacobi's iteration; with the largest change, and in place, it is what
 * happens. A run may leave out what vertices without edges pass on, and scale its ranks to a sum of 1 in the end: that
 * divides by the sum s of such ranks, and the error grows to 2 / s of what it was. With y the right ranks, of which
 * vertices without edges have S, s is (1 - alpha) / (1 - alpha + alpha * S). To this comes what single precision does:
 * a relative error at each vertex.
 * A run cut off after k iterations is off by no more than alpha^k times the first error, in total at most 2. Where k
 * was asked for, the result is compared with k iterations of the checker's own.
 */
#include "apps/pr/check.h"

#include "apps/common/called.h"
#include "apps/common/rows.h"
#include "core/memory.h"

#include <math.h>

static const double stands_still = 1e-5;  /* total change, as a part of the tolerance */
static const double least_change = 1e-13; /* total change that double precision can tell from none */
/* Relative, of ranks in single precision. Each iteration rounds anew, some ten times 6e-8 in sums of equal numbers as
 * on stars, and keeps alpha of the error: with an alpha near 1 that adds up to more. */
double rd__pr_rounding(double alpha)
{
    return alpha > 0.98 ? 6e-7 / (1 - alpha) : 3e-5;
}

enum { MOST_ITERATIONS = 3000 };

/* The ranks of vertices without edges. */
static double sum_of_sunk(const rd_csr *csr, const double *rank)
{
    double sum = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        sum += csr->row[v] == csr->row[v + 1] ? rank[v] : 0;
    return sum;
}

typedef struct step {
    const rd_csr *csr;
    const rd__pr_question *asked;
    double *rank, *next, *share; /* share: what a vertex passes on by each edge */
    double least;                /* what every vertex gets */
} step;

static int share_out(void *pointer, uint32_t from, uint32_t to)
{
    const step *s = pointer;
    for (uint32_t u = from; u < to; u++) {
        const uint64_t degree = s->csr->row[u + 1] - s->csr->row[u];
        s->share[u] = degree ? s->asked->alpha * s->rank[u] / (double)degree : 0;
        s->next[u] = s->least;
    }
    return 1;
}

static int gather(void *pointer, uint32_t from, uint32_t to)
{
    const step *s = pointer;
    for (uint32_t v = from; v < to; v++)
        for (uint64_t e = s->csr->row[v]; e < s->csr->row[v + 1]; e++)
            s->next[v] += s->share[s->csr->col[e]];
    return 1;
}

/* One iteration: s->next from s->rank. @return the total change. */
static double iterate(step *s)
{
    const rd_csr *csr = s->csr;
    const double sunk = s->asked->spread ? sum_of_sunk(csr, s->rank) : 0;
    double change = 0;
    s->least = (1 - s->asked->alpha) / csr->vertices + s->asked->alpha * sunk / csr->vertices;
    (void)rd__rows_hold(csr, share_out, s);
    if (s->asked->symmetric)
        (void)rd__rows_hold(csr, gather, s);
    for (uint32_t u = 0; !s->asked->symmetric && u < csr->vertices; u++)
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            s->next[csr->col[e]] += s->share[u];
    for (uint32_t v = 0; v < csr->vertices; v++)
        change += fabs(s->next[v] - s->rank[v]);
    return change;
}

static rd_status make_step(step *s, const rd_csr *csr, const rd__pr_question *asked, rd_error *err)
{
    *s = (step){.csr = csr, .asked = asked};
    RD_TRY(rd__array_new(&s->rank, "the checker's ranks", csr->vertices, sizeof *s->rank, err));
    RD_TRY(rd__array_new(&s->next, "the checker's next ranks", csr->vertices, sizeof *s->next, err));
    return rd__array_new(&s->share, "what the checker's vertices pass on", csr->vertices, sizeof *s->share, err);
}

static void free_step(step *s)
{
    rd__array_free(s->rank);
    rd__array_free(s->next);
    rd__array_free(s->share);
}

/* The proof: an iteration brings any two sets of ranks nearer to each other, in total to alpha of their distance; so
 * ranks that one of them changes by c in total are at most c / (1 - alpha) from the end. @return 0: it does not say. */
static int proved(const rd_csr *csr, const rd__pr_question *asked, const float *rank)
{
    step s;
    double change = INFINITY;
    if (asked->counted)
        return 0;
    if (make_step(&s, csr, asked, NULL) == RD_OK) {
        for (uint32_t v = 0; v < csr->vertices; v++)
            s.rank[v] = (double)rank[v];
        change = iterate(&s);
    }
    free_step(&s);
    return change / (1 - asked->alpha) <= rd__pr_allowed(asked, 0);
}

void rd__pr_ranks_free(rd__pr_ranks *right)
{
    rd__array_free(right->rank);
    *right = (rd__pr_ranks){0};
}

static rd_status work_out(const rd_csr *csr, const rd__pr_question *asked, rd__pr_ranks *right, rd_error *err)
{
    const int exact = asked->counted && asked->iterations != RD_NONE;
    const uint32_t most = exact ? asked->iterations : MOST_ITERATIONS;
    double change = 1, still = exact ? 0 : stands_still * asked->tolerance;
    step s;
    still = still > least_change ? still : least_change;
    rd__pr_ranks_free(right);
    rd_status status = make_step(&s, csr, asked, err);
    for (uint32_t v = 0; status == RD_OK && v < csr->vertices; v++)
        s.rank[v] = 1.0 / csr->vertices;
    for (uint32_t i = 0; status == RD_OK && change > still && i < most; i++) {
        double *other = s.rank;
        change = iterate(&s);
        s.rank = s.next;
        s.next = other;
    }
    if (status == RD_OK) {
        *right = (rd__pr_ranks){.rank = s.rank, .sunk = sum_of_sunk(csr, s.rank), .of = *asked};
        s.rank = NULL;
    }
    free_step(&s);
    return status;
}

/* Would the ranks worked out for one question be those for the other? */
static int is_same(const rd__pr_question *a, const rd__pr_question *b)
{
    return a->alpha == b->alpha && a->tolerance == b->tolerance && a->spread == b->spread && a->counted == b->counted &&
           (!a->counted || a->iterations == b->iterations);
}

/* Never less than what single precision may make of a sum of ranks near 1 on its way. */
double rd__pr_allowed(const rd__pr_question *asked, double sunk)
{
    static const double least = 1e-8;
    double error = asked->tolerance * asked->alpha / (1 - asked->alpha);
    error = error > least ? error : least;
    if (asked->counted)
        return error;
    if (asked->iterations != RD_NONE) {
        const double cut = 2 * pow(asked->alpha, asked->iterations);
        error = cut > error ? cut : error;
    }
    return asked->spread ? 2 * error * (1 - asked->alpha + asked->alpha * sunk) / (1 - asked->alpha) : error;
}

rd_status rd__pr_check(const rd_csr *csr, const rd__pr_question *asked, rd__pr_ranks *right, const float *rank,
                       rd_error *err)
{
    double total = 0, worst = -INFINITY;
    uint32_t at = 0;
    if (!right->rank || !is_same(&right->of, asked)) {
        if (csr->vertices && proved(csr, asked, rank))
            return RD_OK;
        RD_TRY(work_out(csr, asked, right, err));
    }
    const double error = rd__pr_allowed(asked, right->sunk), rounding = rd__pr_rounding(asked->alpha);
    for (uint32_t v = 0; v < csr->vertices; v++) {
        const double wanted = right->rank[v];
        const double off = isfinite(rank[v]) ? fabs(rank[v] - wanted) - rounding * wanted : INFINITY;
        if (off > worst) {
            worst = off;
            at = v;
        }
        total += off > 0 ? off : 0;
    }
    if (csr->vertices && (asked->by_total ? total : worst) > error)
        return rd__fail(err, RD_EWRONG,
                        "pr: ranks are off by %.3g %s, more than %.3g; vertex %llu has rank %.9g and should have %.9g",
                        asked->by_total ? total : worst, asked->by_total ? "in total" : "at worst", error,
                        rd__called(at), (double)rank[at], right->rank[at]);
    return RD_OK;
}
