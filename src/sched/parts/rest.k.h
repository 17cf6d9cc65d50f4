/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rest.k.h - a round that a launch leaves half-way, on cores. Who is to make way for an urgent job in microseconds
 * cannot wait for the end of a round: that of a million edges takes a millisecond. So cores look at the stop word every
 * few tasks; one that finds it set puts back what it has in hand, and the next launch, of as many groups or of others,
 * goes on from there. What was done stays done: nothing is lost, and nothing is run twice.
 *
 * Places. All that a round has to do is numbered, from 0 on. Claims are runs of places: each of the first `units`
 * places is a claim of its own (parts of big vertices), the others are claims of `size`. A group begins with the claim
 * of its own number, and takes further ones through the round's cursor; so all below min(claims, count + cursor) were
 * taken, and all others are nobody's.
 *
 * Pieces. A group that leaves writes the rest of its claim, and the claim that it took beforehand if there is one, to
 * its own entry, and tells the head what claims were like. When the launch has ended the host makes a list: pieces that
 * were put back, those of an earlier list that nobody took, and where places that were nobody's begin (parts/rest.c).
 * In the launch that goes on claims are the pieces of the list first, then runs of those places. A piece in hand came
 * from the list as long as that has any left, so the list never has more than two pieces a group, or as many as before.
 *
 * Rounds must say the same when they are looked at again: what a round reads of itself (its phase, where its tasks
 * begin) was written in rounds before. What is done once a round is done by the launch that begins it.
 *
 * Progress. A group looks after it has run something, never before: a launch that is asked at once has done some of the
 * work nevertheless.
 *
 * Orders. The head and entries are read after the launch, by the host; but AT, also by groups of the same launch behind
 * the global barrier that ends the round: all of them find the same, since whoever set it came to that barrier. The
 * number in it keeps apart what a fast group leaves in the next round. What the host wrote, a launch finds.
 */
#ifndef RD_SCHED_REST_K_H
#define RD_SCHED_REST_K_H

#include "raddle/kernel.h"
#include "sched/parts/rest_layout.k.h"

typedef struct {
    rd_u32 left, from;          /* pieces that come first; where the others begin */
    rd_u32 places, units, size; /* see above */
    rd_u32 units_left, claims;
} rest_plan;

typedef struct {
    rd_u32 at, end; /* places */
} rest_piece;

/* Is this the second launch, or a later one, that runs the round? */
rd_fn rd_u32 rest_resumes(rd_global const rd_u32 *head, rd_u32 round)
{
    return head[REST_STEP] == round + 1;
}

/* Was the round left in this launch? Behind the barrier that ends it. */
rd_fn rd_u32 rest_is_left(rd_global const rd_u32 *head, rd_u32 round)
{
    return rd_ld_rlx(&head[REST_AT]) == round + 1; /* partner: rest_leave */
}

/* Of launches one behind the other: was a round before this one left? */
rd_fn rd_u32 rest_was_left(rd_global const rd_u32 *head, rd_u32 round)
{
    const rd_u32 at = rd_ld_rlx(&head[REST_AT]); /* partner: rest_leave, maybe of this round */
    return at && at != round + 1;
}

/* again: rest_resumes. */
rd_fn rest_plan rest_open(rd_global const rd_u32 *head, rd_u32 again, rd_u32 places, rd_u32 units, rd_u32 size)
{
    rest_plan p;
    p.left = again ? head[REST_LEFT] : 0;
    p.from = again ? (head[REST_FROM] < places ? head[REST_FROM] : places) : 0; /* the last claim may be short */
    p.places = places;
    p.units = units;
    p.size = size;
    p.units_left = p.from < units ? units - p.from : 0;
    const rd_u32 rest = places - p.from - p.units_left;
    p.claims = p.left + p.units_left + rest / size + (rest % size != 0);
    return p;
}

/* The places of claim k. */
rd_fn rest_piece rest_claim(rd_global const rd_u32 *entries, const rest_plan *p, rd_u32 k)
{
    rest_piece piece;
    if (k < p->left) {
        piece.at = entries[REST_LIST + 2 * k];
        piece.end = entries[REST_LIST + 2 * k + 1];
    } else if (k - p->left < p->units_left) {
        piece.at = p->from + (k - p->left);
        piece.end = piece.at + 1;
    } else {
        piece.at = p->from + p->units_left + (k - p->left - p->units_left) * p->size;
        piece.end = p->places - piece.at < p->size ? p->places : piece.at + p->size;
    }
    return piece;
}

/* How many tasks, at most `most`, a core runs until its next look, when the last `some` had so many edges: about as
 * many as have `much`, a few microseconds of work: sixteen hubs would take a hundred. */
rd_fn rd_u32 rest_some(rd_u32 some, rd_u32 most, rd_u64 edges, rd_u32 much)
{
    return edges > much ? (some + 1) / 2 : some < most ? 2 * some : most;
}

/* Puts back what the group has in hand; an empty piece is none. owned: see REST_OWNED. */
rd_fn void rest_leave(rd_global rd_u32 *head, rd_global rd_u32 *entries, const rest_plan *p, rd_u32 round, rd_u32 group,
                      rd_u32 count, rest_piece one, rest_piece other, rd_u32 owned)
{
    rd_global rd_u32 *const back = entries + REST_BACK + 4 * group;
    back[0] = one.at;
    back[1] = one.end;
    back[2] = other.at;
    back[3] = other.end;
    rd_st_rlx(&head[REST_COUNT], count); /* partners of all: the same stores of the same in other groups */
    rd_st_rlx(&head[REST_SIZE], p->size);
    rd_st_rlx(&head[REST_UNITS], p->units);
    rd_st_rlx(&head[REST_CLAIMS], p->claims);
    rd_st_rlx(&head[REST_OWNED], owned);
    rd_st_rlx(&head[REST_AT], round + 1); /* partners: rest_is_left, rest_was_left */
}

#endif
