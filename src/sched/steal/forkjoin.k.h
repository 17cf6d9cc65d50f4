/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkjoin.k.h - scheduler `steal` for apps of tasks, kernel side: randomised work stealing (R. Blumofe and C.
 * Leiserson, 1999), by groups. Each lane runs its own stack of tasks, depth first (forkjoin/frames.k.h); each group has
 * a deque (parts/deque.k.h). Now and then, after up to `steps` tasks a lane, the group takes a turn:
 *   - lanes with tasks to spare give their oldest one, or several where few lanes have any: to lanes of the group that
 *     have none, else, when the deque is low, to the deque, for other groups. Groups of many lanes do so only while
 *     some group hungers, which a shared word counts (steal_hunger): what lies in a deque costs its owner a shared
 *     frame and a trip through memory, and most of it is never stolen;
 *   - lanes without a task take from those, from the own deque, from the seeds, and at last from the deque of a victim:
 *     up to 32 lanes look at one random group each, or at the nearest ones, and the group steals what the best of them
 *     has, but no more than it has lanes to run it. A core, which has two tasks there at most, leaves half.
 * So the atomics of a deque are paid once a turn and group, not once a task, and what moves is the oldest task of a
 * stack, from which most others come.
 *
 * Nothing overflows. What does not fit a deque stays on its stack. A lane whose stack has no room for the children of
 * one more task runs nothing and gives its oldest tasks to the deque as long as that has room. When this does not help,
 * or a lane finds no frame, it says so in NEED, and all groups leave; their lanes' state is in device memory. The host
 * makes the buffer larger and launches again. A launch with a limit of turns (discrete) ends and goes on in the same
 * way.
 *
 * Termination: parts/pending.k.h. A unit for each group that is active, and one while seeds are left. A group is active
 * from before it takes seeds or closes a theft, and as long as its lanes or its deque have a task.
 *
 * Nobody waits for a group that has not started: it is not active (unless its seeds were dealt in a block, or the
 * launch goes on with an earlier one; the host sees to it that all groups run at once then, or limits the turns).
 */
#ifndef RD_SCHED_STEAL_K_H
#define RD_SCHED_STEAL_K_H

#include "sched/forkjoin/frames.k.h"

RD_COLD_BEGIN /* what follows runs once a turn */
#include "sched/steal/forkjoin_group.k.h"

/* ---- The turn: lane 0 decides ---- */

/* Writes to the board what the lanes are to do. */
rd_fn void steal_plan(const steal_ctx *c, steal_group *g, rd_u32 stopped)
{
    /* Asked for together, before the first is waited for: where few lanes have tasks, a turn is mostly such waits.
     * Partners: the additions of steal_hunger, that of steal_take_seeds, the `or` in steal_body. */
    const rd_u32 hungry = RD_LANES == 1 ? 1 : rd_ld_rlx(&c->st_control[STEAL_HUNGRY]);
    const rd_u32 seed = g->lacking ? rd_ld_rlx(&c->st_control[STEAL_SEED]) : 0;
    const rd_u32 need = rd_ld_rlx(&c->st_control[STEAL_NEED]);
    const rd_u32 room = (1u << c->st_deque_shift) - deque_size(&g->own, g->tail),
                 size = (1u << c->st_deque_shift) - room, hoard = hungry ? STEAL_LOW : 0;
    const rd_u32 low = g->crowded ? room : size < hoard && rd_groups() > 1 ? hoard - size : 0;
    rd_u32 want = g->lacking - g->swaps, spare = g->sparing - g->swaps;
    rd_u32 pop = 0, block = g->block, deal = 0;
    g->board[BOARD_SEED] = g->board[BOARD_SEEDED] = 0;
    if (want && size)
        pop = deque_pop(&g->own, &g->tail, want);
    want -= pop;
    if (want && g->block_end - block) {
        const rd_u32 n = g->block_end - block < want ? g->block_end - block : want;
        g->board[BOARD_SEED] = block;
        g->board[BOARD_SEEDED] = n;
        block += n;
    } else if (want && !(c->st_choices & STEAL_BLOCKS)) {
        rd_u32 from = 0;
        g->board[BOARD_SEEDED] = steal_take_seeds(c, want, seed, &g->active, &from);
        g->board[BOARD_SEED] = from;
    }
    spare = pop ? 0 : spare < low ? spare : low; /* popped slots are still to be read */
    spare = spare < room ? spare : room;
    if (!pop && !spare && low) {
        deal = g->block_end - block < low ? g->block_end - block : low;
        deal = deal < room ? deal : room;
        deal = deal < rd_lanes() ? deal : rd_lanes();
    }
    g->board[BOARD_POP] = pop;
    g->board[BOARD_LOW] = size - pop < hoard;
    g->board[BOARD_TAIL] = g->tail;
    g->board[BOARD_PUSH] = spare;
    g->board[BOARD_DEAL] = deal;
    g->board[BOARD_BLOCK] = block + deal;
    g->board[BOARD_ACTIVE] = g->active;
    rd_u32 leave = stopped | need;
    if (!g->active && g->lacking == rd_lanes())
        leave |= pending_none(&c->st_control[STEAL_PENDING]) || (c->st_choices & STEAL_NO_THEFT) != 0;
    if (c->st_turns)
        leave |= g->turn >= c->st_turns || g->idle_turns >= STEAL_IDLE_TURNS;
    g->board[BOARD_LEAVE] = leave != 0;
}

