/* SPDX-License-Identifier: Apache-2.0 */
/* mis.c - a maximal independent set, host side. mis/mis.k.c is the algorithm, mis/check.c the checker. */
#include "apps/app.h"
#include "apps/mis/check.h"

#include "core/memory.h"
#include "raddle/tool.h"

typedef struct mis_state {
    rd__buffer mark;
    uint32_t *copy; /* of the last run */
    double download_s;
    int copied;
} mis_state;

static const rd_option_info options[] = {{NULL, NULL, NULL, NULL, 0}};

static void mis_plan(const rd_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "mark", 4ull * rd_graph_csr(job->graph).vertices, 0, 0);
}

static rd_status mis_alloc(rd_job *job, rd_error *err)
{
    mis_state *mis = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&mis->copy, "result on the host", vertices, sizeof *mis->copy, err));
    return rd__buffer_alloc(job->device, &mis->mark, "mark", 4ull * vertices, err);
}

static void mis_free(rd_job *job)
{
    mis_state *mis = job->state;
    rd__buffer_free(&mis->mark);
    rd__array_free(mis->copy);
    mis->copy = NULL;
}

static uint32_t mis_args(rd_job *job, rd__arg *args)
{
    mis_state *mis = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    args[0] = RD__BUFFER(&mis->mark);
    args[1] = RD__F32(csr.vertices ? (float)csr.edges / (float)csr.vertices : 0);
    return 2;
}

static rd_status mis_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    (void)err;
    seeds->kind = RD__SEEDS_ALL;
    ((mis_state *)job->state)->copied = 0;
    return RD_OK;
}

static rd_status mis_result(rd_job *job, rd_result *result, rd_error *err)
{
    mis_state *mis = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (!mis->copied) {
        double began = rd_now();
        RD_TRY(rd__buffer_read(&mis->mark, 0, 4ull * vertices, mis->copy, err));
        mis->download_s = rd_now() - began;
        mis->copied = 1;
    }
    *result = (rd_result){.name = "in_set", .word = mis->copy, .count = vertices, .download_s = mis->download_s};
    return RD_OK;
}

static void mis_report(const rd_job *job, rd_report *report)
{
    rd_result result;
    uint32_t members = 0;
    report->reached = rd_graph_csr(job->graph).vertices;
    if (mis_result((rd_job *)(uintptr_t)job, &result, NULL) != RD_OK) /* the copy is a cache, not a change of the job */
        return;                                                       /* who asks for the result is told */
    for (uint64_t v = 0; v < result.count; v++)
        members += result.word[v] == 1;
    rd__measure(report, "members", members);
}

static rd_status mis_check(rd_job *job, rd_error *err)
{
    rd_result result;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(mis_result(job, &result, err));
    return rd__mis_check(&csr, result.word, err);
}

const rd__app rd__app_mis = {
    .info = {.name = "mis",
             .text = "maximal independent set: vertices of which no two are neighbours, and no further one fits",
             .options = options,
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(mis_state),
    .needs_symmetric = 1,
    .plan = mis_plan,
    .alloc = mis_alloc,
    .free = mis_free,
    .args = mis_args,
    .start = mis_start,
    .report = mis_report,
    .result = mis_result,
    .check = mis_check,
};
