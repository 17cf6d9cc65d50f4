/* SPDX-License-Identifier: Apache-2.0 */
/*
 * color.c - colouring of graphs, host side. Two methods, each a program of its own: color/speculate.k.c guesses and
 * repairs, color/priority.k.c waits until all that matters is known; color/rounds.k.c does either in rounds. See
 * docs/color.md.
 */
#include "apps/app.h"
#include "apps/choose.h"
#include "apps/color/check.h"
#include "apps/color/layout.k.h"

#include "core/memory.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

enum { FEW_EDGES = 32, SKEWED = 64 };

typedef enum color_method { BY_RULE, SPECULATE, PRIORITY } color_method;

typedef struct color_state {
    color_method asked;
    rd__buffer state, order, count; /* see color/layout.k.h and color/order.k.c */
    rd__program *program;           /* color_order */
    rd__kernel *counts, *places;
    /* of the last run */
    uint64_t *words;
    uint32_t *copy;
    double download_s;
    uint32_t colours;
} color_state;

static const rd_option_info options[] = {
    {"method", "auto|speculate|priority", "auto",
     "guess and repair, or by degrees with fewer colours; auto: by the input", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static rd_status color_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    static const char *const names[] = {"auto", "speculate", "priority"};
    color_state *color = job->state;
    for (int i = BY_RULE; i <= PRIORITY; i++)
        if (strcmp(value, names[i]) == 0) {
            if (color->asked != (color_method)i)
                rd__job_drop_sched(job); /* another program */
            color->asked = (color_method)i;
            return RD_OK;
        }
    return rd__fail(err, RD_EARG, "option %s takes auto, speculate or priority, not '%s'", key, value);
}

static color_method method_of(const rd_job *job)
{
    const color_state *color = job->state;
    if (color->asked != BY_RULE)
        return color->asked;
    /* Hubs with thousands of neighbours collect colours when they guess, and take long to guess again. */
    const rd_csr csr = rd_graph_csr(job->graph);
    const double mean = csr.vertices ? (double)csr.edges / csr.vertices : 0;
    const int skewed = (double)rd_graph_max_degree(job->graph) > SKEWED * mean;
    return skewed && !rd__job_in_rounds(job) ? PRIORITY : SPECULATE;
}

static const char *color_root(const rd_job *job)
{
    if (rd__job_in_rounds(job))
        return "color_rounds";
    return method_of(job) == SPECULATE ? "color_speculate" : "color_priority";
}

static void color_plan(const rd_job *job, rd_plan *plan)
{
    const uint64_t vertices = rd_graph_csr(job->graph).vertices;
    rd__plan_add(plan, "place and colour", 8 * vertices, 0, 0);
    rd__plan_add(plan, "order", 4 * vertices, 0, 0);
    rd__plan_add(plan, "counts of classes", 8 * COLOR_CLASSES, 0, 0);
}

static rd_status color_alloc(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const uint64_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&color->words, "words of vertices on the host", vertices, sizeof *color->words, err));
    RD_TRY(rd__array_new(&color->copy, "colours on the host", vertices, sizeof *color->copy, err));
    RD_TRY(rd__buffer_alloc(job->device, &color->state, "place and colour", 8 * vertices, err));
    RD_TRY(rd__buffer_alloc(job->device, &color->order, "order", 4 * vertices, err));
    RD_TRY(rd__buffer_alloc(job->device, &color->count, "counts of classes", 8 * COLOR_CLASSES, err));
    RD_TRY(rd__program_load_named(job->device, "color_order", rd__device_default_lanes(job->device), NULL,
                                  &color->program, err));
    RD_TRY(rd__kernel_find(job->device, color->program, "color_count", &color->counts, err));
    return rd__kernel_find(job->device, color->program, "color_place", &color->places, err);
}

static void color_free(rd_job *job)
{
    color_state *color = job->state;
    rd__buffer_free(&color->state);
    rd__buffer_free(&color->order);
    rd__buffer_free(&color->count);
    if (color->program)
        rd__program_unload(job->device, color->program);
    rd__array_free(color->words);
    rd__array_free(color->copy);
    color->program = NULL;
    color->words = NULL;
    color->copy = NULL;
}

static uint32_t color_args(rd_job *job, rd__arg *args)
{
    color_state *color = job->state;
    args[0] = RD__BUFFER(&color->state);
    args[1] = RD__U32(method_of(job) == PRIORITY);
    return rd__job_in_rounds(job) ? 2 : 1;
}

