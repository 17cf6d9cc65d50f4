/* SPDX-License-Identifier: Apache-2.0 */
/* test_knapsack.c - knapsack without a device: reading, generating, preparing, dynamic programming. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/knapsack/beam.h"
#include "apps/knapsack/check.h"
#include "apps/knapsack/core.h"
#include "apps/knapsack/states.h"
#include "sanitized.h"

/* ---- Reading ---- */

static rd_status read_text(const char *text, rd__knapsack_items *items, rd_error *err)
{
    rd__lines lines;
    *items = (rd__knapsack_items){0};
    err->text[0] = '\0';
    rd_status status = rd__lines_memory(&lines, "items", text, strlen(text), err);
    if (status == RD_OK)
        status = rd__knapsack_read(&lines, items, err);
    rd__lines_close(&lines);
    return status;
}

static void all_layouts_are_read(void **state)
{
    static const char *const text[] = {
        "# three items\n3 50\n\n60 10\n100 20\n120 30\n",
        "3\n1 60 10\n2 100 20\r\n3 120 30\n50",
        "\n3\n50\n\n60 10\n100 20\n120 30\n",
        "3 50\n60 10\n100 20\n120 30\n0 1 1\n",
        "3\n50\n60 10\n100 20\n120 30\n\n 0\t1\n1 \r\n\n",
        "3\n1 60 10\n2 100 20\n3 120 30\n50\n1 1 1\n", /* a solution that does not fit counts for nothing */
    };
    static const uint64_t published[] = {0, 0, 0, 220, 220, 0};
    (void)state;
    for (int i = 0; i < 6; i++) {
        rd__knapsack_items items;
        rd_error err;
        assert_int_equal(read_text(text[i], &items, &err), RD_OK);
        assert_int_equal(items.count, 3);
        assert_int_equal(items.capacity, 50);
        assert_int_equal(items.value[1], 100);
        assert_int_equal(items.weight[2], 30);
        assert_int_equal(items.value_sum, 280);
        assert_int_equal(items.published, published[i]);
        assert_int_equal(items.weight_sum, 60);
        rd__knapsack_free(&items);
    }
}

static void an_empty_knapsack_is_fine(void **state)
{
    rd__knapsack_items items;
    rd_error err;
    (void)state;
    assert_int_equal(read_text("0 0\n", &items, &err), RD_OK);
    assert_int_equal(items.count, 0);
    rd__knapsack_free(&items);
}

static void bad_files_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "the file is empty"},
        {"# only a comment\n", "the file is empty"},
        {"three 50\n", "items:1: expected the number of items"},
        {"-3 50\n", "found -3"},
        {"2 50 7\n", "items:1: expected the end of the line after \"N CAPACITY\", found 7"},
        {"2 -50\n1 1\n1 1\n", "items:1: expected the capacity"},
        {"1 9223372036854775808\n1 1\n", "items:1: expected the capacity"},
        {"1 99999999999999999999999\n1 1\n", "items:1: expected the capacity"},
        {"2 50\n60 10\n", "ends after 1 of 2 items"},
        {"2\n1 60 10\n2 5 5\n", "the capacity is missing"},
        {"2 50\n60 10\n70 0\n", "items:3: expected a weight, a whole number from 1 to 9223372036854775807, found 0"},
        {"2 50\n60 10\n70 -4\n", "items:3: expected a weight, a whole number from 1 to 9223372036854775807, found -4"},
        {"1 50\n-60 10\n", "items:2: expected a value"},
        {"1 50\n60\n",
         "items:2: expected a weight, a whole number from 1 to 9223372036854775807, found the end of the line"},
        {"1 50\n60 10.5\n", "items:2: expected a weight"},
        {"1 50\n60 9223372036854775808\n", "found 9223372036854775808"},
        {"2 50\n1 9223372036854775807\n1 1\n", "items:3: the sum of the weights is 2^63 or more"},
        {"2 50\n9223372036854775807 1\n1 1\n", "items:3: the sum of the values is 2^63 or more"},
        {"2\n50\n1 1\n", "ends after 1 of 2 items"},
        {"2\n50\n1 1 1\n", "items:3: expected the end of the line after \"VALUE WEIGHT\""},
        {"2 50\n1 1\n1 1\n0 2\n", "items:4: expected the end of the file after 2 items, or 0 or 1 for each"},
        {"2 50\n1 1\n1 1\n0 1 1\n", "items:4: expected the end of the file after 2 items"},
        {"2 50\n1 1\n1 1\n0\n", "the solution at its end is of 1 items, but there are 2"},
        {"1 50\n60 10 5\n", "items:2: expected the end of the line after \"VALUE WEIGHT\", found 5"},
        {"1 50\n60 10\n70 10\n", "items:3: expected the end of the file after 1 items"},
        {"9999999999 50\n", "items:1: expected the number of items"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rd__knapsack_items items;
        rd_error err;
        assert_int_equal(read_text(bad[i].text, &items, &err), RD_EINPUT);
        if (!strstr(err.text, bad[i].message))
            fail_msg("'%s' got: %s", bad[i].text, err.text);
        rd__knapsack_free(&items);
    }
}

