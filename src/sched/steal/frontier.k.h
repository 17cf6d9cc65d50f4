/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frontier.k.h - scheduler `steal` for apps whose tasks are vertices, kernel side, in two forms.
 *
 * RD_ROUNDS 0 (`steal`): one deque a group; what a group finds goes to its own deque. It takes its tasks from the head,
 * oldest first, as thieves do: a search that ran its newest task first would go deep and be wrong nearly everywhere.
 *   queued[v] is 1 from before v is put into a deque until after it was taken out, so all deques together hold no
 * vertex twice, and none can overflow: each has room for all vertices. Not lost: who finds queued[v] set has changed
 * v's data before, with release; who takes v clears it with acquire before it looks at v's data. Termination as in
 * steal/forkjoin.k.h: PENDING counts groups that have tasks; a thief counts before it steals. A group takes from its
 * own deque as a thief does, and may lose to one, or find the lock taken: it took nothing then, but as long as its
 * deque was not empty it has tasks, and counts.
 *
 * RD_ROUNDS 1 (`steal-levels`): level by level, two deques a group, as in the thesis that docs/steal.md names. A group
 * pops its tasks of this level from the tail of the one, and puts what it finds into the other. When its own is empty
 * it steals; when it has looked at the deques of all groups in turn and found nothing, none of this level is left,
 * because nothing is put into them during the level. Then a global barrier (or the end of the launch), and the deques
 * change places. Each vertex is found once, so a deque has room for all.
 *   Stopping. All groups must come to each barrier, so none may leave by itself. One that sees the host's request ends
 * its part of the level where it is, marks the level in HALT before the barrier, and all leave behind the barrier of a
 * level that is marked. A faster group cannot mark the level that a slower one is about to judge: they are different
 * words. With a launch for each level, groups leave at once; the launches behind theirs, of a batch, would find a level
 * with holes, but they begin after the request and do nothing.
 *
 * The edges of what was taken are spread over the lanes (edges/spread.k.h).
 */
#ifndef RD_SCHED_STEAL_VERTEX_K_H
#define RD_SCHED_STEAL_VERTEX_K_H

#include "sched/edges/spread.k.h"
#include "sched/parts/deque.k.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/seed.k.h"
#include "sched/steal/frontier_layout.k.h"

#if RD_LANES == 1
#define SVERTEX_FETCH 32 /* most tasks taken at once */
#else
#define SVERTEX_FETCH RD_LANES
#endif
#define SVERTEX_PROBES     32
#define SVERTEX_IDLE_TURNS 16
#define SVERTEX_DEQUES     (1 + RD_ROUNDS) /* a group */

/* clang-format off */
#define SVERTEX_ARGS(buf, arg)                                                             \
    buf(const rd_u64, sv_row)                                             \
    buf(const rd_u32, sv_col)                                             \
    buf(rd_u32, sv_control)                                               \
    buf(rd_u32, sv_line) /* DEQUE_LINE words a deque */                   \
    buf(rd_u32, sv_item)                                                  \
    buf(rd_u32, sv_queued) /* RD_ROUNDS 0 */                              \
    arg(rd_u32, sv_shift)                                                             \
    arg(rd_u32, sv_limit) /* of turns, or in rounds of levels; 0: until all is done */ \
    arg(rd_u32, sv_choices)
/* clang-format on */
rd_context(svertex_ctx, SVERTEX_ARGS);

#define SBOARD_TAKEN  0
#define SBOARD_FROM   1
#define SBOARD_VICTIM 2
#define SBOARD_WON    3
#define SBOARD_OWN    4 /* tasks of the own deque: popped, or there */
#define SBOARD_LEAVE  5
#define SBOARD_TAIL   6
#define SBOARD_COUNT  7
#define SBOARD_WORDS  8

/* A group; equal in all lanes but where said. */
typedef struct {
    spread s;
    deque now, next; /* next: where what is found goes; without rounds the same */
    rd_local rd_u32 *board;
    rd_local rd_u32 *inbox; /* SVERTEX_FETCH words */
    rd_u32 tail, next_tail; /* lane 0 */
    rd_u32 active, idle_turns, turn, level;
    rd_u32
        had; /* tasks that its own deque had when it looked last; 0 is certain, for only the group itself adds some */
    rd_u32 scanned; /* in rounds: groups that had nothing */
    rd_u32 random;  /* of this lane */
    rd_u32 tasks;   /* lane 0 */
    rd_u32 won, lost, empty;
} svertex_group;

