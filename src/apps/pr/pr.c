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
#include "apps/common/choose.h"
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/options.h"
#include "apps/pr/check.h"
#include "apps/pr/layout.k.h"
#include "apps/pr/order.h"
#include "apps/pr/pack.h"
#include "apps/pr/parts.h"
#include "apps/pr/way.h"

#include "gen/args/pr.h"
#include "gen/args/pr_parts.h"
#include "gen/args/pr_push.h"
#include "graph/part/part.h"
#include "model/args.h"

#include <math.h>
#include <string.h>

enum { GIVE, CURSOR }; /* the option find */

typedef struct pr_state {
    double alpha, tolerance;
    uint32_t tolerance_set;
    uint32_t limit, counted; /* the option iterations; set: the result of so many, as the definition has them */
    uint32_t by_max, drop, update, find, pack; /* the options rule, dangling, update, find, pack */
    rd__buffer share, other, rank, note;       /* pushing, share holds the residues */
    uint32_t joined;                           /* vertices with edges */
    double off_by_degrees;                     /* see pr/way.h */
    rd__buffer in_row, in_col;                 /* of the graph turned round, where it is not its own */
    rd_csr in;
    rd__pr_packed packed; /* its edges as they are walked, where hubs are packed */
    rd_graph *turned;     /* of a part: what `in` is of, or NULL; */
    rd__buffer told;      /* what its vertices and ghosts pass on */
    /* of the last run */
    rd__pr_question ran;
    rd__pr_ranks right; /* the checker's, for this graph */
    uint32_t notes[PR_NOTES];
    uint64_t tasks; /* of the stages so far */
    float *residue;
    double left; /* pushing: the sum of residues, without signs */
} pr_state;

static const rd_option_info info[] = {
    {"alpha", "NUMBER", "0.85", "share of a rank that is passed on along edges", 0},
    {"tol", "NUMBER", "1e-4", "stop when an iteration changes ranks by less", 0},
    {"rule", "l1|max", "l1", "... in total (l1), or each of them (max)", 0},
    {"iterations", "N", "1000", "exactly so many; with --tol, and when not given, at most so many", 0},
    {"update", "auto|jacobi|in-place", "auto", "in rounds: read the iteration before, or what is newest", 0},
    {"find", "give|cursor", "give", "without rounds: who fills a residue gives its vertex; or a cursor finds it", 0},
    {"pack", "auto|on|off", "auto", "in rounds: what hubs pass on side by side, in a copy of the edges", 0},
    {"dangling", "spread|drop", "spread", "what vertices without edges pass on: to all alike, or nothing", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "alpha", .kind = RD__OPTION_REAL, .at = offsetof(pr_state, alpha), .low = 0, .high = 0.999},
    {.key = "tol",
     .kind = RD__OPTION_REAL,
     .at = offsetof(pr_state, tolerance),
     .low = 0,
     .high = 1,
     .was_set = offsetof(pr_state, tolerance_set)},
    {.key = "rule", .kind = RD__OPTION_CHOICE, .at = offsetof(pr_state, by_max)},
    {.key = "iterations",
     .kind = RD__OPTION_U32,
     .at = offsetof(pr_state, limit),
     .most = 1000000,
     .was_set = offsetof(pr_state, counted),
     .changes = RD__CHANGES_PROGRAM},
    {.key = "update", .kind = RD__OPTION_CHOICE, .at = offsetof(pr_state, update), .of_rounds = 1},
    {.key = "find", .kind = RD__OPTION_CHOICE, .at = offsetof(pr_state, find), .changes = RD__CHANGES_PROGRAM},
    {.key = "pack", .kind = RD__OPTION_CHOICE, .at = offsetof(pr_state, pack), .changes = RD__CHANGES_BUFFERS},
    {.key = "dangling", .kind = RD__OPTION_CHOICE, .at = offsetof(pr_state, drop), .changes = RD__CHANGES_PROGRAM},
    {0},
};

/* Without rounds vertices push: another program (pr/push.k.c), with other arguments. */
static int pushes(const rd_job *job)
{
    return !rd__job_in_rounds(job);
}

