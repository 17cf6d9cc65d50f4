/* SPDX-License-Identifier: Apache-2.0 */
/* test_steal.c - scheduler `steal`: owners and thieves at the same deques, which are nearly empty all the time. Who
 * loses must not take that for the end. */
#include "selftest/selftest.h"

#include "core/hash.h"

#include <stdio.h>

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

const rd__test_case rd__steal_cases[] = {
    {.name = "steal/thieves", .run = thieves},
    {.name = NULL},
};
