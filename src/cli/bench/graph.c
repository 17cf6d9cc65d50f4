/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.c - see graph.h. Work is counted as is usual for traversals: the out-edges of the vertices reached,
 * however few of them a clever search looked at, so that edges a second (TEPS) compares searches.
 */
#include "cli/bench/graph.h"
#include "cli/input.h"
#include "cli/teps.h"
#include "cli/vertices.h"

#include <stdlib.h>
#include <string.h>

enum { ID_GRAPH = 1, ID_QUICK, ID_SOURCE, ID_SET, ID_SEED, ID_PERMUTE, ID_ORDER, ID_SHUFFLE_ROWS };
enum { GRAPHS_MAX = 32, SETS_MAX = 8, SETS_TEXT = 256 };

const cli_option bench_graph_options[] = {
    {"graph", 'g', "INPUT", "a file or generator; several times for several graphs", ID_GRAPH},
    {"quick", 0, NULL, "small graphs", ID_QUICK},
    {"source", 'r', "VERTEX", "where to start [highest degree]", ID_SOURCE},
    {"set", 0, "KEY=VALUE", "an option of the app, for all cases; several times for several options", ID_SET},
    {"seed", 0, "N", "of all that is random about the graphs", ID_SEED},
    {"permute", 0, NULL, "renumber the vertices at random", ID_PERMUTE},
    {"order", 0, "NAME", "renumber them by degree, highest first (degree) or last (degree-up)", ID_ORDER},
    {"shuffle-rows", 0, NULL, "the edges of each vertex in random order", ID_SHUFFLE_ROWS},
    {NULL, 0, NULL, NULL, 0},
};

/* Of the command that runs: one at a time in a process. */
static const char *graphs[GRAPHS_MAX + 1];
static size_t graph_count;
static int quick_wanted;
static const char *source;
static rd_graph_options wanted;   /* of --seed, --permute, --order, --shuffle-rows */
static char sets_text[SETS_TEXT]; /* of --set: as they were given, separated by spaces */
static struct {
    char key[32];
    const char *value;
} sets[SETS_MAX];
static size_t set_count;

/* Cases come graph by graph; the last graph is kept for the cases and devices that follow. */
static rd_graph *kept;
static const char *kept_spec;
static int kept_real; /* its weights are real */
static int kept_permuted;

/* Settings of a case that are of its graph: vertices in random order. */
static const char permuted[] = "permute=1";
static int is_permuted(const bench_case *self)
{
    return wanted.permute || (self->text[4] && strstr(self->text[4], permuted));
}

/* The best run so far of an app on a graph and device under any scheduler: what the default is held against. */
typedef struct best_run {
    const char *app, *spec;
    char device[32];
    double seconds; /* 0: none yet */
    const char *sched, *launch;
} best_run;
enum { BEST_MAX = 16 }; /* devices of one command */
static best_run best[BEST_MAX];

typedef struct graph_case {
    rd_job *job;
    rd_report report; /* of the last run */
    best_run *best;   /* NULL: not kept */
    double least;     /* kernel seconds of this case's best run */
} graph_case;

static int take_set(const char *text)
{
    const char *equals = strchr(text, '=');
    const size_t used = strlen(sets_text);
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof sets[0].key)
        return cli_usage("bench", "--set takes an option of the app as KEY=VALUE, not '%s'", text);
    if (set_count == SETS_MAX || used + strlen(text) + 2 > sizeof sets_text)
        return cli_usage("bench", "at most %d options at a time", SETS_MAX);
    snprintf(sets[set_count].key, sizeof sets[0].key, "%.*s", (int)(equals - text), text);
    sets[set_count++].value = equals + 1;
    snprintf(sets_text + used, sizeof sets_text - used, "%s%s", used ? " " : "", text);
    return 0;
}

int bench_graph_take(int id, const char *value)
{
    uint64_t vertex;
    switch (id) {
    case ID_GRAPH:
        if (graph_count == GRAPHS_MAX)
            return cli_usage("bench", "at most %d graphs at a time", GRAPHS_MAX);
        graphs[graph_count++] = value;
        break;
    case ID_QUICK: quick_wanted = 1; break;
    case ID_SET: return take_set(value);
    case ID_PERMUTE: wanted.permute = 1; break;
    case ID_SHUFFLE_ROWS: wanted.shuffle_rows = 1; break;
    case ID_SEED: return cli_take_u64("bench", "seed", value, 1, UINT64_MAX, &wanted.seed) ? 0 : CLI_BAD_USAGE;
    case ID_ORDER:
        if (!cli_input_order(value, &wanted.order))
            return cli_usage("bench", "--order takes given, degree or degree-up, not '%s'", value);
        break;
    case ID_SOURCE:
        if (!cli_take_u64("bench", "source", value, 0, RD_VERTEX_MAX, &vertex))
            return CLI_BAD_USAGE;
        source = value;
        break;
    }
    return 0;
}

