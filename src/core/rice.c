/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rice.c - a string of bits, written short. Golomb codes of the gaps between bits that are set (Golomb: Run-Length
 * Encodings, IEEE Trans. Inf. Theory 1966), with powers of two for the divisor (Rice, Plaunt: Adaptive Variable-Length
 * Coding, IEEE Trans. Commun. 1971): for bits that are set at random that is within a twentieth of their entropy. It
 * costs something for each bit that is set, and nothing for others.
 *
 * Layout: a byte with the exponent k, and 128 where it is the bits that are not set whose gaps follow, as there are
 * fewer of them; how many of these there are, 7 bits a byte, the lowest first; of each the gap g before it, as g >> k
 * ones, a zero, and the k low bits of g, the lowest bit of a byte first.
 */
#include "core/rice.h"

#include "core/bits.h"

#include <string.h>

enum { OTHERS = 128, MOST_EXPONENT = 31, FEW = 24 };

/* ---- Out ---- */

typedef struct writer {
    unsigned char *at;
    uint64_t word; /* bits that are no whole byte yet */
    unsigned count;
} writer;

static inline void put(writer *w, uint64_t bits, unsigned count)
{
    w->word |= bits << w->count;
    for (w->count += count; w->count >= 8; w->count -= 8, w->word >>= 8)
        *w->at++ = (unsigned char)w->word;
}

static inline void put_gap(writer *w, uint64_t gap, unsigned k)
{
    uint64_t ones = gap >> k;
    for (; ones >= FEW; ones -= FEW)
        put(w, (1ull << FEW) - 1, FEW);
    put(w, ((1ull << ones) - 1) | (gap & ((1ull << k) - 1)) << (ones + 1), (unsigned)ones + 1 + k);
}

/* The exponent for which so many gaps, that are so long together, take least. With 0 it is never more than a bit for
 * each bit. */
static unsigned exponent(uint64_t count, uint64_t gaps)
{
    unsigned k = 0;
    while (k < MOST_EXPONENT && count + (gaps >> (k + 1)) < gaps >> k)
        k++;
    return k;
}

uint64_t rd__rice_put(const uint64_t *bit, uint64_t bits, unsigned char *out)
{
    const uint64_t words = rd__bit_words(bits), set = rd__bits_count(bit, words);
    const int others = set > bits / 2;
    const uint64_t count = others ? bits - set : set;
    const unsigned k = exponent(count, bits - count);
    writer w = {.at = out};
    uint64_t next = 0;
    if (!set)
        return 0;
    *w.at++ = (unsigned char)(k | (others ? OTHERS : 0));
    for (next = count; next >= 128; next >>= 7)
        *w.at++ = (unsigned char)(next | 128);
    *w.at++ = (unsigned char)next;
    next = 0;
    for (uint64_t i = 0; i < words; i++)
        for (uint64_t left = others ? rd__bits_first(~bit[i], bits - 64 * i) : bit[i]; left; left &= left - 1) {
            const uint64_t place = 64 * i + (uint64_t)__builtin_ctzll(left);
            put_gap(&w, place - next, k);
            next = place + 1;
        }
    put(&w, 0, (8 - w.count) % 8);
    return (uint64_t)(w.at - out);
}

/* ---- In ---- */

typedef struct reader {
    const unsigned char *at, *end;
    uint64_t word; /* bits that were read, and 0 behind them */
    unsigned count;
} reader;

static inline void refill(reader *r)
{
    for (; r->count <= 56 && r->at < r->end; r->count += 8)
        r->word |= (uint64_t)*r->at++ << r->count;
}

/* The ones before a zero, which is dropped too. */
static uint64_t get_ones(reader *r, uint64_t most)
{
    for (uint64_t ones = 0;; r->word = r->count = 0) {
        refill(r);
        const unsigned run = ~r->word ? (unsigned)__builtin_ctzll(~r->word) : 64;
        ones += run;
        if (ones > most || !r->count)
            return UINT64_MAX;
        if (run == r->count)
            continue;
        r->word = r->word >> run >> 1; /* run may be 63 */
        r->count -= run + 1;
        return ones;
    }
}

/* @return UINT64_MAX: there is none of that length. */
static inline uint64_t get_gap(reader *r, unsigned k, uint64_t most)
{
    if (r->count < 32)
        refill(r);
    const unsigned run = (unsigned)__builtin_ctzll(~r->word | 1ull << 63);
    uint64_t ones = run;
    if (run + 1 + k <= r->count) {     /* mostly */
        r->word = r->word >> run >> 1; /* run may be 63 */
        r->count -= run + 1;
    } else {
        ones = get_ones(r, most >> k);
        refill(r);
        if (ones == UINT64_MAX || r->count < k)
            return UINT64_MAX;
    }
    const uint64_t gap = ones << k | (r->word & ((1ull << k) - 1));
    r->word >>= k;
    r->count -= k;
    return gap <= most ? gap : UINT64_MAX;
}

static int get_count(reader *r, uint64_t *count)
{
    *count = 0;
    for (unsigned shift = 0; r->at < r->end && shift < 63; shift += 7) {
        *count |= (uint64_t)(*r->at & 127) << shift;
        if (*r->at++ < 128)
            return 1;
    }
    return 0;
}

int rd__rice_get(const unsigned char *from, uint64_t bytes, uint64_t bits, uint64_t *bit)
{
    const uint64_t words = rd__bit_words(bits);
    reader r = {.at = from, .end = from + bytes};
    uint64_t count = 0, next = 0;
    memset(bit, 0, words * sizeof *bit);
    if (!bytes)
        return 1;
    const unsigned first = *r.at++, k = first % OTHERS;
    if (k > MOST_EXPONENT || !get_count(&r, &count) || count > bits)
        return 0;
    for (; count; count--) {
        const uint64_t gap = next < bits ? get_gap(&r, k, bits - next - 1) : UINT64_MAX;
        if (gap == UINT64_MAX)
            return 0;
        rd__bit_set(bit, next + gap);
        next += gap + 1;
    }
    for (uint64_t i = 0; first >= OTHERS && i < words; i++)
        bit[i] = rd__bits_first(~bit[i], bits - 64 * i);
    return r.at == r.end && r.count < 8;
}
