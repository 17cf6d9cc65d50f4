/* SPDX-License-Identifier: Apache-2.0 */
/* sssp.c - shortest paths from one source, host side: options, buffers, seed, result. Of real weights distances are the
 * bits of floats all along, but for the result. */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"
#include "apps/common/values.h"
#include "apps/sssp/check.h"
#include "apps/sssp/layout.k.h"
#include "apps/sssp/negative.h"
#include "apps/sssp/shape.h"
#include "graph/part/part.h"

#include "gen/args/sssp.h"
#include "gen/args/sssp_parts.h"
#include "gen/args/sssp_signed.h"
#include "model/args.h"

#include <float.h>
#include <math.h>

enum { DELTA_SAMPLE = 1000, HUBS = 4, DELTA_WIDTH = 32, BUSHY = 256 /* vertices of a level */ };
#define SIGNED_ZERO 0x80000000u

typedef struct sssp_state {
    uint32_t source, parents, delta; /* options */
    const rd_graph *known_sound;     /* its weights were looked at, */
    uint32_t negative;               /* and some are negative */
    const rd_graph *looked_at;       /* what its shape is of, */
    uint32_t looked_from;            /* and from where */
    rd__sssp_shape shape;
    rd__buffer best, notes;
    /* of the last run */
    uint32_t note[SSSP_NOTE_WORDS], noted; /* notes as they were after it, and whether they were read */
    uint32_t ran_source, ran_parents, ran_real, ran_signed;
    uint32_t *distance, *parent;
    const uint32_t *found; /* distances of the last run: these, or where they are in the memory of a CPU */
    double *signed_length; /* likewise, of negative weights; infinite: not reached */
    float *length;         /* distances as floats, of real weights; infinite: not reached */
    uint64_t *packed;
} sssp_state;

