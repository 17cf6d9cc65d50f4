/* SPDX-License-Identifier: Apache-2.0 */
/* ready.c - before a job runs: what it gives its engine, whether all is there, what it will need, and getting it. */
#include "job/job.h"
#include "job/ranks.h"

#include "apps/common/arrays.h"
#include "apps/common/hand_args.k.h"
#include "apps/common/options.h"
#include "device/promise.h"
#include "graph/graph.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

/* ---- What the engine is given ---- */

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

/* Units of a GPU that it wanted when it was started: how many groups those hold only the kernel tells. 0: all. */
static uint32_t workers_of(const rd_job *job)
{
    return job->turn && job->device->info.is_gpu ? job->turn->workers : 0;
}

/* How many groups it is to have: what was set, or the workers that it wanted when it was started; 0: all there are. */
static uint32_t groups_of(const rd_job *job)
{
    const uint32_t workers = job->turn && !job->device->info.is_gpu ? job->turn->workers : 0;
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
                          .constants = job->app->constants ? job->app->constants(job) : NULL,
                          .engine = job->engine,
                          .settings = &job->settings,
                          .launch = job->launch,
                          .persistent = strcmp(job->launch, "persistent") == 0,
                          .looped = strcmp(job->launch, "graph") == 0,
                          .worker = worker_of(job),
                          .groups = groups_of(job),
                          .workers = workers_of(job),
                          .args = args,
                          .arg_count = pack_args(job, args),
                          .deadline = seconds > 0 ? rd_now() + seconds : 0,
                          .progress = job->progress,
                          .progress_user = job->progress_user,
                          .look = job->app->look || rd__trace_is_on(job) ? look_at : NULL,
                          .traced = job->trace_path != NULL,
                          .trace_asked = rd__trace_asked(job),
                          .shares = (uint8_t)job->shares,
                          .turn = job->turn,
                          .pause = job->pause,
                          .resumes = job->frozen != NULL,
                          .look_user = job,
                          .input = {.graph = job->graph, .row = &job->row, .col = &job->col},
                          .frontier = {.repeats = (traits & RD__TRAIT_REPEATS) != 0,
                                       .urgent = (traits & RD__TRAIT_URGENT) != 0,
                                       .pulls = (traits & RD__TRAIT_PULLS) != 0,
                                       .late = (traits & RD__TRAIT_LATE) != 0,
                                       .deep = job->is_deep,
                                       .all_seeds = job->app->all_seeds},
                          .whole = (traits & RD__TRAIT_WHOLE) != 0,
                          .patient = (traits & RD__TRAIT_PATIENT) != 0,
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
    const rd__part *part = rd__graph_part(job->graph); /* by itself it is not: ghosts have no edges */
    if (job->app->needs_symmetric && !(part ? part->symmetric : rd_graph_is_symmetric(job->graph)))
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

/* ---- Getting it ---- */

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

/* Preparing takes its time too, with large inputs or programs that have to be compiled. */
static rd_status may_go_on(const rd_job *job, rd_error *err)
{
    const rd__watch watch = rd__job_watch(job);
    if (rd__watch_stops(&watch, "preparing", 0, 0, "steps"))
        return rd__fail(err, RD_ECANCELLED, "%s was stopped on request, before it ran", job->app->info.name);
    return RD_OK;
}

/* An array of the graph, in slices that somebody may hear of. *done: of all that is to be copied. */
static rd_status upload(rd_job *job, rd__buffer *buffer, const char *name, uint64_t bytes, const void *data,
                        uint64_t *done, uint64_t all, rd_error *err)
{
    static const uint64_t slice = 4ull << 30; /* a tenth of a second to half a second */
    const rd__watch watch = rd__job_watch(job);
    if (bytes <= slice || job->device->caps.shares_host) {
        *done += bytes;
        return rd__buffer_from(job->device, buffer, name, bytes, data, err);
    }
    RD_TRY(rd__buffer_alloc(job->device, buffer, name, bytes, err));
    rd_status status = RD_OK;
    for (uint64_t at = 0; status == RD_OK && at < bytes; at += slice) {
        const uint64_t some = bytes - at < slice ? bytes - at : slice;
        status = rd__buffer_write(buffer, at, some, (const char *)data + at, err);
        *done += some;
        if (status == RD_OK && rd__watch_stops(&watch, "copying to the device", *done, all, "bytes"))
            status = rd__fail(err, RD_ECANCELLED, "%s was stopped on request, before it ran", job->app->info.name);
    }
    if (status != RD_OK)
        rd__buffer_free(buffer);
    return status;
}

static rd_status upload_graph(rd_job *job, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint64_t rows = 8ull * (csr.vertices + 1ull), edges = 4ull * csr.edges;
    const int weighted = job->app->info.input == RD_INPUT_WEIGHTED;
    const uint64_t all = rows + (weighted ? 2 : 1) * edges;
    uint64_t done = 0;
    RD_TRY(upload(job, &job->row, "graph: row offsets", rows, csr.row, &done, all, err));
    RD_TRY(upload(job, &job->col, "graph: edge targets", edges, csr.col, &done, all, err));
    if (!weighted)
        return RD_OK;
    const void *weight =
        csr.weight ? (const void *)csr.weight : csr.col; /* no edges, no weights: any address will do */
    return upload(job, &job->weight, "graph: weights", edges, weight, &done, all, err);
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
        job->made_for[0] = view.groups;
        job->made_for[1] = view.workers;
        job->compile_s = rd_now() - began;
        RD_TRY(may_go_on(job, err));
    }
    job->ready = 1;
    return RD_OK;
}

