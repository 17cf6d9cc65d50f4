/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - a job: an app with its options and input, under a scheduler, on a device. job/settings.c sets its options. */
#include "job/checkpoint.h"
#include "job/ranks.h"

#include "apps/common/arrays.h"
#include "apps/common/hand_args.k.h"
#include "apps/common/options.h"

#include "core/memory.h"
#include "device/promise.h"
#include "graph/graph.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Making ---- */

void rd__job_claim(const rd_job *job, rd__turn *turn)
{
    *turn = (rd__turn){.priority = INT_MAX};
    /* acquire: pairs with the swap that made the turns. A job that runs has the device already, and so has a thread
     * that is called back by one. */
    if (!job->device || __atomic_load_n(&job->running, __ATOMIC_RELAXED) || rd__device_is_mine(job->device) ||
        !__atomic_load_n(&job->device->turns, __ATOMIC_ACQUIRE))
        return;
    turn->device = job->device;
    if (rd__turn_take(turn, NULL) != RD_OK)
        turn->device = NULL; /* in a child of fork(): nobody shares it here */
}

void rd__job_unclaim(rd__turn *turn)
{
    if (turn->device)
        rd__turn_give(turn);
}

void rd__job_release(rd_job *job)
{
    rd__turn turn;
    rd__job_drop_spare(job);
    rd__job_drop_other(job);
    rd__job_claim(job, &turn);
    if (job->sched_state)
        job->engine->destroy(job->sched_state);
    job->sched_state = NULL;
    if (job->app->free)
        job->app->free(job);
    rd__arrays_free(job);
    rd__buffer_free(&job->part.in);
    rd__buffer_free(&job->part.out);
    rd__buffer_free(&job->row);
    rd__buffer_free(&job->col);
    rd__buffer_free(&job->weight);
    job->uploaded = job->ready = job->has_run = job->fetched = 0;
    job->allocated = 0;
    rd__job_unclaim(&turn);
}

rd_status rd__job_ask(const rd_job *job, const char *call, rd_error *err)
{
    if (!job)
        return rd__fail(err, RD_EARG, "%s needs a job, not NULL", call);
    if (__atomic_load_n(&job->running, __ATOMIC_ACQUIRE)) /* pairs with the release at the end of rd_job_run */
        return rd__fail(err, RD_EARG,
                        "%s: the job of %s is running, in another thread or around this callback; wait "
                        "until rd_job_run, or after rd_job_start rd_job_wait, has returned",
                        call, job->app->info.name);
    return RD_OK;
}

rd_status rd_job_create(rd_device *device, const char *name, rd_job **out, rd_error *err)
{
    if (!out)
        return rd__fail(err, RD_EARG, "rd_job_create needs a place to put the job");
    *out = NULL;
    const rd__app *app = name ? rd__app_find(name) : NULL;
    if (!app)
        return rd__fail(err, RD_EARG, "there is no app called '%s'", name ? name : "(null)");
    rd_job *job = rd__calloc(1, sizeof *job);
    void *state = rd__calloc(1, app->state_bytes);
    rd__memory *memory = rd__calloc(1, sizeof *memory);
    if (!job || !state || !memory) {
        rd__free(job);
        rd__free(state);
        rd__free(memory);
        return rd__fail_memory(err, "a job", sizeof *job + app->state_bytes + sizeof *memory);
    }
    job->app = app;
    job->memory = memory;
    job->learn = RD__LEARN_ON;
    job->hands = RD__HANDS_AUTO;
    job->state = state;
    job->device = device;
    rd__device_hold(device);
    job->engine = rd__app_engines(app)[0];
    job->launch = job->engine->policy->launches[0];
    rd__options_init(job);
    if (app->init)
        app->init(job);
    *out = job;
    return RD_OK;
}

/* The job's hold on a graph is the only one that may be left of it, and gives it back as its maker would. */
static void drop_graph(rd_job *job)
{
    rd_graph_destroy((rd_graph *)(uintptr_t)job->graph);
    job->graph = NULL;
}