/* Room for the shares of hubs, where these may be packed; else 0. */
static uint64_t packed_bytes(const rd_job *job)
{
    const uint32_t option = pushes(job) || rd__job_in_parts(job) ? RD__PR_PACK_OFF : ((pr_state *)job->state)->pack;
    return rd__pr_may_pack(job->device, job->graph, option) ? 4 * RD__PR_HUBS : 0;
}

static const rd__app_array arrays[] = {
    {.name = "shares", .at = offsetof(pr_state, share), .each = 4, .beside = packed_bytes},
    {.name = "shares of the iteration before", .at = offsetof(pr_state, other), .each = 4, .beside = packed_bytes},
    {.name = "ranks", .at = offsetof(pr_state, rank), .each = 4, .result = "rank", .kind = RD_RESULT_F32},
    {.name = "notes", .at = offsetof(pr_state, note), .more = 4 * PR_NOTES, .filled = 1},
    {.name = "residues on the host", .at = offsetof(pr_state, residue), .each = 4, .on_host = 1},
    {0},
};
static const double least_push_tolerance = 1e-9; /* below, residues in single precision would not get there */

/* Do sinks pass on in each iteration? Another program too. */
static int spreads_each(const pr_state *pr)
{
    return !pr->drop && pr->counted;
}

static int by_cursor(const rd_job *job)
{
    return ((const pr_state *)job->state)->find == CURSOR;
}

static const char *const roots[] = {"pr", "pr_counted", "pr_push", "pr_cursor", NULL};

static const char *pr_root(const rd_job *job)
{
    if (pushes(job))
        return by_cursor(job) ? "pr_cursor" : "pr_push";
    return spreads_each(job->state) ? "pr_counted" : "pr";
}

static rd_status pr_validate(rd_job *job, rd_error *err)
{
    const pr_state *pr = job->state;
    if (rd__job_in_parts(job) && pr->update == RD__PR_IN_PLACE)
        return rd__fail(err, RD_EARG, "pr on several ranks has no update in place");
    if (pr->pack == RD__PR_PACK_ON && (pushes(job) || rd__job_in_parts(job)))
        return rd__fail(err, RD_EARG, "hubs are packed in rounds only, and on one rank; leave out pack");
    if (by_cursor(job) && !pushes(job))
        return rd__fail(err, RD_EARG, "find cursor is for schedulers without rounds");
    if (pushes(job) && pr->counted)
        return rd__fail(err, RD_EARG, "there are no iterations to count under scheduler %s; use one with rounds",
                        job->engine->policy->name);
    if (pr->counted && pr->update == RD__PR_IN_PLACE)
        return rd__fail(err, RD_EARG,
                        "in place, the result after a number of iterations depends on the order of vertices; leave out "
                        "iterations, or use --update jacobi");
    if (pushes(job) && pr->tolerance < least_push_tolerance)
        return rd__fail(err, RD_EARG, "scheduler %s takes a tol of at least %g; use one with rounds",
                        job->engine->policy->name, least_push_tolerance);
    return RD_OK;
}

static rd__pr_way way_of(const rd_job *job)
{
    const pr_state *pr = job->state;
    return rd__pr_find_way(job, pr->update, pr->counted != 0, pr->alpha, pr->off_by_degrees);
}

/* Below which change the run stops: never, for a number of iterations and nothing else. */
static double stops_below(const pr_state *pr)
{
    return pr->counted && !pr->tolerance_set ? 0 : pr->tolerance;
}

static void pr_plan(const rd_job *job, rd_plan *plan)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    if (!rd_graph_is_symmetric(job->graph) && !rd__job_in_parts(job)) {
        const int shared = job->device && job->device->caps.shares_host;
        rd__plan_add(plan, "turned graph: row offsets", 8ull * (csr.vertices + 1ull), 1, shared);
        rd__plan_add(plan, "turned graph: edge targets", 4ull * csr.edges, 1, shared);
    }
    if (packed_bytes(job))
        rd__pr_pack_plan(&csr, plan);
}

