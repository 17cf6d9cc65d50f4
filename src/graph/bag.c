/* SPDX-License-Identifier: Apache-2.0 */
/* bag/bag.c - the memory of bags: slabs cut into chunks, given back chunk by chunk. */
#define _DEFAULT_SOURCE /* madvise */
#include "graph/bag.h"

#include "graph/graph.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BUCKETS_MAX = 1024,
    BUCKET_SHIFT = 12, /* 4096 vertices a bucket or more: with some 30 edges each it is sorted in the L2 cache */
    CHUNK_MIN = 4 << 10,
    CHUNK_MAX = 64 << 10,
    SLAB_MAX = 2 << 20,
    SLABS_A_LOOK = 64, /* how often a lane asks whether there is memory left */
};
/* All the chunks that can be open at once should not take more than this. */
#define OPEN_BYTES (32ull << 20)

rd_status rd__bag_create(rd__bag *bag, uint32_t vertices, int weighted, unsigned lanes, rd_error *err)
{
    memset(bag, 0, sizeof *bag);
    bag->weighted = weighted;
    bag->shift = 31;
    bag->buckets = 2;
    if (vertices) {
        bag->shift = BUCKET_SHIFT;
        while (((uint64_t)vertices - 1) >> bag->shift >= BUCKETS_MAX)
            bag->shift++;
        bag->buckets = (unsigned)(((uint64_t)vertices - 1) >> bag->shift) + 1;
    }
    uint64_t share = OPEN_BYTES / ((uint64_t)lanes * bag->buckets);
    bag->chunk_bytes = CHUNK_MAX;
    while (bag->chunk_bytes > CHUNK_MIN && bag->chunk_bytes > share)
        bag->chunk_bytes /= 2;
    bag->chunk_edges = (uint32_t)((bag->chunk_bytes - sizeof(rd__chunk)) / (weighted ? 12 : 8));

    bag->lane = rd__calloc(lanes, sizeof *bag->lane);
    if (!bag->lane)
        return rd__fail_memory(err, "the edge list", lanes * sizeof *bag->lane);
    for (; bag->lanes < lanes; bag->lanes++) {
        rd__bag_lane *lane = &bag->lane[bag->lanes];
        lane->slab_bytes = bag->chunk_bytes;
        lane->cursor = rd__calloc(bag->buckets, sizeof *lane->cursor);
        if (!lane->cursor) {
            rd__bag_destroy(bag);
            return rd__fail_memory(err, "the edge list", bag->buckets * sizeof *lane->cursor);
        }
    }
    return RD_OK;
}

void rd__bag_destroy(rd__bag *bag)
{
    for (unsigned i = 0; i < bag->lanes; i++) {
        rd__free(bag->lane[i].cursor);
        for (void *slab = bag->lane[i].slab; slab;) {
            void *before = *(void **)slab;
            rd__array_free(slab);
            slab = before;
        }
    }
    rd__free(bag->lane);
    memset(bag, 0, sizeof *bag);
}

static size_t page_bytes(void)
{
    const long page = sysconf(_SC_PAGESIZE);
    return page > 0 ? (size_t)page : 4096;
}

static int new_slab(const rd__bag *bag, rd__bag_lane *lane)
{
    /* A stream does not tell its size beforehand. Better to stop in time than to be killed by the system. */
    if (++lane->slabs % SLABS_A_LOOK == 0 && rd__memory_expect((uint64_t)SLABS_A_LOOK * SLAB_MAX, "", NULL) != RD_OK)
        return 0;
    const size_t page = page_bytes();
    char *slab = rd__array_alloc(page + lane->slab_bytes);
    if (!slab)
        return 0;
    *(void **)(void *)slab = lane->slab;
    lane->slab = slab;
    lane->slab_next = slab + (page - (uintptr_t)slab % page); /* chunks are whole pages, to be given back */
    lane->slab_end = lane->slab_next + lane->slab_bytes / bag->chunk_bytes * bag->chunk_bytes;
    if (lane->slab_bytes < SLAB_MAX)
        lane->slab_bytes *= 2;
    return 1;
}

int rd__bag_grow(rd__bag *bag, rd__bag_lane *lane, unsigned bucket)
{
    rd__bag_cursor *cursor = &lane->cursor[bucket];
    if (lane->slab_next == lane->slab_end && (lane->failed || !new_slab(bag, lane))) {
        lane->failed = 1;
        return 0;
    }
    rd__chunk *chunk = (rd__chunk *)(void *)lane->slab_next;
    lane->slab_next += bag->chunk_bytes;
    chunk->next = cursor->chunk;
    chunk->count = bag->chunk_edges;
    chunk->edge = (uint64_t *)(void *)(chunk + 1);
    chunk->weight = bag->weighted ? (int32_t *)(void *)(chunk->edge + bag->chunk_edges) : NULL;
    cursor->chunk = chunk;
    cursor->next = chunk->edge;
    cursor->end = chunk->edge + bag->chunk_edges;
    return 1;
}

rd_status rd__bag_seal(rd__bag *bag, rd_error *err)
{
    int failed = 0;
    for (unsigned i = 0; i < bag->lanes; i++) {
        failed |= bag->lane[i].failed;
        for (unsigned b = 0; b < bag->buckets; b++) {
            rd__bag_cursor *cursor = &bag->lane[i].cursor[b];
            if (cursor->chunk)
                cursor->chunk->count = (uint32_t)(cursor->next - cursor->chunk->edge);
        }
    }
    return failed ? rd__fail(err, RD_ENOMEM, "out of host memory: the list of edges does not fit") : RD_OK;
}

uint64_t rd__bag_count(const rd__bag *bag, unsigned bucket)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < bag->lanes; i++)
        for (const rd__chunk *chunk = bag->lane[i].cursor[bucket].chunk; chunk; chunk = chunk->next)
            count += chunk->count;
    return count;
}

void rd__pages_release(void *from, size_t bytes)
{
    const uintptr_t size = page_bytes();
    const uintptr_t first = ((uintptr_t)from + size - 1) / size * size, end = ((uintptr_t)from + bytes) / size * size;
    if (end > first)
        (void)madvise((char *)from + (first - (uintptr_t)from), end - first, MADV_DONTNEED);
}

void rd__bag_release(const rd__bag *bag, rd__chunk *chunk)
{
    /* Whole pages inside the chunk only: where pages are larger than chunks, its neighbours in the slab may still be
     * read. The memory stays allocated, so all that can go wrong is that nothing is saved. */
    rd__pages_release(chunk, bag->chunk_bytes);
}
