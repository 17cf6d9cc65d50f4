/* SPDX-License-Identifier: Apache-2.0 */
/* bits.c - strings of bits. Picking and spreading are what several ranks wait for in each level or step of a search:
 * processors that have an instruction for it use it. */
#include "core/bits.h"

#include <string.h>

static uint64_t count_anywhere(const uint64_t *bit, uint64_t words)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++)
        count += (uint64_t)__builtin_popcountll(bit[w]);
    return count;
}

uint64_t rd__bits_pick_anywhere(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out)
{
    uint64_t count = 0, word = 0;
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t left = mask[w]; left; left &= left - 1) {
            word |= (bit[w] >> __builtin_ctzll(left) & 1) << count % 64;
            if (++count % 64)
                continue;
            *out++ = word;
            word = 0;
        }
    if (count % 64)
        *out = word;
    return count;
}

#if defined(__x86_64__)
__attribute__((target("bmi2,popcnt"))) static uint64_t pick_by_word(const uint64_t *bit, const uint64_t *mask,
                                                                    uint64_t words, uint64_t *out)
{
    uint64_t count = 0, word = 0;
    for (uint64_t w = 0; w < words; w++) {
        const uint64_t picked = __builtin_ia32_pext_di(bit[w], mask[w]), at = count % 64;
        const uint64_t more = (uint64_t)__builtin_popcountll(mask[w]);
        count += more;
        word |= picked << at;
        if (at + more < 64)
            continue;
        *out++ = word;
        word = at ? picked >> (64 - at) : 0;
    }
    if (count % 64)
        *out = word;
    return count;
}

__attribute__((target("bmi2,popcnt"))) static void spread_by_word(const uint64_t *bit, const uint64_t *mask,
                                                                  uint64_t words, uint64_t *out)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++) {
        const uint64_t set = mask[w], more = (uint64_t)__builtin_popcountll(set), at = count % 64;
        uint64_t word = 0;
        if (more) /* or there may be no word left */
            word = bit[count / 64] >> at;
        if (at + more > 64)
            word |= bit[count / 64 + 1] << (64 - at);
        out[w] = __builtin_ia32_pdep_di(word, set);
        count += more;
    }
}

__attribute__((target("popcnt"))) static uint64_t count_by_word(const uint64_t *bit, uint64_t words)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++)
        count += (uint64_t)__builtin_popcountll(bit[w]);
    return count;
}

/* Some have the instruction and take longer for it than for a loop. */
static int has_fast_pick(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2");
}
#endif

uint64_t rd__bits_count(const uint64_t *bit, uint64_t words)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return count_by_word(bit, words);
#endif
    return count_anywhere(bit, words);
}

uint64_t rd__bits_pick(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out)
{
#if defined(__x86_64__)
    if (has_fast_pick())
        return pick_by_word(bit, mask, words, out);
#endif
    return rd__bits_pick_anywhere(bit, mask, words, out);
}

void rd__bits_spread_anywhere(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t word = 0;
        for (uint64_t left = mask[w]; left; left &= left - 1)
            word |= (left & (0 - left)) & (0 - (uint64_t)rd__bit_at(bit, count++));
        out[w] = word;
    }
}

void rd__bits_spread(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out)
{
#if defined(__x86_64__)
    if (has_fast_pick()) {
        spread_by_word(bit, mask, words, out);
        return;
    }
#endif
    rd__bits_spread_anywhere(bit, mask, words, out);
}

void rd__bits_copy(const uint64_t *bit, uint64_t at, uint64_t count, uint64_t *out)
{
    const uint64_t shift = at % 64, whole = count / 64, left = count % 64;
    const uint64_t *from = bit + at / 64;
    for (uint64_t w = 0; shift && w < whole; w++)
        out[w] = from[w] >> shift | from[w + 1] << (64 - shift);
    if (!shift && whole)
        memcpy(out, from, whole * sizeof *out);
    if (!left)
        return;
    uint64_t word = from[whole] >> shift;
    if (shift && left > 64 - shift) /* else they are all in the first */
        word |= from[whole + 1] << (64 - shift);
    out[whole] = rd__bits_first(word, left);
}

void rd__bits_or(uint64_t *to, uint64_t at, const uint64_t *from, uint64_t count)
{
    const uint64_t shift = at % 64;
    to += at / 64;
    for (uint64_t done = 0; done < count; done += 64, to++) {
        const uint64_t word = rd__bits_first(*from++, count - done);
        to[0] |= word << shift;
        if (shift && count - done > 64 - shift)
            to[1] |= word >> (64 - shift);
    }
}
