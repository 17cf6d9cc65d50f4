/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rank.c - the schedulers `heap` and `multi`, host side, as far as they are alike (rank/work.k.h says what workers do).
 *
 * One launch after another until no task is left: a launch ends when the work does, after so many turns that it lasted
 * some tens of milliseconds, or when the queue is too full. Between launches all tasks are in the queue. A queue that
 * is too full is collected: the tasks still worth running are copied out and inserted anew, into more room where need
 * be.
 */
#include "sched/rank/rank.h"

#include "core/log.h"
#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/freeze.h"
#include "sched/parts/launch.h"

#include <string.h>

enum { FIRST_TURNS = 64, MAX_TURNS = 1 << 22 };
enum { SAMPLE = 4096, REAL_NEAR = 1 << 17, GPU_NEAR = 8 };
static const double slice_seconds = 0.05;

/* ---- Sizes ---- */

uint32_t rd__rank_item_bytes(const rd__sched_job *job)
{
    return job->engine->model == RD__MODEL_FRONTIER ? 8 : 16;
}

/* Of vertices on a GPU one group a unit. */
static int is_crowded(const rd__sched_job *job)
{
    return job->engine->model == RD__MODEL_FRONTIER && job->device && job->device->info.is_gpu;
}

rd__width rd__rank_width(const rd__sched_job *job)
{
    rd__width width = rd__sched_width(job);
    if (is_crowded(job))
        rd__sched_limit_groups(job, &width, job->device->info.compute_units,
                               "more would take more at once and lose the order");
    return width;
}

uint32_t rd__rank_lanes(const rd__sched_job *job)
{
    return rd__rank_width(job).lanes;
}

uint32_t rd__rank_groups_planned(const rd__sched_job *job)
{
    return job->groups ? job->groups : job->device ? job->device->info.compute_units : 1;
}

/* Of vertices: what a few tiles give, what waits in the stash, the vertices that are given back and what the queue's
 * list holds: rank/vertices.k.h. Of tasks: what each one that was taken gives. */
uint64_t rd__rank_reserve(const rd__sched_job *job, uint32_t hold, uint32_t lanes)
{
    const uint64_t tile = (uint64_t)RANK_BATCH_OF(lanes) * lanes, stash = RANK_STASH_OF(lanes == 1, (uint64_t)lanes);
    const uint64_t kept = lanes == 1 ? RANK_KEEP_OF(1) : lanes, held = hold > kept ? hold : kept;
    return job->engine->model == RD__MODEL_FRONTIER ? (RANK_TILES + 1) * tile + stash + 2 * held
                                                    : RD__RANK_GIVES_MOST * (uint64_t)hold;
}

uint64_t rd__rank_capacity(const rd__sched_job *job)
{
    const uint64_t asked = rd__sched_number(job, "capacity");
    const int gpu = job->device && job->device->info.is_gpu;
    return asked ? asked : job->input.graph ? rd_graph_csr(job->input.graph).vertices : gpu ? 1u << 20 : 1u << 18;
}

void rd__rank_plan(const rd__sched_job *job, uint32_t hold, rd_plan *plan)
{
    rd__plan_add(plan, "tasks in hand", (uint64_t)rd__rank_groups_planned(job) * hold * rd__rank_item_bytes(job), 0, 0);
    if (job->engine->model == RD__MODEL_FRONTIER) {
        rd__seeder_plan(job, plan);
        rd__hubs_plan(job, rd__rank_lanes(job), plan);
    }
    rd__plan_add(plan, "seeds as tasks", rd__rank_item_bytes(job), 0, 0);
    rd__plan_add(plan, "control words", 8 * RANK_WORDS, 0, 0);
}

/* ---- Setting up ---- */

/* Group memory of the worker's kernel besides the queue's: rank/vertices.k.h has most, with spread.k.h. */
static uint64_t group_memory(const rd__sched_job *job, uint64_t lanes)
{
    const uint64_t keep = RANK_KEEP_OF(lanes), stash = RANK_STASH_OF(0, lanes);
    const uint64_t scratch = 4 * (lanes + 1) + 64;
    return job->engine->model == RD__MODEL_FRONTIER ? scratch + 20 * lanes + 4 * stash + 8 * keep : scratch;
}

