/* SPDX-License-Identifier: Apache-2.0 */
/* test_shapes.c - the litmus shapes in the orders of the dialect: no outcome that its memory model forbids. */
#include "selftest/selftest.h"

#include "core/memory.h"
#include "raddle/litmus.h"

#include <stdio.h>

static rd_status run(rd__test *test, rd_litmus *litmus, rd_litmus_result *result, rd_error *err)
{
    unsigned long long runs = 0, weak = 0, tests = 0;
    for (size_t i = 0; rd_litmus_get(i); i++) {
        RD_TRY(rd_litmus_run(litmus, rd_litmus_get(i), result, err));
        runs += result->runs;
        weak += result->weak;
        tests += !result->skipped;
    }
    snprintf(test->note, sizeof test->note, "%llu shapes, %llu runs, %llu weak outcomes", tests, runs, weak);
    return RD_OK;
}

static rd_status shapes(rd__test *test, rd_error *err)
{
    const rd_litmus_options options = {.size = sizeof options, .runs = 10ull * test->repeats, .seed = test->seed};
    rd_litmus_result *result = rd__calloc(1, sizeof *result);
    rd_litmus *litmus = NULL;
    if (!result)
        return rd__fail_memory(err, "outcomes of litmus tests", sizeof *result);
    rd_status status = rd_litmus_open(test->device, &options, &litmus, err);
    if (status == RD_OK)
        status = run(test, litmus, result, err);
    rd_litmus_close(litmus);
    rd__free(result);
    return status;
}

const rd__test_case rd__shape_cases[] = {
    {"litmus/shapes", shapes, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
