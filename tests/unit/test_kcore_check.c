/* SPDX-License-Identifier: Apache-2.0 */
/* test_kcore_check.c - the checker of corenesses accepts the right ones and finds every wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/common/checker.h"

RD__WORD_CHECKER(kcore);

/* A triangle 0 1 2 with a loop at 0 and a second edge 0 - 1; a tail 2 - 3 - 4 with a double edge 3 - 4; 5 alone, with a
 * loop. */
static const uint64_t row[] = {0, 4, 7, 10, 13, 15, 16};
static const uint32_t col[] = {0, 1, 1, 2, 0, 0, 2, 0, 1, 3, 2, 4, 4, 3, 3, 5};
static const rd_csr csr = {.vertices = 6, .edges = 16, .row = row, .col = col};
static const uint32_t right[] = {2, 2, 2, 1, 1, 0};

static void right_ones_pass(void **state)
{
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__kcore_check(&csr, right, &err), RD_OK);
    assert_int_equal(rd__kcore_check(&(rd_csr){.row = row, .col = col}, right, &err), RD_OK); /* no vertices */
}

static void wrong_ones_are_found(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 6; v++)
        for (uint32_t value = 0; value < 5; value++) {
            uint32_t core[6];
            rd_error err = {.status = RD_OK};
            memcpy(core, right, sizeof core);
            core[v] = value;
            assert_int_equal(rd__kcore_check(&csr, core, &err), value == right[v] ? RD_OK : RD_EWRONG);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_pass),
        cmocka_unit_test(wrong_ones_are_found),
    };
    return cmocka_run_group_tests_name("the checker of kcore", tests, NULL, NULL);
}