/* Does the kernel fit? Where it does not, says how wide a group may be. */
static rd_status check_memory(const rd__sched_job *job, uint32_t lanes, rd__rank_memory queue_memory, rd_error *err)
{
    const uint64_t have = job->device->info.local_bytes, need = queue_memory(job, lanes) + group_memory(job, lanes);
    uint32_t fits = lanes;
    if (lanes == 1 || !have || need <= have)
        return RD_OK;
    while (fits > 1 && queue_memory(job, fits) + group_memory(job, fits) > have)
        fits--;
    return rd__fail(err, RD_EARG,
                    "scheduler %s: %s with workers of %u lanes needs %llu bytes of group memory, and %s has %llu; the "
                    "widest possible is --worker %u",
                    job->engine->policy->name, job->app, lanes, (unsigned long long)need, job->device->info.name,
                    (unsigned long long)have, fits);
}

rd_status rd__rank_check(const rd__sched_job *job, uint32_t lanes, rd__rank_memory queue_memory, rd_error *err)
{
    const char *name = job->engine->policy->name;
    if (job->device->caps.slow_wide_compile && lanes > 1)
        return rd__fail(err, RD_EARG, "scheduler %s takes workers of one lane on %s; use --worker 1, or bsp", name,
                        job->device->info.name);
    if (job->input.graph && rd_graph_max_degree(job->input.graph) * lanes > UINT32_MAX)
        return rd__fail(err, RD_EARG,
                        "scheduler %s: a vertex has %llu edges, too many for workers of %u lanes; use a smaller "
                        "--worker, or bsp",
                        name, (unsigned long long)rd_graph_max_degree(job->input.graph), lanes);
    return check_memory(job, lanes, queue_memory, err);
}

/* Ranks so close that order hardly matters: some times the mean weight of a sample of edges. On a CPU a trip through
 * the queue costs less than a vertex that is run twice; on a GPU it is the other way round. */
static uint32_t near_of(const rd__sched_job *job, uint32_t cpu_near)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    uint64_t sum = 0, count = 0;
    if (!rd__sched_option_is(job, "near", "auto"))
        return rd__sched_number(job, "near");
    for (uint64_t e = 0; csr.weight && e < csr.edges; e += csr.edges / SAMPLE + 1, count++)
        sum += csr.weight[e] > 0 ? (uint64_t)csr.weight[e] : 0;
    /* Words of floats: a mean weight at the distance of some dozens of them. */
    const uint64_t mean = rd_graph_has_real_weights(job->input.graph) ? REAL_NEAR : count ? sum / count : 1;
    const uint64_t near = mean * (job->device->info.is_gpu ? GPU_NEAR : cpu_near);
    return near < UINT32_MAX ? (uint32_t)near : UINT32_MAX;
}

rd_status rd__rank_load(rd__rank *rank, const rd__sched_job *job, const char *defines, uint32_t cpu_near, rd_error *err)
{
    char constants[64];
    rd_device *device = job->device;
    snprintf(constants, sizeof constants, "%s", defines ? defines : "");
    rank->name = job->engine->policy->name;
    rank->device = device;
    rank->lanes = rd__rank_lanes(job);
    rank->item_bytes = rd__rank_item_bytes(job);
    rank->vertices = job->engine->model == RD__MODEL_FRONTIER;
    rank->near_by = rank->vertices ? near_of(job, cpu_near) : 0;
    rank->few = rank->vertices ? rd__sched_number(job, "few") : 0;
    rank->split = rank->vertices && rd__sched_option_is(job, "split", "on");
    if (rank->vertices)
        rd__hubs_define(job, rank->lanes, constants, sizeof constants);
    RD_TRY(rd__sched_load(job, job->engine->tag, rank->lanes, constants[0] ? constants : NULL, &rank->program, err));
    RD_TRY(rd__kernel_find(device, rank->program, "rank_work", &rank->work, err));
    RD_TRY(rd__kernel_find(device, rank->program, "rank_collect", &rank->collect, err));
    if (rank->vertices) {
        RD_TRY(rd__kernel_find(device, rank->program, "rank_seed", &rank->seed, err));
        RD_TRY(rd__seeder_open(&rank->seeder, job, rank->program, err));
    }
    RD_TRY(rd__sched_resident(job, rank->work, &rank->groups, err));
    if (is_crowded(job) && rank->groups > device->info.compute_units)
        rank->groups = device->info.compute_units; /* more take more at once, and lose the order */
    rank->groups = job->groups ? job->groups : rank->groups ? rank->groups : 1;
    return rank->vertices ? rd__hubs_open(&rank->hubs, job, rank->lanes, rank->groups > 1, err) : RD_OK;
}

