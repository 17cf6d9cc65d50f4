/* SPDX-License-Identifier: Apache-2.0 */
/* test_sssp_negative.c - negative weights: the checker accepts the right distances and parents and no others; who is on
 * a cycle is said, whether parents lead to it or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "apps/sssp/negative.h"

/* 0 -> 1 (5), 0 -> 2 (1), 1 -> 2 (-7), 2 -> 3 (-4), 3 -> 0 (6): a cycle of weight 0; 4 is apart. */
static const uint64_t row[] = {0, 2, 3, 4, 5, 5};
static const uint32_t col[] = {1, 2, 2, 3, 0};
static const int32_t weight[] = {5, 1, -7, -4, 6};
static const rd_csr csr = {.vertices = 5, .edges = 5, .row = row, .col = col, .weight = weight};
static const double right[] = {0, 5, -2, -6, (double)INFINITY};
static const uint32_t parent[] = {0, 0, 1, 2, RD_NONE};

static void distances(void **state)
{
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__sssp_check_signed(&csr, 0, right, NULL, &err), RD_OK);
    for (uint32_t v = 0; v < 5; v++)
        for (int off = -1; off < 2; off++) {
            double distance[5];
            memcpy(distance, right, sizeof distance);
            distance[v] = isfinite(right[v]) ? right[v] + off : off < 0 ? 3.0 : right[v];
            const int same = !(distance[v] < right[v]) && !(distance[v] > right[v]);
            assert_int_equal(rd__sssp_check_signed(&csr, 0, distance, NULL, &err), same ? RD_OK : RD_EWRONG);
        }
}

static void parents(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 5; v++)
        for (uint32_t p = 0; p < 6; p++) {
            uint32_t other[5];
            rd_error err = {.status = RD_OK};
            memcpy(other, parent, sizeof other);
            other[v] = p < 5 ? p : RD_NONE;
            assert_int_equal(rd__sssp_check_signed(&csr, 0, right, other, &err),
                             other[v] == parent[v] ? RD_OK : RD_EWRONG);
        }
}

static void who_is_on_it(void **state)
{
    static const uint32_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 1};
    static const int32_t weights[] = {5, -7, 4, 2};
    const rd_graph_options options = {.size = sizeof options, .keep_weights = 1};
    const uint32_t round[] = {0, 3, 1, 2}, none[] = {0, RD_NONE, RD_NONE, RD_NONE};
    rd_graph *graph = NULL;
    (void)state;
    assert_int_equal(rd_graph_from_edges(4, 4, from, to, weights, &options, &graph, NULL), RD_OK);
    for (int i = 0; i < 2; i++) {
        rd_error err = {.status = RD_OK};
        assert_int_equal(rd__sssp_tell_cycle(graph, 0, i ? none : round, &err), RD_EINPUT);
        assert_non_null(strstr(err.text, "weight -1 "));
        assert_non_null(strstr(err.text, "1 -> 2 -> 3"));
    }
    rd_graph_destroy(graph);
}

static void no_cycle(void **state)
{
    static const uint32_t from[] = {0, 1}, to[] = {1, 2};
    static const int32_t weights[] = {INT32_MIN, -7};
    const rd_graph_options options = {.size = sizeof options, .keep_weights = 1};
    const uint32_t own[] = {0, 0, RD_NONE};
    rd_error err = {.status = RD_OK};
    rd_graph *graph = NULL;
    (void)state;
    assert_int_equal(rd_graph_from_edges(3, 2, from, to, weights, &options, &graph, NULL), RD_OK);
    assert_int_equal(rd__sssp_tell_cycle(graph, 0, own, &err), RD_EINPUT);
    assert_non_null(strstr(err.text, "32 bits"));
    rd_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(parents),
        cmocka_unit_test(who_is_on_it),
        cmocka_unit_test(no_cycle),
    };
    return cmocka_run_group_tests_name("sssp by negative weights", tests, NULL, NULL);
}
