/* SPDX-License-Identifier: Apache-2.0 */
/* bfs.c - breadth-first search, host side: options, the mark array, one seed. bfs/bfs.k.c is the task, and again for
 * depths alone, bfs/take.k.c the one that is claimed late, bfs/check.c is the checker. */
#include "apps/common/answer.h"
#include "apps/bfs/check.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"
#include "apps/common/values.h"

#include "core/memory.h"
#include "gen/args/bfs.h"
#include "gen/args/bfs_parts.h"
#include "gen/args/bfs_take.h"
#include "model/args.h"
#include "sched/sched.h"

/* A look before each claim costs more than it saves below this mean degree, if no vertex has more edges than that. In
 * bfs.k.c too, for when it is an own file. */
enum { EAGER_DEGREE = 8, HUB_DEGREE = 1024 };

/* The words of option claim. */
enum { CLAIM_PUSH, CLAIM_TAKE, CLAIM_APART };

typedef struct bfs_state {
    uint32_t source, parents, leaves, claim; /* options */
    rd__buffer mark;
    rd__buffer pair; /* depth and parent, where tasks do not run in rounds */
    /* of the last run */
    uint32_t ran_source, ran_parents, ran_leaves;
    int ran_pairs;
} bfs_state;

static const rd_option_info info[] = {
    {"source", "VERTEX", NULL, "where to start (default: the vertex of highest degree, lowest id on a tie)", 'r'},
    {"parents", NULL, "0", "find each vertex's parent instead of its depth", 0},
    {"leaves", NULL, "0", "no tasks for leaves, vertices that lead nowhere but back", 0},
    {"claim", "push|take|apart", "push", "a vertex is claimed by who gives it, by its task, or in a round between", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "source", .kind = RD__OPTION_SOURCE, .at = offsetof(bfs_state, source)},
    {.key = "parents", .kind = RD__OPTION_FLAG, .at = offsetof(bfs_state, parents), .changes = RD__CHANGES_PROGRAM},
    {.key = "leaves", .kind = RD__OPTION_FLAG, .at = offsetof(bfs_state, leaves), .changes = RD__CHANGES_PROGRAM},
    {.key = "claim", .kind = RD__OPTION_CHOICE, .at = offsetof(bfs_state, claim), .changes = RD__CHANGES_PROGRAM},
    {0},
};

static uint32_t claim_of(const rd_job *job)
{
    return ((const bfs_state *)job->state)->claim;
}

static const char *const roots[] = {"bfs", "bfs_take", "bfs_apart", "bfs_depths", NULL}; /* as the words of claim */

/* Where kernels are not compiled for what is asked for, there are those for what is asked for most. */
static const char *bfs_root(const rd_job *job)
{
    const bfs_state *bfs = job->state;
    const int compiles = job->device && job->device->info.is_gpu;
    return !bfs->claim && !bfs->parents && !bfs->leaves && !compiles ? "bfs_depths" : roots[bfs->claim];
}

/* Parents without rounds need both words to change together. */
static int needs_pairs(const rd_job *job)
{
    return ((const bfs_state *)job->state)->parents && !rd__job_in_rounds(job) && !rd__job_in_parts(job);
}

static const rd__app_array arrays[] = {
    {.name = "mark", .at = offsetof(bfs_state, mark), .each = 4, .filled = 1, .first = RD_NONE, .result = "depth"},
    {.name = "depth and parent",
     .at = offsetof(bfs_state, pair),
     .each = 8,
     .filled = 1,
     .first = RD_NONE,
     .wanted = needs_pairs},
    {0},
};

static void bfs_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    const bfs_state *bfs = job->state;
    rd__choose_search(job, facts, choice);
    if (!bfs->claim && !bfs->parents)
        return;
    if (bfs->claim)
        choice->reason = "claims that are late are for rounds";
    else if (choice->avoid)
        choice->reason = "of several parents the first is it in rounds";
    choice->want = RD__ENGINE_ROUNDS;
    choice->avoid = 0;
}

/* What a round that pulls reaches is a task, leaves too: it does so with leaves only when told to. */
static void bfs_bind(rd_job *job, rd__sched_job *view)
{
    if (((const bfs_state *)job->state)->leaves && !rd__sched_option_is(view, "direction", "pull"))
        view->frontier.pulls = 0;
}

