/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutate.h - inputs made out of seeds, for tests/fuzz/driver.c. All follows from the number that the generator starts
 * with and from the order of the seeds: the same two give the same inputs.
 */
#ifndef RD_FUZZ_MUTATE_H
#define RD_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *data;
    size_t bytes;
} fuzz_text;

typedef struct {
    fuzz_text *seed; /* in the order they were added */
    size_t seeds;
    fuzz_text *word; /* parts of seeds; no bytes of their own */
    size_t words;
    uint64_t random;
    size_t most;    /* bytes of an input */
    uint8_t *spare; /* so many bytes, for what is moved about */
} fuzz_pool;

/* @return 0 when there is no memory. */
int fuzz_pool_init(fuzz_pool *pool, uint64_t random, size_t most);

/* Takes the bytes (from malloc), cut to the most that an input may have. @return 0 when there is no memory. */
int fuzz_pool_add(fuzz_pool *pool, uint8_t *data, size_t bytes);

/* Collects the words, when the last seed is there. @return 0 when there is no memory. */
int fuzz_pool_words(fuzz_pool *pool);

void fuzz_pool_free(fuzz_pool *pool);

/* Makes the next input at into, which has room for pool->most. @return its bytes. */
size_t fuzz_mutate(fuzz_pool *pool, uint8_t *into);

#endif
