/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kcore.c - coreness of every vertex, host side. kcore/kcore.k.c is the algorithm, one stage after another; or, as root
 * kcore_phases, in one run, where the host is far from the device: hundreds of stages, some of them of a few tasks,
 * would each be waited for. kcore/check.c is the checker.
 */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/checker.h"
#include "apps/common/choose.h"

#include "gen/args/kcore.h"
#include "model/args.h"

RD__WORD_CHECKER(kcore);

enum { FEW_WORKERS = 4, SKEWED = 16, MANY_STAGES = 40 }; /* the last: mean degree */
enum { LARGE = 1 << 16 };                                /* vertices whose stages keep more workers busy */

typedef struct kcore_state {
    rd__buffer core, note;
    uint32_t simple; /* the graph has no loops and no parallel edges */
    /* of the last run */
    uint32_t level;
    uint64_t tasks; /* of all stages before this one */
} kcore_state;

static uint32_t is_simple(const rd_csr *csr)
{
    for (uint32_t v = 0; v < csr->vertices; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (csr->col[e] == v || (e > csr->row[v] && csr->col[e] == csr->col[e - 1]))
                return 0;
    return 1;
}

/* Cores keep tasks of later phases for themselves, and run what they find in the round that found it: there a word is
 * not at rest when its vertex is opened. The host is near. And whoever asked for it can have narrow rounds handed over,
 * which what waits for later phases cannot be. */
static int in_phases(const rd_job *job)
{
    return job->device && !job->device->caps.cores && job->hands != RD__HANDS_ON &&
           (job->engine->is & RD__ENGINE_ROUNDS) && rd__engine_runs(job->engine, "kcore_phases");
}

/* Stages tell the host through it. */
static int in_stages(const rd_job *job)
{
    return !in_phases(job);
}

static const rd__app_array arrays[] = {
    {.name = "degrees", .at = offsetof(kcore_state, core), .each = 4, .result = "core"},
    {.name = "note", .at = offsetof(kcore_state, note), .more = 4, .filled = 1, .wanted = in_stages},
    {0},
};

static const char *kcore_root(const rd_job *job)
{
    return in_phases(job) ? "kcore_phases" : "kcore";
}

static rd_status kcore_alloc(rd_job *job, rd_error *err)
{
    kcore_state *kcore = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    (void)err;
    kcore->simple = is_simple(&csr);
    return RD_OK;
}

RD__ARGS(kcore_args, KCORE_ARGS) /* kcore_phases is the same text */

static uint32_t kcore_pack(rd_job *job, rd__arg *args)
{
    const kcore_state *kcore = job->state;
    const kcore_args own = {.core = &kcore->core,
                            .note = &kcore->note,
                            .row = &job->row,
                            .col = &job->col,
                            .simple = kcore->simple,
                            .level = kcore->level};
    return kcore_args_pack(&own, args);
}

/* Cores run all tasks of a stage sooner from a queue: they do not meet after each round. But not where tasks are
 * chains, which one of them runs alone in rounds; nor a few of them where stages are many and short; nor many where the
 * graph is small, or a forest, most of which is a single wide stage. Measured with 2, 4, 8 and 16. Nor where all
 * vertices have as many neighbours: that is one stage, all of which is there from the beginning. Measured with 2. */
static int needs_no_rounds(const rd_job *job, const rd__facts *facts)
{
    const uint32_t workers = rd__workers_of(job);
    const double most = facts->skew > SKEWED ? MANY_STAGES / 2 : MANY_STAGES;
    const rd_csr csr = rd_graph_csr(job->graph);
    if (!facts->is_cpu || !job->device->caps.cores || job->hands == RD__HANDS_ON || facts->is_narrow ||
        csr.edges == rd_graph_max_degree(job->graph) * csr.vertices)
        return 0;
    return workers <= FEW_WORKERS ? facts->mean_degree <= most : facts->vertices >= LARGE && facts->mean_degree >= 2;
}

static void kcore_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    if (needs_no_rounds(job, facts)) {
        choice->avoid = RD__ENGINE_ROUNDS;
        choice->reason = "tasks may run in any order, and workers need not meet";
        return;
    }
    choice->want = RD__ENGINE_ROUNDS;
    choice->reason = "the first stages are large, and rounds spread them evenly";
    if (!facts->is_skewed && facts->vertices >= RD__WIDE_VERTICES)
        rd__choose_a_launch_a_round(facts, facts->is_deep, choice);
}

/* In phases every vertex gets its neighbours, and waits for the phase of so many. */
static rd_status kcore_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    kcore_state *kcore = job->state;
    (void)err;
    kcore->level = 0;
    kcore->tasks = 0;
    seeds->kind = RD__SEEDS_WHERE;
    return RD_OK;
}

/* The note was taken before the stage: it is right when the stage had no task. Else degrees have fallen since, and the
 * next k may be any; as long as vertices are left nobody has to wait for the note then, and most stages are such. */
static rd_status kcore_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    kcore_state *kcore = job->state;
    uint32_t note = 1;
    if (in_phases(job))
        return RD_OK;
    const int ran = report->tasks > kcore->tasks, left = report->tasks < rd_graph_csr(job->graph).vertices;
    if (!ran || !left)
        RD_TRY(rd__buffer_read(&kcore->note, 0, sizeof note, &note, err));
    kcore->tasks = report->tasks;
    kcore->level = ran ? kcore->level + 1 : ~note;
    seeds->kind = RD__SEEDS_WHERE;
    seeds->later = 1;
    *more = note != 0;
    return *more ? rd__buffer_fill(&kcore->note, 0, err) : RD_OK;
}

static void kcore_report(rd_job *job, rd_report *report)
{
    report->reached = rd_graph_csr(job->graph).vertices;
}

static uint32_t highest(const rd_result *result)
{
    uint32_t core = 0;
    for (uint64_t v = 0; v < result->count; v++)
        core = result->word[v] > core ? result->word[v] : core;
    return core;
}

static void kcore_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    (void)job;
    rd__measure(report, "highest_core", highest(result));
}

static rd_status kcore_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__kcore_check(&csr, result->word, err);
}

static void kcore_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)job;
    rd__snprintf(text, room, "the highest core is the %u-core", highest(result));
}

static int kcore_alike(const rd_job *job)
{
    (void)job;
    return 1;
}

static const char *const roots[] = {"kcore", "kcore_phases", NULL};

const rd__app rd__app_kcore = {
    .info = {.name = "kcore", .text = "k-cores: the coreness of every vertex, by peeling", .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(kcore_state),
    .needs_symmetric = 1,
    .arrays = arrays,
    .alloc = kcore_alloc,
    .roots = roots,
    .root = kcore_root,
    .args = kcore_pack,
    .choose = kcore_choose,
    .start = kcore_start,
    .next = kcore_next,
    .report = kcore_report,
    .measure = kcore_measure,
    .answer = kcore_answer,
    .alike = kcore_alike,
    .moves = RD__MOVES,
    .check = kcore_check,
};
