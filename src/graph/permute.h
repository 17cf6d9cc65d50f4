/* SPDX-License-Identifier: Apache-2.0 */
/*
 * permute.h - a pseudo-random renumbering of 0 .. n-1 that needs no memory: each number is computed on its own, by any
 * thread.
 *
 * A mixer that is a bijection of k-bit words (xor with a key, multiplication by an odd number, xor with its own high
 * half; 4 rounds) permutes 0 .. 2^k-1, where 2^k is the least power of two >= n. Numbers that land at n or above are
 * sent through again until they land below ("cycle walking"): still a bijection, and fewer than two trips on average.
 */
#ifndef RD_GRAPH_PERMUTE_H
#define RD_GRAPH_PERMUTE_H

#include "core/hash.h"

typedef struct rd__permutation {
    uint32_t n, mask, half;
    uint32_t key[4], odd[4];
} rd__permutation;

static inline rd__permutation rd__permutation_of(uint32_t n, uint64_t seed)
{
    rd__permutation p = {.n = n, .half = 1};
    unsigned bits = 1;
    while (bits < 32 && (1ull << bits) < n)
        bits++;
    p.mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    p.half = (bits + 1) / 2;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t word = rd__mix64(seed + (i + 1) * RD_GOLDEN);
        p.key[i] = (uint32_t)word & p.mask;
        p.odd[i] = (uint32_t)(word >> 32) | 1;
    }
    return p;
}

static inline uint32_t rd__permuted(const rd__permutation *p, uint32_t x)
{
    do {
        for (unsigned i = 0; i < 4; i++) {
            x = ((x ^ p->key[i]) * p->odd[i]) & p->mask;
            x ^= x >> p->half;
        }
    } while (x >= p->n);
    return x;
}

#endif