void rd_job_destroy(rd_job *job)
{
    rd__job_end_started(job);
    if (!job || rd__job_ask(job, "rd_job_destroy", NULL) != RD_OK)
        return;
    rd__job_release(job);
    if (job->app->close)
        job->app->close(job);
    drop_graph(job);
    rd__device_drop(job->device);
    rd__free(job->input);
    rd__free(job->trace_path);
    rd__checkpoint_free(job);
    rd__free(job->frozen);
    rd__free(job->state);
    rd__free(job->memory);
    rd__free(job);
}

rd_status rd_job_set_graph(rd_job *job, const rd_graph *graph, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_set_graph", err));
    if (!graph)
        return rd__fail(err, RD_EARG, "rd_job_set_graph needs a graph");
    if (!rd_app_takes_graph(&job->app->info))
        return rd__fail(err, RD_EARG, "%s does not take a graph", job->app->info.name);
    if (graph == job->graph) /* held, so it is the same one */
        return RD_OK;
    rd__job_release(job); /* buffers may lie in the old graph's arrays */
    rd__job_forget(job);
    drop_graph(job);
    rd__graph_hold(graph);
    job->graph = graph;
    return RD_OK;
}

rd_status rd_job_set_input(rd_job *job, const char *text, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_set_input", err));
    if (job->app->info.input != RD_INPUT_TEXT || !text)
        return rd__fail(err, RD_EARG, text ? "%s takes no input of this kind" : "rd_job_set_input of %s needs a text",
                        job->app->info.name);
    char *copy = rd__strdup(text);
    if (!copy)
        return rd__fail_memory(err, "the name of an input", strlen(text) + 1);
    rd__free(job->input);
    job->input = copy;
    return rd__job_open_again(job, err);
}

rd_status rd__job_open_again(rd_job *job, rd_error *err)
{
    rd__job_forget(job);
    if (!job->input)
        return RD_OK;
    rd__job_release(job);
    const rd_status status = job->app->open(job, job->input, err);
    if (status != RD_OK) {
        rd__free(job->input);
        job->input = NULL;
    }
    return status;
}

void rd_job_set_progress(rd_job *job, rd_progress_fn progress, void *user)
{
    if (rd__job_ask(job, "rd_job_set_progress", NULL) != RD_OK)
        return;
    job->progress = progress;
    job->progress_user = user;
}

/* ---- Planning ---- */

static void look_at(void *user, const rd__look *look)
{
    rd_job *job = user;
    if (job->app->look)
        job->app->look(job, look);
    rd__trace_look(job, look);
}

/* The programs of the device cpu are compiled for one width: there a worker is what the device says, whatever was asked
 * for. */
static uint32_t worker_of(const rd_job *job)
{
    return job->device && job->device->caps.fixed_width ? 0 : job->worker;
}

uint32_t rd__job_groups(const rd_job *job)
{
    const uint32_t workers = job->turn ? job->turn->workers : 0;
    return workers && (!job->groups || workers < job->groups) ? workers : job->groups;
}

/* The root that runs under the job's engine. */
static const char *root_of(const rd_job *job)
{
    const rd__app *app = job->app;
    if (rd__job_in_parts(job))
        return app->ranks->root;
    if (app->root)
        return app->root(job);
    if (!app->roots)
        return app->info.name;
    const char *const *root = app->roots;
    while (root[1] && !rd__engine_runs(job->engine, *root))
        root++;
    return *root;
}

RD__ARGS(hand_args, HAND_ARGS)

/* The app's, and of tasks that ranks share what hands them over, behind those. */
static uint32_t pack_args(rd_job *job, rd__arg *args)
{
    const rd__ranks_run *part = &job->part;
    const hand_args hand = {.hand_in = &part->in,
                            .hand_out = &part->out,
                            .hand_room = part->room,
                            .hand_budget = part->budget,
                            .hand_root = part->root};
    const uint32_t used = job->app->args(job, args);
    if (!rd__job_in_parts(job) || job->app->ranks->kind != RD__RANKS_SHARE)
        return used;
    return used + hand_args_pack(&hand, args + used);
}

