/* SPDX-License-Identifier: Apache-2.0 */
/* random.h - the oracle's own random numbers: a stream from a seed and a place, so that any case can be drawn alone. */
#ifndef ORACLE_RANDOM_H
#define ORACLE_RANDOM_H

#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

/* Sebastiano Vigna's splitmix64. */
static inline uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline rng rng_at(uint64_t seed, uint64_t stream, uint64_t place)
{
    rng r = {seed};
    r.state = rng_next(&r) + stream;
    r.state = rng_next(&r) + place;
    r.state = rng_next(&r);
    return r;
}

/* From 0 to n - 1; n > 0. The bias is below n / 2^64. */
static inline uint64_t rng_below(rng *r, uint64_t n)
{
    return rng_next(r) % n;
}
static inline uint64_t rng_between(rng *r, uint64_t low, uint64_t high)
{
    return low + rng_below(r, high - low + 1);
}
/* In `percent` of 100 draws. */
static inline int rng_chance(rng *r, uint32_t percent)
{
    return rng_below(r, 100) < percent;
}
static inline double rng_real(rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}
/* From low to high, each order of magnitude as likely as another; low <= high. */
static inline uint64_t rng_sized(rng *r, uint64_t low, uint64_t high)
{
    const uint64_t span = high - low;
    int bits = 0;
    while (bits < 63 && span >> bits)
        bits++;
    const uint64_t mask = ((uint64_t)1 << rng_below(r, (uint64_t)bits + 1)) - 1, drawn = rng_next(r) & mask;
    return low + (drawn < span ? drawn : span);
}

#endif
