/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knapsack.c - the suite `bench knapsack`: nodes a second and time for the classes of items, under each
 * scheduler, on each device; and plain best-first search (`best-first`: every node a task, the way of the textbook) on
 * inputs small enough for it; and the instances of C. Huang's thesis (table 5.5), every node a task, with hopeless
 * tasks collected when more than 64 K wait (`gc`) and never (`no gc`), without lists of states, which prove some
 * at once, and for five seconds at most. Beside the checker, which may give up on large
 * inputs, all runs on the same items have to agree on the value.
 */
#include "cli/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { ID_ITEMS = 1, ID_QUICK, ID_DIVE };
enum { ITEMS_MAX = 32 };

static const cli_option options[] = {
    {"items", 'g', "ITEMS", "a file or generator; several times for several inputs", ID_ITEMS},
    {"quick", 0, NULL, "small inputs", ID_QUICK},
    {"dive", 0, "NODES", "nodes a task [the app's choice]", ID_DIVE},
    {NULL, 0, NULL, NULL, 0},
};

static const char *const standard[] = {
    "uncorrelated:10000:10000",
    "uncorrelated:100000:1000000",
    "weakly:10000:10000",
    "weakly:100000:1000000",
    "strongly:1000:1000",
    "strongly:1000:10000",
    "strongly:10000:1000",
    "strongly:10000:10000",
    "almost:1000:10000",
    "subset:10000:10000",
    NULL,
};
static const char *const quick[] = {
    "uncorrelated:1000:1000", "weakly:1000:1000", "strongly:300:300", "almost:100:1000", "subset:1000:1000", NULL,
};
static const char *const textbook[] = {"uncorrelated:1000:1000", "weakly:1000:1000", "strongly:100:1000", NULL};

/* sc, asc, esc and ss of the thesis: strongly and almost strongly correlated, even-odd, subset sum. */
static const char *const thesis[] = {
    "strongly:700:18000",
    "strongly:800:18000",
    "strongly:200:7000",
    "almost:750:16000",
    "almost:1300:6000",
    "almost:500:7000",
    "even-odd:900:18000",
    "even-odd:1200:13000",
    "even-odd:400:8000",
    "subset:100:18000",
    "subset:1250:12000",
    "subset:1300:14000",
    NULL,
};

static const char *inputs[ITEMS_MAX + 1];
static size_t input_count;
static int quick_wanted;
static const char *dive;

/* What the items of a spec are worth, once a run has said so. */
static struct {
    const char *spec;
    double value;
} known[2 * ITEMS_MAX];
static size_t known_count;

typedef struct knapsack_case {
    rd_job *job;
    rd_report report; /* of the last run */
} knapsack_case;

static int take(int id, const char *value)
{
    switch (id) {
    case ID_ITEMS:
        if (input_count == ITEMS_MAX)
            return cli_usage("bench", "at most %d inputs at a time", ITEMS_MAX);
        inputs[input_count++] = value;
        break;
    case ID_QUICK: quick_wanted = 1; break;
    case ID_DIVE: dive = value; break;
    }
    return 0;
}