/* ---- The loop ---- */

/* What a group has in hand from one turn to the next; equal in all lanes but `stuck`. */
typedef struct {
    rd_u32 pace;   /* tasks a lane runs before the next turn */
    rd_u32 stuck;  /* turns that this lane has had no room */
    rd_u32 wanted; /* someone wants tasks */
    rd_u32 many;   /* most tasks that a lane gives in a turn */
    rd_u32 low;    /* the deque has little */
    rd_u32 leave;
} steal_turn;

rd_fn steal_group steal_open(const steal_ctx *c, const deque_row *row, rd_local rd_u32 *scratch, rd_local rd_u32 *board,
                             rd_local rd_u32 *gift)
{
    steal_group g;
    g.own = deque_at(row, rd_group());
    g.scratch = scratch;
    g.board = board;
    g.gift = gift;
    g.tail = g.own.word[STEAL_OWN_TAIL];
    g.active = g.own.word[STEAL_ACTIVE];
    g.block = g.own.word[STEAL_BLOCK];
    g.block_end = g.own.word[STEAL_BLOCK_END];
    g.thief = thief_new(board + BOARD_THIEF, g.own.word[STEAL_RANDOM]);
    g.idle_turns = g.turn = g.starves = 0;
    RD_UNROLL
    for (rd_u32 i = 0; i < STEAL_COUNTS; i++)
        g.count[i] = 0;
    return g;
}

/* Who has no task, who can give some, and how many go from lane to lane. */
rd_fn void steal_census(steal_group *g, rd_worker *w, const steal_turn *t, rd_u32 busy, rd_u32 gives)
{
    const rd_u32 load = w->top - w->bottom;
    rd_u32 all = 0;
    const rd_u32 before =
        rd_group_scan(g->scratch, (rd_u32)(busy == 0) | gives << 11 | (rd_u32)(t->stuck != 0) << 22, &all);
    w->deepest = load > w->deepest ? load : w->deepest;
    g->lacking = all & 2047;
    g->sparing = all >> 11 & 2047;
    g->crowded = all >> 22;
    g->idle_rank = before & 2047;
    g->rank = before >> 11 & 2047;
    g->swaps = RD_LANES == 1 ? 0 : g->sparing < g->lacking ? g->sparing : g->lacking; /* one lane: never both */
    g->swaps = g->swaps < STEAL_GIFTS ? g->swaps : STEAL_GIFTS;
    /* Where there is little, some of it is for other groups: they can spread it while this one cannot. */
    const rd_u32 abroad = t->low && rd_groups() > 1 ? g->sparing / 4 : 0;
    g->swaps = g->swaps < g->sparing - abroad ? g->swaps : g->sparing - abroad;
}

/* Does what the board says: gives, deals and receives. @return how many tasks came to the deque. */
rd_fn rd_u32 steal_share(const rd_app *app, steal_group *g, rd_worker *w, rd_u32 busy, rd_u32 gives)
{
    const rd_u32 push = g->board[BOARD_PUSH], deal = g->board[BOARD_DEAL];
    g->tail = g->board[BOARD_TAIL];
    g->active = g->board[BOARD_ACTIVE];
    const rd_u32 taken = g->swaps + push > g->rank ? g->swaps + push - g->rank : 0; /* of all from this lane on */
    steal_give(g, w, gives < taken ? gives : taken);
    if (rd_lane() < deal)
        steal_deal(app, g, g->board[BOARD_BLOCK] - deal + rd_lane(), g->tail + rd_lane());
    rd_barrier(); /* gifts and items are complete */
    if (push + deal && rd_lane() == 0)
        deque_push(&g->own, &g->tail, push + deal);
    g->block = g->board[BOARD_BLOCK];
    if (busy == 0)
        steal_receive(app, g, w);
    return push + deal;
}