static rd_status keep_graph(bench_case *self, rd_error *err)
{
    const char *spec = self->text[1];
    const rd_app_info *app = cli_find_app(self->text[0]);
    const int weighted = app && app->input == RD_INPUT_WEIGHTED, real = self->number[0] != 0;
    if (kept && strcmp(kept_spec, spec) == 0 && kept_permuted == is_permuted(self) && kept_real == real &&
        (!weighted || rd_graph_csr(kept).weight))
        return RD_OK;
    bench_graph_close();
    rd_graph_options options = wanted;
    options.size = sizeof options;
    kept_permuted = is_permuted(self);
    options.permute = kept_permuted != 0;
    options.threads = self->threads;
    options.progress = self->progress;
    options.progress_user = self->progress_user;
    if (weighted) {
        options.weight_min = 1;
        options.weight_max = 255; /* as bench_graph_suite says */
        options.keep_weights = 1;
        options.real_weights = (uint8_t)real;
    }
    kept_spec = spec;
    kept_real = real;
    return rd_graph_open(spec, &options, &kept, err);
}

/* The record of this app, graph and device; a new graph or app takes the place of the last one. */
static best_run *find_best(const bench_case *self, rd_device *device)
{
    const char *name = rd_device_get_info(device)->name;
    size_t i = 0;
    while (i < BEST_MAX && best[i].device[0] && strcmp(best[i].device, name) != 0)
        i++;
    if (i == BEST_MAX)
        return NULL;
    if (best[i].app != self->text[0] || best[i].spec != self->text[1])
        best[i] = (best_run){.app = self->text[0], .spec = self->text[1]};
    snprintf(best[i].device, sizeof best[i].device, "%s", name);
    return &best[i];
}

/* Keeps the best, and says of a default which one it is and how it compares. */
static void compare(bench_case *self, graph_case *own)
{
    const double seconds = own->report.kernel_s > 0 ? own->report.kernel_s : own->report.run_s;
    if (own->least <= 0 || seconds < own->least)
        own->least = seconds;
    if (!own->best)
        return;
    if (self->text[2]) {
        if (own->best->seconds <= 0 || own->least < own->best->seconds) {
            own->best->seconds = own->least;
            own->best->sched = own->report.sched;
            own->best->launch = own->report.launch;
        }
    } else if (own->best->seconds > 0) {
        snprintf(self->note, sizeof self->note, "%s/%s, %.2f x the best (%s/%s)", own->report.sched, own->report.launch,
                 own->least / own->best->seconds, own->best->sched, own->best->launch);
    }
}

/* Sets what a text like "worker=32 fetch=4" says. */
static rd_status set_all(rd_job *job, const char *text, rd_error *err)
{
    char key[24], value[24];
    int used = 0;
    rd_status status = RD_OK;
    while (status == RD_OK && sscanf(text, " %23[^= ]=%23[^ ]%n", key, value, &used) == 2) {
        if (strncmp(text + strspn(text, " "), permuted, sizeof permuted - 1) != 0)
            status = rd_job_set(job, key, value, err);
        text += used;
    }
    return status;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    graph_case *own = self->data = calloc(1, sizeof *own);
    if (!own) {
        snprintf(err->text, sizeof err->text, "out of host memory: a benchmark case");
        return err->status = RD_ENOMEM;
    }
    rd_status status = keep_graph(self, err);
    if (status == RD_OK)
        status = rd_job_create(device, self->text[0], &own->job, err);
    if (status == RD_OK) /* all trials of a case are of the same configuration; --set learn=on has others */
        status = rd_job_set(own->job, "learn", "off", err);
    if (status == RD_OK && self->text[2])
        status = rd_job_set(own->job, "sched", self->text[2], err);
    if (status == RD_OK && self->text[3])
        status = rd_job_set(own->job, "launch", self->text[3], err);
    if (status == RD_OK && self->text[4])
        status = set_all(own->job, self->text[4], err);
    own->best = self->text[4] ? NULL : find_best(self, device);
    if (status == RD_OK && source)
        status = cli_set_vertices(own->job, kept, "source", source, err);
    for (size_t i = 0; i < set_count && status == RD_OK; i++)
        status = rd_job_set(own->job, sets[i].key, sets[i].value, err);
    if (status == RD_OK)
        status = rd_job_set_graph(own->job, kept, err);
    if (status == RD_OK)
        rd_job_set_progress(own->job, self->progress, self->progress_user);
    return status;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    graph_case *own = self->data;
    rd_result result;
    double started = rd_now();
    rd_status status = rd_job_run(own->job, &own->report, err);
    if (status == RD_OK)
        status = rd_job_result(own->job, &result, err);
    sample->total_s = rd_now() - started;
    sample->kernel_s = own->report.kernel_s;
    if (status == RD_OK)
        status = rd_job_measure(own->job, &own->report, err);
    if (status == RD_OK)
        sample->work = cli_edges_reached(kept, &result);
    if (status == RD_OK)
        compare(self, own);
    return status;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    return rd_job_check(((graph_case *)self->data)->job, err);
}

