/* SPDX-License-Identifier: Apache-2.0 */
/* test_knapsack_check.c - knapsack: the checker finds every kind of fault; collecting the trail loses no path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/knapsack/check.h"
#include "apps/knapsack/core.h"
#include "apps/knapsack/state.h"

/* ---- Checking ---- */

static uint64_t values[] = {60, 100, 120, 30}, weights[] = {10, 20, 30, 15};
static const rd__knapsack_items four = {
    .count = 4, .value = values, .weight = weights, .capacity = 50, .value_sum = 310, .weight_sum = 75};

static rd_status check(const rd__knapsack_items *items, const uint32_t *chosen, uint32_t count, uint64_t value,
                       uint64_t effort, rd__knapsack_proof *proof, const char *message)
{
    rd_error err = {.status = RD_OK};
    rd__knapsack_proof own;
    uint64_t bound;
    rd_status status = rd__knapsack_check(items, chosen, count, value, effort, proof ? proof : &own, &bound, &err);
    if (message && !strstr(err.text, message))
        fail_msg("expected '%s', got '%s'", message, err.text);
    return status;
}

static void faults_are_found(void **state)
{
    static const uint32_t right[] = {1, 2}, worse[] = {0, 2}, heavy[] = {0, 1, 2}, twice[] = {1, 1}, none[] = {1, 4},
                          back[] = {2, 1};
    rd__knapsack_proof proof;
    (void)state;
    assert_int_equal(check(&four, right, 2, 220, 0, &proof, NULL), RD_OK);
    assert_int_equal(proof, RD__KNAPSACK_BY_TABLE);
    assert_int_equal(check(&four, right, 2, 221, 0, NULL, "are worth 220, not 221"), RD_EWRONG);
    assert_int_equal(check(&four, worse, 2, 180, 0, NULL, "a choice worth 220 fits"), RD_EWRONG);
    assert_int_equal(check(&four, worse, 2, 180, 500, NULL, "was said to be the most"), RD_EWRONG);
    assert_int_equal(check(&four, heavy, 3, 280, 0, NULL, "weigh 60, the capacity is 50"), RD_EWRONG);
    assert_int_equal(check(&four, twice, 2, 200, 0, NULL, "twice or out of order"), RD_EWRONG);
    assert_int_equal(check(&four, back, 2, 220, 0, NULL, "twice or out of order"), RD_EWRONG);
    assert_int_equal(check(&four, none, 2, 100, 0, NULL, "there are only 4"), RD_EWRONG);
    rd__knapsack_items known = four;
    known.published = 225;
    assert_int_equal(check(&known, right, 2, 220, 0, NULL, "the solution in the file is worth 225"), RD_EWRONG);
}

/* The same by lists, on inputs too large for a table: the best value passes, one less does not. */
static void lists_prove_too(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        rd__knapsack_items items;
        uint64_t best = 0;
        rd__knapsack_proof proof;
        assert_int_equal(rd__knapsack_open("strongly:40:40", seed, NULL, &items, NULL), RD_OK);
        assert_int_equal(rd__knapsack_table(&items, &best, NULL), RD_OK);
        /* Any choice worth `best`, and one worth less: items of the table's own way back are not at hand, so make a
         * knapsack in which one more item is the whole answer. */
        uint64_t *value = malloc((items.count + 1) * sizeof *value),
                 *weight = malloc((items.count + 1) * sizeof *weight);
        memcpy(value, items.value, items.count * sizeof *value);
        memcpy(weight, items.weight, items.count * sizeof *weight);
        value[items.count] = best;
        weight[items.count] = items.capacity;
        rd__knapsack_items more = {.count = items.count + 1,
                                   .value = value,
                                   .weight = weight,
                                   .capacity = items.capacity,
                                   .value_sum = items.value_sum + best,
                                   .weight_sum = items.weight_sum + items.capacity};
        const uint32_t whole[] = {items.count};
        assert_int_equal(check(&more, whole, 1, best, 50000, &proof, NULL), RD_OK);
        assert_true(proof == RD__KNAPSACK_BY_LISTS || proof == RD__KNAPSACK_BY_BOUND);
        value[items.count]--;
        assert_int_equal(check(&more, whole, 1, best - 1, 50000, &proof, "was said to be the most"), RD_EWRONG);
        free(value);
        free(weight);
        rd__knapsack_free(&items);
    }
}

static void what_is_too_much_is_not_called_proved(void **state)
{
    rd__knapsack_items items;
    rd__knapsack_core core;
    rd__knapsack_proof proof;
    uint32_t chosen[2000];
    uint64_t value, weight;
    (void)state;
    assert_int_equal(rd__knapsack_open("strongly:2000:10000", 1, NULL, &items, NULL), RD_OK);
    assert_int_equal(rd__knapsack_core_make(&items, &core, NULL), RD_OK);
    const uint32_t count = rd__knapsack_unpack(&core, core.start_level, core.start_bits, chosen, &value, &weight);
    assert_int_equal(check(&items, chosen, count, value, 1, &proof, NULL), RD_OK);
    assert_int_equal(proof, RD__KNAPSACK_UNPROVED);
    rd__knapsack_core_free(&core);
    rd__knapsack_free(&items);
}