rd__sched_job rd__job_view(rd_job *job, rd__arg *args)
{
    const rd__root *root = rd__root_find(root_of(job));
    const uint32_t traits = root ? root->traits : 0;
    const double seconds = job->budget > 0 ? job->budget : job->timeout;
    rd__sched_job view = {.device = job->device,
                          .app = job->app->info.name,
                          .program = root ? root->name : "",
                          .engine = job->engine,
                          .settings = &job->settings,
                          .launch = job->launch,
                          .persistent = strcmp(job->launch, "persistent") == 0,
                          .worker = worker_of(job),
                          .groups = rd__job_groups(job),
                          .args = args,
                          .arg_count = pack_args(job, args),
                          .deadline = seconds > 0 ? rd_now() + seconds : 0,
                          .progress = job->progress,
                          .progress_user = job->progress_user,
                          .look = job->app->look || job->trace ? look_at : NULL,
                          .traced = job->trace != NULL,
                          .shares = (uint8_t)job->shares,
                          .turn = job->turn,
                          .pause = job->pause,
                          .resumes = job->frozen != NULL,
                          .look_user = job,
                          .input = {.graph = job->graph, .row = &job->row, .col = &job->col},
                          .frontier = {.repeats = (traits & RD__TRAIT_REPEATS) != 0,
                                       .urgent = (traits & RD__TRAIT_URGENT) != 0,
                                       .pulls = (traits & RD__TRAIT_PULLS) != 0,
                                       .all_seeds = job->app->all_seeds},
                          .forkjoin = job->app->forkjoin};
    if (job->app->bind_input)
        job->app->bind_input(job, &view);
    if (job->app->plane)
        job->app->plane(job, &view.plane);
    if (job->app->dag)
        job->app->dag(job, &view.dag);
    rd__hand_limits(job, &view);
    return view;
}

/* Is all there that the app needs, and does it fit together? */
static rd_status check_ready(rd_job *job, rd_error *err)
{
    const char *name = job->app->info.name;
    if (rd_app_takes_graph(&job->app->info) && !job->graph)
        return rd__fail(err, RD_EARG, "%s needs a graph: call rd_job_set_graph first", name);
    if (job->app->info.input == RD_INPUT_WEIGHTED && job->graph && !rd_graph_csr(job->graph).weight &&
        rd_graph_csr(job->graph).edges)
        return rd__fail(err, RD_EARG, "%s needs a graph with weights; --weights 1-255 draws some", name);
    if (job->app->info.input == RD_INPUT_TEXT && !job->input)
        return rd__fail(err, RD_EARG, "%s needs an input: call rd_job_set_input first", name);
    if (job->device && worker_of(job) > job->device->info.max_group)
        return rd__fail(err, RD_EARG, "option worker: %s has groups of at most %u lanes, not %u",
                        job->device->info.name, job->device->info.max_group, job->worker);
    if (!job->ready) /* a change of options or input makes it unready */
        rd__choose(job);
    RD_TRY(rd__settings_check(job, err));
    RD_TRY(rd__job_ready_parts(job, err));
    if (job->app->needs_symmetric && !rd_graph_is_symmetric(job->graph))
        return rd__fail(err, RD_EARG,
                        "%s needs a symmetric graph: each edge with its reverse; option -s (symmetrize) adds them",
                        name);
    RD_TRY(rd__options_check(job, err));
    return job->app->validate ? job->app->validate(job, err) : RD_OK;
}

static rd_status make_plan(rd_job *job, rd_plan *plan, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    *plan = (rd_plan){0};
    RD_TRY(check_ready(job, err));
    const int shared = job->device && job->device->caps.shares_host;
    if (job->graph) {
        const rd_csr csr = rd_graph_csr(job->graph);
        rd__plan_add(plan, "graph: row offsets", 8ull * (csr.vertices + 1ull), 1, shared);
        rd__plan_add(plan, "graph: edge targets", 4ull * csr.edges, 1, shared);
        if (job->app->info.input == RD_INPUT_WEIGHTED)
            rd__plan_add(plan, "graph: weights", 4ull * csr.edges, 1, shared);
    }
    if (job->app->plan)
        job->app->plan(job, plan);
    rd__arrays_plan(job, plan);
    const rd__sched_job view = rd__job_view(job, args);
    job->engine->plan(&view, plan);
    return RD_OK;
}

