/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - the suite `bench run FILE [INPUT...]`: an own app under each scheduler that fits it. Every run is verified
 * where the app has rd_app_check. Work is counted in tasks.
 *
 * With --against an app of the library runs in turn with it, on the same graph, and the note says how many times as
 * long the own one took: best run against best run, and the median of what the turns said. One command for what an own
 * file costs, as one case after the other would measure what else the machine does too.
 */
#include "cli/bench/bench.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

enum { ID_SET = 1, ID_AGAINST, SETS = 16, INPUTS = 16 };

static const cli_option options[] = {
    {"set", 0, "KEY=VALUE", "an option of the app; may be given several times", ID_SET},
    {"against", 0, "APP[=INPUT]", "runs in turn with an app of the library: what an own file costs", ID_AGAINST},
    {NULL, 0, NULL, NULL, 0},
};

static const rd_app_info *app, *twin; /* twin: of the library; or NULL */
static const char *input[INPUTS], *set[SETS], *twin_input;
static int inputs, sets;
static rd_graph *graph;
static const char *graph_spec;

/* Jobs of a case, and what their turns took: seconds of the own one, of the other, and the ratio. */
typedef struct pair {
    rd_job *own, *other;
    double least[2], *ratio;
    size_t turns, room;
} pair;

static int take_against(const char *value)
{
    const size_t length = strcspn(value, "=");
    twin_input = value[length] ? value + length + 1 : NULL;
    for (twin = rd_apps(); twin->name; twin++)
        if (strlen(twin->name) == length && strncmp(twin->name, value, length) == 0)
            return (twin->input == RD_INPUT_TEXT) == (twin_input != NULL)
                       ? 0
                       : cli_usage("bench", "--against %s%s", twin->name,
                                   twin_input ? " takes no input" : "=INPUT: which input?");
    return cli_usage("bench", "--against takes an app of the library, not '%.*s'", (int)length, value);
}

static int take(int id, const char *value)
{
    if (id == ID_AGAINST)
        return take_against(value);
    if (sets == SETS || !strchr(value, '='))
        return cli_usage("bench", "--set takes KEY=VALUE, at most %d times, not '%s'", SETS, value);
    set[sets++] = value;
    return 0;
}

static int take_word(const char *word)
{
    if (!app)
        return cli_own_app("bench run", word, &app);
    if (inputs == INPUTS || !rd_app_takes_graph(app))
        return cli_usage("bench", "'%s' is one word too many", word);
    input[inputs++] = word;
    return 0;
}

static int has_option(const rd_app_info *info, const char *key)
{
    const rd_option_info *option = info->options;
    while (option->key && strcmp(option->key, key) != 0)
        option++;
    return option->key != NULL;
}

/* What is of the own app alone is not set in the other. */
static rd_status set_options(rd_job *job, const rd_app_info *of, rd_error *err)
{
    rd_status status = RD_OK;
    for (int i = 0; i < sets && status == RD_OK; i++) {
        char key[64];
        const size_t length = strcspn(set[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), set[i]);
        if (of == app || has_option(of, key) || !has_option(app, key))
            status = rd_job_set(job, key, set[i] + length + 1, err);
    }
    return status;
}

static rd_status keep_graph(const bench_case *self, rd_error *err)
{
    const int weighted = app->input == RD_INPUT_WEIGHTED || (twin && twin->input == RD_INPUT_WEIGHTED);
    const rd_graph_options graph_options = {.size = sizeof graph_options,
                                            .threads = self->threads,
                                            .weight_min = weighted,
                                            .weight_max = weighted ? 255 : 0};
    if (graph && strcmp(graph_spec, self->text[1]) == 0)
        return RD_OK;
    rd_graph_destroy(graph);
    graph = NULL;
    graph_spec = self->text[1];
    return rd_graph_open(graph_spec, &graph_options, &graph, err);
}

static rd_status open_job(bench_case *self, rd_device *device, const char *name, const rd_app_info *of, rd_job **job,
                          rd_error *err)
{
    BENCH_TRY(rd_job_create(device, name, job, err));
    BENCH_TRY(set_options(*job, of, err));
    BENCH_TRY(rd_job_set(*job, "sched", self->text[0], err));
    if (rd_app_takes_graph(of))
        BENCH_TRY(rd_job_set_graph(*job, graph, err));
    else if (of->input == RD_INPUT_TEXT)
        BENCH_TRY(rd_job_set_input(*job, twin_input, err));
    rd_job_set_progress(*job, self->progress, self->progress_user);
    return RD_OK;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    pair *jobs = self->data = calloc(1, sizeof *jobs);
    char name[80];
    if (!jobs)
        return bench_no_memory(err, "jobs of a case");
    if (self->text[1])
        BENCH_TRY(keep_graph(self, err));
    BENCH_TRY(open_job(self, device, app->name, app, &jobs->own, err));
    if (!twin)
        return RD_OK;
    snprintf(name, sizeof name, "raddle:%s", twin->name); /* the own one may have its name */
    return open_job(self, device, name, twin, &jobs->other, err);
}

