/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deque.k.c - tokens through the deques of sched/parts/deque.k.h. Each of the first `owners` groups has a deque and
 * `each` tokens; what it does in a turn of its loop is told by `acts`: push some of them, pop some, steal from a random
 * other one. Groups that own nothing only steal. Each token that is met is counted in `seen`, or added up for speed.
 * Nobody waits inside a turn; the number of turns is bounded, so that a lost token is a failure and not a hang. Groups
 * wait for each other: all must be resident.
 */
#include "sched/parts/deque.k.h"
#include "micro/deque_layout.k.h"

#define BOARD_PUSH   0
#define BOARD_TAIL   1
#define BOARD_POP    2
#define BOARD_STOLEN 3
#define BOARD_FROM   4
#define BOARD_VICTIM 5
#define BOARD_WON    6
#define BOARD_WORDS  8

/* Most items of one operation: one a lane, or some that a single lane holds. */
#if RD_LANES == 1
#define DEQUE_HELD    64
#define DEQUE_MOST_OF DEQUE_HELD
#else
#define DEQUE_HELD    1
#define DEQUE_MOST_OF rd_lanes()
#endif

rd_fn deque the_deque(rd_global rd_u32 *line, rd_global rd_u32 *item, rd_u32 shift, rd_u32 kind, rd_u32 group)
{
    deque d;
    d.word = line + group * DEQUE_LINE;
    d.item = item + ((rd_u64)group << shift);
    d.shift = shift;
    d.kind = kind;
    return d;
}

/* One lane: how many of its tokens the owner pushes next. */
rd_fn rd_u32 how_many(const deque *own, rd_u32 tail, rd_u32 rest, rd_u32 burst)
{
    const rd_u32 room = (1u << own->shift) - deque_size(own, tail);
    rest = rest < room ? rest : room;
    return rest < burst ? rest : burst;
}

/* All lanes: writes tokens from `next` on behind the owner's others, as many as there is room for; pushing them is left
 * to do. @return how many. */
rd_fn rd_u32 set_tokens(const deque *own, rd_local rd_u32 *board, rd_u32 tail, rd_u32 next, rd_u32 rest, rd_u32 most)
{
    if (rd_lane() == 0) {
        board[BOARD_PUSH] = rest ? how_many(own, tail, rest, most) : 0;
        board[BOARD_TAIL] = tail;
    }
    rd_barrier(); /* the board is complete */
    const rd_u32 push = board[BOARD_PUSH];
    for (rd_u32 i = rd_lane(); i < push; i += rd_lanes())
        deque_set(own, board[BOARD_TAIL] + i, 0, next + i);
    rd_barrier(); /* the items are set */
    return push;
}

/* What a lane has met, and how its thefts went. */
typedef struct {
    rd_u64 sum;
    rd_u32 bad, won, failed, empty, taken;
} deque_met;

/* One token, if there is one; seen: where it is counted when acts say so. */
rd_fn void meet(deque_met *met, rd_u32 has, rd_u32 token, rd_u32 tokens, rd_u32 acts, rd_global rd_u32 *seen)
{
    met->bad += has && token >= tokens;
    met->sum += has ? token : 0;
    if (has && token < tokens && (acts & DEQUE_ACT_COUNT))
        rd_add_rlx(&seen[token], 1); /* read by the host */
}

/* One lane: a random other group with a deque. */
rd_fn rd_u32 choose_victim(rd_u32 *random, rd_u32 id, rd_u32 owners)
{
    const rd_u32 is_owner = id < owners;
    *random = *random * 1664525u + 1013904223u;
    const rd_u32 step = (rd_u32)((rd_u64)*random * (owners - is_owner) >> 32);
    return is_owner ? (id + 1 + step) % owners : step;
}

/* Takes what was met off the count of tokens. @return how many are left, in all lanes. */
rd_fn rd_u32 count_down(rd_global rd_u32 *control, rd_local rd_u32 *scratch, rd_u32 met)
{
    rd_u32 left = 0;
    if (rd_lane() == 0) {
        if (met)
            rd_add_rlx(&control[DEQUE_LEFT], 0u - met); /* partner: the same in other groups */
        left = rd_ld_rlx(&control[DEQUE_LEFT]);
    }
    return rd_group_broadcast(scratch, left, 0);
}

