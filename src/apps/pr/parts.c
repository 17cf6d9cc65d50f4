/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - PageRank over several ranks, and its checker in parts. Jacobi's iteration: each rank works out its own
 * vertices from the shares of the iteration before; then owners tell the new shares to all who have a vertex as a
 * ghost. What ranks add up (changes, ranks of sinks) goes as whole numbers, multiples of 2^-60: a sum that is the same
 * in any order, and nothing is above 2.
 */
#include "apps/pr/parts.h"

#include "core/memory.h"
#include "graph/part/part.h"

#include <math.h>
#include <string.h>

static const double unit = 1152921504606846976.0; /* 2^60 */

static uint64_t degree_of(const rd_csr *csr, uint32_t v)
{
    return csr->row[v + 1] - csr->row[v];
}

/* All ranks: sums[0] and [1] are added up, and most is the largest. */
static rd_status add_up(rd_ranks *ranks, double sums[2], double *most, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    mine.sum[0] = (uint64_t)(sums[0] * unit);
    mine.sum[1] = (uint64_t)(sums[1] * unit);
    mine.most[0] = (uint64_t)(*most * unit);
    RD_TRY(rd__ranks_tally(ranks, &mine, &all, err));
    sums[0] = (double)all.sum[0] / unit;
    sums[1] = (double)all.sum[1] / unit;
    *most = (double)all.most[0] / unit;
    return RD_OK;
}

/* ---- The run ---- */

static rd_status iterate(rd_job *job, rd__pr_parts *pr, rd__slice_fn slice, float *told, float *next, double *sunk,
                         rd_report *report, rd_error *err)
{
    const rd__part *part = pr->walked->part;
    const rd_csr csr = rd_graph_csr(job->graph);
    const rd__seeds seeds = {.kind = RD__SEEDS_ALL};
    const double n = part->vertices, alpha = pr->asked.alpha;
    double sums[2] = {0, 0}, most = 0;
    *pr->base = (float)((1 - alpha) / n + (pr->each ? alpha / n * *sunk : 0));
    RD_TRY(rd__part_refresh(part, told, sizeof *told, err));
    RD_TRY(rd__buffer_write(pr->told, 0, 4ull * rd_graph_csr(pr->walked).vertices, told, err));
    RD_TRY(slice(job, &seeds, report, err));
    RD_TRY(rd__buffer_read(pr->share, 0, 4ull * part->own, next, err));
    for (uint32_t v = 0; v < part->own; v++) {
        const uint64_t degree = degree_of(&csr, v);
        const double change = fabs((double)next[v] - (double)told[v]) * (degree ? (double)degree : 1);
        sums[0] += change;
        most = change > most ? change : most;
        sums[1] += degree ? 0 : (double)next[v];
        told[v] = next[v];
    }
    RD_TRY(add_up(part->ranks, sums, &most, err));
    pr->change = pr->asked.by_total ? sums[0] : most;
    *sunk = sums[1];
    return RD_OK;
}

static rd_status run(rd_job *job, rd__pr_parts *pr, rd__slice_fn slice, float *told, float *next, rd_report *report,
                     rd_error *err)
{
    const rd__part *part = job->graph->part;
    const rd_csr csr = rd_graph_csr(job->graph);
    double sums[2] = {0, 0}, most = 0, sunk;
    for (uint32_t v = 0; v < part->own; v++) {
        const uint64_t degree = degree_of(&csr, v);
        told[v] = (float)(1.0 / part->vertices / (degree ? (double)degree : 1));
        sums[0] += degree ? 0 : (double)told[v];
    }
    RD_TRY(add_up(part->ranks, sums, &most, err));
    sunk = sums[0];
    pr->change = 1;
    for (pr->iterations = 0; pr->iterations < pr->limit && !(pr->iterations && pr->change < pr->stops_below);
         pr->iterations++)
        RD_TRY(iterate(job, pr, slice, told, next, &sunk, report, err));
    sums[0] = sums[1] = 0;
    for (uint32_t v = 0; v < part->own; v++) {
        const uint64_t degree = degree_of(&csr, v);
        pr->rank[v] = told[v] * (degree ? (float)degree : 1.0f);
        sums[0] += (double)pr->rank[v];
    }
    RD_TRY(add_up(part->ranks, sums, &most, err));
    for (uint32_t v = 0; v < part->own && pr->asked.spread && !pr->each; v++)
        pr->rank[v] = (float)(pr->rank[v] / sums[0]);
    return RD_OK;
}

/* All ranks: bits of numbers that are not negative have the order of the numbers; of equal ones the lowest vertex. */
static rd_status find_best(const rd__part *part, rd__part *names, rd__pr_parts *pr, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    for (uint32_t v = 0; v < part->own; v++) {
        uint32_t bits;
        memcpy(&bits, &pr->rank[v], sizeof bits);
        const uint64_t word = (uint64_t)bits << 32 | (uint32_t) ~(part->first + v);
        mine.most[0] = word > mine.most[0] ? word : mine.most[0];
    }
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    const uint32_t bits = (uint32_t)(all.most[0] >> 32);
    pr->best = ~(uint32_t)all.most[0];
    memcpy(&pr->best_rank, &bits, sizeof bits);
    return part->vertices ? rd__part_learn(names, &pr->best, 1, err) : RD_OK; /* for the answer */
}

