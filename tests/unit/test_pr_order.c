/* SPDX-License-Identifier: Apache-2.0 */
/* test_pr_order.c - vertices that lie by degree are pushed scattered, others by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/pr/order.h"

enum { COUNT = 256, MEAN = 20 };

/* Offsets of vertices whose degrees are those of `degree`. */
static uint32_t scatters(uint64_t (*degree)(uint32_t v), uint32_t count)
{
    uint64_t row[COUNT + 1] = {0};
    for (uint32_t v = 0; v < count; v++)
        row[v + 1] = row[v] + degree(v);
    const rd_csr csr = {.vertices = count, .edges = row[count], .row = row};
    return rd__pr_scatters(&csr);
}

static uint64_t falling(uint32_t v)
{
    return 2 * MEAN - v * 2 * MEAN / COUNT;
}

static uint64_t rising(uint32_t v)
{
    return 1 + v * 2 * MEAN / COUNT;
}

static uint64_t same(uint32_t v)
{
    (void)v;
    return MEAN;
}

static uint64_t mixed(uint32_t v)
{
    return MEAN + v / 4 % 3;
}

static uint64_t few(uint32_t v)
{
    return v < COUNT / 2 ? 4 : 2;
}

static void test_order(void **state)
{
    (void)state;
    assert_int_equal(scatters(falling, COUNT), 1);
    assert_int_equal(scatters(rising, COUNT), 1);
    assert_int_equal(scatters(same, COUNT), 0);
    assert_int_equal(scatters(mixed, COUNT), 0);
    assert_int_equal(scatters(few, COUNT), 0);
    assert_int_equal(scatters(falling, 1), 0);
    assert_int_equal(scatters(falling, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
