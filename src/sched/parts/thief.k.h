/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thief.k.h - a theft, by a group, from the deque (parts/deque.k.h) of another one. It has five steps, with a group
 * barrier between them, and what the lanes do with the tasks is up to the caller:
 *
 *   look    each of the first THIEF_PROBES lanes chooses a victim and looks how much it has; the best one is the
 *           group's, and the lane that found it acts for the group from here on
 *   open    that lane reads the deque's ends and says on the board what may be taken, and from whom
 *   copy    all lanes copy those items (thief_from); they are not theirs yet
 *   close   that lane takes them with one compare-and-swap, and says on the board whether it was in time
 *   settle  all lanes know: the copies are tasks of this group, or nothing
 *
 * A group that has no unit of PENDING (parts/pending.k.h) gets one between open and close. Where items are one word and
 * go to an inbox of the group, thief_fetch is copy and close.
 *
 * Victims. THIEF_RANDOM: any, for each lane by itself (R. Blumofe and C. Leiserson, 1999); the one with most is the
 * best. THIEF_NEAREST: the groups behind this one, as many as lanes look; the first that has something is the best, and
 * after a look in vain come those behind them, around and around. THIEF_IN_TURN: the same, but each group once; when
 * nothing is put into the deques meanwhile, then who has looked at all of them knows that they are empty
 * (thief_passed_all).
 */
#ifndef RD_SCHED_THIEF_K_H
#define RD_SCHED_THIEF_K_H

#include "sched/parts/deque.k.h"

#define THIEF_PROBES 32

#define THIEF_RANDOM  0
#define THIEF_NEAREST 1
#define THIEF_IN_TURN 2

/* Words of the board. */
#define THIEF_TAKEN  0 /* how many items may be taken, */
#define THIEF_FROM   1 /* from which index, */
#define THIEF_VICTIM 2 /* of whose deque */
#define THIEF_WON    3
#define THIEF_WORDS  4

typedef struct {
    rd_local rd_u32 *board; /* THIEF_WORDS */
    rd_u32 passed;          /* victims that had nothing; equal in all lanes */
    rd_u32 random;          /* of this lane */
} thief;

/* One theft, from look to settle. */
typedef struct {
    rd_u32 best;   /* the best look: 0, nobody has anything; equal in all lanes */
    rd_u32 acts;   /* this lane acts for the group */
    rd_u32 victim; /* of this lane */
    rd_u64 head;   /* of the lane that acts: what it saw of the victim */
} theft;

rd_fn thief thief_new(rd_local rd_u32 *board, rd_u32 seed)
{
    thief t;
    t.board = board;
    t.passed = 0;
    t.random = seed + (rd_group() * rd_lanes() + rd_lane() + 1) * 2654435761u;
    return t;
}

rd_fn theft theft_new(void)
{
    const theft now = {0, 0, 0, 0};
    return now;
}

/* Has it looked at all others in turn, in vain? */
rd_fn rd_u32 thief_passed_all(const thief *t)
{
    return t->passed >= rd_groups() - 1;
}

/* Look: this lane's victim. There are others. @return how good it is; 0: nothing there. */
rd_fn rd_u32 thief_look(thief *t, theft *now, const deque_row *row, rd_u32 how)
{
    const rd_u32 others = rd_groups() - 1;
    rd_u32 step = t->passed + rd_lane();
    t->random = t->random * 1664525u + 1013904223u;
    if (how == THIEF_RANDOM)
        step = (rd_u32)((rd_u64)t->random * others >> 32);
    else if (how == THIEF_NEAREST)
        step %= others;
    if (step >= others)
        return 0;
    now->victim = rd_group() + 1 + step;
    now->victim = now->victim < rd_groups() ? now->victim : now->victim - rd_groups();
    const deque d = deque_at(row, now->victim);
    const rd_u32 size = deque_look(&d);
    if (size == 0)
        return 0;
    const rd_u32 good = how == THIEF_NEAREST ? THIEF_PROBES - rd_lane() : size < 1023 ? size : 1023;
    return good << 10 | rd_lane();
}

/* All lanes, each with what thief_look said, or 0: who acts? */
rd_fn void thief_choose(theft *now, rd_local rd_u32 *scratch, rd_u32 score)
{
    now->best = rd_group_max(scratch, score);
    now->acts = now->best && score == now->best;
}

/* Instead of a look: the group takes the oldest items of its own deque, as a thief would. */
rd_fn void thief_choose_own(theft *now)
{
    now->victim = rd_group();
    now->acts = rd_lane() == 0;
}

/* Open: the lane that acts. all: of more than half of what is there, too. @return how many items it may take. */
rd_fn rd_u32 thief_open(const thief *t, theft *now, const deque_row *row, rd_u32 most, rd_u32 all)
{
    const deque d = deque_at(row, now->victim);
    const rd_u32 n = all ? deque_open_all(&d, most, &now->head) : deque_open(&d, most, &now->head);
    t->board[THIEF_TAKEN] = n;
    t->board[THIEF_FROM] = (rd_u32)now->head;
    t->board[THIEF_VICTIM] = now->victim;
    return n;
}

/* Copy: the deque; items are at index board[THIEF_FROM] and after. */
rd_fn deque thief_from(const thief *t, const deque_row *row)
{
    return deque_at(row, t->board[THIEF_VICTIM]);
}

/* Close: the lane that acts, when all have copied. @return whether the items are this group's. */
rd_fn rd_u32 thief_close(const thief *t, const theft *now, const deque_row *row, rd_u32 taken)
{
    const deque d = deque_at(row, now->victim);
    const rd_u32 won = taken ? deque_close(&d, now->head, taken) : 0;
    t->board[THIEF_WON] = won;
    return won;
}

/* Copy and close, after open, by all lanes: items of one word, into the inbox. some: this group opened a theft. *won is
 * the acting lane's. @return how many were copied; they are the group's if board[THIEF_WON], which all lanes may read.
 */
rd_fn rd_u32 thief_fetch(const thief *t, const theft *now, const deque_row *row, rd_u32 some, rd_local rd_u32 *inbox,
                         rd_u32 *won)
{
    rd_barrier(); /* what is to be taken */
    const rd_u32 taken = some ? t->board[THIEF_TAKEN] : 0;
    const deque from = thief_from(t, row);
    for (rd_u32 i = rd_lane(); i < taken; i += rd_lanes())
        inbox[i] = deque_get(&from, t->board[THIEF_FROM] + i, 0);
    rd_barrier(); /* copied */
    if (now->acts)
        *won = thief_close(t, now, row, taken);
    rd_barrier(); /* won or lost */
    return taken;
}

/* Settle: who had nothing, of those looked at now, is passed. Who had something is looked at again, whoever won. */
rd_fn void thief_settle(thief *t, const theft *now, rd_u32 looked)
{
    t->passed = looked && !now->best ? t->passed + (rd_lanes() < THIEF_PROBES ? rd_lanes() : THIEF_PROBES) : 0;
}

#endif
