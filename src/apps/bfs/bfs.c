/* SPDX-License-Identifier: Apache-2.0 */
/* bfs.c - breadth-first search, host side: options, the mark array, one seed. bfs/bfs.k.c is the task, bfs/check.c the
 * checker. */
#include "apps/bfs/check.h"
#include "apps/choose.h"
#include "apps/values.h"

#include "core/memory.h"
#include "gen/args/bfs.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

enum { EAGER_DEGREE = 8 }; /* mean degree below which a look before each claim costs more than it saves */

typedef struct bfs_state {
    uint32_t source; /* RD_NONE: the vertex of highest degree */
    uint32_t parents;
    rd__buffer mark;
    rd__buffer pair; /* depth and parent, where tasks do not run in rounds; made by the first run that needs it */
    /* of the last run */
    uint32_t ran_source, ran_parents;
    uint32_t *copy;
    int ran_pairs;
    double download_s;
    int copied;
} bfs_state;

static const rd_option_info options[] = {
    {"source", "VERTEX", NULL, "where to start (default: the vertex of highest degree, lowest id on a tie)", 'r'},
    {"parents", NULL, "0", "find each vertex's parent instead of its depth", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static void bfs_init(rd_job *job)
{
    ((bfs_state *)job->state)->source = RD_NONE;
}

static rd_status bfs_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    bfs_state *bfs = job->state;
    return strcmp(key, "source") == 0 ? rd__source_set(value, &bfs->source, err)
                                      : rd__value_u32(key, value, 0, 1, &bfs->parents, err);
}

/* On a GPU, levels of a deep graph are shorter than the barrier between them. */
static void bfs_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    const bfs_state *bfs = job->state;
    const int deep = (facts->is_gpu || facts->is_cpu) && facts->is_deep && !bfs->parents;
    choice->want = deep ? 0 : RD__ENGINE_ROUNDS;
    choice->avoid = deep ? RD__ENGINE_ROUNDS : 0;
    choice->reason = deep             ? "the graph is deep, so rounds would be short and many"
                     : facts->is_deep ? "rounds cost little here, and no task is run twice"
                                      : "rounds are few and long enough";
}

/* Parents without rounds need both words to change together. */
static int needs_pairs(const rd_job *job)
{
    return ((const bfs_state *)job->state)->parents && !rd__job_in_rounds(job);
}

static rd_status bfs_validate(rd_job *job, rd_error *err)
{
    return rd__source_check(job, ((const bfs_state *)job->state)->source, err);
}

static void bfs_plan(const rd_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "mark", 4ull * rd_graph_csr(job->graph).vertices, 0, 0);
    if (needs_pairs(job))
        rd__plan_add(plan, "depth and parent", 8ull * rd_graph_csr(job->graph).vertices, 0, 0);
}

static rd_status bfs_alloc(rd_job *job, rd_error *err)
{
    bfs_state *bfs = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&bfs->copy, "result on the host", vertices, sizeof *bfs->copy, err));
    return rd__buffer_alloc(job->device, &bfs->mark, "mark", 4ull * vertices, err);
}

static void bfs_free(rd_job *job)
{
    bfs_state *bfs = job->state;
    rd__buffer_free(&bfs->mark);
    rd__buffer_free(&bfs->pair);
    rd__array_free(bfs->copy);
    bfs->copy = NULL;
}

RD__ARGS(bfs_args, BFS_ARGS)

static uint32_t bfs_pack(rd_job *job, rd__arg *args)
{
    const bfs_state *bfs = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    /* A CPU's atomics cost more than its looks. */
    const int eager = job->device && job->device->info.is_gpu && csr.edges < EAGER_DEGREE * (uint64_t)csr.vertices;
    const bfs_args own = {.mark = &bfs->mark,
                          .pair = bfs->pair.device ? &bfs->pair : &bfs->mark,
                          .parents = bfs->parents,
                          .eager = (uint32_t)eager};
    return bfs_args_pack(&own, args);
}

