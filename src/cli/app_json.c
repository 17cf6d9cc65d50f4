/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app_json.c - what `raddle APP --json` records. docs/json.md explains each field; a field is never renamed or given
 * another meaning without raising SCHEMA.
 */
#include "cli/app.h"

#include "cli/app_ranks.h"
#include "cli/machine.h"
#include "cli/teps.h"

#include <stdlib.h>

enum { SCHEMA = 2 }; /* 1: mteps were edges looked at by run_s, src a number of our own */

/* Fields by which records of different runs are told apart. */
static void put_identity(const app_run *run, rd_json *json, const char *record)
{
    const rd_device_info *info = rd_device_get_info(run->device);
    rd_json_u64(json, "schema", SCHEMA);
    rd_json_text(json, "record", record);
    rd_json_text(json, "primitive", run->app->name);
    if (run->graph) {
        const rd_graph_part part = rd_graph_get_part(run->graph);
        rd_json_text(json, "graph_file", run->spec);
        rd_json_text(json, "graph", rd_graph_provenance(run->graph));
        rd_json_u64(json, "num_vertices", part.vertices);
        rd_json_u64(json, "num_edges", part.edges);
        if (rd_graph_csr(run->graph).weight)
            rd_json_text(json, "weights",
                         rd_graph_has_drawn_weights(run->graph)  ? "drawn"
                         : rd_graph_has_real_weights(run->graph) ? "real"
                                                                 : "whole");
        rd_json_u64(json, "seed", run->input.options.seed ? run->input.options.seed : RD_SEED);
    } else if (run->spec) {
        rd_json_text(json, "input", run->spec);
    }
    const rd_ranks *ranks = run->ranks ? run->ranks : run->alone_of;
    if (ranks) {
        rd_json_u64(json, "ranks", rd_ranks_count(ranks));
        rd_json_text(json, "transport", rd_ranks_transport(ranks));
        if (run->alone_of)
            rd_json_u64(json, "alone", rd_ranks_rank(ranks));
    }
    rd_json_text(json, "device", info->name);
    rd_json_text(json, "model", info->model);
    rd_json_text(json, "driver", info->driver);
    rd_json_object(json, "options");
    for (size_t i = 0; i < run->settings; i++)
        rd_json_text(json, run->setting[i].key, run->setting[i].value);
    rd_json_close_object(json);
}

static void put_plan(const rd_plan *plan, rd_json *json)
{
    rd_json_object(json, "memory_plan");
    rd_json_array(json, "buffers");
    for (size_t i = 0; i < plan->count; i++) {
        rd_json_object(json, NULL);
        rd_json_text(json, "name", plan->item[i].name);
        rd_json_u64(json, "bytes", plan->item[i].bytes);
        rd_json_bool(json, "graph", plan->item[i].is_graph);
        rd_json_bool(json, "shared", plan->item[i].is_shared);
        rd_json_close_object(json);
    }
    rd_json_close_array(json);
    rd_json_u64(json, "graph_bytes", plan->graph_bytes);
    rd_json_u64(json, "own_bytes", plan->own_bytes);
    rd_json_u64(json, "alloc_bytes", plan->alloc_bytes);
    rd_json_close_object(json);
}

static void put_configuration(const rd_report *report, rd_json *json)
{
    rd_json_text(json, "sched", report->sched);
    rd_json_text(json, "launch", report->launch);
    rd_json_u64(json, "groups", report->groups);
    rd_json_u64(json, "lanes", report->lanes);
}

int app_json_plan(const app_run *run, FILE *out)
{
    rd_json json;
    rd_json_begin(&json, out);
    put_identity(run, &json, "plan");
    put_plan(&run->plan, &json);
    cli_json_device(&json, "gpuinfo", rd_device_get_info(run->device));
    cli_json_origin(&json);
    return rd_json_end(&json);
}