/* All ranks: of a part, too, it is the graph turned round that is walked, with ghosts of its own. */
static rd_status turn_part(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    RD_TRY(rd__part_turn(job->graph, &pr->turned, err));
    pr->in = rd_graph_csr(pr->turned);
    RD_TRY(rd__buffer_alloc(job->device, &pr->told, "shares of a turned part", 4ull * pr->in.vertices, err));
    RD_TRY(rd__buffer_from(job->device, &pr->in_row, "turned part: row offsets", 8ull * (pr->in.vertices + 1ull),
                           pr->in.row, err));
    return rd__buffer_from(job->device, &pr->in_col, "turned part: edge targets", 4ull * pr->in.edges, pr->in.col, err);
}

static rd_status pr_alloc(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    pr->joined = 0;
    for (uint32_t v = 0; v < csr.vertices; v++)
        pr->joined += csr.row[v + 1] > csr.row[v];
    if (rd__job_in_parts(job))
        return job->graph->part->symmetric ? RD_OK : turn_part(job, err);
    pr->packed.room = packed_bytes(job) != 0;
    if (rd_graph_is_symmetric(job->graph)) {
        pr->off_by_degrees = rd__pr_off_by_degrees(&csr, pr->joined);
        return RD_OK;
    }
    /* keeping the turned graph is a cache, not a change of the graph */
    RD_TRY(rd_graph_transpose(job->graph, &pr->in, err));
    RD_TRY(rd__buffer_from(job->device, &pr->in_row, "turned graph: row offsets", 8ull * (pr->in.vertices + 1ull),
                           pr->in.row, err));
    return rd__buffer_from(job->device, &pr->in_col, "turned graph: edge targets", 4ull * pr->in.edges, pr->in.col,
                           err);
}

static void pr_free(rd_job *job)
{
    pr_state *pr = job->state;
    rd__buffer_free(&pr->in_row);
    rd__buffer_free(&pr->in_col);
    rd__buffer_free(&pr->told);
    rd__pr_packed_free(&pr->packed);
    rd_graph_destroy(pr->turned);
    pr->turned = NULL;
    rd__pr_ranks_free(&pr->right);
}

/* The least residue for each edge that is pushed, by the bounds in pr_push.k.c. */
static double push_floor(const rd_job *job)
{
    const pr_state *pr = job->state;
    const uint64_t edges = rd_graph_csr(job->graph).edges, most = rd_graph_max_degree(job->graph);
    if (edges == 0)
        return 0;
    /* half of what the largest rank may be off by is left to the scaling in the end */
    return pr->tolerance / (double)(pr->by_max && rd_graph_is_symmetric(job->graph) ? 2 * most : edges);
}

RD__ARGS(pr_args, PR_ARGS)        /* pr_counted is the same text */
RD__ARGS(push_args, PR_PUSH_ARGS) /* pr_cursor is the same text */
RD__ARGS(part_args, PR_PARTS_ARGS)

static uint32_t pack_push(rd_job *job, rd__arg *args)
{
    const pr_state *pr = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const double n = fmax(csr.vertices, 1), edges = fmax((double)csr.edges, 1);
    /* a first guess by degrees is near the end when most of a rank is passed on, and far from it when little is */
    const int guess = rd_graph_is_symmetric(job->graph) && pr->alpha >= 0.5;
    const push_args own = {.rows = &job->row,
                           .rank = &pr->rank,
                           .residue = &pr->share,
                           .alpha = (float)pr->alpha,
                           .floor = (float)push_floor(job),
                           .base = (float)((1 - pr->alpha) / n),
                           .start = guess ? (float)(pr->joined / n / edges) : 0.0f,
                           .note = &pr->note,
                           .place = &pr->other,
                           .vertices = csr.vertices};
    return push_args_pack(&own, args);
}

/* What each edge of a symmetric graph passes on when ranks go by degrees, as they do for an alpha of 1. */
static double guess_of(const rd_job *job)
{
    const pr_state *pr = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return csr.edges ? pr->alpha * (double)pr->joined / (double)csr.vertices / (double)csr.edges : 0;
}

