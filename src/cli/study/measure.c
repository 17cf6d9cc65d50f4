/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c - one point of a study: a run to warm up, whose result is proved, then timed ones; and its record. What a
 * device refuses is recorded too, so that the study is not asked for it again. */
#include "cli/study/study.h"

#include "cli/machine.h"

#include <stdlib.h>
#include <string.h>

static int tick(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    study_job *const job = user;
    (void)what, (void)done, (void)total, (void)unit;
    return rd_progress_line_fn(&job->line, "study", job->done, job->todo, "points") || cli_stop;
}

/* The next of "key=value key=value". @return what follows it; NULL: there was none. */
static const char *next_option(const char *text, char key[32], char value[64])
{
    int used = 0;
    return sscanf(text, " %31[^= ]=%63[^ ]%n", key, value, &used) == 2 ? text + used : NULL;
}

static rd_status set_all(rd_job *run, const char *text, rd_error *err)
{
    char key[32], value[64];
    rd_status status = RD_OK;
    while (status == RD_OK && (text = next_option(text, key, value)) != NULL)
        status = rd_job_set(run, key, value, err);
    return status;
}

static void write_options(rd_json *json, const char *text)
{
    char key[32], value[64];
    while ((text = next_option(text, key, value)) != NULL)
        rd_json_text(json, key, value);
}

static rd_status open_run(study_job *job, const study_point *point, rd_job **run, rd_error *err)
{
    char limit[32];
    rd_status status = rd_job_create(point->device, point->app->app->name, run, err);
    if (status == RD_OK && point->app->sched && strstr(point->app->sets, "sched=") == NULL)
        status = rd_job_set(*run, "sched", point->app->sched, err);
    if (status == RD_OK)
        status = set_all(*run, point->app->sets, err);
    if (status == RD_OK)
        status = set_all(*run, point->options, err);
    snprintf(limit, sizeof limit, "%.6f", job->limit);
    if (status == RD_OK && job->limit > 0)
        status = rd_job_set(*run, "timeout", limit, err);
    if (status == RD_OK)
        status = rd_job_set_graph(*run, job->graph, err);
    if (status == RD_OK)
        rd_job_set_progress(*run, tick, job);
    return status;
}

rd_status study_prepare(study_job *job, study_point *point, rd_error *err)
{
    rd_job *run = NULL;
    rd_status status = open_run(job, point, &run, err);
    if (status == RD_OK) /* compilers for CPUs compile a kernel when it is launched */
        status = rd_device_get_info(point->device)->is_gpu ? rd_job_compile(run, err) : rd_job_run(run, NULL, err);
    rd_job_destroy(run);
    return status;
}

/* By the device's clock where it has one. */
static double seconds_of(const rd_report *report)
{
    const double seconds = report->kernel_s > 0 ? report->kernel_s : report->run_s;
    return seconds > 0 ? seconds : 1e-9;
}

static size_t result_bytes(const rd_result *result)
{
    const int wide = result->kind == RD_RESULT_U64 || result->kind == RD_RESULT_I64 || result->kind == RD_RESULT_F64;
    return (size_t)result->count * (wide ? 8 : 4);
}

/* Proves a result, or sees that it is, bit for bit, one that was proved: of the same app with the same options of its
 * own on the same graph. Checkers take longer than what they check, and most configurations come to the same result. */
static rd_status prove(study_job *job, const study_point *point, rd_job *run, rd_error *err)
{
    rd_result result;
    rd_status status = rd_job_result(run, &result, err);
    if (status != RD_OK)
        return status;
    const size_t bytes = result_bytes(&result);
    if (job->proved && job->proved_app == point->app && job->proved_graph == job->graph && job->proved_bytes == bytes &&
        memcmp(job->proved, result.word, bytes) == 0)
        return RD_OK;
    status = rd_job_check(run, err);
    free(job->proved);
    job->proved = status == RD_OK && bytes ? malloc(bytes) : NULL;
    if (job->proved) /* without memory the next one is proved too */
        memcpy(job->proved, result.word, bytes);
    job->proved_bytes = bytes;
    job->proved_app = point->app;
    job->proved_graph = job->graph;
    return status;
}

static rd_status time_runs(study_job *job, const study_point *point, rd_job *run, double *seconds, size_t *count,
                           rd_report *report, rd_error *err)
{
    rd_status status = rd_job_run(run, report, err);
    if (status == RD_OK)
        status = prove(job, point, run, err);
    for (*count = 0; *count < job->runs && status == RD_OK; ++*count) {
        status = rd_job_run(run, report, err);
        if (status != RD_OK)
            break;
        seconds[*count] = seconds_of(report);
    }
    return status;
}

static const char *outcome_of(rd_status status)
{
    return status == RD_OK ? "ok" : status == RD_EWRONG ? "wrong" : status == RD_ETIMEOUT ? "slow" : "refused";
}

static rd_status not_written(const study_job *job, rd_error *err)
{
    snprintf(err->text, sizeof err->text, "%s: a record could not be written", job->output);
    return err->status = RD_EIO;
}

/* What all records begin with. */
static void begin_record(rd_json *json, const study_job *job, const char *kind, const rd_device_info *info)
{
    rd_json_begin(json, job->out);
    rd_json_u64(json, "schema", 1);
    rd_json_text(json, "record", kind);
    rd_json_text(json, "device", info->name);
    rd_json_text(json, "model", info->model);
}