/* Depths are, parents are not: of several that will do, the first one is it in rounds. */
static int bfs_alike(const rd_job *job)
{
    return !((const bfs_state *)job->state)->parents && !claim_of(job);
}

RD__ARGS(bfs_args, BFS_ARGS)
RD__ARGS(take_args, BFS_TAKE_ARGS) /* bfs_apart is the same text */
RD__ARGS(part_args, BFS_PARTS_ARGS)

/* Vertices of fewer edges are leaves: where each edge has its reverse, the one edge is the one back. */
static uint32_t leaf_of(const rd_job *job)
{
    return !((const bfs_state *)job->state)->leaves ? 0 : rd_graph_is_symmetric(job->graph) ? 2 : 1;
}

/* A CPU's atomics cost more than its looks. So do a GPU's where all neighbours of a hub claim it: one word takes one
 * claim after another. */
static uint32_t is_eager(const rd_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return job->device && job->device->info.is_gpu && csr.edges < EAGER_DEGREE * (uint64_t)csr.vertices &&
           rd_graph_max_degree(job->graph) <= HUB_DEGREE;
}

static const char *bfs_constants(const rd_job *job)
{
    static const char *const text[] = {
        "-DBFS_PARENTS=0 -DBFS_LEAVES=0 -DBFS_EAGER=0", "-DBFS_PARENTS=1 -DBFS_LEAVES=0 -DBFS_EAGER=0",
        "-DBFS_PARENTS=0 -DBFS_LEAVES=1 -DBFS_EAGER=0", "-DBFS_PARENTS=1 -DBFS_LEAVES=1 -DBFS_EAGER=0",
        "-DBFS_PARENTS=0 -DBFS_LEAVES=0 -DBFS_EAGER=1", "-DBFS_PARENTS=1 -DBFS_LEAVES=0 -DBFS_EAGER=1",
        "-DBFS_PARENTS=0 -DBFS_LEAVES=1 -DBFS_EAGER=1", "-DBFS_PARENTS=1 -DBFS_LEAVES=1 -DBFS_EAGER=1",
    };
    const bfs_state *bfs = job->state;
    return rd__job_in_parts(job) || bfs->claim
               ? NULL
               : text[(bfs->parents ? 1 : 0) + (bfs->leaves ? 2 : 0) + (is_eager(job) ? 4 : 0)];
}

static uint32_t bfs_pack(rd_job *job, rd__arg *args)
{
    const bfs_state *bfs = job->state;
    const part_args part = {.depth = &bfs->mark, .owned = job->part.own, .beyond = job->part.limit};
    const take_args take = {.mark = &bfs->mark};
    if (rd__job_in_parts(job))
        return part_args_pack(&part, args);
    if (bfs->claim)
        return take_args_pack(&take, args);
    const bfs_args own = {.source = bfs->ran_source,
                          .mark = &bfs->mark,
                          .pair = bfs->pair.device ? &bfs->pair : &bfs->mark,
                          .row = &job->row,
                          .parents = bfs->parents,
                          .leaf = leaf_of(job)};
    return bfs_args_pack(&own, args);
}

static rd_status bfs_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    bfs_state *bfs = job->state;
    bfs->ran_source = rd__vertex_or_hub(job->graph, bfs->source);
    bfs->ran_parents = bfs->parents;
    bfs->ran_leaves = bfs->leaves;
    bfs->ran_pairs = needs_pairs(job);
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

static void bfs_report(rd_job *job, rd_report *report)
{
    (void)job;
    report->reached =
        report->tasks_needed; /* each vertex that is reached has to be a task once, but for leaves: below */
}

static void bfs_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    if (!((const bfs_state *)job->state)->ran_leaves)
        return;
    report->reached = 0;
    for (uint64_t v = 0; v < result->count; v++)
        report->reached += result->word[v] != RD_NONE;
    rd__measure(report, "leaves", (double)(report->reached - report->tasks_needed));
}

