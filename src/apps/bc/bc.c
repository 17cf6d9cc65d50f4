/* SPDX-License-Identifier: Apache-2.0 */
/* bc.c - betweenness centrality, host side: sources, and one stage after another. bc/bc.k.c is the task, bc/levels.k.c
 * what cores do instead, a stage a source, bc/check.c the checker. */
#include "apps/bc/check.h"
#include "apps/bc/layout.k.h"
#include "apps/bc/sources.h"
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"

#include "core/memory.h"
#include "gen/args/bc.h"
#include "gen/args/bc_levels.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

/* Up to FEW_LEVELS each level is found by a look at all vertices, and a stage of its own; on cores up to FEW_ON_CORES,
 * for beyond these sorting them once is less. */
enum { FEW_LEVELS = 64, FEW_ON_CORES = 16 };
enum { BROAD = 64 }; /* vertices of a level that are worth a stage of their own on cores */

typedef struct bc_state {
    rd__bc_sources from;
    rd__buffer depth, pair, pair64, score, note, list; /* list: a level, what a wave waits for, or all by level */
    rd__buffer through, through64, begins, lists;      /* of bc/levels.k.c; begins: of levels; lists: of cores */
    uint32_t *order, *start;                           /* vertices by level, and where levels begin; when it is made */
    uint32_t wide;                                     /* what this graph's ways are counted in: BC_FLOATS ... */
    const rd_graph *wide_of;
    uint64_t tasks; /* of the run as it goes, and: */
    uint32_t at, stage, level, deepest, has_order;
    uint32_t told[BC_NOTE_WORDS], noted; /* the note, and whether it was read with the stage */
} bc_state;

static const rd_option_info info[] = {
    {"source", "VERTICES", NULL, "from these vertices, commas between them (default: highest degree)", 'r'},
    {"sources", "N", NULL, "from N vertices that have edges, spread evenly; all: every one", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "source", .kind = RD__OPTION_OWN},
    {.key = "sources", .kind = RD__OPTION_OWN},
    {0},
};

static uint32_t is_wide(const rd_job *job)
{
    const bc_state *bc = job->state;
    return bc->wide_of == job->graph ? bc->wide : BC_FLOATS;
}

/* Does the job run bc/levels.k.c? */
static int by_levels(const rd_job *job)
{
    return job->engine->model == RD__MODEL_SWEEP;
}

static int by_tasks(const rd_job *job)
{
    return !by_levels(job);
}

static int is_wide_by_levels(const rd_job *job)
{
    return is_wide(job) && by_levels(job);
}

static int is_narrow_by_levels(const rd_job *job)
{
    return !is_wide(job) && by_levels(job);
}

static int is_wide_by_tasks(const rd_job *job)
{
    return is_wide(job) && by_tasks(job);
}

static int is_narrow_by_tasks(const rd_job *job)
{
    return !is_wide(job) && by_tasks(job);
}

static uint32_t cores_of(const rd_job *job)
{
    return job->device ? job->device->info.compute_units : 1;
}

/* Two for each core. */
static uint64_t list_bytes(const rd_job *job)
{
    return 8ull * BC_LIST_WORDS * cores_of(job);
}

/* bc/levels.k.c fills its own. */
static const rd__app_array arrays[] = {
    {.name = "depth", .at = offsetof(bc_state, depth), .each = 4, .filled = 1, .first = RD_NONE, .wanted = by_tasks},
    {.name = "depth", .at = offsetof(bc_state, depth), .each = 4, .wanted = by_levels},
    {.name = "ways", .at = offsetof(bc_state, pair), .each = 8, .filled = 1, .wanted = is_narrow_by_tasks},
    {.name = "ways", .at = offsetof(bc_state, pair), .each = 8, .wanted = is_narrow_by_levels},
    {.name = "many ways", .at = offsetof(bc_state, pair64), .each = 16, .filled = 1, .wanted = is_wide_by_tasks},
    {.name = "many ways", .at = offsetof(bc_state, pair64), .each = 16, .wanted = is_wide_by_levels},
    {.name = "what leads through", .at = offsetof(bc_state, through), .each = 8, .wanted = is_narrow_by_levels},
    {.name = "what leads through", .at = offsetof(bc_state, through64), .each = 16, .wanted = is_wide_by_levels},
    {.name = "lists of cores", .at = offsetof(bc_state, lists), .beside = list_bytes, .wanted = by_levels},
    {.name = "where levels begin", .at = offsetof(bc_state, begins), .each = 4, .more = 8, .wanted = by_levels},
    {.name = "score",
     .at = offsetof(bc_state, score),
     .each = 4,
     .filled = 1,
     .result = "centrality",
     .kind = RD_RESULT_F32},
    {.name = "note", .at = offsetof(bc_state, note), .more = 4 * BC_NOTE_WORDS, .filled = 1},
    {.name = "a level", .at = offsetof(bc_state, list), .each = 4},
    {.name = "vertices by level", .at = offsetof(bc_state, order), .each = 4, .on_host = 1},
    {.name = "levels", .at = offsetof(bc_state, start), .each = 4, .more = 8, .on_host = 1},
    {0},
};

