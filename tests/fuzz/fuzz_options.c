/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_options.c - options of jobs. The first line names an app, the others are KEY=VALUE; what is taken is planned and
 * explained. Each value also goes to the parsers of numbers, which must agree with themselves.
 */
#include "fuzz.h"

#include "raddle/tool.h"

#include <math.h>
#include <stdio.h>

static rd_graph *graph; /* of all inputs */

static void parse_numbers(const char *text)
{
    uint64_t whole = 0, again = 0;
    double real = 0;
    if (rd_parse_u64(text, &whole)) {
        char back[32];
        snprintf(back, sizeof back, "%llu", (unsigned long long)whole);
        if (!rd_parse_u64(back, &again) || again != whole)
            abort();
    }
    if (rd_parse_double(text, &real) && !isfinite(real))
        abort();
}

static void set_all(rd_job *job, char *line)
{
    rd_error err = {RD_OK, ""};
    rd_plan plan;
    while (line) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *value = strchr(line, '=');
        if (value) {
            *value++ = '\0';
            parse_numbers(value);
            err.status = RD_OK;
            fuzz_check(rd_job_set(job, line, value, &err), &err);
        }
        line = next;
    }
    if (graph && rd_job_set_graph(job, graph, NULL) != RD_OK) {
        static const char *const inputs[] = {"weakly:9", "grid:5x5", "box:2"};
        for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
            if (rd_job_set_input(job, inputs[i], NULL) == RD_OK)
                break;
    }
    err.status = RD_OK;
    const rd_status status = rd_job_plan(job, &plan, &err);
    fuzz_check(status, &err);
    if (status == RD_OK && plan.count > RD_PLAN_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd_error err = {RD_OK, ""};
    rd_job *job = NULL;
    fuzz_begin();
    if (!graph) {
        const rd_graph_options weighted = {.size = sizeof weighted, .threads = 1, .weight_min = 1, .weight_max = 9};
        if (rd_graph_open("path:9", &weighted, &graph, &err) != RD_OK)
            abort();
        atomic_store(&fuzz_live, 0); /* it stays */
    }
    char *text = fuzz_copy(data, bytes, 1), *rest = strchr(text, '\n');
    if (rest)
        *rest++ = '\0';
    const rd_status status = rd_job_create(NULL, text, &job, &err);
    fuzz_check(status, &err);
    if (status == RD_OK)
        set_all(job, rest);
    rd_job_destroy(job);
    free(text);
    fuzz_end();
    return 0;
}