static void describe_case(const bench_case *self, rd_json *json)
{
    const rd_report *report = &((const graph_case *)self->data)->report;
    rd_csr csr = rd_graph_csr(kept);
    rd_json_text(json, "primitive", self->text[0]);
    rd_json_text(json, "graph_file", self->text[1]);
    rd_json_text(json, "graph", rd_graph_provenance(kept));
    rd_json_u64(json, "num_vertices", csr.vertices);
    rd_json_u64(json, "num_edges", csr.edges);
    if (self->text[4])
        rd_json_text(json, "settings", self->text[4]);
    rd_json_text(json, "sched", report->sched);
    rd_json_text(json, "launch", report->launch);
    if (set_count)
        rd_json_text(json, "set", sets_text);
    rd_json_u64(json, "groups", report->groups);
    rd_json_u64(json, "lanes", report->lanes);
    rd_json_double(json, "run_s", report->run_s);
    rd_json_u64(json, "nodes_visited", report->reached);
    rd_json_u64(json, "edges_visited", report->edges);
    rd_json_u64(json, "tasks", report->tasks);
    if (report->tasks_needed)
        rd_json_double(json, "overwork", (double)report->tasks / (double)report->tasks_needed);
    if (report->reservations) {
        rd_json_u64(json, "reservations", report->reservations);
        rd_json_u64(json, "empty_polls", report->empty_polls);
    }
    rd_json_u64(json, "rounds", report->rounds);
    rd_json_u64(json, "launches", report->launches);
    rd_json_u64(json, "bytes_allocated", report->bytes_allocated);
    for (uint32_t i = 0; i < report->measures; i++)
        rd_json_double(json, report->measure[i].name, report->measure[i].value);
    const best_run *other = ((const graph_case *)self->data)->best;
    if (!self->text[2] && other && other->seconds > 0)
        rd_json_double(json, "over_best", ((const graph_case *)self->data)->least / other->seconds);
}

static void close_case(bench_case *self)
{
    graph_case *own = self->data;
    if (own)
        rd_job_destroy(own->job);
    free(own);
    self->data = NULL;
}

void bench_graph_close(void)
{
    rd_graph_destroy(kept);
    kept = NULL;
}

rd_job *bench_graph_job(const bench_case *self)
{
    return ((const graph_case *)self->data)->job;
}

const rd_report *bench_graph_report(const bench_case *self)
{
    return &((const graph_case *)self->data)->report;
}

const char *const *bench_graph_specs(const char *const *standard, const char *const *quick)
{
    return graph_count ? graphs : quick_wanted ? quick : standard;
}

bench_case bench_graph_case(const char *app, const char *spec, const char *sched, const char *launch,
                            const char *settings)
{
    return (bench_case){.unit = "edges",
                        .open = open_case,
                        .run = run_case,
                        .check = check_case,
                        .describe = describe_case,
                        .close = close_case,
                        .launch = launch,
                        .text = {app, spec, sched, launch, settings}};
}

/* One case; sched NULL: whatever the app chooses by itself. */
static rd_status add_case(bench_list *list, const char *prefix, const char *app, const char *spec, const char *sched,
                          const char *launch, rd_error *err)
{
    bench_case item = bench_graph_case(app, spec, sched, launch, NULL);
    snprintf(item.name, sizeof item.name, "%.24s%.72s/%.12s%s%.12s", prefix, spec, sched ? sched : "default",
             sched ? "/" : "", sched ? launch : "");
    return bench_add(list, &item, err);
}

rd_status bench_graph_cases(bench_list *list, const char *prefix, const char *app, const char *const *standard,
                            const char *const *quick, rd_error *err)
{
    const rd_app_info *info = cli_find_app(app);
    const char *const *spec = bench_graph_specs(standard, quick);
    rd_status status = RD_OK;
    for (; info && *spec && status == RD_OK; spec++) {
        for (const char *const *sched = info->schedulers; *sched; sched++)
            for (const char *const *launch = rd_scheduler_launches(*sched); *launch && status == RD_OK; launch++)
                status = add_case(list, prefix, app, *spec, *sched, *launch, err);
        if (status == RD_OK)
            status = add_case(list, prefix, app, *spec, NULL, NULL, err);
    }
    return status;
}

/* ---- The suite of an app ---- */

/* A scale-free graph with few levels and a road-like one with thousands; keep_graph gives weights to apps that want
 * them. */
static const char *const suite_graphs[] = {"kron:20", "road:2048x2048:0.65", NULL};
static const char *const suite_quick[] = {"kron:14", "road:256x256:0.65", NULL};

static rd_status app_cases(bench_list *list, rd_error *err)
{
    return bench_graph_cases(list, "", list->suite->name, suite_graphs, suite_quick, err);
}

bench_suite bench_graph_suite(const rd_app_info *app, char text[BENCH_SUMMARY])
{
    const int title = (int)strcspn(app->text, ":"); /* "PageRank: how often ..." */
    snprintf(text, BENCH_SUMMARY, "%.*s%s: graphs x schedulers x launches", title, app->text,
             app->input == RD_INPUT_WEIGHTED ? ", weights 1..255" : "");
    return (bench_suite){.name = app->name,
                         .summary = text,
                         .options = bench_graph_options,
                         .take = bench_graph_take,
                         .cases = app_cases,
                         .close = bench_graph_close};
}