/* ---- Sources ---- */

static rd_status bc_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    return rd__bc_sources_set(&((bc_state *)job->state)->from, key, value, err);
}

static rd_status bc_validate(rd_job *job, rd_error *err)
{
    return rd__bc_sources_check(&((bc_state *)job->state)->from, job->graph, err);
}

static void bc_close(rd_job *job)
{
    rd__bc_sources_free(&((bc_state *)job->state)->from);
}

/* ---- Stages ---- */

RD__ARGS(bc_args, BC_ARGS)
RD__ARGS(levels_args, BC_LEVELS_ARGS)

static uint32_t pack_levels(rd_job *job, rd__arg *args)
{
    const bc_state *bc = job->state;
    const levels_args own = {.bc_depth = &bc->depth,
                             .bc_ways = bc->pair.device ? &bc->pair : &bc->pair64, /* one of them is used */
                             .bc_ways64 = bc->pair64.device ? &bc->pair64 : &bc->pair,
                             .bc_through = bc->through.device ? &bc->through : &bc->through64, /* likewise */
                             .bc_through64 = bc->through64.device ? &bc->through64 : &bc->through,
                             .bc_score = &bc->score,
                             .bc_order = &bc->list,
                             .bc_start = &bc->begins,
                             .bc_lists = &bc->lists,
                             .bc_note = &bc->note,
                             .bc_source = bc->from.count ? bc->from.vertex[bc->at] : RD_NONE,
                             .bc_wide = is_wide(job),
                             .bc_pulls = (uint32_t)rd_graph_is_symmetric(job->graph),
                             .bc_cores = cores_of(job),
                             .bc_edges = (float)rd_graph_csr(job->graph).edges};
    return levels_args_pack(&own, args);
}

static uint32_t bc_pack(rd_job *job, rd__arg *args)
{
    const bc_state *bc = job->state;
    if (by_levels(job))
        return pack_levels(job, args);
    const bc_args own = {.bc_depth = &bc->depth,
                         .bc_pair = bc->pair.device ? &bc->pair : &bc->pair64, /* one of them is used */
                         .bc_pair64 = bc->pair64.device ? &bc->pair64 : &bc->pair,
                         .bc_score = &bc->score,
                         .bc_waits = &bc->list,
                         .bc_note = &bc->note,
                         .bc_stage = bc->stage,
                         .bc_level = bc->level,
                         .bc_source = bc->from.count ? bc->from.vertex[bc->at] : RD_NONE,
                         .bc_wide = is_wide(job)};
    return bc_args_pack(&own, args);
}

static const char *const roots[] = {"bc", "bc_levels", NULL};

static const char *bc_root(const rd_job *job)
{
    return roots[by_levels(job)];
}

/* Cores have levels in one launch, and few atomics; other devices one stage after another of the same tasks. */
static int bc_prefers(const rd_job *job, const rd__engine *engine)
{
    return engine->model == RD__MODEL_SWEEP && job->device && job->device->caps.cores;
}

/* Few levels, with most edges in two of them: what several launches take is little. */
static void bc_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    enum { DENSE = 16, AT_ONCE = 4, MANY = 1 << 19 }; /* edges a vertex; levels of the sample; vertices */
    (void)job;
    choice->want = RD__ENGINE_ROUNDS;
    choice->reason = "ways are counted level by level, and a round is a level";
    if (facts->vertices < RD__WIDE_VERTICES || facts->is_small)
        return;
    if (facts->is_deep && !facts->is_skewed && !facts->is_narrow)
        rd__choose_a_launch_a_round(facts, 1, choice);
    else if (facts->is_gpu && (facts->levels <= AT_ONCE || facts->vertices >= MANY) &&
             facts->mean_degree >= DENSE - 0.5)
        choice->launch = RD__DISCRETE;
}

/* Stages that go out say how far, and whether numbers are too small: go_on. */
static void bc_bind(rd_job *job, rd__sched_job *view)
{
    bc_state *bc = job->state;
    bc->noted = 0;
    if (bc->stage == BC_SEARCH || bc->stage == BC_OUT || by_levels(job))
        view->note = (rd__note){&bc->note, sizeof bc->told, bc->told, &bc->noted};
}

