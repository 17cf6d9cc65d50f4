/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pr.c - PageRank, host side: options, the arrays of shares and ranks. pr/pr.k.c (in sweeps) and pr/push.k.c
 * (without rounds) are the algorithms, pr/check.c the checker.
 *
 * Vertices without edges (sinks). --dangling drop: what they should pass on is lost in each iteration (as in the GAP
 * benchmarks and Gunrock), and ranks sum up to less than 1. --dangling spread, the usual definition: they pass on to
 * all vertices alike. That adds the same amount to each vertex, and since ranks are linear in what each vertex is
 * given, the ranks in the end are those of `drop`, scaled to a sum of 1; a run until ranks stand still does just that,
 * as it takes fewer iterations. After a number of iterations the two are not the same thing: who asks for
 * --iterations gets Jacobi's iteration, with what sinks pass on in each of them.
 */
#include "apps/pr/check.h"
#include "apps/pr/layout.k.h"
#include "apps/values.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <string.h>

enum { IN_PLACE_DEGREE = 32 }; /* highest degree up to which iterations in place are fewer */

typedef struct pr_state {
    double alpha, tolerance;
    uint32_t limit;
    int tolerance_set;
    int counted;      /* the option iterations was set: the result of so many, as the definition has them */
    int by_max, drop; /* the options rule and dangling, where they are not the default */
    enum { AUTO, JACOBI, IN_PLACE } update;
    rd__buffer share, other, rank, note; /* pushing, share holds the residues */
    uint32_t joined;                     /* vertices with edges */
    rd__buffer in_row, in_col;           /* of the graph turned round, where it is not its own */
    rd_csr in;
    /* of the last run */
    rd__pr_question ran;
    rd__pr_ranks right; /* the checker's, for this graph */
    uint32_t notes[PR_NOTES];
    float *copy, *residue;
    double left; /* pushing: the sum of residues, without signs */
    double download_s;
    int copied;
} pr_state;

static const rd_option_info options[] = {
    {"alpha", "NUMBER", "0.85", "share of a rank that is passed on along edges", 0},
    {"tol", "NUMBER", "1e-4", "stop when an iteration changes ranks by less", 0},
    {"rule", "l1|max", "l1", "... in total (l1), or each of them (max)", 0},
    {"iterations", "N", "1000", "exactly so many; with --tol, and when not given, at most so many", 0},
    {"update", "auto|jacobi|in-place", "auto", "of bsp: read the iteration before, or what is newest", 0},
    {"dangling", "spread|drop", "spread", "what vertices without edges pass on: to all alike, or nothing", 0},
    {NULL, NULL, NULL, NULL, 0},
};
enum { DEFAULT_LIMIT = 1000 };
static const double least_push_tolerance = 1e-9; /* below, residues in single precision would not get there */

static void pr_init(rd_job *job)
{
    pr_state *pr = job->state;
    pr->alpha = 0.85;
    pr->tolerance = 1e-4;
    pr->limit = DEFAULT_LIMIT;
}

/* Which of "a|b|c" the value is. */
static rd_status set_choice(const char *key, const char *value, const char *const *names, int *out, rd_error *err)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], value) == 0) {
            *out = i;
            return RD_OK;
        }
    return rd__fail(err, RD_EARG, "option %s takes %s, %s%s%s, not '%s'", key, names[0], names[1],
                    names[2] ? " or " : "", names[2] ? names[2] : "", value);
}

