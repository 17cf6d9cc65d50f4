/* SPDX-License-Identifier: Apache-2.0 */
/*
 * color.c - colouring of graphs, host side. Two methods, each a program of its own: color_speculate.k.c guesses and
 * repairs, color_priority.k.c waits until all that matters is known. See docs/color.md.
 */
#include "apps/app.h"
#include "apps/choose.h"
#include "apps/color_check.h"
#include "apps/color_layout.k.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <string.h>

typedef enum color_method { BY_RULE, SPECULATE, PRIORITY } color_method;

typedef struct color_state {
    color_method asked;
    rd__buffer colour, seen, taken; /* seen and taken: of PRIORITY */
    /* of the last run */
    uint32_t *copy;
    double download_s;
    uint32_t colours;
} color_state;

static const rd_option_info options[] = {
    {"method", "auto|speculate|priority", "auto",
     "guess and repair, or by degrees with fewer colours (default: by degrees)", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const char *const schedulers[] = {"fifo", NULL};
enum { EVEN_DEGREE = 32 }; /* highest degree up to which there is little to gain from an order */

static rd_status color_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    static const char *const names[] = {"auto", "speculate", "priority"};
    color_state *color = job->state;
    for (int i = BY_RULE; i <= PRIORITY; i++)
        if (strcmp(value, names[i]) == 0) {
            if (color->asked != (color_method)i)
                rd__job_release(job); /* another program, other buffers */
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
    return rd_graph_max_degree(job->graph) <= EVEN_DEGREE ? SPECULATE : PRIORITY;
}

static const char *color_program(const rd_job *job)
{
    return method_of(job) == SPECULATE ? "color_speculate" : "color_priority";
}

/* A vertex has to know everyone who has to differ from it. */
static rd_status color_validate(rd_job *job, rd_error *err)
{
    if (!rd_graph_is_symmetric(job->graph))
        return rd__fail(err, RD_EARG,
                        "color needs a symmetric graph: each edge with its reverse; option -s (symmetrize) adds them");
    return RD_OK;
}

/* Vertex v has words row[v] / 32 + v and on of `taken`, enough for one bit more than it has edges. */
static uint64_t taken_bytes(const rd_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return 4 * (csr.edges / 32 + csr.vertices);
}

static void color_plan(const rd_job *job, rd_plan *plan)
{
    const uint64_t vertices = rd_graph_csr(job->graph).vertices;
    rd__plan_add(plan, "colour", 4 * vertices, 0, 0);
    if (method_of(job) == PRIORITY) {
        rd__plan_add(plan, "edges seen to", 4 * vertices, 0, 0);
        rd__plan_add(plan, "colours taken", taken_bytes(job), 0, 0);
    }
}

static rd_status color_alloc(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const uint64_t vertices = rd_graph_csr(job->graph).vertices;
    RD_TRY(rd__array_new(&color->copy, "colours on the host", vertices, sizeof *color->copy, err));
    RD_TRY(rd__buffer_alloc(job->device, &color->colour, "colour", 4 * vertices, err));
    if (method_of(job) == PRIORITY) {
        RD_TRY(rd__buffer_alloc(job->device, &color->seen, "edges seen to", 4 * vertices, err));
        RD_TRY(rd__buffer_alloc(job->device, &color->taken, "colours taken", taken_bytes(job), err));
    }
    return RD_OK;
}

static void color_free(rd_job *job)
{
    color_state *color = job->state;
    rd__buffer_free(&color->colour);
    rd__buffer_free(&color->seen);
    rd__buffer_free(&color->taken);
    rd__array_free(color->copy);
    color->copy = NULL;
}

static uint32_t color_args(rd_job *job, rd__arg *args)
{
    color_state *color = job->state;
    args[0] = RD__BUFFER(&color->colour);
    if (method_of(job) == SPECULATE)
        return 1;
    args[1] = RD__BUFFER(&color->seen);
    args[2] = RD__BUFFER(&color->taken);
    args[3] = RD__BUFFER(&job->row);
    return 4;
}

static rd_status color_start(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err)
{
    color_state *color = job->state;
    RD_TRY(rd__buffer_fill(&color->colour, RD_NONE, err));
    if (method_of(job) == PRIORITY) {
        RD_TRY(rd__buffer_fill(&color->seen, 0, err));
        RD_TRY(rd__buffer_fill(&color->taken, 0, err));
    }
    seed[0] = 0;
    *seeds = RD__SEED_ALL;
    return RD_OK;
}

/* Also drops what the kernel notes beside a colour. */
static rd_status color_finish(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    const double began = rd_now();
    uint32_t highest = 0;
    RD_TRY(rd__buffer_read(&color->colour, 0, 4ull * vertices, color->copy, err));
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

static void color_init(rd_job *job)
{
    ((color_state *)job->state)->asked = BY_RULE;
}

const rd__app rd__app_color = {
    .info = {.name = "color",
             .text = "colouring: a number for every vertex, different at the two ends of each edge",
             .options = options,
             .schedulers = schedulers,
             .input = RD_INPUT_GRAPH},
    .shape = RD__SHAPE_VERTICES,
    .state_bytes = sizeof(color_state),
    .init = color_init,
    .set = color_set,
    .program = color_program,
    .validate = color_validate,
    .plan = color_plan,
    .alloc = color_alloc,
    .free = color_free,
    .args = color_args,
    .start = color_start,
    .finish = color_finish,
    .report = color_report,
    .result = color_result,
    .check = color_check,
};
