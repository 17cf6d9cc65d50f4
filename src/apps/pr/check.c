/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - PageRank in double precision, one vertex after another, until it stands still by comparison; and
 * comparison with it.
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

/* One iteration: *next from *rank. @return the total change. */
static double iterate(const rd_csr *csr, double alpha, int spread, const double *rank, double *next)
{
    const double sunk = spread ? sum_of_sunk(csr, rank) : 0;
    double change = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        next[v] = (1 - alpha) / csr->vertices + alpha * sunk / csr->vertices;
    for (uint32_t u = 0; u < csr->vertices; u++) {
        const uint64_t degree = csr->row[u + 1] - csr->row[u];
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            next[csr->col[e]] += alpha * rank[u] / (double)degree;
    }
    for (uint32_t v = 0; v < csr->vertices; v++)
        change += fabs(next[v] - rank[v]);
    return change;
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
    double *rank = NULL, *next = NULL, change = 1, still = exact ? 0 : stands_still * asked->tolerance;
    still = still > least_change ? still : least_change;
    rd__pr_ranks_free(right);
    RD_TRY(rd__array_new(&rank, "the checker's ranks", csr->vertices, sizeof *rank, err));
    rd_status status = rd__array_new(&next, "the checker's next ranks", csr->vertices, sizeof *next, err);
    if (status != RD_OK) {
        rd__array_free(rank);
        return status;
    }
    for (uint32_t v = 0; v < csr->vertices; v++)
        rank[v] = 1.0 / csr->vertices;
    for (uint32_t i = 0; change > still && i < most; i++) {
        double *other = rank;
        change = iterate(csr, asked->alpha, asked->spread, rank, next);
        rank = next;
        next = other;
    }
    rd__array_free(next);
    *right = (rd__pr_ranks){.rank = rank, .sunk = sum_of_sunk(csr, rank), .of = *asked};
    return RD_OK;
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
    if (!right->rank || !is_same(&right->of, asked))
        RD_TRY(work_out(csr, asked, right, err));
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