/* Parents are the lower halves of the pairs. */
static rd_status read_parents(rd_job *job, rd_error *err)
{
    const bfs_state *bfs = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    uint64_t *pair = NULL;
    RD_TRY(rd__arrays_keep(job, err));
    uint32_t *parent = job->copy;
    RD_TRY(rd__array_new(&pair, "depths and parents on the host", vertices, sizeof *pair, err));
    rd_status status = rd__buffer_read(&bfs->pair, 0, 8ull * vertices, pair, err);
    for (uint32_t v = 0; status == RD_OK && v < vertices; v++)
        parent[v] = (uint32_t)pair[v];
    rd__array_free(pair);
    return status;
}

static rd_status bfs_fetch(rd_job *job, rd_error *err)
{
    return ((const bfs_state *)job->state)->ran_pairs ? read_parents(job, err) : rd__arrays_read(job, err);
}

static void bfs_result(const rd_job *job, rd_result *result)
{
    if (((const bfs_state *)job->state)->ran_parents) {
        result->name = "parent";
        result->of_vertices = 1;
    }
}

static rd_status bfs_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const bfs_state *bfs = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return bfs->ran_parents ? rd__bfs_check_parents(&csr, bfs->ran_source, result->word, err)
                            : rd__bfs_check_depths(&csr, bfs->ran_source, result->word, err);
}

static void bfs_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    rd__answer_reached(result, ((const bfs_state *)job->state)->ran_parents ? NULL : "depth", text, room);
}

static rd_status bfs_validate(rd_job *job, rd_error *err)
{
    if (rd__job_in_parts(job) && ((const bfs_state *)job->state)->leaves)
        return rd__fail(err, RD_EARG, "bfs looks at no degrees on several ranks; leave out leaves");
    if (!claim_of(job))
        return RD_OK;
    const char *word = claim_of(job) == CLAIM_TAKE ? "take" : "apart";
    if (rd__job_in_parts(job))
        return rd__fail(err, RD_EARG, "bfs on several ranks claims before it gives: leave out claim");
    if (((const bfs_state *)job->state)->parents || ((const bfs_state *)job->state)->leaves)
        return rd__fail(err, RD_EARG,
                        "--claim %s: who claims a vertex does not know who gave it, nor looks at degrees before; leave "
                        "out parents and leaves",
                        word);
    if (!rd__engine_runs(job->engine, bfs_root(job)))
        return rd__fail(err, RD_EARG, "--claim %s is for rounds with a queue; leave out --sched", word);
    return RD_OK;
}

/* ---- Several ranks: depths as above, and parents from them ---- */

static rd__buffer *bfs_values(rd_job *job)
{
    return &((bfs_state *)job->state)->mark;
}

static uint32_t bfs_source(const rd_job *job)
{
    return ((const bfs_state *)job->state)->source;
}

static rd_status begin_part(rd_job *job, rd_error *err)
{
    bfs_state *bfs = job->state;
    bfs->ran_parents = bfs->parents;
    bfs->ran_leaves = 0;
    bfs->ran_pairs = 0;
    (void)err;
    return RD_OK;
}

static uint32_t *parents_of_part(rd_job *job)
{
    return ((const bfs_state *)job->state)->ran_parents ? job->copy : NULL;
}

static const rd__app_ranks in_parts = {.kind = RD__RANKS_LEAST,
                                       .root = "bfs_parts",
                                       .values = bfs_values,
                                       .source = bfs_source,
                                       .begin = begin_part,
                                       .parents = parents_of_part,
                                       .far = "depth"};

const rd__app rd__app_bfs = {
    .info = {.name = "bfs",
             .text = "breadth-first search: depth (or parent) of every vertex reachable from a source",
             .options = info,
             .input = RD_INPUT_GRAPH,
             .has_source = 1},
    .state_bytes = sizeof(bfs_state),
    .roots = roots,
    .root = bfs_root,
    .ranks = &in_parts,
    .validate = bfs_validate,
    .options = options,
    .arrays = arrays,
    .args = bfs_pack,
    .bind_input = bfs_bind,
    .constants = bfs_constants,
    .choose = bfs_choose,
    .alike = bfs_alike,
    .moves = RD__MOVES_LATE,
    .start = bfs_start,
    .report = bfs_report,
    .measure = bfs_measure,
    .fetch = bfs_fetch,
    .result = bfs_result,
    .answer = bfs_answer,
    .check = bfs_check,
};
