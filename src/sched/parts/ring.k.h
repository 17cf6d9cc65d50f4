/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.k.h - the retry-free ring: one shared queue of tokens of 32 or 64 bits, every value of which may be used.
 * After D. Troendle, "Scheduling Irregular Workloads on GPUs", 2018, chapter 4, made safe for circular reuse.
 *
 * Both ends are tickets. Giving n tokens reserves n tickets with one fetch-add on `rear`; taking reserves n tickets
 * with one fetch-add on `front`, whether there are tokens or not: it cannot fail, so nothing is ever tried again. Who
 * holds a ticket owns one slot in one lap of the ring (parts/ring_layout.k.h): the giver of ticket t waits, with plain
 * loads, until the slot is free for t, then fills it; the taker of ticket t waits, with plain loads, until it is full
 * for t, reads the token and frees it for t + 2^shift. No atomic is used while waiting. A worker that leaves may
 * abandon take tickets only when no token will be given to them.
 *
 * Each slot walks through  free(t) -> full(t) -> free(t + 2^shift) -> ...  The first step is made only by the one giver
 * of t, the second only by the one taker of t, so no store meets another one. A slot cannot pass a ticket that someone
 * still holds, hence laps may count modulo 2^(32 - shift): to take an old lap for the own one, 2^32 tickets would have
 * to be held at once. That is all there is to the wrap-around of tickets.
 *
 * Waiting is up to the caller: queue_put and queue_poll only look once. A worker that both gives and takes must go on
 * polling the tickets it holds while it waits for a slot to become free, or two workers may wait for each other. When
 * no more than 2^shift tokens are ever under way, a slot that is not free belongs to a ticket that is held, and becomes
 * free as soon as its holder looks.
 *
 * Orders. full(t) is stored with release after the token's data was written, and read with acquire: what the giver
 * did before giving is seen by the taker. A giver of many tokens may make one fence for all (queue_put_fen). The step
 * back to free needs no order: the token and its tag come in one load, and a load cannot return a later value than the
 * one that the same lane stores to that word afterwards, which the next giver has seen before it stores its own.
 * Tickets are handed out relaxed: they carry no data.
 *
 * 64-bit tokens (queue_put64, queue_poll64) use the same tickets and two slot words each: the lower half lies in the
 * ring, the upper half in a second ring behind it, in the word of the same ticket and with a tag of its own. Both words
 * walk as above, each moved only by the one giver and the one taker of t, who go on only when both show t's own state.
 * So halves of different tokens cannot meet, whichever of the two is seen first. The lower word has the orders above
 * and speaks for all data that goes with the token. The upper one is relaxed, for it carries nothing but itself. A
 * release has to wait until earlier stores are seen; the upper word is therefore stored after the lower one, and no
 * release waits for it.
 *
 * For study QUEUE_KIND selects two older forms with the same slots: QUEUE_AN takes only what is there, by a
 * compare-and-swap that may have to be repeated; QUEUE_CAS does so for each single token.
 */
#ifndef RD_SCHED_QUEUE_K_H
#define RD_SCHED_QUEUE_K_H

#include "raddle/kernel.h"
#include "sched/parts/ring_layout.k.h"

/* Where programs are compiled once for all kinds (CPUs), the kind is a field. */
#ifdef QUEUE_KIND
#define QUEUE_IS(q, k) (QUEUE_KIND == (k))
#else
#define QUEUE_IS(q, k) ((q)->kind == (k))
#endif

typedef struct {
    rd_global rd_u64 *slot;  /* parts/ring_layout.k.h */
    rd_global rd_u32 *front; /* next ticket to take */
    rd_global rd_u32 *rear;  /* next ticket to give; on another line than front */
    rd_global rd_u32
        *until; /* tickets before this word's value have been given; `rear`, where one end is all there is */
    rd_u32 shift;
    rd_u32 kind;
    rd_u32 reservations; /* private counts: reserving atomics that succeeded, that failed, looks in vain */
    rd_u32 retries;
    rd_u32 empty_polls;
} queue_end;

rd_fn rd_global rd_u64 *queue_slot(const queue_end *q, rd_u32 ticket)
{
    return &q->slot[ticket & ((1u << q->shift) - 1)];
}

/* ---- Tickets: called by one lane for its whole worker, or by each lane for itself ---- */

/* Moves *end on by n. @return 1 when no other worker came between. */
rd_fn rd_u32 queue_try(queue_end *q, rd_global rd_u32 *end, rd_u32 from, rd_u32 n)
{
    const rd_u32 won = rd_cas_rlx(end, from, from + n) == from; /* partner: the same in other workers */
    q->reservations += won;
    q->retries += !won;
    return won;
}

/* @return the first of n tickets to give. QUEUE_CAS: n must be 1. */
rd_fn rd_u32 queue_reserve_give(queue_end *q, rd_u32 n)
{
    rd_u32 ticket = 0;
    if (QUEUE_IS(q, QUEUE_RETRY_FREE)) {
        q->reservations++;
        ticket = rd_add_rlx(q->rear, n); /* partner: the same add in other workers */
    } else {
        rd_u32 done = 0;
        while (!done) {
            ticket = rd_ld_rlx(q->rear); /* a guess: queue_try decides */
            done = queue_try(q, q->rear, ticket, n);
        }
    }
    return ticket;
}

/* @return the first of *got tickets to take. QUEUE_RETRY_FREE: *got is n. Else it is at most n, 0 when the queue was
 * empty. QUEUE_CAS: n must be 1. */
