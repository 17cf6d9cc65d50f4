/* SPDX-License-Identifier: Apache-2.0 */
/* store.c - see store.h. */
#include "fairness/store.h"

#include "core/hash.h"
#include "raddle/tool.h"

#include <string.h>

enum { FIRST_SLOTS = FAIR_FIRST_BITS + 1 };

rd_status rd__fair_store_take(fair_store *store, uint64_t bytes, rd_error *err)
{
    char allowed[32], states[32];
    if (store->taken + bytes > store->allowed)
        return rd__fail(err, RD_ENOMEM,
                        "%s of memory are not enough: %s%s states were seen, nothing wrong among them, and %s; allow "
                        "more with --memory, or make the model smaller",
                        rd_format_bytes(store->allowed, allowed, sizeof allowed), store->is_complete ? "all " : "",
                        rd_format_count(fair_count(store) - store->holes, states, sizeof states),
                        store->is_complete ? "to look for circles takes more" : "there are more");
    store->taken += bytes;
    store->most = store->taken > store->most ? store->taken : store->most;
    return RD_OK;
}

static rd_status new_slots(fair_store *store, uint32_t bits, rd_error *err)
{
    const uint64_t slots = 1ull << bits, bytes = slots * sizeof *store->slot;
    _Atomic uint64_t *old = store->slot, *slot;
    RD_TRY(rd__fair_store_take(store, bytes, err));
    RD_TRY(rd__array_new(&slot, "the table of states", slots, sizeof *slot, err));
    memset((void *)slot, 0, bytes);
    for (uint64_t i = 0; old && i < 1ull << store->slot_bits; i++) {
        const uint64_t entry = atomic_load_explicit(&old[i], memory_order_relaxed); /* nobody else is here */
        uint64_t at = (entry >> 32) >> (32 - bits);
        if (!entry)
            continue;
        while (atomic_load_explicit(&slot[at], memory_order_relaxed)) /* likewise */
            at = (at + 1) & (slots - 1);
        atomic_store_explicit(&slot[at], entry, memory_order_relaxed); /* seen by workers that are started after it */
    }
    if (old)
        store->taken -= sizeof *old << store->slot_bits;
    rd__array_free((void *)old);
    store->slot = slot;
    store->slot_bits = bits;
    return RD_OK;
}

rd_status rd__fair_store_reserve(fair_store *store, uint64_t more, rd_error *err)
{
    const uint64_t wanted = fair_count(store) + more;
    while (store->room < wanted) {
        uint32_t k = 0;
        while (k < FAIR_SEGMENTS && store->segment[k])
            k++;
        if (k == FAIR_SEGMENTS)
            return rd__fail(err, RD_ENOMEM, "there are more than 4 G states: make the model smaller");
        const uint64_t records = 1ull << (FAIR_FIRST_BITS + k);
        RD_TRY(rd__fair_store_take(store, records * store->record, err));
        RD_TRY(rd__array_new(&store->segment[k], "states", records, store->record, err));
        store->room += records;
    }
    uint32_t bits = store->slot ? store->slot_bits : FIRST_SLOTS;
    while (1ull << bits < 2 * wanted)
        bits++;
    if (bits > 32)
        return rd__fail(err, RD_ENOMEM, "there are more than 2 G states: make the model smaller");
    return store->slot && bits == store->slot_bits ? RD_OK : new_slots(store, bits, err);
}

rd_status rd__fair_store_open(fair_store *store, uint32_t bytes, uint32_t threads, uint64_t allowed, rd_error *err)
{
    *store = (fair_store){.bytes = bytes, .threads = threads, .allowed = allowed};
    store->record = ((threads + 1) * 4 + 7) / 8 * 8 + bytes;
    return rd__fair_store_reserve(store, 1, err);
}

void rd__fair_store_close(fair_store *store)
{
    for (int k = 0; k < FAIR_SEGMENTS; k++)
        rd__array_free(store->segment[k]);
    rd__array_free((void *)store->slot);
    *store = (fair_store){0};
}

uint32_t rd__fair_store_hint(const fair_store *store, const uint8_t *state)
{
    uint64_t h = 0, word;
    for (uint32_t i = 0; i < store->bytes; i += 8) {
        memcpy(&word, state + i, 8);
        h = (h ^ word) * RD_GOLDEN;
        h ^= h >> 32;
    }
    h = rd__mix64(h);
    __builtin_prefetch((const void *)&store->slot[(h >> 32) >> (32 - store->slot_bits)]);
    return (uint32_t)(h >> 32);
}

/* States are a few words of eight bytes: shorter than the way to memcmp. */
static int is_same(const uint8_t *a, const uint8_t *b, uint32_t bytes)
{
    uint64_t x, y, differs = 0;
    for (uint32_t i = 0; i < bytes; i += 8) {
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        differs |= x ^ y;
    }
    return differs == 0;
}

uint32_t rd__fair_store_add(fair_store *store, const uint8_t *state, uint32_t tag, uint32_t origin, uint32_t *spare,
                            int *is_new)
{
    const uint64_t mask = (1ull << store->slot_bits) - 1;
    uint64_t at = (uint64_t)tag >> (32 - store->slot_bits);
    *is_new = 0;
    for (;; at = (at + 1) & mask) {
        /* pairs with the exchange below */
        uint64_t entry = atomic_load_explicit(&store->slot[at], memory_order_acquire);
        if (entry == 0) {
            if (*spare == FAIR_NONE) /* partner: the same addition in other workers */
                *spare = atomic_fetch_add_explicit(&store->count, 1, memory_order_relaxed);
            memcpy(fair_state(store, *spare), state, store->bytes);
            *fair_origin(store, *spare) = origin;
            /* release: the record is seen with its index; acquire: so is that of who was faster */
            if (atomic_compare_exchange_strong_explicit(&store->slot[at], &entry, (uint64_t)tag << 32 | (*spare + 1u),
                                                        memory_order_acq_rel, memory_order_acquire)) {
                const uint32_t index = *spare;
                *spare = FAIR_NONE;
                *is_new = 1;
                return index;
            }
        }
        const uint32_t index = (uint32_t)entry - 1;
        if (entry >> 32 == tag && is_same(fair_state(store, index), state, store->bytes))
            return index;
    }
}
