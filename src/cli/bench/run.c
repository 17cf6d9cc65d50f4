/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - the suite `bench run FILE [INPUT]`: an own app under each scheduler that fits it. Every run is verified where
 * the app has rd_app_check. Work is counted in tasks. */
#include "cli/bench/bench.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

enum { ID_SET = 1, SETS = 16 };

static const cli_option options[] = {
    {"set", 0, "KEY=VALUE", "an option of the app; may be given several times", ID_SET},
    {NULL, 0, NULL, NULL, 0},
};

static const rd_app_info *app;
static const char *input, *set[SETS];
static int sets;
static rd_graph *graph;

static int take(int id, const char *value)
{
    (void)id;
    if (sets == SETS || !strchr(value, '='))
        return cli_usage("bench", "--set takes KEY=VALUE, at most %d times, not '%s'", SETS, value);
    set[sets++] = value;
    return 0;
}

static int take_word(const char *word)
{
    if (!app)
        return cli_own_app("bench run", word, &app);
    if (input || !rd_app_takes_graph(app))
        return cli_usage("bench", "'%s' is one word too many", word);
    input = word;
    return 0;
}

static rd_status set_options(rd_job *job, rd_error *err)
{
    rd_status status = RD_OK;
    for (int i = 0; i < sets && status == RD_OK; i++) {
        char key[64];
        const size_t length = strcspn(set[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), set[i]);
        status = rd_job_set(job, key, set[i] + length + 1, err);
    }
    return status;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    const int weighted = app->input == RD_INPUT_WEIGHTED;
    const rd_graph_options graph_options = {.size = sizeof graph_options,
                                            .threads = self->threads,
                                            .weight_min = weighted,
                                            .weight_max = weighted ? 255 : 0};
    rd_job *job = NULL;
    rd_status status = rd_job_create(device, app->name, &job, err);
    self->data = job;
    if (status == RD_OK)
        status = set_options(job, err);
    if (status == RD_OK)
        status = rd_job_set(job, "sched", self->text[0], err);
    if (status == RD_OK && rd_app_takes_graph(app)) {
        if (!graph)
            status = rd_graph_open(input, &graph_options, &graph, err);
        if (status == RD_OK)
            status = rd_job_set_graph(job, graph, err);
    }
    if (status == RD_OK)
        rd_job_set_progress(job, self->progress, self->progress_user);
    return status;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_report report;
    rd_result result;
    const double began = rd_now();
    rd_status status = rd_job_run(self->data, &report, err);
    if (status == RD_OK)
        status = rd_job_result(self->data, &result, err);
    sample->total_s = rd_now() - began;
    sample->kernel_s = report.kernel_s;
    sample->work = report.tasks;
    return status;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    const rd_status status = rd_job_check(self->data, err);
    if (status != RD_EARG)
        return status;
    snprintf(self->note, sizeof self->note, "not verified: it has no rd_app_check");
    *err = (rd_error){.status = RD_OK};
    return RD_OK;
}

static void close_case(bench_case *self)
{
    rd_job_destroy(self->data);
    self->data = NULL;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    if (!app || (rd_app_takes_graph(app) && !input)) {
        snprintf(err->text, sizeof err->text,
                 app ? "%s takes a graph: raddle bench run FILE INPUT"
                     : "FILE is missing: raddle bench run FILE [INPUT]%s",
                 app ? app->name : "");
        return err->status = RD_EARG;
    }
    rd_status status = RD_OK;
    for (const char *const *sched = app->schedulers; *sched && status == RD_OK; sched++) {
        bench_case item = {.unit = "tasks",
                           .open = open_case,
                           .run = run_case,
                           .check = check_case,
                           .close = close_case,
                           .text = {*sched}};
        snprintf(item.name, sizeof item.name, "%s%s%.60s/%s", app->name, input ? "/" : "", input ? input : "", *sched);
        status = bench_add(list, &item, err);
    }
    return status;
}

static void close_suite(void)
{
    rd_graph_destroy(graph);
    graph = NULL;
}

const bench_suite bench_suite_run = {.name = "run",
                                     .summary = "an app of your own: raddle bench run FILE [INPUT]",
                                     .options = options,
                                     .take = take,
                                     .word = take_word,
                                     .cases = cases,
                                     .close = close_suite};
