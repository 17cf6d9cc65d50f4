/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.k.h - scheduler `tiles`, kernel side: a plane of items, cut into square tiles. Each item is a task, which may
 * give further tasks; those stay with the worker that runs it, unless another one steals them. A worker is a group. Its
 * lanes run RD_APP_PACK tasks each at a time. After the ray tracer of a thesis on randomised work stealing (Tesla M2090
 * and Xeon Phi, 2013): tiles go to workers by one of four schemes, and lanes that a finished task leaves idle are
 * refilled from the tasks given.
 *
 *   static    portion p goes to group p mod groups
 *   central   one counter hands out portions
 *   steal     each group owns a range of units; who has none left takes the upper half of another's range, and who
 *             finds none anywhere takes tasks from another's stack (tiles/offers.k.h)
 *   hardware  one group a portion: the device's own scheduler sees to it
 *
 * A portion is a tile, or near the end a part of one (tiles/units.k.h).
 *
 * Turns. In a turn each of the slots = lanes x pack runs at most one task. Tasks given go on a stack of the group's own
 * in device memory; slots take its top, and what it leaves free begins new items: of the span at hand and, when that is
 * nearly used up, of the one that comes after it, so that a span's end leaves no lane idle (TILES_AHEAD). A group
 * fetches the next span only when slots would be idle without: nobody sits on work that it cannot run.
 *
 * Capacity. New items are begun only when the whole stack is under way. Say that items have level 0 and that a task
 * given in a turn has a level one above the least level among the tasks of that turn. The stack's top is taken, so
 * levels do not fall towards the top, and after a turn whose least level was l all tasks above l were given in that
 * turn: at most GIVES x slots. So no level ever has more on the stack. A task's level is at most its depth, so levels
 * are 1 .. D-1, and GIVES x slots x (D-1) places are enough. Nothing can overflow, unless a chain is longer than the
 * app said: what does not fit is dropped then, and the run fails (TILES_DEEP).
 *
 * Stacks. Under `static` and `hardware` there are more groups than stacks. A group claims a free one when it has the
 * first tasks to put there and hands it back when it ends: it waits at most for groups that run. There are more than
 * groups that are resident at a time, if the host knows the number: so the first one it tries is free as a rule.
 *
 * Termination (steal): parts/pending.k.h. LEFT counts units that nobody has taken; one in a thief's hands between two
 * ranges counts. At 0 thieves leave. Until then what they look for is in a range, where they can take all of it, or in
 * the hands of a group that runs. So nobody waits for a group that has not started, and any number of groups may be
 * launched. Where tasks are shared too LEFT counts more: tiles_offers.k.h.
 *
 * What an app brings: model/plane.k.h.
 */
#ifndef RD_SCHED_TILES_K_H
#define RD_SCHED_TILES_K_H

#include "model/plane.k.h"
#include "sched/tiles/group.k.h"
#include "sched/tiles/offers.k.h"
#include "sched/tiles/units.k.h"

/* Whether spans follow each other without a gap. A lane alone has few slots and loses little at a span's end, but its
 * vectors hold neighbouring items only as long as a span is begun at its beginning. */
#define TILES_AHEAD (RD_LANES > 1)

/* Whether there may be more groups than stacks, so that a group has to claim one. */
#define TILES_CLAIMS(c)  ((c)->scheme == TILES_HARDWARE || (c)->scheme == TILES_STATIC)
#define TILES_STOP_EVERY 16 /* turns between two looks at the host's request to stop */

/* ---- Items ---- */

/* Scheme steal, for lane 0: counts what was found, units or one offer, or that it was nothing. empty: the group has
 * nothing to run. */
rd_fn rd_u32 tiles_account(const tiles_ctx *c, tiles_group *g, rd_u32 found, rd_u32 empty)
{
    const rd_u32 waits = !found && empty, held = g->book->holds;
    const rd_u32 less = found ? found - (c->share && !held) : empty && held; /* tiles/offers.k.h */
    if (less)
        pending_lower(&c->control[TILES_LEFT], less);
    g->book->holds = c->share && (found || (held && !empty));
    if (waits != g->book->hungry)
        rd_add_rlx(&c->control[TILES_HUNGRY], waits ? 1 : 0xffffffffu); /* partner: tiles_surplus */
    g->book->hungry = waits;
    const rd_u32 dry = !found && pending_none(&c->control[TILES_LEFT]);
    if (waits && !dry)
        rd_idle(g->book->idle++, RD_IDLE_SHORT);
    g->book->idle = waits ? g->book->idle : 0;
    return dry;
}

