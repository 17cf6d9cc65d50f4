/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.k.h - the retry-free ring: one shared queue of tokens of QUEUE_WORDS words of 32 bits, every value of which may
 * be used.
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
 * Waiting is up to the caller: all functions here only look once. A worker that both gives and takes must go on
 * polling the tickets it holds while it waits for a slot to become free, or two workers may wait for each other. When
 * no more than 2^shift tokens are ever under way, a slot that is not free belongs to a ticket that is held, and becomes
 * free as soon as its holder looks.
 *
 * Orders. full(t) is stored with release after the token's data was written, and read with acquire: what the giver
 * did before giving is seen by the taker. A giver of many tokens may make one fence for all (`fenced`). The step back
 * to free needs no order: the token and its tag come in one load, and a load cannot return a later value than the one
 * that the same lane stores to that word afterwards, which the next giver has seen before it stores its own. Tickets
 * are handed out relaxed: they carry no data.
 *
 * Tokens of several words (64 bits; whole tasks) use the same tickets and as many slot words, each with a tag of its
 * own (where they lie: parts/ring_layout.k.h). All of them walk as above, each moved only by the one giver and the one
 * taker of t, who go on only when every one shows t's own state. So words of different tokens cannot meet, whichever is
 * seen first. The first word has the orders above and speaks for all data that goes with the token. The others are
 * relaxed, for they carry nothing but themselves. A release has to wait until earlier stores are seen; the others are
 * therefore stored after the first, and no release waits for them.
 *
 * For study QUEUE_KIND selects two older forms with the same slots: QUEUE_AN takes only what is there, by a
 * compare-and-swap that may have to be repeated; QUEUE_CAS does so for each single token.
 */
#ifndef RD_SCHED_QUEUE_K_H
#define RD_SCHED_QUEUE_K_H

#include "raddle/kernel.h"
#include "sched/parts/ring_layout.k.h"

/* Words of a token: a constant of the program. */
#ifndef QUEUE_WORDS
#define QUEUE_WORDS 1
#endif

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

