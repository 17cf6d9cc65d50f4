/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h - the priority queue of the C API: a concurrent heap on a device. raddle.h has the rules. */
#ifndef RADDLE_HEAP_H
#define RADDLE_HEAP_H

#include "base.h"
#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keys wait in nodes of k sorted items; many groups of the device insert and delete at once (docs/heap.md). */
typedef struct rd_heap rd_heap;

/* What keys are, and so which of two is less. */
typedef enum rd_heap_keys {
    RD_HEAP_UNSIGNED, /* uint32_t or uint64_t */
    RD_HEAP_SIGNED,   /* int32_t or int64_t */
    RD_HEAP_REAL,     /* float or double; -0 is before +0, and NaNs are beyond the infinities of their sign */
} rd_heap_keys;

/* How rd_heap_insert and rd_heap_delete go about it. Results are the same. */
typedef enum rd_heap_method {
    RD_HEAP_BELOW,    /* insertions climb from their node up; rd_heap_mixed inserts from above all the same */
    RD_HEAP_ABOVE,    /* insertions walk down from the root, as rd_heap_mixed's do */
    RD_HEAP_PIPELINE, /* one operation for each pair of levels, in steps that all take together: how it was done
                         before nodes had locks (P-Sync), to compare with. Whole nodes only, and no rd_heap_mixed */
} rd_heap_method;

typedef struct rd_heap_options {
    size_t size;
    uint32_t key_bits;     /* 32 or 64; 0: 32 */
    uint32_t payload_bits; /* 0 (none), 32 or 64: what travels with each key */
    uint32_t node;         /* k, items in a node: a power of two, 1 to 2048; 0: the device's default */
    uint32_t lanes;        /* in a group, on devices that let one choose; 0: the device's default */
    uint32_t groups;       /* that work at once, at most 2^20; 0: as many as are resident */
    uint32_t batch;        /* items of one insertion, 1 to k; 0: k */
    uint64_t capacity;     /* keys to have room for at once; it grows by itself when more come */
    rd_heap_keys keys;
    rd_heap_method method;
    uint8_t ragged;      /* insertions have random numbers of items, from 1 to one less than `batch`, in place of it */
    uint8_t reserved[7]; /* 0 */
} rd_heap_options;

typedef struct rd_heap_info {
    uint32_t node, lanes, groups; /* as chosen */
    uint32_t item_bytes;          /* of one key with its payload on the device */
    uint64_t capacity;            /* keys there is room for now */
    uint64_t bytes;               /* on the device */
    double kernel_s;              /* device time of the last insert, delete or mixed run */
    double total_s;               /* the same with copies to and from the device, by the host's clock */
    /* since the heap was opened or cleared */
    uint64_t inserts, deletes; /* operations, of a batch each */
    uint64_t levels;           /* nodes they worked on */
    uint64_t merges, skips;    /* pairs of lists merged; found in order, or exchanged as a whole */
    uint64_t handovers;        /* insertions that gave their items to a waiting deletion */
    uint64_t refused;          /* operations that came in the wrong phase; 0 unless the library is broken */
} rd_heap_info;

RD_API rd_status rd_heap_open(rd_device *device, const rd_heap_options *options, rd_heap **heap, rd_error *err);
RD_API void rd_heap_close(rd_heap *heap);

/* keys and payloads are arrays of words of 32 or 64 bits as the heap was opened; payloads is NULL for a heap without.
 * Less is first; equal keys come out in the order of their payloads. When a call fails with RD_ENOMEM before it ran
 * anything, the heap is as it was. */
/* Inserts `count` keys, in any order. */
RD_API rd_status rd_heap_insert(rd_heap *heap, const void *keys, const void *payloads, uint64_t count, rd_error *err);
/* Deletes the `count` least keys, or all when there are fewer, ascending. *got: how many. keys, payloads or got may be
 * NULL: not wanted. */
RD_API rd_status rd_heap_delete(rd_heap *heap, void *keys, void *payloads, uint64_t count, uint64_t *got,
                                rd_error *err);
/* Inserts in_count keys and deletes up to out_count at the same time: each group inserts a batch, then deletes one. A
 * deletion gives the least keys at its moment; those come in the order of deletions, each batch ascending. */
RD_API rd_status rd_heap_mixed(rd_heap *heap, const void *in_keys, const void *in_payloads, uint64_t in_count,
                               void *out_keys, void *out_payloads, uint64_t out_count, uint64_t *got, rd_error *err);
/* @return keys in the heap. Exact: no call leaves work behind. */
RD_API uint64_t rd_heap_size(const rd_heap *heap);
RD_API int rd_heap_is_empty(const rd_heap *heap);
RD_API rd_status rd_heap_reserve(rd_heap *heap, uint64_t capacity, rd_error *err); /* room for so many keys in all */
RD_API rd_status rd_heap_clear(rd_heap *heap, rd_error *err);                      /* drops all keys */
RD_API rd_status rd_heap_get_info(rd_heap *heap, rd_heap_info *info, rd_error *err);
/* Reads the heap back and proves its order: nodes ascend, no child is less than its parent, no node is left locked.
 * @return RD_EWRONG with the first fault in err. */
RD_API rd_status rd_heap_check(rd_heap *heap, rd_error *err);

#ifdef __cplusplus
}
#endif

#endif
