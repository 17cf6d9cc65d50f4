/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bag.h - edges on their way to a CSR: an unordered collection, filled by several threads at once, dealt into buckets
 * by source.
 *
 * Each thread ("lane") owns its memory and writes without locks. A bucket holds the edges of 2^shift consecutive
 * sources, as a list of chunks; a chunk is an array of (source << 32 | target) words followed, in a weighted bag, by as
 * many weights. So an edge costs 8 bytes (12 with its weight), each lane writes a few hundred sequential streams, and a
 * whole bucket can later be sorted in cache.
 *
 * Chunks are cut from slabs. When a chunk has been read its pages are given back to the system at once: the CSR grows
 * while the bag shrinks, and building never needs much more than the larger of the two.
 */
#ifndef RD_GRAPH_BAG_H
#define RD_GRAPH_BAG_H

#include "core/memory.h"

typedef struct rd__chunk {
    struct rd__chunk *next;
    uint64_t *edge;
    int32_t *weight; /* NULL in a bag without weights */
    uint32_t count;  /* of a chunk that is full or sealed */
} rd__chunk;

/* Where a lane writes next in one bucket. */
typedef struct rd__bag_cursor {
    uint64_t *next, *end;
    rd__chunk *chunk; /* newest; older ones follow */
} rd__bag_cursor;

typedef struct rd__bag_lane {
    rd__bag_cursor *cursor; /* one a bucket */
    void *slab;             /* newest; the first word of a slab points to the one before */
    char *slab_next, *slab_end;
    uint64_t slab_bytes; /* of the next slab: small graphs stay small */
    unsigned slabs;
    int failed;     /* an allocation failed: edges were lost */
    char apart[64]; /* lanes of different threads share no cache line */
} rd__bag_lane;

typedef struct rd__bag {
    unsigned lanes, buckets, shift;
    int weighted;
    uint32_t chunk_edges;
    size_t chunk_bytes;
    rd__bag_lane *lane;
} rd__bag;

/* A bag for sources 0 .. vertices-1; with vertices 0 (not known yet) there are two, for low and high. */
rd_status rd__bag_create(rd__bag *bag, uint32_t vertices, int weighted, unsigned lanes, rd_error *err);
void rd__bag_destroy(rd__bag *bag);

/* Gives the lane a fresh chunk for the bucket. @return 0 when there is no memory (and lane->failed is set). */
int rd__bag_grow(rd__bag *bag, rd__bag_lane *lane, unsigned bucket);

/* @return 0 when there is no memory. The caller may ignore that and look at lane->failed from time to time. */
static inline int rd__bag_add(rd__bag *bag, rd__bag_lane *lane, uint32_t source, uint32_t target, int32_t weight)
{
    unsigned bucket = source >> bag->shift;
    rd__bag_cursor *cursor = &lane->cursor[bucket];
    if (cursor->next == cursor->end && !rd__bag_grow(bag, lane, bucket))
        return 0;
    if (bag->weighted)
        cursor->chunk->weight[cursor->next - cursor->chunk->edge] = weight;
    *cursor->next++ = (uint64_t)source << 32 | target;
    return 1;
}

/* Ends filling: every chunk gets its count. @return RD_ENOMEM when a lane had lost edges. */
rd_status rd__bag_seal(rd__bag *bag, rd_error *err);
/* Edges in a bucket of a sealed bag. */
uint64_t rd__bag_count(const rd__bag *bag, unsigned bucket);
/* Tells that a chunk will not be read again. */
void rd__bag_release(const rd__bag *bag, rd__chunk *chunk);
/* Likewise of any memory, which stays allocated: the whole pages inside it are given back to the system. */
void rd__pages_release(void *from, size_t bytes);

#endif
