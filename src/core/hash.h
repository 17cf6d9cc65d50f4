/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h - integer mixing for generators and a 128-bit content hash for the program cache. Not cryptographic. */
#ifndef RD_CORE_HASH_H
#define RD_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64's finaliser: a bijection of 64-bit words that passes as random. A generator draws number i of stream s as
 * rd__mix64(s + i * RD_GOLDEN), so any thread can draw any number and the result depends on the seed alone. */
#define RD_GOLDEN 0x9e3779b97f4a7c15ull

static inline uint64_t rd__mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    x ^= x >> 31;
    return x;
}

typedef struct rd__hash {
    uint64_t word[2];
} rd__hash;

/* Starts from {0, 0}; feeding parts one after another differs from feeding their concatenation (lengths are mixed in).
 */
void rd__hash_add(rd__hash *hash, const void *data, size_t bytes);
void rd__hash_text(rd__hash *hash, const char *text);
/* Writes 32 hex digits and a NUL. */
void rd__hash_hex(const rd__hash *hash, char out[33]);

#endif
