/* SPDX-License-Identifier: Apache-2.0 */
/* kcore.c - coreness of every vertex, host side: one stage after another. kcore/kcore.k.c is the algorithm,
 * kcore/check.c the checker. */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/checker.h"
#include "apps/common/choose.h"

#include "gen/args/kcore.h"
#include "model/args.h"

RD__WORD_CHECKER(kcore);

typedef struct kcore_state {
    rd__buffer core, note;
    uint32_t simple; /* the graph has no loops and no parallel edges */
    /* of the last run */
    uint32_t level, deepest;
    uint64_t tasks; /* of all stages before this one */
} kcore_state;

static const rd__app_array arrays[] = {
    {.name = "degrees", .at = offsetof(kcore_state, core), .each = 4, .result = "core"},
    {.name = "note", .at = offsetof(kcore_state, note), .more = 4, .filled = 1},
    {0},
};

static uint32_t is_simple(const rd_csr *csr)
{
    for (uint32_t v = 0; v < csr->vertices; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (csr->col[e] == v || (e > csr->row[v] && csr->col[e] == csr->col[e - 1]))
                return 0;
    return 1;
}

static rd_status kcore_alloc(rd_job *job, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    (void)err;
    ((kcore_state *)job->state)->simple = is_simple(&csr);
    return RD_OK;
}

RD__ARGS(kcore_args, KCORE_ARGS)

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

static void kcore_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    (void)facts;
    choice->want = RD__ENGINE_ROUNDS;
    choice->reason = "the first stages are large, and rounds spread them evenly";
}

static rd_status kcore_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    kcore_state *kcore = job->state;
    kcore->level = kcore->deepest = 0;
    kcore->tasks = 0;
    seeds->kind = RD__SEEDS_WHERE;
    (void)err;
    return RD_OK;
}

/* The note was taken before the stage: it is right when the stage had no task. Else degrees have fallen since, and the
 * next k may be any; as long as vertices are left nobody has to wait for the note then, and most stages are such. */
static rd_status kcore_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    kcore_state *kcore = job->state;
    uint32_t note = 1;
    const int ran = report->tasks > kcore->tasks, left = report->tasks < rd_graph_csr(job->graph).vertices;
    if (!ran || !left)
        RD_TRY(rd__buffer_read(&kcore->note, 0, sizeof note, &note, err));
    if (ran)
        kcore->deepest = kcore->level;
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
    rd__measure(report, "highest_core", ((const kcore_state *)job->state)->deepest);
}

static rd_status kcore_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__kcore_check(&csr, result->word, err);
}

static void kcore_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)result;
    rd__snprintf(text, room, "the highest core is the %u-core", ((const kcore_state *)job->state)->deepest);
}

static int kcore_alike(const rd_job *job)
{
    (void)job;
    return 1;
}

const rd__app rd__app_kcore = {
    .info = {.name = "kcore", .text = "k-cores: the coreness of every vertex, by peeling", .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(kcore_state),
    .needs_symmetric = 1,
    .arrays = arrays,
    .alloc = kcore_alloc,
    .args = kcore_pack,
    .choose = kcore_choose,
    .start = kcore_start,
    .next = kcore_next,
    .report = kcore_report,
    .answer = kcore_answer,
    .alike = kcore_alike,
    .moves = RD__MOVES,
    .check = kcore_check,
};
