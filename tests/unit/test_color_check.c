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
#include "apps/color/recolor.h"

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

/* On a ring: greedy colouring in each new order meets each vertex once and never needs more. */
static void recolouring_never_needs_more(void **state)
{
    enum { N = 24 };
    uint32_t colour[N], order[N], scratch[3 * N], colours = N, placed[N];
    (void)state;
    for (uint32_t v = 0; v < N; v++)
        colour[v] = v; /* the worst one: a colour for each vertex of a ring */
    for (uint64_t pass = 0; pass < 40; pass++) {
        uint32_t seen = 0, used = 0;
        rd__color_reorder(colour, N, colours, pass, order, scratch);
        memset(placed, 0xff, sizeof placed);
        for (uint32_t i = 0; i < N; i++) {
            const uint32_t v = order[i], left = placed[(v + N - 1) % N], right = placed[(v + 1) % N];
            assert_true(v < N && placed[v] == RD_NONE);
            uint32_t least = 0;
            while (least == left || least == right)
                least++;
            placed[v] = least;
            used = least + 1 > used ? least + 1 : used;
            seen++;
        }
        assert_int_equal(seen, N);
        assert_true(used <= colours);
        colours = used;
        memcpy(colour, placed, sizeof colour);
    }
    assert_true(colours <= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colourings_pass),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(a_graph_without_vertices),
        cmocka_unit_test(recolouring_never_needs_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
