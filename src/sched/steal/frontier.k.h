/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frontier.k.h - scheduler `steal` for apps whose tasks are vertices, kernel side, in two forms.
 *
 * RD_ROUNDS 0 (`steal`): one deque a group; what a group finds goes to its own deque. It takes its tasks from the head,
 * oldest first, as thieves do: a search that ran its newest task first would go deep and be wrong nearly everywhere.
 *   A vertex waits in one deque at a time (parts/mark.k.h), and each has room for all. Termination: parts/pending.k.h,
 * a unit for each group that has tasks; a thief adds its own before it steals. A group takes from its own deque as a
 * thief does, and may lose to one, or find the lock taken: it took nothing then, but as long as its deque was not empty
 * it has tasks, and keeps its unit.
 *   Vertices of very many edges are shared with all groups (edges/hubs.k.h), which take spans of them before anything
 * else; each brings a unit, so a group may have several, which it hands back together.
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
 *   Going on. Who leaves has run all that it took, so what is left of a level is in the deques, and their ends in
 * memory; group 0 writes the number of that level to LEVEL. A launch after that runs the rest of it, once the host has
 * taken the mark away, and what was added to the count of the next level: its groups add all of theirs again. Should
 * none of the level have been left, they find that out.
 *
 * The edges of what was taken are spread over the lanes (edges/spread.k.h).
 */
#ifndef RD_SCHED_STEAL_FRONTIER_K_H
#define RD_SCHED_STEAL_FRONTIER_K_H

#define SPREAD_HERE 1 /* single tasks are run here, lists of them across */
#include "sched/edges/spread.k.h"
#include "sched/parts/mark.k.h"
#include "sched/parts/pending.k.h"
#include "sched/parts/thief.k.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/seed.k.h"
#include "sched/steal/frontier_layout.k.h"

#if RD_LANES == 1
#define STEAL_FETCH 32 /* most tasks taken at once */
#else
#define STEAL_FETCH RD_LANES
#endif
/* Turns without a task after which a launch with a limit of turns is left. On a GPU that is half a millisecond: a
 * search that begins at one vertex has not reached most groups before, and those that left would be missed until the
 * end. */
#define STEAL_IDLE_TURNS (RD_LANES == 1 ? 16 : 256)
#define STEAL_DEQUES     (1 + RD_ROUNDS) /* a group */

rd_context(steal_ctx, STEAL_ARGS);

#if RD_ROUNDS /* who has done its part of a level waits for others, and cannot help them */
#define STEAL_SPAN(c) 0u
#else
#define STEAL_SPAN(c) ((c)->st_span)
#endif

/* Words of the board, behind the thief's. */
#define SBOARD_OWN   (THIEF_WORDS + 0) /* tasks of the own deque: popped, or there */
#define SBOARD_LEAVE (THIEF_WORDS + 1)
#define SBOARD_TAIL  (THIEF_WORDS + 2)
#define SBOARD_HUBS  (THIEF_WORDS + 3) /* not 0: there may be spans to take */
#define SBOARD_WORDS (THIEF_WORDS + 4)

/* A group; equal in all lanes but where said. */
typedef struct {
    spread s;
    hubs hubs;
    deque now, next; /* next: where what is found goes; without rounds the same */
    thief thief;
    rd_local rd_u32 *board;
    rd_local rd_u32 *inbox; /* STEAL_FETCH words */
    rd_u32 tail, next_tail; /* lane 0 */
    rd_u32 active;          /* units */
    rd_u32 idle_turns, turn, level;
    rd_u32 spans; /* there may be some to take */
    rd_u32 had;   /* tasks of its own deque when it looked last; 0 is certain, for only the group itself adds some */
    rd_u32 tasks; /* lane 0 */
    rd_u64 way;   /* edges after which it makes way */
    rd_u32 won, lost, empty;
} steal_group;

/* The deques of all groups for a level; without rounds there is one. */
rd_fn deque_row steal_deques(const steal_ctx *c, rd_u32 level)
{
    const deque_row row = {c->st_line,
                           c->st_item,
                           c->st_shift,
                           c->st_choices & STEAL_BLOCKING ? DEQUE_BLOCKING : DEQUE_LOCK_FREE,
                           1,
                           STEAL_DEQUES,
                           RD_ROUNDS ? level % 2 : 0};
    return row;
}

/* The two deques of this level. */
rd_fn void steal_turn_to(const steal_ctx *c, steal_group *g)
{
    const deque_row now = steal_deques(c, g->level), next = steal_deques(c, g->level + 1);
    g->now = deque_at(&now, rd_group());
    g->next = deque_at(&next, rd_group());
    g->tail = g->now.word[STEAL_TAIL];
    g->next_tail = g->next.word[STEAL_TAIL];
}

