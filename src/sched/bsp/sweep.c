/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.c - sweeps under scheduler `bsp`, host side (bsp/sweep.k.h says what a step does).
 *
 * Launch `discrete` launches steps in batches without looking: each finds its phase in device memory, and one after the
 * end does nothing. Launch `persistent` is one launch for all steps, which wait for each other at a global barrier. All
 * groups must be resident then: by a cooperative launch where the device has one, by discovery on OpenCL. Launch
 * `graph` is a launch a step too, which the device repeats by itself.
 */
#include "sched/bsp/crowd.h"
#include "sched/bsp/policy.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/bsp/sweep_layout.k.h"
#include "sched/parts/barrier_layout.k.h"
#include "sched/freeze.h"
#include "sched/parts/launch.h"
#include "sched/parts/rest.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_BATCH = 7, SPAN = 4096, EVEN_SPAN = 1024, GPU_LANES = 128 };

struct rd__sched_state {
    uint32_t discovery; /* of a persistent launch */
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel, *again; /* again: of launch `graph` */
    rd__buffer parts, partial, done, control, grid;
    uint32_t groups, lanes, part_count, span, persistent, looped, leaves; /* leaves: also within a step */
    uint32_t scattered;
    uint32_t step; /* of a run: the next one */
    uint32_t cursor[REST_MOST]; /* of the ranges of a step that was left half-way (bsp/sweep_ranges.k.h) */
};

static rd_csr walked(const rd__sched_job *job)
{
    return job->input.walked ? *job->input.walked : rd_graph_csr(job->input.graph);
}

/* Do groups get even shares of the edges rather than runs of neighbours? */
static int is_even(const rd__sched_job *job)
{
    return job->whole && job->device && job->device->info.is_gpu;
}

/* Edges that one group walks at a time. */
static uint32_t span_of(const rd__sched_job *job)
{
    const uint32_t asked = rd__sched_number(job, "span");
    return asked ? asked : is_even(job) ? EVEN_SPAN : SPAN;
}

/* Hubs with neighbouring numbers would all fall to one group, and who waits with one of them waits for all. */
static uint32_t is_scattered(const rd__sched_job *job, uint32_t lanes)
{
    const int gains = is_even(job) || (job->patient && job->device && job->device->info.is_gpu);
    const rd_csr csr = walked(job);
    return rd__sched_option_is(job, "scatter", "on") ||
           (rd__sched_option_is(job, "scatter", "auto") && gains && rd__sweep_is_crowded(&csr, lanes));
}

/* Most parts there can be: full ones, and one more for each vertex that has more than one. 0 where a group is one lane:
 * there a vertex is never cut. A graph that is not symmetric may be walked against its edges, and then its degrees are
 * not known yet. */
static uint64_t most_parts(const rd__sched_job *job, uint32_t lanes)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    const uint32_t span = span_of(job);
    if (lanes == 1 || (rd_graph_is_symmetric(job->input.graph) && rd_graph_max_degree(job->input.graph) <= span))
        return 0;
    return 2 * (csr.edges / span);
}

/* On GPUs narrower groups than elsewhere: barriers are few, and more registers for each lane mean more edges under way.
 */
static rd__width sweep_width(const rd__sched_job *job)
{
    rd__width width = rd__sched_width(job);
    if (!job->worker && job->device && job->device->info.is_gpu && width.lanes > GPU_LANES) {
        width.lanes = GPU_LANES;
        width.lanes_why = "sweeps have few barriers, and narrow groups leave more registers to each lane";
    }
    return width;
}

/* Of the barrier, of discovery, and on cores cursors of ranges. */
static uint64_t grid_bytes(const rd__sched_job *job, uint32_t groups)
{
    return 4 * (SWEEP_CURSORS + (rd__rest_may_be(job) ? (uint64_t)groups * SWEEP_CURSOR_WORDS : 0));
}