static rd_status pr_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    static const char *const rules[] = {"l1", "max", NULL}, *const updates[] = {"auto", "jacobi", "in-place", NULL},
                             *const dangling[] = {"spread", "drop", NULL};
    pr_state *pr = job->state;
    double number;
    int choice = 0;
    if (strcmp(key, "alpha") == 0) {
        if (!rd_parse_double(value, &number) || !(number >= 0 && number <= 0.999))
            return rd__fail(err, RD_EARG, "alpha '%s' is not a number from 0 to 0.999", value);
        pr->alpha = number;
    } else if (strcmp(key, "tol") == 0) {
        if (!rd_parse_double(value, &number) || !(number >= 0 && number <= 1))
            return rd__fail(err, RD_EARG, "tol '%s' is not a number from 0 to 1", value);
        pr->tolerance = number;
        pr->tolerance_set = 1;
    } else if (strcmp(key, "iterations") == 0) {
        RD_TRY(rd__value_u32(key, value, 0, 1000000, &pr->limit, err));
        rd__job_drop_sched(job); /* of another program, maybe */
        pr->counted = 1;
    } else if (strcmp(key, "rule") == 0) {
        return set_choice(key, value, rules, &pr->by_max, err);
    } else if (strcmp(key, "dangling") == 0) {
        RD_TRY(set_choice(key, value, dangling, &pr->drop, err));
        rd__job_drop_sched(job);
    } else {
        RD_TRY(set_choice(key, value, updates, &choice, err));
        pr->update = choice == 0 ? AUTO : choice == 1 ? JACOBI : IN_PLACE;
    }
    return RD_OK;
}

/* Without rounds vertices push: another program (pr/push.k.c), with other arguments. */
static int pushes(const rd_job *job)
{
    return !rd__job_in_rounds(job);
}

/* Do sinks pass on in each iteration? Another program too. */
static int spreads_each(const pr_state *pr)
{
    return !pr->drop && pr->counted;
}

static const char *const roots[] = {"pr", "pr_counted", "pr_push", NULL};

static const char *pr_root(const rd_job *job)
{
    return pushes(job) ? "pr_push" : spreads_each(job->state) ? "pr_counted" : "pr";
}

static rd_status pr_validate(rd_job *job, rd_error *err)
{
    const pr_state *pr = job->state;
    if (pushes(job) && pr->counted)
        return rd__fail(err, RD_EARG, "there are no iterations to count under scheduler %s; use one with rounds",
                        job->engine->policy->name);
    if (pr->counted && pr->update == IN_PLACE)
        return rd__fail(err, RD_EARG,
                        "in place, the result after a number of iterations depends on the order of vertices; leave out "
                        "iterations, or use --update jacobi");
    if (pushes(job) && pr->tolerance < least_push_tolerance)
        return rd__fail(err, RD_EARG, "scheduler %s takes a tol of at least %g; use one with rounds",
                        job->engine->policy->name, least_push_tolerance);
    return RD_OK;
}

/* On graphs of low degree a change takes many iterations to travel, and in place it travels further in each. Where some
 * vertices have very many edges Jacobi's iteration needs fewer: it keeps the sum of ranks right from the start. */
static int is_in_place(const rd_job *job)
{
    const pr_state *pr = job->state;
    return pr->update == IN_PLACE ||
           (pr->update == AUTO && !pr->counted && rd_graph_max_degree(job->graph) <= IN_PLACE_DEGREE);
}

/* Below which change the run stops: never, for a number of iterations and nothing else. */
static double stops_below(const pr_state *pr)
{
    return pr->counted && !pr->tolerance_set ? 0 : pr->tolerance;
}

static void pr_plan(const rd_job *job, rd_plan *plan)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    const int shared = job->device && job->device->caps.shares_host;
    if (!rd_graph_is_symmetric(job->graph)) {
        rd__plan_add(plan, "turned graph: row offsets", 8ull * (csr.vertices + 1ull), 1, shared);
        rd__plan_add(plan, "turned graph: edge targets", 4ull * csr.edges, 1, shared);
    }
    rd__plan_add(plan, "shares", 8ull * csr.vertices, 0, 0);
    rd__plan_add(plan, "ranks", 4ull * csr.vertices, 0, 0);
    rd__plan_add(plan, "notes", 4 * PR_NOTES, 0, 0);
}

static rd_status alloc_turned(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    if (rd_graph_is_symmetric(job->graph))
        return RD_OK;
    /* keeping the turned graph is a cache, not a change of the graph */
    RD_TRY(rd_graph_transpose(job->graph, &pr->in, err));
    RD_TRY(rd__buffer_from(job->device, &pr->in_row, "turned graph: row offsets", 8ull * (pr->in.vertices + 1ull),
                           pr->in.row, err));
    return rd__buffer_from(job->device, &pr->in_col, "turned graph: edge targets", 4ull * pr->in.edges, pr->in.col,
                           err);
}

