/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units.k.h - how the items of scheduler `tiles` find groups. What a group gets at once is a portion: a whole
 * tile or a unit, which is a part of a tile just large enough for the group's lanes. Under `steal` portions are units.
 * Under the other schemes the first c->whole portions are tiles and those behind them are units: tiles alone would come
 * out uneven at the end, when some groups still have one and others none.
 *
 * Ranges (steal). A range [head, tail) of units is one 64-bit word, and no deque (parts/deque.k.h): units are numbers,
 * so there are no items to copy. The owner takes one unit or more at head, and may put back what it took last; a thief
 * takes the upper half: all by compare-and-swap of the whole word. Units are numbers without data behind them, so all
 * orders are relaxed. A word that was away and came back is no danger (ABA): it names the same units, and if it is
 * there they are still to be taken, because each unit is in one word only. Only its owner writes to an empty one, and
 * a group does not leave while its own has units: so none is lost. A range is
 * made of bunches, 2^c->bunch units that lie side by side in the plane, for the cache of the group's own unit. Bunches
 * of a range are rd_groups() bunches apart: so what all groups run at a time lies together too, for the cache that they
 * share.
 */
#ifndef RD_SCHED_TILES_UNITS_K_H
#define RD_SCHED_TILES_UNITS_K_H

#include "sched/tiles/group.k.h"

#define TILES_RANGE(head, tail) ((rd_u64)(tail) << 32 | (head))
#define TILES_HEAD(range)       ((rd_u32)(range))
#define TILES_TAIL(range)       ((rd_u32)((range) >> 32))
#define TILES_SCAN              (RD_LANES >= 32 ? 1 : 32 / RD_LANES) /* ranges a lane looks at */

#define TILES_KEY_SIZE (1u << 20) /* more than there are groups */

/* The largest range among some that this lane looks at, and whose it is: size over number; 0: none. */
rd_fn rd_u32 tiles_scan(const tiles_ctx *c, rd_u32 start)
{
    rd_u32 best = 0;
    for (rd_u32 i = 0; i < TILES_SCAN; i++) {
        const rd_u32 victim = (start + rd_lane() * TILES_SCAN + i) % rd_groups();
        const rd_u64 range = rd_ld64_rlx(&c->range[victim]); /* partners: the swaps below; a stale one fails there */
        const rd_u32 head = TILES_HEAD(range), tail = TILES_TAIL(range);
        const rd_u32 size = tail > head ? (tail - head < 0xfffu ? tail - head : 0xfffu) : 0;
        const rd_u32 key = size * TILES_KEY_SIZE + victim;
        if (size && key > best)
            best = key;
    }
    return best;
}

/* How many units to take from the lower end of a range: those that lie side by side, which saves trips to memory; but
 * one by one where items give tasks, or little is left: what a group has in hand nobody can take from it. */
rd_fn rd_u32 tiles_bunch(const tiles_ctx *c, const tiles_group *g, rd_u32 head, rd_u32 tail)
{
    const rd_u32 size = 1u << c->bunch, beside = size - (head & (size - 1)), some = (tail - head + 3) / 4;
    return g->book->given ? 1 : some < beside ? some : beside;
}

/* The range as last seen is a guess, and right unless a thief came: then one trip to memory is all. Thieves only make
 * it shorter, so an empty one is empty. */
rd_fn rd_u32 tiles_take_own(const tiles_ctx *c, tiles_group *g)
{
    rd_u64 range = g->book->own, seen = range + 1, rest = range;
    rd_u32 units = 0;
    while (TILES_HEAD(range) < TILES_TAIL(range) && seen != range) {
        seen = range;
        units = tiles_bunch(c, g, TILES_HEAD(seen), TILES_TAIL(seen));
        rest = TILES_RANGE(TILES_HEAD(seen) + units, TILES_TAIL(seen));
        range = rd_cas64_rlx(&c->range[rd_group()], seen, rest); /* partner: the thieves' swap */
    }
    const rd_u32 won = seen == range;
    if (won)
        rd_add_rlx(&c->control[TILES_UNITS], 0u - units); /* partner: the look in tiles_refill; so too below */
    g->book->own = won ? rest : range;
    g->board[BOARD_UNITS] = units;
    g->book->spare = won && units > 1;
    return won ? TILES_HEAD(range) : TILES_NONE;
}

