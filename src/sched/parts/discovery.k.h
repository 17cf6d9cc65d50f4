/* SPDX-License-Identifier: Apache-2.0 */
/*
 * discovery.k.h - occupancy discovery: finds, in a running kernel, groups that are resident together, so that they may
 * wait for each other. For devices that cannot tell how many groups fit. After Sorensen (PhD thesis, 2018, 3.4, 4.6.2,
 * 6.7.1). Launch as many groups as you like:
 *     rd_u32 count, id = rd_discover(scratch, words, RD_DISCOVERY, delay, 0, &count);
 * Participants get dense numbers id < count. All others get RD_OUTSIDE and must leave without waiting for anyone.
 *
 * The protocol. A poll starts open. A group that finds it open takes a number; then it closes the poll, unless another
 * one did; then it goes on. A group that finds it closed leaves.
 *   - At least one takes part: the first to come finds the poll open.
 *   - One count: each participant adds one while the poll is open, and reads the count after it is closed; it never
 *     opens again.
 *   - Resident together: had participant v started only after participant w ended, then v would have found the poll
 *     closed, since w ended after it was.
 *   - No hang, assuming only that a group which has started is not put aside for ever: every wait is for a group that
 *     has started.
 *
 * Turns. The kind of turns decides how many are found, not whether it is right; a compile-time constant:
 *   tickets   first come, first served: a group that polled queues behind all who wait to poll before it can close, so
 *             nearly all residents are found.
 *   spin      whoever is quickest; often one group polls and closes in a row, and few are found.
 *   destruct  tickets, but who closes the poll destroys the mutex: SERVING becomes RD_DISCOVERY_DESTROYED, and all who
 *             wait fall through. Sound because numbers are given, and the poll is closed, only by the holder of the
 *             live mutex.
 *   counter   no mutex: one addition to COUNT gives the number and, in its top bit, tells whether the poll is closed.
 *             Additions go on after that, so whoever sets the bit publishes the count it then saw; other participants
 *             wait for that. All steps are single atomics: nobody queues.
 *
 * Delay. Between polling and closing a group lets others in: with a mutex it takes and gives it back `delay` times;
 * with the counter it closes after `delay` looks in a row at a COUNT that stays the same, or when it is that of all
 * groups of the launch (a closed one is greater). More delay finds more groups and costs time; a CPU, whose threads
 * wake up one by one, needs much.
 *
 * Native ids. With native = 1 a group keeps rd_group() as its number: to poll raises COUNT to the own number + 1, and a
 * group below COUNT takes part though the poll is closed. That preserves locality, but is sound only where a group that
 * has started implies that all lower ones have, or will be run at the same time (GPUs start groups in order; the thesis
 * calls it LOBE). Not for OpenCL on CPUs, which give each thread a range of groups, unless there are no more groups
 * than compute units.
 *
 * Orders. Words under the mutex are relaxed: taking the mutex acquires what giving it back released. CLOSED and the
 * destroyed SERVING are released after the last change to COUNT, and acquired before it is read. The counter's atomics
 * are relaxed where only their own value is used.
 */
#ifndef RD_SCHED_DISCOVERY_K_H
#define RD_SCHED_DISCOVERY_K_H

#include "raddle/kernel.h"
#include "sched/parts/barrier_layout.k.h"

#ifndef RD_DISCOVERY
#define RD_DISCOVERY RD_DISCOVERY_COUNTER
#endif
#define RD_DISCOVERY_DESTROYED 0xffffffffu /* no ticket gets here */
#define RD_DISCOVERY_SHUT      0x80000000u /* counter: top bit of COUNT */

RD_COLD_BEGIN /* once a launch */

/* ---- The mutex; one lane a group ---- */

typedef struct {
    rd_global rd_u32 *word;
    rd_u32 kind, ticket;
} rd_poll;

/* @return 1 when this group holds the mutex, 0 when the mutex is destroyed. */
rd_fn rd_u32 rd_poll_lock(rd_poll *p)
{
    if (p->kind == RD_DISCOVERY_SPIN) {
        while (rd_xchg_acqrel(&p->word[RD_DISCOVERY_TICKET], 1)) /* pairs with the release in rd_poll_unlock */
            rd_pause();
        return 1;
    }
    p->ticket = rd_add_rlx(&p->word[RD_DISCOVERY_TICKET], 1); /* only hands out places */
    /* these loads pair with the releases in rd_poll_unlock and rd_poll_close */
    rd_u32 serving = rd_ld_acq(&p->word[RD_DISCOVERY_SERVING]);
    while (serving != p->ticket && serving != RD_DISCOVERY_DESTROYED) {
        rd_pause();
        serving = rd_ld_acq(&p->word[RD_DISCOVERY_SERVING]);
    }
    return serving == p->ticket;
}

rd_fn void rd_poll_unlock(rd_poll *p)
{
    if (p->kind == RD_DISCOVERY_SPIN)
        rd_st_rel(&p->word[RD_DISCOVERY_TICKET], 0); /* pairs with the exchange in rd_poll_lock */
    else
        rd_st_rel(&p->word[RD_DISCOVERY_SERVING], p->ticket + 1); /* pairs with the loads in rd_poll_lock */
}