static const rd_option_info info[] = {
    {"source", "VERTEX", NULL, "where to start (default: the vertex of highest degree, lowest id on a tie)", 'r'},
    {"parents", NULL, "0", "find each vertex's parent on a shortest path instead of its distance", 0},
    {"delta", "N", "0", "in rounds: distances in one bucket (default: from the weights)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static const rd__app_option options[] = {
    {.key = "source", .kind = RD__OPTION_SOURCE, .at = offsetof(sssp_state, source)},
    {.key = "parents", .kind = RD__OPTION_FLAG, .at = offsetof(sssp_state, parents)},
    {.key = "delta", .kind = RD__OPTION_U32, .at = offsetof(sssp_state, delta), .most = RD_NONE - 1, .of_rounds = 1},
    {0},
};
static int is_real(const rd_job *job)
{
    return rd_graph_has_real_weights(job->graph);
}

static int is_signed(const rd_job *job)
{
    const sssp_state *sssp = job->state;
    return sssp->negative && sssp->known_sound == job->graph;
}

static const rd__app_array arrays[] = {
    {.name = "distance and parent", .at = offsetof(sssp_state, best), .each = 8, .filled = 1, .first = RD_NONE},
    {.name = "notes", .at = offsetof(sssp_state, notes), .more = 4 * SSSP_NOTE_WORDS, .filled = 1},
    {.name = "distances on the host", .at = offsetof(sssp_state, distance), .each = 4, .on_host = 1},
    {.name = "parents on the host", .at = offsetof(sssp_state, parent), .each = 4, .on_host = 1},
    {.name = "real distances on the host",
     .at = offsetof(sssp_state, length),
     .each = 4,
     .on_host = 1,
     .wanted = is_real},
    {.name = "signed distances on the host",
     .at = offsetof(sssp_state, signed_length),
     .each = 8,
     .on_host = 1,
     .wanted = is_signed},
    {.name = "result on the host", .at = offsetof(sssp_state, packed), .each = 8, .on_host = 1},
    {0},
};

/* Distances are; of several parents that will do, which one it is may depend on the order. */
static int sssp_alike(const rd_job *job)
{
    return !((const sssp_state *)job->state)->parents;
}

static const char *const roots[] = {"sssp", "sssp_real", "sssp_signed", NULL};

static const char *sssp_root(const rd_job *job)
{
    return is_signed(job) ? "sssp_signed" : is_real(job) ? "sssp_real" : "sssp";
}

/* What the file calls a vertex, of a part too. */
static unsigned long long name_of(const rd_graph *graph, uint32_t v)
{
    return rd_graph_name(graph, graph->part ? rd__part_number(graph->part, v) : v);
}

/* Real weights that are negative are refused: sums are rounded, so going round a cycle of positive weight might seem to
 * shorten a way. Words of floats that are infinite or no numbers are above all others. */
static rd_status look_at_weights(const rd_graph *graph, int real, uint32_t *negative, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(graph);
    const int32_t most = real ? 0x7f7fffff : INT32_MAX;
    *negative = 0;
    for (uint32_t u = 0; u < csr.vertices; u++)
        for (uint64_t e = csr.row[u]; e < csr.row[u + 1]; e++) {
            *negative |= csr.weight[e] < 0;
            if (real && (csr.weight[e] < 0 || csr.weight[e] > most))
                return rd__fail(
                    err, RD_EINPUT,
                    "sssp takes no negative weights that are real: the edge from vertex %llu to %llu has weight "
                    "%.10g; --round-weights makes them whole",
                    name_of(graph, u), name_of(graph, csr.col[e]), (double)rd_weight_real(csr.weight[e]));
        }
    return RD_OK;
}

static rd_status sssp_validate(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    if (sssp->known_sound != job->graph)
        RD_TRY(look_at_weights(job->graph, is_real(job), &sssp->negative, err));
    sssp->known_sound = job->graph;
    if (rd__job_in_parts(job) && sssp->negative)
        return rd__fail(err, RD_EINPUT, "sssp takes no negative weights on several ranks");
    return RD_OK;
}

static void sssp_free(rd_job *job)
{
    sssp_state *sssp = job->state;
    sssp->known_sound = sssp->looked_at = NULL; /* another graph may come to lie there */
}

/* Looked at once for a graph and a source. */
static rd__sssp_shape shape_of(const rd_job *job)
{
    sssp_state *sssp = job->state;
    const uint32_t source = rd__vertex_or_hub(job->graph, sssp->source);
    if (sssp->looked_at != job->graph || sssp->looked_from != source)
        sssp->shape = rd__sssp_look(job->graph, source);
    sssp->looked_at = job->graph;
    sssp->looked_from = source;
    return sssp->shape;
}

/* A forest whose levels are wide, or one of them has half of what there is: nothing is done twice in whatever order,
 * and cores need not meet. Of a narrow one a core runs what it finds in rounds too, and sooner. */
static int is_bushy(const rd_job *job, const rd__facts *facts)
{
    const sssp_state *sssp = job->state;
    const int wide = facts->width >= BUSHY || (facts->is_small && 2 * facts->widest >= facts->sampled);
    return facts->is_cpu && job->device->caps.cores && job->graph && wide && !sssp->delta && !rd__job_in_parts(job) &&
           shape_of(job).forest;
}

/* Near-far settles most vertices once. On a GPU its rounds are long, and those of a single launch meet at a barrier of
 * all; where the device repeats launches nobody waits for the host either. But chains behind hubs, as in web crawls,
 * have long sequences of short rounds. Where nobody but the host repeats launches (OpenCL) each costs as much as many
 * barriers, and pays only in rounds that are long: of large graphs, the sooner the more unlike vertices are; and of
 * roads, which groups search ahead of rounds. */
static int pays_the_host(const rd__facts *facts)
{
    enum { ROAD = 4 }; /* mean degree */
    const uint64_t large = facts->is_skewed ? 1u << 22 : 1u << 24;
    return facts->mean_degree <= ROAD || facts->edges > large;
}

static void sssp_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    enum { SPARSE = 12 };
    const int bushy = is_bushy(job, facts);
    const int narrow = (facts->is_skewed && facts->mean_degree <= SPARSE) || facts->is_thin || facts->is_small;
    const int one_launch = facts->is_cpu || (facts->is_gpu && (narrow || !(facts->loops || pays_the_host(facts))));
    choice->want = bushy ? 0 : RD__ENGINE_ROUNDS;
    choice->avoid = bushy ? RD__ENGINE_ROUNDS : 0;
    choice->launch = one_launch ? RD__ANY_LAUNCH : facts->loops ? RD__GRAPH : RD__DISCRETE;
    choice->reason = bushy ? "the graph is a forest, where no order saves work, and its levels are wide"
                           : "the order of distances saves more work than rounds cost";
}

