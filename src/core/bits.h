/* SPDX-License-Identifier: Apache-2.0 */
/* bits.h - strings of bits in words of 64, the first in the lowest place: picked, moved, counted. */
#ifndef RD_CORE_BITS_H
#define RD_CORE_BITS_H

#include <stdint.h>

/* Words that hold so many. */
static inline uint64_t rd__bit_words(uint64_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

static inline int rd__bit_at(const uint64_t *bit, uint64_t at)
{
    return (int)(bit[at / 64] >> at % 64 & 1);
}

static inline void rd__bit_set(uint64_t *bit, uint64_t at)
{
    bit[at / 64] |= 1ull << at % 64;
}

/* The first `bits` of a word that may have more. */
static inline uint64_t rd__bits_first(uint64_t word, uint64_t bits)
{
    return bits < 64 ? word & ((1ull << bits) - 1) : word;
}

/* How many are set. */
uint64_t rd__bits_count(const uint64_t *bit, uint64_t words);
/* Those at which `mask` is set, one behind the other, into whole words. @return how many bits that are. */
uint64_t rd__bits_pick(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out);
/* The same on processors that have nothing for it. */
uint64_t rd__bits_pick_anywhere(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out);
/* The other way: the first of `bit` goes to where `mask` is set first, and so on; `out` has none elsewhere, and may be
 * `mask`. */
void rd__bits_spread(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out);
/* The same on processors that have nothing for it. */
void rd__bits_spread_anywhere(const uint64_t *bit, const uint64_t *mask, uint64_t words, uint64_t *out);
/* `count` from `at` on, into whole words. */
void rd__bits_copy(const uint64_t *bit, uint64_t at, uint64_t count, uint64_t *out);
/* Sets those of `to`, from `at` on, whose bit is set among the first `count` of `from`. */
void rd__bits_or(uint64_t *to, uint64_t at, const uint64_t *from, uint64_t count);

#endif
