/* SPDX-License-Identifier: Apache-2.0 */
/* test_color_check.c - the checker accepts colourings and finds every kind of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/color/check.h"

/* A triangle 0 1 2 with a tail 2 - 3, a loop at 3, and 4 alone. */
static const uint64_t row[] = {0, 2, 4, 7, 9, 9};
static const uint32_t col[] = {1, 2, 0, 2, 0, 1, 3, 2, 3};
static const rd_csr csr = {.vertices = 5, .edges = 9, .row = row, .col = col};

static rd_status check(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t colours, const char *text)
{
    const uint32_t colour[] = {a, b, c, d, e};
    rd_error err = {.status = RD_OK};
    rd_status status = rd__color_check(&csr, colour, colours, &err);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static void colourings_pass(void **state)
{
    (void)state;
    assert_int_equal(check(0, 1, 2, 0, 0, 3, NULL), RD_OK); /* 3's loop does not count */
    assert_int_equal(check(0, 1, 2, 3, 4, 5, NULL), RD_OK);
    assert_int_equal(check(4, 2, 0, 4, 2, 3, NULL), RD_OK); /* gaps are no fault */
}

static void faults_are_found(void **state)
{
    (void)state;
    assert_int_equal(check(0, 1, 1, 0, 0, 2, "vertices 1 and 2, which both have colour 1"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 2, 0, 3, "vertices 2 and 3"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, RD_NONE, 3, "vertex 4 has no colour"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, 5, 4, "too high"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, 0, 4, "4 colours are reported, but there are 3"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, 0, 2, "2 colours are reported"), RD_EWRONG);
}

static void a_graph_without_vertices(void **state)
{
    static const uint64_t none[] = {0};
    const rd_csr empty = {.row = none};
    rd_error err;
    (void)state;
    assert_int_equal(rd__color_check(&empty, NULL, 0, &err), RD_OK);
    assert_int_equal(rd__color_check(&empty, NULL, 1, &err), RD_EWRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colourings_pass),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(a_graph_without_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