/* ---- Taking ---- */

/* Fills the inbox from the own deque or a victim's. @return how many. */
rd_fn rd_u32 steal_take(const steal_ctx *c, steal_group *g)
{
    const deque_row row = steal_deques(c, g->level);
    const rd_u32 how = RD_ROUNDS ? THIEF_IN_TURN : c->st_choices & STEAL_NEAREST ? THIEF_NEAREST : THIEF_RANDOM;
    theft now = theft_new();
    rd_u32 score = 0;
    if (rd_lane() == 0) {
        const rd_u32 open = hubs_ask(&g->hubs);
        g->board[SBOARD_OWN] = RD_ROUNDS ? deque_pop(&g->now, &g->tail, STEAL_FETCH) : deque_size(&g->now, g->tail);
        g->board[SBOARD_TAIL] = g->tail;
        g->board[SBOARD_HUBS] = open;
    }
    rd_barrier(); /* the board is complete */
    const rd_u32 own = g->board[SBOARD_OWN], pop = RD_ROUNDS ? own : 0, self = !pop && own;
    g->spans = g->hubs.span && g->board[SBOARD_HUBS];
    for (rd_u32 i = rd_lane(); i < pop; i += rd_lanes())
        g->inbox[i] = deque_get(&g->now, g->board[SBOARD_TAIL] + i, 0);
    const rd_u32 looks = !own && rd_groups() > 1 && !(c->st_choices & STEAL_NO_THEFT);
    if (looks && rd_lane() < THIEF_PROBES)
        score = thief_look(&g->thief, &now, &row, how);
    thief_choose(&now, g->s.scratch, score);
    if (self)
        thief_choose_own(&now);
    if (now.acts && thief_open(&g->thief, &now, &row, STEAL_FETCH, self) && !g->active)
        pending_raise(&c->st_control[STEAL_PENDING], 1); /* before the theft */
    rd_u32 won = 0;
    const rd_u32 taken = thief_fetch(&g->thief, &now, &row, self || now.best, g->inbox, &won);
    g->won += now.acts && won && !self;
    g->lost += now.acts && !won && !self;
    const rd_u32 count = pop ? pop : taken && g->board[THIEF_WON] ? taken : 0;
    g->active = g->active || !taken ? g->active : 1;
    g->had = own;
    g->empty += rd_lane() == 0 && !own && !now.best;
    thief_settle(&g->thief, &now, looks);
#if !RD_ROUNDS
    for (rd_u32 i = rd_lane(); i < count; i += rd_lanes())
        mark_clear(&c->st_queued[g->inbox[i]]);
#endif
    return count;
}

/* ---- Giving ---- */

