/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_pack.c - keys and payloads to items of the heap and back. An item is the key alone (32 or 64 bits), a 32-bit key
 * above a 32-bit payload, or two words of 64 bits: model/item.k.h.
 */
#include "heap/heap.h"

#include <string.h>

int rd__heap_is_plain(const rd_heap_options *options)
{
    return options->payload_bits == 0;
}

static uint64_t word_at(const void *array, uint32_t bits, uint64_t i)
{
    return bits == 32 ? ((const uint32_t *)array)[i] : ((const uint64_t *)array)[i];
}

static void put_word(void *array, uint32_t bits, uint64_t i, uint64_t word)
{
    if (array && bits == 32)
        ((uint32_t *)array)[i] = (uint32_t)word;
    else if (array)
        ((uint64_t *)array)[i] = word;
}

void rd__heap_pack(const rd_heap_options *options, void *item, const void *keys, const void *payloads, uint64_t from,
                   uint64_t count)
{
    const uint32_t kb = options->key_bits, pb = options->payload_bits;
    uint64_t *word = item;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t key = word_at(keys, kb, from + i), payload = word_at(payloads, pb, from + i);
        if (kb == 32 && pb == 32) {
            word[i] = key << 32 | payload;
        } else {
            word[2 * i] = key;
            word[2 * i + 1] = payload;
        }
    }
}

void rd__heap_unpack(const rd_heap_options *options, const void *item, void *keys, void *payloads, uint64_t from,
                     uint64_t count)
{
    const uint32_t kb = options->key_bits, pb = options->payload_bits;
    const uint64_t *word = item;
    for (uint64_t i = 0; i < count; i++) {
        const int narrow = kb == 32 && pb == 32;
        put_word(keys, kb, from + i, narrow ? word[i] >> 32 : word[2 * i]);
        put_word(payloads, pb, from + i, narrow ? word[i] & UINT32_MAX : word[2 * i + 1]);
    }
}
