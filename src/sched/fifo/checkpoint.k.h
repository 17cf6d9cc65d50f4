/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.k.h - scheduler fifo: growing. Where nothing proves that a ring is large enough, a group whose token
 * finds no slot says so (FIFO_FULL), and every group leaves at its next safe point: between tasks or tiles, with
 * nothing found that is not in an exchange. What it has in hand it writes to its part of `checkpoint`: members and how
 * far it got with them, kept tasks, inboxes, the tickets it holds, tokens not yet put. The host lays the rings out anew
 * with more slots (tickets stay what they are, only their places change; fifo/grow.c) and launches again; each group of
 * the same number takes up its checkpoint and goes on. No task is lost, none is run twice.
 *
 * Likewise when the host asks the launch to leave, in order to go on later: then rings stay as they are.
 *
 * A group that had not started when the ring was full has no checkpoint and starts as in a first launch. Launches that
 * were queued behind the one that left find FIFO_FULL set and do nothing.
 *
 * Layout of a group's part: CHECKPOINT_HEAD words equal in all lanes, then for each field a word a lane, then the stash
 * and the kept tasks. Only the group itself touches it during a launch, and a launch happens after the one before:
 * plain accesses.
 */
#ifndef RD_SCHED_FIFO_CHECKPOINT_K_H
#define RD_SCHED_FIFO_CHECKPOINT_K_H

#include "sched/fifo/group.k.h"

/* How far a group is in its loop. */
typedef struct {
    rd_u32 act, tile, tiles, done;
} fifo_place;

#define CHECKPOINT_HEAD  16
#define CHECKPOINT_FIELD (12 + 3 * FIFO_CLASSES + FIFO_INBOX) /* words a lane */
#if CHECKPOINT_HEAD + CHECKPOINT_FIELD * RD_LANES + SPREAD_STASH + FIFO_KEEP > FIFO_CHECKPOINT(RD_LANES)
#error "a group's checkpoint would reach into that of the next one: make FIFO_CHECKPOINT larger"
#endif

RD_COLD_BEGIN /* seldom */

/* Moves one word in the direction asked for. */
rd_fn void fifo_move(rd_u32 pack, rd_global rd_u32 *at, rd_u32 *value)
{
    if (pack)
        *at = *value;
    else
        *value = *at;
}

/* The words of a lane: f counts the fields. */
#define FIFO_MOVE(value)                                                                                               \
    fifo_move(pack, lane + f * rd_lanes(), &(value));                                                                  \
    f++

/* Words of a list of the group's, all lanes together. */
rd_fn void fifo_move_list(rd_local rd_u32 *list, rd_global rd_u32 *to, rd_u32 from, rd_u32 end, rd_u32 pack)
{
    for (rd_u32 i = from + rd_lane(); i < end; i += rd_lanes())
        if (pack)
            to[i] = list[i];
        else
            list[i] = to[i];
}

/* For the host, which counts what waits: tasks in hand have no units in PENDING; the credit is of tasks that were run
 * or are in hand, as are the units of tickets served since the last exchange. Who takes a checkpoint up takes back what
 * it told when it left. What is being put has units. */
rd_fn void fifo_tell_held(const fifo_ctx *c, const fifo_group *g, const fifo_place *place, rd_u32 pack)
{
    const rd_u32 found = place->act == FIFO_PUT_AGAIN ? 0 : g->s.stashed;
    const rd_u32 lists = g->kept_end - g->kept_at + found - g->credit;
    rd_u32 held = g->in_end - g->in_at + (rd_lane() == 0 ? lists : 0);
    FIFO_EACH_CLASS(k)
    held += g->todo[k] - (rd_lane() == 0 ? g->waiting[k] : 0);
    if (held)
        rd_add_rlx(&c->control[FIFO_HELD], pack ? held : 0u - held); /* read by the host, after the launch */
}