rd_fn deque svertex_deque(const svertex_ctx *c, rd_u32 group, rd_u32 which)
{
    const rd_u32 number = group * SVERTEX_DEQUES + which;
    deque d;
    d.word = c->sv_line + (rd_u64)number * DEQUE_LINE;
    d.item = c->sv_item + ((rd_u64)number << c->sv_shift);
    d.shift = c->sv_shift;
    d.kind = c->sv_choices & SVERTEX_BLOCKING ? DEQUE_BLOCKING : DEQUE_LOCK_FREE;
    return d;
}

/* The two deques of this level. */
rd_fn void svertex_turn_to(const svertex_ctx *c, svertex_group *g)
{
    g->now = svertex_deque(c, rd_group(), RD_ROUNDS ? g->level % 2 : 0);
    g->next = svertex_deque(c, rd_group(), RD_ROUNDS ? 1 - g->level % 2 : 0);
    g->tail = g->now.word[SVERTEX_TAIL];
    g->next_tail = g->next.word[SVERTEX_TAIL];
}

/* ---- Taking ---- */

/* Looks at one victim. @return how good it is, 0: nothing there. */
rd_fn rd_u32 svertex_look(const svertex_ctx *c, svertex_group *g, rd_u32 *victim)
{
    const rd_u32 others = rd_groups() - 1;
    rd_u32 step = g->scanned + rd_lane(); /* in rounds and for the nearest victim: one after another */
    g->random = g->random * 1664525u + 1013904223u;
    if (!RD_ROUNDS && !(c->sv_choices & SVERTEX_NEAREST))
        step = (rd_u32)((rd_u64)g->random * others >> 32);
    else if (!RD_ROUNDS)
        step %= others;
    if (step >= others)
        return 0;
    *victim = (rd_group() + 1 + step) % rd_groups();
    const deque d = svertex_deque(c, *victim, RD_ROUNDS ? g->level % 2 : 0);
    const rd_u32 size = deque_look(&d);
    return size ? (size < 1023 ? size : 1023) << 10 | rd_lane() : 0;
}

/* Fills the inbox from the own deque or a victim's. @return how many. */
rd_fn rd_u32 svertex_take(const svertex_ctx *c, svertex_group *g)
{
    rd_u64 head = 0;
    rd_u32 victim = rd_group(), score = 0;
    if (rd_lane() == 0) {
        g->board[SBOARD_OWN] = RD_ROUNDS ? deque_pop(&g->now, &g->tail, SVERTEX_FETCH) : deque_size(&g->now, g->tail);
        g->board[SBOARD_TAIL] = g->tail;
    }
    rd_barrier(); /* the board is complete */
    const rd_u32 own = g->board[SBOARD_OWN], pop = RD_ROUNDS ? own : 0;
    for (rd_u32 i = rd_lane(); i < pop; i += rd_lanes())
        g->inbox[i] = deque_get(&g->now, g->board[SBOARD_TAIL] + i, 0);
    if (!own && rd_groups() > 1 && rd_lane() < SVERTEX_PROBES && !(c->sv_choices & SVERTEX_NO_THEFT))
        score = svertex_look(c, g, &victim);
    const rd_u32 best = rd_group_max(g->s.scratch, score), self = !pop && own;
    const rd_u32 taker = self ? rd_lane() == 0 : best && score == best;
    const deque d = svertex_deque(c, victim, RD_ROUNDS ? g->level % 2 : 0);
    if (taker) {
        const rd_u32 n = self ? deque_open_all(&d, SVERTEX_FETCH, &head) : deque_open(&d, SVERTEX_FETCH, &head);
        if (n && !g->active)
            rd_add_rlx(&c->sv_control[SVERTEX_PENDING], 1); /* before the theft; partner: the subtraction in the loop */
        g->board[SBOARD_TAKEN] = n;
        g->board[SBOARD_FROM] = (rd_u32)head;
        g->board[SBOARD_VICTIM] = victim;
    }
    rd_barrier(); /* what is to be taken */
    const rd_u32 taken = self || best ? g->board[SBOARD_TAKEN] : 0;
    const deque from = svertex_deque(c, taken ? g->board[SBOARD_VICTIM] : 0, RD_ROUNDS ? g->level % 2 : 0);
    for (rd_u32 i = rd_lane(); i < taken; i += rd_lanes())
        g->inbox[i] = deque_get(&from, g->board[SBOARD_FROM] + i, 0);
    rd_barrier(); /* copied */
    if (taker) {
        const rd_u32 won = taken ? deque_close(&d, head, taken) : 0;
        g->board[SBOARD_WON] = won;
        g->won += won && !self;
        g->lost += !won && !self;
    }
    rd_barrier(); /* won or lost */
    const rd_u32 count = pop ? pop : taken && g->board[SBOARD_WON] ? taken : 0;
    g->active = g->active || taken;
    g->had = own;
    g->empty += rd_lane() == 0 && !own && !best;
    /* In rounds: who had nothing will have nothing. A victim that was lost to another thief is looked at again. */
    g->scanned = own || best ? 0 : g->scanned + (rd_lanes() < SVERTEX_PROBES ? rd_lanes() : SVERTEX_PROBES);
#if !RD_ROUNDS
    for (rd_u32 i = rd_lane(); i < count; i += rd_lanes())
        rd_xchg_acq(&c->sv_queued[g->inbox[i]], 0); /* pairs with the exchange in svertex_give */
#endif
    return count;
}