static uint32_t pr_pack(rd_job *job, rd__arg *args)
{
    const pr_state *pr = job->state;
    const double vertices = rd_graph_csr(job->graph).vertices; /* 0: none of this is used */
    const rd__pr_way way = way_of(job);
    const pr_args own = {.out_row = &job->row,
                         .share = &pr->share,
                         .other = &pr->other,
                         .rank = &pr->rank,
                         .note = &pr->note,
                         .alpha = (float)pr->alpha,
                         .base = (float)((1 - pr->alpha) / vertices),
                         .tolerance = (float)stops_below(pr),
                         .by_total = !pr->by_max,
                         .limit = pr->limit,
                         .ways = way.ways,
                         .leap = way.leap,
                         .spread = !pr->drop && !spreads_each(pr),
                         .sunk = (float)(spreads_each(pr) ? pr->alpha / vertices : way.guesses ? guess_of(job) : 0),
                         .place = pr->packed.degree ? &pr->packed.place : &pr->note,
                         .hub = pr->packed.degree ? (float)pr->packed.degree : HUGE_VALF};
    const part_args part = {.out_row = &job->row,
                            .told = pr->turned ? &pr->told : &pr->share,
                            .share = &pr->other,
                            .owned = job->part.own,
                            .alpha = (float)pr->alpha,
                            .base = job->part.base};
    if (rd__job_in_parts(job))
        return part_args_pack(&part, args);
    return pushes(job) ? pack_push(job, args) : pr_args_pack(&own, args);
}

/* Ranks are pulled, so what is walked is the graph turned round. */
static void pr_bind(rd_job *job, rd__sched_job *view)
{
    pr_state *pr = job->state;
    if (pushes(job))
        return;
    if (pr->in_row.device) {
        view->input.row = &pr->in_row;
        view->input.col = &pr->in_col;
        view->input.walked = &pr->in;
    }
    if (pr->packed.degree)
        view->input.col = &pr->packed.col;
}

static rd_status pr_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    pr_state *pr = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    pr->ran = (rd__pr_question){.alpha = pr->alpha,
                                .tolerance = stops_below(pr),
                                .by_total = !pr->by_max,
                                .spread = !pr->drop,
                                .counted = pr->counted != 0,
                                .iterations = RD_NONE,
                                .symmetric = rd_graph_is_symmetric(job->graph)};
    pr->tasks = 0;
    if (!pushes(job))
        return rd__pr_pack(job->device, &csr, pr->in_row.device ? &pr->in : &csr, pr->pack, &pr->packed, err);
    seeds->scatter = job->device->caps.cores && rd__pr_scatters(&csr); /* many lanes begin with all at once */
    RD_TRY(rd__buffer_fill(&pr->rank, RD_NONE, err));
    return rd__buffer_fill(&pr->share, 0, err);
}

/* Nothing is left to do: the cursor goes over all vertices, until it finds none. */
static rd_status pr_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    pr_state *pr = job->state;
    (void)err;
    *more = pushes(job) && by_cursor(job) && report->tasks > pr->tasks;
    pr->tasks = report->tasks;
    if (*more)
        seeds->kind = RD__SEEDS_WHERE;
    return RD_OK;
}

/* What was not worth a push is still part of the rank. */
static rd_status add_residues(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    float *rank = job->copy;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    double sum = 0;
    RD_TRY(rd__buffer_read(&pr->share, 0, 4ull * vertices, pr->residue, err));
    pr->left = 0;
    for (uint32_t v = 0; v < vertices; v++) {
        sum += (double)(rank[v] += pr->residue[v]);
        pr->left += fabs((double)pr->residue[v]);
    }
    for (uint32_t v = 0; pr->ran.spread && sum > 0 && v < vertices; v++)
        rank[v] = (float)(rank[v] / sum);
    return RD_OK;
}

static rd_status pr_fetch(rd_job *job, rd_error *err)
{
    pr_state *pr = job->state;
    RD_TRY(pushes(job) ? rd__arrays_read_copy(job, err) : rd__arrays_read(job, err));
    RD_TRY(rd__buffer_read(&pr->note, 0, sizeof pr->notes, pr->notes, err));
    if (pr->notes[PR_ITERATIONS] >= pr->limit)
        pr->ran.iterations = pr->limit;
    return pushes(job) ? add_residues(job, err) : RD_OK;
}

