/* SPDX-License-Identifier: Apache-2.0 */
/* test_pr_check.c - the checker of PageRank, against ranks worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "apps/pr/check.h"

/* 0 -> 2, 1 -> 2, and 2 has no edges. With alpha 0.5: ranks 1/6, 1/6, 1/6 + 0.5 * 2/6 = 1/3, in sum 2/3. */
static const uint64_t row[] = {0, 1, 2, 2};
static const uint32_t col[] = {2, 2};
static const rd_csr csr = {.vertices = 3, .edges = 2, .row = row, .col = col};
static const float dropped[] = {1 / 6.f, 1 / 6.f, 1 / 3.f}, spread[] = {0.25f, 0.25f, 0.5f};

static rd_status check(const float *rank, rd__pr_question asked)
{
    rd_error err = {.status = RD_OK};
    rd__pr_ranks right = {0};
    rd_status status = rd__pr_check(&csr, &asked, &right, rank, &err);
    rd__pr_ranks_free(&right);
    if (status == RD_EWRONG)
        assert_non_null(strstr(err.text, "vertex"));
    return status;
}

static const rd__pr_question by_total = {.alpha = 0.5, .tolerance = 1e-4, .by_total = 1, .iterations = RD_NONE};
static const rd__pr_question by_most = {.alpha = 0.5, .tolerance = 1e-4, .iterations = RD_NONE};

static rd__pr_question scaled(rd__pr_question asked)
{
    asked.spread = 1;
    return asked;
}

static void right_ranks_pass(void **state)
{
    (void)state;
    assert_int_equal(check(dropped, by_total), RD_OK);
    assert_int_equal(check(dropped, by_most), RD_OK);
    assert_int_equal(check(spread, scaled(by_total)), RD_OK);
    assert_int_equal(check(spread, scaled(by_most)), RD_OK);
}

static void the_two_kinds_differ(void **state)
{
    (void)state;
    assert_int_equal(check(spread, by_total), RD_EWRONG);
    assert_int_equal(check(dropped, scaled(by_most)), RD_EWRONG);
}

/* alpha / (1 - alpha) is 1 here: the error may be as large as the tolerance, besides rounding. */
static void ranks_may_be_off_by_the_tolerance(void **state)
{
    float rank[3];
    (void)state;
    for (int v = 0; v < 3; v++) {
        memcpy(rank, dropped, sizeof rank);
        rank[v] += 0.9e-4f;
        assert_int_equal(check(rank, by_total), RD_OK);
        assert_int_equal(check(rank, by_most), RD_OK);
        rank[v] += 0.3e-4f;
        assert_int_equal(check(rank, by_total), RD_EWRONG);
        assert_int_equal(check(rank, by_most), RD_EWRONG);
    }
    for (int v = 0; v < 3; v++) /* each within, all together not */
        rank[v] = dropped[v] - 0.6e-4f;
    assert_int_equal(check(rank, by_total), RD_EWRONG);
    assert_int_equal(check(rank, by_most), RD_OK);
}

static void what_is_no_number_is_wrong(void **state)
{
    float rank[3] = {1 / 6.f, NAN, 1 / 3.f};
    (void)state;
    assert_int_equal(check(rank, by_total), RD_EWRONG);
    assert_int_equal(check(rank, by_most), RD_EWRONG);
    rank[1] = INFINITY;
    assert_int_equal(check(rank, by_total), RD_EWRONG);
    assert_int_equal(check(rank, by_most), RD_EWRONG);
}

/* After one iteration from 1/3 each: 1/6, 1/6, 1/2. */
static void a_run_that_was_cut_off(void **state)
{
    const float once[] = {1 / 6.f, 1 / 6.f, 0.5f};
    rd__pr_question asked = by_total;
    (void)state;
    assert_int_equal(check(once, asked), RD_EWRONG);
    asked.iterations = 1;
    assert_int_equal(check(once, asked), RD_OK);
    asked.iterations = 20;
    assert_int_equal(check(once, asked), RD_EWRONG);
}

/* A number of iterations that was asked for. After one in which vertex 2 passes on to all alike, 1/6 + 0.5 * 1/3 / 3 =
 * 2/9 for each and 1/3 more for vertex 2; after two, 1/6 + 0.5 * 5/9 / 3 = 7/27 and 2/9 more. */
static void so_many_iterations(void **state)
{
    const float once[] = {2 / 9.f, 2 / 9.f, 5 / 9.f}, twice[] = {7 / 27.f, 7 / 27.f, 13 / 27.f};
    const float lost[] = {1 / 6.f, 1 / 6.f, 0.5f}, scaled_lost[] = {0.2f, 0.2f, 0.6f};
    rd__pr_question asked = {.alpha = 0.5, .by_total = 1, .spread = 1, .counted = 1, .iterations = 1};
    (void)state;
    assert_int_equal(check(once, asked), RD_OK);
    assert_int_equal(check(twice, asked), RD_EWRONG);
    assert_int_equal(check(lost, asked), RD_EWRONG);
    assert_int_equal(check(scaled_lost, asked), RD_EWRONG);
    assert_int_equal(check(spread, asked), RD_EWRONG);
    asked.iterations = 2;
    assert_int_equal(check(twice, asked), RD_OK);
    assert_int_equal(check(once, asked), RD_EWRONG);
    asked.iterations = 60;
    assert_int_equal(check(spread, asked), RD_OK);
    assert_int_equal(check(twice, asked), RD_EWRONG);
    asked.iterations = 1;
    asked.spread = 0;
    assert_int_equal(check(lost, asked), RD_OK);
    assert_int_equal(check(once, asked), RD_EWRONG);
}

static void a_graph_without_vertices(void **state)
{
    static const uint64_t none[] = {0};
    const rd_csr empty = {.row = none};
    rd__pr_ranks right = {0};
    rd_error err;
    (void)state;
    assert_int_equal(rd__pr_check(&empty, &by_total, &right, NULL, &err), RD_OK);
    rd__pr_ranks_free(&right);
}

/* What was worked out for one question is not used for another. */
static void ranks_are_kept_for_their_question(void **state)
{
    const float other[] = {0.1f / 3, 0.1f / 3, 0.28f / 3}; /* alpha 0.9 */
    rd__pr_question asked = by_total;
    rd__pr_ranks right = {0};
    rd_error err;
    (void)state;
    assert_int_equal(rd__pr_check(&csr, &asked, &right, dropped, &err), RD_OK);
    assert_null(right.rank); /* one iteration has proved it */
    assert_int_equal(rd__pr_check(&csr, &asked, &right, other, &err), RD_EWRONG);
    const double *kept = right.rank;
    assert_int_equal(rd__pr_check(&csr, &asked, &right, dropped, &err), RD_OK);
    assert_ptr_equal(right.rank, kept);
    asked.alpha = 0.9;
    assert_int_equal(rd__pr_check(&csr, &asked, &right, dropped, &err), RD_EWRONG);
    assert_int_equal(rd__pr_check(&csr, &asked, &right, other, &err), RD_OK);
    rd__pr_ranks_free(&right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ranks_pass),
        cmocka_unit_test(the_two_kinds_differ),
        cmocka_unit_test(ranks_may_be_off_by_the_tolerance),
        cmocka_unit_test(what_is_no_number_is_wrong),
        cmocka_unit_test(a_run_that_was_cut_off),
        cmocka_unit_test(so_many_iterations),
        cmocka_unit_test(a_graph_without_vertices),
        cmocka_unit_test(ranks_are_kept_for_their_question),
    };
    return cmocka_run_group_tests_name("the checker of pr", tests, NULL, NULL);
}