/* ---- Giving ---- */

/* Moves the stash to the deque. */
rd_fn void svertex_give(const svertex_ctx *c, svertex_group *g)
{
    rd_u32 count = 0, all = 0;
    if (!RD_ROUNDS && g->s.stashed)
        rd_fence_rel(); /* what the tasks will find is there before the marks below */
    for (rd_u32 i = rd_lane(); i < g->s.stashed; i += rd_lanes()) {
        const rd_u32 v = g->s.stash[i];
#if RD_ROUNDS
        const rd_u32 waits = 0;
#else
        const rd_u32 waits = rd_xchg_fen(&c->sv_queued[v], 1); /* pairs with the exchange in svertex_take */
#endif
        if (!waits) {
            g->s.stash[rd_lane() + count * rd_lanes()] = v; /* the lane's own column */
            count++;
        }
    }
    rd_u32 at = rd_group_scan(g->s.scratch, count, &all);
    if (rd_lane() == 0)
        g->board[SBOARD_TAIL] = g->next_tail;
    rd_barrier(); /* the tail is there */
    at += g->board[SBOARD_TAIL];
    for (rd_u32 k = 0; k < count; k++)
        deque_set(&g->next, at + k, 0, g->s.stash[rd_lane() + k * rd_lanes()]);
    rd_barrier(); /* the items are set */
    if (rd_lane() == 0 && all) {
        deque_push(&g->next, &g->next_tail, all);
        g->tail = RD_ROUNDS ? g->tail : g->next_tail;
    }
    g->s.stashed = 0;
}

/* Runs the tasks of the inbox. */
rd_fn void svertex_run(const svertex_ctx *c, const rd_app *app, svertex_group *g, rd_u32 count)
{
    for (rd_u32 at = 0; at < count; at += rd_lanes()) {
        const rd_u32 has = at + rd_lane() < count;
        const rd_u32 tiles = spread_members(&g->s, app, c->sv_row, has, has ? g->inbox[at + rd_lane()] : 0);
        rd_barrier(); /* the members are complete */
        for (rd_u32 tile = 0; tile == 0 || tile < tiles; tile++) {
            const rd_u32 last = at + rd_lanes() >= count && tile + 1 >= tiles;
            for (rd_u32 once = tile < tiles; once; once = 0)
                spread_tile(&g->s, app, c->sv_col, tile);
            const rd_u32 full = g->s.stashed > SPREAD_STASH - SPREAD_ROOM || (last && g->s.stashed);
            for (rd_u32 once = full; once; once = 0)
                svertex_give(c, g);
        }
    }
    g->tasks += rd_lane() == 0 ? count : 0;
}

/* ---- The loop ---- */

/* Lane 0 of a group that has done its part of a level: adds what it found to the next one. */
rd_fn void svertex_end_level(const svertex_ctx *c, svertex_group *g)
{
    rd_global rd_u32 *count = c->sv_control + SVERTEX_COUNT;
    g->now.word[SVERTEX_TAIL] = g->tail;
    g->next.word[SVERTEX_TAIL] = g->next_tail;
    if (rd_group() == 0) /* used by the end of the next level; last read before the barrier before this one */
        rd_st_rlx(&count[(g->level + 2) % SVERTEX_SLOTS], 0);
    rd_add_rlx(&count[(g->level + 1) % SVERTEX_SLOTS], deque_size(&g->next, g->next_tail)); /* ordered by the barrier */
}

