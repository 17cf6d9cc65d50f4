/* SPDX-License-Identifier: Apache-2.0 */
/* test_crowd.c - hubs with neighbouring numbers are seen, few or many, and hubs with random ones are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sched/bsp/crowd.h"

#include <stdlib.h>

enum { LANES = 128 };

static int crowded(uint64_t (*degree)(uint32_t v, uint32_t count), uint32_t count)
{
    uint64_t *row = malloc((count + 1ull) * sizeof *row);
    assert_non_null(row);
    row[0] = 0;
    for (uint32_t v = 0; v < count; v++)
        row[v + 1] = row[v] + degree(v, count);
    const rd_csr csr = {.vertices = count, .edges = row[count], .row = row};
    const int is = rd__sweep_is_crowded(&csr, LANES);
    free(row);
    return is;
}

static uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return (x ^ x >> 16) * 0x45d9f3bu >> 8;
}

static uint64_t same(uint32_t v, uint32_t count)
{
    (void)v;
    (void)count;
    return 3;
}

static uint64_t none(uint32_t v, uint32_t count)
{
    (void)v;
    (void)count;
    return 0;
}

/* One in 16 has 30 times as many, anywhere. */
static uint64_t anywhere(uint32_t v, uint32_t count)
{
    (void)count;
    return scramble(v) % 16 ? 2 : 60;
}

/* The same, the first ones. */
static uint64_t first(uint32_t v, uint32_t count)
{
    return v < count / 16 ? 60 : 2;
}

/* One too long for a group, which others share; the rest are alike. */
static uint64_t star(uint32_t v, uint32_t count)
{
    return v == 7 ? count : 1;
}

/* Every fourth run has all the edges: what regular distances would miss, or see alone. */
static uint64_t stripes(uint32_t v, uint32_t count)
{
    (void)count;
    return v / LANES % 4 ? 0 : 8;
}

static void test_sizes(void **state)
{
    static const uint32_t sizes[] = {1u << 12, 100000, 1u << 20};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_false(crowded(same, sizes[i]));
        assert_false(crowded(none, sizes[i]));
        assert_false(crowded(anywhere, sizes[i]));
        assert_false(crowded(star, sizes[i]));
        assert_true(crowded(first, sizes[i]));
        assert_true(crowded(stripes, sizes[i]));
    }
}

static void test_small(void **state)
{
    (void)state;
    const rd_csr empty = {0};
    assert_false(rd__sweep_is_crowded(&empty, LANES)); /* it has no rows to look at */
    assert_false(crowded(same, 1));
    assert_false(crowded(first, LANES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_small),
    };
    return cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
}
