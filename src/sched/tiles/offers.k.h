/* SPDX-License-Identifier: Apache-2.0 */
/*
 * offers.k.h - scheme `steal` of scheduler `tiles`: groups without work run tasks that others have on their
 * stacks. A unit of items may grow to thousands of tasks, and near the end a few such units are all that is left.
 *
 * Offers. Each group has one place for an offer, of as many tasks as it has slots. A group that has more tasks than it
 * can run at once, and sees that some group waits (HUNGRY), moves the surplus from the bottom of its stack there: those
 * tasks were given first, and most is still to come of them. A thief runs all of an offer in its next turn, straight
 * from where it lies; it has no tasks of its own then, so there is room.
 *   Words: c->offers[v] is the number of tasks of group v's offer, or 0: the place is free; behind them one bit a group
 * says that the offer may be claimed.
 *   Orders. The owner writes tasks and their number, passes a group barrier, and sets the bit (release). A thief clears
 * it (acquire); who finds it set has the offer. When its lanes have read the tasks it passes a group barrier and stores
 * number 0 (release), and only when the owner has seen that (acquire) it writes there again.
 *   Memory: one offer a group, so GIVES x slots x (D-1) + slots tasks in all. An offer leaves the bottom of one stack
 * and begins another as tasks of level 0, which is at most their depth, so the proof in tiles/tiles.k.h holds for both.
 *
 * Termination: parts/pending.k.h. With c->share, LEFT counts units that nobody has taken, offers that nobody has
 * claimed, and groups that hold work. Who claims an offer or units with empty hands holds one of them in its place: it
 * takes away the others. Who holds work already takes away all. An owner holds work while it makes an offer and adds 1
 * before the bit is set. A group takes 1 away when it has run out and finds nothing. Nobody waits for a group that has
 * not started: what such a group owns are units, which all can take.
 */
#ifndef RD_SCHED_TILES_OFFERS_K_H
#define RD_SCHED_TILES_OFFERS_K_H

#include "sched/tiles/group.k.h"

/* A group whose offer may be claimed, among those that this lane looks at: the fewer groups from start upwards, the
 * larger the number; 0: none. Thieves that start at different groups do not all try for the same. */
rd_fn rd_u32 tiles_look(const tiles_ctx *c, rd_u32 start)
{
    const rd_u32 words = (rd_groups() + 31) / 32, turn = start % 32;
    rd_u32 best = 0;
    for (rd_u32 w = rd_lane(); w < words; w += rd_lanes()) {
        const rd_u32 bits = rd_ld_rlx(&c->offers[rd_groups() + w]); /* a guess: the claim decides */
        if (bits) {
            const rd_u32 turned = turn ? bits >> turn | bits << (32 - turn) : bits;
            const rd_u32 owner = 32 * w + (rd_lowest(turned) + turn) % 32;
            const rd_u32 key = rd_groups() - (owner + rd_groups() - start) % rd_groups();
            best = key > best ? key : best;
        }
    }
    return best;
}

/* For lane 0. @return how many tasks it brought. */
rd_fn rd_u32 tiles_claim_offer(const tiles_ctx *c, tiles_group *g, rd_u32 owner)
{
    const rd_u32 bit = 1u << owner % 32;
    rd_u32 count = 0;
    g->book->attempts++;
    /* partners: the owner's setting of the bit, and other thieves */
    if (rd_and_acqrel(&c->offers[rd_groups() + owner / 32], ~bit) & bit) {
        count = rd_ld_rlx(&c->offers[owner]); /* partner: the store in tiles_offer, which came before the bit */
        rd_add_rlx(&c->control[TILES_OPEN], 0xffffffffu); /* partner: the look in tiles_refill */
        g->book->stolen += owner != rd_group() ? count : 0;
        g->book->steals += owner != rd_group();
    }
    return count;
}

/* For lane 0: how many tasks to offer. Little surplus is not worth it. */
rd_fn rd_u32 tiles_surplus(const tiles_ctx *c, const tiles_group *g, rd_u32 slots)
{
    if (!c->share || g->height <= slots + slots / 4)
        return 0;
    if (rd_ld_rlx(&c->control[TILES_HUNGRY]) == 0) /* partner: tiles_account; a hint */
        return 0;
    if (rd_ld_acq(&c->offers[rd_group()]) != 0) /* partner: the thief's store in tiles_turn */
        return 0;
    return g->height - slots < slots ? g->height - slots : slots;
}

/* Moves so many tasks from the bottom of the stack to the group's offer; by all lanes. */
rd_fn void tiles_offer(const tiles_ctx *c, tiles_group *g, rd_u32 slots, rd_u32 count)
{
    rd_global rd_f32x4 *to = c->offered + 2 * (rd_u64)slots * rd_group();
    for (rd_u32 i = rd_lane(); i < count; i += rd_lanes()) {
        rd_global const rd_f32x4 *from = tiles_place(c, g, i);
        to[2 * i] = from[0];
        to[2 * i + 1] = from[1];
    }
    rd_barrier(); /* the offer is complete */
    if (rd_lane() == 0) {
        rd_st_rlx(&c->offers[rd_group()], count);  /* partner: tiles_claim_offer, ordered by the bit */
        pending_raise(&c->control[TILES_LEFT], 1); /* before the bit */
        rd_add_rlx(&c->control[TILES_OPEN], 1);    /* partner: the look in tiles_refill */
        rd_or_acqrel(&c->offers[rd_groups() + rd_group() / 32], 1u << rd_group() % 32); /* partner: thieves' claims */
    }
    g->bottom += count;
    g->bottom -= g->bottom < c->capacity ? 0 : c->capacity;
    g->height -= count;
    g->shared = 1;
}

#endif