/* Steals for `hungry` lanes, those from number `found` on of the idle ones. @return whether it got something. */
rd_fn rd_u32 steal_theft(const steal_ctx *c, steal_group *g, rd_worker *w, rd_u32 busy, rd_u32 found, rd_u32 hungry)
{
    const deque_row row = steal_deques(c);
    theft now = theft_new();
    rd_u32 score = 0;
    if (rd_lane() < THIEF_PROBES)
        score = thief_look(&g->thief, &now, &row, c->st_choices & STEAL_NEAREST ? THIEF_NEAREST : THIEF_RANDOM);
    thief_choose(&now, g->scratch, score);
    if (now.acts && thief_open(&g->thief, &now, &row, hungry, RD_LANES > 1))
        steal_activate(c, g); /* before the theft, not after */
    rd_barrier();             /* the thief's words are complete */
    const rd_u32 stolen = now.best ? g->thief.board[THIEF_TAKEN] : 0;
    const rd_u32 mine = busy == 0 && g->idle_rank >= found && g->idle_rank - found < stolen;
    rd_u32 parent = TASK_ROOT;
    if (mine)
        parent = steal_copy(c, g, w, g->idle_rank - found);
    rd_barrier(); /* copied */
    if (now.acts) {
        const rd_u32 mark = thief_close(&g->thief, &now, &row, stolen);
        g->count[STEAL_STEALS] += mark;
        g->count[STEAL_FAILED] += 1 - mark;
        g->count[STEAL_STOLEN] += mark ? stolen : 0;
    }
    rd_barrier(); /* won or lost */
    const rd_u32 won = stolen ? g->thief.board[THIEF_WON] : 0;
    thief_settle(&g->thief, &now, 1);
    if (mine && won)
        task_accept(w, parent);
    g->active = g->active || stolen;
    if (rd_lane() == 0)
        g->count[STEAL_EMPTY] += !now.best;
    return won;
}

/* Tells owners whether most lanes of this group want tasks that nobody has in a deque. */
rd_fn void steal_hunger(const steal_ctx *c, steal_group *g, rd_u32 starves)
{
#if RD_LANES > 1
    if (starves != g->starves && rd_lane() == 0)
        rd_add_rlx(&c->st_control[STEAL_HUNGRY], starves ? 1 : ~0u); /* partner: the look in steal_plan */
    g->starves = starves;
#endif
}

/* How the next turn shall be. */
rd_fn void steal_adapt(const steal_ctx *c, const steal_group *g, steal_turn *t)
{
    t->low = g->board[BOARD_LOW];
    t->wanted = g->lacking || (t->low && rd_groups() > 1);
    /* One task of each lane, which is the largest it has, as long as there are enough lanes that can give. */
    const rd_u32 needed = g->lacking + (t->low ? STEAL_LOW : 0);
    t->many = g->sparing < needed ? STEAL_MANY : g->sparing < 2 * needed ? t->many : 1;
    /* Look after lanes without a task soon, and after thieves that took what there was. */
    const rd_u32 slower = t->pace > STEAL_LEAST_STEPS ? t->pace / 2 : t->pace, faster = 2 * t->pace + 1;
    t->pace = 2 * g->lacking > rd_lanes()   ? 1
              : 4 * g->lacking > rd_lanes() ? STEAL_FEW_STEPS
              : t->low && rd_groups() > 1   ? slower
              : faster < c->st_steps        ? faster
                                            : c->st_steps;
}

/* Writes down what the next launch goes on with, and what was counted. */
rd_fn void steal_close(const steal_ctx *c, const steal_group *g, const rd_worker *w)
{
    steal_sleep(c, w);
    rd_once(c->st_choices & STEAL_TRACED)
        steal_tell_waiting(c, g->scratch, w->top - w->bottom - frame_count(w));
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(c->st_control + STEAL_STATS);
    RD_UNROLL
    for (rd_u32 i = STEAL_STEALS; i < STEAL_COUNTS; i++) {
        const rd_u32 sum = rd_group_sum(g->scratch, g->count[i]);
        if (rd_lane() == 0 && sum)
            rd_add64_rlx(&stats[i], sum); /* partner: the same add in other groups; read by the host */
    }
    steal_account(c, w, g->scratch);
    if (rd_lane() == 0) {
        g->own.word[STEAL_OWN_TAIL] = g->tail;
        g->own.word[STEAL_ACTIVE] = g->active;
        g->own.word[STEAL_BLOCK] = g->block;
        g->own.word[STEAL_RANDOM] = g->thief.random;
    }
}

