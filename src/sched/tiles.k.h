/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.k.h - scheduler `tiles`, kernel side: a plane of items, cut into square tiles. Each item is a task, which may
 * give further tasks; those stay with the worker that runs it. A worker is a group. Its lanes run RD_APP_PACK tasks
 * each at a time. After the ray tracer of a thesis on randomised work stealing (Tesla M2090 and Xeon Phi, 2013): tiles
 * go to workers by one of four schemes, and lanes that a finished task leaves idle are refilled from the tasks given.
 *
 *   static    tile t goes to group t mod groups
 *   central   one counter hands out tiles
 *   steal     each group owns a range of units, which are parts of tiles just large enough for its lanes; who has none
 *             left takes the upper half of another's range
 *   hardware  one group a tile: the device's own scheduler sees to it
 *
 * Tasks given go on a stack of the group's own in device memory; lanes take its top. New items are begun only when the
 * whole stack is under way, so the stack stays short:
 *   Capacity. Tasks lie in the order of their depth, since lanes take from the top in that order and put what they give
 * back in the same order. After a step whose shallowest task had depth d, all tasks deeper than d were given in that
 * step: at most GIVES x slots, where slots = lanes x pack. So at any time no depth has more than GIVES x slots tasks on
 * the stack, and depths are 1 .. D-1: GIVES x slots x (D-1) places are enough. Nothing can overflow.
 *
 * Deques (steal). A range [head, tail) is one 64-bit word. The owner takes the unit at head, a thief the upper half,
 * both by compare-and-swap of the whole word. Units are numbers without data behind them, so all orders are relaxed. A
 * word that was away and came back is no danger (ABA): it names the same units, and if it is there they are still to be
 * taken, because each unit is in one word only. Only its owner writes to an empty deque. Neighbours in a range are
 * rd_groups() units apart in the plane: so what all groups run at a time lies together, and caches serve it better.
 *   Termination. LEFT counts units that nobody has taken; one in a thief's hands between two deques counts. At 0
 * thieves leave. Until then what they look for is in a deque, where they can take all of it, or in the hands of a group
 * that runs. So nobody waits for a group that has not started, and any number of groups may be launched.
 *
 * What an app brings: rd_task, two rd_f32x4 (a, b); RD_APP_GIVES, at most 2; RD_APP_PACK;
 *   rd_app_item(app, x, y)          the first task of an item
 *   rd_app_tasks(app, out, task, has)   runs the tasks of a lane, RD_APP_PACK of them where has[i]; what they give goes
 *                                   to out->task[GIVES * i + 0 or 1] with out->given of that place set
 */
#ifndef RD_SCHED_TILES_K_H
#define RD_SCHED_TILES_K_H

#include "raddle/kernel.h"
#include "sched/tiles_layout.k.h"

#define TILES_NONE 0xffffffffu

/* clang-format off */
#define TILES_ARGS(arg)                                                                  \
    arg(rd_global rd_f32x4 *, stack) /* of each group, 2 x capacity vectors */           \
    arg(rd_global rd_u64 *, deque)   /* of each group */                                 \
    arg(rd_global rd_u32 *, control)                                                     \
    arg(rd_global rd_u64 *, counts)                                                      \
    arg(rd_u32, scheme)                                                                  \
    arg(rd_u32, capacity)                                                                \
    arg(rd_u32, shift)  /* a tile is 2^shift items wide and high */                      \
    arg(rd_u32, unit)   /* 2^unit items are taken at once: a tile or a part of it */     \
    arg(rd_u32, across) /* tiles in a row */                                             \
    arg(rd_u32, columns)                                                                 \
    arg(rd_u32, rows)                                                                    \
    arg(rd_u32, first) /* units of this launch */                                        \
    arg(rd_u32, last)  /* one behind them */
#define TILES_KERNEL_ARGS(arg) TILES_ARGS(arg) RD_APP_ARGS(arg)
/* clang-format on */
rd_context(tiles_ctx, TILES_ARGS);

