/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_pack.c - keys and payloads to items of the heap and back. An item is the key alone (32 or 64 bits), a 32-bit key
 * above a 32-bit payload, or two words of 64 bits: model/item.k.h.
 */
#include "heap/heap.h"

#include <string.h>

int rd__heap_is_plain(const rd_heap_options *options)
{
    return options->payload_bits == 0 && options->keys == RD_HEAP_UNSIGNED;
}

/* Words that are ordered as the keys are: those of signed numbers with the sign turned around; of negative floats with
 * all bits turned around, for their size is in the others. */
static uint64_t to_ordered(const rd_heap_options *options, uint64_t key)
{
    const uint64_t sign = 1ull << (options->key_bits - 1), all = sign | (sign - 1);
    if (options->keys == RD_HEAP_UNSIGNED)
        return key;
    return options->keys == RD_HEAP_REAL && (key & sign) ? ~key & all : key ^ sign;
}

static uint64_t from_ordered(const rd_heap_options *options, uint64_t word)
{
    const uint64_t sign = 1ull << (options->key_bits - 1), all = sign | (sign - 1);
    if (options->keys == RD_HEAP_UNSIGNED)
        return word;
    return options->keys == RD_HEAP_REAL && !(word & sign) ? ~word & all : word ^ sign;
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
        const uint64_t key = to_ordered(options, word_at(keys, kb, from + i));
        const uint64_t payload = pb ? word_at(payloads, pb, from + i) : 0;
        if (pb == 0) {
            put_word(item, kb, i, key);
        } else if (kb == 32 && pb == 32) {
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
        const uint64_t key = pb == 0 ? word_at(item, kb, i) : narrow ? word[i] >> 32 : word[2 * i];
        put_word(keys, kb, from + i, from_ordered(options, key));
        if (pb)
            put_word(payloads, pb, from + i, narrow ? word[i] & UINT32_MAX : word[2 * i + 1]);
    }
}
