/* SPDX-License-Identifier: Apache-2.0 */
/* test_cc_check.c - the checker of connected components accepts the right labels and finds every kind of wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/cc/check.h"
#include "core/memory.h"

/* 4 -> 1 -> 3, 5 -> 2, 0 alone, 6 -> 6: edges in one direction only */
static const uint64_t row[] = {0, 0, 1, 1, 1, 2, 3, 4};
static const uint32_t col[] = {3, 1, 2, 6};
static const rd_csr csr = {.vertices = 7, .edges = 4, .row = row, .col = col};

static rd_status check(uint32_t at, uint32_t label, const char *text)
{
    uint32_t labels[] = {0, 1, 2, 1, 1, 2, 6};
    rd_error err = {.status = RD_OK};
    if (at < 7)
        labels[at] = label;
    uint32_t *right = NULL;
    rd_status status = rd__cc_check(&csr, &right, labels, &err);
    assert_int_equal(rd__cc_check(&csr, &right, labels, NULL), status); /* with what was kept */
    rd__array_free(right);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static void right_labels_pass(void **state)
{
    (void)state;
    assert_int_equal(check(RD_NONE, 0, NULL), RD_OK);
}

static void wrong_labels_are_found(void **state)
{
    (void)state;
    assert_int_equal(check(0, 1, "vertex 0 has label 1"), RD_EWRONG); /* joined to what it is not connected to */
    assert_int_equal(check(3, 3, "its component is 1"), RD_EWRONG);   /* left apart */
    assert_int_equal(check(1, 3, "vertex 1 has label 3"), RD_EWRONG); /* not the smallest */
    assert_int_equal(check(5, 1, "vertex 5 has label 1"), RD_EWRONG); /* two components in one */
    assert_int_equal(check(6, RD_NONE, "vertex 6"), RD_EWRONG);       /* no label */
}

static void every_vertex_of_a_wrong_component_matters(void **state)
{
    const uint32_t labels[] = {0, 3, 2, 3, 3, 2, 6}; /* consistent, but not by the smallest vertex */
    uint32_t *right = NULL;
    rd_error err;
    (void)state;
    assert_int_equal(rd__cc_check(&csr, &right, labels, &err), RD_EWRONG);
    rd__array_free(right);
}

static void a_graph_without_vertices(void **state)
{
    static const uint64_t none[] = {0};
    const rd_csr empty = {.row = none};
    uint32_t *right = NULL;
    rd_error err;
    (void)state;
    assert_int_equal(rd__cc_check(&empty, &right, NULL, &err), RD_OK);
    rd__array_free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_labels_pass),
        cmocka_unit_test(wrong_labels_are_found),
        cmocka_unit_test(every_vertex_of_a_wrong_component_matters),
        cmocka_unit_test(a_graph_without_vertices),
    };
    return cmocka_run_group_tests_name("the checker of cc", tests, NULL, NULL);
}
