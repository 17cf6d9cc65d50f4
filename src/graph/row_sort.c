/* SPDX-License-Identifier: Apache-2.0 */
/* row_sort.c - insertion and radix sort of one row. */
#include "graph/row_sort.h"

#include <string.h>

enum { INSERTION_MAX = 48 };

/* The two sorts are the same but for the key's type. */
#define DEFINE_SORTS(KEY, SUFFIX)                                                                                      \
    static void insertion_##SUFFIX(KEY *key, uint64_t n)                                                               \
    {                                                                                                                  \
        for (uint64_t i = 1; i < n; i++) {                                                                             \
            KEY moving = key[i];                                                                                       \
            uint64_t at = i;                                                                                           \
            for (; at > 0 && key[at - 1] > moving; at--)                                                               \
                key[at] = key[at - 1];                                                                                 \
            key[at] = moving;                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void radix_##SUFFIX(KEY *key, KEY *other, uint64_t n)                                                       \
    {                                                                                                                  \
        KEY *from = key, *to = other;                                                                                  \
        KEY first = key[0], any = 0; /* bits in which keys differ */                                                   \
        for (uint64_t i = 1; i < n; i++)                                                                               \
            any |= key[i] ^ first;                                                                                     \
        for (unsigned shift = 0; shift < 8 * sizeof(KEY); shift += 8) {                                                \
            uint64_t place[256] = {0}, sum = 0;                                                                        \
            if (((any >> shift) & 255) == 0)                                                                           \
                continue;                                                                                              \
            for (uint64_t i = 0; i < n; i++)                                                                           \
                place[(from[i] >> shift) & 255]++;                                                                     \
            for (unsigned digit = 0; digit < 256; digit++) {                                                           \
                uint64_t count = place[digit];                                                                         \
                place[digit] = sum;                                                                                    \
                sum += count;                                                                                          \
            }                                                                                                          \
            for (uint64_t i = 0; i < n; i++)                                                                           \
                to[place[(from[i] >> shift) & 255]++] = from[i];                                                       \
            KEY *swap = from;                                                                                          \
            from = to;                                                                                                 \
            to = swap;                                                                                                 \
        }                                                                                                              \
        if (from != key)                                                                                               \
            memcpy(key, from, n * sizeof *key);                                                                        \
    }

DEFINE_SORTS(uint32_t, 32)
DEFINE_SORTS(uint64_t, 64)

static void *room_of(rd__row_sorter *sorter, uint64_t bytes)
{
    if (bytes > sorter->bytes) {
        bytes = bytes < 4096 ? 4096 : bytes;
        rd__array_free(sorter->room);
        sorter->room = rd__array_alloc(bytes);
        sorter->bytes = sorter->room ? bytes : 0;
    }
    return sorter->room;
}

static int sort_weighted(rd__row_sorter *sorter, uint32_t *col, int32_t *weight, uint64_t count)
{
    uint64_t i = 1;
    while (i < count && (col[i - 1] < col[i] || (col[i - 1] == col[i] && weight[i - 1] <= weight[i])))
        i++;
    if (i >= count)
        return 1;
    uint64_t *key = room_of(sorter, 2 * count * sizeof *key);
    if (!key)
        return 0;
    for (i = 0; i < count; i++) /* flipping the sign bit makes negative weights sort before positive ones */
        key[i] = (uint64_t)col[i] << 32 | ((uint32_t)weight[i] ^ 0x80000000u);
    if (count <= INSERTION_MAX)
        insertion_64(key, count);
    else
        radix_64(key, key + count, count);
    for (i = 0; i < count; i++) {
        col[i] = (uint32_t)(key[i] >> 32);
        weight[i] = (int32_t)((uint32_t)key[i] ^ 0x80000000u);
    }
    return 1;
}

int rd__row_sort(rd__row_sorter *sorter, uint32_t *col, int32_t *weight, uint64_t count)
{
    if (weight)
        return sort_weighted(sorter, col, weight, count);
    uint64_t i = 1;
    while (i < count && col[i - 1] <= col[i])
        i++;
    if (i >= count)
        return 1;
    if (count <= INSERTION_MAX) {
        insertion_32(col, count);
        return 1;
    }
    uint32_t *other = room_of(sorter, count * sizeof *other);
    if (!other)
        return 0;
    radix_32(col, other, count);
    return 1;
}

uint64_t rd__row_unique(uint32_t *col, int32_t *weight, uint64_t count)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (kept && col[kept - 1] == col[i])
            continue;
        col[kept] = col[i];
        if (weight)
            weight[kept] = weight[i];
        kept++;
    }
    return kept;
}

void rd__row_sorter_free(rd__row_sorter *sorter)
{
    rd__array_free(sorter->room);
    sorter->room = NULL;
    sorter->bytes = 0;
}
