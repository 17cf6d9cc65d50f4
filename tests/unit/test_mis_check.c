/* SPDX-License-Identifier: Apache-2.0 */
/* test_mis_check.c - the checker of independent sets accepts right ones and finds every kind of wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/common/checker.h"

RD__WORD_CHECKER(mis);

/* a path 0 - 1 - 2 - 3, and 4 with a loop */
static const uint64_t row[] = {0, 1, 3, 5, 6, 7};
static const uint32_t col[] = {1, 0, 2, 1, 3, 2, 4};
static const rd_csr csr = {.vertices = 5, .edges = 7, .row = row, .col = col};

static rd_status check(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, const char *text)
{
    const uint32_t in[] = {a, b, c, d, e};
    rd_error err = {.status = RD_OK};
    rd_status status = rd__mis_check(&csr, in, &err);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static void right_sets_pass(void **state)
{
    (void)state;
    assert_int_equal(check(1, 0, 1, 0, 1, NULL), RD_OK);
    assert_int_equal(check(1, 0, 0, 1, 1, NULL), RD_OK);
    assert_int_equal(check(0, 1, 0, 1, 1, NULL), RD_OK);
}

static void wrong_sets_are_found(void **state)
{
    (void)state;
    assert_int_equal(check(1, 1, 0, 1, 1, "0 and 1 are in the set"), RD_EWRONG);
    assert_int_equal(check(1, 0, 0, 0, 1, "vertex 2 is not in the set"), RD_EWRONG);
    assert_int_equal(check(1, 0, 1, 0, 0, "vertex 4 is not in the set"), RD_EWRONG); /* a loop does not count */
    assert_int_equal(check(1, 0, 1, 7, 1, "vertex 3 is marked 7"), RD_EWRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_sets_pass),
        cmocka_unit_test(wrong_sets_are_found),
    };
    return cmocka_run_group_tests_name("the checker of mis", tests, NULL, NULL);
}
