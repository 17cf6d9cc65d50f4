/* SPDX-License-Identifier: Apache-2.0 */
/* test_bc_check.c - the checker of betweenness accepts the right numbers and finds every one that is off; and its
 * numbers of paths have no end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/bc/check.h"
#include "core/memory.h"

/* 0 - {1, 2} - 3 - 4, and 5 alone. From 0 and 4: what passes 1 and 2 is half of each way. */
static const uint64_t row[] = {0, 2, 4, 6, 9, 10, 10};
static const uint32_t col[] = {1, 2, 0, 3, 0, 3, 1, 2, 4, 3};
static const rd_csr csr = {.vertices = 6, .edges = 10, .row = row, .col = col};
static const uint32_t source[] = {0, 4};
static const float right[] = {0, 1.5f, 1.5f, 4, 0, 0};

static void right_ones_pass(void **state)
{
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__bc_check(&csr, source, 2, right, &err), RD_OK);
    assert_int_equal(rd__bc_check(&csr, NULL, 0, (const float[6]){0}, &err), RD_OK);
}

static void wrong_ones_are_found(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 6; v++) {
        float score[6];
        rd_error err = {.status = RD_OK};
        memcpy(score, right, sizeof score);
        score[v] += 0.01f;
        assert_int_equal(rd__bc_check(&csr, source, 2, score, &err), RD_EWRONG);
        score[v] = 0.0f / 0.0f;
        assert_int_equal(rd__bc_check(&csr, source, 2, score, &err), RD_EWRONG);
    }
}

/* Diamonds in a row: 2^n ways to the last of n, and half of what comes after passes each side. */
static void more_ways_than_a_double_counts(void **state)
{
    enum { DIAMONDS = 2000, VERTICES = 3 * DIAMONDS + 1 };
    uint32_t *from = NULL, *to = NULL;
    float *score = NULL;
    rd_graph *graph = NULL;
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__array_new(&from, "sources", 4 * DIAMONDS, sizeof *from, &err), RD_OK);
    assert_int_equal(rd__array_new(&to, "targets", 4 * DIAMONDS, sizeof *to, &err), RD_OK);
    assert_int_equal(rd__array_new(&score, "scores", VERTICES, sizeof *score, &err), RD_OK);
    for (uint32_t i = 0; i < DIAMONDS; i++)
        for (uint32_t k = 0; k < 4; k++) {
            from[4 * i + k] = 3 * i + (k < 2 ? 0 : k - 1);
            to[4 * i + k] = 3 * i + (k < 2 ? k + 1 : 3);
        }
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint32_t after = 3 * (DIAMONDS - (v + 2) / 3); /* vertices behind the next one that all ways pass */
        score[v] = v == 0 ? 0 : v % 3 ? 0.5f * (float)(after + 1) : (float)(VERTICES - 1 - v);
    }
    assert_int_equal(rd_graph_from_edges(VERTICES, 4 * DIAMONDS, from, to, NULL, NULL, &graph, &err), RD_OK);
    const rd_csr diamonds = rd_graph_csr(graph);
    assert_int_equal(rd__bc_check(&diamonds, (const uint32_t[]){0}, 1, score, &err), RD_OK);
    rd_graph_destroy(graph);
    rd__array_free(from);
    rd__array_free(to);
    rd__array_free(score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_pass),
        cmocka_unit_test(wrong_ones_are_found),
        cmocka_unit_test(more_ways_than_a_double_counts),
    };
    return cmocka_run_group_tests_name("the checker of bc", tests, NULL, NULL);
}