/* Words of the board: what lane 0 tells the others. */
#define BOARD_TILE  0
#define BOARD_DRY   1
#define BOARD_STOP  2
#define BOARD_WORDS 3

typedef struct {
    rd_local rd_u32 *board;
    rd_local rd_u32 *scratch;
    rd_global rd_f32x4 *stack;
    /* equal in all lanes */
    rd_u32 height;     /* of the stack, in tasks */
    rd_u32 tile;       /* the current one */
    rd_u32 item, left; /* its next item; items left of the unit */
    rd_u32 dry;        /* no tile will come any more */
    /* of lane 0 */
    rd_u32 next, seed;
    rd_u32 taken, steals, attempts;
    /* of each lane */
    rd_u64 tasks, given;
    rd_u32 high;
} tiles_group;

/* ---- Tiles ---- */

#define TILES_RANGE(head, tail) ((rd_u64)(tail) << 32 | (head))
#define TILES_HEAD(range)       ((rd_u32)(range))
#define TILES_TAIL(range)       ((rd_u32)((range) >> 32))
#define TILES_SCAN              (RD_LANES >= 32 ? 1 : 32 / RD_LANES) /* deques a lane looks at */

/* The largest range among some that this lane looks at, and whose it is: size over number. */
rd_fn rd_u32 tiles_scan(const tiles_ctx *c, tiles_group *g, rd_u32 start)
{
    rd_u32 best = 0;
    for (rd_u32 i = 0; i < TILES_SCAN; i++) {
        const rd_u32 victim = (start + rd_lane() * TILES_SCAN + i) % rd_groups();
        const rd_u64 range = rd_ld64_rlx(&c->deque[victim]); /* partners: the swaps below; a stale one fails there */
        const rd_u32 head = TILES_HEAD(range), tail = TILES_TAIL(range);
        const rd_u32 size = tail > head ? (tail - head < 0xfffu ? tail - head : 0xfffu) : 0;
        const rd_u32 key = size << 20 | victim;
        if (size && key > best)
            best = key;
    }
    return best;
}

rd_fn rd_u32 tiles_take_own(const tiles_ctx *c)
{
    rd_u64 range = rd_ld64_rlx(&c->deque[rd_group()]), seen = range + 1; /* a guess: the swap decides */
    while (TILES_HEAD(range) < TILES_TAIL(range) && seen != range) {
        seen = range;
        /* partner: the thieves' swap */
        range = rd_cas64_rlx(&c->deque[rd_group()], seen, TILES_RANGE(TILES_HEAD(seen) + 1, TILES_TAIL(seen)));
    }
    return seen == range ? TILES_HEAD(range) : TILES_NONE;
}

/* @return the first of the stolen tiles; the others are now this group's. */
rd_fn rd_u32 tiles_steal(const tiles_ctx *c, tiles_group *g, rd_u32 victim)
{
    const rd_u64 range = rd_ld64_rlx(&c->deque[victim]); /* partners: all swaps of this word */
    const rd_u32 head = TILES_HEAD(range), tail = TILES_TAIL(range);
    g->attempts++;
    if (head >= tail)
        return TILES_NONE;
    const rd_u32 middle = head + (tail - head) / 2;
    if (rd_cas64_rlx(&c->deque[victim], range, TILES_RANGE(head, middle)) != range) /* partner: all swaps likewise */
        return TILES_NONE;
    rd_st64_rlx(&c->deque[rd_group()], TILES_RANGE(middle + 1, tail)); /* it was empty: no one else writes it */
    g->steals++;
    return middle;
}

/* Where a number of a range is in the plane; c->last and more: nowhere, since ranges are all of the same length. */
rd_fn rd_u32 tiles_place(const tiles_ctx *c, rd_u32 number)
{
    if (c->scheme != TILES_STEAL)
        return number;
    const rd_u32 length = (c->last - c->first + rd_groups() - 1) / rd_groups();
    return c->first + number % length * rd_groups() + number / length;
}