/* The group's lists in local memory; counts are those of the checkpoint. A core, whose lists are long, leaves within
 * microseconds: it moves what they hold, and no more. */
rd_fn void fifo_move_local(const fifo_ctx *c, fifo_group *g, const fifo_place *place, rd_global rd_u32 *rest,
                           rd_u32 pack)
{
    fifo_tell_held(c, g, place, pack);
    fifo_move_list(g->s.stash, rest, 0, RD_CORE ? g->s.stashed : SPREAD_STASH, pack);
    fifo_move_list(g->kept, rest + SPREAD_STASH, RD_CORE ? g->kept_at : 0, RD_CORE ? g->kept_end : FIFO_KEEP, pack);
}

/* Writes the group's state to its checkpoint, or takes it from there. */
rd_fn void fifo_checkpoint(const fifo_ctx *c, fifo_group *g, fifo_place *place, rd_u32 pack)
{
    rd_global rd_u32 *head = c->checkpoint + (rd_u64)rd_group() * FIFO_CHECKPOINT(rd_lanes());
    rd_global rd_u32 *lane = head + CHECKPOINT_HEAD + rd_lane();
    rd_u32 f = 0, vertex = g->s.vertex[rd_lane()], value = g->s.value[rd_lane()], first = g->s.first[rd_lane()];
    rd_u32 from_low = (rd_u32)g->s.from[rd_lane()], from_high = (rd_u32)(g->s.from[rd_lane()] >> 32);
    rd_u32 common[13] = {1,          place->act, place->tile, place->tiles, place->done, g->s.stashed,
                         g->s.total, g->kept_at, g->kept_end, g->credit,    g->gate,     g->waiting[0],
                         0};
#if FIFO_CLASSES > 1
    common[12] = g->waiting[1];
#endif
    if (!pack || rd_lane() == 0)
        for (rd_u32 i = 0; i < 13; i++)
            fifo_move(pack, &head[i], &common[i]);
    FIFO_MOVE(vertex);
    FIFO_MOVE(value);
    FIFO_MOVE(first);
    FIFO_MOVE(from_low);
    FIFO_MOVE(from_high);
    FIFO_MOVE(g->s.mine);
    FIFO_MOVE(g->in_at);
    FIFO_MOVE(g->in_end);
    FIFO_MOVE(g->put_from);
    FIFO_MOVE(g->put);
    FIFO_MOVE(g->put_end);
    FIFO_MOVE(g->put_ready);
    FIFO_EACH_CLASS(k)
    {
        FIFO_MOVE(g->ticket[k]);
        FIFO_MOVE(g->todo[k]);
        FIFO_MOVE(g->put_ticket[k]);
    }
    f += RD_CORE ? g->in_at : 0; /* likewise; a core has one lane */
    for (rd_u32 i = RD_CORE ? g->in_at : 0; i < (RD_CORE ? g->in_end : FIFO_INBOX); i++) {
        FIFO_MOVE(g->inbox[i]);
    }
    f = CHECKPOINT_FIELD;
    place->act = common[1];
    place->tile = common[2];
    place->tiles = common[3];
    place->done = common[4];
    g->s.stashed = common[5];
    g->s.total = common[6];
    g->kept_at = common[7];
    g->kept_end = common[8];
    g->credit = common[9];
    g->gate = common[10];
    g->waiting[0] = common[11];
#if FIFO_CLASSES > 1
    g->waiting[1] = common[12];
#endif
    g->s.vertex[rd_lane()] = vertex;
    g->s.value[rd_lane()] = value;
    g->s.first[rd_lane()] = first;
    g->s.from[rd_lane()] = (rd_u64)from_high << 32 | from_low;
    fifo_move_local(c, g, place, head + CHECKPOINT_HEAD + f * rd_lanes(), pack);
    rd_barrier(); /* local memory is complete */
    if (!pack && rd_lane() == 0)
        head[0] = 0; /* it is used up */
}

RD_COLD_END

#endif
