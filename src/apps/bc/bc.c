/* SPDX-License-Identifier: Apache-2.0 */
/* bc.c - betweenness centrality, host side: sources, and one stage after another. bc/bc.k.c is the task, bc/check.c the
 * checker. */
#include "apps/bc/check.h"
#include "apps/bc/layout.k.h"
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"
#include "apps/common/values.h"

#include "core/memory.h"
#include "gen/args/bc.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

/* Up to FEW_LEVELS each level is found by a look at all vertices, and a stage of its own; on cores up to FEW_ON_CORES,
 * for beyond these sorting them once is less. */
enum { FEW_LEVELS = 64, FEW_ON_CORES = 16 };
enum { BROAD = 64 }; /* vertices of a level that are worth a stage of their own on cores */

typedef struct bc_state {
    uint32_t *listed, listed_count;                    /* option source */
    uint32_t asked;                                    /* option sources; 0: by the list, or one */
    uint32_t *source, sources;                         /* of the run */
    rd__buffer depth, pair, pair64, score, note, list; /* list: a level, or what a wave waits for */
    uint32_t *order, *start;                           /* vertices by level, and where levels begin; when it is made */
    uint32_t wide;                                     /* this graph has more ways than floats count */
    const rd_graph *wide_of;
    /* of the run as it goes */
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

static int is_wide(const rd_job *job)
{
    const bc_state *bc = job->state;
    return bc->wide && bc->wide_of == job->graph;
}

static int is_narrow(const rd_job *job)
{
    return !is_wide(job);
}

static const rd__app_array arrays[] = {
    {.name = "depth", .at = offsetof(bc_state, depth), .each = 4, .filled = 1, .first = RD_NONE},
    {.name = "ways", .at = offsetof(bc_state, pair), .each = 8, .filled = 1, .wanted = is_narrow},
    {.name = "many ways", .at = offsetof(bc_state, pair64), .each = 16, .filled = 1, .wanted = is_wide},
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

static rd_status set_list(bc_state *bc, const char *value, rd_error *err)
{
    uint32_t count = 1, *list = NULL;
    for (const char *c = value; *c; c++)
        count += *c == ',';
    RD_TRY(rd__array_new(&list, "sources", count, sizeof *list, err));
    rd_status status = RD_OK;
    const char *at = value;
    for (uint32_t i = 0; status == RD_OK && i < count; i++) {
        char word[24];
        const size_t length = strcspn(at, ",");
        rd__snprintf(word, sizeof word, "%.*s", (int)length, at);
        status = rd__value_vertex("source", length < sizeof word ? word : at, &list[i], err);
        at += length + (at[length] == ',');
    }
    if (status != RD_OK) {
        rd__array_free(list);
        return status;
    }
    rd__array_free(bc->listed);
    bc->listed = list;
    bc->listed_count = count;
    bc->asked = 0;
    return RD_OK;
}

static rd_status bc_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    bc_state *bc = job->state;
    uint64_t number = UINT32_MAX;
    if (strcmp(key, "source") == 0)
        return set_list(bc, value, err);
    if (strcmp(value, "all") != 0 && (!rd_parse_u64(value, &number) || number < 1 || number > UINT32_MAX))
        return rd__fail(err, RD_EARG, "option sources takes a number of vertices, at least 1, or all, not '%s'", value);
    bc->asked = (uint32_t)number;
    bc->listed_count = 0;
    return RD_OK;
}

static rd_status bc_validate(rd_job *job, rd_error *err)
{
    const bc_state *bc = job->state;
    for (uint32_t i = 0; i < bc->listed_count; i++)
        RD_TRY(rd__vertex_check(job->graph, "source", bc->listed[i], err));
    return RD_OK;
}

/* asked of those that have edges, evenly. */
static uint32_t spread(const rd_csr *csr, uint32_t asked, uint32_t *source)
{
    uint32_t useful = 0, seen = 0, count = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        useful += csr->row[v + 1] > csr->row[v];
    const uint32_t wanted = asked < useful ? asked : useful;
    for (uint32_t v = 0; v < csr->vertices && count < wanted; v++) {
        if (csr->row[v + 1] > csr->row[v] && seen++ >= (uint64_t)count * useful / wanted)
            source[count++] = v;
    }
    return count;
}

static rd_status find_sources(rd_job *job, rd_error *err)
{
    bc_state *bc = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint32_t most = bc->asked ? (bc->asked < csr.vertices ? bc->asked : csr.vertices) : bc->listed_count + 1;
    rd__array_free(bc->source);
    bc->source = NULL;
    bc->sources = 0;
    RD_TRY(rd__array_new(&bc->source, "sources", most, sizeof *bc->source, err));
    if (bc->asked) {
        bc->sources = spread(&csr, bc->asked, bc->source);
    } else if (bc->listed_count) {
        memcpy(bc->source, bc->listed, bc->listed_count * sizeof *bc->source);
        bc->sources = bc->listed_count;
    } else if (csr.vertices) {
        bc->source[0] = rd_graph_hub(job->graph);
        bc->sources = 1;
    }
    return RD_OK;
}

static void bc_close(rd_job *job)
{
    bc_state *bc = job->state;
    rd__array_free(bc->listed);
    rd__array_free(bc->source);
}

/* ---- Stages ---- */

RD__ARGS(bc_args, BC_ARGS)

static uint32_t bc_pack(rd_job *job, rd__arg *args)
{
    const bc_state *bc = job->state;
    const bc_args own = {.bc_depth = &bc->depth,
                         .bc_pair = bc->pair.device ? &bc->pair : &bc->pair64, /* one of them is used */
                         .bc_pair64 = bc->pair64.device ? &bc->pair64 : &bc->pair,
                         .bc_score = &bc->score,
                         .bc_waits = &bc->list,
                         .bc_note = &bc->note,
                         .bc_stage = bc->stage,
                         .bc_level = bc->level,
                         .bc_source = bc->sources ? bc->source[bc->at] : RD_NONE,
                         .bc_wide = (uint32_t)is_wide(job)};
    return bc_args_pack(&own, args);
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
    if (bc->stage == BC_SEARCH || bc->stage == BC_OUT)
        view->note = (rd__note){&bc->note, sizeof bc->told, bc->told, &bc->noted};
}

/* The search from source number `at`. */
static rd_status search(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    const uint32_t source = bc->source[bc->at], zero = 0;
    const uint64_t one64 = ((uint64_t)(0x800000 - 39) << 40) | 1ull << 39; /* 1, as bc/number.k.h has it */
    const float one = 1;
    bc->stage = BC_SEARCH;
    bc->has_order = 0;
    RD_TRY(rd__buffer_fill(&bc->note, 0, err));
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
    RD_TRY(find_sources(job, err));
    bc->at = 0;
    return bc->sources ? search(job, seeds, err) : RD_OK;
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

/* Too many ways for floats: the same source again, with other numbers, and so for this graph from now on. */
static rd_status widen(rd_job *job, uint32_t many, rd__seeds *seeds, rd_error *err)
{
    bc_state *bc = job->state;
    if (many > 1)
        return rd__fail(err, RD_EINPUT,
                        "bc: there are more than 2^8388000 shortest paths from vertex %llu to some other",
                        (unsigned long long)rd_graph_name(job->graph, bc->source[bc->at]));
    bc->wide = 1;
    bc->wide_of = job->graph;
    if (!bc->pair64.device)
        RD_TRY(rd__buffer_alloc(job->device, &bc->pair64, "many ways", 16ull * rd_graph_csr(job->graph).vertices, err));
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
    rd__seeds_one(seeds, bc->source[bc->at]);
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

static rd_status bc_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    bc_state *bc = job->state;
    (void)report;
    *more = bc->stage != BC_FINISH || bc->at + 1 < bc->sources;
    if (!bc->sources)
        *more = 0;
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
    rd__measure(report, "sources", bc->sources);
    rd__measure(report, "levels", bc->sources ? bc->deepest + 1 : 0);
}

static rd_status bc_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const bc_state *bc = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__bc_check(&csr, bc->source, bc->sources, result->real, err);
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
    .args = bc_pack,
    .choose = bc_choose,
    .bind_input = bc_bind,
    .start = bc_start,
    .next = bc_next,
    .report = bc_report,
    .answer = bc_answer,
    .check = bc_check,
};