rd_status rd__pr_run_parts(rd_job *job, rd__pr_parts *pr, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    rd__part *part = pr->walked->part; /* learning who has whose is a cache, not a change of the graph */
    float *told = NULL, *next = NULL;
    RD_TRY(rd__part_lend(part, err));
    rd_status status =
        rd__array_new(&told, "shares on the host", (uint64_t)part->own + part->ghosts, sizeof *told, err);
    if (status == RD_OK)
        status = rd__array_new(&next, "shares on the host", part->own, sizeof *next, err);
    if (status == RD_OK)
        status = run(job, pr, slice, told, next, report, err);
    if (status == RD_OK)
        status = find_best(part, job->graph->part, pr, err);
    rd__array_free(told);
    rd__array_free(next);
    return status;
}

/* ---- The checker: the same sums in double precision, of vertex after vertex ---- */

/* csr: whose edges leave vertices; walked: whose edges lead to them. */
static rd_status step(const rd_graph *walked, const rd_csr *csr, const rd__pr_question *asked, double *share,
                      double *rank, double *sunk, double *change, rd_error *err)
{
    const rd__part *part = walked->part;
    const rd_csr in = rd_graph_csr(walked);
    double sums[2] = {0, 0}, most = 0;
    const double n = part->vertices;
    for (uint32_t v = 0; v < part->own; v++)
        share[v] = rank[v] / (degree_of(csr, v) ? (double)degree_of(csr, v) : 1);
    RD_TRY(rd__part_refresh(part, share, sizeof *share, err));
    for (uint32_t v = 0; v < part->own; v++) {
        double sum = 0;
        for (uint64_t e = in.row[v]; e < in.row[v + 1]; e++)
            sum += share[in.col[e]];
        const double next = (1 - asked->alpha) / n + asked->alpha * (sum + (asked->spread ? *sunk / n : 0));
        sums[0] += fabs(next - rank[v]);
        sums[1] += degree_of(csr, v) ? 0 : next;
        rank[v] = next;
    }
    RD_TRY(add_up(part->ranks, sums, &most, err));
    *change = sums[0];
    *sunk = sums[1];
    return RD_OK;
}

static rd_status compare(const rd__part *part, const rd__pr_question *asked, const double *right, double sunk,
                         const float *rank, rd_error *err)
{
    const double error = rd__pr_allowed(asked, sunk), rounding = rd__pr_rounding(asked->alpha);
    double sums[2] = {0, 0}, most = 0;
    for (uint32_t v = 0; v < part->own; v++) {
        const double off = isfinite(rank[v]) ? fabs(rank[v] - right[v]) - rounding * right[v] : 2;
        most = off > most ? off : most;
        sums[0] += off > 0 ? off : 0;
    }
    sums[0] = sums[0] < 2 ? sums[0] : 2;
    most = most < 2 ? most : 2;
    RD_TRY(add_up(part->ranks, sums, &most, err));
    const double off = asked->by_total ? sums[0] : most;
    if (off > error)
        return rd__fail(err, RD_EWRONG, "pr: ranks are off by %.3g %s, more than %.3g", off,
                        asked->by_total ? "in total" : "at worst", error);
    return RD_OK;
}

rd_status rd__pr_check_parts(rd_job *job, const rd_graph *walked, const rd__pr_question *asked, const float *rank,
                             rd_error *err)
{
    enum { MOST_ITERATIONS = 10000 };
    const rd__part *part = walked->part;
    const rd_csr csr = rd_graph_csr(job->graph);
    const int exact = asked->counted && asked->iterations != RD_NONE;
    const double still = exact ? 0 : fmax(1e-14, 1e-3 * asked->tolerance);
    double *right = NULL, *share = NULL, change = 1, sums[2] = {0, 0}, none = 0;
    rd_status status = rd__array_new(&right, "the checker's ranks", part->own, sizeof *right, err);
    if (status == RD_OK)
        status = rd__array_new(&share, "the checker's shares", rd_graph_csr(walked).vertices, sizeof *share, err);
    for (uint32_t v = 0; v < part->own && status == RD_OK; v++) {
        right[v] = 1.0 / part->vertices;
        sums[0] += degree_of(&csr, v) ? 0 : right[v];
    }
    if (status == RD_OK)
        status = add_up(part->ranks, sums, &none, err);
    double sunk = sums[0];
    for (uint32_t i = 0; status == RD_OK && change > still && i < (exact ? asked->iterations : MOST_ITERATIONS); i++)
        status = step(walked, &csr, asked, share, right, &sunk, &change, err);
    if (status == RD_OK)
        status = compare(part, asked, right, sunk, rank, err);
    rd__array_free(right);
    rd__array_free(share);
    return status;
}