rd_status rd__rank_alloc(rd__rank *rank, rd_error *err)
{
    const uint64_t items = (uint64_t)rank->groups * rank->inbox_room;
    RD_TRY(rd__buffer_alloc(rank->device, &rank->inbox, "tasks in hand", items * rank->item_bytes, err));
    return rd__buffer_alloc(rank->device, &rank->words, "control words", 8 * RANK_WORDS, err);
}

void rd__rank_free(rd__rank *rank)
{
    rd__buffer_free(&rank->inbox);
    rd__buffer_free(&rank->words);
    rd__buffer_free(&rank->spare);
    rd__hubs_close(&rank->hubs);
    rd__seeder_close(&rank->seeder);
    rd__program_unload(rank->device, rank->program);
}

/* ---- Running ---- */

static rd_status room_in_spare(rd__rank *rank, uint64_t items, rd_error *err)
{
    const uint64_t bytes = items * rank->item_bytes;
    if (rank->spare.bytes >= bytes && rank->spare.device)
        return RD_OK;
    rd__buffer_free(&rank->spare);
    return rd__buffer_alloc(rank->device, &rank->spare, "collected tasks", bytes ? bytes : rank->item_bytes, err);
}

static rd_status seed_vertices(rd__rank *rank, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *count,
                               rd_error *err)
{
    rd__launch launch = {.job = job, .kernel = rank->seed, .step = RD__NO_STEP};
    rd__arg list[RD__MAX_ARGS];
    rd__seed_view view;
    RD_TRY(rd__seeder_take(&rank->seeder, job, seeds, rank->groups, &view, err));
    RD_TRY(room_in_spare(rank, view.count, err));
    *count = view.count;
    if (view.count == 0)
        return RD_OK;
    uint32_t used = rd__seed_args(&view, list);
    list[used++] = RD__BUFFER(&rank->spare);
    launch.groups = rd__seed_groups(&view, rank->groups, rank->lanes);
    RD_TRY(rd__launch_pack(&launch, list, used, err));
    return rd__launch_once(&launch, 0, err);
}

static rd_status seed_tasks(rd__rank *rank, const rd__seeds *seeds, uint32_t *count, rd_error *err)
{
    uint64_t *item = NULL;
    if (seeds->kind != RD__SEEDS_LIST)
        return rd__fail(err, RD_EARG, "scheduler %s starts from a list of tasks", rank->name);
    RD_TRY(room_in_spare(rank, seeds->count, err));
    RD_TRY(rd__array_new(&item, "seeds on the host", 2ull * seeds->count, sizeof *item, err));
    for (uint32_t i = 0; i < seeds->count; i++) {
        item[2ull * i] = 0;
        item[2ull * i + 1] = seeds->vertex[i];
    }
    *count = seeds->count;
    const rd_status status = seeds->count ? rd__buffer_write(&rank->spare, 0, 16ull * seeds->count, item, err) : RD_OK;
    rd__array_free(item);
    return status;
}

rd_status rd__rank_seeds(rd__rank *rank, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *count,
                         rd_error *err)
{
    rank->timed = rank->vertices && rd__seeds_are_work(seeds);
    if (rank->timed)
        RD_TRY(rd__time_begin(rank->device, err));
    return rank->vertices ? seed_vertices(rank, job, seeds, count, err) : seed_tasks(rank, seeds, count, err);
}

RD__ARGS(rank_own_args, RANK_OWN_ARGS)
RD__ARGS(rank_graph_args, RANK_GRAPH_ARGS)
RD__ARGS(rank_collect_args, RANK_COLLECT_ARGS)

