/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.k.h - a launch whose number of working groups changes while it runs: cooperative kernels after T. Sorensen (PhD
 * thesis, 2018, chapter 5). For kernels that share a device in space; schedulers share it by turns (docs/
 * multitasking.md).
 *
 * Rules. A launch has N groups, all resident. M of them live, 1 <= M <= N, and have the numbers 0 to M-1; the others
 * wait aside. Group 0 always lives. The scheduler (another group, or the host) says how many it wants to live
 * (rd_crew_wish), and groups that live see to it:
 *   rd_offer_kill         the highest group dies, if fewer are wanted; a no-op for all others, and when M is 1.
 *   rd_request_fork       if more are wanted, k <= N-M groups M..M+k-1 join, each with the values that lane 0 of the
 *                         group which forked handed over (`transmit`; what else a group knows it has to find out).
 *   rd_crew_barrier       waits for all that live. What they did before happens before what any does after.
 *   rd_resizing_barrier   the same, and M becomes what is wanted at that moment: some die, or some join with the values
 *                         of group 0. Between two of them M is constant, if nothing else changes it.
 *   rd_resizing_barrier_v1  likewise of single steps, at most one death each time as a rule; for comparison.
 * All lanes of a group call them together. A group that dies goes back to rd_crew_join, which is where groups wait
 * aside, and where those that join come from:
 *     while (rd_crew_join(&crew, value, n)) {
 *         rd_u32 lives = 1;
 *         while (lives && ... more ...) { rd_request_fork(&crew, value, n); lives = !rd_offer_kill(&crew); ... }
 *         if (lives) rd_crew_end(&crew);
 *     }
 * So a forked group goes on at the top of the inner loop, which is where its forker stood.
 *
 * The protocol. Since numbers are contiguous and only the highest dies, group g of the launch always has number g:
 * there is nothing to map. All that changes is one word of 64 bits, and every change of it is one atomic
 * read-modify-write:
 *   - M, what is wanted, and how many came to the barrier are seen together; no decision is made on a mixture.
 *   - A death is the change M -> M-1 by the group itself. When all others had come to the barrier, the same change
 *     opens it: nobody is left who could.
 *   - A fork takes the bit FORKING, writes the mail of each new group, and adds k to M while it takes the bit back.
 *     While the bit is set others' forks bring nothing and offers to die are not accepted, both of which the rules
 *     allow; so M is what the forker saw. A barrier cannot open meanwhile: the forker has not come to it.
 *   - The last to come to a barrier knows that all who live have come, so that no other can change M; it alone opens
 *     it, and resizes.
 *   - Mail for group g is written while g does not live, and read by g after it sees M > g: the change of M releases
 *     it. It is written again only after g has died, which it did by itself or by coming to a resizing barrier, and
 *     so after it had read it.
 *   - A group that dies in a resizing barrier goes by a mark in its mail alone, not by the phase: others need not wait
 *     for it any more, so one that is slow to look may find the phase where it was, after it went all the way round,
 *     and M above its number again. The mark is set before the barrier opens, so a survivor, who sees the new phase,
 *     knows that it has none; and set to DEAD when it is open, so that who dies does not go aside before M is less. A
 *     survivor cannot miss a phase: the next one needs it.
 *   - OVER ends the waiting of those aside. It is set by group 0, and comes after all changes of M: a fork does not
 *     happen after it.
 * Progress: nobody waits for a group aside; those who wait at a barrier wait for groups that live, which come to it by
 * the program's own rules.
 *
 * Orders. Every change is acq_rel, and since all of them are read-modify-writes of one word they form one release
 * sequence: whoever acquires the word has all that came before any earlier change. That is all the memory order that
 * mail, marks and the program's data need.
 */
#ifndef RD_SCHED_CREW_K_H
#define RD_SCHED_CREW_K_H

#include "raddle/kernel.h"
#include "sched/parts/crew_layout.k.h"

/* A group as it sees the crew; equal in all lanes but `phase`, which is lane 0's. */
typedef struct {
    rd_global rd_u64 *word;
    rd_global rd_u32 *mail;
    rd_local rd_u32 *scratch; /* RD_SCRATCH words */
    rd_u32 room;              /* words that are handed over, at most */
    rd_u32 first;             /* groups that live from the start on; 0: this one knows that it is none of them */
    rd_u32 phase;             /* of the barrier that it comes to next */
} rd_crew;

#define rd_crew_field(s, at) ((rd_u32)((s) >> (at)) & 0xffffu)
#define rd_crew_phase(s)     ((rd_u32)((s) >> RD_CREW_PHASE) & RD_CREW_PHASES)

/* first: as the host wrote it into the word. */
rd_fn rd_crew rd_crew_open(rd_global rd_u64 *word, rd_global rd_u32 *mail, rd_local rd_u32 *scratch, rd_u32 room,
                           rd_u32 first)
{
    const rd_crew crew = {word, mail, scratch, room, first, 0};
    return crew;
}

rd_fn rd_global rd_u32 *rd_crew_mail(const rd_crew *c, rd_u32 group)
{
    return c->mail + (rd_u64)group * (c->room + 1);
}

