/* SPDX-License-Identifier: Apache-2.0 */
/* tc.c - triangle counting, host side. tc/tc.k.c is the algorithm, tc/check.c the checker. */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/checker.h"
#include "apps/common/choose.h"
#include "apps/tc/layout.k.h"

#include "gen/args/tc.h"
#include "graph/graph.h"
#include "model/args.h"

rd_status rd__tc_count(const rd_csr *csr, uint64_t *triangles, rd_error *err);

typedef struct tc_state {
    rd__buffer chunk, part, span, from, to, bits, found;
    uint64_t triangles;
    const rd_graph *known; /* the checker's answer for this graph */
    uint64_t right;
} tc_state;

static const rd__app_array arrays[] = {
    {.name = "kept rows", .at = offsetof(tc_state, span), .each = 8},
    {.name = "pieces of a sum", .at = offsetof(tc_state, part), .more = 4 * TC_PARTS},
    {.name = "triangles", .at = offsetof(tc_state, found), .more = 8 * TC_SLOTS, .filled = 1},
    {0},
};

/* Each edge is there twice, but for loops. */
static uint64_t most_kept(const rd_csr *csr)
{
    return csr->edges / 2 + 1;
}

static int on_cores(const rd_job *job)
{
    return job->device && job->device->caps.cores;
}

static uint32_t chunk_of(const rd_job *job)
{
    return on_cores(job) ? TC_CORE_CHUNK : TC_LANE_CHUNK;
}

static uint64_t chunks_of(const rd_job *job, const rd_csr *csr)
{
    return (csr->edges + chunk_of(job) - 1) / chunk_of(job);
}

/* Neighbours of v with lower numbers; rows ascend. */
static uint64_t lower_of(const rd_csr *csr, uint32_t v)
{
    uint64_t low = csr->row[v], high = csr->row[v + 1ull];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (csr->col[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low - csr->row[v];
}

/* How many vertices the rows of u and v have in common. */
static uint64_t common_of(const rd_csr *csr, uint32_t u, uint32_t v)
{
    uint64_t i = csr->row[u], j = csr->row[v], count = 0;
    while (i < csr->row[u + 1ull] && j < csr->row[v + 1ull]) {
        const uint32_t x = csr->col[i], y = csr->col[j];
        count += x == y;
        i += x <= y;
        j += y <= x;
    }
    return count;
}

/* Are rows about as long as each other, not very long, and like those of their neighbours? By a look at some. Among
 * neighbours at random a bitmap in the graph as it is takes up to 1.2 of the time that the order by degrees does. */
static int is_even(const rd_csr *csr, uint64_t most)
{
    enum { LOOKS = 16, ALIKE = 16 };
    uint64_t common = 0, edges = 0;
    if (most > TC_EVEN_MOST || 8 * most * csr->vertices > 9 * csr->edges)
        return 0;
    for (uint64_t i = 0; i < LOOKS; i++) {
        const uint32_t v = (uint32_t)(csr->vertices * i / LOOKS);
        if (csr->row[v] == csr->row[v + 1ull])
            continue;
        common += common_of(csr, v, csr->col[csr->row[v]]);
        edges += csr->row[v + 1ull] - csr->row[v];
    }
    return common * ALIKE >= edges;
}

/* A core takes such a graph as it is: one without hubs, or one with hardly more edges than a forest, but not with a hub
 * that looks at most of them by itself. */
static uint32_t flat_of(const rd_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint64_t most = rd_graph_max_degree(job->graph);
    const int sparse = csr.vertices && csr.edges / 2 <= csr.vertices + csr.vertices / 8;
    if (!on_cores(job))
        return 0;
    if (most <= TC_FLAT && csr.edges / TC_FLAT_MEAN <= csr.vertices)
        return TC_SPARSE;
    if (most <= TC_FLAT || !sparse)
        return is_even(&csr, most) ? TC_EVEN : 0;
    return lower_of(&csr, rd_graph_hub(job->graph)) <= TC_FLAT ? TC_HUBS : 0;
}

/* Do cores keep edges without sums? Then what is kept takes as many places as the graph has edges, whose numbers are of
 * 32 bits. */
static int is_once(const rd_job *job)
{
    return on_cores(job) && rd_graph_csr(job->graph).edges <= UINT32_MAX;
}

static uint32_t words_of(const rd_csr *csr)
{
    return csr->vertices / 32 + 1;
}

/* One bitmap a core; elsewhere none is used. */
static uint32_t maps_of(const rd_job *job)
{
    return on_cores(job) ? job->device->info.compute_units : 1;
}

/* The buffers whose size is not a number of bytes for each vertex. */
static void sizes_of(const rd_job *job, uint64_t bytes[4])
{
    const rd_csr csr = rd_graph_csr(job->graph);
    bytes[0] = 4 * (chunks_of(job, &csr) + 1);
    bytes[1] = 4 * (on_cores(job) ? csr.vertices + 1ull : most_kept(&csr));
    bytes[2] = is_once(job) ? 4 * (csr.edges + 1) : 4 * most_kept(&csr);
    bytes[3] = 4ull * maps_of(job) * words_of(&csr);
    const uint32_t flat = flat_of(job);
    for (int i = 0; i < (flat == TC_EVEN ? 3 : 4) && flat; i++)
        bytes[i] = 8; /* nothing is kept; an argument has to be some buffer */
}

static const char *const names[4] = {"kept edges of chunks", "sources of kept edges, or where vertices were left",
                                     "kept edges", "bitmaps"};

static void tc_plan(const rd_job *job, rd_plan *plan)
{
    uint64_t bytes[4];
    sizes_of(job, bytes);
    for (int i = 0; i < 4; i++)
        rd__plan_add(plan, names[i], bytes[i], 0, 0);
}

/* What a run leaves as it found it, unless it was stopped. */
static rd_status clear(rd_job *job, rd_error *err)
{
    tc_state *tc = job->state;
    if (on_cores(job))
        RD_TRY(rd__buffer_fill(&tc->from, 0, err));
    return rd__buffer_fill(&tc->bits, 0, err);
}

static rd_status tc_alloc(rd_job *job, rd_error *err)
{
    tc_state *tc = job->state;
    rd__buffer *const buffer[4] = {&tc->chunk, &tc->from, &tc->to, &tc->bits};
    uint64_t bytes[4];
    sizes_of(job, bytes);
    for (int i = 0; i < 4; i++)
        RD_TRY(rd__buffer_alloc(job->device, buffer[i], names[i], bytes[i], err));
    return clear(job, err);
}

static void tc_free(rd_job *job)
{
    tc_state *tc = job->state;
    rd__buffer_free(&tc->chunk);
    rd__buffer_free(&tc->from);
    rd__buffer_free(&tc->to);
    rd__buffer_free(&tc->bits);
    tc->known = NULL;
}

static rd_status tc_validate(rd_job *job, rd_error *err)
{
    if (job->graph->shuffled)
        return rd__fail(err, RD_EARG, "tc needs rows that ascend; leave out shuffle-rows");
    if (job->graph->edges / 2 >= UINT32_MAX)
        return rd__fail(err, RD_EINPUT, "tc takes graphs of up to 2^33 edges, counted at both ends; this one has %llu",
                        (unsigned long long)job->graph->edges);
    return RD_OK;
}

RD__ARGS(tc_args, TC_ARGS)

static uint32_t tc_pack(rd_job *job, rd__arg *args)
{
    const tc_state *tc = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const tc_args own = {.tc_chunk = &tc->chunk,
                         .tc_part = &tc->part,
                         .tc_span = &tc->span,
                         .tc_from = &tc->from,
                         .tc_to = &tc->to,
                         .tc_bits = &tc->bits,
                         .tc_found = &tc->found,
                         .tc_chunks = (uint32_t)chunks_of(job, &csr),
                         .tc_size = chunk_of(job),
                         .tc_flat = flat_of(job),
                         .tc_once = (uint32_t)is_once(job),
                         .tc_edges = csr.edges,
                         .tc_words = words_of(&csr),
                         .tc_maps = maps_of(job)};
    return tc_args_pack(&own, args);
}

static rd_status tc_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    (void)seeds;
    return job->has_run ? clear(job, err) : RD_OK;
}

static rd_status tc_fetch(rd_job *job, rd_error *err)
{
    tc_state *tc = job->state;
    uint64_t found[TC_SLOTS];
    RD_TRY(rd__buffer_read(&tc->found, 0, sizeof found, found, err));
    tc->triangles = 0;
    for (uint32_t i = 0; i < TC_SLOTS; i++)
        tc->triangles += found[i];
    return RD_OK;
}

static void tc_report(rd_job *job, rd_report *report)
{
    report->reached = rd_graph_csr(job->graph).vertices;
}

static void tc_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    (void)job;
    rd__measure(report, "triangles", (double)*result->wide);
}