/* ---- Generating ---- */

static void classes_are_what_they_say(void **state)
{
    rd__knapsack_items a, b;
    (void)state;
    assert_int_equal(rd__knapsack_open("strongly:500:1000", 7, NULL, &a, NULL), RD_OK);
    assert_int_equal(a.capacity, a.weight_sum / 2);
    for (uint32_t i = 0; i < a.count; i++) {
        assert_in_range(a.weight[i], 1, 1000);
        assert_int_equal(a.value[i], a.weight[i] + 100);
    }
    assert_int_equal(rd__knapsack_open("strongly:500:1000", 7, NULL, &b, NULL), RD_OK);
    assert_memory_equal(a.weight, b.weight, 500 * sizeof *a.weight);
    rd__knapsack_free(&b);
    assert_int_equal(rd__knapsack_open("strongly:500:1000", 8, NULL, &b, NULL), RD_OK);
    assert_memory_not_equal(a.weight, b.weight, 500 * sizeof *a.weight);
    rd__knapsack_free(&b);
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("weakly:500:100:0.25", 0, NULL, &a, NULL), RD_OK);
    assert_int_equal(a.capacity, a.weight_sum / 4);
    for (uint32_t i = 0; i < a.count; i++)
        assert_in_range(a.value[i], a.weight[i] > 11 ? a.weight[i] - 10 : 1, a.weight[i] + 10);
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("subset:50", 0, NULL, &a, NULL), RD_OK);
    assert_memory_equal(a.value, a.weight, 50 * sizeof *a.value);
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("groups:100:1000000:3:50", 0, NULL, &a, NULL), RD_OK);
    assert_int_equal(a.capacity, 1000000);
    for (uint32_t i = 0; i < a.count; i++) {
        const uint64_t base = i < 45 ? 510000 : i < 90 ? 260000 : 0;
        assert_in_range(a.weight[i], base + 1, base + 50);
        assert_in_range(a.value[i], base + 1, base + 50);
    }
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("inverse:50:1000", 0, NULL, &a, NULL), RD_OK);
    for (uint32_t i = 0; i < a.count; i++)
        assert_int_equal(a.value[i] + 100, a.weight[i]);
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("circle:50:1000", 0, NULL, &a, NULL), RD_OK);
    for (uint32_t i = 0; i < a.count; i++) { /* of 3 value = 2 root: between two squares */
        const uint64_t square = 4 * a.weight[i] * (4000 - a.weight[i]);
        assert_in_range(square, 9 * a.value[i] * a.value[i], 9 * (a.value[i] + 1) * (a.value[i] + 1) - 1);
    }
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("spanner-strongly:50:1000", 0, NULL, &a, NULL), RD_OK);
    for (uint32_t i = 0; i < a.count; i++) { /* of one kind, if they are in proportion: two kinds in all */
        uint32_t kinds = 1, times = 1;
        for (uint32_t j = 0; j < a.count; j++)
            kinds = a.value[j] * a.weight[i] != a.value[i] * a.weight[j] ? 2 : kinds;
        while (times <= 10 && (a.weight[i] % times || a.weight[i] / times > 200))
            times++;
        assert_in_range(times, 1, 10);
        assert_int_equal(kinds, 2);
    }
    rd__knapsack_free(&a);
    assert_int_equal(rd__knapsack_open("almost:50:1000", 0, NULL, &a, NULL), RD_OK);
    for (uint32_t i = 0; i < a.count; i++)
        assert_in_range(a.value[i], a.weight[i] + 98, a.weight[i] + 102);
    rd__knapsack_free(&a);
}