/* Moves the stash to the deque. */
rd_fn void steal_give(const steal_ctx *c, steal_group *g)
{
    rd_u32 count = 0, all = 0;
    if (!RD_ROUNDS && g->s.stashed)
        rd_fence_rel(); /* what the tasks will find is there before their marks */
    for (rd_u32 i = rd_lane(); i < g->s.stashed; i += rd_lanes()) {
        const rd_u32 v = g->s.stash[i];
#if RD_ROUNDS
        const rd_u32 goes = 1;
#else
        const rd_u32 goes = mark_set(&c->st_queued[v]);
#endif
        if (goes) {
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

#if RD_CORE && defined(RD_APP_RANKS) && !RD_ROUNDS
/* Of what was taken, tasks above the mean rank go back, behind all others ("large label last": D. Bertsekas, 1993).
 * Without an order a wrong distance runs ahead of its correction as fast as that follows, for ever: on a ladder a
 * vertex is then run a thousand times. Only while the group runs more than it gives for the first time: in a forest
 * order is worth nothing. @return how many are left, one at least: none is above the mean if all are alike. */
rd_fn rd_u32 steal_postpone(const rd_app *app, steal_group *g, rd_u32 count)
{
    rd_u64 sum = 0;
    rd_u32 kept = 0;
    if (g->tasks < g->s.fresh + g->s.fresh / 16 + STEAL_FETCH)
        return count;
    for (rd_u32 i = 0; i < count; i++)
        sum += rd_app_rank(app, g->inbox[i]);
    for (rd_u32 i = 0; i < count; i++) {
        const rd_u32 v = g->inbox[i];
        if ((rd_u64)rd_app_rank(app, v) * count > sum && (kept || i + 1 < count)) /* ranks may have changed since */
            g->s.stash[g->s.stashed++] = v;
        else
            g->inbox[kept++] = v;
    }
    return kept;
}
#else
#define steal_postpone(app, g, count) (count)
#endif

#if RD_CORE && !RD_ROUNDS
/* Somebody waits: a core puts the tasks of its inbox from `at` on back, all but one, if there is room for those and for
 * what that one gives. @return how many are left. */
rd_fn rd_u32 steal_put_back(steal_group *g, rd_u32 at, rd_u32 count)
{
    if (g->s.stashed + STEAL_FETCH + SPREAD_ROOM > SPREAD_STASH)
        return count;
    for (rd_u32 i = at + 1; i < count; i++)
        g->s.stash[g->s.stashed++] = g->inbox[i];
    return at < count ? at + 1 : count;
}
#else
#define steal_put_back(g, at, count) (count)
#endif

/* Runs the tasks of the inbox, or the span that is the only member. */
rd_fn void steal_tasks(const steal_ctx *c, const rd_app *app, steal_group *g, rd_u32 taken, rd_u32 of_span,
                       rd_global const rd_u32 *stop)
{
    rd_u32 count = steal_postpone(app, g, taken), ends = of_span ? 1 : count;
    for (rd_u32 at = 0; at < ends; at += rd_lanes()) {
        if (RD_CORE && !RD_ROUNDS && at && rd_asked(stop)) /* partner: the host */
            ends = count = steal_put_back(g, at, count);
#if RD_CORE /* all but the last, up to one that takes tiles, as hubs do; what comes then has room too */
        if (count - at > 1)
            at += spread_list(&g->s, app, c->st_row, c->st_col, g->inbox + at, count - at - 1,
                              SPREAD_STASH - 2 * SPREAD_ROOM);
#endif
        const rd_u32 has = at + rd_lane() < count;
        rd_u32 tiles = of_span;
        rd_once(!of_span) {
            tiles = spread_members(&g->s, app, c->st_row, has, has ? g->inbox[at + rd_lane()] : 0, &g->hubs);
            rd_barrier(); /* the members are complete */
        }
        for (rd_u32 tile = 0; tile == 0 || tile < tiles; tile++) {
            const rd_u32 last = at + rd_lanes() >= ends && tile + 1 >= tiles;
            rd_once(tile < tiles)
                spread_tile(&g->s, app, c->st_col, tile);
            const rd_u32 full = g->s.stashed > SPREAD_STASH - SPREAD_ROOM || (last && g->s.stashed);
            rd_once(full)
                steal_give(c, g);
        }
    }
    g->tasks += rd_lane() == 0 ? count : 0;
}

/* ---- The loop ---- */

/* Lane 0 of a group that has done its part of a level: adds what it found to the next one. */
rd_fn void steal_end_level(const steal_ctx *c, steal_group *g)
{
    rd_global rd_u32 *count = c->st_control + STEAL_COUNT;
    g->now.word[STEAL_TAIL] = g->tail;
    g->next.word[STEAL_TAIL] = g->next_tail;
    if (rd_group() == 0) /* used by the end of the next level; last read before the barrier before this one */
        rd_st_rlx(&count[(g->level + 2) % STEAL_SLOTS], 0);
    rd_add_rlx(&count[(g->level + 1) % STEAL_SLOTS], deque_size(&g->next, g->next_tail)); /* ordered by the barrier */
}

/* Lane 0, after a turn. idle: it brought no task; over: nor will this level. @return whether to leave. */
rd_fn rd_u32 steal_leaves(const steal_ctx *c, steal_group *g, rd_u32 idle, rd_u32 over, rd_u32 stops)
{
    if (idle && g->active)
        pending_lower(&c->st_control[STEAL_PENDING], g->active);
    if (over || (RD_ROUNDS && stops))
        steal_end_level(c, g);
    if (RD_ROUNDS && stops) /* partner: the look at it behind the barrier, which orders them */
        rd_st_rlx(&c->st_control[STEAL_HALT + g->level % STEAL_SLOTS], 1);
    return stops || (!RD_ROUNDS && c->st_limit && (g->turn >= c->st_limit || g->idle_turns > STEAL_IDLE_TURNS)) ||
           (idle && (pending_none(&c->st_control[STEAL_PENDING]) || (c->st_choices & STEAL_NO_THEFT)));
}

#if RD_ROUNDS
/* When the group has done its part of a level, or leaves it. alone: the launch has no other one. @return whether to
 * leave. */
rd_fn rd_u32 steal_next_level(const steal_ctx *c, steal_group *g, rd_grid *all, rd_u32 alone)
{
    rd_once(!alone)
        rd_global_barrier(all);
    const rd_u32 halt = rd_ld_rlx(&c->st_control[STEAL_HALT + g->level % STEAL_SLOTS]);
    g->level += halt ? 0 : 1;
    g->thief.passed = 0; /* there are other deques now */
    steal_turn_to(c, g);
    if (halt && !alone && rd_group() == 0 && rd_lane() == 0) /* all have read it: there was a barrier since */
        c->st_control[STEAL_LEVEL] = g->level;
    /* Partner: what groups added in the level before, which the barrier has ended. */
    return alone || halt || rd_ld_rlx(&c->st_control[STEAL_COUNT + g->level % STEAL_SLOTS]) == 0;
}
#endif

rd_fn void steal_body(const steal_ctx *c, const rd_app *app, rd_global const rd_u32 *stop, steal_group *g)
{
    rd_u32 leave = 0;
    g->level = RD_ROUNDS ? c->st_control[STEAL_LEVEL] : 0; /* written by the launch before */
    steal_turn_to(c, g);
    g->active = RD_ROUNDS ? 1 : g->now.word[STEAL_ACTIVE];
    g->thief = thief_new(g->board, 0);
    g->way = 0;
    g->idle_turns = g->turn = g->had = g->spans = 0;
    g->tasks = g->won = g->lost = g->empty = 0;
#if RD_ROUNDS
    rd_grid all = rd_grid_open(c->st_control + STEAL_GRID, rd_group(), rd_groups());
    const rd_u32 alone = c->st_limit == 1; /* a launch a level: its end is the barrier */
    const rd_u32 late = rd_group_broadcast(g->s.scratch, alone && rd_lane() == 0 ? rd_ld_rlx(stop) : 0, 0);
    leave = late || c->st_control[STEAL_COUNT + g->level % STEAL_SLOTS] == 0; /* likewise */
    if (leave && !late && rd_group() == 0 && rd_lane() == 0) /* launches after the last level pass its zero on */
        rd_st_rlx(&c->st_control[STEAL_COUNT + (g->level + 2) % STEAL_SLOTS], 0);
#endif
    while (!leave) {
        rd_u32 count = 0, span = 0;
        rd_once(g->spans)
            span = spread_span(&g->s, &g->hubs);
        g->active += span != 0; /* its unit */
        rd_once(!span)
            count = steal_take(c, g);
        rd_once(span || count)
            steal_tasks(c, app, g, count, span, stop);
        g->turn++;
        rd_u32 over = RD_ROUNDS && count == 0 && (thief_passed_all(&g->thief) || (c->st_choices & STEAL_NO_THEFT));
        const rd_u32 idle = !RD_ROUNDS && count == 0 && !span && !g->spans && !g->had;
        if (rd_lane() == 0)
            g->board[SBOARD_LEAVE] = steal_leaves(c, g, idle, over, rd_asked(stop)); /* partner: the host */
        g->active = idle ? 0 : g->active;
        g->idle_turns = idle ? g->idle_turns + 1 : 0;
        rd_barrier(); /* whether to leave */
        leave = g->board[SBOARD_LEAVE];
        rd_barrier(); /* read */
#if RD_ROUNDS
        over = over || leave;
        rd_once(over)
            leave = steal_next_level(c, g, &all, alone);
#endif
        if (idle && !leave)
            rd_idle(g->idle_turns, RD_IDLE_SHORT);
        spread_make_way(&g->s, &g->way);
    }
}

rd_fn void steal_stats(const steal_ctx *c, const steal_group *g)
{
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(c->st_control + STEAL_STATS);
    for (rd_u32 i = 0; i < STEAL_COUNTS; i++) {
        const rd_u32 mine = i == STEAL_TASKS    ? g->tasks
                            : i == STEAL_FRESH  ? g->s.fresh
                            : i == STEAL_STEALS ? g->won
                            : i == STEAL_FAILED ? g->lost
                            : i == STEAL_EMPTY  ? g->empty
                                                : 0;
        const rd_u32 sum = rd_group_sum(g->s.scratch, mine);
        if (rd_lane() == 0 && sum)
            rd_add64_rlx(&stats[i], sum); /* partner: the same add in other groups; read by the host */
    }
    if (g->s.edges)
        rd_add64_rlx(&stats[STEAL_EDGES], g->s.edges); /* the same */
}

#define STEAL_RUN_ARGS(buf, arg) STEAL_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

/* Only names with a prefix here: the app's arguments may be called anything else. */
rd_kernel_apart(hot, steal_run, STEAL_RUN_ARGS)
{
    SPREAD_MAKE(st_spread);
    rd_local_array(rd_u32, st_inbox,
                   STEAL_FETCH + 3); /* a load of four words of the board may begin in the last three */
    rd_local_array(rd_u32, st_board, SBOARD_WORDS);
    const steal_ctx st_context = rd_bind(STEAL_ARGS);
    const rd_app st_app = rd_bind(RD_APP_ARGS);
    steal_group st_group;
    st_group.s = st_spread;
    st_group.board = st_board;
    st_group.inbox = st_inbox;
    st_group.hubs = hubs_open(st_hubs, &st_control[STEAL_PENDING], STEAL_SPAN(&st_context));
    if (rd_lane() == 0)
        st_group.s.hint[0] = 0;
    steal_body(&st_context, &st_app, rd_stop_word(), &st_group);
    steal_stats(&st_context, &st_group);
    if (!RD_ROUNDS && rd_lane() == 0) {
        st_group.now.word[STEAL_TAIL] = st_group.tail;
        st_group.now.word[STEAL_ACTIVE] = st_group.active;
    }
}

/* The level that the next launch runs, for a host that does not wait between launches. */
rd_kernel(steal_level, STEAL_LEVEL_ARGS)
{
    if (rd_group() == 0 && rd_lane() == 0)
        st_control[STEAL_LEVEL] = st_level;
}

/* clang-format off */
#define STEAL_SEED_ARGS(buf, arg) STEAL_ARGS(buf, arg) SEED_ARGS(buf, arg) \
    arg(rd_u32, seed_takers) /* groups that get some */
/* clang-format on */

/* Whose a seed is, and which of its tasks. */
typedef struct {
    rd_u32 group, place;
} steal_share;

/* Groups that take their oldest tasks first keep to the order of the seeds, about, if these are dealt in turn. Vertices
 * by number have no order: cores get runs of them, or two would write side by side, and work on neighbours, all the
 * time. The first groups get one more than others, either way. */
rd_fn steal_share steal_deal(rd_u32 seed, rd_u32 seeds, rd_u32 takers, rd_u32 runs)
{
    steal_share share = {seed % takers, seed / takers};
    if (runs && seeds > takers) {
        const rd_u32 shorter = seeds / takers, more = seeds % takers,
                     longer = more * (shorter + 1); /* seeds of these */
        const rd_u32 each = seed < longer ? shorter + 1 : shorter, at = seed < longer ? seed : seed - longer;
        share.group = (seed < longer ? 0 : more) + at / each;
        share.place = at % each;
    }
    return share;
}

/* Deals the seeds. All words but those were filled with 0. */
rd_kernel(steal_seed, STEAL_SEED_ARGS)
{
    const steal_ctx st_context = rd_bind(STEAL_ARGS);
    const deque_row st_deques = steal_deques(&st_context, 0);
    const rd_u32 st_first = rd_group() * rd_lanes() + rd_lane(), st_step = rd_groups() * rd_lanes();
    for (rd_u64 i = st_first; i < seed_count; i += st_step) {
        const rd_u32 v = seed_vertex(seed_list + seed_first, seed_count, seed_stride, (rd_u32)i);
        const steal_share share = steal_deal((rd_u32)i, seed_count, seed_takers, RD_CORE && seed_stride == 1);
        const deque d = deque_at(&st_deques, share.group);
        deque_set(&d, share.place, 0, v);
        if (!RD_ROUNDS)
            rd_st_rlx(&st_queued[v], 1); /* read by other launches */
    }
    for (rd_u32 g = st_first; g < seed_takers && g < seed_count; g += st_step) {
        const deque d = deque_at(&st_deques, g);
        const rd_u32 count = (seed_count - g - 1) / seed_takers + 1;
        d.word[DEQUE_TAIL] = count;
        d.word[STEAL_TAIL] = count;
        d.word[STEAL_ACTIVE] = 1;
    }
    if (st_first == 0) {
        st_control[STEAL_PENDING] = seed_count < seed_takers ? seed_count : seed_takers;
        st_control[STEAL_COUNT] = seed_count;
    }
}

#define STEAL_KERNELS(k)                                                                                               \
    k(steal_run, STEAL_RUN_ARGS) k(steal_level, STEAL_LEVEL_ARGS) k(steal_seed, STEAL_SEED_ARGS) SEED_KERNELS(k)
rd_kernels(STEAL_KERNELS);

#endif
