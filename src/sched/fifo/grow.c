/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grow.c - scheduler `fifo`: a ring with more slots, after all groups have left (fifo/checkpoint.k.h).
 *
 * Tickets stay what they are; only where they lie changes. A slot of the old ring says which ticket it stands at, and
 * whether it is free for it or full. All earlier tickets of that slot are used up, all later ones are still to come. In
 * the new ring each old slot s becomes the slots s, s + 2^old, s + 2 * 2^old, ...; each stands at its first ticket that
 * is not used up: for one of them that is the old slot's own, with its token if it was full; the others are free.
 */
#include "sched/fifo/fifo.h"

#include "core/memory.h"
#include "sched/parts/ring_layout.k.h"

/* The new ring's word for slot `at`. */
static uint64_t word_of(const uint64_t *old, uint32_t old_shift, uint32_t shift, uint32_t at)
{
    const uint32_t from = at & ((1u << old_shift) - 1), tag = (uint32_t)(old[from] >> 32);
    const uint32_t stands = tag >> 1 << old_shift | from; /* modulo 2^32, as tickets are */
    const uint32_t ticket =
        stands + ((at - stands) & ((1u << shift) - 1)); /* the first one from there on in this slot */
    if (ticket == stands && (tag & 1))
        return (uint64_t)QUEUE_FULL(ticket, shift) << 32 | (uint32_t)old[from];
    return (uint64_t)QUEUE_FREE(ticket, shift) << 32;
}

static rd_status grow_ring(rd__sched_state *state, rd__buffer *ring, uint32_t shift, rd_error *err)
{
    uint64_t *old = NULL, *grown = NULL;
    rd__buffer larger = {0};
    rd_status status = rd__array_new(&old, "ring on the host", 1ull << state->shift, sizeof *old, err);
    if (status == RD_OK)
        status = rd__array_new(&grown, "larger ring on the host", 1ull << shift, sizeof *grown, err);
    if (status == RD_OK)
        status = rd__buffer_read(ring, 0, 8ull << state->shift, old, err);
    if (status == RD_OK)
        status = rd__buffer_alloc(state->device, &larger, ring->name, 8ull << shift, err);
    if (status == RD_OK) {
        for (uint64_t at = 0; at < 1ull << shift; at++)
            grown[at] = word_of(old, state->shift, shift, (uint32_t)at);
        status = rd__buffer_write(&larger, 0, 8ull << shift, grown, err);
    }
    rd__array_free(old);
    rd__array_free(grown);
    if (status != RD_OK) {
        rd__buffer_free(&larger);
        return status;
    }
    rd__buffer_free(ring);
    *ring = larger;
    return RD_OK;
}

rd_status rd__fifo_grow(rd__sched_state *state, uint32_t shift, rd_error *err)
{
    if (shift > 31)
        return rd__fail(err, RD_ENOMEM, "scheduler fifo: more than 2^31 tasks wait at once");
    for (int k = 0; k < RD__FIFO_CLASSES; k++)
        if (state->ring[k].device)
            RD_TRY(grow_ring(state, &state->ring[k], shift, err));
    state->shift = shift;
    return RD_OK;
}

rd_status rd__fifo_shrink(rd__sched_state *state, rd_error *err)
{
    for (int k = 0; k < RD__FIFO_CLASSES; k++) {
        const char *name = state->ring[k].name;
        if (!state->ring[k].device)
            continue;
        rd__buffer_free(&state->ring[k]);
        RD_TRY(rd__buffer_alloc(state->device, &state->ring[k], name, 8ull << state->first_shift, err));
    }
    state->shift = state->first_shift;
    state->dirty = 1;
    return RD_OK;
}