/* The next unit by the scheme, for lane 0. victim: of the richest deque seen, or TILES_NONE. */
rd_fn rd_u32 tiles_next(const tiles_ctx *c, tiles_group *g, rd_u32 victim, rd_u32 *dry)
{
    rd_u32 tile = TILES_NONE;
    *dry = 0;
    if (c->scheme == TILES_STEAL) {
        tile = tiles_take_own(c);
        if (tile == TILES_NONE && victim != TILES_NONE)
            tile = tiles_steal(c, g, victim);
        if (tile != TILES_NONE)
            rd_add_rlx(&c->control[TILES_LEFT], 0xffffffffu); /* minus 1; partner: the look below */
        else if (rd_ld_rlx(&c->control[TILES_LEFT]) == 0)
            *dry = 1;
        else if (g->height == 0)
            rd_pause();
        return tile;
    }
    if (c->scheme == TILES_CENTRAL) {
        tile = c->first + rd_add_rlx(&c->control[TILES_NEXT], 1); /* partner: itself in other groups */
    } else {
        tile = g->next;
        g->next = c->scheme == TILES_STATIC ? g->next + rd_groups() : c->last;
    }
    *dry = tile >= c->last;
    return *dry ? TILES_NONE : tile;
}

/* stopped: as lane 0 sees it. Sees to a tile when the current one is used up. Every lane comes by here each turn: group
 * operations stay in step. */
rd_fn rd_u32 tiles_refill(const tiles_ctx *c, tiles_group *g, rd_u32 slots, rd_u32 stopped)
{
    const rd_u32 need = !g->dry && g->left == 0 && g->height < slots;
    rd_u32 key = 0;
    if (c->scheme == TILES_STEAL) { /* equal in all lanes */
        g->seed = g->seed * 1664525u + 1013904223u;
        if (need) {
            const rd_u64 own = rd_ld64_rlx(&c->deque[rd_group()]); /* only saves looks at others */
            if (TILES_HEAD(own) >= TILES_TAIL(own))
                key = tiles_scan(c, g, (g->seed >> 8) % rd_groups());
        }
        key = rd_group_max(g->scratch, key);
    }
    if (rd_lane() == 0) {
        rd_u32 dry = g->dry, tile = TILES_NONE;
        if (need)
            tile = tiles_next(c, g, key ? key & 0xfffffu : TILES_NONE, &dry);
        g->taken += tile != TILES_NONE;
        g->board[BOARD_TILE] = tile;
        g->board[BOARD_DRY] = dry;
        g->board[BOARD_STOP] = stopped;
    }
    rd_barrier(); /* the board is complete, and so is what the last turn put on the stack */
    const rd_u32 number = g->board[BOARD_TILE];
    g->dry = g->board[BOARD_DRY];
    if (number != TILES_NONE) {
        const rd_u32 in_tile = 2 * c->shift - c->unit, place = tiles_place(c, number);
        g->tile = place >> in_tile;
        g->item = (place & ((1u << in_tile) - 1)) << c->unit;
        g->left = place < c->last ? 1u << c->unit : 0;
    }
    return g->board[BOARD_STOP];
}

/* ---- Tasks ---- */

/* Every second bit of x, packed: items of a tile lie along a Z-curve, so that neighbours run together. */
rd_fn rd_u32 tiles_even_bits(rd_u32 x)
{
    x &= 0x55555555u;
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    return (x | x >> 8) & 0x0000ffffu;
}