/* @return the first of the stolen units, which is to be run now; the others are now this group's. */
rd_fn rd_u32 tiles_steal(const tiles_ctx *c, tiles_group *g, rd_u32 victim)
{
    const rd_u64 range = rd_ld64_rlx(&c->range[victim]); /* partners: all swaps of this word */
    const rd_u32 head = TILES_HEAD(range), tail = TILES_TAIL(range);
    g->book->attempts++;
    if (head >= tail)
        return TILES_NONE;
    const rd_u32 middle = head + (tail - head) / 2;
    if (rd_cas64_rlx(&c->range[victim], range, TILES_RANGE(head, middle)) != range) /* partner: all swaps likewise */
        return TILES_NONE;
    rd_add_rlx(&c->control[TILES_UNITS], 0xffffffffu);
    g->board[BOARD_UNITS] = 1;
    g->book->own = TILES_RANGE(middle + 1, tail);
    rd_st64_rlx(&c->range[rd_group()], g->book->own); /* it was empty: no one else writes it */
    g->book->steals++;
    return middle;
}

/* The next portion of the schemes without ranges, for lane 0. *dry: there is none behind it. */
rd_fn rd_u32 tiles_next(const tiles_ctx *c, tiles_group *g, rd_u32 *dry)
{
    const rd_u32 portions = c->whole + (c->last - c->first) - (c->whole << (2 * c->shift - c->unit));
    rd_u32 portion = g->book->next;
    if (c->scheme == TILES_CENTRAL) {
        portion = rd_add_rlx(&c->control[TILES_NEXT], 1); /* partner: itself in other groups */
        *dry = portion >= portions;
    } else {
        g->book->next = c->scheme == TILES_STATIC ? g->book->next + rd_groups() : portions;
        *dry = g->book->next >= portions;
    }
    return portion < portions ? portion : TILES_NONE;
}

/* The items of a portion; units: of scheme steal. */
rd_fn tiles_span tiles_open(const tiles_ctx *c, rd_u32 portion, rd_u32 units)
{
    const rd_u32 in_tile = 2 * c->shift - c->unit; /* units of a tile, as a power of two */
    rd_u32 place, many = 1;
    tiles_span span;
    if (c->scheme == TILES_STEAL) {
        /* Ranges are all of the same length, in bunches: a few numbers stand for nothing. */
        const rd_u32 row = rd_groups() << c->bunch, bunches = (c->last - c->first + row - 1) / row;
        const rd_u32 bunch = portion >> c->bunch, in_bunch = portion & ((1u << c->bunch) - 1);
        place = c->first + ((bunch % bunches * rd_groups() + bunch / bunches) << c->bunch) + in_bunch;
        many = units;
    } else if (portion < c->whole) {
        place = c->first + (portion << in_tile);
        many = 1u << in_tile;
    } else {
        place = c->first + (c->whole << in_tile) + portion - c->whole;
    }
    const rd_u32 there = place < c->last ? c->last - place : 0;
    span.item = place << c->unit;
    span.left = (many < there ? many : there) << c->unit;
    return span;
}

/* For lane 0 of a group that took units side by side and finds that they give more tasks than it can run: those that it
 * has not begun go back to its range, where others can take them. They are the ones just before the range's head, if
 * they are of the portion that it took last. LEFT is raised first; should a thief of such a unit lower it before,
 * others may leave too early, and those that stay run what is left. */
rd_fn void tiles_return(const tiles_ctx *c, tiles_group *g)
{
    const rd_u64 range = g->book->own;
    const rd_u32 units = g->now.left >> c->unit, first = TILES_HEAD(range) - units;
    const tiles_span span = tiles_open(c, first, units);
    g->book->spare = 0;
    if (units == 0 || span.left != units << c->unit || span.item + span.left != g->now.item + g->now.left)
        return;
    pending_raise(&c->control[TILES_LEFT], units);
    rd_add_rlx(&c->control[TILES_UNITS], units);
    /* partner: the thieves' swap */
    if (rd_cas64_rlx(&c->range[rd_group()], range, TILES_RANGE(first, TILES_TAIL(range))) == range) {
        g->book->own = TILES_RANGE(first, TILES_TAIL(range));
        g->book->taken -= units;
        g->book->back += units;
        g->board[BOARD_BACK] = units;
    } else {
        pending_lower(&c->control[TILES_LEFT], units); /* a thief came between: let it be */
        rd_add_rlx(&c->control[TILES_UNITS], 0u - units);
    }
}

#endif
