/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deque.k.h - a double-ended queue with one owner: it pushes and pops at the tail, thieves take from the head. Any
 * number of items at once. After N. Arora, R. Blumofe and G. Plaxton, "Thread scheduling for multiprogrammed
 * multiprocessors", 1998, with these changes: the slots are a ring, so that nothing is ever reset and room comes back
 * as thieves take; a pop takes any number of items; and every pop changes the tag, so that no sequentially consistent
 * fence is needed.
 *
 * `head` is one word of 64 bits: the index of the oldest item, and a tag. `tail` is the index after the newest item;
 * only the owner writes it, and keeps a private copy. Indices count modulo 2^32.
 *   push   writes the items, then tail, with release.
 *   steal  reads head, then tail, copies the items, then moves head on by compare-and-swap.
 *   pop    lowers tail, then replaces head's tag by compare-and-swap; when a thief came between, it looks again.
 *
 * Why each item is taken once. Each success of thief or owner changes head, and no value of head comes back before 2^32
 * pops (the tag) or 2^32 thefts without a pop (the index). So when a thief's exchange succeeds, head did not change
 * since it read it. Then no pop was completed in between; and the thief saw what the pop before that left of tail,
 * because it acquired a head that was released after that. A pop that has lowered tail but not yet changed head will
 * fail, and see the theft. When instead the pop comes first, the thief's exchange fails.
 *   Why its words are right. A slot is written again only after the owner has acquired a head beyond it, which is
 * released after the thief that passed it had read it. A copy that was torn by such a write belongs to an exchange that
 * fails; words of items are relaxed atomics for that reason.
 *
 * Orders. Tail: release in push, acquire in steal: the items are seen. Head: acquire and release in every exchange, as
 * said above; what a thief did before it stole is seen by an owner who finds the deque empty (on that termination
 * rests, see parts/pending.k.h). Nobody waits for anybody.
 *
 * For comparison DEQUE_BLOCKING guards the same words with a lock: the owner waits for it, a thief goes on elsewhere.
 *
 * All functions but deque_get and deque_set are called by one lane for its group; lanes copy items together, between
 * the opening and the closing call.
 */
#ifndef RD_SCHED_DEQUE_K_H
#define RD_SCHED_DEQUE_K_H

#include "raddle/kernel.h"
#include "sched/parts/deque_layout.k.h"

typedef struct {
    rd_global rd_u32 *word; /* DEQUE_LINE of them */
    rd_global rd_u32 *item;
    rd_u32 shift, kind;
} deque;

/* Deques of the same kind, one behind the other. */
typedef struct {
    rd_global rd_u32 *line, *item;
    rd_u32 shift, kind;
    rd_u32 words;         /* of an item */
    rd_u32 stride, which; /* that of group g is number g * stride + which */
} deque_row;

rd_fn deque deque_at(const deque_row *row, rd_u32 group)
{
    const rd_u32 number = group * row->stride + row->which;
    deque d;
    d.word = row->line + (rd_u64)number * DEQUE_LINE;
    d.item = row->item + ((rd_u64)number * row->words << row->shift);
    d.shift = row->shift;
    d.kind = row->kind;
    return d;
}

rd_fn rd_global rd_u64 *deque_head(const deque *d)
{
    return (rd_global rd_u64 *)(d->word + DEQUE_HEAD);
}

/* Head moved on by n items, or with another tag. The index wraps around without touching the tag. */
rd_fn rd_u64 deque_past(rd_u64 head, rd_u32 n)
{
    return (head >> 32 << 32) | (rd_u32)((rd_u32)head + n);
}

rd_fn rd_u64 deque_retag(rd_u64 head)
{
    return head + ((rd_u64)1 << 32);
}

/* Relaxed, as is its partner deque_set: a thief may read while the owner writes, and then fails to steal. */
rd_fn rd_u32 deque_get(const deque *d, rd_u32 index, rd_u32 w)
{
    return rd_ld_rlx(&d->item[w << d->shift | (index & ((1u << d->shift) - 1))]);
}

rd_fn void deque_set(const deque *d, rd_u32 index, rd_u32 w, rd_u32 x)
{
    rd_st_rlx(&d->item[w << d->shift | (index & ((1u << d->shift) - 1))], x);
}

rd_fn void deque_lock(const deque *d)
{
    while (rd_xchg_acqrel(&d->word[DEQUE_LOCK], 1)) /* pairs with the release in deque_unlock */
        rd_pause();
}

rd_fn void deque_unlock(const deque *d)
{
    rd_st_rel(&d->word[DEQUE_LOCK], 0); /* pairs with the exchanges in deque_lock and deque_open */
}

