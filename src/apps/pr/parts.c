/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - PageRank over several ranks, and its checker in parts. Jacobi's iteration: each rank works out its own
 * vertices from the shares of the iteration before; then owners tell the new shares to all who have a vertex as a
 * ghost. What ranks add up (changes, ranks of sinks) goes as whole numbers, multiples of 2^-60: a sum that is the same
 * in any order, and nothing is above 2. It goes with the shares, so that an iteration has one wait.
 *
 * On cores the host works them out by itself: an engine asks ghosts too, of which there are many more than vertices
 * where ranks are many and edges lead anywhere; and its arrays are in the host's memory, so that nothing is copied.
 */
#include "apps/pr/parts.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "graph/part/part.h"

#include <math.h>
#include <string.h>

static const double unit = 1152921504606846976.0; /* 2^60 */

static uint64_t degree_of(const rd_csr *csr, uint32_t v)
{
    return csr->row[v + 1] - csr->row[v];
}

/* What all ranks add up, and what they do so with. */
typedef struct sums {
    double change, sunk; /* of all vertices */
    double most;         /* the greatest change */
} sums;

static rd__tally tally_of(const sums *mine)
{
    rd__tally tally = {{0}, {0}};
    tally.sum[0] = (uint64_t)(mine->change * unit);
    tally.sum[1] = (uint64_t)(mine->sunk * unit);
    tally.most[0] = (uint64_t)(mine->most * unit);
    return tally;
}

static sums sums_of(const rd__tally *all)
{
    return (sums){(double)all->sum[0] / unit, (double)all->sum[1] / unit, (double)all->most[0] / unit};
}

static rd_status add_up(rd_ranks *ranks, sums *at, rd_error *err)
{
    const rd__tally mine = tally_of(at);
    rd__tally all;
    RD_TRY(rd__ranks_tally(ranks, &mine, &all, err));
    *at = sums_of(&all);
    return RD_OK;
}

/* ---- The run ---- */

typedef struct run {
    rd_job *job;
    rd__pr_parts *pr;
    rd__slice_fn slice;
    rd_report *report;
    rd_csr out, in;   /* edges that leave vertices, and lead to them */
    float *told;      /* what vertices and ghosts pass on along an edge: the device's memory, or a copy */
    float *next;      /* the same of own ones after the iteration at hand: likewise */
    int is_copy;      /* then the engine runs */
    uint32_t threads; /* else so many, which */
    sums *each;       /* have sums of their own */
    double change_before;
} run;

/* The change of a vertex, which is its own from now on. */
static inline void settle(const run *r, uint32_t v, sums *at)
{
    const uint64_t degree = degree_of(&r->out, v);
    const double change = fabs((double)r->next[v] - (double)r->told[v]) * (degree ? (double)degree : 1);
    at->change += change;
    at->most = change > at->most ? change : at->most;
    at->sunk += degree ? 0 : (double)r->next[v];
}

