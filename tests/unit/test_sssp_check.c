/* SPDX-License-Identifier: Apache-2.0 */
/* test_sssp_check.c - the checker accepts shortest paths and finds every kind of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/sssp/check.h"

/* 0 -5-> 1, 0 -2-> 2, 1 -1-> 3, 2 -3-> 1, 2 -4-> 3, 3 -0-> 0; 4 -1-> 0 and is not reached. Distances 0 5 2 6 none. */
static const uint64_t row[] = {0, 2, 3, 5, 6, 7};
static const uint32_t col[] = {1, 2, 3, 1, 3, 0, 0};
static const int32_t weight[] = {5, 2, 1, 3, 4, 0, 1};
static const rd_csr csr = {.vertices = 5, .edges = 7, .row = row, .col = col, .weight = weight};

static rd_status distances(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, const char *text)
{
    const uint32_t distance[] = {a, b, c, d, e};
    rd_error err = {.status = RD_OK};
    rd_status status = rd__sssp_check_distances(&csr, 0, 0, distance, &err);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static rd_status parents(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, const char *text)
{
    const uint32_t distance[] = {0, 5, 2, 6, RD_NONE}, parent[] = {a, b, c, d, e};
    rd_error err = {.status = RD_OK};
    rd_status status = rd__sssp_check_parents(&csr, 0, 0, distance, parent, &err);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static void right_results_pass(void **state)
{
    (void)state;
    assert_int_equal(distances(0, 5, 2, 6, RD_NONE, NULL), RD_OK);
    assert_int_equal(parents(0, 0, 0, 1, RD_NONE, NULL), RD_OK);
    assert_int_equal(parents(0, 2, 0, 2, RD_NONE, NULL), RD_OK); /* as short */
}

static void wrong_distances_are_found(void **state)
{
    (void)state;
    assert_int_equal(distances(1, 5, 2, 6, RD_NONE, "the source"), RD_EWRONG);
    assert_int_equal(distances(0, 6, 2, 6, RD_NONE, "vertex 1"), RD_EWRONG);       /* too long */
    assert_int_equal(distances(0, 4, 2, 5, RD_NONE, "no path"), RD_EWRONG);        /* too short */
    assert_int_equal(distances(0, 5, 2, 5, RD_NONE, "no path"), RD_EWRONG);        /* too short */
    assert_int_equal(distances(0, 5, 2, RD_NONE, RD_NONE, "vertex 3"), RD_EWRONG); /* missed */
    assert_int_equal(distances(0, 5, 2, 6, 7, "vertex 4"), RD_EWRONG);             /* reached without a way */
}

static void wrong_parents_are_found(void **state)
{
    (void)state;
    assert_int_equal(parents(2, 0, 0, 1, RD_NONE, "the source"), RD_EWRONG);
    assert_int_equal(parents(0, 0, 0, RD_NONE, RD_NONE, "vertex 3"), RD_EWRONG);
    assert_int_equal(parents(0, 0, 0, 1, 0, "vertex 4"), RD_EWRONG);
    assert_int_equal(parents(0, 0, 0, 0, RD_NONE, "vertex 3"), RD_EWRONG); /* no edge */
    assert_int_equal(parents(0, 0, 1, 1, RD_NONE, "vertex 2"), RD_EWRONG); /* a way that is longer */
    assert_int_equal(parents(0, 0, 0, 9, RD_NONE, "no vertex"), RD_EWRONG);
}

/* 0 -3-> 1, and 1 <-0-> 2 <-0-> 3 among each other: the three may have any equal distances as far as each vertex's own
 * edges tell, and be each other's parents. */
static void a_cycle_of_weight_zero_vouches_for_nobody(void **state)
{
    static const uint64_t rows[] = {0, 1, 2, 4, 5};
    static const uint32_t cols[] = {1, 2, 1, 3, 2};
    static const int32_t weights[] = {3, 0, 0, 0, 0};
    const rd_csr other = {.vertices = 4, .edges = 5, .row = rows, .col = cols, .weight = weights};
    const uint32_t good[] = {0, 3, 3, 3}, bad[] = {0, 2, 2, 2};
    const uint32_t tree[] = {0, 0, 1, 2}, circle[] = {0, 0, 3, 2}, back[] = {0, 2, 1, 2};
    rd_error err;
    (void)state;
    assert_int_equal(rd__sssp_check_distances(&other, 0, 0, good, &err), RD_OK);
    assert_int_equal(rd__sssp_check_distances(&other, 0, 0, bad, &err), RD_EWRONG);
    assert_int_equal(rd__sssp_check_parents(&other, 0, 0, good, tree, &err), RD_OK);
    assert_int_equal(rd__sssp_check_parents(&other, 0, 0, good, circle, &err), RD_EWRONG);
    assert_non_null(strstr(err.text, "circle"));
    assert_int_equal(rd__sssp_check_parents(&other, 0, 0, good, back, &err), RD_EWRONG);
}

/* Three edges of 2^31 - 1: the third vertex is still within 32 bits, the fourth is not. */
static void what_does_not_fit_is_no_result(void **state)
{
    static const uint64_t rows[] = {0, 1, 2, 3, 3};
    static const uint32_t cols[] = {1, 2, 3};
    static const int32_t weights[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    const rd_csr other = {.vertices = 4, .edges = 3, .row = rows, .col = cols, .weight = weights};
    const uint32_t fits[] = {0, 0x7fffffffu, 0xfffffffeu, RD_NONE},
                   wrapped[] = {0, 0x7fffffffu, 0xfffffffeu, 0x7ffffffdu};
    rd_error err;
    (void)state;
    assert_int_equal(rd__sssp_check_distances(&other, 0, 0, fits, &err), RD_EINPUT);
    assert_int_equal(rd__sssp_check_distances(&other, 0, 0, wrapped, &err), RD_EWRONG);
}

static void a_graph_without_vertices(void **state)
{
    static const uint64_t none[] = {0};
    const rd_csr empty = {.row = none};
    rd_error err;
    (void)state;
    assert_int_equal(rd__sssp_check_distances(&empty, 0, RD_NONE, NULL, &err), RD_OK);
    assert_int_equal(rd__sssp_check_parents(&empty, 0, RD_NONE, NULL, NULL, &err), RD_OK);
}

/* 0 -> 1 -> 2 by floats; the sums are rounded ones, and no others will do. */
static void real_distances_are_checked(void **state)
{
    const uint64_t rows[] = {0, 2, 3, 3};
    const uint32_t cols[] = {1, 2, 2}, none[] = {0, 1, RD_NONE};
    const int32_t weights[] = {rd_weight_word(0.1f), rd_weight_word(0.4f), rd_weight_word(0.2f)};
    const rd_csr real = {.vertices = 3, .edges = 3, .row = rows, .col = cols, .weight = weights};
    const float sum = 0.1f + 0.2f;
    uint32_t distance[] = {0, (uint32_t)rd_weight_word(0.1f), (uint32_t)rd_weight_word(sum)};
    const uint32_t parent[] = {0, 0, 1}, direct[] = {0, 0, 0};
    rd_error err;
    (void)state;
    assert_int_equal(rd__sssp_check_distances(&real, 1, 0, distance, &err), RD_OK);
    assert_int_equal(rd__sssp_check_parents(&real, 1, 0, distance, parent, &err), RD_OK);
    assert_int_equal(rd__sssp_check_parents(&real, 1, 0, distance, direct, &err), RD_EWRONG);
    assert_int_equal(rd__sssp_check_distances(&real, 1, 0, none, &err), RD_EWRONG);
    distance[2]++;
    assert_int_equal(rd__sssp_check_distances(&real, 1, 0, distance, &err), RD_EWRONG);
    assert_non_null(strstr(err.text, "has distance 0.3"));
    distance[2] -= 2;
    assert_int_equal(rd__sssp_check_distances(&real, 1, 0, distance, &err), RD_EWRONG);
}

/* Words have the order of the numbers, and lead back to them. */
static void words_of_floats_have_their_order(void **state)
{
    static const float number[] = {-3e38f, -2, -1.5f, -1e-40f, 0, 1e-45f, 1e-9f, 0.5f, 1, 3e38f};
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_true(rd_weight_real(rd_weight_word(number[i])) == number[i]);
        assert_true(i == 0 || rd_weight_word(number[i - 1]) < rd_weight_word(number[i]));
    }
    assert_int_equal(rd_weight_word(-0.0f), 0);
    assert_int_equal(rd_weight_word(1), 0x3f800000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results_pass),
        cmocka_unit_test(wrong_distances_are_found),
        cmocka_unit_test(wrong_parents_are_found),
        cmocka_unit_test(a_cycle_of_weight_zero_vouches_for_nobody),
        cmocka_unit_test(what_does_not_fit_is_no_result),
        cmocka_unit_test(a_graph_without_vertices),
        cmocka_unit_test(real_distances_are_checked),
        cmocka_unit_test(words_of_floats_have_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
