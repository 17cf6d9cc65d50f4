/* SPDX-License-Identifier: Apache-2.0 */
/* heap_check.c - proves the order of a heap at rest: reads it back, level by level, and looks at every item. Shares no
 * code with the kernels. */
#include "heap/heap.h"

#include "core/memory.h"
#include "heap/heap_layout.k.h"

#include <stdlib.h>
#include <string.h>

struct view {
    const unsigned char *item;
    const uint32_t *state;
    uint32_t k, bytes;
};

/* Below 0, 0 or above 0, as item i is less than, equal to or greater than item j. */
static int compare(const struct view *v, uint64_t i, uint64_t j)
{
    const unsigned char *p = v->item + i * v->bytes, *q = v->item + j * v->bytes;
    if (v->bytes == 4) {
        uint32_t a, b;
        memcpy(&a, p, 4);
        memcpy(&b, q, 4);
        return (a > b) - (a < b);
    }
    for (uint32_t word = 0; word < v->bytes; word += 8) {
        uint64_t a, b;
        memcpy(&a, p + word, 8);
        memcpy(&b, q + word, 8);
        if (a != b)
            return a > b ? 1 : -1;
    }
    return 0;
}

/* Does the n-th batch of a heap lie at this node? By the definition: the offset within the level, its bits reversed. */
static uint64_t slot_of(uint64_t n)
{
    uint64_t level = 0, reversed = 0;
    while (n >> (level + 1))
        level++;
    for (uint64_t bit = 0; bit < level; bit++)
        if (n >> bit & 1)
            reversed |= 1ull << (level - 1 - bit);
    return 1ull << level | reversed;
}

static rd_status check_node(const struct view *v, uint64_t node, rd_error *err)
{
    const uint64_t first = node * v->k;
    if (v->state[node] != HEAP_FULL)
        return rd__fail(err, RD_EWRONG, "heap: node %llu should be full and is in state %u", (unsigned long long)node,
                        v->state[node]);
    for (uint32_t i = 1; i < v->k; i++)
        if (compare(v, first + i - 1, first + i) > 0)
            return rd__fail(err, RD_EWRONG, "heap: items %u and %u of node %llu are out of order", i - 1, i,
                            (unsigned long long)node);
    if (node > 1 && compare(v, (node / 2) * v->k + v->k - 1, first) > 0)
        return rd__fail(err, RD_EWRONG, "heap: node %llu has an item less than one of its parent",
                        (unsigned long long)node);
    return RD_OK;
}

static rd_status check_all(const rd__heap_store *store, const struct view *v, rd_error *err)
{
    uint64_t nodes, full = 0;
    uint32_t partial;
    RD_TRY(rd__heap_store_size(store, &nodes, &partial, err));
    for (uint32_t i = 1; i < partial; i++)
        if (compare(v, i - 1, i) > 0)
            return rd__fail(err, RD_EWRONG, "heap: items %u and %u of the partial buffer are out of order", i - 1, i);
    for (uint64_t n = 1; n <= nodes; n++)
        RD_TRY(check_node(v, slot_of(n), err));
    for (uint32_t i = 1; i < store->nodes; i++)
        full += v->state[i] != HEAP_EMPTY;
    if (full != nodes)
        return rd__fail(err, RD_EWRONG, "heap: %llu nodes are in use, the head counts %llu", (unsigned long long)full,
                        (unsigned long long)nodes);
    return RD_OK;
}

rd_status rd_heap_check(rd_heap *heap, rd_error *err)
{
    if (!heap)
        return rd__fail(err, RD_EARG, "rd_heap_check needs a heap, not NULL");
    const rd__heap_store *store = &heap->store;
    unsigned char *item = NULL;
    uint32_t *state = NULL;
    rd_status status = rd__array_new(&item, "a heap to check", store->item.bytes, 1, err);
    if (status == RD_OK)
        status = rd__array_new(&state, "states to check", store->nodes, sizeof *state, err);
    if (status == RD_OK)
        status = rd__buffer_read(&store->item, 0, store->item.bytes, item, err);
    if (status == RD_OK)
        status = rd__buffer_read(&store->state, 0, 4ull * store->nodes, state, err);
    if (status == RD_OK) {
        const struct view view = {item, state, store->k, store->item_bytes};
        status = check_all(store, &view, err);
    }
    rd__array_free(item);
    rd__array_free(state);
    return status;
}
