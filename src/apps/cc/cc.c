/* SPDX-License-Identifier: Apache-2.0 */
/* cc.c - connected components, host side: the labels, and what they come to. cc/cc.k.c is the algorithm, cc/check.c the
 * checker. */
#include "apps/app.h"
#include "apps/cc/check.h"

#include "core/memory.h"
#include "raddle/tool.h"

typedef struct cc_state {
    rd__buffer label, largest;
    uint32_t *copy, *size; /* of the last run; sizes of components, by label */
    uint32_t *right;       /* the checker's labels, for this graph */
    double download_s;
    int copied;
} cc_state;

static const rd_option_info options[] = {{NULL, NULL, NULL, NULL, 0}};

static void cc_plan(const rd_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "label", 4ull * rd_graph_csr(job->graph).vertices, 0, 0);
    rd__plan_add(plan, "largest component", 8, 0, 0);
}

static rd_status cc_alloc(rd_job *job, rd_error *err)
{
    cc_state *cc = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&cc->copy, "result on the host", vertices, sizeof *cc->copy, err));
    RD_TRY(rd__array_new(&cc->size, "sizes of components on the host", vertices, sizeof *cc->size, err));
    RD_TRY(rd__buffer_alloc(job->device, &cc->largest, "largest component", 8, err));
    return rd__buffer_alloc(job->device, &cc->label, "label", 4ull * vertices, err);
}

static void cc_free(rd_job *job)
{
    cc_state *cc = job->state;
    rd__buffer_free(&cc->label);
    rd__buffer_free(&cc->largest);
    rd__array_free(cc->copy);
    rd__array_free(cc->size);
    rd__array_free(cc->right);
    cc->copy = cc->size = cc->right = NULL;
}

static uint32_t cc_args(rd_job *job, rd__arg *args)
{
    cc_state *cc = job->state;
    args[0] = RD__BUFFER(&cc->label);
    args[1] = RD__BUFFER(&cc->largest);
    args[2] = RD__U32((uint32_t)rd_graph_is_symmetric(job->graph));
    return 3;
}

static rd_status cc_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    cc_state *cc = job->state;
    seeds->kind = RD__SEEDS_ALL;
    cc->copied = 0;
    return rd__buffer_fill(&cc->largest, 0, err);
}

static rd_status cc_result(rd_job *job, rd_result *result, rd_error *err)
{
    cc_state *cc = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (!cc->copied) {
        double began = rd_now();
        RD_TRY(rd__buffer_read(&cc->label, 0, 4ull * vertices, cc->copy, err));
        cc->download_s = rd_now() - began;
        cc->copied = 1;
    }
    *result = (rd_result){.name = "component", .word = cc->copy, .count = vertices, .download_s = cc->download_s};
    return RD_OK;
}

/* A label is a vertex, so sizes have room; a label that is none shows up in the check. */
static void cc_report(const rd_job *job, rd_report *report)
{
    cc_state *cc = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    uint32_t components = 0, most = 0;
    rd_result result;
    report->reached = vertices;
    if (cc_result((rd_job *)(uintptr_t)job, &result, NULL) != RD_OK) /* the copy is a cache, not a change of the job */
        return;                                                      /* who asks for the result is told */
    for (uint32_t v = 0; v < vertices; v++)
        cc->size[v] = 0;
    for (uint32_t v = 0; v < vertices; v++)
        if (cc->copy[v] < vertices)
            cc->size[cc->copy[v]]++;
    for (uint32_t v = 0; v < vertices; v++) {
        components += cc->size[v] > 0;
        most = cc->size[v] > most ? cc->size[v] : most;
    }
    rd__measure(report, "components", components);
    rd__measure(report, "largest_component", most);
}

static rd_status cc_check(rd_job *job, rd_error *err)
{
    cc_state *cc = job->state;
    rd_result result;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(cc_result(job, &result, err));
    return rd__cc_check(&csr, &cc->right, result.word, err);
}

const rd__app rd__app_cc = {
    .info = {.name = "cc",
             .text = "connected components: the smallest vertex of each vertex's component, edges taken both ways",
             .options = options,
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(cc_state),
    .plan = cc_plan,
    .alloc = cc_alloc,
    .free = cc_free,
    .args = cc_args,
    .start = cc_start,
    .report = cc_report,
    .result = cc_result,
    .check = cc_check,
};