/* ---- The trail ---- */

enum { ENTRIES = 8, SLOTS = 32 };

/* Entry i holds the bits 100 + i; its parent is given. */
static void put_entry(uint64_t *trail, uint32_t at, uint32_t parent)
{
    trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_BITS] = 100 + at;
    trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_OPEN] = 200 + at;
    trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_PARENT] = parent;
}

/* The bits along a path, from its last entry to the root, as decimal digits: 3 for 103. */
static uint64_t path_of(const uint64_t *trail, uint64_t at)
{
    uint64_t digits = 0;
    for (; at != KNAPSACK_ROOT; at = trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_PARENT]) {
        assert_true(at < ENTRIES);
        assert_int_equal(trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_OPEN],
                         trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_BITS] + 100);
        digits = digits * 10 + trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_BITS] - 100;
    }
    return digits;
}

/* Two tasks that wait, one slot that is free, the best solution and a lesser one: what only the latter two lead to
 * goes, and all other paths are the same afterwards. */
static void the_trail_is_collected(void **state)
{
    static uint64_t pool[SLOTS * KNAPSACK_TASK_WORDS], notes[KNAPSACK_CONTROL_WORDS];
    uint64_t trail[ENTRIES * KNAPSACK_TRAIL_WORDS];
    const uint32_t used = 1u << 3 | 1u << 31;
    knapsack_state own = {.sizes = {.slots = SLOTS, .trail = ENTRIES}};
    rd_device *device;
    rd_error err;
    (void)state;
    put_entry(trail, 0, KNAPSACK_ROOT);
    put_entry(trail, 1, 7); /* a parent may lie behind its child */
    put_entry(trail, 2, 0);
    put_entry(trail, 3, 1);
    put_entry(trail, 4, KNAPSACK_ROOT);
    put_entry(trail, 5, 4);
    put_entry(trail, 6, 1);
    put_entry(trail, 7, KNAPSACK_ROOT);
    pool[3 * KNAPSACK_TASK_WORDS + KNAPSACK_TASK_PLACE] = 130 | 3ull << 32;
    pool[31 * KNAPSACK_TASK_WORDS + KNAPSACK_TASK_PLACE] = 7 | (uint64_t)KNAPSACK_ROOT << 32;
    pool[9 * KNAPSACK_TASK_WORDS + KNAPSACK_TASK_PLACE] = 99 | 2ull << 32; /* free */
    notes[KNAPSACK_BEST] = 50;
    notes[KNAPSACK_TRAIL] = ENTRIES;
    notes[KNAPSACK_LIST + KNAPSACK_SOLUTION_VALUE] = 40;
    notes[KNAPSACK_LIST + KNAPSACK_SOLUTION_PLACE] = 70 | 2ull << 32;
    uint64_t *best = notes + KNAPSACK_LIST + KNAPSACK_SOLUTION_WORDS;
    best[KNAPSACK_SOLUTION_VALUE] = 50;
    best[KNAPSACK_SOLUTION_PLACE] = 131 | 6ull << 32;
    assert_int_equal(rd_device_open("cpu", NULL, &device, &err), RD_OK);
    rd__buffer *const buffer[] = {&own.used, &own.pool_buffer, &own.trail, &own.control};
    void *const data[] = {(void *)&used, pool, trail, notes};
    const uint64_t bytes[] = {sizeof used, sizeof pool, sizeof trail, sizeof notes};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rd__buffer_alloc(device, buffer[i], "test", bytes[i], &err), RD_OK);
        assert_int_equal(rd__buffer_write(buffer[i], 0, bytes[i], data[i], &err), RD_OK);
    }
    assert_int_equal(rd__knapsack_collect_trail(&own, &err), RD_OK);
    for (int i = 1; i < 4; i++) {
        assert_int_equal(rd__buffer_read(buffer[i], 0, bytes[i], data[i], &err), RD_OK);
        rd__buffer_free(buffer[i]);
    }
    rd__buffer_free(&own.used);
    rd_device_close(device);
    assert_int_equal(own.collections, 1);
    assert_int_equal(notes[KNAPSACK_TRAIL], 4); /* 1, 3, 6 and 7 */
    const uint64_t task = pool[3 * KNAPSACK_TASK_WORDS + KNAPSACK_TASK_PLACE];
    assert_int_equal(task & UINT32_MAX, 130);
    assert_int_equal(path_of(trail, task >> 32), 317);
    assert_int_equal(pool[31 * KNAPSACK_TASK_WORDS + KNAPSACK_TASK_PLACE], 7 | (uint64_t)KNAPSACK_ROOT << 32);
    assert_int_equal(best[KNAPSACK_SOLUTION_PLACE] & UINT32_MAX, 131);
    assert_int_equal(path_of(trail, best[KNAPSACK_SOLUTION_PLACE] >> 32), 617);
    assert_int_equal(notes[KNAPSACK_LIST + KNAPSACK_SOLUTION_VALUE], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(lists_prove_too),
        cmocka_unit_test(what_is_too_much_is_not_called_proved),
        cmocka_unit_test(the_trail_is_collected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
