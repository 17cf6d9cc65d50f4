/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tokens.k.c - how many tokens go through the ring of sched/parts/ring.k.h. In each round a group gives `burst` tokens
 * a lane and takes as many. One lane reserves for its group; with QUEUE_CAS it does so token by token. A token tells
 * its own ticket, so that who takes it proves that the right one came, and came once; both halves of a 64-bit one do.
 *
 * A group gives before it takes, so no ticket is taken that some group that runs has not reserved to give, and the ring
 * has room for all that can be under way: nobody waits for a group that has not started.
 */
#include "micro/tokens_layout.k.h"
#include "sched/parts/ring.k.h"

rd_fn queue_token token_of(rd_u32 ticket)
{
#if QUEUE_WORDS == 2
    return (rd_u64)~ticket << 32 | ticket;
#else
    return ticket;
#endif
}

rd_kernel(tokens_run, TOKENS_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, list, RD_LANES); /* QUEUE_CAS: a ticket for each lane */
    rd_local_array(rd_u32, board, 2);
    queue_end q = {slot, control + TOKENS_FRONT, control + TOKENS_REAR, control + TOKENS_REAR, shift, kind, 0, 0, 0};
    const rd_u32 lane = rd_lane(), lanes = rd_lanes(), all = lanes * burst;
    list[lane] = 0;
    rd_barrier();                                              /* lane 0 writes to it next */
    rd_u32 came = 0, wrong = 0, todo = 0, round = 0, side = 0; /* todo: tickets this group has to get on this side */
    while (round < rounds) {
        todo = todo ? todo : all;
        if (lane == 0) {
            rd_u32 got = todo, ticket = 0;
            if (QUEUE_IS(&q, QUEUE_CAS)) {
                for (rd_u32 i = 0; i < todo; i++) {
                    rd_u32 one = 0;
                    while (!one) {
                        one = 1;
                        list[i] = side ? queue_reserve_take(&q, 1, &one) : queue_reserve_give(&q, 1);
                    }
                }
            } else {
                ticket = side ? queue_reserve_take(&q, todo, &got) : queue_reserve_give(&q, todo);
            }
            board[0] = ticket;
            board[1] = got;
        }
        rd_barrier(); /* the board is complete */
        const rd_u32 first = board[0], got = board[1];
        for (rd_u32 i = lane; i < got; i += lanes) {
            const rd_u32 ticket = QUEUE_IS(&q, QUEUE_CAS) ? list[i] : first + i;
            queue_token token = token_of(ticket);
            rd_u32 done = 0;
            while (!done) {
                done = side ? queue_poll(&q, ticket, &token) : queue_put(&q, ticket, token, 0);
                if (!done)
                    rd_pause();
            }
            came += side;
            wrong += token != token_of(ticket);
        }
        rd_barrier(); /* the board is read, and all this group gave is in the ring */
        todo -= got;
        round += todo == 0 && side;
        side = todo == 0 ? 1 - side : side;
    }
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(control + TOKENS_STATS);
    for (rd_u32 i = 0; i < 5; i++) {
        const rd_u32 sum = rd_group_sum(scratch, i == 0   ? came
                                                 : i == 1 ? wrong
                                                 : i == 2 ? q.reservations
                                                 : i == 3 ? q.retries
                                                          : q.empty_polls);
        if (lane == 0)
            rd_add64_rlx(&stats[i], sum); /* partner: the same add in other groups; read by the host */
    }
}

#define TOKENS_KERNELS(k) k(tokens_run, TOKENS_ARGS)
rd_kernels(TOKENS_KERNELS);
