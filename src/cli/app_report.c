/* SPDX-License-Identifier: Apache-2.0 */
/* app_report.c - what `raddle APP` prints for people: the answer, a line of time a trial, a summary; counters and what
 * the run was made of only for --stats. */
#include "cli/app_ranks.h"
#include "cli/teps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

enum { KEY = 11, WIDTH = 100 };

/* A paragraph of a report: words after a key, broken so that lines fit WIDTH columns. */
typedef struct paragraph {
    FILE *out;
    int column; /* 0: nothing was printed */
} paragraph;

/* Adds a piece that is not broken; ", " comes before all but the first. */
__attribute__((format(printf, 2, 3))) static void add(paragraph *text, const char *format, ...)
{
    char piece[160];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (text->column == 0) {
        text->column = KEY;
    } else if (text->column + 2 + length + 1 > WIDTH) { /* 1: the comma that may come after it */
        fprintf(text->out, ",\n%*s", KEY, "");
        text->column = KEY;
    } else {
        fputs(", ", text->out);
        text->column += 2;
    }
    fputs(piece, text->out);
    text->column += length;
}

static void begin(paragraph *text, FILE *out, const char *key)
{
    *text = (paragraph){.out = out};
    fprintf(out, "%-*s", KEY, key);
}

static void end(paragraph *text)
{
    putc('\n', text->out);
}