/* Scheme steal, by all lanes of a group whose own range is empty: a unit of another's or, where tasks may be stolen and
 * the group has nothing to run, an offer. */
rd_fn void tiles_seek(const tiles_ctx *c, tiles_group *g, rd_u32 empty)
{
    const rd_u32 start = g->board[BOARD_START];
    rd_u32 key = tiles_scan(c, start);
    if (key == 0 && empty && c->share)
        key = tiles_look(c, start);
    key = rd_group_max(g->scratch, key); /* whose barriers: all have read START */
    if (rd_lane() == 0) {
        rd_u32 unit = TILES_NONE, loot = 0;
        if (key >= TILES_KEY_SIZE)
            unit = tiles_steal(c, g, key % TILES_KEY_SIZE);
        else if (key) {
            g->board[BOARD_OWNER] = (start + rd_groups() - key) % rd_groups();
            loot = tiles_claim_offer(c, g, g->board[BOARD_OWNER]);
        }
        g->board[BOARD_LOOT] = loot;
        g->board[BOARD_PORTION] = unit;
        g->board[BOARD_DRY] = tiles_account(c, g, unit != TILES_NONE || loot, empty);
        g->book->taken += unit != TILES_NONE;
        g->book->seed = g->book->seed * 1664525u + 1013904223u;
        g->board[BOARD_START] = (g->book->seed >> 8) % rd_groups();
    }
    rd_barrier(); /* the board is complete */
}

/* stopped: as lane 0 sees it. Sees to a portion when slots would be idle without. Every lane comes by here each turn:
 * group operations stay in step. */
rd_fn rd_u32 tiles_refill(const tiles_ctx *c, tiles_group *g, rd_u32 slots, rd_u32 stopped)
{
    const rd_u32 need =
        !g->dry && (TILES_AHEAD ? g->later.left == 0 : g->now.left == 0) && g->height + g->now.left < slots;
    const rd_u32 empty = g->height + g->now.left == 0;
    if (rd_lane() == 0) {
        rd_u32 dry = g->dry, portion = TILES_NONE, seek = 0;
        g->board[BOARD_UNITS] = 1;
        g->board[BOARD_BACK] = 0;
        if (g->book->spare && g->height >= slots && g->later.left == 0)
            tiles_return(c, g);
        if (need && c->scheme == TILES_STEAL) {
            portion = tiles_take_own(c, g);
            if (portion == TILES_NONE) /* partners: those who change them; groups that wait shall not look at all */
                seek = rd_ld_rlx(&c->control[TILES_UNITS]) || (empty && c->share && rd_ld_rlx(&c->control[TILES_OPEN]));
            if (!seek)
                dry = tiles_account(c, g, portion == TILES_NONE ? 0 : g->board[BOARD_UNITS], empty);
        } else if (need)
            portion = tiles_next(c, g, &dry);
        g->book->taken += portion != TILES_NONE ? g->board[BOARD_UNITS] : 0;
        g->board[BOARD_LOOT] = 0;
        g->board[BOARD_PORTION] = portion;
        g->board[BOARD_DRY] = dry;
        g->board[BOARD_SEEK] = seek;
        g->board[BOARD_STOP] = stopped;
        g->board[BOARD_OFFER] = tiles_surplus(c, g, slots);
    }
    rd_barrier(); /* the board is complete, and so is what the last turn put on the stack */
    const rd_u32 offer = g->board[BOARD_OFFER], stop = g->board[BOARD_STOP];
    rd_once(g->board[BOARD_SEEK])
        tiles_seek(c, g, empty);
    const rd_u32 portion = g->board[BOARD_PORTION];
    g->dry = g->board[BOARD_DRY];
    g->now.left -= g->board[BOARD_BACK] << c->unit;
    g->shared = g->board[BOARD_LOOT] || (g->shared && !empty);
    if (portion != TILES_NONE) {
        const tiles_span span = tiles_open(c, portion, g->board[BOARD_UNITS]);
        if (g->now.left)
            g->later = span;
        else
            g->now = span;
    }
    rd_once(offer != 0)
        tiles_offer(c, g, slots, offer);
    return stop;
}

/* Every second bit of x, packed: items of a tile lie along a Z-curve, so that neighbours run together. */
rd_fn rd_u32 tiles_even_bits(rd_u32 x)
{
    x &= 0x55555555u;
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    return (x | x >> 8) & 0x0000ffffu;
}

