/* SPDX-License-Identifier: Apache-2.0 */
/* test_deque.c - deques give each token to exactly one worker: owners and thieves at once, nearly empty, nearly full,
 * tags and indices that wrap around; in both kinds. */
#include "selftest/selftest.h"

#include "micro/deque.h"

#include <stdio.h>

enum {
    COUNT = DEQUE_ACT_COUNT,
    ALL = DEQUE_ACT_PUSH | DEQUE_ACT_POP | DEQUE_ACT_STEAL | COUNT,
    POPS = DEQUE_ACT_PUSH | DEQUE_ACT_POP | COUNT,
    STEALS = DEQUE_ACT_PUSH | DEQUE_ACT_STEAL | COUNT,
    FILLED = DEQUE_ACT_POP | DEQUE_ACT_STEAL | COUNT,
};

static const uint64_t wrap = 0xfffffff0fffffff0u; /* 16 pops, 16 thefts before both wrap around */

static const rd__deque_case shapes[] = {
    {"bursts", 6, 1000, 64, ALL, 0, 0, 0, 0},
    {"nearly empty", 4, 400, 1, ALL, 0, 0, 0, 0},
    {"nearly full", 1, 300, 3, ALL, 0, 0, 0, 0},
    {"one slot", 0, 200, 1, ALL, 0, 0, 0, 0},
    {"one owner, many thieves", 3, 600, 4, ALL, 63, 0, 0, 0},
    {"owners that never pop", 5, 300, 8, STEALS, 1, 0, 0, 0},
    {"no thieves", 3, 500, 8, POPS, 0, 0, 0, 0},
    {"filled", 9, 500, 16, FILLED, 0, 0, 0, 0},
    {"one worker", 2, 300, 3, ALL, 0, 1, 0, 0},
    {"one token", 1, 1, 1, ALL, 0, 0, 0, 0},
    {"wrap-around", 3, 500, 3, ALL, 0, 0, wrap, 0},
    {"wrap-around, two slots", 1, 300, 1, ALL, 1, 0, wrap, 0},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static rd_status run_shape(rd__deques *deques, rd__deque_case shape, uint32_t kind, rd_error *err)
{
    rd__deque_numbers numbers;
    shape.kind = kind;
    if (deques->resident == 1 && !(shape.acts & DEQUE_ACT_POP))
        return RD_OK; /* nobody could steal */
    return rd__deques_run(deques, &shape, &numbers, err);
}

static rd_status each_shape(rd__test *test, rd_error *err)
{
    rd__deques deques;
    uint32_t runs = 0, lanes = rd__device_default_lanes(test->device);
    rd_status status = rd__deques_load(&deques, test->device, lanes > 64 ? 64 : lanes, err);
    for (uint32_t r = 0; status == RD_OK && r < 1 + test->repeats / 100; r++)
        for (int i = 0; status == RD_OK && i < 2 * SHAPES; i++, runs++)
            status = run_shape(&deques, shapes[i / 2], i % 2 ? DEQUE_BLOCKING : DEQUE_LOCK_FREE, err);
    rd__deques_close(&deques);
    snprintf(test->note, sizeof test->note, "%u runs, %d shapes, both kinds", runs, (int)SHAPES);
    return status;
}

static rd_status each_width(rd__test *test, rd_error *err)
{
    size_t count;
    const uint32_t *width = rd__test_widths(test->device, &count);
    for (size_t w = 0; w < count; w++) {
        rd__deques deques;
        rd_status status = rd__deques_load(&deques, test->device, width[w], err);
        for (int i = 0; status == RD_OK && i < 2 * SHAPES; i++) {
            rd__deque_case shape = shapes[i / 2];
            if (rd__test_is_watched(test)) { /* under a tool shapes and widths take turns, and tokens are few */
                if (i % 3 != (int)w % 3)
                    continue;
                shape.each = shape.each / 8 + 1;
            }
            status = run_shape(&deques, shape, i % 2 ? DEQUE_BLOCKING : DEQUE_LOCK_FREE, err);
        }
        rd__deques_close(&deques);
        if (status != RD_OK)
            return status;
    }
    snprintf(test->note, sizeof test->note, "%d shapes at each of %zu widths", (int)SHAPES, count);
    return RD_OK;
}

/* Small deques again and again, around the wrap of tag and index. */
static rd_status stress(rd__test *test, rd_error *err)
{
    rd__deques deques;
    uint32_t lanes = rd__device_default_lanes(test->device);
    rd_status status = rd__deques_load(&deques, test->device, lanes > 32 ? 32 : lanes, err);
    for (uint32_t r = 0; status == RD_OK && r < 4 * test->repeats; r++) {
        const rd__deque_case shape = {.name = "stress",
                                      .shift = r % 4,
                                      .each = 1 + r % 61,
                                      .burst = 1 + r % 5,
                                      .acts = ALL,
                                      .thieves = r % 3,
                                      .head = 0u - (r % 9) - ((uint64_t)(r % 7) << 32)};
        status = run_shape(&deques, shape, r % 5 == 0 ? DEQUE_BLOCKING : DEQUE_LOCK_FREE, err);
    }
    rd__deques_close(&deques);
    snprintf(test->note, sizeof test->note, "%u runs", 4 * test->repeats);
    return status;
}

const rd__test_case rd__deque_cases[] = {
    {"deque/every-shape", each_shape, RD__ONCE},
    {"deque/every-width", each_width, RD__ONCE},
    {"deque/stress", stress, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
