/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_rank.c - the schedulers with a priority queue, `heap` and `multi`: queues that are too small from the start, so
 * that workers leave, the host collects and grows, again and again; every option of multi; small inputs many times.
 */
#include "selftest/selftest.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

enum { OPTIONS_MOST = 4 };

struct variant {
    const char *app, *input; /* a generator, of sssp a graph */
    const char *sched, *groups;
    const char *key[OPTIONS_MOST], *value[OPTIONS_MOST]; /* more options; ended by NULL */
};

static rd_status set_up(const struct variant *v, rd_job *job, rd_graph **graph, rd_error *err)
{
    const rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    RD_TRY(rd_job_set(job, "sched", v->sched, err));
    RD_TRY(rd_job_set(job, "groups", v->groups, err));
    for (int i = 0; i < OPTIONS_MOST && v->key[i]; i++)
        RD_TRY(rd_job_set(job, v->key[i], v->value[i], err));
    if (strcmp(v->app, "sssp") != 0)
        return rd_job_set_input(job, v->input, err);
    RD_TRY(rd_graph_open(v->input, &options, graph, err));
    return rd_job_set_graph(job, *graph, err);
}

/* Runs a variant some times and adds up how often the queue was collected. */
static rd_status run_variant(rd__test *test, const struct variant *v, uint32_t times, double *collections,
                             rd_error *err)
{
    rd_job *job = NULL;
    rd_graph *graph = NULL;
    rd_error why = {.status = RD_OK};
    RD_TRY(rd_job_create(test->device, v->app, &job, err));
    rd_status status = set_up(v, job, &graph, &why);
    for (uint32_t i = 0; status == RD_OK && i < times; i++) {
        rd_report report;
        status = rd_job_run(job, &report, &why);
        if (status == RD_OK)
            status = rd_job_check(job, &why);
        for (uint32_t m = 0; status == RD_OK && m < report.measures; m++)
            *collections += strcmp(report.measure[m].name, "collections") == 0 ? report.measure[m].value : 0;
    }
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    return status == RD_OK ? RD_OK
                           : rd__fail(err, status, "%s %s --sched %s --groups %s: %.900s", v->app, v->input, v->sched,
                                      v->groups, why.text);
}

/* The hub of a star gives more than there is room for, and is itself given back half-done; many workers at once fill
 * what is too small for them. */
static rd_status no_room(rd__test *test, rd_error *err)
{
    static const char *const scheds[] = {"heap", "multi"}, *const groups[] = {"1", "3", "0"};
    static const char *const inputs[][2] = {
        {"sssp", "kron:11"}, {"sssp", "star:30000"}, {"astar", "grid:150x100:0.3"}, {"knapsack", "strongly:150:100"}};
    const int inputs_run = rd__test_is_slow(test) ? 1 : 4;
    uint32_t runs = 0;
    double collections = 0;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < inputs_run; i++)
            for (int g = 0; g < 3; g++, runs++) {
                const struct variant v = {inputs[i][0], inputs[i][1], scheds[s], groups[g], {"capacity"}, {"2"}};
                RD_TRY(run_variant(test, &v, 1, &collections, err));
            }
    if (collections == 0)
        return rd__fail(err, RD_EWRONG, "queues for two tasks were never full in %u runs: the test tests nothing",
                        runs);
    rd__snprintf(test->note, sizeof test->note, "%u checked runs, %.0f collections", runs, collections);
    return RD_OK;
}

static rd_status every_option(rd__test *test, rd_error *err)
{
    static const struct variant variants[] = {
        {"sssp", "road:40x40:0.65", "multi", "1", {NULL}, {NULL}},
        {"sssp", "kron:10", "multi", "3", {"queues", "batch", "stick"}, {"1", "1", "1"}},
        {"sssp", "kron:10", "multi", "0", {"queues", "batch", "near"}, {"64", "1024", "0"}},
        {"sssp", "kron:10", "multi", "5", {"stick", "near", "capacity"}, {"65536", "100", "8"}},
        {"sssp", "kron:10", "heap", "2", {"few", "near"}, {"300", "0"}},
        {"astar", "grid:60x60:0.3", "multi", "3", {"queues", "batch", "stick"}, {"3", "3", "3"}},
        {"astar", "grid:60x60:0.3", "multi", "1", {"batch", "stick"}, {"1000", "7"}},
    };
    const size_t count = rd__test_is_slow(test) ? 1 : sizeof variants / sizeof variants[0];
    double collections = 0;
    for (size_t i = 0; i < count; i++)
        RD_TRY(run_variant(test, &variants[i], 2, &collections, err));
    snprintf(test->note, sizeof test->note, "%zu variants", count);
    return RD_OK;
}

/* Small inputs again and again, with one task at a time and few heaps, where workers meet most. */
static rd_status stress(rd__test *test, rd_error *err)
{
    static const struct variant variants[] = {
        {"astar", "grid:12x12:0.2", "multi", "0", {"queues", "batch", "stick"}, {"1", "1", "1"}},
        {"sssp", "star:600", "multi", "0", {"capacity", "batch"}, {"2", "2"}},
        {"sssp", "kron:6", "multi", "4", {"queues", "stick"}, {"1", "2"}},
    };
    const size_t count = rd__test_is_slow(test) ? 1 : sizeof variants / sizeof variants[0];
    const uint32_t times = 1 + test->repeats / 3;
    double collections = 0;
    for (size_t i = 0; i < count; i++)
        RD_TRY(run_variant(test, &variants[i], times, &collections, err));
    rd__snprintf(test->note, sizeof test->note, "%u checked runs, %.0f collections", times * (uint32_t)count,
                 collections);
    return RD_OK;
}

const rd__test_case rd__rank_cases[] = {
    {"rank/no-room", no_room, RD__ONCE},
    {"rank/every-option", every_option, RD__ONCE},
    {"rank/stress", stress, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
