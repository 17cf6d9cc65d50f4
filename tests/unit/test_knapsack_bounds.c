/* SPDX-License-Identifier: Apache-2.0 */
/* test_knapsack_bounds.c - bounds by numbers of items, and pairs of items beside states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/knapsack/check.h"
#include "apps/knapsack/counts.h"
#include "apps/knapsack/pairs.h"
#include "apps/knapsack/states.h"

static const rd__watch nobody = {NULL, NULL};

/* Bounds by numbers of items are bounds, and exact where values are weights and a constant. */
static void counts_bound(void **state)
{
    static const char *const spec[] = {"strongly:17:900:0.3", "inverse:17:900",    "multiple:17:500",
                                       "weakly:17:90:0.7",    "almost:17:600",     "spanner:17:400",
                                       "groups:17:999:3:9",   "uncorrelated:17:50"};
    uint32_t lower = 0;
    (void)state;
    for (uint64_t k = 0; k < 8 * 5; k++) {
        rd__knapsack_items items;
        rd__knapsack_core core;
        assert_int_equal(rd__knapsack_open(spec[k % 8], 1 + k / 8, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        const uint64_t dantzig = core.upper;
        uint64_t best;
        assert_int_equal(rd__knapsack_table(&items, &best, NULL), RD_OK);
        assert_int_equal(rd__knapsack_count_bound(&core, core.start_value, NULL), RD_OK);
        assert_in_range(core.upper, core.start_value, dantzig);
        assert_true(core.upper * core.value_unit >= best);
        lower += core.upper < dantzig;
        assert_int_equal(rd__knapsack_count_bound(&core, best / core.value_unit, NULL), RD_OK);
        assert_true(core.upper * core.value_unit >= best);
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
    assert_true(lower > 6);
}

/* The best pair is the best of all. */
static void pairs_are_best(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rd__knapsack_items items;
        rd__knapsack_core core;
        rd__knapsack_pairs pairs;
        uint32_t first, end, out = 0, in = 0;
        assert_int_equal(rd__knapsack_open("weakly:30:50", seed, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        const uint32_t level = (uint32_t)seed % 12;
        rd__knapsack_window(&core, level, &first, &end);
        assert_int_equal(rd__knapsack_pairs_make(&core, level, &pairs, NULL), RD_OK);
        for (int64_t room = -90; room < 90; room += 7) {
            int64_t best = INT64_MIN;
            for (uint32_t o = 0; o <= first; o++) /* o == first, i == end - 1: none */
                for (uint32_t i = end; i <= core.count; i++) {
                    const uint64_t *a = core.prefix + 2ull * o, *b = core.prefix + 2ull * i;
                    const int64_t free_now = room + (o < first ? (int64_t)(a[2] - a[0]) : 0);
                    const int64_t weight = i < core.count ? (int64_t)(b[2] - b[0]) : 0;
                    const int64_t more =
                        (i < core.count ? (int64_t)(b[3] - b[1]) : 0) - (o < first ? (int64_t)(a[3] - a[1]) : 0);
                    best = weight <= free_now && more > best ? more : best;
                }
            assert_int_equal(rd__knapsack_pairs_best(&pairs, room, &out, &in), best);
            if (best == INT64_MIN)
                continue;
            assert_true(out == RD__NO_ITEM || out < first);
            assert_true(in == RD__NO_ITEM || (in >= end && in < core.count));
        }
        rd__knapsack_pairs_free(&pairs);
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
}

/* Many items that are alike, of numbers that no table has room for: proved with few states, and the choice is one. */
static void alike_items_are_proved(void **state)
{
    static const char *const spec[] = {"strongly:1000:10000000", "inverse:1000:10000000", "subset:1000:10000000",
                                       "even-odd:500:1000000", "multiple:1000:1000000"};
    uint32_t chosen[1000];
    (void)state;
    for (size_t k = 0; k < sizeof spec / sizeof spec[0]; k++) {
        rd__knapsack_items items;
        rd__knapsack_core core;
        uint64_t value, weight;
        assert_int_equal(rd__knapsack_open(spec[k], 3, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        assert_int_equal(rd__knapsack_states(&core, 1 << 20, &nobody, NULL), RD_OK);
        assert_true(core.proved);
        const uint32_t count = rd__knapsack_unpack(&core, core.start_level, core.start_bits, chosen, &value, &weight);
        assert_int_equal(value, core.start_value * core.value_unit);
        assert_int_equal(rd__knapsack_check_choice(&items, chosen, count, value, NULL), RD_OK);
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_bound),
        cmocka_unit_test(pairs_are_best),
        cmocka_unit_test(alike_items_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
