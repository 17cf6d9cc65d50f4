/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.k.c - tokens 0 .. tokens-1 through the ring of sched/queue.k.h. Groups below `givers` give them, each lane a
 * burst at a time; groups from `taker` on take them and count each token they meet. Nobody waits inside a turn of the
 * loop, so a worker that gives and takes cannot block itself; the number of turns is bounded, so that a lost token is
 * a failure and not a hang. Groups wait for each other: all must be resident.
 */
#ifndef QUEUE_KIND
#define QUEUE_KIND QUEUE_RETRY_FREE
#endif
#include "sched/queue.k.h"

/* How many tickets a worker may ask for at once. */
#define Q_AT_ONCE (QUEUE_KIND == QUEUE_CAS ? 1u : 0xffffffffu)

/* Words of `control`, on lines of their own. */
#define Q_FRONT 0
#define Q_REAR  32
#define Q_LEFT  64 /* tokens nobody has met yet */
#define Q_STATS 96 /* reservations, retries, empty polls, workers that gave up, tokens out of range */

/* clang-format off */
#define QUEUE_ARGS(arg)              \
    arg(rd_global rd_u64 *, slot)    \
    arg(rd_global rd_u32 *, control) \
    arg(rd_global rd_u32 *, seen)    \
    arg(rd_u32, shift)               \
    arg(rd_u32, tokens)              \
    arg(rd_u32, burst)               \
    arg(rd_u32, givers)              \
    arg(rd_u32, taker)               \
    arg(rd_u32, turns)
/* clang-format on */

/* Reserves for all lanes of the group at once what each of them wants. @return this lane's first ticket; *mine: how
 * many it got. */
rd_fn rd_u32 reserve(queue_end *q, rd_local rd_u32 *scratch, rd_local rd_u32 *board, rd_u32 is_take, rd_u32 want,
                     rd_u32 *mine)
{
    rd_u32 all = 0;
    const rd_u32 before = rd_group_scan(scratch, want, &all);
    if (rd_lane() == 0) {
        rd_u32 got = all < Q_AT_ONCE ? all : Q_AT_ONCE, ticket = 0;
        if (got && is_take)
            ticket = queue_reserve_take(q, got, &got);
        else if (got)
            ticket = queue_reserve_give(q, got);
        board[0] = ticket;
        board[1] = got;
    }
    rd_barrier(); /* the board is complete */
    const rd_u32 ticket = board[0], got = board[1];
    rd_barrier(); /* the board is read */
    *mine = before >= got ? 0 : got - before < want ? got - before : want;
    return ticket + before;
}

rd_kernel(queue_run, QUEUE_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, board, 2);
    queue_end q = {slot, control + Q_FRONT, control + Q_REAR, control + Q_REAR, shift, QUEUE_KIND, 0, 0, 0};
    const rd_u32 gives = rd_group() < givers, takes = rd_group() >= taker;
    const rd_u32 stride = givers * rd_lanes();
    /* This lane gives the tokens next, next + stride, ...; holds `put` tickets from put_at on; and a ticket to take. */
    rd_u32 next = rd_group() * rd_lanes() + rd_lane(), put = 0, put_at = 0, hold = 0, hold_at = 0, bad = 0, turn = 0;
    rd_u32 left = 1; /* equal in all lanes */
    while (left && turn < turns) {
        for (rd_u32 side = 0; side < 2; side++) { /* a loop, so that there is one copy of reserve */
            const rd_u32 rest = next < tokens ? (tokens - 1 - next) / stride + 1 : 0;
            const rd_u32 want = side ? takes && !hold : gives && !put ? rest < burst ? rest : burst : 0;
            rd_u32 mine = 0;
            const rd_u32 ticket = reserve(&q, scratch, board, side, want, &mine);
            if (mine && side) {
                hold = 1;
                hold_at = ticket;
            } else if (mine) {
                put = mine;
                put_at = ticket;
            }
        }
        rd_u32 free = 1;
        while (put && free) {
            free = queue_put(&q, put_at, next);
            put -= free;
            put_at += free;
            next += free ? stride : 0;
        }
        rd_u32 token = 0, met = hold ? queue_poll(&q, hold_at, &token) : 0;
        hold -= met;
        if (met && token < tokens)
            rd_add_rlx(&seen[token], 1); /* read by the host */
        else
            bad += met;
        met = rd_group_sum(scratch, met);
        if (rd_lane() == 0) {
            if (met)
                rd_add_rlx(&control[Q_LEFT], 0u - met); /* partner: the same add in other groups */
            left = rd_ld_rlx(&control[Q_LEFT]);
        }
        left = rd_group_broadcast(scratch, left, 0);
        turn++;
        if (!met)
            rd_pause();
    }
    rd_global rd_u32 *stats = control + Q_STATS; /* all five are read by the host */
    rd_add_rlx(&stats[0], q.reservations);
    rd_add_rlx(&stats[1], q.retries);
    rd_add_rlx(&stats[2], q.empty_polls);
    rd_add_rlx(&stats[3], left != 0);
    rd_add_rlx(&stats[4], bad);
}

#define QUEUE_KERNELS(k) k(queue_run, QUEUE_ARGS)
rd_kernels(QUEUE_KERNELS);