static rd_status fail(rd_error *err, rd_status status, const char *text, const char *spec)
{
    snprintf(err->text, sizeof err->text, "%s: %.200s", text, spec);
    return err->status = status;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    knapsack_case *own = self->data = calloc(1, sizeof *own);
    if (!own)
        return fail(err, RD_ENOMEM, "out of host memory", self->text[0]);
    const char *nodes = self->text[1] ? self->text[1] : dive;
    rd_status status = rd_job_create(device, "knapsack", &own->job, err);
    if (status == RD_OK) /* it is the search that is measured: a start solution, and little more */
        status = rd_job_set(own->job, "states", self->text[3] ? "0" : "4096", err);
    if (status == RD_OK && self->text[3])
        status = rd_job_set(own->job, "timeout", "5", err);
    if (status == RD_OK && nodes)
        status = rd_job_set(own->job, "dive", nodes, err);
    if (status == RD_OK)
        status = rd_job_set(own->job, "sched", self->text[2], err);
    if (status == RD_OK && self->text[3]) { /* a heap that is never full, or one that is swept */
        status = rd_job_set(own->job, "capacity", "16777216", err);
        if (status == RD_OK && strcmp(self->text[3], "gc") == 0)
            status = rd_job_set(own->job, "gc", "65536", err);
    }
    if (status == RD_OK)
        status = rd_job_set_input(own->job, self->text[0], err);
    if (status == RD_OK)
        rd_job_set_progress(own->job, self->progress, self->progress_user);
    return status;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    knapsack_case *own = self->data;
    rd_result result;
    const double started = rd_now();
    rd_status status = rd_job_run(own->job, &own->report, err);
    if (status == RD_OK)
        status = rd_job_result(own->job, &result, err);
    sample->total_s = rd_now() - started;
    sample->kernel_s = own->report.kernel_s;
    sample->work = (uint64_t)bench_measured(&own->report, "nodes");
    return status;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    knapsack_case *own = self->data;
    const double value = bench_measured(&own->report, "value");
    size_t i = 0;
    while (i < known_count && strcmp(known[i].spec, self->text[0]) != 0)
        i++;
    if (i < known_count && known[i].value != value)
        return fail(err, RD_EWRONG, "two runs disagree on the highest value", self->text[0]);
    if (i == known_count && known_count < sizeof known / sizeof known[0]) {
        known[known_count].spec = self->text[0];
        known[known_count++].value = value;
    }
    return rd_job_check(own->job, err);
}

static void describe_case(const bench_case *self, rd_json *json)
{
    const rd_report *report = &((const knapsack_case *)self->data)->report;
    rd_json_text(json, "items", self->text[0]);
    rd_json_text(json, "sched", report->sched);
    rd_json_text(json, "launch", report->launch);
    rd_json_u64(json, "groups", report->groups);
    rd_json_u64(json, "lanes", report->lanes);
    rd_json_u64(json, "tasks", report->tasks);
    rd_json_u64(json, "launches", report->launches);
    rd_json_double(json, "run_s", report->run_s);
    for (uint32_t i = 0; i < report->measures; i++)
        rd_json_double(json, report->measure[i].name, report->measure[i].value);
}

static void close_case(bench_case *self)
{
    knapsack_case *own = self->data;
    if (own)
        rd_job_destroy(own->job);
    free(own);
    self->data = NULL;
}

static rd_status add(bench_list *list, const char *spec, const char *sched, const char *nodes, const char *gc,
                     rd_error *err)
{
    bench_case item = {.unit = "nodes",
                       .optional = gc != NULL, /* a search that is not pruned may take for ever */
                       .open = open_case,
                       .run = run_case,
                       .check = check_case,
                       .describe = describe_case,
                       .close = close_case,
                       .text = {spec, nodes, sched, gc}};
    snprintf(item.name, sizeof item.name, "%.90s/%.16s%s%s%s", spec, sched, nodes ? "/best-first" : "", gc ? "/" : "",
             gc ? gc : "");
    return bench_add(list, &item, err);
}

static rd_status cases(bench_list *list, rd_error *err)
{
    const rd_app_info *app = cli_find_app("knapsack");
    rd_status status = RD_OK;
    for (const char *const *spec = input_count ? inputs : quick_wanted ? quick : standard; *spec; spec++)
        for (const char *const *sched = app->schedulers; *sched && status == RD_OK; sched++)
            status = add(list, *spec, *sched, NULL, NULL, err);
    for (const char *const *spec = textbook; *spec && !input_count && status == RD_OK; spec++)
        status = add(list, *spec, app->schedulers[0], "1", NULL, err);
    for (const char *const *spec = thesis; *spec && !input_count && !quick_wanted && status == RD_OK; spec++) {
        status = add(list, *spec, "heap", "1", "no gc", err);
        if (status == RD_OK)
            status = add(list, *spec, "heap", "1", "gc", err);
    }
    return status;
}

const bench_suite bench_suite_knapsack = {
    .name = "knapsack",
    .summary = "0/1 knapsack: nodes a second for Pisinger's classes, and plain best-first search",
    .options = options,
    .take = take,
    .cases = cases,
};