/* Buckets. Too wide, and much is done twice; too narrow, and there are many phases. With d edges a vertex about d *
 * delta / (mean weight) of them lead into the bucket they come from, and a bucket takes about that many rounds.
 *
 * On GPUs a phase has to be long enough for all lanes, so that is a constant number of edges, or more. A few cores are
 * kept busy by little and feel every edge that is looked at twice: narrower, and the more so the more edges the vertex
 * at the end of an edge has, since those are what is done again. A few hubs at the end of half of all edges do not make
 * the others dear, so no more than HUBS times the geometric mean. In a forest nothing is done twice, and on cores one
 * bucket for all is the best: phases would only cost. */
static double delta_of(const rd_job *job)
{
    const sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const int real = is_real(job);
    if (sssp->delta || !csr.edges || !csr.weight)
        return sssp->delta ? sssp->delta : 1;
    const int few_cores = job->device && job->device->caps.cores;
    if (few_cores && !rd__job_in_parts(job) && shape_of(job).forest)
        return 1e30;
    const uint64_t sample = csr.edges < DELTA_SAMPLE ? csr.edges : DELTA_SAMPLE, step = csr.edges / sample;
    double weights = 0, degrees = 0, logs = 0;
    for (uint64_t i = 0; i < sample; i++) {
        const uint32_t v = csr.col[i * step];
        const int32_t word = csr.weight[i * step] > 0 ? csr.weight[i * step] : 0;
        weights += real ? (double)rd_weight_real(word) : word;
        degrees += (double)(csr.row[v + 1] - csr.row[v]);
        logs += log1p((double)(csr.row[v + 1] - csr.row[v]));
    }
    const double weight = weights / (double)sample + !real, usual = HUBS * exp(logs / (double)sample);
    const double mean = degrees / (double)sample + 1, degree = mean < usual ? mean : usual;
    if (few_cores)
        return weight / sqrt(degree);
    const double delta = DELTA_WIDTH * weight * csr.vertices / (double)csr.edges;
    const uint32_t lanes = job->device ? job->device->info.resident_lanes : 0;
    return rd__job_in_parts(job) ? delta : delta * rd__sssp_widening(shape_of(job).width, lanes);
}

/* As the kernels want it: 2^32 over it; of real weights one over it, as bits. */
static uint32_t delta_word(const rd_job *job)
{
    const double delta = delta_of(job), whole = delta < 1 ? 0x1p32 : 0x1p32 / floor(delta);
    if (!is_real(job))
        return whole > UINT32_MAX ? UINT32_MAX : (uint32_t)whole;
    const double inverse = delta > 1e-30 ? 1 / delta : 1e30;
    return (uint32_t)rd_weight_word((float)(inverse < 1e-30 ? 1e-30 : inverse));
}

RD__ARGS(sssp_args, SSSP_ARGS) /* sssp_real is the same text */
RD__ARGS(signed_args, SSSP_SIGNED_ARGS)
RD__ARGS(part_args, SSSP_PARTS_ARGS)

static uint32_t sssp_pack(rd_job *job, rd__arg *args)
{
    const sssp_state *sssp = job->state;
    const part_args part = {.weight = &job->weight,
                            .distance = &sssp->best,
                            .notes = &sssp->notes,
                            .owned = job->part.own,
                            .beyond = job->part.limit,
                            .real = (uint32_t)is_real(job)};
    if (rd__job_in_parts(job))
        return part_args_pack(&part, args);
    const signed_args negative = {.weight = &job->weight,
                                  .best = &sssp->best,
                                  .notes = &sssp->notes,
                                  .sssp_vertices = rd_graph_csr(job->graph).vertices};
    if (is_signed(job))
        return signed_args_pack(&negative, args);
    const sssp_args own = {.weight = &job->weight,
                           .distance = &sssp->best, /* the same memory, */
                           .best = &sssp->best,     /* with parents or without */
                           .notes = &sssp->notes,
                           .parents = sssp->parents,
                           .delta = delta_word(job)};
    return sssp_args_pack(&own, args);
}

static void sssp_bind(rd_job *job, rd__sched_job *view)
{
    sssp_state *sssp = job->state;
    if (!rd__job_in_parts(job)) /* where the host writes notes too */
        view->note = (rd__note){&sssp->notes, sizeof sssp->note, sssp->note, &sssp->noted};
}