/* ---- Tasks ---- */

/* The task of a slot: items first, since their level is the least, then the top of the stack, or an offer. kept: tasks
 * that stay on the stack. */
rd_fn rd_u32 tiles_pick(const tiles_ctx *c, const rd_app *app, const tiles_group *g, rd_u32 slot, rd_u32 items,
                        rd_u32 kept, rd_u32 count, rd_task *task)
{
    task->a.x = task->a.y = task->a.z = task->a.w = 0.0f;
    task->b = task->a;
    if (slot < items) {
        const rd_u32 k = slot < g->now.left ? g->now.item + slot : g->later.item + slot - g->now.left;
        const rd_u32 in = k & ((1u << 2 * c->shift) - 1), tile = k >> 2 * c->shift;
        const rd_u32 tx = tile % c->across, ty = tile / c->across;
        const rd_u32 x = (tx << c->shift) + tiles_even_bits(in), y = (ty << c->shift) + tiles_even_bits(in >> 1);
        if (x >= c->columns || y >= c->rows)
            return 0; /* a tile may hang over the border */
        *task = rd_app_item(app, x, y);
        return 1;
    }
    if (slot - items >= count)
        return 0;
    rd_global const rd_f32x4 *from = tiles_place(c, g, kept + slot - items);
    if (g->board[BOARD_LOOT]) /* no items then */
        from = c->offered + 2 * ((rd_u64)rd_lanes() * RD_APP_PACK * g->board[BOARD_OWNER] + slot);
    task->a = from[0];
    task->b = from[1];
    return 1;
}

/* Items that were begun. */
rd_fn void tiles_pass(tiles_group *g, rd_u32 items)
{
    const rd_u32 first = items < g->now.left ? items : g->now.left;
    g->now.item += first;
    g->now.left -= first;
    g->later.item += items - first;
    g->later.left -= items - first;
    if (g->now.left == 0) {
        g->now = g->later;
        g->later.left = 0;
    }
}

/* Where there are more groups than stacks: one for this group, which is about to need it; for lane 0. */
rd_fn rd_u32 tiles_claim(const tiles_ctx *c)
{
    rd_u32 at = rd_group() % c->stacks;
    while (rd_cas_acq(&c->claim[at], 0, 1)) /* partner: the store in tiles_leave */
        at = at + 1 < c->stacks ? at + 1 : 0;
    return at;
}

/* One task a slot: takes them, runs them, puts what they give on the stack. */
rd_fn void tiles_turn(const tiles_ctx *c, const rd_app *app, tiles_group *g, rd_u32 slots)
{
    const rd_u32 from_stack = g->height < slots ? g->height : slots, kept = g->height - from_stack;
    const rd_u32 room = slots - from_stack, loot = g->board[BOARD_LOOT], count = loot ? loot : from_stack;
    const rd_u32 ahead = g->now.left + g->later.left, items = ahead < room ? ahead : room;
    const rd_u32 stack = g->board[BOARD_STACK]; /* read before the scan's barriers, written behind them */
    rd_task task[RD_APP_PACK];
    rd_u32 has[RD_APP_PACK], mine = 0, all = 0; /* tasks given, and above 16 bits tasks run */
    rd_given out;
    RD_UNROLL
    for (rd_u32 p = 0; p < RD_APP_PACK; p++) {
        has[p] = tiles_pick(c, app, g, rd_lane() * RD_APP_PACK + p, items, kept, count, &task[p]);
        mine += has[p] << 16;
    }
    rd_app_tasks(app, &out, task, has, g->shared);
    RD_UNROLL
    for (rd_u32 p = 0; p < RD_APP_GIVES * RD_APP_PACK; p++)
        mine += out.given[p];
    /* The scan's barriers: all lanes have read their tasks before anyone writes over them. */
    rd_u32 next = kept + (rd_group_scan(g->scratch, mine, &all) & 0xffffu);
    rd_once(stack == TILES_NONE && (all & 0xffffu)) {
        if (rd_lane() == 0)
            g->board[BOARD_STACK] = tiles_claim(c);
        rd_barrier(); /* the group has a stack */
    }
    RD_UNROLL
    for (rd_u32 p = 0; p < RD_APP_GIVES * RD_APP_PACK; p++)
        if (out.given[p] && next < c->capacity) { /* else a chain is longer than the app says: TILES_DEEP */
            rd_global rd_f32x4 *to = tiles_place(c, g, next++);
            to[0] = out.task[p].a;
            to[1] = out.task[p].b;
        }
    const rd_u32 height = kept + (all & 0xffffu);
    g->height = height < c->capacity ? height : c->capacity;
    if (rd_lane() == 0) {
        if (g->board[BOARD_LOOT])
            rd_st_rel(&c->offers[g->board[BOARD_OWNER]], 0); /* partner: the owner's look in tiles_surplus */
        g->book->tasks += all >> 16;
        g->book->given += all & 0xffffu;
        g->book->turns += all >> 16 ? 1 : 0;
        g->book->high = height > g->book->high ? height : g->book->high;
    }
    tiles_pass(g, items);
}

