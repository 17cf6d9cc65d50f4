/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ids.h - names of vertices that are any 64-bit numbers, to numbers 0, 1, 2 ... in the order they are met: a hash table
 * with open addressing, one a thread; and the merge of several tables into one numbering by ascending id.
 */
#ifndef RD_GRAPH_IDS_H
#define RD_GRAPH_IDS_H

#include "core/memory.h"

typedef struct rd__id_slot {
    uint64_t id;
    uint64_t place; /* number + 1, or 0: empty */
} rd__id_slot;

/* Zero it first. */
typedef struct rd__ids {
    uint64_t *id;      /* by number */
    rd__id_slot *slot; /* a power of two of slots, at most half full; with the id inside, a look costs one cache miss */
    uint64_t slots, count;
} rd__ids;

/* @return the number of this id, new or old; RD_NONE when there is no memory or there are too many. */
uint32_t rd__ids_number(rd__ids *ids, uint64_t id);
void rd__ids_free(rd__ids *ids);
/* Forgets all ids and keeps the memory. */
void rd__ids_clear(rd__ids *ids);

/* *ids: all ids of `count` tables in ascending order, each once (rd__array_free). *map: for each table, its numbers to
 * places in *ids. */
rd_status rd__ids_merge(rd__ids *tables, unsigned count, uint64_t **ids, uint64_t *ids_count, uint32_t ***map,
                        rd_error *err);
void rd__ids_map_free(uint32_t **map, unsigned count);

#endif