rd_fn rd_u32 queue_reserve_take(queue_end *q, rd_u32 n, rd_u32 *got)
{
    rd_u32 ticket = 0;
    *got = n;
    if (QUEUE_IS(q, QUEUE_RETRY_FREE)) {
        q->reservations++;
        ticket = rd_add_rlx(q->front, n); /* partner: the same add in other workers */
    } else {
        rd_u32 done = 0;
        while (!done) {
            ticket = rd_ld_rlx(q->front);                                /* likewise */
            const rd_i32 there = (rd_i32)(rd_ld_rlx(q->until) - ticket); /* below 0 when others took meanwhile */
            *got = there <= 0 ? 0 : (rd_u32)there < n ? (rd_u32)there : n;
            q->empty_polls += *got == 0;
            done = *got == 0 || queue_try(q, q->front, ticket, *got);
        }
    }
    return ticket;
}

/* ---- Slots: called by the lane that holds the ticket ---- */

/* Fills the slot of a give ticket. fenced: after rd_fence_rel(), which came after the token's data was written.
 * @return 0: it is not free yet. */
rd_fn rd_u32 queue_fill(queue_end *q, rd_u32 ticket, rd_u32 token, rd_u32 fenced)
{
    rd_global rd_u64 *slot = queue_slot(q, ticket);
    if ((rd_u32)(rd_ld64_rlx(slot) >> 32) != QUEUE_FREE(ticket, q->shift)) /* partner: the store in queue_poll */
        return 0;
    const rd_u64 full = (rd_u64)QUEUE_FULL(ticket, q->shift) << 32 | token;
    if (fenced)
        rd_st64_fen(slot, full); /* pairs with the acquire in queue_poll; so does the other one */
    else
        rd_st64_rel(slot, full);
    return 1;
}

rd_fn rd_u32 queue_put(queue_end *q, rd_u32 ticket, rd_u32 token)
{
    return queue_fill(q, ticket, token, 0);
}

rd_fn rd_u32 queue_put_fen(queue_end *q, rd_u32 ticket, rd_u32 token)
{
    return queue_fill(q, ticket, token, 1);
}

/* Empties the slot of a take ticket into *token. @return 0: there is nothing yet. */
rd_fn rd_u32 queue_poll(queue_end *q, rd_u32 ticket, rd_u32 *token)
{
    rd_global rd_u64 *slot = queue_slot(q, ticket);
    const rd_u64 word = rd_ld64_acq(slot); /* pairs with the release in queue_fill */
    if ((rd_u32)(word >> 32) != QUEUE_FULL(ticket, q->shift)) {
        q->empty_polls++;
        return 0;
    }
    *token = (rd_u32)word;
    rd_st64_rlx(slot, (rd_u64)QUEUE_FREE(ticket + (1u << q->shift), q->shift) << 32); /* partner: the look of the next
                                                                                         giver */
    return 1;
}

/* ---- The same for tokens of 64 bits ---- */

rd_fn rd_global rd_u64 *queue_upper(const queue_end *q, rd_u32 ticket)
{
    return queue_slot(q, ticket) + ((rd_u64)1 << q->shift);
}

rd_fn rd_u32 queue_put64(queue_end *q, rd_u32 ticket, rd_u64 token)
{
    rd_global rd_u64 *lower = queue_slot(q, ticket), *upper = queue_upper(q, ticket);
    const rd_u64 full = (rd_u64)QUEUE_FULL(ticket, q->shift) << 32;
    const rd_u64 above = rd_ld64_rlx(upper), below = rd_ld64_rlx(lower); /* partners: the stores in queue_poll64 */
    if ((rd_u32)(below >> 32) != QUEUE_FREE(ticket, q->shift) || (rd_u32)(above >> 32) != QUEUE_FREE(ticket, q->shift))
        return 0;
    rd_st64_rel(lower, full | (rd_u32)token); /* pairs with the acquire in queue_poll64 */
    rd_st64_rlx(upper, full | token >> 32);   /* partner: the relaxed load in queue_poll64 */
    return 1;
}

rd_fn rd_u32 queue_poll64(queue_end *q, rd_u32 ticket, rd_u64 *token)
{
    rd_global rd_u64 *lower = queue_slot(q, ticket), *upper = queue_upper(q, ticket);
    const rd_u64 free = (rd_u64)QUEUE_FREE(ticket + (1u << q->shift), q->shift) << 32;
    const rd_u64 above = rd_ld64_rlx(upper), below = rd_ld64_acq(lower); /* partners: the stores in queue_put64 */
    if ((rd_u32)(below >> 32) != QUEUE_FULL(ticket, q->shift) ||
        (rd_u32)(above >> 32) != QUEUE_FULL(ticket, q->shift)) {
        q->empty_polls++;
        return 0;
    }
    *token = above << 32 | (rd_u32)below;
    rd_st64_rlx(lower, free); /* partners: the loads in queue_put64 */
    rd_st64_rlx(upper, free);
    return 1;
}

/* Programs that are compiled for one size of token. */
#ifndef QUEUE_TOKEN_BITS
#define QUEUE_TOKEN_BITS 32
#endif
#if QUEUE_TOKEN_BITS == 64
typedef rd_u64 queue_token;
#define queue_put_token  queue_put64
#define queue_poll_token queue_poll64
#else
typedef rd_u32 queue_token;
#define queue_put_token  queue_put
#define queue_poll_token queue_poll
#endif

#endif