/* What the run was made of: for --stats. */
static void print_setting(const app_run *run)
{
    FILE *out = run->text;
    const rd_device_info *info = rd_device_get_info(run->device);
    const rd_report *report = &run->trial[0].report;
    char a[32], b[32], c[32];
    if (run->graph) {
        const rd_csr csr = rd_graph_csr(run->graph);
        const rd_graph_part part = rd_graph_get_part(run->graph);
        rd_graph_times times = rd_graph_get_times(run->graph);
        fprintf(out, "graph:     %s\n", rd_graph_provenance(run->graph));
        fprintf(out, "           %" PRIu32 " vertices, %" PRIu64 " edges%s%s; read in %s, built in %s\n", part.vertices,
                part.edges, part.symmetric ? ", symmetric" : "",
                rd_graph_has_real_weights(run->graph) ? ", real weights"
                : csr.weight                          ? ", weighted"
                                                      : "",
                seconds(times.read_s, a), seconds(times.build_s, b));
    }
    fprintf(out, "device:    %s, %s\n", info->name, info->model);
    fprintf(out, "run:       %s, sched %s, launch %s, %" PRIu32 " groups of %" PRIu32 "\n", run->app->name,
            report->sched, report->launch, report->groups, report->lanes);
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
    if (run->ranks) { /* these are a part's: others are about as large, and each looks whether its own fits */
        fprintf(out, "part:      that of rank %" PRIu32 " of %" PRIu32, rd_ranks_rank(run->ranks),
                rd_ranks_count(run->ranks));
        const rd_graph_part part = rd_graph_get_part(run->graph);
        if (run->graph)
            fprintf(out, ", with %" PRIu32 " ghosts, of %" PRIu32 " vertices and %" PRIu64 " edges", part.ghosts,
                    part.vertices, part.edges);
        fprintf(out, "\n");
    }
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
static void add_measure(paragraph *text, const rd_measure *measure)
{
    char name[64];
    snprintf(name, sizeof name, "%s", measure->name);
    for (char *at = name; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    if (measure->value >= 0 && measure->value < 1e15 && measure->value == (double)(uint64_t)measure->value)
        add(text, "%" PRIu64 " %s", (uint64_t)measure->value, name);
    else
        add(text, "%s %.4g", name, measure->value);
}

/* What was counted: for --stats. */
static void print_counters(const app_run *run, const rd_report *report)
{
    paragraph text;
    char c[32];
    begin(&text, run->text, "counters:");
    if (run->app->has_source)
        add(&text, "%" PRIu64 " reached", report->reached);
    if (run->graph)
        add(&text, "%s edges", rd_format_count(report->edges, c, sizeof c));
    add(&text, "%s tasks", rd_format_count(report->tasks, c, sizeof c));
    if (report->rounds)
        add(&text, "%" PRIu64 " rounds", report->rounds);
    if (report->pulled)
        add(&text, "%" PRIu64 " pulled", report->pulled);
    add(&text, "%" PRIu64 " launches", report->launches);
    if (report->reservations && report->tasks_needed) /* of a scheduler without rounds */
        add(&text, "overwork %.2f", (double)report->tasks / (double)report->tasks_needed);
    for (uint32_t i = 0; i < report->measures; i++)
        add_measure(&text, &report->measure[i]);
    end(&text);
}

/* The answer of a trial, unless the one before had the same. */
static void print_answer(const app_run *run, size_t index)
{
    const app_trial *trial = &run->trial[index], *before = index ? trial - 1 : NULL;
    if (before && before->source == trial->source && strcmp(before->answer, trial->answer) == 0)
        return;
    fprintf(run->text, "%-*s", KEY, "answer:");
    if (trial->source != RD_NONE)
        fprintf(run->text, "from vertex %" PRIu64 ": ", rd_graph_name(run->graph, trial->source));
    fprintf(run->text, "%s%s\n", trial->answer, trial->stopped ? "; stopped before its end" : "");
}

void app_print_trial(const app_run *run, size_t index, size_t trials)
{
    FILE *out = run->text;
    const app_trial *trial = &run->trial[index];
    const rd_report *report = &trial->report;
    paragraph text;
    char key[32], a[32], b[32];
    print_answer(run, index);
    snprintf(key, sizeof key, "trial %zu:", index + 1);
    begin(&text, out, trials == 1 ? "time:" : key);
    add(&text, "%s (kernel %s)", seconds(report->run_s, a), seconds(report->kernel_s, b));
    if (run->graph)
        add(&text, "%.1f MTEPS", 1e-6 * cli_teps(trial->edges_reached, report));
    if (index == 0)
        add(&text, "on %s, sched %s, launch %s", rd_device_get_info(run->device)->name, report->sched, report->launch);
    if (trial->checked && !trial->right)
        add(&text, "WRONG");
    end(&text);
    if (index == 0 && rd_graph_has_drawn_weights(run->graph) && run->input.options.keep_weights)
        fprintf(out,
                "note:      the input has no weights: these were drawn from %" PRId32 " to %" PRId32
                " (--weights 1: all the same)\n",
                run->input.options.weight_min, run->input.options.weight_max);
    const uint64_t worker = asked_worker(run);
    if (index == 0 && worker && worker != report->lanes)
        fprintf(out, "note:      groups of %" PRIu32 ", not of the %" PRIu64 " of --worker: --explain says why\n",
                report->lanes, worker);
    if (run->stats)
        print_counters(run, report);
    if (trials > 1) /* to be watched; the last of it is flushed in the end, where an error is told with its reason */
        fflush(out);
}

/* The median, and how sure it is: of few trials the least and the greatest, of more an interval. */
static void print_times(const app_run *run, double *value)
{
    FILE *out = run->text;
    rd_stats time, kernel, rate;
    char a[32], b[32], c[32], d[32];
    for (size_t i = 0; i < run->done; i++)
        value[i] = run->trial[i].report.kernel_s;
    rd_stats_of(value, run->done, &kernel);
    for (size_t i = 0; i < run->done; i++)
        value[i] = 1e-6 * cli_teps(run->trial[i].edges_reached, &run->trial[i].report);
    rd_stats_of(value, run->done, &rate);
    for (size_t i = 0; i < run->done; i++)
        value[i] = run->trial[i].report.run_s;
    rd_stats_of(value, run->done, &time);
    fprintf(out, "median:    %s (kernel %s)", seconds(time.median, a), seconds(kernel.median, b));
    if (run->graph)
        fprintf(out, ", %.1f MTEPS", rate.median);
    putc('\n', out);
    if (run->done < CLI_INTERVAL_TRIALS) {
        fprintf(out, "spread:    %s to %s, least and greatest of %zu trials\n", seconds(time.min, a),
                seconds(time.max, b), run->done);
    } else {
        fprintf(out, "spread:    min %s, quartiles %s to %s, max %s\n", seconds(time.min, a), seconds(time.q1, b),
                seconds(time.q3, c), seconds(time.max, d));
        fprintf(out, "95 %%:      the median is between %s and %s\n", seconds(time.ci95_low, a),
                seconds(time.ci95_high, b));
    }
    if (cli_noise(&time))
        fprintf(out, "noisy:     quartiles are %u %% of the median apart; an idle machine and more trials help\n",
                cli_noise(&time));
}

void app_print_summary(const app_run *run)
{
    FILE *out = run->text;
    size_t right = 0, checked = 0;
    char a[32];
    for (size_t i = 0; i < run->done; i++) {
        checked += run->trial[i].checked != 0;
        right += run->trial[i].right != 0;
    }
    double *value = run->done > 1 ? calloc(run->done, sizeof *value) : NULL;
    if (value)
        print_times(run, value);
    free(value);
    if (run->stats) {
        print_setting(run);
        app_print_ranks(run);
        fprintf(out, "total:     %s\n", seconds(rd_now() - run->started, a));
    }
    if (checked) {
        const char *note = run->trial[run->done - 1].note;
        fprintf(out, "verified:  %zu of %zu right%s%s%s\n", right, checked, note[0] ? " (" : "", note,
                note[0] ? ")" : "");
    }
}