rd_fn void steal_body(const steal_ctx *c, const rd_app *app, rd_global const rd_u32 *stop, rd_local rd_u32 *scratch,
                      rd_local rd_u32 *board, rd_local rd_u32 *gift)
{
    const deque_row row = steal_deques(c);
    const frame_pool pool = {c->st_control + STEAL_FRAMES, c->st_control + STEAL_LEFT, c->st_control + STEAL_LOCK,
                             c->st_frames};
    rd_worker w = steal_wake(c);
    steal_group g = steal_open(c, &row, scratch, board, gift);
    steal_turn t = {STEAL_FEW_STEPS, 0, 1, STEAL_MANY, 1, 0};
    const rd_u32 may = rd_may_be_asked(stop); /* looked up once: a turn of few tasks is not longer than a few loads */
    while (!t.leave) {
        t.stuck = task_steps(app, &w, task_pace(t.pace, may), &pool, stop, may) ? t.stuck + 1 : 0;
        const rd_u32 framed = t.wanted || t.stuck ? frame_prepare(&w, &pool, STEAL_PROMOTIONS) : 1;
        if (!framed || w.deepest == TASK_TOO_MANY || t.stuck > STEAL_PATIENCE) /* partner: the look in steal_plan */
            rd_or_rlx(&c->st_control[STEAL_NEED], steal_need(&w, framed));
        const rd_u32 busy = w.top - w.bottom + (w.ready != TASK_NONE), gives = task_spare(&w, t.many);
        steal_census(&g, &w, &t, busy, gives);
        if (rd_lane() == 0)
            steal_plan(c, &g, rd_asked_if(stop, may));
        rd_barrier(); /* the board is complete */
        t.leave = board[BOARD_LEAVE];
        const rd_u32 shared = steal_share(app, &g, &w, busy, gives);
        const rd_u32 found = g.swaps + board[BOARD_POP] + board[BOARD_SEEDED];
        const rd_u32 hungry = g.lacking - found;
        const rd_u32 looks = hungry && !t.leave && rd_groups() > 1 && !(c->st_choices & STEAL_NO_THEFT);
        rd_u32 won = 0;
        rd_once(looks) /* equal in all lanes; a turn without it is four barriers shorter */
            won = steal_theft(c, &g, &w, busy, found, hungry);
        g.thief.passed = looks ? g.thief.passed : 0; /* it may be the nearest's turn again */
        steal_hunger(c, &g, looks && !won && 2 * hungry > rd_lanes());

        /* Has the group any task now? Its deque is empty when it could not serve a lane. */
        const rd_u32 idle = g.lacking == rd_lanes() && found == 0 && !won && g.block == g.block_end;
        if (idle && g.active && rd_lane() == 0)
            pending_lower(&c->st_control[STEAL_PENDING], 1);
        g.active = idle ? 0 : g.active;
        g.idle_turns = idle ? g.idle_turns + 1 : 0;
        g.turn++;
        if (rd_lane() == 0) {
            g.count[STEAL_SHARED] += shared;
            g.count[STEAL_SWAPS] += g.swaps;
        }
        if (idle && !t.leave)
            rd_idle(g.idle_turns, STEAL_REST);
        steal_adapt(c, &g, &t);
    }
    steal_hunger(c, &g, 0);
    steal_close(c, &g, &w);
}

/* Registers for so many lanes of a unit. Left to itself the compiler of sm_90 keeps some in memory for the sake of more
 * groups, or has room for fewer, by chance: 64 to 127 for the same program with a line changed. */
#undef RD_BOUNDS
#define RD_BOUNDS RD_BOUNDS_FOR(768)

/* Only names with a prefix here: the app's arguments may be called anything else. */
rd_kernel_apart(Og, steal_run, STEAL_RUN_ARGS)
{
    rd_local_array(rd_u32, st_scratch, RD_SCRATCH);
    rd_local_array(rd_u32, st_board, BOARD_WORDS);
    rd_local_array(rd_u32, st_gift, STEAL_GIFTS * TASK_ENTRY);
    const steal_ctx st_context = rd_bind(STEAL_ARGS);
    const rd_app st_app = rd_bind(RD_APP_ARGS);
    steal_body(&st_context, &st_app, rd_stop_word(), st_scratch, st_board, st_gift);
}

rd_kernels(STEAL_KERNELS);
RD_COLD_END

#endif
