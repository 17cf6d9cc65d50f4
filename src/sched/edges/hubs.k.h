/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hubs.k.h - vertices of very many edges. A group that has one (a hub) would walk its edges while all others wait for
 * what it finds. Instead it posts it on a board: vertex, value and edges, cut into spans. Whoever looks for work looks
 * there too, and takes a span by one addition; the poster is one of them. No group waits for another: where all slots
 * are taken, who has a hub walks it alone.
 *
 * Once. The hub was taken out of its queue and opened by one group, as any task. Each span is taken by one group, with
 * the value of that opening. While spans are left the vertex may be given again, and run, as any task that runs may.
 *
 * A slot. USED is 0 while it is free. Who changes it from 0 to the number of spans has it, writes its words, sets its
 * bit of OPEN and then LEFT, to the same number. Takers lower LEFT by one; who found it above 0 has a span. LEFT alone
 * decides, so it does not matter how old the look is that led there: an addition that comes after the slot was posted
 * anew takes a span of the new hub, and one that found nothing is overwritten. (LEFT falls by one for each group that
 * comes too late, and that one looks before it tries again: it cannot pass around.) A taker reads the words and lowers
 * USED. Who takes the last span clears the bit of OPEN before that: so when all have left, bits are those of slots with
 * spans.
 *
 * Orders. LEFT is set with release and lowered with acquire: takers see the words, and all that the poster did or saw
 * before (what the app's open wrote, and those who gave the task). Additions to LEFT continue the release. USED is
 * lowered with release and taken with acquire, by which all takers have read the words, and the bit of OPEN is cleared,
 * before the next poster writes them. Looks at OPEN and LEFT are hints.
 *
 * Termination: parts/pending.k.h. A unit for each span, as if it were a task in a queue. The poster adds them before it
 * sets LEFT, while it has a unit itself; a span brings its unit to who takes it.
 *
 * The board stays between launches: spans that nobody took when a launch was left are there for the next one.
 *
 * What is done once in thousands of edges is apart, by values: the registers of the loops around it are not its own.
 */
#ifndef RD_SCHED_HUBS_K_H
#define RD_SCHED_HUBS_K_H

#include "model/frontier.k.h"
#include "sched/edges/hubs_layout.k.h"
#include "sched/parts/pending.k.h"

#define HUBS_SLOT_OF(word, slot) ((word) + HUBS_SLOT(slot))

/* Where engines count units in 64 bits they say so before: HUBS_UNITS64. */
#ifdef HUBS_UNITS64
typedef rd_u64 hubs_units;
#define hubs_raise(pending, n) pending_change64(pending, n, 0)
#else
typedef rd_u32 hubs_units;
#define hubs_raise(pending, n) pending_raise(pending, n)
#endif

typedef struct {
    rd_global rd_u32 *word;
    rd_global hubs_units *pending; /* counts units; 0: nobody does, the launch is left when there is no task for it */
    rd_u32 span;                   /* edges of one; 0: no vertex is a hub, and nobody looks */
    rd_u32 most;                   /* a vertex of more edges is one */
} hubs;

/* HUBS_HERE: has the graph hubs? A constant where programs are compiled for a run; elsewhere the span says so. */
#ifdef RD_APP_VERTEX /* tasks cannot be cut */
#define HUBS_SPAN(span) 0u
#elif defined(HUBS_HERE)
#define HUBS_SPAN(span) ((HUBS_HERE) ? (span) : 0u)
#else
#define HUBS_SPAN(span) (span)
#endif

rd_fn hubs hubs_open(rd_global rd_u32 *word, rd_global hubs_units *pending, rd_u32 span)
{
    const hubs h = {word, pending, HUBS_SPAN(span),
                    HUBS_LEAST * HUBS_SPAN(span) - 1}; /* without spans, none has more */
    return h;
}

/* Posts a hub. @return 0: all slots are taken. */
rd_apart rd_u32 hubs_post(rd_global rd_u32 *word, rd_global hubs_units *pending, rd_u32 span, rd_u32 vertex,
                          rd_u32 value, rd_u64 from, rd_u32 degree)
{
    const rd_u32 spans = (degree - 1) / span + 1;
    rd_u32 slot = rd_group() % HUBS_SLOTS, tries = 0, got = 0;
    while (tries < HUBS_SLOTS && !got) {
        rd_global rd_u32 *used = HUBS_SLOT_OF(word, slot) + HUBS_USED;
        /* Acquire: pairs with the release in hubs_take. */
        got = rd_ld_rlx(used) == 0 && rd_cas_acq(used, 0, spans) == 0;
        slot = got ? slot : (slot + 1) % HUBS_SLOTS;
        tries++;
    }
    if (got) {
        rd_global rd_u32 *at = HUBS_SLOT_OF(word, slot);
        at[HUBS_VERTEX] = vertex;
        at[HUBS_VALUE] = value;
        at[HUBS_DEGREE] = degree;
        at[HUBS_FROM] = (rd_u32)from;
        at[HUBS_FROM + 1] = (rd_u32)(from >> 32);
        if (pending)
            hubs_raise(pending, spans);
        rd_or_rlx(&word[HUBS_OPEN], 1u << slot); /* partner: hubs_ask; before LEFT, so before it is cleared */
        rd_st_rel(&at[HUBS_LEFT], spans);        /* pairs with the addition in hubs_take */
    }
    return got;
}

/* A slot that seems to have spans, of those whose bits are set. @return 1 + its number; 0: there is none. */
rd_fn rd_u32 hubs_find(rd_global const rd_u32 *word, rd_u32 open)
{
    const rd_u32 first = rd_group() % HUBS_SLOTS; /* groups begin at different slots */
    rd_u32 bits = first ? open >> first | open << (HUBS_SLOTS - first) : open, hint = 0;
    while (bits && !hint) {
        const rd_u32 slot = (rd_lowest(bits) + first) % HUBS_SLOTS;
        /* Partner: the store in hubs_post. */
        hint = (rd_i32)rd_ld_rlx(HUBS_SLOT_OF(word, slot) + HUBS_LEFT) > 0 ? slot + 1 : 0;
        bits &= bits - 1;
    }
    return hint;
}

/* One lane: takes a span, where *hint says or where it finds one. @return its edges, which begin at from[0]; 0: there
 * is none. */
rd_apart rd_u32 hubs_take(rd_global rd_u32 *word, rd_u32 span, rd_local rd_u32 *hint, rd_local rd_u32 *vertex,
                          rd_local rd_u32 *value, rd_local rd_u64 *from)
{
    const rd_u32 known = *hint ? *hint : hubs_find(word, rd_ld_rlx(&word[HUBS_OPEN])); /* partners: as in hubs_ask */
    rd_global rd_u32 *at = HUBS_SLOT_OF(word, known - 1);
    rd_u32 edges = 0, left = 0;
    if (known)
        left = rd_add_acq(&at[HUBS_LEFT], ~0u); /* pairs with the store in hubs_post */
    *hint = (rd_i32)left > 1 ? known : 0;
    if ((rd_i32)left > 0) {
        const rd_u32 degree = at[HUBS_DEGREE], begin = ((degree - 1) / span + 1 - left) * span;
        edges = degree - begin < span ? degree - begin : span;
        vertex[0] = at[HUBS_VERTEX];
        value[0] = at[HUBS_VALUE];
        from[0] = ((rd_u64)at[HUBS_FROM + 1] << 32 | at[HUBS_FROM]) + begin;
        if (left == 1)
            rd_and_rlx(&word[HUBS_OPEN], ~(1u << (known - 1))); /* partner: hubs_ask */
        rd_add_rel(&at[HUBS_USED], ~0u);                        /* pairs with hubs_post */
    }
    return edges;
}

/* One lane: are there spans to take? A hint. */
rd_fn rd_u32 hubs_ask(const hubs *h)
{
    return h->span ? rd_ld_rlx(&h->word[HUBS_OPEN]) : 0; /* partners: hubs_post, hubs_take */
}

#endif