/* Four sums, for one would wait for itself at each edge. */
static inline float pull(const run *r, uint32_t v)
{
    const uint32_t *const col = r->in.col;
    const float *const told = r->told;
    const uint64_t end = r->in.row[v + 1];
    uint64_t e = r->in.row[v];
    float sum[4] = {0, 0, 0, 0};
    for (; e + 4 <= end; e += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += told[col[e + (uint64_t)i]];
    for (; e < end; e++)
        sum[e % 4] += told[col[e]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The first own vertex whose edges begin at that one or later. */
static uint32_t row_from(const run *r, uint64_t edge)
{
    uint32_t low = 0, high = r->pr->walked->part->own;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->in.row[middle] + middle < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void pull_share(void *arg, unsigned index, unsigned threads)
{
    const run *r = arg;
    const uint32_t own = r->pr->walked->part->own;
    const float base = *r->pr->base, alpha = (float)r->pr->asked.alpha;
    sums mine = {0, 0, 0};
    uint64_t from, to;
    rd__share(r->in.row[own] + own, index, threads, &from, &to);
    const uint32_t last = index + 1 == threads ? own : row_from(r, to);
    for (uint32_t v = row_from(r, from); v < last; v++) {
        const uint64_t degree = degree_of(&r->out, v);
        r->next[v] = (base + alpha * pull(r, v)) / (degree ? (float)degree : 1.0f);
        settle(r, v, &mine);
    }
    r->each[index] = mine;
}

static rd_status by_host(run *r, sums *at, rd_error *err)
{
    const uint32_t own = r->pr->walked->part->own;
    RD_TRY(rd__ranks_may_go_on(r->job->ranks, "ranking", r->report->tasks, "tasks", err));
    rd__parallel(r->threads, pull_share, r);
    for (uint32_t i = 0; i < r->threads; i++) {
        at->change += r->each[i].change;
        at->sunk += r->each[i].sunk;
        at->most = r->each[i].most > at->most ? r->each[i].most : at->most;
    }
    r->report->tasks += own;
    r->report->edges += r->in.row[own];
    r->report->rounds++;
    return RD_OK;
}

static rd_status by_engine(run *r, sums *at, rd_error *err)
{
    const rd__seeds seeds = {.kind = RD__SEEDS_ALL};
    const uint32_t own = r->pr->walked->part->own;
    RD_TRY(rd__buffer_write(r->pr->told, 0, 4ull * r->in.vertices, r->told, err));
    RD_TRY(r->slice(r->job, &seeds, r->report, err));
    RD_TRY(rd__buffer_read(r->pr->share, 0, 4ull * own, r->next, err));
    for (uint32_t v = 0; v < own; v++)
        settle(r, v, at);
    return RD_OK;
}

/* Will the iterations end here? The change falls as it did before. */
static int may_end(const rd__pr_parts *pr, double before)
{
    return pr->iterations >= pr->limit || (pr->iterations > 1 && pr->change * pr->change < pr->stops_below * before);
}

/* All ranks: adds up, and tells shares: at the same time, or, when it may be the end, one after the other. *done: it is
 * enough. */
static rd_status meet(run *r, sums *at, int *done, rd_error *err)
{
    rd__pr_parts *pr = r->pr;
    const rd__part *part = pr->walked->part;
    const int apart = may_end(pr, r->change_before);
    const rd__tally mine = tally_of(at);
    rd__tally all;
    const rd__sum sum = {&mine, &all};
    RD_TRY(apart ? rd__ranks_tally(part->ranks, &mine, &all, err)
                 : rd__part_refresh_and_sum(part, r->told, sizeof *r->told, &sum, err));
    *at = sums_of(&all);
    r->change_before = pr->change;
    pr->change = !pr->iterations ? 1 : pr->asked.by_total ? at->change : at->most;
    *done = pr->iterations >= pr->limit || (pr->iterations && pr->change < pr->stops_below);
    return apart && !*done ? rd__part_refresh(part, r->told, sizeof *r->told, err) : RD_OK;
}

/* at: what the iteration before has added up, here. */
static rd_status iterate(run *r, sums *at, int *done, rd_error *err)
{
    rd__pr_parts *pr = r->pr;
    const uint32_t own = pr->walked->part->own;
    const double n = pr->walked->part->vertices, alpha = pr->asked.alpha;
    RD_TRY(meet(r, at, done, err));
    if (*done)
        return RD_OK;
    *pr->base = (float)((1 - alpha) / n + (pr->each ? alpha / n * at->sunk : 0));
    *at = (sums){0, 0, 0};
    RD_TRY(r->is_copy ? by_engine(r, at, err) : by_host(r, at, err));
    memcpy(r->told, r->next, own * sizeof *r->told);
    pr->iterations++;
    return RD_OK;
}

static rd_status rank_all(run *r, rd_error *err)
{
    rd__pr_parts *pr = r->pr;
    const rd__part *part = pr->walked->part;
    sums at = {0, 0, 0};
    for (uint32_t v = 0; v < part->own; v++) {
        const uint64_t degree = degree_of(&r->out, v);
        r->told[v] = (float)(1.0 / part->vertices / (degree ? (double)degree : 1));
        at.sunk += degree ? 0 : (double)r->told[v];
    }
    pr->iterations = 0;
    pr->change = r->change_before = 1;
    for (int done = 0; !done;)
        RD_TRY(iterate(r, &at, &done, err));
    at = (sums){0, 0, 0};
    for (uint32_t v = 0; v < part->own; v++) {
        const uint64_t degree = degree_of(&r->out, v);
        pr->rank[v] = r->told[v] * (degree ? (float)degree : 1.0f);
        at.change += (double)pr->rank[v];
    }
    RD_TRY(add_up(part->ranks, &at, err));
    for (uint32_t v = 0; v < part->own && pr->asked.spread && !pr->each; v++)
        pr->rank[v] = (float)(pr->rank[v] / at.change);
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

/* Threads for so many edges: each should have some tenths of a millisecond of work. */
static uint32_t threads_for(const rd_device *device, uint64_t edges)
{
    enum { EDGES_EACH = 1 << 17 };
    const uint64_t most = edges / EDGES_EACH + 1;
    const uint32_t cores = device->info.compute_units ? device->info.compute_units : 1;
    return cores < most ? cores : (uint32_t)most;
}

static rd_status make(run *r, rd_error *err)
{
    const rd__part *part = r->pr->walked->part;
    r->out = rd_graph_csr(r->job->graph);
    r->in = rd_graph_csr(r->pr->walked);
    r->told = rd__buffer_in_place(r->pr->told);
    r->next = rd__buffer_in_place(r->pr->share);
    r->is_copy = !r->told || !r->next || !r->job->device->caps.cores;
    if (!r->is_copy) {
        RD_TRY(rd__buffer_settle(r->pr->told, err));
        RD_TRY(rd__buffer_settle(r->pr->share, err));
        r->threads = threads_for(r->job->device, r->in.edges);
        return rd__array_new(&r->each, "sums of threads", r->threads, sizeof *r->each, err);
    }
    r->told = r->next = NULL;
    RD_TRY(rd__array_new(&r->told, "shares on the host", (uint64_t)part->own + part->ghosts, sizeof *r->told, err));
    return rd__array_new(&r->next, "shares on the host", part->own, sizeof *r->next, err);
}

rd_status rd__pr_run_parts(rd_job *job, rd__pr_parts *pr, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    rd__part *part = pr->walked->part; /* learning who has whose is a cache, not a change of the graph */
    run r = {.job = job, .pr = pr, .slice = slice, .report = report};
    RD_TRY(rd__part_lend(part, err));
    rd_status status = make(&r, err);
    if (status == RD_OK)
        status = rank_all(&r, err);
    if (status == RD_OK)
        status = find_best(part, job->graph->part, pr, err);
    if (r.is_copy) {
        rd__array_free(r.told);
        rd__array_free(r.next);
    }
    rd__array_free(r.each);
    return status;
}

/* ---- The checker: the same sums in double precision, of vertex after vertex ---- */

/* csr: whose edges leave vertices; walked: whose edges lead to them. */
static rd_status step(const rd_graph *walked, const rd_csr *csr, const rd__pr_question *asked, double *share,
                      double *rank, double *sunk, double *change, rd_error *err)
{
    const rd__part *part = walked->part;
    const rd_csr in = rd_graph_csr(walked);
    sums at = {0, 0, 0};
    const double n = part->vertices;
    for (uint32_t v = 0; v < part->own; v++)
        share[v] = rank[v] / (degree_of(csr, v) ? (double)degree_of(csr, v) : 1);
    RD_TRY(rd__part_refresh(part, share, sizeof *share, err));
    for (uint32_t v = 0; v < part->own; v++) {
        double sum = 0;
        for (uint64_t e = in.row[v]; e < in.row[v + 1]; e++)
            sum += share[in.col[e]];
        const double next = (1 - asked->alpha) / n + asked->alpha * (sum + (asked->spread ? *sunk / n : 0));
        at.change += fabs(next - rank[v]);
        at.sunk += degree_of(csr, v) ? 0 : next;
        rank[v] = next;
    }
    RD_TRY(add_up(part->ranks, &at, err));
    *change = at.change;
    *sunk = at.sunk;
    return RD_OK;
}

static rd_status compare(const rd__part *part, const rd__pr_question *asked, const double *right, double sunk,
                         const float *rank, rd_error *err)
{
    const double error = rd__pr_allowed(asked, sunk), rounding = rd__pr_rounding(asked->alpha);
    sums at = {0, 0, 0};
    for (uint32_t v = 0; v < part->own; v++) {
        const double off = isfinite(rank[v]) ? fabs(rank[v] - right[v]) - rounding * right[v] : 2;
        at.most = off > at.most ? off : at.most;
        at.change += off > 0 ? off : 0;
    }
    at.change = at.change < 2 ? at.change : 2;
    at.most = at.most < 2 ? at.most : 2;
    RD_TRY(add_up(part->ranks, &at, err));
    const double off = asked->by_total ? at.change : at.most;
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
    double *right = NULL, *share = NULL, change = 1;
    sums at = {0, 0, 0};
    rd_status status = rd__array_new(&right, "the checker's ranks", part->own, sizeof *right, err);
    if (status == RD_OK)
        status = rd__array_new(&share, "the checker's shares", rd_graph_csr(walked).vertices, sizeof *share, err);
    for (uint32_t v = 0; v < part->own && status == RD_OK; v++) {
        right[v] = 1.0 / part->vertices;
        at.sunk += degree_of(&csr, v) ? 0 : right[v];
    }
    if (status == RD_OK)
        status = add_up(part->ranks, &at, err);
    double sunk = at.sunk;
    for (uint32_t i = 0; status == RD_OK && change > still && i < (exact ? asked->iterations : MOST_ITERATIONS); i++)
        status = step(walked, &csr, asked, share, right, &sunk, &change, err);
    if (status == RD_OK)
        status = compare(part, asked, right, sunk, rank, err);
    rd__array_free(right);
    rd__array_free(share);
    return status;
}
