/* SPDX-License-Identifier: Apache-2.0 */
/* test_shelves.c - vertices on shelves against a list that is gone through: whatever words fall, and however shelves
 * are moved and made wider, the first that is due is found, and nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "job/shelves.h"
#include "raddle/graph.h"

enum { VERTICES = 300, STEPS = 4000 };

typedef struct waiting {
    uint32_t word[VERTICES], ran[VERTICES];
} waiting;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185ull;
    return (x ^ x >> 27) * 0x81dadef4bc2dd44dull ^ x >> 33;
}

static uint32_t due(const void *user, uint32_t v)
{
    const waiting *w = user;
    return w->word[v] < w->ran[v] ? w->word[v] : RD_NONE;
}

static uint64_t first_of(const rd__shelves *s, const waiting *w)
{
    uint64_t first = RD__SHELF_NONE;
    for (uint32_t v = 0; v < VERTICES; v++)
        if (due(w, v) != RD_NONE && rd__shelf_of(s, w->word[v]) < first)
            first = rd__shelf_of(s, w->word[v]);
    return first;
}

/* A word that is not before shelf `first`, at times far beyond it. */
static uint32_t draw(const rd__shelves *s, uint64_t first, uint64_t seed)
{
    const uint64_t number = first + mix(seed) % (seed % 7 ? 90 : 9000);
    return rd__shelf_word(s, number);
}

static void offer(rd__shelves *s, waiting *w, uint32_t v, uint32_t word)
{
    if (word >= w->word[v])
        return;
    w->word[v] = word;
    assert_int_equal(rd__shelves_put(s, v, rd__shelf_of(s, word), NULL), RD_OK);
}

static void go_over(int real)
{
    static rd__shelves s;
    static waiting w;
    memset(&s, 0, sizeof s);
    memset(&w, 0xff, sizeof w);
    s.real = real;
    s.per = real ? 3 : 0.25;
    rd__shelves_clear(&s);
    uint64_t found = 0, first = 0;
    for (uint32_t v = 0; v < 9; v++)
        offer(&s, &w, v, draw(&s, 0, v));
    for (uint64_t i = 0; i < STEPS; i++) {
        const uint64_t has = rd__shelves_first(&s, due, &w);
        assert_int_equal(has, first_of(&s, &w));
        if (has == RD__SHELF_NONE)
            break;
        first = has;
        if (i % 50 == 49) { /* wider or narrower */
            const uint32_t word = rd__shelf_word(&s, first);
            assert_int_equal(rd__shelves_set(&s, i % 100 == 99 ? s.per / 4 : s.per * 4, due, &w, NULL), RD_OK);
            first = rd__shelf_of(&s, word);
        }
        assert_int_equal(rd__shelves_move(&s, first, first + 5, due, &w, NULL), RD_OK);
        for (; s.first < first + 5; s.first++) {
            const rd__shelf *shelf = &s.near[s.first % RD__SHELVES];
            for (uint64_t k = 0; k < shelf->count; k++) {
                const uint32_t v = shelf->vertex[k];
                if (due(&w, v) == RD_NONE)
                    continue;
                w.ran[v] = w.word[v];
                found++;
                for (uint64_t n = 0; n < 3; n++)
                    offer(&s, &w, (uint32_t)(mix(9 * i + n + v) % VERTICES), draw(&s, s.first, mix(i + n) + v));
            }
            s.near[s.first % RD__SHELVES].count = 0;
        }
        assert_true(first_of(&s, &w) >= first);
    }
    assert_int_equal(first_of(&s, &w), RD__SHELF_NONE);
    assert_true(found >= VERTICES / 2);
    rd__shelves_free(&s);
}

static void whole_numbers(void **state)
{
    (void)state;
    go_over(0);
}

static void real_numbers(void **state)
{
    (void)state;
    go_over(1);
}

/* The word that a shelf begins with is on it, and the one before is not. */
static void words_of_shelves(void **state)
{
    (void)state;
    for (int real = 0; real < 2; real++)
        for (uint64_t number = 1; number < 5000; number += 37) {
            const rd__shelves s = {.per = real ? 7.3 : 0.31, .real = real};
            const uint32_t word = rd__shelf_word(&s, number);
            assert_true(rd__shelf_of(&s, word) >= number);
            assert_true(rd__shelf_of(&s, word - 1) < number);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(words_of_shelves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