static rd_status run_job(rd_job *job, bench_sample *sample, rd_error *err)
{
    rd_report report;
    rd_result result;
    const double began = rd_now();
    BENCH_TRY(rd_job_run(job, &report, err));
    BENCH_TRY(rd_job_result(job, &result, err));
    sample->total_s = rd_now() - began;
    sample->kernel_s = report.kernel_s;
    sample->work = report.tasks;
    return RD_OK;
}

static void note_turn(bench_case *self, const bench_sample *own, const bench_sample *other)
{
    pair *jobs = self->data;
    const int kernel = own->kernel_s > 0 && other->kernel_s > 0;
    const double took[2] = {kernel ? own->kernel_s : own->total_s, kernel ? other->kernel_s : other->total_s};
    if (jobs->turns == jobs->room) {
        double *more = realloc(jobs->ratio, (2 * jobs->room + 8) * sizeof *more);
        if (!more)
            return; /* the note is of the turns before */
        jobs->ratio = more;
        jobs->room = 2 * jobs->room + 8;
    }
    for (int i = 0; i < 2; i++)
        jobs->least[i] = !jobs->turns || took[i] < jobs->least[i] ? took[i] : jobs->least[i];
    jobs->ratio[jobs->turns++] = took[0] / took[1];
    bench_sort(jobs->ratio, jobs->turns);
    snprintf(self->note, sizeof self->note, "%.3f x %s, median of turns %.3f", jobs->least[0] / jobs->least[1],
             twin->name, bench_at(jobs->ratio, jobs->turns, 0.5));
}

/* Who goes first takes turns as well: the second finds the graph in the caches. */
static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    pair *jobs = self->data;
    bench_sample other = {0};
    const int first = jobs->turns % 2 == 0;
    if (jobs->other && !first)
        BENCH_TRY(run_job(jobs->other, &other, err));
    BENCH_TRY(run_job(jobs->own, sample, err));
    if (jobs->other && first)
        BENCH_TRY(run_job(jobs->other, &other, err));
    if (jobs->other && !self->warming)
        note_turn(self, sample, &other);
    return RD_OK;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    const pair *jobs = self->data;
    rd_status status = rd_job_check(jobs->own, err);
    if (status == RD_EARG) {
        if (!jobs->other)
            snprintf(self->note, sizeof self->note, "not verified: it has no rd_app_check");
        *err = (rd_error){.status = RD_OK};
        status = RD_OK;
    }
    return status == RD_OK && jobs->other ? rd_job_check(jobs->other, err) : status;
}

static void describe_case(const bench_case *self, rd_json *json)
{
    const pair *jobs = self->data;
    if (!jobs->turns)
        return;
    rd_json_text(json, "against", twin->name);
    rd_json_double(json, "against_min_time", 1e3 * jobs->least[1]);
    rd_json_double(json, "own_over_least", jobs->least[0] / jobs->least[1]);
    rd_json_double(json, "own_over_median", bench_at(jobs->ratio, jobs->turns, 0.5));
}

static void close_case(bench_case *self)
{
    pair *jobs = self->data;
    if (jobs) {
        rd_job_destroy(jobs->own);
        rd_job_destroy(jobs->other);
        free(jobs->ratio);
    }
    free(jobs);
    self->data = NULL;
}

static int runs_under(const rd_app_info *info, const char *sched)
{
    const char *const *own = info->schedulers;
    while (*own && strcmp(*own, sched) != 0)
        own++;
    return *own != NULL;
}

static rd_status add_cases(bench_list *list, const char *spec, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *sched = app->schedulers; *sched && status == RD_OK; sched++) {
        bench_case item = {.unit = "tasks",
                           .open = open_case,
                           .run = run_case,
                           .check = check_case,
                           .describe = describe_case,
                           .close = close_case,
                           .text = {*sched, spec}};
        snprintf(item.name, sizeof item.name, "%s%s%.60s/%s", app->name, spec ? "/" : "", spec ? spec : "", *sched);
        if (!twin || runs_under(twin, *sched))
            status = bench_add(list, &item, err);
    }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    const char *text = !app                                 ? "FILE is missing: raddle bench run FILE [INPUT...]"
                       : rd_app_takes_graph(app) && !inputs ? "the app takes a graph: raddle bench run FILE INPUT..."
                       : twin && rd_app_takes_graph(twin) && !inputs
                           ? "--against an app on graphs, and this one takes none"
                           : NULL;
    if (text) {
        snprintf(err->text, sizeof err->text, "%s", text);
        return err->status = RD_EARG;
    }
    rd_status status = inputs ? RD_OK : add_cases(list, NULL, err);
    for (int i = 0; i < inputs && status == RD_OK; i++)
        status = add_cases(list, input[i], err);
    return status;
}

static void close_suite(void)
{
    rd_graph_destroy(graph);
    graph = NULL;
}

const bench_suite bench_suite_run = {.name = "run",
                                     .summary = "an app of your own: raddle bench run FILE [INPUT...]",
                                     .options = options,
                                     .take = take,
                                     .word = take_word,
                                     .cases = cases,
                                     .close = close_suite};
