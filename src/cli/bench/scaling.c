/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scaling.c - the suite `bench scaling`: how the scheduler fifo's shared queue scales with workers, in one form or in
 * all; atomics, retries, empty polls and what speculation had to correct are in the records. The work is a
 * search of a tree in which every vertex has four children, as in the thesis: no vertex is reached twice, each task is
 * as large as the next, and only the first few levels have fewer tasks than workers. So one worker's time over that of
 * n is limited by the queue alone, and ideal is n.
 *
 * Cases go from one worker to all that the scheduler uses by itself on that device, or as many as --groups says. By
 * itself it takes a few warps of each unit for such a graph; with --worker of more lanes than a warp, as many workers
 * as fit the device at once. Up to 100 runs each.
 */
#include "cli/bench/graph.h"

#include <string.h>

enum { ID_QUEUE = 50, ID_WORKER, ID_GROUPS, ID_APP, DEVICES = 64, RUNS = 100, FORMS = 3 };

static const char *const standard[] = {"tree:4:11", NULL};
static const char *const quick[] = {"tree:4:8", NULL};
static const char *queue = "retry-free";
static uint64_t lanes, most_workers; /* 0: what the scheduler chooses */
static char settings[FORMS][64];     /* of the cases of each form */
static const char *const forms[FORMS] = {"retry-free", "an", "cas"};
static const char *app = "bfs";
static const cli_option options[] = {
    {"graph", 'g', "INPUT", "a file or generator in place of the tree; several times for several graphs", 1},
    {"quick", 0, NULL, "a small tree", 2},
    {"app", 0, "NAME", "bfs, or sssp with what it had to correct [bfs]", ID_APP},
    {"queue", 0, "NAME", "form of the queue: retry-free, an, cas, all [retry-free]", ID_QUEUE},
    {"worker", 0, "LANES", "lanes of a worker [as the scheduler chooses]", ID_WORKER},
    {"groups", 0, "N", "the most workers [as many as the scheduler uses]", ID_GROUPS},
    {NULL, 0, NULL, NULL, 0},
};

/* One worker's mean time and the number of all workers, by graph and device. */
static struct known {
    const char *spec, *settings;
    char device[32];
    double one_s;
    uint32_t all;
} known[DEVICES];

static int is_of(const struct known *k, const bench_case *self, const char *device)
{
    return k->spec == self->text[1] && k->settings == self->text[4] && strcmp(k->device, device) == 0;
}

static struct known *find(const bench_case *self, rd_device *device)
{
    const char *name = rd_device_get_info(device)->name;
    size_t i = 0;
    while (i < DEVICES - 1 && known[i].spec && !is_of(&known[i], self, name))
        i++;
    if (!is_of(&known[i], self, name))
        known[i] = (struct known){.spec = self->text[1], .settings = self->text[4]};
    snprintf(known[i].device, sizeof known[i].device, "%s", name);
    return &known[i];
}

/* Where this case's times are gathered; cases run one after another. */
static struct {
    struct known *where;
    double sum_s, speedup, share;
    uint32_t runs, workers;
} now;

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    char groups[16];
    const bench_case plain = bench_graph_case(self->text[0], self->text[1], self->text[2], self->text[3], NULL);
    rd_status status = plain.open(self, device, err);
    memset(&now, 0, sizeof now);
    now.where = find(self, device);
    if (most_workers)
        now.where->all = (uint32_t)most_workers;
    if (status == RD_OK && !now.where->all) { /* a run by the scheduler's own choice tells how many workers there are */
        bench_sample sample = {0};
        status = plain.run(self, &sample, err);
        now.where->all = status == RD_OK ? bench_graph_report(self)->groups : 0;
    }
    if (status != RD_OK)
        return status;
    now.workers = (uint32_t)(now.where->all / self->number[0]);
    now.workers = now.workers ? now.workers : 1;
    self->workers = now.workers;
    snprintf(groups, sizeof groups, "%u", now.workers);
    return rd_job_set(bench_graph_job(self), "groups", groups, err);
}

