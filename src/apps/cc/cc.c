/* SPDX-License-Identifier: Apache-2.0 */
/* cc.c - connected components, host side: the labels, and what they come to. cc/cc.k.c is the algorithm, cc/check.c the
 * checker. */
#include "apps/common/choose.h"
#include "apps/common/answer.h"
#include "apps/cc/check.h"
#include "apps/common/arrays.h"

#include "core/memory.h"
#include "gen/args/cc.h"
#include "graph/part/part.h"
#include "model/args.h"

#include <string.h>

typedef struct cc_state {
    rd__buffer label, largest;
    uint32_t *size;  /* of components, by label */
    uint32_t *right; /* the checker's labels, for this graph */
    rd_graph rows;   /* of a part: what its own vertices have, as an engine is to see it */
} cc_state;

static const rd__app_array arrays[] = {
    {.name = "label",
     .at = offsetof(cc_state, label),
     .each = 4,
     .filled = RD__FILLED_FOR_CORES, /* cores ask whether a vertex has started */
     .first = UINT32_MAX,
     .result = "component"},
    {.name = "largest component", .at = offsetof(cc_state, largest), .more = 8, .filled = 1},
    {.name = "sizes of components on the host", .at = offsetof(cc_state, size), .each = 4, .on_host = 1},
    {0},
};

static void cc_free(rd_job *job)
{
    cc_state *cc = job->state;
    rd__array_free(cc->right);
    cc->right = NULL;
}

RD__ARGS(cc_args, CC_ARGS)

/* To find out what can be passed over takes two more walks to every root: with two or three edges a vertex, of which
 * one is looked at first of all, that is more than there is to save. */
static int has_many_edges(const rd_csr *csr)
{
    return csr->edges / 3 >= csr->vertices;
}

/* Which edges are passed over, as the kernel has it. job/ranks_passed.c sees to what parts pass over, and to edges
 * between them. */
static uint32_t skips_of(const rd_job *job)
{
    enum { NONE, LARGEST, IN_PARTS, LOWER_ENDS };
    const rd_csr csr = rd_graph_csr(job->graph);
    if (rd__job_in_parts(job))
        return rd__graph_part(job->graph)->symmetric ? IN_PARTS : NONE;
    return !rd_graph_is_symmetric(job->graph) ? NONE : has_many_edges(&csr) ? LARGEST : LOWER_ENDS;
}

static uint32_t cc_pack(rd_job *job, rd__arg *args)
{
    const cc_state *cc = job->state;
    const cc_args own = {.label = &cc->label, .largest = &cc->largest, .can_skip = skips_of(job)};
    return cc_args_pack(&own, args);
}

/* Ghosts have no edges, and there may be many times as many as own vertices: steps are over those alone. That a ghost
 * begins as its own root, job/ranks_labels.c sees to; its tree need not be flat in the end. */
static void cc_bind(rd_job *job, rd__sched_job *view)
{
    rd_graph *rows = &((cc_state *)job->state)->rows;
    const rd_csr csr = rd_graph_csr(job->graph);
    if (!rd__job_in_parts(job))
        return;
    *rows = (rd_graph){.vertices = rd__graph_part(job->graph)->own,
                       .edges = csr.edges,
                       .row = job->graph->row,
                       .col = job->graph->col,
                       .max_degree = job->graph->max_degree,
                       .hub = job->graph->hub};
    view->input.graph = rows;
}

/* A label is a vertex, so sizes have room; a label that is none shows up in the check. */
static void cc_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    uint32_t *size = ((const cc_state *)job->state)->size;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    uint32_t components = 0, most = 0;
    memset(size, 0, vertices * sizeof *size);
    for (uint32_t v = 0; v < vertices; v++)
        if (result->word[v] < vertices)
            size[result->word[v]]++;
    for (uint32_t v = 0; v < vertices; v++) {
        components += size[v] > 0;
        most = size[v] > most ? size[v] : most;
    }
    rd__measure(report, "components", components);
    rd__measure(report, "largest_component", most);
}

static void cc_report(rd_job *job, rd_report *report)
{
    report->reached = rd_graph_csr(job->graph).vertices;
}

static void cc_result(const rd_job *job, rd_result *result)
{
    (void)job;
    result->of_vertices = 1; /* the smallest of the component */
}

static rd_status cc_check(rd_job *job, const rd_result *result, rd_error *err)
{
    cc_state *cc = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__cc_check(&csr, &cc->right, result->word, err);
}

static void cc_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    double components = 0, largest = 0;
    (void)result; /* counted by cc_measure, which comes before */
    for (uint32_t i = 0; i < job->last.measures; i++) {
        components = strcmp(job->last.measure[i].name, "components") == 0 ? job->last.measure[i].value : components;
        largest = strcmp(job->last.measure[i].name, "largest_component") == 0 ? job->last.measure[i].value : largest;
    }
    rd__snprintf(text, room, "%.0f component%s, the largest of %.0f vertices", components,
                 components > 1 || components < 1 ? "s" : "", largest);
}

static rd__buffer *cc_values(rd_job *job)
{
    return &((cc_state *)job->state)->label;
}

static rd_status cc_largest(rd_job *job, uint32_t *vertex, rd_error *err)
{
    uint64_t largest;
    RD_TRY(rd__buffer_read(&((cc_state *)job->state)->largest, 0, sizeof largest, &largest, err));
    *vertex = (uint32_t)largest; /* below how many samples had it */
    return RD_OK;
}

static const rd__app_ranks in_parts = {
    .kind = RD__RANKS_LABELS, .root = "cc", .values = cc_values, .largest = cc_largest};

static int cc_alike(const rd_job *job)
{
    (void)job;
    return 1;
}

/* A few steps that look at all edges: on a GPU they are launched at once, and need no barrier. */
static void cc_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    choice->want = RD__ENGINE_ROUNDS;
    choice->launch = facts->is_gpu ? RD__DISCRETE : RD__ANY_LAUNCH;
    choice->reason = "a few steps look at all edges";
}

const rd__app rd__app_cc = {
    .info = {.name = "cc",
             .text = "connected components: the smallest vertex of each vertex's component, edges taken both ways",
             .input = RD_INPUT_GRAPH},
    .ranks = &in_parts,
    .state_bytes = sizeof(cc_state),
    .all_seeds = 1,
    .arrays = arrays,
    .free = cc_free,
    .choose = cc_choose,
    .args = cc_pack,
    .bind_input = cc_bind,
    .report = cc_report,
    .measure = cc_measure,
    .answer = cc_answer,
    .result = cc_result,
    .alike = cc_alike,
    .check = cc_check,
};