/* The queue's arguments, the worker's, and of vertices the graph. */
static rd_status prepare(rd__rank *rank, const rd__rank_ops *ops, const rd__sched_job *job, uint32_t turns,
                         rd__launch *launch, rd_error *err)
{
    rd__arg list[RD__MAX_ARGS];
    uint32_t limit = 0, count = ops->args((rd__sched_state *)rank, job, list, &limit);
    const rank_own_args own = {.inbox = &rank->inbox,
                               .inbox_room = rank->inbox_room,
                               .words = &rank->words,
                               .fetch = rank->fetch,
                               .limit = limit,
                               .turns = turns,
                               .near_by = rank->near_by,
                               .few = rank->few,
                               .split = rank->split};
    const rank_graph_args graph = {.row = job->input.row,
                                   .col = job->input.col,
                                   .hub_board = rd__hubs_board(&rank->hubs, &rank->words),
                                   .hub_span = rank->hubs.span};
    count += rank_own_args_pack(&own, list + count);
    if (rank->vertices)
        count += rank_graph_args_pack(&graph, list + count);
    *launch = (rd__launch){.job = job,
                           .kernel = rank->work,
                           .groups = rank->groups,
                           .keeps = 1,
                           .lends = RD__LENDS_PLACES, /* a group may have a list of its own: multi/queue.k.h */
                           .step = RD__NO_STEP};
    return rd__launch_pack(launch, list, count, err);
}

rd_status rd__rank_collect(rd__rank *rank, const rd__sched_job *job, const rd__arg *queue, uint32_t queue_count,
                           uint64_t waiting, uint64_t *kept, rd_error *err)
{
    const rank_collect_args args = {.out = &rank->spare, .words = &rank->words};
    const uint64_t zero = 0;
    uint64_t spans = 0;
    rd__arg list[RD__MAX_ARGS];
    rd__launch launch = {.job = job, .kernel = rank->collect, .groups = rank->groups, .step = RD__NO_STEP};
    RD_TRY(room_in_spare(rank, waiting, err));
    memcpy(list, queue, queue_count * sizeof *list);
    RD_TRY(rd__launch_pack(&launch, list, queue_count + rank_collect_args_pack(&args, list + queue_count), err));
    RD_TRY(rd__buffer_write(&rank->words, 8 * RANK_KEPT, sizeof zero, &zero, err));
    RD_TRY(rd__launch_once(&launch, 0, err));
    RD_TRY(rd__buffer_read(&rank->words, 8 * RANK_KEPT, sizeof *kept, kept, err));
    rank->collections++;
    rank->collected += waiting - *kept;
    RD_TRY(rd__hubs_left(&rank->hubs, &spans, err));
    spans += *kept;
    return rd__buffer_write(&rank->words, 8 * RANK_PENDING, sizeof spans, &spans, err);
}

/* What the app and the user may want to know between launches. */
static rd_status tell(rd__rank *rank, const rd__rank_ops *ops, const rd__sched_job *job, const uint64_t *word,
                      double began, rd_error *err)
{
    if (job->look) {
        rd__look look = {.seconds = rd_now() - began, .tasks = word[RANK_STATS + RANK_TASKS]};
        RD_TRY(ops->remaining((rd__sched_state *)rank, &look.left, &look.least_rank, err));
        look.given = look.tasks + look.left;
        look.needed = rank->vertices ? rank->seeds + word[RANK_STATS + RANK_FRESH] : look.given;
        job->look(job->look_user, &look);
    }
    return rd__sched_tell(job, word[RANK_STATS + RANK_TASKS], 0, "tasks", err);
}

static rd_status run_all(rd__rank *rank, const rd__rank_ops *ops, const rd__sched_job *job, uint64_t *word,
                         rd_error *err)
{
    const char *device = rank->device->info.name;
    const double first = rd_now();
    const uint64_t zero = 0;
    uint32_t turns = FIRST_TURNS;
    rd__launch launch;
    do {
        const rd__so_far so_far = {word[RANK_STATS + RANK_TASKS], 0, "tasks"};
        RD_TRY(prepare(rank, ops, job, turns, &launch, err)); /* the queue may have grown */
        if (rank->launches || job->resumes)                   /* before the first launch it is 0 */
            RD_TRY(rd__buffer_write(&rank->words, 8 * RANK_LEAVE, sizeof zero, &zero, err));
        RD_TRY(rd__launch_batch(&launch, 0, 1, err));
        rank->launches++;
        RD_TRY(rd__launch_read(&launch, so_far, &rank->words, word, 8 * RANK_WORDS, err));
        if (word[RANK_STATS + RANK_OVER])
            return rd__sched_over_gives(job, err);
        const int left = rd__sched_left(job);
        turns = rd__launch_pace(&launch, turns, MAX_TURNS, slice_seconds);
        RD_TRY(tell(rank, ops, job, word, first, err));
        if (word[RANK_PENDING] && word[RANK_LEAVE] == RANK_LEAVE_FULL)
            RD_TRY(ops->make_room((rd__sched_state *)rank, job, err));
        else if (word[RANK_PENDING] && !word[RANK_LEAVE] && !left)
            return rd__fail(err, RD_EDEVICE,
                            "%s miscomputed: scheduler %s ended with %llu tasks left; run `raddle selftest -d %s`",
                            device, rank->name, (unsigned long long)word[RANK_PENDING], device);
        if (word[RANK_PENDING])
            RD_TRY(rd__sched_pass(job, err));
    } while (word[RANK_PENDING]);
    return RD_OK;
}