/* Closes the poll and gives the mutex back, or destroys it. */
rd_fn void rd_poll_close(rd_poll *p)
{
    if (p->kind == RD_DISCOVERY_DESTRUCT) {
        rd_st_rel(&p->word[RD_DISCOVERY_SERVING], RD_DISCOVERY_DESTROYED); /* pairs with the loads in rd_poll_lock */
    } else {
        rd_st_rlx(&p->word[RD_DISCOVERY_CLOSED], 1); /* under the mutex */
        rd_poll_unlock(p);
    }
}

/* ---- The poll ---- */

/* Takes a number; open: whether the poll is. The mutex is held, or destroyed: then COUNT is frozen. */
rd_fn rd_u32 rd_poll_number(const rd_poll *p, rd_u32 open, rd_u32 native)
{
    const rd_u32 count = rd_ld_rlx(&p->word[RD_DISCOVERY_COUNT]), id = native ? rd_group() : count;
    if (!open)
        return native && id < count ? id : RD_OUTSIDE;
    if (id >= count)
        rd_st_rlx(&p->word[RD_DISCOVERY_COUNT], id + 1);
    return id;
}

rd_fn rd_u32 rd_discover_mutex(rd_poll *p, rd_u32 delay, rd_u32 native, rd_u32 *count)
{
    const rd_u32 held = rd_poll_lock(p);
    const rd_u32 id = rd_poll_number(p, held && !rd_ld_rlx(&p->word[RD_DISCOVERY_CLOSED]), native);
    if (held)
        rd_poll_unlock(p);
    /* relaxed: only a hint that there is no one to let in any more */
    for (rd_u32 i = 0; i < delay && id != RD_OUTSIDE && !rd_ld_rlx(&p->word[RD_DISCOVERY_CLOSED]); i++)
        if (rd_poll_lock(p))
            rd_poll_unlock(p);
    if (id != RD_OUTSIDE && rd_poll_lock(p))
        rd_poll_close(p);
    *count = rd_ld_rlx(&p->word[RD_DISCOVERY_COUNT]); /* frozen: the mutex was taken after the poll was closed */
    return id;
}

/* Looks at COUNT until it stayed the same `delay` times, the poll is closed, or all groups of the launch have come.
 * Ends: groups are finite. */
rd_fn void rd_poll_settle(rd_global rd_u32 *count, rd_u32 delay)
{
    rd_u32 before = rd_ld_rlx(count); /* partner of both loads: the additions and maxima of groups that poll */
    for (rd_u32 quiet = 0; quiet < delay && before < rd_groups(); quiet++) {
        rd_pause();
        const rd_u32 now = rd_ld_rlx(count);
        quiet = now == before ? quiet : 0;
        before = now;
    }
}

rd_fn rd_u32 rd_discover_counter(rd_global rd_u32 *word, rd_u32 delay, rd_u32 native, rd_u32 *count)
{
    rd_global rd_u32 *const poll = &word[RD_DISCOVERY_COUNT], *const frozen = &word[RD_DISCOVERY_CLOSED];
    /* A closed word has its top bit set, so the maximum no longer changes it: with native ids COUNT freezes by itself.
     */
    const rd_u32 old = native ? rd_max_rlx(poll, rd_group() + 1) : rd_add_rlx(poll, 1);
    const rd_u32 shut = old & RD_DISCOVERY_SHUT, id = native ? rd_group() : old;
    if (shut && !(native && id < (old & ~RD_DISCOVERY_SHUT)))
        return RD_OUTSIDE;
    rd_poll_settle(poll, delay);
    const rd_u32 last = rd_or_rlx(poll, RD_DISCOVERY_SHUT); /* atomic: exactly one finds the bit not set */
    *count = last & ~RD_DISCOVERY_SHUT;
    if (native)
        return id;
    if (!(last & RD_DISCOVERY_SHUT))
        rd_st_rel(frozen, last); /* pairs with the load below */
    else
        for (*count = rd_ld_acq(frozen); *count == 0; *count = rd_ld_acq(frozen)) /* pairs with the store above */
            rd_pause();
    return id;
}

/* All lanes of a group call it once, before anything that waits for another group. s: scratch of group operations.
 * @return this group's number, or RD_OUTSIDE; and the number of participants. Equal in all lanes. */
rd_across(rd_fn, rd_u32, rd_discover,
          (rd_local rd_u32 * s, rd_global rd_u32 *words, rd_u32 kind, rd_u32 delay, rd_u32 native, rd_u32 *count))
{
    rd_u32 id = rd_group(), all = rd_groups();
    if (rd_lane() == 0 && kind == RD_DISCOVERY_COUNTER)
        id = rd_discover_counter(words, delay, native, &all);
    if (rd_lane() == 0 && kind != RD_DISCOVERY_COUNTER && kind != RD_DISCOVERY_NONE) {
        rd_poll p;
        p.word = words;
        p.kind = kind;
        p.ticket = 0;
        id = rd_discover_mutex(&p, delay, native, &all);
    }
    id = rd_group_broadcast(s, id, 0);
    *count = rd_group_broadcast(s, all, 0);
    return id;
}

RD_COLD_END

#endif