/* How many are wanted, within what there can be. */
rd_fn rd_u32 rd_crew_aim(rd_u64 s)
{
    const rd_u32 wanted = rd_crew_field(s, RD_CREW_WANTED);
    return wanted < 1 ? 1 : wanted > rd_groups() ? rd_groups() : wanted;
}

/* How many live now. One lane may ask. */
rd_fn rd_u32 rd_crew_live(const rd_crew *c)
{
    return rd_crew_field(rd_ld64_acq(c->word), RD_CREW_LIVE); /* pairs with every change of the word */
}

/* One lane of anybody: from now on so many are wanted. */
rd_fn void rd_crew_wish(rd_global rd_u64 *word, rd_u32 wanted)
{
    rd_u64 s = rd_ld64_rlx(word), seen = s + 1;
    while (seen != s) {
        const rd_u64 next = (s & ~(0xffffull << RD_CREW_WANTED)) | (rd_u64)wanted << RD_CREW_WANTED;
        seen = s;
        s = rd_cas64_acqrel(word, s, next); /* acq_rel: see "Orders" */
    }
}

/* The barrier opens: nobody has come to the next one. */
rd_fn rd_u64 rd_crew_opened(rd_u64 s)
{
    const rd_u64 phase = (rd_u64)((rd_crew_phase(s) + 1) & RD_CREW_PHASES) << RD_CREW_PHASE;
    return (s & ~((rd_u64)RD_CREW_PHASES << RD_CREW_PHASE) & ~(0xffffull << RD_CREW_ARRIVED)) | phase;
}

/* Waits aside until this group lives: value[0..n-1] is then what was handed over, or as it was if it lives from the
 * start on. @return 0: it is over. */
rd_fn rd_u32 rd_crew_join(rd_crew *c, rd_u32 *value, rd_u32 n)
{
    const rd_u32 starts = rd_group() < c->first;
    rd_u32 joins = 0;
    c->first = 0;
    if (rd_lane() == 0) {
        rd_u64 s = rd_ld64_acq(c->word); /* pairs with every change of the word */
        for (rd_u32 looks = 0; rd_group() >= rd_crew_field(s, RD_CREW_LIVE) && !(s & RD_CREW_OVER); looks++) {
            rd_wait(looks);
            s = rd_ld64_acq(c->word); /* likewise */
        }
        joins = rd_group() < rd_crew_field(s, RD_CREW_LIVE);
        c->phase = rd_crew_phase(s); /* it opens only after this group has come to it */
    }
    joins = rd_group_broadcast(c->scratch, joins, 0); /* its barrier: all lanes may read what lane 0 acquired */
    if (joins && !starts)
        for (rd_u32 i = 0; i < n; i++)
            value[i] = rd_crew_mail(c, rd_group())[1 + i];
    return joins;
}

/* @return 1: this group is dead, and goes back to rd_crew_join. */
rd_fn rd_u32 rd_offer_kill(rd_crew *c)
{
    rd_u32 dead = 0;
    rd_barrier(); /* all that its lanes did is done */
    if (rd_lane() == 0) {
        const rd_u64 s = rd_ld64_rlx(c->word); /* the swap below finds out if it is old */
        const rd_u32 live = rd_crew_field(s, RD_CREW_LIVE), arrived = rd_crew_field(s, RD_CREW_ARRIVED);
        if (rd_group() + 1 == live && live > rd_crew_aim(s) && !(s & RD_CREW_FORKING)) {
            const rd_u64 less = s - 1;
            dead = rd_cas64_acqrel(c->word, s, arrived == live - 1 ? rd_crew_opened(less) : less) == s;
        }
    }
    return rd_group_broadcast(c->scratch, dead, 0);
}

/* value: what lane 0 hands over. @return how many joined. */
rd_fn rd_u32 rd_request_fork(rd_crew *c, const rd_u32 *value, rd_u32 n)
{
    rd_u32 more = 0;
    rd_barrier(); /* all that its lanes did is done: it happens before what new groups do */
    if (rd_lane() == 0) {
        const rd_u64 s = rd_ld64_rlx(c->word); /* the swap below finds out if it is old */
        const rd_u32 live = rd_crew_field(s, RD_CREW_LIVE), aim = rd_crew_aim(s);
        if (aim > live && !(s & (RD_CREW_FORKING | RD_CREW_OVER)) &&
            rd_cas64_acqrel(c->word, s, s | RD_CREW_FORKING) == s) {
            more = aim - live;
            for (rd_u32 g = live; g < aim; g++)
                for (rd_u32 i = 0; i < n; i++)
                    rd_crew_mail(c, g)[1 + i] = value[i];
            rd_add64_acqrel(c->word, more - RD_CREW_FORKING); /* pairs with the acquire in rd_crew_join */
        }
    }
    return rd_group_broadcast(c->scratch, more, 0);
}

#define RD_CREW_DOOMED 1u /* a mark: who has it dies in this barrier, as soon as */
#define RD_CREW_DEAD   2u /* it is open */

/* Lane 0 of the last group to come opens the barrier, and M becomes what is wanted. s: the word, of which only what is
 * wanted can still change. */