rd_status rd__rank_freeze(rd__rank *rank, rd__freeze *freeze, rd_error *err)
{
    uint64_t *const count[] = {&rank->collections, &rank->collected, &rank->launches};
    RD_TRY(rd__freeze_same(freeze, "the number of groups", rank->groups, err));
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", rank->lanes, err));
    RD_TRY(rd__freeze_same(freeze, "the size of a task", rank->item_bytes, err));
    RD_TRY(rd__freeze_bytes(freeze, &rank->seeds, sizeof rank->seeds, err));
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        RD_TRY(rd__freeze_bytes(freeze, count[i], sizeof *count[i], err));
    RD_TRY(rd__freeze_fixed(freeze, &rank->hubs.board, err));
    return rd__freeze_fixed(freeze, &rank->words, err);
}

/* The time of the run, as workers spent theirs. */
static void report_split(const rd__rank *rank, const uint64_t *count, rd_report *report)
{
    if (!rank->split)
        return;
    if (!count[RANK_TICKS]) {
        rd__log(RD_LOG_WARN, "option split: %s has no clock that kernels can read; its time is not split",
                rank->device->info.name);
        return;
    }
    const double tick = report->kernel_s / (double)count[RANK_TICKS];
    const double queue_s = tick * (double)count[RANK_QUEUED], rest_s = tick * (double)count[RANK_RESTED];
    rd__measure(report, "queue_s", queue_s);
    rd__measure(report, "rest_s", rest_s);
    rd__measure(report, "work_s", report->kernel_s - queue_s - rest_s);
}

rd_status rd__rank_run(rd__rank *rank, const rd__rank_ops *ops, const rd__sched_job *job, uint32_t seeds,
                       rd_report *report, rd_error *err)
{
    uint64_t word[RANK_WORDS] = {0};
    if (!job->resumes) {
        rank->collections = rank->collected = rank->launches = 0;
        rank->seeds = seeds;
        word[RANK_PENDING] = seeds;
        RD_TRY(rd__buffer_write(&rank->words, 0, sizeof word, word, err));
        RD_TRY(rd__hubs_clear(&rank->hubs, err));
    }
    if (!rank->timed)
        RD_TRY(rd__time_begin(rank->device, err));
    const rd_status status = run_all(rank, ops, job, word, err);
    const int stopped = status == RD_ETIMEOUT || status == RD_ECANCELLED; /* the report says how far it came */
    if (status != RD_OK && !stopped)
        return status;
    if (stopped)
        RD_TRY(rd__buffer_read(&rank->words, 0, sizeof word, word, NULL));
    RD_TRY(rd__time_end(rank->device, &report->kernel_s, stopped ? NULL : err));
    const uint64_t *count = word + RANK_STATS;
    report->tasks = count[RANK_TASKS];
    report->tasks_needed = rank->vertices ? rank->seeds + count[RANK_FRESH] : count[RANK_TASKS];
    report->edges = count[RANK_EDGES];
    report->empty_polls = count[RANK_POLLS];
    report->launches = rank->launches;
    report->groups = rank->groups;
    report->lanes = rank->lanes;
    rd__measure(report, ops->peak, (double)count[RANK_PEAK]);
    rd__measure(report, "pruned", (double)count[RANK_PRUNED]);
    rd__measure(report, "collections", (double)rank->collections);
    rd__measure(report, "collected", (double)rank->collected);
    if (rank->vertices)
        rd__measure(report, "at_once", (double)count[RANK_AT_ONCE]);
    report_split(rank, count, report);
    return status;
}
