/* SPDX-License-Identifier: Apache-2.0 */
/* sssp.c - shortest paths from one source, host side: options, buffers, seed, result. */
#include "apps/choose.h"
#include "apps/sssp/check.h"
#include "apps/sssp/layout.k.h"
#include "apps/values.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <math.h>
#include <string.h>

enum { DELTA_SAMPLE = 1000, DELTA_WIDTH = 32 };

typedef struct sssp_state {
    uint32_t source; /* RD_NONE: the vertex of highest degree */
    uint32_t parents;
    uint32_t delta;              /* 0: the scheduler's choice */
    const rd_graph *known_sound; /* its weights were looked at */
    rd__buffer best, notes;
    /* of the last run */
    uint32_t ran_source, ran_parents;
    uint32_t *distance, *parent;
    uint64_t *packed;
    double download_s;
    int copied;
} sssp_state;

static const rd_option_info options[] = {
    {"source", "VERTEX", NULL, "where to start (default: the vertex of highest degree, lowest id on a tie)", 'r'},
    {"parents", NULL, "0", "find each vertex's parent on a shortest path instead of its distance", 0},
    {"delta", "N", "0", "of schedulers with buckets: distances in one bucket (default: from the weights)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* Near-far settles most vertices once. Its rounds are long, and those of a single launch meet at a barrier of all. */
static void sssp_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    (void)facts;
    choice->want = RD__ENGINE_ROUNDS;
    choice->launch = RD__DISCRETE;
    choice->reason = "the order of distances saves more work than rounds cost";
}

static void sssp_init(rd_job *job)
{
    ((sssp_state *)job->state)->source = RD_NONE;
}

static rd_status sssp_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    sssp_state *sssp = job->state;
    if (strcmp(key, "source") == 0)
        return rd__source_set(value, &sssp->source, err);
    if (strcmp(key, "delta") == 0)
        return rd__value_u32(key, value, 0, RD_NONE - 1, &sssp->delta, err);
    return rd__value_u32(key, value, 0, 1, &sssp->parents, err);
}

/* With an edge of negative weight a shortest path need not exist, and a wrong answer would look like a right one. */
static rd_status refuse_negative(const rd_csr *csr, rd_error *err)
{
    for (uint32_t u = 0; u < csr->vertices; u++)
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (csr->weight[e] < 0)
                return rd__fail(err, RD_EINPUT,
                                "sssp takes no negative weights: the edge from vertex %u to %u has weight %d", u,
                                csr->col[e], csr->weight[e]);
    return RD_OK;
}

static rd_status sssp_validate(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(rd__source_check(job, sssp->source, err));
    if (sssp->known_sound != job->graph)
        RD_TRY(refuse_negative(&csr, err));
    sssp->known_sound = job->graph;
    return RD_OK;
}

static void sssp_plan(const rd_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "distance and parent", 8ull * rd_graph_csr(job->graph).vertices, 0, 0);
    rd__plan_add(plan, "notes", 4 * SSSP_NOTE_WORDS, 0, 0);
}

static rd_status sssp_alloc(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&sssp->distance, "distances on the host", vertices, sizeof *sssp->distance, err));
    RD_TRY(rd__array_new(&sssp->parent, "parents on the host", vertices, sizeof *sssp->parent, err));
    RD_TRY(rd__array_new(&sssp->packed, "result on the host", vertices, sizeof *sssp->packed, err));
    RD_TRY(rd__buffer_alloc(job->device, &sssp->notes, "notes", 4 * SSSP_NOTE_WORDS, err));
    return rd__buffer_alloc(job->device, &sssp->best, "distance and parent", 8ull * vertices, err);
}

static void sssp_free(rd_job *job)
{
    sssp_state *sssp = job->state;
    rd__buffer_free(&sssp->best);
    rd__buffer_free(&sssp->notes);
    rd__array_free(sssp->distance);
    rd__array_free(sssp->parent);
    rd__array_free(sssp->packed);
    sssp->distance = sssp->parent = NULL;
    sssp->packed = NULL;
    sssp->known_sound = NULL;
}

/* Buckets. Too wide, and much is done twice; too narrow, and there are many phases. With d edges a vertex about d *
 * delta / (mean weight) of them lead into the bucket they come from, and a bucket takes about that many rounds.
 *
 * On GPUs a phase has to be long enough for all lanes, so that is a constant number of edges. A few cores are kept busy
 * by little and feel every edge that is looked at twice: narrower, and the more so the more edges the vertex at the end
 * of an edge has, since those are what is done again. */
static uint32_t delta_of(const rd_job *job)
{
    const sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    if (sssp->delta || !csr.edges || !csr.weight)
        return sssp->delta ? sssp->delta : 1;
    const uint64_t sample = csr.edges < DELTA_SAMPLE ? csr.edges : DELTA_SAMPLE, step = csr.edges / sample;
    uint64_t weights = 0, degrees = 0;
    for (uint64_t i = 0; i < sample; i++) {
        const uint32_t v = csr.col[i * step];
        weights += (uint64_t)(csr.weight[i * step] > 0 ? csr.weight[i * step] : 0);
        degrees += csr.row[v + 1] - csr.row[v];
    }
    const double weight = (double)weights / (double)sample + 1, degree = (double)degrees / (double)sample + 1;
    const int few_cores = job->device && job->device->caps.cores;
    const double delta = few_cores ? weight / sqrt(degree) : DELTA_WIDTH * weight * csr.vertices / (double)csr.edges;
    return delta < 1 ? 1 : delta > INT32_MAX ? INT32_MAX : (uint32_t)delta;
}