rd_status rd_job_plan(rd_job *job, rd_plan *plan, rd_error *err)
{
    if (!plan)
        return rd__fail(err, RD_EARG, "rd_job_plan needs a place for the plan");
    *plan = (rd_plan){0};
    RD_TRY(rd__job_ask(job, "rd_job_plan", err));
    return make_plan(job, plan, err);
}

/* ---- Running ---- */

static rd_status check_fits(rd_job *job, rd_error *err)
{
    rd_plan plan;
    char need[32], have[32], graph[32], own[32];
    RD_TRY(make_plan(job, &plan, err));
    const uint64_t limit = rd__device_memory_limit(job->device);
    if (limit && plan.alloc_bytes > limit)
        return rd__fail(err, RD_ENOMEM,
                        "the input is too large for %s: %s needs %s there (graph %s, own buffers %s) and %s are free; "
                        "--dry-run shows the plan",
                        job->device->info.name, job->app->info.name,
                        rd_format_bytes(plan.alloc_bytes, need, sizeof need),
                        rd_format_bytes(plan.graph_bytes, graph, sizeof graph),
                        rd_format_bytes(plan.own_bytes, own, sizeof own), rd_format_bytes(limit, have, sizeof have));
    return RD_OK;
}

static rd_status upload_graph(rd_job *job, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(rd__buffer_from(job->device, &job->row, "graph: row offsets", 8ull * (csr.vertices + 1ull), csr.row, err));
    RD_TRY(rd__buffer_from(job->device, &job->col, "graph: edge targets", 4ull * csr.edges, csr.col, err));
    if (job->app->info.input != RD_INPUT_WEIGHTED)
        return RD_OK;
    const void *weight =
        csr.weight ? (const void *)csr.weight : csr.col; /* no edges, no weights: any address will do */
    return rd__buffer_from(job->device, &job->weight, "graph: weights", 4ull * csr.edges, weight, err);
}

/* Preparing takes its time too, with large inputs or programs that have to be compiled. */
static rd_status may_go_on(const rd_job *job, rd_error *err)
{
    const rd__watch watch = rd__job_watch(job);
    if (rd__watch_stops(&watch, "preparing", 0, 0, "steps"))
        return rd__fail(err, RD_ECANCELLED, "%s was stopped on request, before it ran", job->app->info.name);
    return RD_OK;
}

static rd_status prepare(rd_job *job, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    if (!job->uploaded) {
        RD_TRY(check_fits(job, err));
        double began = rd_now();
        if (job->graph)
            RD_TRY(upload_graph(job, err));
        RD_TRY(may_go_on(job, err));
        RD_TRY(rd__arrays_alloc(job, err));
        if (job->app->alloc)
            RD_TRY(job->app->alloc(job, err));
        job->upload_s = rd_now() - began;
        job->uploaded = 1;
    }
    if (!job->sched_state) {
        RD_TRY(may_go_on(job, err));
        double began = rd_now();
        const rd__sched_job view = rd__job_view(job, args);
        if (view.persistent)
            RD_TRY(rd__device_may_persist(job->device, err));
        RD_TRY(job->engine->create(&view, &job->sched_state, err));
        job->made_for = view.groups;
        job->compile_s = rd_now() - began;
        RD_TRY(may_go_on(job, err));
    }
    job->ready = 1;
    return RD_OK;
}

void rd__report_add(rd_report *sum, const rd_report *stage)
{
    sum->kernel_s += stage->kernel_s;
    sum->tasks += stage->tasks;
    sum->edges += stage->edges;
    sum->rounds += stage->rounds;
    sum->launches += stage->launches;
    sum->pulled += stage->pulled;
    sum->tasks_needed += stage->tasks_needed;
    sum->reservations += stage->reservations;
    sum->empty_polls += stage->empty_polls;
    sum->sum += stage->sum;
    sum->groups = stage->groups > sum->groups ? stage->groups : sum->groups;
    sum->lanes = stage->lanes;
    for (uint32_t i = 0; i < stage->measures; i++) {
        uint32_t k = 0;
        while (k < sum->measures && strcmp(sum->measure[k].name, stage->measure[i].name) != 0)
            k++;
        if (k == sum->measures)
            rd__measure(sum, stage->measure[i].name, stage->measure[i].value);
        else
            sum->measure[k].value += stage->measure[i].value;
    }
}

