/* SPDX-License-Identifier: Apache-2.0 */
/* app_report.c - what `raddle APP` prints for people: aligned "key: value" lines, a line a trial, a summary. */
#include "cli/app.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

double app_mteps(const app_trial *trial)
{
    return trial->report.run_s > 0 ? 1e-6 * (double)trial->report.edges / trial->report.run_s : 0;
}

static const char *seconds(double value, char buf[32])
{
    return rd_format_seconds(value, buf, 32);
}

/* What --worker was set to; 0: nothing. */
static uint64_t asked_worker(const app_run *run)
{
    uint64_t asked = 0;
    for (size_t i = 0; i < run->settings; i++)
        if (strcmp(run->setting[i].key, "worker") == 0)
            (void)rd_parse_u64(run->setting[i].value, &asked); /* the job took it */
    return asked;
}

void app_print_head(const app_run *run)
{
    FILE *out = run->text;
    const rd_device_info *info = rd_device_get_info(run->device);
    const rd_report *report = &run->trial[0].report;
    const uint64_t worker = asked_worker(run);
    char a[32], b[32], c[32];
    if (run->graph) {
        rd_csr csr = rd_graph_csr(run->graph);
        rd_graph_times times = rd_graph_get_times(run->graph);
        fprintf(out, "graph:     %s\n", rd_graph_provenance(run->graph));
        fprintf(out, "           %" PRIu32 " vertices, %" PRIu64 " edges%s%s; read in %s, built in %s\n", csr.vertices,
                csr.edges, rd_graph_is_symmetric(run->graph) ? ", symmetric" : "", csr.weight ? ", weighted" : "",
                seconds(times.read_s, a), seconds(times.build_s, b));
    }
    fprintf(out, "device:    %s, %s\n", info->name, info->model);
    fprintf(out, "run:       %s, sched %s, launch %s, %" PRIu32 " groups of %" PRIu32, run->app->name, report->sched,
            report->launch, report->groups, report->lanes);
    if (worker && worker != report->lanes)
        fprintf(out, ", not of the %" PRIu64 " of --worker: --explain says why", worker);
    putc('\n', out);
    fprintf(out, "memory:    %s allocated on the device; graph %s%s, own %s\n",
            rd_format_bytes(report->bytes_allocated, a, sizeof a), rd_format_bytes(run->plan.graph_bytes, b, sizeof b),
            run->plan.alloc_bytes < run->plan.graph_bytes + run->plan.own_bytes ? " (used in place)" : "",
            rd_format_bytes(run->plan.own_bytes, c, sizeof c));
    fprintf(out, "prepared:  kernels in %s, input to device in %s\n", seconds(report->compile_s, a),
            seconds(report->upload_s, b));
}

void app_print_plan(const app_run *run, FILE *out)
{
    const rd_device_info *info = rd_device_get_info(run->device);
    const rd_plan *plan = &run->plan;
    rd_csr csr = run->graph ? rd_graph_csr(run->graph) : (rd_csr){.vertices = 0};
    char text[32];
    fprintf(out, "device:    %s, %s\n", info->name, info->model);
    if (run->graph)
        fprintf(out, "graph:     %s, %" PRIu32 " vertices, %" PRIu64 " edges\n", rd_graph_provenance(run->graph),
                csr.vertices, csr.edges);
    fprintf(out, "%-24s %16s %12s\n", "buffer", "bytes", "");
    for (size_t i = 0; i < plan->count; i++)
        fprintf(out, "%-24s %16" PRIu64 " %12s%s\n", plan->item[i].name, plan->item[i].bytes,
                rd_format_bytes(plan->item[i].bytes, text, sizeof text),
                plan->item[i].is_shared ? "  used in place, not allocated" : "");
    fprintf(out, "%-24s %16" PRIu64 " %12s\n", "all of the graph", plan->graph_bytes,
            rd_format_bytes(plan->graph_bytes, text, sizeof text));
    fprintf(out, "%-24s %16" PRIu64 " %12s", "all of its own", plan->own_bytes,
            rd_format_bytes(plan->own_bytes, text, sizeof text));
    if (csr.vertices)
        fprintf(out, "  %.1f bytes a vertex", (double)plan->own_bytes / (double)csr.vertices);
    fprintf(out, "\n%-24s %16" PRIu64 " %12s\n", "to be allocated", plan->alloc_bytes,
            rd_format_bytes(plan->alloc_bytes, text, sizeof text));
    uint64_t have = info->memory_free ? info->memory_free : info->memory;
    if (have)
        fprintf(out, "%-24s %16" PRIu64 " %12s\n", "device has", have, rd_format_bytes(have, text, sizeof text));
}

