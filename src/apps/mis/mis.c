/* SPDX-License-Identifier: Apache-2.0 */
/* mis.c - a maximal independent set, host side. mis/mis.k.c is the algorithm, by sweeps, mis/worklist.k.c
 * the same by tasks, mis/check.c the checker. */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/checker.h"
#include "apps/common/choose.h"
#include "apps/mis/parts.h"
#include "graph/part/part.h"

#include "gen/args/mis.h"
#include "gen/args/mis_parts.h"
#include "gen/args/mis_worklist.h"
#include "model/args.h"

RD__WORD_CHECKER(mis);

typedef struct mis_state {
    rd__buffer mark, waits;
    rd__mis_part part;
} mis_state;

/* Tasks, not sweeps? */
static int by_tasks(const rd_job *job)
{
    return !rd__job_in_rounds(job) && !rd__job_in_parts(job);
}

static const char *const roots[] = {"mis", "mis_worklist", NULL};

static const char *mis_root(const rd_job *job)
{
    return by_tasks(job) ? "mis_worklist" : "mis";
}

static const rd__app_array arrays[] = {
    {.name = "mark", .at = offsetof(mis_state, mark), .each = 4, .result = "in_set"},
    {.name = "neighbours to wait for", .at = offsetof(mis_state, waits), .each = 4, .wanted = by_tasks},
    {0},
};

RD__ARGS(mis_args, MIS_ARGS)
RD__ARGS(task_args, MIS_WORKLIST_ARGS)
RD__ARGS(part_args, MIS_PARTS_ARGS)

static uint32_t pack_part(rd_job *job, rd__arg *args)
{
    const mis_state *mis = job->state;
    const rd__part *part = job->graph->part;
    const part_args own = {.mark = &mis->mark,
                           .begins = mis->part.begins,
                           .lowest = part->first,
                           .owned = part->own,
                           .below = mis->part.below,
                           .mean = part->vertices ? (float)part->edges / (float)part->vertices : 0};
    return part_args_pack(&own, args);
}

/* Have the first half of all vertices three of five edges, or more? */
static uint32_t hubs_come_first(const rd_csr *csr)
{
    return csr->vertices > 1 && (double)csr->row[csr->vertices / 2] > 0.6 * (double)csr->edges;
}

static uint32_t mis_pack(rd_job *job, rd__arg *args)
{
    const mis_state *mis = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const float mean = csr.vertices ? (float)csr.edges / (float)csr.vertices : 0;
    const mis_args own = {.mark = &mis->mark, .mean = mean, .back = hubs_come_first(&csr)};
    const task_args task = {.mark = &mis->mark, .waits = &mis->waits, .mis_row = &job->row, .mean = mean};
    if (rd__job_in_parts(job))
        return pack_part(job, args);
    return by_tasks(job) ? task_args_pack(&task, args) : mis_args_pack(&own, args);
}

/* Sweeps ask all vertices anyway. */
static rd_status mis_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    (void)err;
    if (by_tasks(job))
        seeds->kind = RD__SEEDS_WHERE;
    return RD_OK;
}

static void mis_report(rd_job *job, rd_report *report)
{
    report->reached = rd_graph_csr(job->graph).vertices;
}

static uint64_t count_members(const rd_result *result)
{
    uint64_t members = 0;
    for (uint64_t v = 0; v < result->count; v++)
        members += result->word[v] == 1;
    return members;
}

static void mis_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    (void)job;
    rd__measure(report, "members", (double)count_members(result));
}

static rd_status mis_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__mis_check(&csr, result->word, err);
}

static void mis_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const int parts = rd__job_in_parts(job);
    rd__snprintf(text, room, "%llu of %llu vertices in the set",
                 (unsigned long long)(parts ? job->part.reached : count_members(result)),
                 (unsigned long long)(parts ? job->part.vertices : result->count));
}

static rd_status run_in_parts(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    mis_state *mis = job->state;
    return rd__mis_run_parts(job, &mis->part, &mis->mark, slice, report, err);
}

static rd_status check_in_parts(rd_job *job, const rd_result *result, rd_error *err)
{
    return rd__mis_check_parts(job, result->word, err);
}

static const rd__app_ranks in_parts = {
    .kind = RD__RANKS_OWN, .root = "mis_parts", .run = run_in_parts, .check = check_in_parts};

static void mis_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    (void)facts;
    choice->want = RD__ENGINE_ROUNDS;
    choice->reason = "every vertex is asked at once, and those that wait are asked again";
}

const rd__app rd__app_mis = {
    .info = {.name = "mis",
             .text = "maximal independent set: vertices of which no two are neighbours, and no further one fits",
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(mis_state),
    .all_seeds = 1,
    .needs_symmetric = 1,
    .roots = roots,
    .root = mis_root,
    .ranks = &in_parts,
    .arrays = arrays,
    .args = mis_pack,
    .start = mis_start,
    .choose = mis_choose,
    .report = mis_report,
    .measure = mis_measure,
    .answer = mis_answer,
    .check = mis_check,
};
