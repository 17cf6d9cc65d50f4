/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_pr.c - PageRank after a number of iterations, on graphs with vertices that have no edges: against numbers worked
 * out by hand, and on a larger one against the checker. Every other run of pr goes on until ranks stand still, and
 * would not notice what an iteration is.
 */
#include "selftest/selftest.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>

/* 0 -> 1, 0 -> 2, 1 -> 2, 3 -> 0, and 2 has no edges; alpha 1/2. Of iterations with fractions:
 *   once    9  7 11  5, over 32
 *   twice  63 61 89 43, over 256
 *   for ever  b is the rank of 3: 1.5 b, 1.375 b, 2.0625 b, b, in sum 1: 24 22 33 16, over 95 */
static const uint32_t source[] = {0, 0, 1, 3}, target[] = {1, 2, 2, 0};
static const struct {
    const char *iterations; /* NULL: until ranks stand still */
    double rank[4];
} by_hand[] = {
    {"0", {0.25, 0.25, 0.25, 0.25}},
    {"1", {9 / 32., 7 / 32., 11 / 32., 5 / 32.}},
    {"2", {63 / 256., 61 / 256., 89 / 256., 43 / 256.}},
    {"14", {0.2526315791, 0.2315789475, 0.3473684206, 0.1684210529}},
    {NULL, {24 / 95., 22 / 95., 33 / 95., 16 / 95.}},
};
enum { BY_HAND = sizeof by_hand / sizeof by_hand[0] };

static rd_status run(rd__test *test, const rd_graph *graph, const char *launch, const char *iterations,
                     const double *wanted, rd_error *err)
{
    char where[100];
    rd_job *job = NULL;
    rd_result result;
    snprintf(where, sizeof where, "pr --launch %s, %s iterations", launch, iterations ? iterations : "all");
    RD_TRY(rd_job_create(test->device, "pr", &job, err));
    rd_status status = rd_job_set_graph(job, graph, err);
    if (status == RD_OK)
        status = rd_job_set(job, "launch", launch, err);
    if (status == RD_OK && wanted)
        status = rd_job_set(job, "alpha", "0.5", err);
    if (status == RD_OK)
        status = iterations ? rd_job_set(job, "iterations", iterations, err) : rd_job_set(job, "tol", "1e-7", err);
    if (status == RD_OK)
        status = rd__test_run(job, where, NULL, err);
    if (status == RD_OK)
        status = rd_job_result(job, &result, err);
    for (uint64_t v = 0; status == RD_OK && wanted && v < result.count; v++)
        if (!(fabs((double)result.real[v] - wanted[v]) <= 1e-6))
            status = rd__fail(err, RD_EWRONG, "%s: vertex %u has rank %.9g and should have %.9g", where, (unsigned)v,
                              (double)result.real[v], wanted[v]);
    rd_job_destroy(job);
    return status;
}

static rd_status each_launch(rd__test *test, const rd_graph *graph, const char *iterations, const double *wanted,
                             rd_error *err)
{
    for (const char *const *launch = rd_scheduler_launches("bsp"); *launch; launch++)
        if (rd__test_has_launch(test, *launch))
            RD_TRY(run(test, graph, *launch, iterations, wanted, err));
    return RD_OK;
}

static rd_status small(rd__test *test, rd_error *err)
{
    rd_graph *graph = NULL;
    RD_TRY(rd_graph_from_edges(4, 4, source, target, NULL, NULL, &graph, err));
    rd_status status = RD_OK;
    for (int i = 0; status == RD_OK && i < BY_HAND; i++)
        status = each_launch(test, graph, by_hand[i].iterations, by_hand[i].rank, err);
    rd_graph_destroy(graph);
    return status;
}

/* Every third vertex has no edges, and vertex 1 gets one from each of the others: several groups, and parts. */
static rd_status make_large(uint32_t vertices, rd_graph **graph, rd_error *err)
{
    uint32_t edges = 0, *pair = rd__calloc(4 * (size_t)vertices, sizeof *pair), *to = pair + 2 * (size_t)vertices;
    if (!pair)
        return rd__fail_memory(err, "edges of a graph", 16ull * vertices);
    for (uint32_t v = 0; v < vertices; v++)
        for (int i = 0; i < 2 && v % 3; i++) {
            pair[edges] = v;
            to[edges++] = i ? 1 : (uint32_t)((v * 7ull + 5) % vertices);
        }
    rd_status status = rd_graph_from_edges(vertices, edges, pair, to, NULL, NULL, graph, err);
    rd__free(pair);
    return status;
}

static rd_status large(rd__test *test, rd_error *err)
{
    static const char *const iterations[] = {"1", "2", "14"};
    rd_graph *graph = NULL;
    RD_TRY(make_large(rd__test_has_threads(test) ? 600 : 12000, &graph, err));
    rd_status status = RD_OK;
    for (int i = 0; status == RD_OK && i < 3; i++)
        status = each_launch(test, graph, iterations[i], NULL, err);
    rd_graph_destroy(graph);
    return status;
}

const rd__test_case rd__pr_cases[] = {
    {"apps/iterations/small", small, RD__ONCE},
    {"apps/iterations/large", large, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