/* "183 colours", "corrections per vertex 0.25": a whole number before its name, another after it. */
static void print_measure(FILE *out, const rd_measure *measure)
{
    char name[64];
    snprintf(name, sizeof name, "%s", measure->name);
    for (char *at = name; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    if (measure->value >= 0 && measure->value < 1e15 && measure->value == (double)(uint64_t)measure->value)
        fprintf(out, ", %" PRIu64 " %s", (uint64_t)measure->value, name);
    else
        fprintf(out, ", %s %.4g", name, measure->value);
}

void app_print_trial(const app_run *run, size_t index)
{
    FILE *out = run->text;
    const app_trial *trial = &run->trial[index];
    char key[32], a[32], b[32], c[32];
    snprintf(key, sizeof key, "trial %zu:", index + 1);
    fprintf(out, "%-10s ", key);
    if (trial->source != RD_NONE)
        fprintf(out, "source %" PRIu32 ", ", trial->source);
    fprintf(out, "%s (kernel %s)", seconds(trial->report.run_s, a), seconds(trial->report.kernel_s, b));
    if (run->app->has_source)
        fprintf(out, ", %" PRIu64 " reached", trial->report.reached);
    if (run->graph)
        fprintf(out, ", %s edges", rd_format_count(trial->report.edges, c, sizeof c));
    else
        fprintf(out, ", %s tasks", rd_format_count(trial->report.tasks, c, sizeof c));
    if (trial->report.rounds)
        fprintf(out, ", %" PRIu64 " rounds", trial->report.rounds);
    if (trial->report.pulled)
        fprintf(out, " (%" PRIu64 " pulled)", trial->report.pulled);
    if (trial->report.reservations && trial->report.tasks_needed) /* of a scheduler without rounds */
        fprintf(out, ", overwork %.2f", (double)trial->report.tasks / (double)trial->report.tasks_needed);
    for (uint32_t i = 0; i < trial->report.measures; i++)
        print_measure(out, &trial->report.measure[i]);
    if (run->graph)
        fprintf(out, ", %.1f MTEPS", app_mteps(trial));
    if (trial->checked)
        fprintf(out, ", %s%s%s%s", trial->right ? "right" : "WRONG", trial->note[0] ? " (" : "", trial->note,
                trial->note[0] ? ")" : "");
    if (trial->stopped)
        fprintf(out, ", stopped before its end");
    putc('\n', out);
    fflush(out);
}

void app_print_summary(const app_run *run)
{
    FILE *out = run->text;
    char a[32], b[32], c[32], d[32];
    size_t right = 0, checked = 0;
    for (size_t i = 0; i < run->done; i++) {
        checked += run->trial[i].checked != 0;
        right += run->trial[i].right != 0;
    }
    double *value = run->done > 1 ? calloc(run->done, sizeof *value) : NULL;
    if (value) {
        rd_stats time, kernel, rate;
        for (size_t i = 0; i < run->done; i++)
            value[i] = run->trial[i].report.run_s;
        rd_stats_of(value, run->done, &time);
        for (size_t i = 0; i < run->done; i++)
            value[i] = run->trial[i].report.kernel_s;
        rd_stats_of(value, run->done, &kernel);
        for (size_t i = 0; i < run->done; i++)
            value[i] = app_mteps(&run->trial[i]);
        rd_stats_of(value, run->done, &rate);
        fprintf(out, "median:    %s (kernel %s)", seconds(time.median, a), seconds(kernel.median, b));
        if (run->graph)
            fprintf(out, ", %.1f MTEPS", rate.median);
        putc('\n', out);
        fprintf(out, "spread:    min %s, quartiles %s to %s, max %s\n", seconds(time.min, a), seconds(time.q1, b),
                seconds(time.q3, c), seconds(time.max, d));
        free(value);
    }
    if (checked)
        fprintf(out, "verified:  %zu of %zu right\n", right, checked);
    fprintf(out, "total:     %s\n", seconds(rd_now() - run->started, a));
}