static void sweep_plan(const rd__sched_job *job, rd_plan *plan)
{
    /* without a device: as for wide groups, which need more */
    const uint64_t parts = most_parts(job, job->device ? sweep_width(job).lanes : job->worker);
    if (parts)
        rd__plan_add(plan, "parts of big vertices", 16 * parts, 0, 0);
    rd__plan_add(plan, "control words", 4 * SWEEP_WORDS + rd__rest_bytes(job), 0, 0);
    const uint32_t groups = job->groups || !job->device ? job->groups : job->device->info.compute_units;
    rd__plan_add(plan, "barrier", grid_bytes(job, groups), 0, 0);
}

static void sweep_destroy(rd__sched_state *sweep)
{
    if (!sweep)
        return;
    rd__buffer_free(&sweep->parts);
    rd__buffer_free(&sweep->partial);
    rd__buffer_free(&sweep->done);
    rd__buffer_free(&sweep->control);
    rd__buffer_free(&sweep->grid);
    if (sweep->device)
        rd__program_unload(sweep->device, sweep->program);
    rd__free(sweep);
}

/* ---- Setting up ---- */

static uint64_t list_parts(const rd_csr *csr, uint32_t span, uint64_t *part)
{
    uint64_t count = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        const uint64_t degree = csr->row[v + 1] - csr->row[v];
        for (uint64_t p = 0; degree > span && p * span < degree; p++)
            part[count++] = v | p << 32;
    }
    return count;
}

static rd_status make_parts(rd__sched_state *sweep, const rd__sched_job *job, rd_error *err)
{
    const uint64_t most = most_parts(job, sweep->lanes);
    const rd_csr csr = walked(job);
    uint64_t *part = NULL;
    if (!most)
        return RD_OK;
    if (most > UINT32_MAX)
        return rd__fail(err, RD_EARG, "%s: the graph has too many edges for sweeps: %llu", job->app,
                        (unsigned long long)csr.edges);
    RD_TRY(rd__buffer_alloc(sweep->device, &sweep->parts, "parts of big vertices", 8 * most, err));
    RD_TRY(rd__buffer_alloc(sweep->device, &sweep->partial, "parts of big vertices", 4 * most, err));
    RD_TRY(rd__buffer_alloc(sweep->device, &sweep->done, "parts of big vertices", 4 * most, err));
    RD_TRY(rd__array_new(&part, "parts of big vertices, on the host", most, sizeof *part, err));
    sweep->span = span_of(job);
    sweep->part_count = (uint32_t)list_parts(&csr, sweep->span, part);
    rd_status status = rd__buffer_write(&sweep->parts, 0, 8ull * sweep->part_count, part, err);
    rd__array_free(part);
    return status == RD_OK ? rd__buffer_fill(&sweep->done, 0, err) : status;
}

/* Groups of a persistent launch must be resident together. OpenCL cannot tell how many can: there the kernel finds out
 * and uses those. */
static rd_status choose_groups(rd__sched_state *sweep, const rd__sched_job *job, rd_error *err)
{
    uint32_t fit = 0;
    RD_TRY(rd__sched_resident(job, sweep->kernel, &fit, err));
    sweep->groups = job->groups ? job->groups : fit;
    sweep->discovery = rd__bsp_discovery(job);
    if (sweep->persistent && sweep->discovery == RD_DISCOVERY_NONE && sweep->groups > fit)
        return rd__fail(err, RD_EARG,
                        "scheduler bsp, launch persistent: %u groups of %u lanes cannot be resident on %s together, at "
                        "most %u; ask for fewer --groups, or use --launch discrete",
                        sweep->groups, sweep->lanes, sweep->device->info.name, fit);
    return RD_OK;
}