/* The seeds come in the order of degrees. */
static void color_bind(rd_job *job, rd__sched_job *view)
{
    color_state *color = job->state;
    if (rd__job_in_rounds(job))
        return;
    view->frontier.order = &color->order;
}

/* A step through all vertices that brings neighbours far apart, and meets each once. */
static uint32_t scattering(uint32_t vertices)
{
    uint32_t stride = (uint32_t)(vertices * 0.6180339887) | 1, common = 0;
    while (common != 1) {
        uint32_t a = vertices, b = stride;
        while (b) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        common = a;
        stride += common == 1 ? 0 : 2;
    }
    return stride;
}

RD__ARGS(order_args, ORDER_ARGS)

static rd_status color_start(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err)
{
    color_state *color = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    const order_args args = {.row = &job->row,
                             .vertices = vertices,
                             .stride = vertices > 2 ? scattering(vertices) : 1,
                             .count = &color->count,
                             .order = &color->order,
                             .state = &color->state};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = order_args_pack(&args, list);
    uint32_t groups;
    seed[0] = 0;
    *seeds = RD__SEED_ALL;
    RD_TRY(rd__buffer_fill(&color->count, 0, err));
    RD_TRY(rd__kernel_resident(job->device, color->counts, &groups, err));
    RD_TRY(rd__kernel_launch(job->device, color->counts, groups, 0, list, used, err));
    return rd__kernel_launch(job->device, color->places, groups, 0, list, used, err);
}

/* Also drops what the kernel notes beside a colour. */
static rd_status color_finish(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    const double began = rd_now();
    uint32_t highest = 0;
    RD_TRY(rd__buffer_read(&color->state, 0, 8ull * vertices, color->words, err));
    for (uint32_t v = 0; v < vertices; v++)
        color->copy[v] = (uint32_t)color->words[v];
    color->download_s = rd_now() - began;
    for (uint32_t v = 0; v < vertices; v++) {
        if (color->copy[v] != COLOR_NONE)
            color->copy[v] &= ~COLOR_SETTLED;
        if (color->copy[v] > highest && color->copy[v] < vertices)
            highest = color->copy[v];
    }
    return rd__color_count(color->copy, vertices, highest, &color->colours, err);
}

static void color_report(const rd_job *job, rd_report *report)
{
    rd__measure(report, "colours", ((const color_state *)job->state)->colours);
}

static rd_status color_result(rd_job *job, rd_result *result, rd_error *err)
{
    const color_state *color = job->state;
    (void)err;
    *result = (rd_result){.name = "colour",
                          .word = color->copy,
                          .count = rd_graph_csr(job->graph).vertices,
                          .download_s = color->download_s};
    return RD_OK;
}

static rd_status color_check(rd_job *job, rd_error *err)
{
    const color_state *color = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__color_check(&csr, color->copy, color->colours, err);
}

/* On a CPU, where no vertex has many edges, rounds are few, and a step over all vertices costs less than a trip through
 * the queue for each. Chains of vertices that wait for each other are long where some have very many edges. */
static void color_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    const int even = facts->mean_degree * facts->skew <= FEW_EDGES;
    (void)job;
    choice->want = !facts->is_gpu && even ? RD__ENGINE_ROUNDS : 0;
    choice->avoid = choice->want ? 0 : RD__ENGINE_ROUNDS;
    choice->reason = !facts->is_gpu && even ? "few edges a vertex make few rounds"
                                            : "no vertex has to wait for the others of a round";
}

static const char *const roots[] = {"color_rounds", "color_speculate", "color_priority", NULL};

static void color_init(rd_job *job)
{
    ((color_state *)job->state)->asked = BY_RULE;
}

const rd__app rd__app_color = {
    .info = {.name = "color",
             .text = "colouring: a number for every vertex, different at the two ends of each edge",
             .options = options,
             .input = RD_INPUT_GRAPH},
    .all_seeds = 1,
    .state_bytes = sizeof(color_state),
    .init = color_init,
    .set = color_set,
    .roots = roots,
    .root = color_root,
    .needs_symmetric = 1, /* a vertex has to know everyone who has to differ from it */
    .plan = color_plan,
    .alloc = color_alloc,
    .free = color_free,
    .args = color_args,
    .bind_input = color_bind,
    .choose = color_choose,
    .start = color_start,
    .finish = color_finish,
    .report = color_report,
    .result = color_result,
    .check = color_check,
};