/* The task of a slot: items first, since they are the shallowest, then the top of the stack. */
rd_fn rd_u32 tiles_pick(const tiles_ctx *c, const rd_app *app, const tiles_group *g, rd_u32 slot, rd_u32 items,
                        rd_u32 from_stack, rd_task *task)
{
    task->a.x = task->a.y = task->a.z = task->a.w = 0.0f;
    task->b = task->a;
    if (slot < items) {
        const rd_u32 k = g->item + slot, tx = g->tile % c->across, ty = g->tile / c->across;
        const rd_u32 x = (tx << c->shift) + tiles_even_bits(k), y = (ty << c->shift) + tiles_even_bits(k >> 1);
        if (x >= c->columns || y >= c->rows)
            return 0; /* a tile may hang over the border */
        *task = rd_app_item(app, x, y);
        return 1;
    }
    if (slot - items >= from_stack)
        return 0;
    const rd_u32 at = g->height - from_stack + slot - items;
    task->a = g->stack[2 * at];
    task->b = g->stack[2 * at + 1];
    return 1;
}

/* One task a slot: takes them, runs them, puts what they give on the stack. */
rd_fn void tiles_turn(const tiles_ctx *c, const rd_app *app, tiles_group *g, rd_u32 slots)
{
    const rd_u32 from_stack = g->height < slots ? g->height : slots, room = slots - from_stack;
    const rd_u32 items = g->left < room ? g->left : room;
    rd_task task[RD_APP_PACK];
    rd_u32 has[RD_APP_PACK], mine = 0, all = 0;
    rd_given out;
    RD_UNROLL
    for (rd_u32 p = 0; p < RD_APP_PACK; p++) {
        has[p] = tiles_pick(c, app, g, rd_lane() * RD_APP_PACK + p, items, from_stack, &task[p]);
        g->tasks += has[p];
    }
    rd_app_tasks(app, &out, task, has);
    RD_UNROLL
    for (rd_u32 p = 0; p < RD_APP_GIVES * RD_APP_PACK; p++)
        mine += out.given[p];
    g->given += mine;
    /* The scan's barriers: all lanes have read their tasks before anyone writes over them. */
    rd_u32 at = g->height - from_stack + rd_group_scan(g->scratch, mine, &all);
    RD_UNROLL
    for (rd_u32 p = 0; p < RD_APP_GIVES * RD_APP_PACK; p++)
        if (out.given[p]) {
            g->stack[2 * at] = out.task[p].a;
            g->stack[2 * at + 1] = out.task[p].b;
            at++;
        }
    g->height = g->height - from_stack + all;
    g->high = g->height > g->high ? g->height : g->high;
    g->item += items;
    g->left -= items;
}

rd_kernel(tiles_run, TILES_KERNEL_ARGS)
{
    rd_local_array(rd_u32, board, BOARD_WORDS);
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const tiles_ctx c = rd_bind(TILES_ARGS);
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rd_u32 slots = rd_lanes() * RD_APP_PACK;
    tiles_group g;
    g.board = board;
    g.scratch = scratch;
    g.stack = stack + 2 * (rd_u64)capacity * rd_group();
    g.height = g.tile = g.item = g.left = g.dry = 0;
    g.next = first + rd_group();
    g.seed = rd_group() * 2654435761u + 12345u;
    g.taken = g.steals = g.attempts = g.high = 0;
    g.tasks = g.given = 0;
    rd_u32 stop = 0;
    while (!stop) { /* equal in all lanes */
        stop = tiles_refill(&c, &g, slots, rd_lane() == 0 ? rd_stopped() : 0);
        tiles_turn(&c, &app, &g, slots);
        stop |= g.dry && g.left == 0 && g.height == 0;
    }
    /* relaxed: sums that the host reads after the launch */
    rd_add64_rlx(&counts[TILES_TASKS], g.tasks);
    rd_add64_rlx(&counts[TILES_GIVEN], g.given);
    if (rd_lane() == 0) {
        rd_add64_rlx(&counts[TILES_TAKEN], g.taken);
        rd_add64_rlx(&counts[TILES_STEALS], g.steals);
        rd_add64_rlx(&counts[TILES_ATTEMPTS], g.attempts);
        rd_add64_rlx(&counts[TILES_HIGH], g.high);
    }
}

#define TILES_KERNELS(k) k(tiles_run, TILES_KERNEL_ARGS)
rd_kernels(TILES_KERNELS);

#endif
