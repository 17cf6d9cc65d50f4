/* SPDX-License-Identifier: Apache-2.0 */
/* mis.c - a maximal independent set, host side. mis/mis.k.c is the algorithm, mis/check.c the checker. */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/checker.h"

#include "gen/args/mis.h"
#include "model/args.h"

RD__WORD_CHECKER(mis);

typedef struct mis_state {
    rd__buffer mark;
} mis_state;

static const rd__app_array arrays[] = {
    {.name = "mark", .at = offsetof(mis_state, mark), .each = 4, .result = "in_set"},
    {0},
};

RD__ARGS(mis_args, MIS_ARGS)

static uint32_t mis_pack(rd_job *job, rd__arg *args)
{
    const mis_state *mis = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const mis_args own = {.mark = &mis->mark, .mean = csr.vertices ? (float)csr.edges / (float)csr.vertices : 0};
    return mis_args_pack(&own, args);
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
    (void)job;
    rd__snprintf(text, room, "%llu of %llu vertices in the set", (unsigned long long)count_members(result),
                 (unsigned long long)result->count);
}

const rd__app rd__app_mis = {
    .info = {.name = "mis",
             .text = "maximal independent set: vertices of which no two are neighbours, and no further one fits",
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(mis_state),
    .all_seeds = 1,
    .needs_symmetric = 1,
    .arrays = arrays,
    .args = mis_pack,
    .report = mis_report,
    .measure = mis_measure,
    .answer = mis_answer,
    .check = mis_check,
};