static rd_status pr_alloc(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    const uint64_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&pr->copy, "result on the host", vertices, sizeof *pr->copy, err));
    RD_TRY(rd__array_new(&pr->residue, "residues on the host", vertices, sizeof *pr->residue, err));
    const rd_csr csr = rd_graph_csr(job->graph);
    pr->joined = 0;
    for (uint32_t v = 0; v < csr.vertices; v++)
        pr->joined += csr.row[v + 1] > csr.row[v];
    RD_TRY(alloc_turned(job, err));
    RD_TRY(rd__buffer_alloc(job->device, &pr->share, "shares", 4 * vertices, err));
    RD_TRY(rd__buffer_alloc(job->device, &pr->other, "shares", 4 * vertices, err));
    RD_TRY(rd__buffer_alloc(job->device, &pr->note, "notes", 4 * PR_NOTES, err));
    return rd__buffer_alloc(job->device, &pr->rank, "ranks", 4 * vertices, err);
}

static void pr_free(rd_job *job)
{
    pr_state *pr = job->state;
    rd__buffer_free(&pr->in_row);
    rd__buffer_free(&pr->in_col);
    rd__buffer_free(&pr->share);
    rd__buffer_free(&pr->other);
    rd__buffer_free(&pr->rank);
    rd__buffer_free(&pr->note);
    rd__array_free(pr->copy);
    rd__array_free(pr->residue);
    rd__pr_ranks_free(&pr->right);
    pr->copy = pr->residue = NULL;
}

/* The least residue for each edge that is pushed, by the bounds in pr_push.k.c. */
static double push_floor(const rd_job *job)
{
    const pr_state *pr = job->state;
    const uint64_t edges = rd_graph_csr(job->graph).edges, most = rd_graph_max_degree(job->graph);
    if (edges == 0)
        return 0;
    return pr->tolerance / (double)(pr->by_max && rd_graph_is_symmetric(job->graph) ? most : edges);
}

static uint32_t push_args(rd_job *job, rd__arg *args)
{
    pr_state *pr = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const double n = csr.vertices ? csr.vertices : 1, edges = csr.edges ? (double)csr.edges : 1;
    args[0] = RD__BUFFER(&job->row);
    args[1] = RD__BUFFER(&pr->rank);
    args[2] = RD__BUFFER(&pr->share);
    args[3] = RD__F32((float)pr->alpha);
    args[4] = RD__F32((float)push_floor(job));
    args[5] = RD__F32((float)((1 - pr->alpha) / n));
    args[6] = RD__F32(rd_graph_is_symmetric(job->graph) ? (float)(pr->joined / n / edges) : 0.0f);
    return 7;
}

static uint32_t pr_args(rd_job *job, rd__arg *args)
{
    pr_state *pr = job->state;
    uint32_t n = 0;
    const double vertices = rd_graph_csr(job->graph).vertices; /* 0: none of this is used */
    if (pushes(job))
        return push_args(job, args);
    args[n++] = RD__BUFFER(&job->row);
    args[n++] = RD__BUFFER(&pr->share);
    args[n++] = RD__BUFFER(&pr->other);
    args[n++] = RD__BUFFER(&pr->rank);
    args[n++] = RD__BUFFER(&pr->note);
    args[n++] = RD__F32((float)pr->alpha);
    args[n++] = RD__F32((float)((1 - pr->alpha) / vertices));
    args[n++] = RD__F32((float)stops_below(pr));
    args[n++] = RD__U32(!pr->by_max);
    args[n++] = RD__U32(pr->limit);
    args[n++] = RD__U32((uint32_t)is_in_place(job));
    args[n++] = RD__U32(!pr->drop && !spreads_each(pr));
    args[n++] = RD__F32((float)(pr->alpha / vertices));
    return n;
}