static int write_record(study_job *job, const study_point *point, const double *seconds, size_t count,
                        const rd_report *report, rd_status status, const rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(point->device);
    const rd_csr csr = rd_graph_csr(job->graph);
    rd_json json;
    begin_record(&json, job, "study_point", info);
    rd_json_text(&json, "app", point->app->name);
    rd_json_text(&json, "input", point->input);
    rd_json_text(&json, "config", point->config);
    rd_json_array(&json, "seconds");
    for (size_t i = 0; i < count; i++)
        rd_json_double(&json, NULL, seconds[i]);
    rd_json_close_array(&json);
    rd_json_text(&json, "status", outcome_of(status));
    if (status != RD_OK)
        rd_json_text(&json, "reason", err->text);
    rd_json_text(&json, "primitive", point->app->app->name);
    rd_json_object(&json, "options");
    write_options(&json, point->app->sets);
    write_options(&json, point->options);
    rd_json_close_object(&json);
    rd_json_text(&json, "graph", rd_graph_provenance(job->graph));
    rd_json_u64(&json, "num_vertices", csr.vertices);
    rd_json_u64(&json, "num_edges", csr.edges);
    if (status == RD_OK) {
        rd_json_text(&json, "sched", report->sched);
        rd_json_text(&json, "launch", report->launch);
        rd_json_u64(&json, "groups", report->groups);
        rd_json_u64(&json, "lanes", report->lanes);
        rd_json_u64(&json, "rounds", report->rounds);
        rd_json_u64(&json, "launches", report->launches);
        rd_json_u64(&json, "tasks", report->tasks);
    }
    cli_json_origin(&json);
    return rd_json_end(&json) == 0;
}

rd_status study_measure(study_job *job, study_point *point, rd_error *err)
{
    double *const seconds = calloc((size_t)job->runs, sizeof *seconds);
    rd_job *run = NULL;
    rd_report report = {.sched = NULL};
    rd_error why = {.status = RD_OK};
    size_t count = 0;
    if (!seconds) {
        snprintf(err->text, sizeof err->text, "out of host memory: times of a point");
        return err->status = RD_ENOMEM;
    }
    rd_status status = open_run(job, point, &run, &why);
    if (status == RD_OK)
        status = time_runs(job, point, run, seconds, &count, &report, &why);
    rd_job_destroy(run);
    if (cli_stop) { /* half a point is none */
        free(seconds);
        return RD_OK;
    }
    count = status == RD_OK ? count : 0;
    job->failed += status != RD_OK;
    job->wrong += status == RD_EWRONG;
    if (status != RD_OK) {
        rd_progress_line_clear(&job->line);
        cli_message("study", 0, "%s on %s, %s, '%s' is left out: %s", point->app->name, point->input,
                    rd_device_get_info(point->device)->name, point->config, why.text);
    }
    const int written = write_record(job, point, seconds, count, &report, status, &why);
    const rd_device_info *info = rd_device_get_info(point->device);
    const rd_study_point fresh = {info->name, info->model, point->app->name,     point->input, point->config,
                                  seconds,    count,       point->app->app->name};
    status = rd_study_add(job->points, &fresh, err);
    free(seconds);
    return status == RD_OK && !written ? not_written(job, err) : status;
}

/* ---- Microbenchmarks ---- */

/* The median time of a microbenchmark; busy: the share of it that was work. */
static rd_status time_micro(study_job *job, rd_device *device, const char *name, int busy, double *value, rd_error *err)
{
    enum { RUNS = 5 };
    const rd_micro_options options = {.size = sizeof options};
    double seconds[RUNS];
    rd_micro *micro = NULL;
    rd_micro_report report;
    rd_stats stats;
    rd_status status = rd_micro_open(device, name, &options, &micro, err);
    for (int i = -1; i < RUNS && status == RD_OK && !cli_stop; i++) { /* the first is to warm up */
        status = rd_micro_run(micro, &report, err);
        const double taken = busy ? report.kernel_s / report.total_s : report.kernel_s;
        seconds[i < 0 ? 0 : i] = taken > 0 ? taken : 1e-9;
        (void)tick(job, NULL, 0, 0, NULL);
    }
    rd_micro_close(micro);
    if (status == RD_OK && !cli_stop) {
        rd_stats_of(seconds, RUNS, &stats);
        *value = stats.median;
    }
    return status;
}

static rd_status fact(study_job *job, rd_device *device, const char *name, double value, rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(device);
    rd_json json;
    begin_record(&json, job, "study_micro", info);
    rd_json_text(&json, "name", name);
    rd_json_double(&json, "value", value);
    cli_json_device(&json, "hardware", info);
    cli_json_origin(&json);
    if (rd_json_end(&json) != 0)
        return not_written(job, err);
    return rd_study_add_fact(job->points, info->name, info->model, name, value, err);
}

rd_status study_measure_device(study_job *job, rd_device *device, rd_error *err)
{
    static const struct {
        const char *name, *over, *under; /* under NULL: the share of `over` that was work */
    } facts[] = {{"launch-utilisation-20us", "utilisation/20us", NULL},
                 {"launch-utilisation-200us", "utilisation/200us", NULL},
                 {"sg-combine", "combine/lane", "combine/warp"},
                 {"m-divergence", "stride/free", "stride/barrier"}};
    const rd_device_info *info = rd_device_get_info(device);
    rd_status status = RD_OK;
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == RD_OK && !study_over(job); i++) {
        double over = 1, under = 1;
        if (facts[i].under && info->max_group == 1) /* a lane has nobody to combine or keep together with */
            continue;
        if (rd_study_has_fact(job->points, info->name, info->model, facts[i].name))
            continue;
        status = time_micro(job, device, facts[i].over, !facts[i].under, &over, err);
        if (status == RD_OK && facts[i].under)
            status = time_micro(job, device, facts[i].under, 0, &under, err);
        if (status == RD_OK && !cli_stop)
            status = fact(job, device, facts[i].name, over / under, err);
    }
    return status;
}
