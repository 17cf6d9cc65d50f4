/* SPDX-License-Identifier: Apache-2.0 */
/* binary_heap.h - a binary heap of 32-bit keys as in any textbook: what the benchmarks compare with. */
#ifndef RD_CLI_BINARY_HEAP_H
#define RD_CLI_BINARY_HEAP_H

#include <stdint.h>
#include <stdlib.h>

typedef struct binary_heap {
    uint32_t *key;
    uint64_t count;
} binary_heap;

/* @return 0 when memory is out. */
static inline int binary_heap_init(binary_heap *heap, uint64_t room)
{
    heap->key = malloc(room * sizeof *heap->key + 1);
    heap->count = 0;
    return heap->key != NULL;
}

static inline void binary_heap_free(binary_heap *heap)
{
    free(heap->key);
}

static inline void binary_heap_insert(binary_heap *heap, uint32_t key)
{
    uint64_t at = heap->count++;
    while (at > 0 && heap->key[(at - 1) / 2] > key) {
        heap->key[at] = heap->key[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->key[at] = key;
}

/* The heap must not be empty. */
static inline uint32_t binary_heap_delete(binary_heap *heap)
{
    const uint32_t least = heap->key[0], last = heap->key[--heap->count];
    uint64_t at = 0, child = 1;
    while (child < heap->count) {
        child += child + 1 < heap->count && heap->key[child + 1] < heap->key[child];
        if (heap->key[child] >= last)
            break;
        heap->key[at] = heap->key[child];
        at = child;
        child = 2 * at + 1;
    }
    heap->key[at] = last;
    return least;
}

#endif
