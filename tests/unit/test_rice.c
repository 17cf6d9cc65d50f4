/* SPDX-License-Identifier: Apache-2.0 */
/* test_rice.c - strings of bits that are written short: they come back, are short, and what is no string is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/bits.h"
#include "core/rice.h"

enum { WORDS = 160, MOST = 64 * WORDS, ROOM = MOST / 8 + 16 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185ull;
    return (x ^ x >> 27) * 0x81dadef4bc2dd44dull ^ x >> 33;
}

/* Of 1024 bits about so many are set. */
static uint64_t draw(uint64_t *bit, uint64_t bits, unsigned of_1024)
{
    uint64_t set = 0;
    memset(bit, 0, WORDS * sizeof *bit);
    for (uint64_t i = 0; i < bits; i++)
        if (mix(i * 1025 + of_1024) % 1024 < of_1024) {
            rd__bit_set(bit, i);
            set++;
        }
    return set;
}

static void what_is_put_comes_back(void **state)
{
    static const unsigned parts[] = {0, 1, 5, 30, 100, 256, 400, 512, 700, 1000, 1023, 1024};
    (void)state;
    for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++)
        for (uint64_t bits = 0; bits <= MOST; bits = bits * 3 / 2 + 1) {
            uint64_t bit[WORDS], back[WORDS];
            unsigned char out[ROOM];
            const uint64_t set = draw(bit, bits, parts[p]), bytes = rd__rice_put(bit, bits, out);
            assert_true(bytes <= rd__rice_room(bits));
            assert_int_equal(bytes == 0, set == 0);
            memset(back, 0xa5, sizeof back);
            assert_int_equal(rd__rice_get(out, bytes, bits, back), 1);
            assert_memory_equal(back, bit, rd__bit_words(bits) * sizeof *bit);
        }
}

static void it_is_nearly_as_short_as_can_be(void **state)
{
    static const unsigned parts[] = {5, 30, 100, 256, 400, 700, 1000};
    (void)state;
    for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++) {
        uint64_t bit[WORDS];
        unsigned char out[ROOM];
        const double part = (double)draw(bit, MOST, parts[p]) / MOST;
        const double least = -MOST * (part * log2(part) + (1 - part) * log2(1 - part)) / 8;
        assert_true((double)rd__rice_put(bit, MOST, out) < 1.06 * least + 4);
    }
}

static void gaps_of_any_length(void **state)
{
    (void)state;
    for (uint64_t first = 0; first < 300; first++)
        for (uint64_t second = first + 1; second < 9000; second = second * 2 + 1) {
            uint64_t bit[WORDS] = {0}, back[WORDS];
            unsigned char out[ROOM];
            rd__bit_set(bit, first);
            rd__bit_set(bit, second);
            const uint64_t bytes = rd__rice_put(bit, MOST, out);
            assert_int_equal(rd__rice_get(out, bytes, MOST, back), 1);
            assert_memory_equal(back, bit, sizeof bit);
        }
}

/* Whatever the bytes are, nothing is written outside; cut off or too long they are refused. */
static void what_is_no_string_is_refused(void **state)
{
    (void)state;
    uint64_t bit[WORDS], back[WORDS + 1];
    unsigned char out[ROOM + 1];
    draw(bit, MOST, 200);
    const uint64_t bytes = rd__rice_put(bit, MOST, out);
    for (uint64_t cut = 1; cut < bytes; cut++)
        assert_int_equal(rd__rice_get(out, cut, MOST, back), 0);
    out[bytes] = 0;
    assert_int_equal(rd__rice_get(out, bytes + 1, MOST, back), 0);
    assert_int_equal(rd__rice_get(out, bytes, MOST / 2, back), 0);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        const uint64_t length = 1 + mix(seed) % 40, bits = mix(seed + 7) % MOST;
        for (uint64_t i = 0; i < length; i++)
            out[i] = (unsigned char)(mix(seed * 64 + i) >> (seed % 2 ? 9 : 60));
        back[rd__bit_words(bits)] = 0x1234;
        (void)rd__rice_get(out, length, bits, back);
        assert_int_equal(back[rd__bit_words(bits)], 0x1234);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_comes_back),
        cmocka_unit_test(it_is_nearly_as_short_as_can_be),
        cmocka_unit_test(gaps_of_any_length),
        cmocka_unit_test(what_is_no_string_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