static void tc_result(const rd_job *job, rd_result *result)
{
    *result = (rd_result){.name = "triangles",
                          .kind = RD_RESULT_U64,
                          .wide = &((const tc_state *)job->state)->triangles,
                          .count = 1,
                          .download_s = job->download_s};
}

static rd_status tc_check(rd_job *job, const rd_result *result, rd_error *err)
{
    tc_state *tc = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    if (tc->known != job->graph)
        RD_TRY(rd__tc_count(&csr, &tc->right, err));
    tc->known = job->graph;
    if (*result->wide == tc->right)
        return RD_OK;
    return rd__fail(err, RD_EWRONG, "tc: the graph has %llu triangles, and the result says %llu",
                    (unsigned long long)tc->right, (unsigned long long)*result->wide);
}

static void tc_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)job;
    rd__snprintf(text, room, "%llu triangle%s", (unsigned long long)*result->wide, *result->wide == 1 ? "" : "s");
}

/* Its steps are few, and all but the last are short: a kernel that has that one alone keeps more groups resident than
 * one for all of them. */
static void tc_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    choice->launch = facts->is_gpu ? RD__DISCRETE : RD__ANY_LAUNCH;
    choice->reason = facts->is_gpu ? "a few steps, of which one is long" : "the first one of this app";
}

const rd__app rd__app_tc = {
    .info = {.name = "tc",
             .text = "triangle counting: how many sets of three vertices are all neighbours of one another",
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(tc_state),
    .all_seeds = 1,
    .needs_symmetric = 1,
    .arrays = arrays,
    .validate = tc_validate,
    .plan = tc_plan,
    .alloc = tc_alloc,
    .free = tc_free,
    .args = tc_pack,
    .choose = tc_choose,
    .start = tc_start,
    .report = tc_report,
    .measure = tc_measure,
    .fetch = tc_fetch,
    .result = tc_result,
    .answer = tc_answer,
    .check = tc_check,
};
