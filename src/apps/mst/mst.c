/* SPDX-License-Identifier: Apache-2.0 */
/* mst.c - minimum spanning forests, host side: lists, the first stage's limit, the edges as a result. mst/mst.k.c is
 * the algorithm, mst/all.k.c the same without lists, mst/check.c the checker. */
#include "apps/mst/check.h"
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"
#include "apps/mst/layout.k.h"

#include "core/memory.h"
#include "core/text.h"
#include "gen/args/mst.h"
#include "gen/args/mst_all.h"
#include "graph/graph.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1024, FEW = 4, LISTS = 4 }; /* few: edges a vertex that enter first */

enum { AUTO, MANY, SINGLE, NONE }; /* worklists, as the option lists them */
/* A GPU keeps lists of the edges that are left, but for graphs of hubs and few edges: there entering crowds at the
 * hubs, and it looks at all edges of a round sooner. With and without lists, an H200's ms: urand:20 4.9 and 7.5,
 * kron:20 4.0 and 5.3, road:2048x2048:0.65 3.2 and 4.0, affiliation:17 1.1 and 1.3, mesh:1024x1024 1.65 and 1.66,
 * lattice:48 0.86 and 0.81; but attach:20 7.2 and 3.9. */
enum { GPU_DENSE = 24, GPU_EVEN = 4 }; /* edges a vertex; highest degree over the mean */

typedef struct mst_state {
    uint32_t worklists;
    rd__buffer label, best, used, taken, list[LISTS];
    uint32_t limit;
    uint32_t *bits;  /* `taken` on the host */
    uint32_t *edge;  /* the forest: places of its edges, ascending */
    uint32_t *right; /* the checker's, of this graph */
    /* of the last run */
    uint32_t edges;
    double weight;
} mst_state;