static rd_status set_up(rd__sched_state *sweep, const rd__sched_job *job, rd_error *err)
{
    rd_device *device = job->device;
    sweep->device = device;
    sweep->lanes = sweep_width(job).lanes;
    sweep->persistent = job->persistent;
    sweep->looped = job->looped;
    RD_TRY(rd__sched_check_launch(job, err));
    const char *defines = sweep->persistent ? "-DSWEEP_PERSISTENT=1"
                          : sweep->looped   ? "-DSWEEP_PERSISTENT=0 -DSWEEP_LOOPS -DRD_LOOPS=1"
                                            : "-DSWEEP_PERSISTENT=0";
    RD_TRY(rd__sched_load(job, "bsp", sweep->lanes, defines, &sweep->program, err));
    if (sweep->looped)
        RD_TRY(rd__kernel_find(device, sweep->program, "sweep_again", &sweep->again, err));
    RD_TRY(rd__kernel_find(device, sweep->program, "sweep", &sweep->kernel, err));
    RD_TRY(choose_groups(sweep, job, err));
    if (sweep->lanes == 1) {
        rd__sched_say_unused(job, "scatter", "a group is one lane there");
        rd__sched_say_unused(job, "span", "a group is one lane there");
    }
    sweep->leaves = (uint32_t)rd__rest_may_be(job) && sweep->groups <= REST_MOST;
    sweep->scattered = is_scattered(job, sweep->lanes);
    RD_TRY(make_parts(sweep, job, err));
    RD_TRY(rd__buffer_alloc(device, &sweep->grid, "barrier", grid_bytes(job, sweep->groups), err));
    return rd__buffer_alloc(device, &sweep->control, "control words", 4 * SWEEP_WORDS + rd__rest_bytes(job), err);
}

static rd_status sweep_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *sweep = rd__calloc(1, sizeof *sweep);
    *out = NULL;
    if (!sweep)
        return rd__fail_memory(err, "sweeps", sizeof *sweep);
    rd_status status = set_up(sweep, job, err);
    if (status != RD_OK) {
        sweep_destroy(sweep);
        return status;
    }
    *out = sweep;
    return RD_OK;
}

/* ---- Running ---- */

RD__ARGS(sweep_args, SWEEP_ARGS)

/* One launch is all that is needed, unless it is asked to leave. */
static int ends_itself(const rd__sched_state *sweep)
{
    return sweep->persistent || sweep->looped;
}

static rd_status prepare(rd__sched_state *sweep, const rd__sched_job *job, rd__launch *launch, rd_error *err)
{
    /* An argument must be some buffer, also where the kernel has no use for it. */
    const rd__buffer *spare = &sweep->control;
    const uint64_t all = walked(job).vertices + walked(job).edges;
    const sweep_args args = {.row = job->input.row,
                             .col = job->input.col,
                             .parts = sweep->parts.device ? &sweep->parts : spare,
                             .partial = sweep->partial.device ? &sweep->partial : spare,
                             .done = sweep->done.device ? &sweep->done : spare,
                             .control = &sweep->control,
                             .grid_words = &sweep->grid,
                             .vertices = walked(job).vertices,
                             .part_count = sweep->part_count,
                             .span = sweep->span,
                             .scattered = sweep->scattered,
                             .persistent = sweep->persistent,
                             .discovery = sweep->discovery,
                             .delay = rd__bsp_delay(job, sweep->discovery, all)};
    rd__arg own[RD__MAX_ARGS];
    *launch = (rd__launch){.job = job,
                           .kernel = sweep->kernel,
                           .groups = sweep->groups,
                           .cooperative = sweep->persistent && sweep->discovery == RD_DISCOVERY_NONE,
                           .keeps = ends_itself(sweep) || sweep->leaves,
                           .lends = sweep->looped ? RD__LENDS_NONE : RD__LENDS_FEWER,
                           .step = RD__PLACE(sweep_args, first)};
    return rd__launch_pack(launch, own, sweep_args_pack(&args, own), err);
}

/* Ranges of a step that was left half-way; else none. */
static uint32_t ranges_of(const uint32_t *head)
{
    const uint32_t ranges = head[REST_OWNED] ? head[REST_UNITS] : 0;
    return ranges < REST_MOST ? ranges : REST_MOST;
}