/* The search from source number `at`. */
static rd_status search(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    const uint32_t source = bc->from.vertex[bc->at], zero = 0;
    const uint64_t one64 = ((uint64_t)(0x800000 - 39) << 40) | 1ull << 39; /* 1, as bc/number.k.h has it */
    const float one = 1;
    bc->stage = BC_SEARCH;
    bc->has_order = 0;
    RD_TRY(rd__buffer_fill(&bc->note, 0, err));
    if (by_levels(job)) {
        seeds->kind = RD__SEEDS_ALL;
        return RD_OK;
    }
    RD_TRY(rd__buffer_write(&bc->depth, 4ull * source, sizeof zero, &zero, err));
    if (is_wide(job))
        RD_TRY(rd__buffer_write(&bc->pair64, 16ull * source, sizeof one64, &one64, err));
    else
        RD_TRY(rd__buffer_write(&bc->pair, 8ull * source, sizeof one, &one, err));
    rd__seeds_one(seeds, source);
    return RD_OK;
}

static rd_status bc_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    RD_TRY(rd__bc_sources_find(&bc->from, job->graph, err));
    bc->at = 0;
    bc->tasks = 0;
    return bc->from.count ? search(job, seeds, err) : RD_OK;
}

/* Vertices by level, by a counting sort on the host: for many levels, where a wave cannot be or is slower. */
static rd_status sort_levels(rd_job *job, rd_error *err)
{
    bc_state *bc = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    uint32_t *depth = NULL;
    RD_TRY(rd__array_new(&depth, "depths on the host", vertices, sizeof *depth, err));
    const rd_status status = rd__buffer_read(&bc->depth, 0, 4ull * vertices, depth, err);
    if (status == RD_OK) {
        memset(bc->start, 0, 4 * (vertices + 2ull));
        bc->deepest = 0;
        for (uint32_t v = 0; v < vertices; v++)
            if (depth[v] < vertices) {
                bc->start[depth[v] + 2]++;
                bc->deepest = depth[v] > bc->deepest ? depth[v] : bc->deepest;
            }
        for (uint32_t d = 2; d < bc->deepest + 3 && d < vertices + 2; d++)
            bc->start[d] += bc->start[d - 1];
        for (uint32_t v = 0; v < vertices; v++)
            if (depth[v] < vertices)
                bc->order[bc->start[depth[v] + 1]++] = v;
        bc->has_order = 1;
    }
    rd__array_free(depth);
    return status;
}

static rd_status level_stage(rd_job *job, uint32_t stage, uint32_t level, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    bc->stage = stage;
    bc->level = level;
    seeds->kind = RD__SEEDS_WHERE;
    if (stage == BC_TALLY)
        return rd__buffer_fill(&bc->list, 0, err);
    if (!bc->has_order || stage != BC_PULL)
        return RD_OK;
    seeds->kind = RD__SEEDS_BUFFER;
    seeds->buffer = &bc->list;
    seeds->count = bc->start[level + 1] - bc->start[level];
    return rd__buffer_write(&bc->list, 0, 4ull * seeds->count, bc->order + bc->start[level], err);
}

/* Too many ways for the numbers at hand: the same source again, with larger ones, and so for this graph from now on. */
static rd_status widen(rd_job *job, uint32_t many, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    const uint64_t bytes = 16ull * rd_graph_csr(job->graph).vertices;
    if (many > 1)
        return rd__fail(err, RD_EINPUT,
                        "bc: there are more than 2^8388000 shortest paths from vertex %llu to some other",
                        (unsigned long long)rd_graph_name(job->graph, bc->from.vertex[bc->at]));
    bc->wide = by_levels(job) && is_wide(job) == BC_FLOATS ? BC_DOUBLES : BC_PAIRS;
    bc->wide_of = job->graph;
    if (!bc->pair64.device)
        RD_TRY(rd__buffer_alloc(job->device, &bc->pair64, "many ways", bytes, err));
    if (by_levels(job) && !bc->through64.device)
        RD_TRY(rd__buffer_alloc(job->device, &bc->through64, "what leads through", bytes, err));
    if (by_levels(job))
        return search(job, seeds, err);
    RD_TRY(rd__buffer_fill(&bc->pair64, 0, err));
    RD_TRY(rd__buffer_fill(&bc->depth, RD_NONE, err));
    return search(job, seeds, err);
}

/* On cores a wave takes two looks at all edges, and two atomics for each that leads back; a stage a level takes one,
 * but some microseconds for itself. */
static int is_broad(const rd_job *job)
{
    const bc_state *bc = job->state;
    return job->device->caps.cores && rd_graph_csr(job->graph).vertices / bc->deepest >= BROAD;
}