static const rd_option_info info[] = {
    {"worklists", "auto|many|single|none", "auto", "edges of a round: of lists, light first; of one; of none, all", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static const rd__app_option options[] = {
    {.key = "worklists",
     .kind = RD__OPTION_CHOICE,
     .at = offsetof(mst_state, worklists),
     .changes = RD__CHANGES_BUFFERS},
    {0},
};

static uint32_t lists_of(const rd_job *job)
{
    const uint32_t asked = ((const mst_state *)job->state)->worklists;
    if (asked != AUTO || !job->graph || !job->device || !job->device->info.is_gpu)
        return asked != AUTO ? asked : MANY;
    const rd_csr csr = rd_graph_csr(job->graph);
    const int dense = csr.edges >= (uint64_t)GPU_DENSE * csr.vertices;
    const int even = (uint64_t)rd_graph_max_degree(job->graph) * csr.vertices <= GPU_EVEN * csr.edges;
    return dense || even ? MANY : NONE;
}

static int has_lists(const rd_job *job)
{
    return lists_of(job) != NONE;
}

static const rd__app_array arrays[] = {
    {.name = "label", .at = offsetof(mst_state, label), .each = 4},
    {.name = "least edges", .at = offsetof(mst_state, best), .each = 8},
    {.name = "lengths of lists",
     .at = offsetof(mst_state, used),
     .more = 4 * MST_LISTS,
     .filled = 1,
     .wanted = has_lists},
    {.name = "forest on the host", .at = offsetof(mst_state, edge), .each = 4, .on_host = 1},
    {0},
};

static uint64_t taken_bytes(const rd_job *job)
{
    return 4 * (rd_graph_csr(job->graph).edges / 32 + 1);
}

/* Each edge is there twice, but for loops. */
static uint64_t list_bytes(const rd_job *job)
{
    return 8 * (rd_graph_csr(job->graph).edges / 2 + 1);
}

static void mst_plan(const rd_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "taken edges", taken_bytes(job), 0, 0);
    for (int i = 0; i < LISTS && has_lists(job); i++)
        rd__plan_add(plan, "list of edges", list_bytes(job), 0, 0);
}

static int compare(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* What a few edges for each vertex do not weigh more than, by a sample. */
static uint32_t limit_of(const rd_csr *csr)
{
    int32_t weight[SAMPLE];
    const uint64_t count = csr->edges < SAMPLE ? csr->edges : SAMPLE;
    const double share = csr->edges ? (double)FEW * csr->vertices / (0.5 * (double)csr->edges) : 1;
    if (share >= 0.75) /* hardly worth two stages */
        return UINT32_MAX;
    for (uint64_t i = 0; i < count; i++)
        weight[i] = csr->weight[(uint64_t)((double)csr->edges / (double)count * (double)i)];
    qsort(weight, count, sizeof *weight, compare);
    const uint32_t limit = (uint32_t)weight[(uint64_t)(share * (double)count)] ^ 0x80000000u;
    return limit == UINT32_MAX ? limit - 1 : limit; /* UINT32_MAX: there is no second stage */
}

static rd_status mst_alloc(rd_job *job, rd_error *err)
{
    mst_state *mst = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    mst->limit = lists_of(job) == MANY ? limit_of(&csr) : UINT32_MAX;
    RD_TRY(rd__array_new(&mst->bits, "taken edges on the host", taken_bytes(job) / 4, sizeof *mst->bits, err));
    RD_TRY(rd__buffer_alloc(job->device, &mst->taken, "taken edges", taken_bytes(job), err));
    for (int i = 0; i < LISTS && has_lists(job); i++)
        RD_TRY(rd__buffer_alloc(job->device, &mst->list[i], "list of edges", list_bytes(job), err));
    return RD_OK;
}

static void mst_free(rd_job *job)
{
    mst_state *mst = job->state;
    rd__buffer_free(&mst->taken);
    for (int i = 0; i < LISTS; i++)
        rd__buffer_free(&mst->list[i]);
    rd__array_free(mst->bits);
    rd__array_free(mst->right);
    mst->bits = mst->right = NULL;
}

static rd_status mst_validate(rd_job *job, rd_error *err)
{
    if (rd_graph_csr(job->graph).edges >= UINT32_MAX)
        return rd__fail(err, RD_EINPUT, "mst takes graphs of up to 2^32 - 2 edges, counted at both ends; this has %llu",
                        (unsigned long long)rd_graph_csr(job->graph).edges);
    return RD_OK;
}

static const char *const roots[] = {"mst", "mst_all", NULL};

static const char *mst_root(const rd_job *job)
{
    return has_lists(job) ? "mst" : "mst_all";
}

RD__ARGS(mst_args, MST_ARGS)
RD__ARGS(all_args, MST_ALL_ARGS)

static uint32_t mst_pack(rd_job *job, rd__arg *args)
{
    const mst_state *mst = job->state;
    const all_args all = {
        .mst_weight = &job->weight, .mst_label = &mst->label, .mst_best = &mst->best, .mst_taken = &mst->taken};
    if (!has_lists(job))
        return all_args_pack(&all, args);
    const mst_args own = {.mst_weight = &job->weight,
                          .mst_label = &mst->label,
                          .mst_best = &mst->best,
                          .mst_used = &mst->used,
                          .mst_ends0 = &mst->list[0],
                          .mst_ends1 = &mst->list[1],
                          .mst_key0 = &mst->list[2],
                          .mst_key1 = &mst->list[3],
                          .mst_taken = &mst->taken,
                          .mst_limit = mst->limit,
                          .mst_hub = rd_graph_hub(job->graph)};
    return mst_args_pack(&own, args);
}

static rd_status mst_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    (void)seeds;
    return rd__buffer_fill(&((mst_state *)job->state)->taken, 0, err);
}

static double weight_at(const rd_job *job, uint32_t e)
{
    const int32_t word = rd_graph_csr(job->graph).weight[e];
    return rd_graph_has_real_weights(job->graph) ? (double)rd_weight_real(word) : word;
}

/* Edges are added up in their order, so a sum of real weights is the same in every run too; one of whole weights is
 * exact. */
static rd_status mst_fetch(rd_job *job, rd_error *err)
{
    mst_state *mst = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    mst->edges = 0;
    mst->weight = 0;
    RD_TRY(rd__buffer_read(&mst->taken, 0, taken_bytes(job), mst->bits, err));
    for (uint64_t e = 0; e < csr.edges; e++) {
        if (e % 32 == 0 && !mst->bits[e / 32])
            e += 31;
        else if (mst->bits[e / 32] >> e % 32 & 1 && mst->edges < csr.vertices) {
            mst->edge[mst->edges++] = (uint32_t)e;
            mst->weight += weight_at(job, (uint32_t)e);
        }
    }
    return RD_OK;
}

static void mst_report(rd_job *job, rd_report *report)
{
    report->reached = rd_graph_csr(job->graph).vertices;
}

static void mst_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    const mst_state *mst = job->state;
    (void)result; /* counted when it came to the host */
    rd__measure(report, "weight", mst->weight);
    rd__measure(report, "forest_edges", mst->edges);
    rd__measure(report, "trees", (double)rd_graph_csr(job->graph).vertices - mst->edges);
}

