/* SPDX-License-Identifier: Apache-2.0 */
/* test_rest.c - what is left of a round (sched/parts/rest.h): launches that are left at random, of as many groups as
 * they please, run each place of a round once. Groups are made up here, by what parts/rest.k.h says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raddle.h"
#include "sched/parts/rest.h"

enum { HEAD = 8, ENTRIES = HEAD + REST_HEAD, PLACES = 4000 };

static uint32_t random_below(uint32_t limit)
{
    static uint64_t state = 27491;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

typedef struct round {
    uint32_t number, places, units, size;
    uint8_t ran[PLACES];
} round_;

/* Where the places of claim k begin, and *end where they end; UINT32_MAX: there is no such claim. */
static uint32_t claim_of(const round_ *r, const uint32_t *word, uint32_t k, uint32_t *end)
{
    const int again = word[HEAD + REST_STEP] == r->number + 1;
    const uint32_t left = again ? word[HEAD + REST_LEFT] : 0;
    uint32_t at = again ? word[HEAD + REST_FROM] : 0;
    if (k < left) {
        *end = word[ENTRIES + REST_LIST + 2 * k + 1];
        return word[ENTRIES + REST_LIST + 2 * k];
    }
    for (k -= left; k && at < r->places; k--)
        at += at < r->units ? 1 : r->size;
    *end = at < r->units ? at + 1 : r->places - at < r->size ? r->places : at + r->size;
    return at < r->places ? at : UINT32_MAX;
}

/* A launch of so many groups, which take turns and leave half-way. @return 1: something was put back or not taken. */
static uint32_t launch(round_ *r, uint32_t *word, uint32_t count)
{
    uint32_t cursor = 0, end, claims = 0;
    while (claim_of(r, word, claims, &end) != UINT32_MAX)
        claims++;
    for (uint32_t group = 0; group < count; group++) {
        uint32_t *back = word + ENTRIES + REST_BACK + 4 * group, k = group;
        for (uint32_t budget = 1 + random_below(60); budget && k < claims; k = count + cursor++) {
            uint32_t at = claim_of(r, word, k, &end);
            for (; at < end && budget; at++, budget--)
                r->ran[at]++;
            if (budget)
                continue;
            back[0] = at;
            back[1] = end;
            if (random_below(2) && count + cursor < claims) /* taken beforehand */
                back[2] = claim_of(r, word, count + cursor++, &back[3]);
            break;
        }
    }
    const uint32_t head[] = {r->number + 1, count, r->size, r->units, claims, 0};
    memcpy(word + HEAD, head, sizeof head);
    return cursor;
}

static void each_place_is_run_once(void **state)
{
    rd_device *device = NULL;
    rd_error err;
    rd__buffer control = {0};
    (void)state;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    assert_int_equal(rd__buffer_alloc(device, &control, "words", 4 * (ENTRIES + REST_WORDS), &err), RD_OK);
    uint32_t *word = rd__buffer_in_place(&control);
    memset(word, 0, 4 * (ENTRIES + REST_WORDS));
    const rd__rest rest = {&control, HEAD, ENTRIES};
    for (uint32_t number = 0; number < 200; number++) {
        round_ r = {.number = number, .places = 1 + random_below(PLACES)};
        r.units = random_below(r.places / 4 + 1);
        for (uint32_t launches = 0, over = 0; !over; launches++) {
            uint32_t at, left = 0;
            r.size = 1 + random_below(50); /* it goes with the number of groups */
            const uint32_t cursor = launch(&r, word, 1 + random_below(9));
            assert_true(rd__rest_is_left(word + HEAD, &at) && at == number);
            assert_int_equal(rd__rest_go_on(&rest, word + HEAD, cursor, NULL, 0, &err), RD_OK);
            assert_false(rd__rest_is_left(word + HEAD, &at));
            assert_true(word[HEAD + REST_LEFT] <= 18 && launches < PLACES);
            over = claim_of(&r, word, 0, &left) == UINT32_MAX;
        }
        for (uint32_t i = 0; i < r.places; i++)
            assert_int_equal(r.ran[i], 1);
    }
    rd__buffer_free(&control);
    rd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_place_is_run_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