static rd_status read_cursors(rd__sched_state *sweep, const uint32_t *head, uint32_t step, rd_error *err)
{
    for (uint32_t i = 0; i < ranges_of(head); i++) {
        const uint64_t at = SWEEP_CURSORS + i * SWEEP_CURSOR_WORDS + step % SWEEP_SLOTS * RD_GRID_LINE;
        RD_TRY(rd__buffer_read(&sweep->grid, 4 * at, sizeof sweep->cursor[i], &sweep->cursor[i], err));
    }
    return RD_OK;
}

/* What nobody took of them. @return how many pieces, of two words each. */
static uint32_t pieces_of(const rd__sched_state *sweep, const uint32_t *head, uint32_t *piece)
{
    const uint64_t items = head[REST_CLAIMS], ranges = ranges_of(head);
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < ranges; i++) {
        const uint64_t begin = items * i / ranges, end = items * (i + 1) / ranges;
        const uint64_t next = begin + (uint64_t)sweep->cursor[i] * head[REST_SIZE];
        if (next < end) {
            piece[2 * pieces] = (uint32_t)next;
            piece[2 * pieces++ + 1] = (uint32_t)end;
        }
    }
    return pieces;
}

/* After launches that were asked to leave: what the next one finds. Between two steps, of a persistent launch: the last
 * step that was run says that no other one comes after it; that word is taken back. */
static rd_status go_on(rd__sched_state *sweep, const rd__sched_job *job, const uint32_t *word, uint32_t *step,
                       rd_error *err)
{
    const uint32_t none = 0, last = word[SWEEP_STEPS] ? word[SWEEP_STEPS] - 1 : 0;
    const rd__rest rest = {&sweep->control, SWEEP_REST, SWEEP_WORDS};
    const int is_left = rd__rest_is_left(word + SWEEP_REST, step);
    uint32_t piece[2 * REST_MOST];
    if (sweep->persistent || rd__rest_may_be(job)) /* cursors: there may be more groups than cleared theirs */
        RD_TRY(rd__buffer_fill(&sweep->grid, 0, err));
    if (is_left) {
        const uint32_t cursor = *step % SWEEP_SLOTS * SWEEP_SLOT_WORDS + SWEEP_CURSOR;
        const uint32_t pieces = pieces_of(sweep, word + SWEEP_REST, piece);
        RD_TRY(rd__rest_go_on(&rest, word + SWEEP_REST, word[cursor], piece, pieces, err));
        return rd__buffer_write(&sweep->control, 4ull * cursor, sizeof none, &none, err);
    }
    if (!sweep->persistent)
        return RD_OK;
    *step = word[SWEEP_STEPS];
    return rd__buffer_write(&sweep->control, 4 * (last % SWEEP_SLOTS * SWEEP_SLOT_WORDS + SWEEP_STOP), sizeof none,
                            &none, err);
}

/* What rd__sched_pass found when it wrote the file is in the control words. */
static rd_status resume(rd__sched_state *sweep, const rd__sched_job *job, uint32_t *word, uint32_t *step,
                        rd_error *err)
{
    *step = sweep->step;
    RD_TRY(rd__buffer_read(&sweep->control, 0, 4 * SWEEP_WORDS, word, err));
    return go_on(sweep, job, word, step, err);
}

/* Groups keep nothing from one step to the next but what is left of ranges, so there may be another number of them. */
static rd_status sweep_freeze(rd__sched_state *sweep, rd__freeze *freeze, rd_error *err)
{
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", sweep->lanes, err));
    RD_TRY(rd__freeze_bytes(freeze, &sweep->step, sizeof sweep->step, err));
    RD_TRY(rd__freeze_bytes(freeze, sweep->cursor, sizeof sweep->cursor, err));
    return rd__freeze_fixed(freeze, &sweep->control, err);
}

/* For a trace: all vertices, or what the app says. */
static uint64_t waiting(const rd__sched_job *job, const uint32_t *word)
{
    return word[SWEEP_WAITS] ? word[SWEEP_WAITS] : walked(job).vertices;
}

