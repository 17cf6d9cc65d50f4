/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - all points of a study, one after the other. What the file has already is passed over, so the same command
 * goes on where an earlier one was interrupted or its budget was used up. */
#include "cli/study/study.h"

#include "cli/machine.h"

#include <stdlib.h>
#include <string.h>

int study_over(const study_job *job)
{
    return cli_stop || (job->deadline > 0 && rd_now() >= job->deadline);
}

static int is_weighted(const study_app *app)
{
    return app->app->input == RD_INPUT_WEIGHTED;
}

static int stop_opening(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    study_job *const job = user;
    return rd_progress_line_fn(&job->line, what, done, total, unit) || cli_stop;
}

/* One graph is kept: points come input by input. */
static rd_status keep_graph(study_job *job, const char *input, int weighted, rd_error *err)
{
    if (job->graph && job->graph_input == input && job->graph_weighted == weighted)
        return RD_OK;
    rd_graph_destroy(job->graph);
    job->graph = NULL;
    job->proved_graph = NULL; /* another one may get its place in memory */
    rd_graph_options options = {.size = sizeof options,
                                .threads = job->choice[0].options.threads,
                                .progress = stop_opening,
                                .progress_user = job};
    if (weighted) {
        options.weight_min = 1;
        options.weight_max = 255;
        options.keep_weights = 1;
    }
    job->graph_input = input;
    job->graph_weighted = weighted;
    return rd_graph_open(input, &options, &job->graph, err);
}

/* The points of an app on an input and a device. */
static rd_status each_config(study_job *job, study_point *point, int with_graph, study_visit visit, void *user,
                             rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(point->device);
    rd_status status = RD_OK;
    point->can = study_can(job, point->app, info);
    for (uint32_t on = 0; on < 1u << job->switches && status == RD_OK && !(with_graph && study_over(job)); on++) {
        point->on = on;
        if ((on & ~point->can) || !study_configure(job, point))
            continue;
        const rd_study_point known = {info->name, info->model, point->app->name, point->input, point->config, NULL,
                                      0,          NULL};
        if (rd_study_has(job->points, &known))
            continue;
        if (with_graph)
            status = keep_graph(job, point->input, is_weighted(point->app), err);
        if (status == RD_OK)
            status = visit(job, point, user, err);
    }
    return status;
}

rd_status study_each(study_job *job, int with_graph, study_visit visit, void *user, rd_error *err)
{
    study_point point = {.app = NULL};
    rd_status status = RD_OK;
    for (size_t i = 0; i < job->inputs; i++)
        for (int weighted = 0; weighted < 2; weighted++)
            for (size_t a = 0; a < job->apps; a++)
                for (size_t d = 0; d < job->devices && status == RD_OK; d++) {
                    point.app = &job->app[a];
                    point.input = job->input[i];
                    point.device = job->device[d];
                    if (is_weighted(point.app) == weighted && point.device)
                        status = each_config(job, &point, with_graph, visit, user, err);
                }
    return status;
}

static rd_status count_point(study_job *job, study_point *point, void *user, rd_error *err)
{
    (void)point, (void)user, (void)err;
    job->todo++;
    return RD_OK;
}

static rd_status measure_point(study_job *job, study_point *point, void *user, rd_error *err)
{
    (void)user;
    const rd_status status = study_measure(job, point, err);
    job->done += !cli_stop;
    rd_progress_line_fn(&job->line, "study", job->done, job->todo, "points");
    return status;
}

static int measure_all(study_job *job)
{
    rd_error err = {.status = RD_OK};
    rd_status status = study_each(job, 0, count_point, NULL, &err);
    if (status == RD_OK)
        status = study_each(job, 1, measure_point, NULL, &err);
    for (size_t d = 0; d < job->devices && status == RD_OK && job->micro && !study_over(job); d++)
        status = study_measure_device(job, job->device[d], &err);
    rd_progress_line_clear(&job->line);
    if (status != RD_OK)
        return cli_stop ? CLI_TIMED_OUT : cli_fail("study", &err);
    if (job->done < job->todo)
        return cli_message("study", CLI_TIMED_OUT,
                           "%llu of %llu points were measured, then %s; the same command goes on from here",
                           (unsigned long long)job->done, (unsigned long long)job->todo,
                           cli_stop ? "it was stopped" : "the budget was used up");
    return cli_stop ? CLI_TIMED_OUT : job->wrong ? CLI_WRONG : 0;
}

int study_run(study_job *job)
{
    rd_output *records = NULL;
    job->deadline = job->budget > 0 ? rd_now() + job->budget : 0;
    if (job->compile)
        return study_warm(job);
    int code = cli_open_json("study", job->output, &records); /* before minutes of compiling: it may not be possible */
    if (!code)
        code = study_warm(job);
    for (size_t d = 0; d < job->devices && !code; d++)
        code = cli_device_choice_open(&job->choice[d], "study", &job->device[d]);
    if (!code) {
        job->out = rd_output_stream(records);
        code = measure_all(job);
    }
    const int closed = cli_close_json("study", records);
    rd_graph_destroy(job->graph);
    job->graph = NULL;
    free(job->proved);
    job->proved = NULL;
    for (size_t d = 0; d < job->devices; d++)
        rd_device_close(job->device[d]);
    return code ? code : closed;
}