static void mst_result(const rd_job *job, rd_result *result)
{
    const mst_state *mst = job->state;
    *result = (rd_result){.name = "edge", .word = mst->edge, .count = mst->edges, .download_s = job->download_s};
}

static rd_status mst_check(rd_job *job, const rd_result *result, rd_error *err)
{
    mst_state *mst = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__mst_check(&csr, rd_graph_has_real_weights(job->graph), &mst->right, result->word, result->count, err);
}

static void mst_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const mst_state *mst = job->state;
    (void)result;
    rd__snprintf(text, room, "%u edges of total weight %.17g, %u tree%s", mst->edges, mst->weight,
                 rd_graph_csr(job->graph).vertices - mst->edges,
                 rd_graph_csr(job->graph).vertices - mst->edges == 1 ? "" : "s");
}

/* A line an edge: its ends as the graph's file calls them, and its weight. */
static rd_status mst_save(rd_job *job, const char *path, rd_error *err)
{
    const mst_state *mst = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    rd_output *output = NULL;
    uint32_t v = 0;
    RD_TRY(rd_output_open(path, RD_OUTPUT_REPLACE, &output, err));
    FILE *out = rd_output_stream(output);
    for (uint32_t i = 0; i < mst->edges; i++) {
        char number[40] = "";
        while (csr.row[v + 1] <= mst->edge[i])
            v++;
        rd__snprintf(number, sizeof number, "%.10g", weight_at(job, mst->edge[i]));
        fprintf(out, "%" PRIu64 " %" PRIu64 " %s\n", rd_graph_name(job->graph, v),
                rd_graph_name(job->graph, csr.col[mst->edge[i]]), number);
    }
    return rd_output_close(output, RD_OK, err);
}

/* Few steps, each of all that is left. */
static void mst_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    choice->want = RD__ENGINE_ROUNDS;
    choice->reason = "all components look for their least edges at once";
    rd__choose_a_launch_a_round(facts, 0, choice);
}

const rd__app rd__app_mst = {
    .info = {.name = "mst",
             .text = "minimum spanning forest: edges of least total weight that connect what the graph connects",
             .options = info,
             .input = RD_INPUT_WEIGHTED,
             .file_suffixes = ".wel .txt"},
    .state_bytes = sizeof(mst_state),
    .all_seeds = 1,
    .needs_symmetric = 1,
    .options = options,
    .arrays = arrays,
    .roots = roots,
    .root = mst_root,
    .validate = mst_validate,
    .plan = mst_plan,
    .alloc = mst_alloc,
    .free = mst_free,
    .args = mst_pack,
    .start = mst_start,
    .choose = mst_choose,
    .report = mst_report,
    .measure = mst_measure,
    .fetch = mst_fetch,
    .result = mst_result,
    .answer = mst_answer,
    .check = mst_check,
    .save = mst_save,
};
