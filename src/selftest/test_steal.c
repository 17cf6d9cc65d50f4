/* SPDX-License-Identifier: Apache-2.0 */
/* test_steal.c - scheduler `steal`: owners and thieves at the same deques, which are nearly empty all the time. Who
 * loses must not take that for the end. `steal-levels`: a launch that is left half-way through a level, as for a trace,
 * and others that go on. */
#include "selftest/selftest.h"

#include "core/hash.h"

#include <stdio.h>

enum { LEVELS_MOST = 4 << 20 };

static rd_status make_job(rd__test *test, const rd_graph *graph, const char *deque, const char *groups, rd_job **job,
                          rd_error *err)
{
    RD_TRY(rd_job_create(test->device, "bfs", job, err));
    RD_TRY(rd_job_set(*job, "sched", "steal", err));
    RD_TRY(rd_job_set(*job, "deque", deque, err));
    RD_TRY(rd_job_set(*job, "groups", groups, err));
    return rd_job_set_graph(*job, graph, err);
}

static rd_status thieves(rd__test *test, rd_error *err)
{
    static const char *const deques[] = {"lock", "lockfree"}, *const groups[] = {"0", "3"};
    const rd_graph_options options = {.size = sizeof options, .seed = test->seed};
    rd_graph *graph = NULL;
    uint64_t runs = 0;
    RD_TRY(rd_graph_open("road:12x12:0.7", &options, &graph, err));
    rd_status status = RD_OK;
    for (int i = 0; status == RD_OK && i < 4; i++) {
        char where[64], source[16];
        rd_job *job = NULL;
        snprintf(where, sizeof where, "bfs --sched steal --deque %s --groups %s", deques[i % 2], groups[i / 2]);
        status = make_job(test, graph, deques[i % 2], groups[i / 2], &job, err);
        for (uint32_t k = 0; status == RD_OK && k < test->repeats; k++, runs++) {
            snprintf(source, sizeof source, "%u", (uint32_t)(rd__mix64(test->seed + k) % 144));
            status = rd_job_set(job, "source", source, err);
            if (status == RD_OK)
                status = rd__test_run(job, where, NULL, err);
        }
        rd_job_destroy(job);
    }
    rd_graph_destroy(graph);
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return status;
}

/* Runs of one launch, ever longer, until one was left; a device that runs each level in a launch has more from the
 * start. */
static rd_status leave_levels(rd__test *test, const char *shape, const char *wide, uint64_t *runs, rd_error *err)
{
    const rd_graph_options options = {.size = sizeof options, .seed = test->seed};
    rd_report report = {.launches = 1};
    rd_status status = RD_OK;
    uint32_t size = 1000;
    for (; status == RD_OK && report.launches == 1 && size <= LEVELS_MOST; size *= 4, ++*runs) {
        char text[32], where[96];
        rd_graph *graph = NULL;
        rd_job *job = NULL;
        snprintf(text, sizeof text, "%s:%u%s", shape, size, wide);
        snprintf(where, sizeof where, "bfs %s --sched steal-levels, traced", text);
        RD_TRY(rd_graph_open(text, &options, &graph, err));
        status = rd_job_create(test->device, "bfs", &job, err);
        const char *const set[][2] = {{"sched", "steal-levels"}, {"launch", "persistent"}, {"trace", "/dev/null"}};
        for (size_t i = 0; status == RD_OK && i < sizeof set / sizeof *set; i++)
            status = rd_job_set(job, set[i][0], set[i][1], err);
        if (status == RD_OK)
            status = rd_job_set_graph(job, graph, err);
        if (status == RD_OK)
            status = rd__test_run(job, where, &report, err);
        rd_job_destroy(job);
        rd_graph_destroy(graph);
    }
    if (status == RD_OK && report.launches == 1)
        return rd__fail(err, RD_EWRONG, "steal-levels, traced: a run of %u levels was never left", size / 4);
    return status;
}

static rd_status left_levels(rd__test *test, rd_error *err)
{
    uint64_t runs = 0;
    for (uint32_t k = 0; k <= test->repeats / 10; k++) {    /* each is several runs, up to one that was left */
        RD_TRY(leave_levels(test, "path", "", &runs, err)); /* a task a level */
        RD_TRY(leave_levels(test, "mesh", "x60", &runs, err));
    }
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return RD_OK;
}

const rd__test_case rd__steal_cases[] = {
    {.name = "steal/thieves", .run = thieves},
    {.name = "steal/left-levels", .run = left_levels},
    {.name = NULL},
};