static rd_status sweep_run(rd__sched_state *sweep, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                           rd_error *err)
{
    uint32_t word[SWEEP_WORDS] = {0}, step = 0, launches = 0, over = 0;
    uint32_t batch = ends_itself(sweep) ? 1 : FIRST_BATCH;
    uint64_t tasks = 0;
    rd__launch launch;
    (void)seeds;
    RD_TRY(prepare(sweep, job, &launch, err));
    if (job->resumes)
        RD_TRY(resume(sweep, job, word, &step, err));
    else
        RD_TRY(
            rd__buffer_fill_part(&sweep->control, 0, 4 * SWEEP_WORDS + rd__rest_cleared(job, sweep->groups), 0, err));
    RD_TRY(rd__buffer_fill(&sweep->grid, 0, err));
    RD_TRY(rd__time_begin(sweep->device, err));
    while (!over) {
        const rd__so_far so_far = {step, 0, "steps"};
        RD_TRY(sweep->looped ? rd__launch_loop(&launch, sweep->again, SWEEP_LOOP, err)
                             : rd__launch_batch(&launch, step, batch, err));
        step += batch;
        launches += batch;
        RD_TRY(rd__launch_read(&launch, so_far, &sweep->control, word, sizeof word, err));
        const int asked = rd__sched_left(job), is_left = rd__rest_is_left(word + SWEEP_REST, &step);
        over = is_left ? 0 : ends_itself(sweep) ? !asked : word[SWEEP_STEPS] < step;
        memcpy(&tasks, word + SWEEP_TASKS, sizeof tasks);
        if (is_left)
            RD_TRY(read_cursors(sweep, word + SWEEP_REST, step, err));
        rd__sched_look(job, tasks, over ? 0 : waiting(job, word), tasks, tasks);
        RD_TRY(rd__sched_tell(job, word[SWEEP_STEPS], 0, "steps", err));
        sweep->step = step;
        if (!over)
            RD_TRY(rd__sched_pass(job, err));
        if (!over)
            RD_TRY(go_on(sweep, job, word, &step, err));
        if (!ends_itself(sweep)) /* those behind one that leaves take a moment each */
            batch = rd__launch_pace(&launch, batch, RD__BATCH_MOST, job->turn ? RD__SHARED_SECONDS : RD__BATCH_SECONDS);
    }
    RD_TRY(rd__time_end(sweep->device, &report->kernel_s, err));
    report->rounds = word[SWEEP_STEPS];
    report->tasks = report->tasks_needed = tasks;
    report->launches = launches;
    memcpy(&report->edges, word + SWEEP_EDGES, sizeof report->edges);
    report->groups = sweep->groups;
    report->lanes = sweep->lanes;
    return RD_OK;
}

static const rd_option_info options[] = {
    {"scatter", "off|on|auto", "auto",
     "wide groups walk runs of vertices that lie far apart; auto: on GPUs, where hubs have neighbouring numbers", 0},
    {"span", "auto|64..1000000", "auto",
     "edges of a vertex that a wide group walks at a time; auto: 4096, or 1024 on GPUs where steps look at all edges",
     0},
    RD__BSP_DISCOVERY_OPTIONS,
    {NULL, NULL, NULL, NULL, 0}};

static const char *needs_all(const rd__sched_job *job)
{
    return job->looped ? rd__bsp_loops_need_all : ""; /* groups keep nothing from one round to the next */
}

const rd__engine rd__engine_bsp_sweep = {
    .policy = &rd__policy_bsp,
    .tag = "bsp",
    .model = RD__MODEL_SWEEP,
    .is = RD__ENGINE_ROUNDS,
    .options = options,
    .width = sweep_width,
    .needs_all = needs_all,
    .plan = sweep_plan,
    .create = sweep_create,
    .destroy = sweep_destroy,
    .run = sweep_run,
    .freeze = sweep_freeze,
};