static void bad_generators_are_refused(void **state)
{
    static const char *const bad[] = {"strongly:",        "strongly:x",          "strongly:10:0",
                                      "weakly:10:10:2",   "subset:10:10:-",      "subset:10:10:0.5:9",
                                      "uncorrelated:5e9", "almost:10:4294967296"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rd__knapsack_items items;
        rd_error err;
        assert_int_equal(rd__knapsack_open(bad[i], 0, NULL, &items, &err), RD_EARG);
        assert_null(items.value);
    }
    rd__knapsack_items items;
    rd_error err;
    assert_int_equal(rd__knapsack_open("no-such-file", 0, NULL, &items, &err), RD_EIO);
}

/* ---- Preparing ---- */

/* The best of all choices of the items from the i-th on: without it and with it. */
static uint64_t best_of(const rd__knapsack_items *items, uint32_t i, uint64_t room)
{
    if (i == items->count)
        return 0;
    const uint64_t without = best_of(items, i + 1, room);
    if (items->weight[i] > room)
        return without;
    const uint64_t with = items->value[i] + best_of(items, i + 1, room - items->weight[i]);
    return with > without ? with : without;
}

static uint64_t brute_force(const rd__knapsack_items *items)
{
    return best_of(items, 0, items->capacity);
}

static void the_table_is_right(void **state)
{
    static const char *const spec[] = {"uncorrelated:12:20", "strongly:12:30:0.3", "subset:12:9", "weakly:12:50:0.8"};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            rd__knapsack_items items;
            uint64_t best;
            assert_int_equal(rd__knapsack_open(spec[i], seed, NULL, &items, NULL), RD_OK);
            assert_int_equal(rd__knapsack_table(&items, &best, NULL), RD_OK);
            assert_int_equal(best, brute_force(&items));
            rd__knapsack_free(&items);
        }
}

/* Levels decide on each item once; the start solution is a choice that fits and is worth what it says; the bound is
 * one; and there is a path to the best choice. */