/* Stages may be so short that nobody looks at the time while one runs. */
static rd_status may_start_stage(const rd__sched_job *view, const rd_report *report, rd_error *err)
{
    if (view->deadline != 0 && rd_now() >= view->deadline)
        return rd__fail(err, RD_ETIMEOUT,
                        "%s on %s: the time allowed was used up between two stages; %llu tasks had run", view->app,
                        view->device->info.name, (unsigned long long)report->tasks);
    if (view->turn)
        RD_TRY(rd__turn_pass(view->turn, 0, err));
    return rd__sched_tell(view, report->tasks, 0, "tasks", err);
}

/* One stage after another, as long as the app names seeds for another one. */
static rd_status run_stages(rd_job *job, rd__seeds *seeds, rd_report *report, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    rd__sched_job view = rd__job_view(job, args);
    const double deadline = view.deadline;
    uint32_t stages = 1;
    int more = 0;
    rd_status status = rd__job_run_engine(job, &view, seeds, report, err);
    if (!job->app->next)
        return status;
    if (status == RD_OK) {
        *seeds = (rd__seeds){0};
        status = job->app->next(job, report, seeds, &more, err);
    }
    while (status == RD_OK && more) {
        rd_report stage = {0};
        RD_TRY(may_start_stage(&view, report, err));
        rd__trace_stage(job);
        view = rd__job_view(job, args);
        view.deadline = deadline;
        status = rd__job_run_engine(job, &view, seeds, &stage, err);
        rd__report_add(report, &stage);
        stages++;
        more = 0;
        *seeds = (rd__seeds){0};
        if (status == RD_OK)
            status = job->app->next(job, report, seeds, &more, err);
    }
    rd__measure(report, "stages", stages);
    return status;
}

rd_status rd__job_slice(rd_job *job, const rd__seeds *seeds, rd_report *report, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    rd_report slice = {0};
    rd__sched_job view = rd__job_view(job, args);
    view.deadline = job->ranks->deadline;
    const rd_status status = job->engine->run(job->sched_state, &view, seeds, &slice, err);
    rd__report_add(report, &slice);
    return status;
}

static rd_status run(rd_job *job, rd_report *report, rd_error *err)
{
    rd__seeds seeds = {.kind = job->app->all_seeds ? RD__SEEDS_ALL : RD__SEEDS_LIST,
                       .count = job->app->forkjoin.words != 0}; /* the kernel makes it */
    double began = rd_now();
    job->fetched = job->measured = 0;
    RD_TRY(rd__arrays_fill(job, err));
    if (job->app->start && !rd__job_in_parts(job))
        RD_TRY(job->app->start(job, &seeds, err));
    if (job->frozen)
        RD_TRY(rd__job_thaw(job, job->frozen, err));
    const rd_status status =
        rd__job_in_parts(job) ? rd__job_run_parts(job, report, err) : run_stages(job, &seeds, report, err);
    job->stopped = job->app->partial && !rd__job_in_parts(job) && (status == RD_ETIMEOUT || status == RD_ECANCELLED);
    if (status != RD_OK && !job->stopped)
        return status;
    if (job->turn) {
        report->kernel_s += job->turn->device_s;
        rd__measure(report, "passed", job->turn->passed);
        rd__measure(report, "waited_s", job->turn->waited_s);
        if (job->device->caps.lends) {
            rd__measure(report, "lent", job->turn->lendings);
            rd__measure(report, "beside", job->turn->beside);
        }
    }
    report->run_s = rd_now() - began;
    job->last = *report;
    if (job->app->finish)
        RD_TRY(job->app->finish(job, err));
    if (job->app->report && !rd__job_in_parts(job))
        job->app->report(job, report);
    job->last = *report; /* with the app's measures */
    return status;
}