rd_fn void svertex_body(const svertex_ctx *c, const rd_app *app, rd_global const rd_u32 *stop, svertex_group *g)
{
    rd_u32 leave = 0;
    g->level = RD_ROUNDS ? c->sv_control[SVERTEX_LEVEL] : 0; /* written by the launch before */
    svertex_turn_to(c, g);
    g->active = RD_ROUNDS ? 1 : g->now.word[SVERTEX_ACTIVE];
    g->random = (rd_group() * rd_lanes() + rd_lane() + 1) * 2654435761u;
    g->idle_turns = g->turn = g->scanned = g->had = 0;
    g->tasks = g->won = g->lost = g->empty = 0;
#if RD_ROUNDS
    rd_grid all = rd_grid_open(c->sv_control + SVERTEX_GRID, rd_group(), rd_groups());
    const rd_u32 alone = c->sv_limit == 1; /* a launch a level: its end is the barrier */
    const rd_u32 late = rd_group_broadcast(g->s.scratch, alone && rd_lane() == 0 ? rd_ld_rlx(stop) : 0, 0);
    leave = late || c->sv_control[SVERTEX_COUNT + g->level % SVERTEX_SLOTS] == 0; /* likewise */
    if (leave && !late && rd_group() == 0 && rd_lane() == 0) /* launches after the last level pass its zero on */
        rd_st_rlx(&c->sv_control[SVERTEX_COUNT + (g->level + 2) % SVERTEX_SLOTS], 0);
#endif
    while (!leave) {
        const rd_u32 count = svertex_take(c, g);
        for (rd_u32 once = count != 0; once; once = 0)
            svertex_run(c, app, g, count);
        g->turn++;
        rd_u32 over = RD_ROUNDS && count == 0 && (g->scanned >= rd_groups() - 1 || (c->sv_choices & SVERTEX_NO_THEFT));
        const rd_u32 idle = !RD_ROUNDS && count == 0 && !g->had;
        if (rd_lane() == 0) {
            if (idle && g->active)
                rd_add_rlx(&c->sv_control[SVERTEX_PENDING], 0xffffffffu); /* partner: the addition in svertex_take */
            const rd_u32 stops = rd_ld_rlx(stop);                         /* partner: the host */
            if (over || (RD_ROUNDS && stops))
                svertex_end_level(c, g);
            if (RD_ROUNDS && stops) /* partner: the look at it behind the barrier, which orders them */
                rd_st_rlx(&c->sv_control[SVERTEX_HALT + g->level % SVERTEX_SLOTS], 1);
            /* Partners: the additions to PENDING here and in svertex_take. */
            g->board[SBOARD_LEAVE] =
                stops ||
                (!RD_ROUNDS && c->sv_limit && (g->turn >= c->sv_limit || g->idle_turns > SVERTEX_IDLE_TURNS)) ||
                (idle && (rd_ld_rlx(&c->sv_control[SVERTEX_PENDING]) == 0 || (c->sv_choices & SVERTEX_NO_THEFT)));
        }
        g->active = idle ? 0 : g->active;
        g->idle_turns = idle ? g->idle_turns + 1 : 0;
        rd_barrier(); /* whether to leave */
        leave = g->board[SBOARD_LEAVE];
        rd_barrier(); /* read */
#if RD_ROUNDS
        over = over || leave;
        for (rd_u32 once = over; once; once = 0) {
            for (rd_u32 again = !alone; again; again = 0)
                rd_global_barrier(&all);
            const rd_u32 halt = rd_ld_rlx(&c->sv_control[SVERTEX_HALT + g->level % SVERTEX_SLOTS]);
            g->level++;
            g->scanned = 0;
            /* Partner: what groups added in the level before, which the barrier has ended. */
            leave = alone || halt || rd_ld_rlx(&c->sv_control[SVERTEX_COUNT + g->level % SVERTEX_SLOTS]) == 0;
            svertex_turn_to(c, g);
        }
#endif
        if (idle && !leave)
            rd_idle(g->idle_turns);
    }
}

rd_fn void svertex_stats(const svertex_ctx *c, const svertex_group *g)
{
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(c->sv_control + SVERTEX_STATS);
    for (rd_u32 i = 0; i < SVERTEX_COUNTS; i++) {
        const rd_u32 mine = i == SVERTEX_TASKS    ? g->tasks
                            : i == SVERTEX_FRESH  ? g->s.fresh
                            : i == SVERTEX_STEALS ? g->won
                            : i == SVERTEX_FAILED ? g->lost
                            : i == SVERTEX_EMPTY  ? g->empty
                                                  : 0;
        const rd_u32 sum = rd_group_sum(g->s.scratch, mine);
        if (rd_lane() == 0 && sum)
            rd_add64_rlx(&stats[i], sum); /* partner: the same add in other groups; read by the host */
    }
    if (g->s.edges)
        rd_add64_rlx(&stats[SVERTEX_EDGES], g->s.edges); /* the same */
}