static rd_status sssp_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    sssp_state *sssp = job->state;
    sssp->noted = 0;
    sssp->ran_source = rd__vertex_or_hub(job->graph, sssp->source);
    sssp->ran_parents = sssp->parents;
    sssp->ran_real = (uint32_t)is_real(job);
    sssp->ran_signed = (uint32_t)is_signed(job);
    if (sssp->ran_source == RD_NONE)
        return RD_OK; /* a graph without vertices */
    const uint32_t zero = 0;
    /* of signed words 0 is in the middle */
    const uint64_t own_parent = sssp->ran_source | (sssp->ran_signed ? (uint64_t)SIGNED_ZERO << 32 : 0);
    if (sssp->parents || sssp->ran_signed)
        RD_TRY(rd__buffer_write(&sssp->best, 8ull * sssp->ran_source, sizeof own_parent, &own_parent, err));
    else
        RD_TRY(rd__buffer_write(&sssp->best, 4ull * sssp->ran_source, sizeof zero, &zero, err));
    rd__seeds_one(seeds, sssp->ran_source);
    return RD_OK;
}

static rd_status sssp_fetch(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (rd__job_in_parts(job) || (!sssp->ran_parents && !sssp->ran_signed)) {
        sssp->found = rd__job_in_parts(job) ? NULL : rd__buffer_in_place(&sssp->best);
        RD_TRY(sssp->found ? rd__buffer_settle(&sssp->best, err)
                           : rd__buffer_read(&sssp->best, 0, 4ull * vertices, sssp->distance, err));
        sssp->found = sssp->found ? sssp->found : sssp->distance;
        for (uint32_t v = 0; sssp->ran_real && v < vertices; v++)
            sssp->length[v] = sssp->found[v] == RD_NONE ? INFINITY : rd_weight_real((int32_t)sssp->found[v]);
        return RD_OK;
    }
    RD_TRY(rd__buffer_read(&sssp->best, 0, 8ull * vertices, sssp->packed, err));
    sssp->found = sssp->distance;
    for (uint32_t v = 0; v < vertices; v++) {
        sssp->distance[v] = (uint32_t)(sssp->packed[v] >> 32);
        sssp->parent[v] = (uint32_t)sssp->packed[v];
    }
    for (uint32_t v = 0; sssp->ran_signed && v < vertices; v++)
        sssp->signed_length[v] =
            sssp->found[v] == RD_NONE ? (double)INFINITY : (double)sssp->found[v] - SIGNED_ZERO;
    return RD_OK;
}

/* Some way was too long for 32 bits. That matters only when there is no shorter one. */
static rd_status sssp_finish(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint32_t *note = sssp->note;
    if (!sssp->noted || rd__job_in_parts(job))
        RD_TRY(rd__buffer_read(&sssp->notes, 0, sizeof sssp->note, sssp->note, err));
    if (!note[SSSP_OVERFLOW] && !note[SSSP_CYCLE])
        return RD_OK;
    RD_TRY(rd__app_fetch(job, err));
    if (note[SSSP_CYCLE])
        return rd__sssp_tell_cycle(job->graph, sssp->ran_source, sssp->parent, err);
    for (uint32_t u = 0; u < csr.vertices; u++)
        for (uint64_t e = csr.row[u]; sssp->found[u] != RD_NONE && e < csr.row[u + 1]; e++)
            if (sssp->found[csr.col[e]] == RD_NONE)
                return rd__fail(err, RD_EINPUT,
                                "the distance of vertex %llu does not fit 32 bits (at most %.10g); use smaller weights",
                                name_of(job->graph, csr.col[e]),
                                sssp->ran_real     ? (double)FLT_MAX
                                : sssp->ran_signed ? (double)(INT32_MAX - 1)
                                                   : (double)(RD_NONE - 1));
    return RD_OK;
}

static void sssp_report(rd_job *job, rd_report *report)
{
    (void)job;
    report->reached = report->tasks_needed; /* each vertex that is reached has to be a task once */
    if (report->reached)
        rd__measure(report, "corrections_per_vertex",
                    (double)(report->tasks - report->tasks_needed) / (double)report->reached);
}

