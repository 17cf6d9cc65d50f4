/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.h - the heap's host side between its files: memory on the device (heap.c), what users call (heap_api.c), items
 * made of keys and payloads (heap_pack.c), the checker (heap_check.c).
 */
#ifndef RD_HEAP_H
#define RD_HEAP_H

#include "device/device.h"

typedef uint32_t rd_u32; /* as heap_layout.k.h has it */

/* Nodes, states and control words of a heap on a device. The scheduler `heap` has one, too. */
typedef struct rd__heap_store {
    rd_device *device;
    uint32_t k, item_bytes;
    uint32_t nodes; /* there is room for, with node 0; a power of two */
    rd__buffer item, state, control;
} rd__heap_store;

/* Nodes to have room for `keys` in all, node 0 included: whole levels. 0: more than can be numbered. */
uint32_t rd__heap_nodes_for(uint64_t keys, uint32_t k);
/* Bytes of a store with so many nodes. */
uint64_t rd__heap_bytes(uint32_t nodes, uint32_t k, uint32_t item_bytes);
/* Allocates an empty heap. After a failure nothing is allocated. */
rd_status rd__heap_store_new(rd__heap_store *store, rd_device *device, uint32_t k, uint32_t item_bytes, uint32_t nodes,
                             rd_error *err);
void rd__heap_store_free(rd__heap_store *store);
/* Empties it. */
rd_status rd__heap_store_clear(rd__heap_store *store, rd_error *err);
/* Moves the heap to more nodes; copy is the kernel heap_copy. After a failure it is as it was. */
rd_status rd__heap_store_grow(rd__heap_store *store, uint32_t nodes, rd__kernel *copy, uint32_t groups, rd_error *err);
/* Reads the head: full nodes and items in the partial buffer. */
rd_status rd__heap_store_size(const rd__heap_store *store, uint64_t *nodes, uint32_t *partial, rd_error *err);

/* Is k one that heaps of this device can have? */
rd_status rd__heap_check_node(const rd_device *device, uint32_t k, uint32_t item_bytes, uint32_t lanes, rd_error *err);

/* ---- The public heap ---- */

struct rd_heap {
    rd__heap_store store;
    rd_heap_options options;
    rd__program *program;
    rd__kernel *put, *mix, *copy, *fetch, *step;
    uint32_t lanes, groups, batch;
    uint64_t size;         /* keys */
    rd__buffer in, out;    /* items on their way */
    rd__buffer ops, carry; /* of the pipeline */
    void *staging;         /* host memory for items, when they differ from keys */
    uint64_t staging_bytes;
    double kernel_s, total_s;
};

/* Do items equal keys, so that nothing has to be packed? */
int rd__heap_is_plain(const rd_heap_options *options);
/* `count` items of keys and payloads from the from-th on, and back. NULL: not wanted. */
void rd__heap_pack(const rd_heap_options *options, void *item, const void *keys, const void *payloads, uint64_t from,
                   uint64_t count);
void rd__heap_unpack(const rd_heap_options *options, const void *item, void *keys, void *payloads, uint64_t from,
                     uint64_t count);

/* The pipeline (heap_steps.k.h): the first in_count items of `in` are inserted, or out_count put out to `out`, whole
 * nodes; `nodes` are full before. Counts are the caller's to change. */
rd_status rd__heap_steps(rd_heap *heap, uint64_t nodes, uint64_t in_count, uint64_t out_count, rd_error *err);

/* One launch of heap_put, which inserts the first in_count items of `in`; or, with `out`, of heap_mix, which does that
 * and puts out_count items out, in turns. */
typedef struct rd__heap_work {
    const rd__buffer *in, *out;
    uint64_t in_count, out_count;
    uint32_t batch; /* items an insertion */
} rd__heap_work;
rd_status rd__heap_launch(const rd__heap_store *store, const rd__heap_work *work, rd__kernel *kernel, uint32_t groups,
                          rd_error *err);

#endif