static int is_made(const rd_job *job)
{
    return job->made_for[0] == groups_of(job) && job->made_for[1] == workers_of(job);
}

int rd__job_is_prepared(rd_job *job, rd__turn *turn)
{
    job->turn = turn;
    const int made = is_made(job);
    job->turn = NULL;
    return made && job->ready && job->shares && job->has_run;
}

rd_status rd__job_make_ready(rd_job *job, rd_error *err)
{
    if (!is_made(job)) /* the last run was of other workers */
        rd__job_drop_sched(job);
    RD_TRY(check_ready(job, err));
    if (job->ready)
        return RD_OK;
    rd__options_say_unused(job);
    const uint64_t before = rd__buffer_balance();
    const rd_status status = prepare(job, err);
    job->allocated += rd__buffer_balance() - before;
    if (status != RD_OK)
        rd__job_release(job); /* all or nothing: the next attempt starts clean */
    return status;
}

/* ---- What was chosen ---- */

rd__width rd__job_width(rd_job *job)
{
    rd__arg args[RD__APP_MAX_ARGS];
    const rd__sched_job view = rd__job_view(job, args);
    return job->engine->width(&view);
}

/* What a more urgent job that wants some of the workers gets of a run that was started: a line, or "". */
static void explain_lending(rd_job *job, char *text, size_t room)
{
    rd__arg args[RD__APP_MAX_ARGS];
    const rd_device *device = job->device;
    *text = '\0';
    if (!device || device->caps.only_compiles)
        return;
    const rd__sched_job view = rd__job_view(job, args);
    const char *why = device->info.compute_units < 2 ? "the device has one worker"
                      : !device->caps.lends          ? "the device runs one job at a time"
                      : job->engine->needs_all       ? job->engine->needs_all(&view)
                                                     : rd__sched_places(&view);
    if (*why)
        snprintf(text, room, "\nshared: makes way for urgent jobs as a whole: %s", why);
    else
        snprintf(text, room, "\nshared: lends urgent jobs as many workers as they ask for, and goes on with the rest");
}

rd_status rd_job_explain(rd_job *job, const char **text, rd_error *err)
{
    char asked[48] = "", groups[128], lending[160];
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
    explain_lending(job, lending, sizeof lending);
    snprintf(job->explained, sizeof job->explained, "%s\nworker of %u lane%s: %s%s; %s%s", job->why, width.lanes,
             width.lanes == 1 ? "" : "s", width.lanes_why, asked, groups, lending);
    *text = job->explained;
    return RD_OK;
}