static void sssp_result(const rd_job *job, rd_result *result)
{
    const sssp_state *sssp = job->state;
    *result = (rd_result){.name = sssp->ran_parents ? "parent" : "distance",
                          .word = sssp->ran_parents ? sssp->parent : sssp->found,
                          .of_vertices = sssp->ran_parents != 0,
                          .count = rd_graph_csr(job->graph).vertices,
                          .download_s = job->download_s};
    if (sssp->ran_signed && !sssp->ran_parents) {
        result->kind = RD_RESULT_F64;
        result->word = NULL;
        result->wide_real = sssp->signed_length;
    } else if (sssp->ran_real && !sssp->ran_parents) {
        result->kind = RD_RESULT_F32;
        result->word = NULL;
        result->real = sssp->length;
    }
}

static rd_status sssp_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const sssp_state *sssp = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    (void)result; /* one of the two */
    if (sssp->ran_signed)
        return rd__sssp_check_signed(&csr, sssp->ran_source, sssp->signed_length,
                                     sssp->ran_parents ? sssp->parent : NULL, err);
    RD_TRY(rd__sssp_check_distances(&csr, sssp->ran_real != 0, sssp->ran_source, sssp->found, err));
    return sssp->ran_parents
               ? rd__sssp_check_parents(&csr, sssp->ran_real != 0, sssp->ran_source, sssp->found, sssp->parent, err)
               : RD_OK;
}

static void answer_signed(const sssp_state *sssp, uint64_t vertices, char *text, size_t room)
{
    uint64_t reached = 0;
    double least = 0, most = 0;
    for (uint64_t v = 0; v < vertices; v++)
        if (isfinite(sssp->signed_length[v])) {
            reached++;
            least = sssp->signed_length[v] < least ? sssp->signed_length[v] : least;
            most = sssp->signed_length[v] > most ? sssp->signed_length[v] : most;
        }
    rd__snprintf(text, room, "%llu of %llu vertices reached, at distances from %.10g to %.10g",
                 (unsigned long long)reached, (unsigned long long)vertices, least, most);
}

static void sssp_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const sssp_state *sssp = job->state;
    if (sssp->ran_signed && !sssp->ran_parents)
        answer_signed(sssp, result->count, text, room);
    else
        rd__answer_reached(result, sssp->ran_parents ? NULL : "distance", text, room);
}

static rd__buffer *sssp_values(rd_job *job)
{
    return &((sssp_state *)job->state)->best;
}

static uint32_t sssp_source(const rd_job *job)
{
    return ((const sssp_state *)job->state)->source;
}

static rd_status begin_part(rd_job *job, rd_error *err)
{
    sssp_state *sssp = job->state;
    sssp->ran_source = sssp->source;
    sssp->ran_parents = sssp->parents;
    sssp->ran_real = (uint32_t)is_real(job);
    sssp->ran_signed = 0;
    (void)err;
    return RD_OK;
}

static uint32_t *parents_of_part(rd_job *job)
{
    const sssp_state *sssp = job->state;
    return sssp->ran_parents ? sssp->parent : NULL;
}

/* As a kernel would: sssp_finish looks whether it matters. */
static rd_status too_long(rd_job *job, rd_error *err)
{
    const uint32_t yes = 1;
    return rd__buffer_write(&((sssp_state *)job->state)->notes, 4 * SSSP_OVERFLOW, sizeof yes, &yes, err);
}

static const rd__app_ranks in_parts = {.kind = RD__RANKS_LEAST,
                                       .root = "sssp_parts",
                                       .values = sssp_values,
                                       .source = sssp_source,
                                       .window = delta_of,
                                       .real = is_real,
                                       .begin = begin_part,
                                       .parents = parents_of_part,
                                       .too_long = too_long,
                                       .weighted = 1,
                                       .far = "distance"};

const rd__app rd__app_sssp = {
    .info = {.name = "sssp",
             .text = "shortest paths: distance (or parent) of every vertex reachable from a source, by edge weights",
             .options = info,
             .input = RD_INPUT_WEIGHTED,
             .has_source = 1},
    .roots = roots,
    .root = sssp_root,
    .state_bytes = sizeof(sssp_state),
    .ranks = &in_parts,
    .options = options,
    .arrays = arrays,
    .validate = sssp_validate,
    .free = sssp_free,
    .args = sssp_pack,
    .choose = sssp_choose,
    .alike = sssp_alike,
    .bind_input = sssp_bind,
    .start = sssp_start,
    .finish = sssp_finish,
    .report = sssp_report,
    .fetch = sssp_fetch,
    .result = sssp_result,
    .answer = sssp_answer,
    .check = sssp_check,
};