static rd_status make_ready(rd_job *job, rd_error *err)
{
    if (job->made_for != rd__job_groups(job)) /* the last run was of other workers */
        rd__job_drop_sched(job);
    RD_TRY(check_ready(job, err));
    if (job->ready)
        return RD_OK;
    const uint64_t before = rd__buffer_balance();
    const rd_status status = prepare(job, err);
    job->allocated += rd__buffer_balance() - before;
    if (status != RD_OK)
        rd__job_release(job); /* all or nothing: the next attempt starts clean */
    return status;
}

rd_status rd__job_run_once(rd_job *job, rd_report *report, rd_error *err)
{
    RD_TRY(make_ready(job, err));
    const uint64_t before = rd__buffer_balance();
    const uint32_t forced = job->device->forced;
    job->stopped = 0;
    RD_TRY(rd__trace_open(job, err));
    const rd_status status = rd__trace_close(job, run(job, report, err), report, err);
    job->allocated += rd__buffer_balance() - before; /* schedulers may need more while they run */
    if (status != RD_OK && job->device->forced != forced)
        rd__job_release(job); /* what kernels left half-way is not to be gone on with */
    return status;
}

rd_status rd__job_run_alone(rd_job *job, rd_report *report, rd_error *err)
{
    rd_report own = {0};
    job->has_run = 0;
    const rd_status status = rd__job_run_learning(job, &own, err);
    if (status != RD_OK && !(job->stopped && (status == RD_ETIMEOUT || status == RD_ECANCELLED)))
        return status;
    own.compile_s = job->compile_s;
    own.upload_s = job->upload_s;
    job->compile_s = job->upload_s = 0;
    own.bytes_allocated = job->allocated;
    own.sched = job->engine->policy->name;
    own.launch = job->launch;
    job->has_run = 1;
    if (report)
        *report = own;
    return status;
}

/* Before work on the job's device, and after it. */
static rd_status begin_work(rd_job *job, const char *call, rd_error *err)
{
    RD_TRY(rd__job_ask(job, call, err));
    if (!job->device)
        return rd__fail(err, RD_EARG, "this job was made without a device: it can only be planned");
    RD_TRY(rd__device_enter(job->device, err));
    __atomic_store_n(&job->running, 1, __ATOMIC_RELAXED); /* a job has one device, so whoever entered it is alone */
    return RD_OK;
}

static rd_status end_work(rd_job *job, rd_status status)
{
    __atomic_store_n(&job->running, 0, __ATOMIC_RELEASE); /* pairs with the acquire in rd__job_ask */
    return rd__device_leave(job->device, status);
}

rd_status rd_job_compile(rd_job *job, rd_error *err)
{
    RD_TRY(begin_work(job, "rd_job_compile", err));
    return end_work(job, make_ready(job, err));
}

rd_status rd_job_run(rd_job *job, rd_report *report, rd_error *err)
{
    RD_TRY(begin_work(job, "rd_job_run", err));
    return end_work(job, rd__job_run_alone(job, report, err));
}

rd__width rd__job_width(rd_job *job)
{
    rd__arg args[RD__APP_MAX_ARGS];
    const rd__sched_job view = rd__job_view(job, args);
    return job->engine->width(&view);
}

rd_status rd_job_explain(rd_job *job, const char **text, rd_error *err)
{
    char asked[48] = "", groups[128];
    if (!text)
        return rd__fail(err, RD_EARG, "rd_job_explain needs a place for the text");
    *text = "";
    RD_TRY(rd__job_ask(job, "rd_job_explain", err));
    RD_TRY(check_ready(job, err));
    const rd__width width = rd__job_width(job);
    if (job->worker && job->worker != width.lanes)
        snprintf(asked, sizeof asked, ", whatever --worker says");
    if (width.groups)
        snprintf(groups, sizeof groups, "%s%u group%s: %s", width.at_most ? "at most " : "", width.groups,
                 width.groups == 1 ? "" : "s", width.groups_why);
    else
        snprintf(groups, sizeof groups, "as many groups as are resident at once");
    snprintf(job->explained, sizeof job->explained, "%s\nworker of %u lane%s: %s%s; %s", job->why, width.lanes,
             width.lanes == 1 ? "" : "s", width.lanes_why, asked, groups);
    *text = job->explained;
    return RD_OK;
}
