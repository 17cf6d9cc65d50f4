/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.k.c - a number of tokens through the ring of sched/parts/ring.k.h. Groups below `givers` give them, each lane a
 * burst at a time; groups from `taker` on take them and count each token they meet. Nobody waits inside a turn of the
 * loop, so a worker that gives and takes cannot block itself; the number of turns is bounded, so that a lost token is
 * a failure and not a hang. Groups wait for each other: all must be resident.
 *
 * Tokens come from both ends of the range of their type (token_of), so that 0 and all ones are among them. The halves
 * of a 64-bit token determine each other but for one bit: a token made of two others is either none of the given ones,
 * or counted twice where another is missing. Each comes with data, a plain store before it is given and a plain load
 * after it was taken.
 *
 * Tokens of 32 bits have the kind of queue compiled in, those of 64 (queue64.k.c) have it as an argument: tickets do
 * not know what they are for.
 */
#if !defined(QUEUE_KIND) && !defined(QUEUE_WORDS)
#define QUEUE_KIND QUEUE_RETRY_FREE
#endif
#include "sched/parts/ring.k.h"
#include "selftest/queue_layout.k.h"

/* 0, ~0, 1, ~1, ... */
rd_fn rd_u32 alternate(rd_u32 i)
{
    return i & 1 ? ~(i >> 1) : i >> 1;
}

/* The token of a number: 0, ~0, 1, ~1, ...; of 64 bits 0, the upper half of all ones, all ones, the lower half, ... */
rd_fn queue_token token_of(rd_u32 i)
{
#if QUEUE_WORDS == 2
    const rd_u32 lower = alternate(i >> 1), upper = i & 1 ? ~lower : lower;
    return (rd_u64)upper << 32 | lower;
#else
    return alternate(i);
#endif
}

/* The number of a token, if it is one. */
rd_fn rd_u32 number_of(queue_token token)
{
    const rd_u32 lower = (rd_u32)token, i = lower >> 31 ? ~lower << 1 | 1u : lower << 1;
#if QUEUE_WORDS == 2
    return i << 1 | (rd_u32)((rd_u32)(token >> 32) != lower);
#else
    return i;
#endif
}

/* Reserves for all lanes of the group at once what each of them wants. @return this lane's first ticket; *mine: how
 * many it got. */
rd_fn rd_u32 reserve(queue_end *q, rd_local rd_u32 *scratch, rd_local rd_u32 *board, rd_u32 is_take, rd_u32 want,
                     rd_u32 *mine)
{
    rd_u32 all = 0;
    const rd_u32 before = rd_group_scan(scratch, want, &all);
    if (rd_lane() == 0) {
        rd_u32 got = all && QUEUE_IS(q, QUEUE_CAS) ? 1 : all, ticket = 0; /* how many may be asked for at once */
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

/* All six are read by the host. */
rd_fn void tell(rd_global rd_u32 *stats, const queue_end *q, rd_u32 left, rd_u32 bad, rd_u32 old)
{
    rd_add_rlx(&stats[0], q->reservations);
    rd_add_rlx(&stats[1], q->retries);
    rd_add_rlx(&stats[2], q->empty_polls);
    rd_add_rlx(&stats[3], left != 0);
    rd_add_rlx(&stats[4], bad);
    rd_add_rlx(&stats[5], old);
}

rd_kernel(queue_run, QUEUE_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, board, 2);
    queue_end q = {slot, control + QUEUE_FRONT, control + QUEUE_REAR, control + QUEUE_REAR, shift, kind, 0, 0, 0};
    const rd_u32 gives = rd_group() < givers, takes = rd_group() >= taker;
    const rd_u32 stride = givers * rd_lanes();
    /* This lane gives the tokens number next, next + stride, ...; holds `put` tickets from put_at on; and a ticket to
     * take. */
    rd_u32 next = rd_group() * rd_lanes() + rd_lane(), put = 0, put_at = 0, hold = 0, hold_at = 0, bad = 0, turn = 0;
    rd_u32 old = 0, left = 1; /* left: equal in all lanes */
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
            data[next] = ~next;
            free = queue_put(&q, put_at, token_of(next), 0);
            put -= free;
            put_at += free;
            next += free ? stride : 0;
        }
        queue_token token = 0;
        rd_u32 met = hold ? queue_poll(&q, hold_at, &token) : 0;
        const rd_u32 number = number_of(token);
        hold -= met;
        if (met && number < tokens && token == token_of(number)) {
            rd_add_rlx(&seen[number], 1); /* read by the host */
            old += data[number] != ~number;
        } else {
            bad += met;
        }
        met = rd_group_sum(scratch, met);
        if (rd_lane() == 0) {
            if (met)
                rd_add_rlx(&control[QUEUE_LEFT], 0u - met); /* partner: the same add in other groups */
            left = rd_ld_rlx(&control[QUEUE_LEFT]);
        }
        left = rd_group_broadcast(scratch, left, 0);
        turn++;
        if (!met)
            rd_pause();
    }
    tell(control + QUEUE_STATS, &q, left, bad, old);
}

#define QUEUE_KERNELS(k) k(queue_run, QUEUE_ARGS)
rd_kernels(QUEUE_KERNELS);