int app_json_trial(const app_run *run, size_t index, FILE *out)
{
    const app_trial *trial = &run->trial[index];
    const rd_report *report = &trial->report;
    rd_json json;
    rd_json_begin(&json, out);
    put_identity(run, &json, "trial");
    rd_json_u64(&json, "trial", index + 1);
    if (trial->source != RD_NONE)
        rd_json_u64(&json, "src", rd_graph_name(run->graph, trial->source));
    rd_json_text(&json, "answer", trial->answer);
    put_configuration(report, &json);
    rd_json_double(&json, "compile_s", report->compile_s);
    rd_json_double(&json, "upload_s", report->upload_s);
    rd_json_double(&json, "kernel_s", report->kernel_s);
    rd_json_double(&json, "run_s", report->run_s);
    rd_json_double(&json, "download_s", trial->download_s);
    if (trial->checked)
        rd_json_double(&json, "verify_s", trial->verify_s);
    rd_json_double(&json, "total_s", trial->total_s);
    rd_json_double(&json, "process_time", 1e3 * report->run_s);
    if (run->graph) {
        rd_json_u64(&json, "search_depth", trial->depth);
        rd_json_u64(&json, "nodes_visited", report->reached);
        rd_json_u64(&json, "edges_visited", report->edges);
        rd_json_u64(&json, "edges_reached", trial->edges_reached);
        rd_json_double(&json, "mteps", 1e-6 * cli_teps(trial->edges_reached, report));
    }
    app_json_ranks(run, &json);
    rd_json_u64(&json, "tasks", report->tasks);
    rd_json_u64(&json, "rounds", report->rounds);
    rd_json_u64(&json, "pulled", report->pulled);
    if (report->tasks_needed) { /* schedulers that may run a task more than once */
        rd_json_u64(&json, "tasks_needed", report->tasks_needed);
        rd_json_double(&json, "overwork", (double)report->tasks / (double)report->tasks_needed);
        rd_json_u64(&json, "reservations", report->reservations);
        rd_json_u64(&json, "empty_polls", report->empty_polls);
    }
    rd_json_u64(&json, "launches", report->launches);
    for (uint32_t i = 0; i < report->measures; i++)
        rd_json_double(&json, report->measure[i].name, report->measure[i].value);
    rd_json_u64(&json, "bytes_allocated", report->bytes_allocated);
    app_json_switches(run, index, &json);
    if (trial->checked)
        rd_json_bool(&json, "verified", trial->right);
    if (trial->stopped)
        rd_json_bool(&json, "stopped", 1);
    return rd_json_end(&json);
}

/* Arrays, one entry a trial. */
#define PUT_ARRAY(put, key, expression)                                                                                \
    do {                                                                                                               \
        rd_json_array(json, key);                                                                                      \
        for (size_t i = 0; i < run->done; i++) {                                                                       \
            const app_trial *trial = run->trial + i;                                                                   \
            put(json, NULL, expression);                                                                               \
        }                                                                                                              \
        rd_json_close_array(json);                                                                                     \
    } while (0)

static void put_arrays(const app_run *run, rd_json *json)
{
    if (run->app->has_source)
        PUT_ARRAY(rd_json_u64, "srcs", rd_graph_name(run->graph, trial->source));
    PUT_ARRAY(rd_json_double, "process_times", 1e3 * trial->report.run_s);
    PUT_ARRAY(rd_json_double, "kernel_times", 1e3 * trial->report.kernel_s);
    if (!run->graph)
        return;
    PUT_ARRAY(rd_json_u64, "search_depths", trial->depth);
    PUT_ARRAY(rd_json_u64, "nodes_visited", trial->report.reached);
    PUT_ARRAY(rd_json_u64, "edges_visited", trial->report.edges);
    PUT_ARRAY(rd_json_u64, "edges_reached", trial->edges_reached);
    PUT_ARRAY(rd_json_double, "mteps", 1e-6 * cli_teps(trial->edges_reached, &trial->report));
}

/* Statistics of one time; the sample is scratch of run->done values. */
static void put_statistics(const app_run *run, rd_json *json, double *sample, int kernel)
{
    rd_stats stats;
    for (size_t i = 0; i < run->done; i++)
        sample[i] = kernel ? run->trial[i].report.kernel_s : run->trial[i].report.run_s;
    rd_stats_of(sample, run->done, &stats);
    cli_json_statistics(json, kernel ? "kernel_time" : "process_time", &stats, 1e3);
}

int app_json_summary(const app_run *run, FILE *out)
{
    double compile_s = 0, upload_s = 0, verify_s = 0;
    size_t checked = 0, right = 0;
    rd_json json;
    for (size_t i = 0; i < run->done; i++) {
        compile_s += run->trial[i].report.compile_s;
        upload_s += run->trial[i].report.upload_s;
        verify_s += run->trial[i].verify_s;
        checked += run->trial[i].checked != 0;
        right += run->trial[i].right != 0;
    }
    rd_json_begin(&json, out);
    put_identity(run, &json, "summary");
    rd_json_u64(&json, "trials", run->done);
    put_configuration(&run->trial[0].report, &json);
    put_arrays(run, &json);
    double *sample = calloc(run->done, sizeof *sample);
    if (sample) {
        put_statistics(run, &json, sample, 0);
        put_statistics(run, &json, sample, 1);
    }
    free(sample);
    if (run->graph) {
        rd_graph_times times = rd_graph_get_times(run->graph);
        rd_json_double(&json, "read_s", times.read_s);
        rd_json_double(&json, "build_s", times.build_s);
    }
    rd_json_double(&json, "compile_s", compile_s);
    rd_json_double(&json, "upload_s", upload_s);
    rd_json_double(&json, "verify_s", verify_s);
    rd_json_double(&json, "total_s", rd_now() - run->started);
    rd_json_u64(&json, "bytes_allocated", run->trial[run->done - 1].report.bytes_allocated);
    put_plan(&run->plan, &json);
    if (checked)
        rd_json_bool(&json, "verified", right == run->done);
    cli_json_device(&json, "gpuinfo", rd_device_get_info(run->device));
    cli_json_origin(&json);
    return rd_json_end(&json);
}
