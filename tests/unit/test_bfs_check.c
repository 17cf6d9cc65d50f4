/* SPDX-License-Identifier: Apache-2.0 */
/* test_bfs_check.c - the checker accepts right results and finds every kind of wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/bfs/check.h"

/* 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3, 3 -> 0; 4 -> 0 and is not reached */
static const uint64_t row[] = {0, 2, 3, 4, 5, 6};
static const uint32_t col[] = {1, 2, 3, 3, 0, 0};
static const rd_csr csr = {.vertices = 5, .edges = 6, .row = row, .col = col};

static rd_status depths(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e)
{
    const uint32_t depth[] = {a, b, c, d, e};
    rd_error err;
    return rd__bfs_check_depths(&csr, 0, depth, &err);
}

static rd_status parents(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, const char *text)
{
    const uint32_t parent[] = {a, b, c, d, e};
    rd_error err = {.status = RD_OK};
    rd_status status = rd__bfs_check_parents(&csr, 0, parent, &err);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static void right_results_pass(void **state)
{
    (void)state;
    assert_int_equal(depths(0, 1, 1, 2, RD_NONE), RD_OK);
    assert_int_equal(parents(0, 0, 0, 1, RD_NONE, NULL), RD_OK);
    assert_int_equal(parents(0, 0, 0, 2, RD_NONE, NULL), RD_OK);
}

static void wrong_results_are_found(void **state)
{
    (void)state;
    assert_int_equal(depths(1, 1, 1, 2, RD_NONE), RD_EWRONG);       /* the source */
    assert_int_equal(depths(0, 1, 1, 3, RD_NONE), RD_EWRONG);       /* too deep */
    assert_int_equal(depths(0, 1, 1, 1, RD_NONE), RD_EWRONG);       /* not deep enough */
    assert_int_equal(depths(0, 1, RD_NONE, 2, RD_NONE), RD_EWRONG); /* missed */
    assert_int_equal(depths(0, 1, 1, 2, 3), RD_EWRONG);             /* reached without a way */
    assert_int_equal(parents(1, 0, 0, 1, RD_NONE, "vertex 0"), RD_EWRONG);
    assert_int_equal(parents(0, 0, 0, RD_NONE, RD_NONE, "vertex 3"), RD_EWRONG);
    assert_int_equal(parents(0, 0, 0, 1, 0, "vertex 4"), RD_EWRONG);
    assert_int_equal(parents(0, 0, 0, 0, RD_NONE, "vertex 3"), RD_EWRONG); /* wrong level */
    assert_int_equal(parents(0, 2, 0, 1, RD_NONE, "vertex 1"), RD_EWRONG); /* wrong level */
    assert_int_equal(parents(0, 0, 0, 77, RD_NONE, "no vertex"), RD_EWRONG);
}

/* Two vertices at the right levels, but no edge between them. */
static void a_parent_needs_an_edge(void **state)
{
    static const uint64_t rows[] = {0, 2, 3, 4, 4, 4};
    static const uint32_t cols[] = {1, 2, 3, 4};
    const rd_csr other = {.vertices = 5, .edges = 4, .row = rows, .col = cols};
    const uint32_t good[] = {0, 0, 0, 1, 2}, bad[] = {0, 0, 0, 2, 2};
    rd_error err;
    (void)state;
    assert_int_equal(rd__bfs_check_parents(&other, 0, good, &err), RD_OK);
    assert_int_equal(rd__bfs_check_parents(&other, 0, bad, &err), RD_EWRONG);
    assert_non_null(strstr(err.text, "no edge"));
}

static void a_graph_without_vertices(void **state)
{
    static const uint64_t none[] = {0};
    const rd_csr empty = {.row = none};
    rd_error err;
    (void)state;
    assert_int_equal(rd__bfs_check_depths(&empty, RD_NONE, NULL, &err), RD_OK);
    assert_int_equal(rd__bfs_check_parents(&empty, RD_NONE, NULL, &err), RD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results_pass),
        cmocka_unit_test(wrong_results_are_found),
        cmocka_unit_test(a_parent_needs_an_edge),
        cmocka_unit_test(a_graph_without_vertices),
    };
    return cmocka_run_group_tests_name("the checker of bfs", tests, NULL, NULL);
}
