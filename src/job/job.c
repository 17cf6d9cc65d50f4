/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - a job: an app with its options and input, under a scheduler, on a device. job/settings.c sets its options,
 * job/ready.c prepares it, job/run.c runs it. */
#include "job/checkpoint.h"
#include "job/ranks.h"

#include "apps/common/arrays.h"
#include "apps/common/options.h"
#include "core/memory.h"
#include "graph/graph.h"

#include <limits.h>
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
    rd__trace_free(job);
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