static void the_core_is_sound(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        char spec[64];
        rd__knapsack_items items;
        rd__knapsack_core core;
        uint64_t value, weight, best = 0;
        uint32_t chosen[16];
        snprintf(spec, sizeof spec, "weakly:%d:20:0.%d", (int)(seed % 14), (int)(seed % 10));
        assert_int_equal(rd__knapsack_open(spec, seed, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        for (uint32_t t = 0; t < core.count; t++) {
            uint32_t first, end, next_first, next_end;
            rd__knapsack_window(&core, t, &first, &end);
            rd__knapsack_window(&core, t + 1, &next_first, &next_end);
            assert_int_equal(end - first, t);
            assert_int_equal(next_end - next_first, t + 1);
            assert_true(next_first <= first && next_end >= end);
        }
        rd__knapsack_unpack(&core, core.start_level, core.start_bits, chosen, &value, &weight);
        assert_int_equal(value, core.start_value * core.value_unit);
        assert_true(weight <= items.capacity);
        for (uint64_t bits = 0; bits < 1ull << core.count; bits++) {
            rd__knapsack_unpack(&core, core.count, &bits, chosen, &value, &weight);
            if (weight <= items.capacity && value > best)
                best = value;
        }
        assert_int_equal(best, brute_force(&items));
        assert_true(core.upper * core.value_unit >= best);
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
}

static const rd__watch nobody = {NULL, NULL};

/* Dynamic programming finds the best, and a choice that has it; with too few states, a choice that is not called
 * proved unless it is the best. */
static void states_find_the_best(void **state)
{
    static const char *const spec[] = {"uncorrelated:17:50", "strongly:17:90:0.3", "subset:17:40",
                                       "weakly:17:60:0.8",   "inverse:17:100",     "ceiling:17:70",
                                       "even-odd:17:60",     "groups:17:999:3:9"};
    static const uint64_t efforts[] = {1ull << 30, 40, 0};
    uint32_t chosen[17], proved = 0;
    (void)state;
    for (uint64_t k = 0; k < 8 * 15; k++) {
        rd__knapsack_items items;
        assert_int_equal(rd__knapsack_open(spec[k % 8], 1 + k / 8, NULL, &items, NULL), RD_OK);
        const uint64_t best = brute_force(&items);
        for (int effort = 0; effort < 3; effort++) {
            rd__knapsack_core core;
            uint64_t value, weight;
            assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
            assert_int_equal(rd__knapsack_states(&core, efforts[effort], &nobody, NULL), RD_OK);
            const uint32_t count =
                rd__knapsack_unpack(&core, core.start_level, core.start_bits, chosen, &value, &weight);
            assert_int_equal(value, core.start_value * core.value_unit);
            assert_int_equal(rd__knapsack_check_choice(&items, chosen, count, value, NULL), RD_OK);
            assert_true(core.proved ? value == best : value <= best);
            assert_true(core.proved || effort > 0);
            proved += (uint32_t)core.proved;
            rd__knapsack_core_free(&core);
        }
        rd__knapsack_free(&items);
    }
    assert_true(proved < 8 * 15 * 3); /* some efforts are too small */
}

/* More levels than a word has bits, and marks that have to be collected. */
static void states_keep_long_paths(void **state)
{
    uint32_t chosen[300], deepest = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rd__knapsack_items items;
        rd__knapsack_core core;
        uint64_t value, weight, best;
        assert_int_equal(rd__knapsack_open(seed % 2 ? "strongly:300:100" : "inverse:300:300", seed, NULL, &items, NULL),
                         RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        assert_int_equal(rd__knapsack_states(&core, 1ull << 40, &nobody, NULL), RD_OK);
        assert_true(core.proved);
        const uint32_t count = rd__knapsack_unpack(&core, core.start_level, core.start_bits, chosen, &value, &weight);
        assert_int_equal(rd__knapsack_check_choice(&items, chosen, count, value, NULL), RD_OK);
        assert_int_equal(rd__knapsack_table(&items, &best, NULL), RD_OK);
        assert_int_equal(value, best);
        deepest = core.start_level > deepest ? core.start_level : deepest;
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
    assert_true(deepest > 64);
}

/* ---- Bundles ---- */

/* Whatever is chosen of a rest of the items, no curve of it is below. */
static void curves_are_bounds(void **state)
{
    static const char *const spec[] = {"groups:90:5000:4:30:0.3:0", "groups:200:1000000:6:100:0.1:0.001",
                                       "groups:64:100000000:2:300:0.2"};
    (void)state;
    for (uint64_t k = 0; k < (SANITIZED ? 3 : 3 * 4); k++) {
        rd__knapsack_items items;
        rd__knapsack_core core;
        rd__knapsack_bundles b;
        assert_int_equal(rd__knapsack_open(spec[k % 3], 1 + k / 3, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        assert_int_equal(rd__knapsack_bundles_find(&core, &b, NULL), RD_OK);
        assert_true(b.bundles >= 2);
        assert_int_equal(rd__knapsack_bundles_price(&core, &b, &nobody, NULL), RD_OK);
        for (uint64_t draw = 0; draw < 300; draw++) {
            const uint32_t from = (uint32_t)(rd__draw(k, 3 * draw) % b.count) / RD__KNAPSACK_SPACING;
            const int64_t room = (int64_t)(rd__draw(k, 3 * draw + 1) % (core.capacity + 1));
            int64_t weight = 0, value = 0;
            for (uint32_t i = from * RD__KNAPSACK_SPACING; i < b.count; i++) {
                assert_true(b.thing[i].base <= b.thing[i].weight);
                if (weight + b.thing[i].weight <= room && rd__draw(draw, i) % 4) {
                    weight += b.thing[i].weight;
                    value += b.thing[i].value;
                }
            }
            for (uint32_t i = 0; i < b.prices; i++) {
                const rd__knapsack_curve *curve = &b.curve[from * b.prices + i];
                uint64_t at = 0;
                while (at + 1 < curve->count && curve->step[at + 1].weight <= room)
                    at++;
                assert_int_equal(curve->step[0].weight, 0);
                assert_true((b.price[i] * room + curve->step[at].value) / RD__KNAPSACK_SCALE >= value);
            }
        }
        rd__knapsack_bundles_free(&b);
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
}

/* Against a table of all capacities; some need more than the narrowest beam. */
static void beams_find_the_best(void **state)
{
    static const char *const spec[] = {"groups:120:20000:4:30:0.1:0",     "groups:100:50000:6:300:0.3:0.001",
                                       "groups:40:9999:2:60:0.2:0",       "groups:150:30000:9:20:0.1:0.01",
                                       "groups:200:100000:5:300:0.1:0.1", "groups:17:999:3:9"};
    uint32_t chosen[200], proved = 0;
    uint64_t most = 0;
    (void)state;
    for (uint64_t k = 0; k < (SANITIZED ? 6 : 6 * 3); k++) {
        rd__knapsack_items items;
        rd__knapsack_core core;
        uint64_t value, weight, best;
        assert_int_equal(rd__knapsack_open(spec[k % 6], 1 + k / 6, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
        assert_int_equal(rd__knapsack_beam(&core, 1ull << 26, &nobody, NULL), RD_OK);
        const uint32_t count = rd__knapsack_unpack(&core, core.start_level, core.start_bits, chosen, &value, &weight);
        assert_int_equal(value, core.start_value * core.value_unit);
        assert_int_equal(rd__knapsack_check_choice(&items, chosen, count, value, NULL), RD_OK);
        assert_int_equal(rd__knapsack_table(&items, &best, NULL), RD_OK);
        assert_true(core.proved ? value == best : value <= best);
        assert_true(core.upper * core.value_unit >= best);
        proved += (uint32_t)core.proved;
        most = core.states > most ? core.states : most;
        rd__knapsack_core_free(&core);
        rd__knapsack_free(&items);
    }
    assert_true(proved >= (SANITIZED ? 4 : 12));
    assert_true(most > 8192);
}

/* Items without bundles are left as they are. */
static void no_bundles_no_beam(void **state)
{
    rd__knapsack_items items;
    rd__knapsack_core core;
    (void)state;
    assert_int_equal(rd__knapsack_open("uncorrelated:300:1000", 0, NULL, &items, NULL), RD_OK);
    assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
    const uint64_t upper = core.upper, value = core.start_value;
    assert_int_equal(rd__knapsack_beam(&core, 1ull << 26, &nobody, NULL), RD_OK);
    assert_true(!core.proved && core.states == 0 && core.upper == upper && core.start_value == value);
    rd__knapsack_core_free(&core);
    rd__knapsack_free(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layouts_are_read),       cmocka_unit_test(an_empty_knapsack_is_fine),
        cmocka_unit_test(bad_files_are_refused),      cmocka_unit_test(classes_are_what_they_say),
        cmocka_unit_test(bad_generators_are_refused), cmocka_unit_test(the_table_is_right),
        cmocka_unit_test(the_core_is_sound),          cmocka_unit_test(states_find_the_best),
        cmocka_unit_test(states_keep_long_paths),     cmocka_unit_test(curves_are_bounds),
        cmocka_unit_test(beams_find_the_best),        cmocka_unit_test(no_bundles_no_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
