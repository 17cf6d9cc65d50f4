/* SPDX-License-Identifier: Apache-2.0 */
/* test_mst_check.c - the checker of spanning forests accepts the right one and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/mst/check.h"
#include "core/memory.h"

/* A square 0 1 2 3 with a diagonal 0 - 2, a loop at 1, and 4 - 5 with two edges of unlike weight. */
static const uint64_t row[] = {0, 3, 6, 9, 11, 13, 15};
static const uint32_t col[] = {1, 2, 3, 0, 1, 2, 0, 1, 3, 0, 2, 5, 5, 4, 4};
static const int32_t weight[] = {4, 1, 4, 4, -9, 4, 1, 4, -2, 4, -2, 7, 8, 7, 8};
static const rd_csr csr = {.vertices = 6, .edges = 15, .row = row, .col = col, .weight = weight};
static const uint32_t right[] = {0, 1, 8, 11}; /* 0 - 1 before 1 - 2, of equal weight */

static rd_status judge(const uint32_t *edge, uint64_t count)
{
    uint32_t *own = NULL;
    rd_error err = {.status = RD_OK};
    const rd_status status = rd__mst_check(&csr, 0, &own, edge, count, &err);
    rd__array_free(own);
    return status;
}

static void the_right_one_passes(void **state)
{
    (void)state;
    assert_int_equal(judge(right, 4), RD_OK);
}

static void others_do_not(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t e = 0; e < 17; e++) {
            uint32_t edge[4] = {right[0], right[1], right[2], right[3]};
            edge[i] = e;
            assert_int_equal(judge(edge, 4), e == right[i] ? RD_OK : RD_EWRONG);
        }
    assert_int_equal(judge(right, 3), RD_EWRONG);
    assert_int_equal(judge(right, 0), RD_EWRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_one_passes),
        cmocka_unit_test(others_do_not),
    };
    return cmocka_run_group_tests_name("the checker of mst", tests, NULL, NULL);
}