/* ---- The owner; tail is its private copy ---- */

/* How many items there are at most; 0 is certain. */
rd_fn rd_u32 deque_size(const deque *d, rd_u32 tail)
{
    return tail - (rd_u32)rd_ld64_acq(deque_head(d)); /* pairs with the thieves' releases in deque_close */
}

/* Shows n items, which were set from index tail on, to thieves. There was room: deque_size + n <= 2^shift. */
rd_fn void deque_push(const deque *d, rd_u32 *tail, rd_u32 n)
{
    *tail += n;
    if (d->kind == DEQUE_BLOCKING)
        deque_lock(d);
    rd_st_rel(&d->word[DEQUE_TAIL], *tail); /* pairs with the acquire in deque_open */
    if (d->kind == DEQUE_BLOCKING)
        deque_unlock(d);
}

/* Takes up to `want` items. @return how many; they are at index *tail and after. */
rd_fn rd_u32 deque_pop(const deque *d, rd_u32 *tail, rd_u32 want)
{
    const rd_u32 end = *tail;
    if (d->kind == DEQUE_BLOCKING)
        deque_lock(d);
    rd_u64 head = rd_ld64_acq(deque_head(d)); /* pairs with the thieves' releases in deque_close */
    rd_u32 got = end - (rd_u32)head < want ? end - (rd_u32)head : want, done = got == 0;
    while (!done) {
        rd_st_rlx(&d->word[DEQUE_TAIL], end - got); /* released by the exchange */
        /* pairs with the acquires in deque_open and itself in deque_close */
        const rd_u64 seen = rd_cas64_acqrel(deque_head(d), head, deque_retag(head));
        done = seen == head;
        head = seen;
        if (!done) {
            got = end - (rd_u32)head < want ? end - (rd_u32)head : want;
            done = got == 0;
        }
    }
    rd_st_rlx(&d->word[DEQUE_TAIL], end - got); /* a pop that came too late may have lowered it further */
    if (d->kind == DEQUE_BLOCKING)
        deque_unlock(d);
    *tail = end - got;
    return got;
}

/* ---- Thieves ---- */

/* A look without a claim. @return how many items a thief could see. */
rd_fn rd_u32 deque_look(const deque *d)
{
    const rd_u64 head = rd_ld64_acq(deque_head(d));      /* pairs with every exchange of head */
    const rd_u32 tail = rd_ld_acq(&d->word[DEQUE_TAIL]); /* pairs with the release in deque_push */
    return (rd_i32)(tail - (rd_u32)head) > 0 ? tail - (rd_u32)head : 0;
}

/* Opens a theft of up to `most` items. @return how many; they are at the index that is the lower half of *head. Unless
 * it is 0, the thief copies them and calls deque_close. */
rd_fn rd_u32 deque_open_part(const deque *d, rd_u32 most, rd_u32 part, rd_u64 *head)
{
    if (d->kind == DEQUE_BLOCKING && rd_cas_acqrel(&d->word[DEQUE_LOCK], 0, 1)) /* pairs with deque_unlock */
        return 0;
    *head = rd_ld64_acq(deque_head(d));                  /* pairs with every exchange of head */
    const rd_u32 tail = rd_ld_acq(&d->word[DEQUE_TAIL]); /* pairs with the release in deque_push */
    const rd_u32 size = (rd_i32)(tail - (rd_u32)*head) > 0 ? tail - (rd_u32)*head : 0, share = size - size / 2 * part;
    const rd_u32 n = share < most ? share : most;
    if (d->kind == DEQUE_BLOCKING && n == 0)
        deque_unlock(d);
    return n;
}

/* ... of no more than half of them, rounded up. */
rd_fn rd_u32 deque_open(const deque *d, rd_u32 most, rd_u64 *head)
{
    return deque_open_part(d, most, 1, head);
}

/* ... of as many as there are: an owner that takes its oldest items. */
rd_fn rd_u32 deque_open_all(const deque *d, rd_u32 most, rd_u64 *head)
{
    return deque_open_part(d, most, 0, head);
}

/* @return 1: the n items copied are the thief's; 0: forget them. */
rd_fn rd_u32 deque_close(const deque *d, rd_u64 head, rd_u32 n)
{
    if (d->kind == DEQUE_BLOCKING) {
        rd_st64_rel(deque_head(d), deque_past(head, n)); /* pairs with the acquire in deque_size */
        deque_unlock(d);
        return 1;
    }
    /* pairs with the exchange in deque_pop, the acquires in deque_size and deque_open, and itself */
    return rd_cas64_acqrel(deque_head(d), head, deque_past(head, n)) == head;
}

#endif
