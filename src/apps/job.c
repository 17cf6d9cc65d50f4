/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - a job: an app with its options and graph, under a scheduler, on a device. */
#include "apps/app.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

static const rd_option_info common[] = {
    {"sched", "NAME", NULL, "scheduler (default: the app's first)", 0},
    {"launch", "NAME", NULL, "how the run is kept going: discrete, persistent (default: the scheduler's first)", 0},
    {"direction", "NAME", "auto", "of bsp: push, pull, or auto to switch (pulling needs a symmetric graph)", 0},
    {"worker", "LANES", "0", "lanes that act as one worker (default: by device)", 0},
    {"groups", "N", "0", "groups to launch (default: as many as fit the device at once)", 0},
    {"timeout", "SECONDS", "0", "stop a run that takes longer (default: never)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static const char *const directions[] = {"auto", "push", "pull", NULL};

const rd_option_info *rd_common_options(void)
{
    return common;
}

/* ---- Making ---- */

static const rd__app *find_app(const char *name)
{
    for (const rd__app *const *app = rd__apps; *app; app++)
        if (strcmp((*app)->info.name, name) == 0)
            return *app;
    return NULL;
}

static void release(rd_job *job)
{
    if (job->sched_state)
        job->sched->destroy(job->sched_state);
    job->sched_state = NULL;
    job->app->free(job);
    rd__buffer_free(&job->row);
    rd__buffer_free(&job->col);
    job->ready = job->has_run = 0;
    job->allocated = 0;
}

rd_status rd_job_create(rd_device *device, const char *name, rd_job **out, rd_error *err)
{
    *out = NULL;
    const rd__app *app = name ? find_app(name) : NULL;
    if (!app)
        return rd__fail(err, RD_EARG, "there is no app called '%s'", name ? name : "(null)");
    rd_job *job = rd__calloc(1, sizeof *job);
    void *state = rd__calloc(1, app->state_bytes);
    if (!job || !state) {
        rd__free(job);
        rd__free(state);
        return rd__fail_memory(err, "a job", sizeof *job + app->state_bytes);
    }
    job->app = app;
    job->state = state;
    job->device = device;
    job->sched = rd__sched_find(app->info.schedulers[0]);
    job->launch = job->sched->launches[0];
    job->direction = directions[0];
    app->init(job);
    *out = job;
    return RD_OK;
}

void rd_job_destroy(rd_job *job)
{
    if (!job)
        return;
    release(job);
    rd__free(job->state);
    rd__free(job);
}

/* ---- Options ---- */

/* Writes the names into text, separated by commas. */
static void join(const char *const *names, char *text, size_t room)
{
    text[0] = '\0';
    for (size_t used = 0; *names && used < room; names++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", *names);
}

static rd_status set_sched(rd_job *job, const char *value, rd_error *err)
{
    char names[128];
    for (const char *const *name = job->app->info.schedulers; *name; name++)
        if (strcmp(*name, value) == 0) {
            job->sched = rd__sched_find(value);
            job->launch = job->sched->launches[0];
            return RD_OK;
        }
    join(job->app->info.schedulers, names, sizeof names);
    return rd__fail(err, RD_EARG, "%s does not run under a scheduler '%s'; it runs under: %s", job->app->info.name,
                    value, names);
}

static rd_status set_launch(rd_job *job, const char *value, rd_error *err)
{
    char names[128];
    for (const char *const *name = job->sched->launches; *name; name++)
        if (strcmp(*name, value) == 0) {
            job->launch = *name;
            return RD_OK;
        }
    join(job->sched->launches, names, sizeof names);
    return rd__fail(err, RD_EARG, "scheduler %s has no launch '%s'; it has: %s", job->sched->name, value, names);
}

static rd_status set_direction(rd_job *job, const char *value, rd_error *err)
{
    char names[64];
    for (const char *const *name = directions; *name; name++)
        if (strcmp(*name, value) == 0) {
            job->direction = *name;
            return RD_OK;
        }
    join(directions, names, sizeof names);
    return rd__fail(err, RD_EARG, "there is no direction '%s'; there are: %s", value, names);
}

static rd_status set_count(const char *key, const char *value, uint64_t most, uint32_t *out, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(value, &number) || number > most)
        return rd__fail(err, RD_EARG, "option %s takes a number from 0 to %llu, not '%s'", key,
                        (unsigned long long)most, value);
    *out = (uint32_t)number;
    return RD_OK;
}

static rd_status set_common(rd_job *job, const char *key, const char *value, rd_error *err)
{
    if (strcmp(key, "sched") == 0)
        return set_sched(job, value, err);
    if (strcmp(key, "launch") == 0)
        return set_launch(job, value, err);
    if (strcmp(key, "direction") == 0)
        return set_direction(job, value, err);
    if (strcmp(key, "worker") == 0)
        return set_count(key, value, 1024, &job->worker, err);
    if (strcmp(key, "groups") == 0)
        return set_count(key, value, 1u << 20, &job->groups, err);
    double seconds;
    if (!rd_parse_double(value, &seconds) || seconds < 0)
        return rd__fail(err, RD_EARG, "option timeout takes seconds, not '%s'", value);
    job->timeout = seconds;
    return RD_OK;
}

static int has_option(const rd_option_info *option, const char *key)
{
    for (; option->key; option++)
        if (strcmp(option->key, key) == 0)
            return 1;
    return 0;
}

rd_status rd_job_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    if (!key || !value)
        return rd__fail(err, RD_EARG, "rd_job_set needs a key and a value");
    if (has_option(job->app->info.options, key))
        return job->app->set(job, key, value, err);
    if (!has_option(common, key))
        return rd__fail(err, RD_EARG, "%s has no option '%s'", job->app->info.name, key);
    const rd__sched *sched = job->sched;
    const char *launch = job->launch, *direction = job->direction;
    const uint32_t worker = job->worker, groups = job->groups;
    rd__sched_state *state = job->sched_state;
    job->sched_state = NULL;
    rd_status status = set_common(job, key, value, err);
    const int same = sched == job->sched && launch == job->launch && direction == job->direction &&
                     worker == job->worker && groups == job->groups;
    if (state && !same) {
        /* What was made for the old scheduler or width is of no use any more; the graph and the app's buffers stay. */
        const uint64_t before = job->device->allocated;
        sched->destroy(state);
        job->allocated -= before - job->device->allocated;
        state = NULL;
        job->ready = 0;
    }
    job->sched_state = state;
    return status;
}

rd_status rd_job_set_graph(rd_job *job, const rd_graph *graph, rd_error *err)
{
    if (!graph)
        return rd__fail(err, RD_EARG, "rd_job_set_graph needs a graph");
    if (graph != job->graph)
        release(job);
    job->graph = graph;
    return RD_OK;
}

void rd_job_set_progress(rd_job *job, rd_progress_fn progress, void *user)
{
    job->progress = progress;
    job->progress_user = user;
}

/* ---- Planning ---- */

static rd__sched_job sched_job(rd_job *job, rd__arg *args)
{
    return (rd__sched_job){.device = job->device,
                           .app = job->app->info.name,
                           .graph = job->graph,
                           .row = &job->row,
                           .col = &job->col,
                           .args = args,
                           .arg_count = job->app->args(job, args),
                           .launch = job->launch,
                           .direction = job->direction,
                           .worker = job->worker,
                           .groups = job->groups,
                           .deadline = job->timeout > 0 ? rd_now() + job->timeout : 0,
                           .progress = job->progress,
                           .progress_user = job->progress_user};
}

rd_status rd_job_plan(rd_job *job, rd_plan *plan, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    *plan = (rd_plan){0};
    if (!job->graph)
        return rd__fail(err, RD_EARG, "%s needs a graph: call rd_job_set_graph first", job->app->info.name);
    RD_TRY(job->app->validate(job, err));
    const rd_csr csr = rd_graph_csr(job->graph);
    const int shared = job->device && rd__device_shares_host(job->device);
    rd__plan_add(plan, "graph: row offsets", 8ull * (csr.vertices + 1ull), 1, shared);
    rd__plan_add(plan, "graph: edge targets", 4ull * csr.edges, 1, shared);
    job->app->plan(job, plan);
    const rd__sched_job view = sched_job(job, args);
    job->sched->plan(&view, plan);
    return RD_OK;
}

/* ---- Running ---- */

static rd_status check_fits(rd_job *job, rd_error *err)
{
    rd_plan plan;
    char need[32], have[32], graph[32], own[32];
    RD_TRY(rd_job_plan(job, &plan, err));
    const uint64_t limit = rd__device_memory_limit(job->device);
    if (limit && plan.alloc_bytes > limit)
        return rd__fail(err, RD_ENOMEM,
                        "the graph is too large for %s: %s needs %s there (graph %s, own buffers %s) and %s are free; "
                        "--dry-run shows the plan",
                        job->device->info.name, job->app->info.name,
                        rd_format_bytes(plan.alloc_bytes, need, sizeof need),
                        rd_format_bytes(plan.graph_bytes, graph, sizeof graph),
                        rd_format_bytes(plan.own_bytes, own, sizeof own), rd_format_bytes(limit, have, sizeof have));
    return RD_OK;
}

static rd_status prepare(rd_job *job, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    const rd_csr csr = rd_graph_csr(job->graph);
    if (!job->row.device) {
        RD_TRY(check_fits(job, err));
        double began = rd_now();
        RD_TRY(
            rd__buffer_from(job->device, &job->row, "graph: row offsets", 8ull * (csr.vertices + 1ull), csr.row, err));
        RD_TRY(rd__buffer_from(job->device, &job->col, "graph: edge targets", 4ull * csr.edges, csr.col, err));
        RD_TRY(job->app->alloc(job, err));
        job->upload_s = rd_now() - began;
    }
    if (!job->sched_state) {
        double began = rd_now();
        const rd__sched_job view = sched_job(job, args);
        RD_TRY(job->sched->create(&view, &job->sched_state, err));
        job->compile_s = rd_now() - began;
    }
    job->ready = 1;
    return RD_OK;
}

static rd_status run(rd_job *job, rd_report *report, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    uint32_t seed[RD__APP_MAX_SEEDS], seeds = 0;
    double began = rd_now();
    RD_TRY(job->app->start(job, seed, &seeds, err));
    const rd__sched_job view = sched_job(job, args);
    RD_TRY(job->sched->run(job->sched_state, &view, seed, seeds, report, err));
    report->run_s = rd_now() - began;
    job->app->report(job, report);
    return RD_OK;
}

rd_status rd_job_run(rd_job *job, rd_report *report, rd_error *err)
{
    rd_report own = {0};
    if (!job->device)
        return rd__fail(err, RD_EARG, "this job was made without a device: it can only be planned");
    if (!job->graph)
        return rd__fail(err, RD_EARG, "%s needs a graph: call rd_job_set_graph first", job->app->info.name);
    RD_TRY(job->app->validate(job, err));
    job->has_run = 0;
    if (!job->ready) {
        const uint64_t before = job->device->allocated;
        rd_status status = prepare(job, err);
        job->allocated += job->device->allocated - before;
        if (status != RD_OK) {
            release(job); /* all or nothing: the next attempt starts clean */
            return status;
        }
    }
    RD_TRY(run(job, &own, err));
    own.compile_s = job->compile_s;
    own.upload_s = job->upload_s;
    job->compile_s = job->upload_s = 0;
    own.bytes_allocated = job->allocated;
    own.sched = job->sched->name;
    own.launch = job->launch;
    job->has_run = 1;
    if (report)
        *report = own;
    return RD_OK;
}

rd_status rd_job_result(rd_job *job, rd_result *result, rd_error *err)
{
    if (!job->has_run)
        return rd__fail(err, RD_EARG, "there is no result: %s has not been run, or the last run failed",
                        job->app->info.name);
    return job->app->result(job, result, err);
}

rd_status rd_job_check(rd_job *job, rd_error *err)
{
    if (!job->has_run)
        return rd__fail(err, RD_EARG, "there is nothing to check: %s has not been run, or the last run failed",
                        job->app->info.name);
    return job->app->check(job, err);
}