static double overwork(const rd_report *report)
{
    return report->tasks_needed ? (double)report->tasks / (double)report->tasks_needed : 0;
}

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    const bench_case plain = bench_graph_case(self->text[0], self->text[1], self->text[2], self->text[3], NULL);
    rd_status status = plain.run(self, sample, err);
    if (status != RD_OK || self->warming)
        return status;
    now.sum_s += sample->kernel_s > 0 ? sample->kernel_s : sample->total_s;
    now.runs++;
    const double mean_s = now.sum_s / now.runs;
    if (self->number[0] == UINT32_MAX)
        now.where->one_s = mean_s;
    if (now.where->one_s <= 0) { /* --filter left out what all are compared with */
        snprintf(self->note, sizeof self->note, "%u workers, \"one worker\" was not measured", now.workers);
        return RD_OK;
    }
    now.speedup = now.where->one_s / mean_s;
    now.share = now.speedup / now.workers;
    const rd_report *report = bench_graph_report(self);
    const double tasks = report->tasks ? (double)report->tasks : 1;
    int used = snprintf(self->note, sizeof self->note, "%u workers, %.4g x, %.1f %% of ideal", now.workers, now.speedup,
                        100 * now.share);
    if (strcmp(self->text[0], "sssp") == 0)
        used += snprintf(self->note + used, sizeof self->note - (size_t)used, ", %.3g tasks each", overwork(report));
    else
        used += snprintf(self->note + used, sizeof self->note - (size_t)used, ", %.2g empty",
                         (double)report->empty_polls / tasks);
    if (!strstr(self->text[4], "retry-free") && report->reservations) /* of forms that may have to try again */
        snprintf(self->note + used, sizeof self->note - (size_t)used, ", %.3g retries a reservation",
                 bench_measured(report, "retries") / (double)report->reservations);
    return RD_OK;
}

static void describe(const bench_case *self, rd_json *json)
{
    bench_graph_case(self->text[0], self->text[1], self->text[2], self->text[3], NULL).describe(self, json);
    rd_json_u64(json, "workers", now.workers);
    if (now.speedup > 0) {
        rd_json_double(json, "speedup", now.speedup);
        rd_json_double(json, "share_of_ideal", now.share);
    }
}

static int take(int id, const char *value)
{
    switch (id) {
    case ID_QUEUE: queue = value; return 0;
    case ID_APP:
        if (strcmp(value, "bfs") != 0 && strcmp(value, "sssp") != 0)
            return cli_usage("bench", "--app takes bfs or sssp, not '%s'", value);
        app = value;
        return 0;
    case ID_GROUPS: return cli_take_u64("bench", "groups", value, 1, UINT32_MAX, &most_workers) ? 0 : CLI_BAD_USAGE;
    case ID_WORKER: return cli_take_u64("bench", "worker", value, 1, 1024, &lanes) ? 0 : CLI_BAD_USAGE;
    default: return bench_graph_take(id, value);
    }
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const struct {
        const char *name;
        uint64_t share;
    } shares[] = {{"one worker", UINT32_MAX}, {"a 64th", 64}, {"a 32nd", 32}, {"a 16th", 16}, {"an 8th", 8},
                  {"a quarter", 4},           {"half", 2},    {"all", 1}};
    const int all = strcmp(queue, "all") == 0;
    rd_status status = RD_OK;
    for (int f = 0; f < (all ? FORMS : 1); f++) {
        const int used = snprintf(settings[f], sizeof settings[f], "queue=%.20s", all ? forms[f] : queue);
        if (lanes)
            snprintf(settings[f] + used, sizeof settings[f] - (size_t)used, " worker=%u", (unsigned)lanes);
        for (const char *const *spec = bench_graph_specs(standard, quick); *spec; spec++)
            for (size_t s = 0; status == RD_OK && s < sizeof shares / sizeof *shares; s++) {
                bench_case item = bench_graph_case(app, *spec, "fifo", "persistent", settings[f]);
                item.open = open_case;
                item.run = run;
                item.describe = describe;
                item.number[0] = shares[s].share;
                snprintf(item.name, sizeof item.name, "%.80s/%s%s%s", *spec, all ? forms[f] : "", all ? "/" : "",
                         shares[s].name);
                status = bench_add(list, &item, err);
            }
    }
    return status;
}

const bench_suite bench_suite_scaling = {
    .name = "scaling",
    .summary = "fifo from one worker to all on a tree of fan-out 4: speed-up, share of ideal, polls",
    .trials = RUNS,
    .time_limit = 10,
    .options = options,
    .take = take,
    .cases = cases,
    .close = bench_graph_close,
};