/* When ways are counted: back from the last level but one, or by a wave. */
static rd_status turn_back(rd_job *job, const uint32_t *note, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    bc->deepest = note[BC_DEEPEST];
    if (bc->deepest <= 1)
        return level_stage(job, BC_FINISH, 0, seeds, err);
    if (bc->deepest > FEW_LEVELS && rd_graph_is_symmetric(job->graph) && !is_broad(job))
        return level_stage(job, BC_TALLY, 1, seeds, err);
    if (bc->deepest > (job->device->caps.cores ? FEW_ON_CORES : FEW_LEVELS))
        RD_TRY(sort_levels(job, err));
    return level_stage(job, BC_PULL, bc->deepest - 1, seeds, err);
}

static rd_status wave(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    if (bc->level)
        return level_stage(job, BC_BACK, 0, seeds, err);
    bc->stage = BC_OUT;
    (void)err;
    rd__seeds_one(seeds, bc->from.vertex[bc->at]);
    return RD_OK;
}

/* After a stage that went out. */
static rd_status go_on(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    if (!bc->noted)
        RD_TRY(rd__buffer_read(&bc->note, 0, sizeof bc->told, bc->told, err));
    if (bc->told[BC_MANY])
        return widen(job, bc->told[BC_MANY], seeds, err);
    if (bc->stage == BC_SEARCH && !rd__job_in_rounds(job))
        return level_stage(job, BC_TALLY, 0, seeds, err);
    return turn_back(job, bc->told, seeds, err);
}

/* A stage was all that a source takes. */
static rd_status next_source(rd_job *job, rd__seeds *seeds, int *more, rd_error *err)
{
    bc_state *bc = job->state;
    if (!bc->noted)
        RD_TRY(rd__buffer_read(&bc->note, 0, sizeof bc->told, bc->told, err));
    bc->deepest = bc->told[BC_DEEPEST];
    *more = bc->told[BC_MANY] || bc->at + 1 < bc->from.count;
    if (bc->told[BC_MANY])
        return widen(job, bc->told[BC_MANY], seeds, err);
    bc->tasks += bc->told[BC_REACHED];
    if (!*more)
        return RD_OK;
    bc->at++;
    return search(job, seeds, err);
}

static rd_status bc_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    bc_state *bc = job->state;
    (void)report;
    *more = bc->stage != BC_FINISH || bc->at + 1 < bc->from.count;
    if (!bc->from.count)
        *more = 0;
    else if (by_levels(job))
        return next_source(job, seeds, more, err);
    if (!*more)
        return RD_OK;
    switch (bc->stage) {
    case BC_TALLY: return wave(job, seeds, err);
    case BC_BACK: return level_stage(job, BC_FINISH, 0, seeds, err);
    case BC_PULL: return level_stage(job, bc->level > 1 ? BC_PULL : BC_FINISH, bc->level - 1, seeds, err);
    case BC_FINISH: bc->at++; return search(job, seeds, err);
    default: return go_on(job, seeds, err);
    }
}

/* ---- Result ---- */

static void bc_report(rd_job *job, rd_report *report)
{
    const bc_state *bc = job->state;
    report->reached = rd_graph_csr(job->graph).vertices;
    if (by_levels(job) && report->tasks < 2 * bc->tasks) /* its items are blocks of vertices, out and back */
        report->tasks = report->tasks_needed = 2 * bc->tasks;
    rd__measure(report, "sources", bc->from.count);
    rd__measure(report, "levels", bc->from.count ? bc->deepest + 1 : 0);
}

static rd_status bc_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const bc_state *bc = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__bc_check(&csr, bc->from.vertex, bc->from.count, result->real, err);
}

static void bc_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    uint64_t best = 0;
    for (uint64_t v = 1; v < result->count; v++)
        best = result->real[v] > result->real[best] ? v : best;
    if (result->count)
        rd__snprintf(text, room, "vertex %llu is the most central, with %.6g",
                     (unsigned long long)rd_graph_name(job->graph, (uint32_t)best), (double)result->real[best]);
    else
        rd__snprintf(text, room, "no vertex to be central");
}

const rd__app rd__app_bc = {
    .info = {.name = "bc",
             .text = "betweenness centrality: how many shortest paths from the sources lead through each vertex",
             .options = info,
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(bc_state),
    .options = options,
    .arrays = arrays,
    .set = bc_set,
    .close = bc_close,
    .validate = bc_validate,
    .roots = roots,
    .root = bc_root,
    .prefers = bc_prefers,
    .args = bc_pack,
    .choose = bc_choose,
    .bind_input = bc_bind,
    .start = bc_start,
    .next = bc_next,
    .report = bc_report,
    .answer = bc_answer,
    .check = bc_check,
};