/* All of it is read by the host. */
rd_fn void tell(rd_global rd_u32 *control, const deque_met *met)
{
    rd_global rd_u64 *total = (rd_global rd_u64 *)(control + DEQUE_SUM);
    rd_add64_rlx(total, met->sum);
    rd_add_rlx(&control[DEQUE_BAD], met->bad);
    if (rd_lane() == 0) {
        rd_add_rlx(&control[DEQUE_WON], met->won);
        rd_add_rlx(&control[DEQUE_FAILED], met->failed);
        rd_add_rlx(&control[DEQUE_EMPTY], met->empty);
        rd_max_rlx(&control[DEQUE_MOST], met->taken);
    }
}

rd_kernel(deque_run, DEQUE_RUN_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, board, BOARD_WORDS);
    const rd_u32 id = rd_group(), is_owner = id < owners, tokens = owners * each;
    const rd_u32 most = burst < DEQUE_MOST_OF ? burst : DEQUE_MOST_OF;
    const deque own = the_deque(line, item, shift, kind, is_owner ? id : 0);
    const rd_u32 steals = (acts & DEQUE_ACT_STEAL) && owners > is_owner;
    rd_u32 next = id * each, end = is_owner && (acts & DEQUE_ACT_PUSH) ? next + each : next;
    rd_u32 tail = is_owner ? own.word[DEQUE_USER] : 0, random = (id + 1) * 2654435761u, turn = 0, left = 1;
    rd_u64 head = 0;
    deque_met met = {0, 0, 0, 0, 0, 0};
    while (left && turn < turns) {
        const rd_u32 push = set_tokens(&own, board, tail, next, end - next, most);
        next += push;
        if (rd_lane() == 0) {
            if (push)
                deque_push(&own, &tail, push);
            board[BOARD_POP] = is_owner && (acts & DEQUE_ACT_POP) ? deque_pop(&own, &tail, most) : 0;
            board[BOARD_TAIL] = tail;
            board[BOARD_STOLEN] = 0;
            if (steals) {
                const rd_u32 victim = choose_victim(&random, id, owners);
                const deque d = the_deque(line, item, shift, kind, victim);
                board[BOARD_STOLEN] = deque_open(&d, most, &head);
                board[BOARD_FROM] = (rd_u32)head;
                board[BOARD_VICTIM] = victim;
                met.empty += board[BOARD_STOLEN] == 0;
            }
        }
        rd_barrier(); /* what was popped and what is to be stolen */
        const rd_u32 pop = board[BOARD_POP], stolen = board[BOARD_STOLEN];
        const deque victim = the_deque(line, item, shift, kind, stolen ? board[BOARD_VICTIM] : 0);
        rd_u32 copied[DEQUE_HELD];
        copied[0] = 0;
        for (rd_u32 i = rd_lane(), s = 0; i < stolen; i += rd_lanes(), s++)
            copied[s] = deque_get(&victim, board[BOARD_FROM] + i, 0);
        for (rd_u32 i = rd_lane(); i < pop; i += rd_lanes())
            meet(&met, 1, deque_get(&own, board[BOARD_TAIL] + i, 0), tokens, acts, seen);
        rd_barrier(); /* copied */
        if (rd_lane() == 0) {
            board[BOARD_WON] = stolen ? deque_close(&victim, head, stolen) : 0;
            met.won += board[BOARD_WON];
            met.failed += stolen && !board[BOARD_WON];
        }
        rd_barrier(); /* won or lost */
        const rd_u32 won = board[BOARD_WON] ? stolen : 0;
        for (rd_u32 i = rd_lane(), s = 0; i < won; i += rd_lanes(), s++)
            meet(&met, 1, copied[s], tokens, acts, seen);
        met.taken += pop + won;
        left = count_down(control, scratch, pop + won);
        turn++;
        if (!(pop + won + push))
            rd_pause();
    }
    tell(control, &met);
}

#define DEQUE_KERNELS(k) k(deque_run, DEQUE_RUN_ARGS)
rd_kernels(DEQUE_KERNELS);