/* Where word w of a ticket's token lies. */
rd_fn rd_global rd_u64 *queue_slot(const queue_end *q, rd_u32 ticket, rd_u32 w)
{
    const rd_u32 place = ticket & ((1u << q->shift) - 1);
    return QUEUE_WORDS > 2 ? &q->slot[(rd_u64)place * QUEUE_WORDS + w] : &q->slot[((rd_u64)w << q->shift) + place];
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

/* Tokens that wait; below 0: tickets that wait for tokens. A guess; partners: the additions above. */
rd_fn rd_i32 queue_waiting(const queue_end *q)
{
    return (rd_i32)(rd_ld_rlx(q->rear) - rd_ld_rlx(q->front));
}

/* ---- Slots: called by the lane that holds the ticket ---- */

/* Is the slot of a give ticket free, in all its words? Partners: the stores of queue_clear. */
rd_fn rd_u32 queue_free(const queue_end *q, rd_u32 ticket)
{
    rd_u32 free = 1;
    RD_UNROLL
    for (rd_u32 w = QUEUE_WORDS; w-- > 0;)
        free &= (rd_u32)(rd_ld64_rlx(queue_slot(q, ticket, w)) >> 32) == QUEUE_FREE(ticket, q->shift);
    return free;
}

/* Fills word w of a slot that is free, the first one first. fenced: after rd_fence_rel(), which came after the token's
 * data was written. */
rd_fn void queue_fill(const queue_end *q, rd_u32 ticket, rd_u32 w, rd_u32 x, rd_u32 fenced)
{
    const rd_u64 word = (rd_u64)QUEUE_FULL(ticket, q->shift) << 32 | x;
    if (w)
        rd_st64_rlx(queue_slot(q, ticket, w), word); /* partner: the relaxed load in queue_word */
    else if (fenced)
        rd_st64_fen(queue_slot(q, ticket, w), word); /* both pair with the acquire in queue_word */
    else
        rd_st64_rel(queue_slot(q, ticket, w), word);
}

/* Word w of the slot of a take ticket, with its tag. Partner: queue_fill. */
rd_fn rd_u64 queue_word(const queue_end *q, rd_u32 ticket, rd_u32 w)
{
    return w ? rd_ld64_rlx(queue_slot(q, ticket, w)) : rd_ld64_acq(queue_slot(q, ticket, w));
}

rd_fn rd_u32 queue_is_full(const queue_end *q, rd_u32 ticket, rd_u64 word)
{
    return (rd_u32)(word >> 32) == QUEUE_FULL(ticket, q->shift);
}

/* Frees word w for the next lap. Partner: the look of the next giver in queue_free. */
rd_fn void queue_clear(const queue_end *q, rd_u32 ticket, rd_u32 w)
{
    rd_st64_rlx(queue_slot(q, ticket, w), (rd_u64)QUEUE_FREE(ticket + (1u << q->shift), q->shift) << 32);
}

/* Is a whole token there? Word by word: most looks are in vain. */
rd_fn rd_u32 queue_there(const queue_end *q, rd_u32 ticket)
{
    rd_u32 full = queue_is_full(q, ticket, queue_word(q, ticket, 0));
    for (rd_u32 w = 1; w < QUEUE_WORDS && full; w++)
        full = queue_is_full(q, ticket, queue_word(q, ticket, w));
    return full;
}

#if QUEUE_WORDS <= 2
/* Tokens that fit a scalar. */
#if QUEUE_WORDS == 2
typedef rd_u64 queue_token;
#else
typedef rd_u32 queue_token;
#endif

/* These two are what schedulers do for each task, so they are written out: by the functions above gcc makes a tenth
 * more instructions of them. */

/* Fills the slot of a give ticket. @return 0: it is not free yet. */
rd_fn rd_u32 queue_put(const queue_end *q, rd_u32 ticket, queue_token token, rd_u32 fenced)
{
    rd_global rd_u64 *const slot = queue_slot(q, ticket, 0);
#if QUEUE_WORDS == 2
    rd_global rd_u64 *const second = queue_slot(q, ticket, 1);
    if ((rd_u32)(rd_ld64_rlx(second) >> 32) != QUEUE_FREE(ticket, q->shift)) /* partner: the store in queue_poll */
        return 0;
#endif
    if ((rd_u32)(rd_ld64_rlx(slot) >> 32) != QUEUE_FREE(ticket, q->shift)) /* likewise */
        return 0;
    const rd_u64 full = (rd_u64)QUEUE_FULL(ticket, q->shift) << 32;
    if (fenced)
        rd_st64_fen(slot, full | (rd_u32)token); /* both pair with the acquire in queue_poll */
    else
        rd_st64_rel(slot, full | (rd_u32)token);
#if QUEUE_WORDS == 2
    rd_st64_rlx(second, full | token >> 32); /* partner: the relaxed load in queue_poll */
#endif
    return 1;
}

/* Empties the slot of a take ticket into *token. @return 0: there is nothing yet. */
rd_fn rd_u32 queue_poll(queue_end *q, rd_u32 ticket, queue_token *token)
{
    rd_global rd_u64 *const slot = queue_slot(q, ticket, 0);
#if QUEUE_WORDS == 2
    rd_global rd_u64 *const second = queue_slot(q, ticket, 1);
    const rd_u64 upper = rd_ld64_rlx(second); /* partner: the relaxed store in queue_put */
    if ((rd_u32)(upper >> 32) != QUEUE_FULL(ticket, q->shift)) {
        q->empty_polls++;
        return 0;
    }
#endif
    const rd_u64 word = rd_ld64_acq(slot); /* pairs with the release in queue_put */
    if ((rd_u32)(word >> 32) != QUEUE_FULL(ticket, q->shift)) {
        q->empty_polls++;
        return 0;
    }
    const rd_u64 free = (rd_u64)QUEUE_FREE(ticket + (1u << q->shift), q->shift) << 32;
    *token = (rd_u32)word;
    rd_st64_rlx(slot, free); /* partner: the look of the next giver in queue_put */
#if QUEUE_WORDS == 2
    *token |= upper << 32;
    rd_st64_rlx(second, free); /* likewise */
#endif
    return 1;
}

#endif

#endif