static rd_status bfs_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bfs_state *bfs = job->state;
    bfs->copied = 0;
    bfs->ran_source = rd__source_vertex(job, bfs->source);
    bfs->ran_parents = bfs->parents;
    RD_TRY(rd__buffer_fill(&bfs->mark, RD_NONE, err));
    bfs->ran_pairs = needs_pairs(job);
    if (bfs->ran_pairs && !bfs->pair.device)
        RD_TRY(rd__buffer_alloc(job->device, &bfs->pair, "depth and parent", 8ull * rd_graph_csr(job->graph).vertices,
                                err));
    if (bfs->ran_pairs)
        RD_TRY(rd__buffer_fill(&bfs->pair, RD_NONE, err));
    if (bfs->ran_source == RD_NONE)
        return RD_OK; /* a graph without vertices */
    const uint32_t mark = bfs->parents ? bfs->ran_source : 0;
    const uint64_t pair = bfs->ran_source; /* depth 0, its own parent */
    if (bfs->ran_pairs)
        RD_TRY(rd__buffer_write(&bfs->pair, 8ull * bfs->ran_source, sizeof pair, &pair, err));
    RD_TRY(rd__buffer_write(&bfs->mark, 4ull * bfs->ran_source, sizeof mark, &mark, err));
    rd__seeds_one(seeds, bfs->ran_source);
    return RD_OK;
}

static void bfs_report(const rd_job *job, rd_report *report)
{
    (void)job;
    report->reached = report->tasks_needed; /* each vertex that is reached has to be a task once */
}

/* Parents are the lower halves of the pairs. */
static rd_status read_parents(bfs_state *bfs, uint32_t vertices, rd_error *err)
{
    uint64_t *pair = NULL;
    RD_TRY(rd__array_new(&pair, "depths and parents on the host", vertices, sizeof *pair, err));
    rd_status status = rd__buffer_read(&bfs->pair, 0, 8ull * vertices, pair, err);
    for (uint32_t v = 0; status == RD_OK && v < vertices; v++)
        bfs->copy[v] = (uint32_t)pair[v];
    rd__array_free(pair);
    return status;
}

static rd_status bfs_result(rd_job *job, rd_result *result, rd_error *err)
{
    bfs_state *bfs = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (!bfs->copied) {
        double began = rd_now();
        RD_TRY(bfs->ran_pairs ? read_parents(bfs, vertices, err)
                              : rd__buffer_read(&bfs->mark, 0, 4ull * vertices, bfs->copy, err));
        bfs->download_s = rd_now() - began;
        bfs->copied = 1;
    }
    *result = (rd_result){.name = bfs->ran_parents ? "parent" : "depth",
                          .word = bfs->copy,
                          .count = vertices,
                          .download_s = bfs->download_s};
    return RD_OK;
}

static rd_status bfs_check(rd_job *job, rd_error *err)
{
    bfs_state *bfs = job->state;
    rd_result result;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(bfs_result(job, &result, err));
    return bfs->ran_parents ? rd__bfs_check_parents(&csr, bfs->ran_source, result.word, err)
                            : rd__bfs_check_depths(&csr, bfs->ran_source, result.word, err);
}

const rd__app rd__app_bfs = {
    .info = {.name = "bfs",
             .text = "breadth-first search: depth (or parent) of every vertex reachable from a source",
             .options = options,
             .input = RD_INPUT_GRAPH,
             .has_source = 1},
    .state_bytes = sizeof(bfs_state),
    .init = bfs_init,
    .set = bfs_set,
    .validate = bfs_validate,
    .plan = bfs_plan,
    .alloc = bfs_alloc,
    .free = bfs_free,
    .args = bfs_pack,
    .choose = bfs_choose,
    .start = bfs_start,
    .report = bfs_report,
    .result = bfs_result,
    .check = bfs_check,
};