static uint32_t sssp_args(rd_job *job, rd__arg *args)
{
    sssp_state *sssp = job->state;
    args[0] = RD__BUFFER(&job->weight);
    args[1] = RD__BUFFER(&sssp->best); /* as distances */
    args[2] = RD__BUFFER(&sssp->best); /* as distances with parents */
    args[3] = RD__BUFFER(&sssp->notes);
    args[4] = RD__U32(sssp->parents);
    args[5] = RD__U32(delta_of(job));
    return 6;
}

static rd_status sssp_start(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err)
{
    sssp_state *sssp = job->state;
    sssp->copied = 0;
    sssp->ran_source = rd__source_vertex(job, sssp->source);
    sssp->ran_parents = sssp->parents;
    *seeds = 0;
    RD_TRY(rd__buffer_fill(&sssp->best, RD_NONE, err));
    RD_TRY(rd__buffer_fill(&sssp->notes, 0, err));
    if (sssp->ran_source == RD_NONE)
        return RD_OK; /* a graph without vertices */
    const uint32_t zero = 0;
    const uint64_t own_parent = sssp->ran_source;
    if (sssp->parents)
        RD_TRY(rd__buffer_write(&sssp->best, 8ull * sssp->ran_source, sizeof own_parent, &own_parent, err));
    else
        RD_TRY(rd__buffer_write(&sssp->best, 4ull * sssp->ran_source, sizeof zero, &zero, err));
    seed[(*seeds)++] = sssp->ran_source;
    return RD_OK;
}

static rd_status download(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (sssp->copied)
        return RD_OK;
    const double began = rd_now();
    if (sssp->ran_parents) {
        RD_TRY(rd__buffer_read(&sssp->best, 0, 8ull * vertices, sssp->packed, err));
        for (uint32_t v = 0; v < vertices; v++) {
            sssp->distance[v] = (uint32_t)(sssp->packed[v] >> 32);
            sssp->parent[v] = (uint32_t)sssp->packed[v];
        }
    } else {
        RD_TRY(rd__buffer_read(&sssp->best, 0, 4ull * vertices, sssp->distance, err));
    }
    sssp->download_s = rd_now() - began;
    sssp->copied = 1;
    return RD_OK;
}

/* Some way was too long for 32 bits. That matters only when there is no shorter one. */
static rd_status sssp_finish(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    uint32_t note[SSSP_NOTE_WORDS];
    RD_TRY(rd__buffer_read(&sssp->notes, 0, sizeof note, note, err));
    if (!note[SSSP_OVERFLOW])
        return RD_OK;
    RD_TRY(download(job, err));
    for (uint32_t u = 0; u < csr.vertices; u++)
        for (uint64_t e = csr.row[u]; sssp->distance[u] != RD_NONE && e < csr.row[u + 1]; e++)
            if (sssp->distance[csr.col[e]] == RD_NONE)
                return rd__fail(err, RD_EINPUT,
                                "the distance of vertex %u does not fit 32 bits (at most %u); use smaller weights",
                                csr.col[e], RD_NONE - 1);
    return RD_OK;
}

static void sssp_report(const rd_job *job, rd_report *report)
{
    (void)job;
    report->reached = report->tasks_needed; /* each vertex that is reached has to be a task once */
    if (report->reached)
        rd__measure(report, "corrections_per_vertex",
                    (double)(report->tasks - report->tasks_needed) / (double)report->reached);
}

static rd_status sssp_result(rd_job *job, rd_result *result, rd_error *err)
{
    sssp_state *sssp = job->state;
    RD_TRY(download(job, err));
    *result = (rd_result){.name = sssp->ran_parents ? "parent" : "distance",
                          .word = sssp->ran_parents ? sssp->parent : sssp->distance,
                          .count = rd_graph_csr(job->graph).vertices,
                          .download_s = sssp->download_s};
    return RD_OK;
}

static rd_status sssp_check(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(download(job, err));
    RD_TRY(rd__sssp_check_distances(&csr, sssp->ran_source, sssp->distance, err));
    return sssp->ran_parents ? rd__sssp_check_parents(&csr, sssp->ran_source, sssp->distance, sssp->parent, err)
                             : RD_OK;
}

const rd__app rd__app_sssp = {
    .info = {.name = "sssp",
             .text = "shortest paths: distance (or parent) of every vertex reachable from a source, by edge weights",
             .options = options,
             .input = RD_INPUT_WEIGHTED,
             .has_source = 1},
    .state_bytes = sizeof(sssp_state),
    .init = sssp_init,
    .set = sssp_set,
    .validate = sssp_validate,
    .plan = sssp_plan,
    .alloc = sssp_alloc,
    .free = sssp_free,
    .args = sssp_args,
    .choose = sssp_choose,
    .start = sssp_start,
    .finish = sssp_finish,
    .report = sssp_report,
    .result = sssp_result,
    .check = sssp_check,
};