static void pr_report(rd_job *job, rd_report *report)
{
    report->reached = rd_graph_csr(job->graph).vertices;
}

static void pr_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    const pr_state *pr = job->state;
    float change;
    (void)result;
    memcpy(&change, &pr->notes[PR_CHANGE], sizeof change);
    if (!pushes(job))
        rd__measure(report, "iterations", pr->notes[PR_ITERATIONS]);
    rd__measure(report, pushes(job) ? "residue" : "change", pushes(job) ? pr->left : (double)change);
}

static rd_status pr_check(rd_job *job, const rd_result *result, rd_error *err)
{
    pr_state *pr = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__pr_check(&csr, &pr->ran, &pr->right, result->real, err);
}

static void pr_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const int parted = rd__job_in_parts(job) && job->graph->part->vertices;
    uint64_t best = parted ? job->part.best : 0;
    for (uint64_t v = 1; v < result->count && !parted; v++)
        best = result->real[v] > result->real[best] ? v : best;
    if (!parted && !result->count)
        rd__snprintf(text, room, "no vertex to rank");
    else
        rd__snprintf(text, room, "vertex %llu ranks highest, with %.6g",
                     (unsigned long long)rd_graph_name(job->graph, (uint32_t)best),
                     parted ? (double)job->part.best_value : (double)result->real[best]);
}

static rd_status pr_run_in_parts(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    pr_state *pr = job->state;
    rd__seeds none = {0};
    RD_TRY(pr_start(job, &none, err));
    job->part.own = job->graph->part->own;
    rd__pr_parts parts = {.asked = pr->ran,
                          .stops_below = stops_below(pr),
                          .limit = pr->limit,
                          .each = spreads_each(pr),
                          .walked = pr->turned ? pr->turned : job->graph,
                          .told = pr->turned ? &pr->told : &pr->share,
                          .share = &pr->other,
                          .base = &job->part.base,
                          .rank = job->copy};
    RD_TRY(rd__pr_run_parts(job, &parts, slice, report, err));
    if (parts.iterations >= pr->limit)
        pr->ran.iterations = pr->limit;
    job->fetched = 1;
    job->part.best = parts.best;
    job->part.best_value = parts.best_rank;
    report->reached = job->part.own;
    rd__measure(report, "iterations", parts.iterations);
    rd__measure(report, "change", parts.change);
    return RD_OK;
}

static rd_status pr_check_in_parts(rd_job *job, const rd_result *result, rd_error *err)
{
    const pr_state *pr = job->state;
    return rd__pr_check_parts(job, pr->turned ? pr->turned : job->graph, &pr->ran, result->real, err);
}

static const rd__app_ranks in_parts = {
    .kind = RD__RANKS_OWN, .root = "pr_parts", .run = pr_run_in_parts, .check = pr_check_in_parts};

static void pr_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)facts;
    if (by_cursor(job)) {
        choice->avoid = RD__ENGINE_ROUNDS;
        choice->reason = "a cursor finds what is to be done, without rounds";
        return;
    }
    choice->want = RD__ENGINE_ROUNDS;
    choice->reason = "every vertex has its turn in every iteration";
}

const rd__app rd__app_pr = {
    .info = {.name = "pr",
             .text = "PageRank: how often a random walk comes by each vertex",
             .options = info,
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(pr_state),
    .all_seeds = 1,
    .options = options,
    .arrays = arrays,
    .roots = roots,
    .ranks = &in_parts,
    .root = pr_root,
    .choose = pr_choose,
    .validate = pr_validate,
    .plan = pr_plan,
    .alloc = pr_alloc,
    .free = pr_free,
    .args = pr_pack,
    .bind_input = pr_bind,
    .start = pr_start,
    .next = pr_next,
    .report = pr_report,
    .measure = pr_measure,
    .fetch = pr_fetch,
    .answer = pr_answer,
    .check = pr_check,
};