/* Ranks are pulled, so what is walked is the graph turned round. */
static void pr_bind(rd_job *job, rd__sched_job *view)
{
    pr_state *pr = job->state;
    if (!pr->in_row.device || pushes(job))
        return;
    view->input.row = &pr->in_row;
    view->input.col = &pr->in_col;
    view->input.walked = &pr->in;
}

static rd_status pr_start(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err)
{
    pr_state *pr = job->state;
    (void)seed;
    *seeds = RD__SEED_ALL;
    pr->copied = 0;
    pr->ran = (rd__pr_question){.alpha = pr->alpha,
                                .tolerance = stops_below(pr),
                                .by_total = !pr->by_max,
                                .spread = !pr->drop,
                                .counted = pr->counted,
                                .iterations = RD_NONE};
    if (pushes(job)) {
        RD_TRY(rd__buffer_fill(&pr->rank, RD_NONE, err));
        RD_TRY(rd__buffer_fill(&pr->share, 0, err));
    }
    return rd__buffer_fill(&pr->note, 0, err);
}

/* What was not worth a push is still part of the rank. */
static rd_status add_residues(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    double sum = 0;
    RD_TRY(rd__buffer_read(&pr->share, 0, 4ull * vertices, pr->residue, err));
    pr->left = 0;
    for (uint32_t v = 0; v < vertices; v++) {
        pr->copy[v] += pr->residue[v];
        sum += (double)pr->copy[v];
        pr->left += pr->residue[v] < 0 ? -(double)pr->residue[v] : (double)pr->residue[v];
    }
    for (uint32_t v = 0; pr->ran.spread && sum > 0 && v < vertices; v++)
        pr->copy[v] = (float)(pr->copy[v] / sum);
    return RD_OK;
}

static rd_status pr_result(rd_job *job, rd_result *result, rd_error *err)
{
    pr_state *pr = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (!pr->copied) {
        double began = rd_now();
        RD_TRY(rd__buffer_read(&pr->rank, 0, 4ull * vertices, pr->copy, err));
        RD_TRY(rd__buffer_read(&pr->note, 0, sizeof pr->notes, pr->notes, err));
        if (pushes(job))
            RD_TRY(add_residues(job, err));
        pr->download_s = rd_now() - began;
        pr->copied = 1;
    }
    if (pr->notes[PR_ITERATIONS] >= pr->limit)
        pr->ran.iterations = pr->limit;
    *result = (rd_result){
        .name = "rank", .real = pr->copy, .kind = RD_RESULT_F32, .count = vertices, .download_s = pr->download_s};
    return RD_OK;
}

static void pr_report(const rd_job *job, rd_report *report)
{
    pr_state *pr = job->state;
    rd_result result;
    float change;
    report->reached = rd_graph_csr(job->graph).vertices;
    if (pr_result((rd_job *)(uintptr_t)job, &result, NULL) != RD_OK) /* the copy is a cache, not a change of the job */
        return;                                                      /* who asks for the result is told */
    if (pushes(job)) {
        rd__measure(report, "residue", pr->left);
        return;
    }
    memcpy(&change, &pr->notes[PR_CHANGE], sizeof change);
    rd__measure(report, "iterations", pr->notes[PR_ITERATIONS]);
    rd__measure(report, "change", (double)change);
}

static rd_status pr_check(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    rd_result result;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(pr_result(job, &result, err));
    return rd__pr_check(&csr, &pr->ran, &pr->right, result.real, err);
}

const rd__app rd__app_pr = {
    .info = {.name = "pr",
             .text = "PageRank: how often a random walk comes by each vertex",
             .options = options,
             .input = RD_INPUT_GRAPH},
    .all_seeds = 1,
    .state_bytes = sizeof(pr_state),
    .init = pr_init,
    .set = pr_set,
    .roots = roots,
    .root = pr_root,
    .validate = pr_validate,
    .plan = pr_plan,
    .alloc = pr_alloc,
    .free = pr_free,
    .args = pr_args,
    .bind_input = pr_bind,
    .start = pr_start,
    .report = pr_report,
    .result = pr_result,
    .check = pr_check,
};