/* ---- The kernel ---- */

rd_fn void tiles_begin(const tiles_ctx *c, rd_local tiles_book *book)
{
    book->tasks = book->given = book->stolen = 0;
    book->own = c->scheme == TILES_STEAL ? rd_ld64_rlx(&c->range[rd_group()]) : 0; /* partners: thieves' swaps */
    book->next = rd_group();
    book->seed = rd_group() * 2654435761u + 12345u;
    book->spare = book->holds = book->hungry = book->idle = 0;
    book->taken = book->back = book->steals = book->attempts = book->turns = book->high = 0;
}

/* For lane 0, when the group's last tasks are done. */
rd_fn void tiles_leave(const tiles_ctx *c, rd_local const tiles_book *book, rd_u32 at, rd_u32 slots)
{
    rd_global rd_u64 *counts = c->counts + TILES_STRIPE * (rd_group() % TILES_STRIPES);
    if (TILES_CLAIMS(c) && at != TILES_NONE)
        rd_st_rel(&c->claim[at], 0); /* partner: tiles_claim; the scan's barriers had all lanes leave the stack */
    if (c->scheme != TILES_HARDWARE)
        rd_max_rlx(&c->control[TILES_MOST], book->turns); /* the host reads it after the launch; so too what follows */
    rd_add64_rlx(&counts[TILES_TASKS], book->tasks);
    rd_add64_rlx(&counts[TILES_TAKEN], book->taken);
    rd_add64_rlx(&counts[TILES_TURNS], book->turns);
    rd_add64_rlx(&counts[TILES_PLACES], (rd_u64)book->turns * slots);
    if (book->given) {
        rd_add64_rlx(&counts[TILES_GIVEN], book->given);
        rd_add64_rlx(&counts[TILES_HIGH], book->high);
        if (book->high > c->capacity)
            rd_max_rlx(&c->control[TILES_DEEP], book->high);
    }
    if (book->back)
        rd_add64_rlx(&counts[TILES_BACK], book->back);
    if (book->attempts) {
        rd_add64_rlx(&counts[TILES_STEALS], book->steals);
        rd_add64_rlx(&counts[TILES_ATTEMPTS], book->attempts);
        rd_add64_rlx(&counts[TILES_STOLEN], book->stolen);
    }
}

rd_kernel(tiles_run, TILES_KERNEL_ARGS)
{
    rd_local_array(rd_u32, board, BOARD_WORDS);
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(tiles_book, book, 1);
    const tiles_ctx c = rd_bind(TILES_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rd_u32 slots = rd_lanes() * RD_APP_PACK;
    tiles_group g;
    g.board = board;
    g.scratch = scratch;
    g.book = book;
    g.now.item = g.now.left = 0;
    g.later = g.now;
    g.bottom = g.height = g.shared = g.dry = 0;
    if (rd_lane() == 0) {
        tiles_begin(&c, book);
        board[BOARD_STACK] = TILES_CLAIMS(&c) ? TILES_NONE : rd_group();
        board[BOARD_START] = board[BOARD_OWNER] = rd_group();
    }
    rd_barrier();
    rd_u32 stop = 0;
    for (rd_u32 turn = 0; !stop; turn++) { /* equal in all lanes */
        const rd_u32 looks = rd_lane() == 0 && turn % TILES_STOP_EVERY == 0;
        stop = tiles_refill(&c, &g, slots, looks ? rd_asked(rd_stop_word()) : 0);
        tiles_turn(&c, &app, &g, slots);
        stop |= g.dry && g.now.left == 0 && g.height == 0;
    }
    if (rd_lane() == 0)
        tiles_leave(&c, book, board[BOARD_STACK], slots);
}

#define TILES_KERNELS(k) k(tiles_run, TILES_KERNEL_ARGS)
rd_kernels(TILES_KERNELS);

#endif