#define SVERTEX_RUN_ARGS(buf, arg) SVERTEX_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

/* Only names with a prefix here: the app's arguments may be called anything else. */
rd_kernel(steal_run, SVERTEX_RUN_ARGS)
{
    rd_local_array(rd_u32, sv_scratch, RD_SCRATCH);
    rd_local_array(rd_u32, sv_first, RD_LANES);
    rd_local_array(rd_u32, sv_vertex, RD_LANES);
    rd_local_array(rd_u32, sv_value, RD_LANES);
    rd_local_array(rd_u64, sv_from, RD_LANES);
    rd_local_array(rd_u32, sv_stash, SPREAD_STASH);
    rd_local_array(rd_u32, sv_words, SPREAD_WORDS);
    rd_local_array(rd_u32, sv_inbox, SVERTEX_FETCH);
    rd_local_array(rd_u32, sv_board, SBOARD_WORDS);
    const svertex_ctx sv_context = rd_bind(SVERTEX_ARGS);
    const rd_app sv_app = rd_bind(RD_APP_ARGS);
    const spread sv_spread = {sv_scratch, sv_first, sv_vertex, sv_value, sv_from, sv_stash, sv_words, 0, 0, 0, 0, 0};
    svertex_group sv_group;
    sv_group.s = sv_spread;
    sv_group.board = sv_board;
    sv_group.inbox = sv_inbox;
    svertex_body(&sv_context, &sv_app, rd_stop_word(), &sv_group);
    svertex_stats(&sv_context, &sv_group);
    if (!RD_ROUNDS && rd_lane() == 0) {
        sv_group.now.word[SVERTEX_TAIL] = sv_group.tail;
        sv_group.now.word[SVERTEX_ACTIVE] = sv_group.active;
    }
}

/* clang-format off */
#define SVERTEX_LEVEL_ARGS(buf, arg)         \
    buf(rd_u32, sv_control) \
    arg(rd_u32, sv_level)
/* clang-format on */

/* The level that the next launch runs, for a host that does not wait between launches. */
rd_kernel(steal_level, SVERTEX_LEVEL_ARGS)
{
    if (rd_group() == 0 && rd_lane() == 0)
        sv_control[SVERTEX_LEVEL] = sv_level;
}

/* clang-format off */
#define SVERTEX_SEED_ARGS(buf, arg) SVERTEX_ARGS(buf, arg) SEED_ARGS(buf, arg) \
    arg(rd_u32, seed_takers) /* groups that get some */
/* clang-format on */

/* Deals the seeds: seed i is task i / takers of group i % takers, so that groups that take their oldest tasks first
 * keep to the order of the seeds, about. All words but those were filled with 0. */
rd_kernel(steal_seed, SVERTEX_SEED_ARGS)
{
    const svertex_ctx sv_context = rd_bind(SVERTEX_ARGS);
    const rd_u32 sv_first = rd_group() * rd_lanes() + rd_lane(), sv_step = rd_groups() * rd_lanes();
    for (rd_u64 i = sv_first; i < seed_count; i += sv_step) {
        const rd_u32 v = seed_vertex(seed_list, seed_count, seed_stride, (rd_u32)i);
        const deque d = svertex_deque(&sv_context, (rd_u32)i % seed_takers, 0);
        deque_set(&d, (rd_u32)i / seed_takers, 0, v);
        if (!RD_ROUNDS)
            rd_st_rlx(&sv_queued[v], 1); /* read by other launches */
    }
    for (rd_u32 g = sv_first; g < seed_takers && g < seed_count; g += sv_step) {
        const deque d = svertex_deque(&sv_context, g, 0);
        const rd_u32 count = (seed_count - g - 1) / seed_takers + 1;
        d.word[DEQUE_TAIL] = count;
        d.word[SVERTEX_TAIL] = count;
        d.word[SVERTEX_ACTIVE] = 1;
    }
    if (sv_first == 0) {
        sv_control[SVERTEX_PENDING] = seed_count < seed_takers ? seed_count : seed_takers;
        sv_control[SVERTEX_COUNT] = seed_count;
    }
}

#define SVERTEX_KERNELS(k)                                                                                             \
    k(steal_run, SVERTEX_RUN_ARGS) k(steal_level, SVERTEX_LEVEL_ARGS) k(steal_seed, SVERTEX_SEED_ARGS) SEED_KERNELS(k)
rd_kernels(SVERTEX_KERNELS);

#endif