rd_fn void rd_crew_let_go(const rd_crew *c, rd_u64 s, rd_u32 resizes, rd_u32 n)
{
    const rd_u32 live = rd_crew_field(s, RD_CREW_LIVE), aim = resizes ? rd_crew_aim(s) : live;
    rd_global const rd_u32 *of_0 = rd_crew_mail(c, rd_groups());
    for (rd_u32 g = aim; g < live; g++)
        rd_st_rlx(&rd_crew_mail(c, g)[0], RD_CREW_DOOMED); /* released by the addition below */
    for (rd_u32 g = live; g < aim; g++)
        for (rd_u32 i = 0; i < n; i++)
            rd_crew_mail(c, g)[1 + i] = of_0[i];
    rd_add64_acqrel(c->word, rd_crew_opened(s) - s + aim - live); /* pairs with the acquires in rd_crew_meet and join */
    for (rd_u32 g = aim; g < live; g++)
        rd_st_rel(&rd_crew_mail(c, g)[0], RD_CREW_DEAD); /* pairs with the acquire in rd_crew_meet */
}

/* Lane 0: comes to the barrier and waits until it opens. @return 1: this group is dead. */
rd_fn rd_u32 rd_crew_meet(const rd_crew *c, rd_u32 resizes, rd_u32 n)
{
    const rd_u64 one = 1ull << RD_CREW_ARRIVED;
    rd_global rd_u32 *const mark = rd_crew_mail(c, rd_group());
    const rd_u64 s = rd_add64_acqrel(c->word, one) + one; /* pairs with itself in all others, and with their acquire */
    rd_u32 open = 0, dead = 0;
    if (rd_crew_field(s, RD_CREW_ARRIVED) == rd_crew_field(s, RD_CREW_LIVE))
        rd_crew_let_go(c, s, resizes, n);
    for (rd_u32 looks = 0; !open && !dead; looks++) {
        const rd_u32 passed = rd_crew_phase(rd_ld64_acq(c->word)) != c->phase; /* pairs with rd_crew_let_go */
        const rd_u32 marked = resizes ? rd_ld_acq(mark) : 0;                   /* likewise */
        open = passed && !marked;
        dead = marked == RD_CREW_DEAD;
        if (!open && !dead)
            rd_wait(looks);
    }
    if (dead)
        rd_st_rlx(mark, 0); /* before it lives again, and so before anyone else writes it */
    return dead;
}

/* @return 1: this group is dead. */
rd_fn rd_u32 rd_crew_come(rd_crew *c, const rd_u32 *value, rd_u32 resizes, rd_u32 n)
{
    rd_u32 dead = 0;
    rd_barrier(); /* the group has come as a whole */
    if (rd_lane() == 0) {
        if (resizes && rd_group() == 0)
            for (rd_u32 i = 0; i < n; i++)
                rd_crew_mail(c, rd_groups())[i] = value[i];
        dead = rd_crew_meet(c, resizes, n);
        c->phase = (c->phase + 1) & RD_CREW_PHASES;
    }
    return rd_group_broadcast(c->scratch, dead, 0); /* its barrier: the group goes on as a whole */
}

rd_fn void rd_crew_barrier(rd_crew *c)
{
    (void)rd_crew_come(c, 0, 0, 0);
}

/* The query barrier: as many as are wanted come out of it. @return 1: this group is dead. */
rd_fn rd_u32 rd_resizing_barrier(rd_crew *c, const rd_u32 *value, rd_u32 n)
{
    return rd_crew_come(c, value, 1, n);
}

/* The rest of the barrier of single steps, for those who join in it too. */
rd_fn rd_u32 rd_resizing_barrier_v1_joined(rd_crew *c)
{
    rd_crew_barrier(c);
    const rd_u32 dead = rd_offer_kill(c);
    rd_once(!dead)
        rd_crew_barrier(c);
    return dead;
}

/* Of single steps: all come, group 0 may fork, all meet again, the highest may die, the rest meet. (The thesis has
 * groups offer to die when they come, before all have; then one that asks for M late in the round finds another number
 * than those who asked early.) Groups that join go on at rd_crew_join, and from there to rd_resizing_barrier_v1_joined.
 * @return 1: this group is dead. */
rd_fn rd_u32 rd_resizing_barrier_v1(rd_crew *c, const rd_u32 *value, rd_u32 n)
{
    rd_crew_barrier(c);
    rd_once(rd_group() == 0)
        (void)rd_request_fork(c, value, n);
    return rd_resizing_barrier_v1_joined(c);
}

/* A group that lives, at its end. */
rd_fn void rd_crew_end(const rd_crew *c)
{
    rd_barrier(); /* all that its lanes did is done */
    if (rd_group() == 0 && rd_lane() == 0) {
        rd_u64 s = rd_ld64_rlx(c->word), seen = s + 1;
        while (seen != s) {
            seen = s;
            s = rd_cas64_acqrel(c->word, s, s | RD_CREW_OVER); /* pairs with the acquire in rd_crew_join */
        }
    }
}

#endif
