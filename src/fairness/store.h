/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - the states that were seen, each once, by any number of threads at a time.
 *
 * A state has a record: its successors (one a thread), the state it was first reached from, its bytes. Records lie in
 * segments that double in size and never move, so an index is good for ever. A table of slots finds the record of a
 * state: a slot is 0, or 32 bits of the hash and the index + 1. It is doubled between blocks of work, when nobody
 * looks.
 *
 * Orders. A record is written before the exchange that puts its index into a slot (release), and read after a load
 * that finds it there (acquire). Whoever loses that exchange keeps its record for the next state, and at the end of a
 * block marks it as a hole. Successors are written by the one worker that expands the state, and read after the join.
 */
#ifndef RD_FAIRNESS_STORE_H
#define RD_FAIRNESS_STORE_H

#include "core/memory.h"

#include <stdatomic.h>

enum { FAIR_SEGMENTS = 22, FAIR_FIRST_BITS = 10 };
#define FAIR_NONE UINT32_MAX       /* no state */
#define FAIR_HOLE (UINT32_MAX - 1) /* as the origin: there is no state here */

typedef struct fair_store {
    uint32_t bytes, threads; /* of a state */
    uint32_t record;         /* bytes */
    uint8_t *segment[FAIR_SEGMENTS];
    uint64_t room; /* records in the segments there are */
    _Atomic uint64_t *slot;
    uint32_t slot_bits;
    _Atomic uint32_t count; /* records given out, holes too */
    uint32_t holes;
    int is_complete;               /* all states are there: what is short of memory is what comes after the search */
    uint64_t allowed, taken, most; /* bytes of memory; most: while the table was doubled */
} fair_store;

rd_status rd__fair_store_open(fair_store *store, uint32_t bytes, uint32_t threads, uint64_t allowed, rd_error *err);
void rd__fair_store_close(fair_store *store);
/* Room for so many more records; when no other thread uses the store. */
rd_status rd__fair_store_reserve(fair_store *store, uint64_t more, rd_error *err);
/* Counts memory that goes with the store. */
rd_status rd__fair_store_take(fair_store *store, uint64_t bytes, rd_error *err);
/* Says that this state will be added soon: its slot is on the way from memory. @return its hash. */
uint32_t rd__fair_store_hint(const fair_store *store, const uint8_t *state);
/* @return the index of this state; *is_new: it was not there. *spare: a record of this worker, or FAIR_NONE. */
uint32_t rd__fair_store_add(fair_store *store, const uint8_t *state, uint32_t hash, uint32_t origin, uint32_t *spare,
                            int *is_new);

static inline uint8_t *fair_record(const fair_store *store, uint32_t index)
{
    const uint64_t place = (uint64_t)index + (1u << FAIR_FIRST_BITS);
    const uint32_t top = 63u - (uint32_t)__builtin_clzll(place);
    return store->segment[top - FAIR_FIRST_BITS] + (place - (1ull << top)) * store->record;
}

static inline uint32_t *fair_next(const fair_store *store, uint32_t index) /* successors, then the origin */
{
    return (uint32_t *)(void *)fair_record(store, index);
}

static inline uint32_t *fair_origin(const fair_store *store, uint32_t index)
{
    return fair_next(store, index) + store->threads;
}

static inline uint8_t *fair_state(const fair_store *store, uint32_t index)
{
    return fair_record(store, index) + store->record - store->bytes;
}

static inline uint32_t fair_count(fair_store *store)
{
    return atomic_load_explicit(&store->count, memory_order_relaxed); /* partner: the additions before the join */
}

#endif
