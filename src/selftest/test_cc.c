/* SPDX-License-Identifier: Apache-2.0 */
/* test_cc.c - cc where it is hard: a ring whose vertices are numbered by chance. Trees become deep, and many lanes
 * shorten the same ways at once. */
#include "selftest/selftest.h"

#include <stdio.h>

enum { RING = 1704 };

static rd_status make_ring(uint64_t seed, rd_graph **graph, rd_error *err)
{
    uint32_t source[RING], target[RING];
    const rd_graph_options options = {.size = sizeof options, .seed = seed, .permute = 1};
    for (uint32_t v = 0; v < RING; v++) {
        source[v] = v;
        target[v] = (v + 1) % RING;
    }
    return rd_graph_from_edges(RING, RING, source, target, NULL, &options, graph, err);
}

static rd_status run_launch(rd__test *test, const rd_graph *graph, const char *launch, const char *groups,
                            uint64_t *runs, rd_error *err)
{
    char where[96];
    rd_job *job = NULL;
    snprintf(where, sizeof where, "cc --launch %s --groups %s on a ring", launch, groups);
    RD_TRY(rd_job_create(test->device, "cc", &job, err));
    rd_status status = rd_job_set(job, "launch", launch, err);
    if (status == RD_OK)
        status = rd_job_set(job, "groups", groups, err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, err);
    /* A device may not have so many groups together. */
    const int refused = status == RD_OK && groups[0] != '0' && rd_job_run(job, NULL, NULL) == RD_EARG;
    for (uint32_t i = 0; status == RD_OK && !refused && i <= test->repeats; i++, ++*runs)
        status = rd__test_run(job, where, NULL, err);
    rd_job_destroy(job);
    return status;
}

static rd_status chains(rd__test *test, rd_error *err)
{
    static const char *const launches[] = {"discrete", "persistent"}, *const groups[] = {"0", "3"};
    rd_graph *graph = NULL;
    uint64_t runs = 0;
    RD_TRY(make_ring(test->seed, &graph, err));
    rd_status status = RD_OK;
    for (int i = 0; status == RD_OK && i < 4; i++)
        status = run_launch(test, graph, launches[i / 2], groups[i % 2], &runs, err);
    rd_graph_destroy(graph);
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return status;
}

const rd__test_case rd__cc_cases[] = {{"apps/chains/cc", chains, RD__ONCE}, {NULL, NULL, RD__ONCE}};
