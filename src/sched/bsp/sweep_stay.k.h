/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_stay.k.h - sweeps of an app whose vertices wait for each other (RD_APP_PATIENT), on wide groups: a lane stays
 * with its vertices and asks those that are left again and again, without a barrier, so that a decision is seen as soon
 * as memory has it, and not a step later: on an H200 a step takes 7 to 10 us even where it has little to do, a look
 * less than one. This is how Burtscher and others decide (ACM TOPC 2018).
 *
 * Each lane has the vertices at places lane, lane + all lanes, ...: as many of them as a word has bits at a time, which
 * tell whether one is left. First come those of few edges, which lanes fold alone: many of them decide the others.
 * Vertices in parts come last, for the same reason, and once.
 *   Nobody waits for another lane, so nobody can wait for ever: a lane, or a warp, gives up after some looks at which
 * nothing of its own was decided, or after STAY_LOOKS, and what is left is for the next step, as in any sweep.
 */
#ifndef RD_SCHED_SWEEP_STAY_K_H
#define RD_SCHED_SWEEP_STAY_K_H

#define STAY_LOOKS 64 /* a look may be several microseconds, and one that is asked to stop has to come to its end */
#define STAY_VAIN  8  /* looks in a row after which it gives up */
#define STAY_BITS  32

/* Does any lane that runs in lockstep with this one say so? */
#if SWEEP_BY_WARP
#define STAY_ANY(x) rd_warp_ballot(x)
#define STAY_FEW    ((rd_u64)SWEEP_WIDE - 1)
#else
#define STAY_ANY(x) (x)
#define STAY_FEW    (~(rd_u64)0)
#endif

/* A vertex of the lane's, where its edges are, and whether there is one. */
typedef struct {
    rd_u32 v, mine;
    rd_u64 from, to;
} stay_one;

/* The one of the lowest bit. */
rd_fn stay_one stay_load(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, const sweep_group *g, rd_u64 first,
                         rd_u32 items, rd_u32 bits)
{
    stay_one x = {0, bits != 0, 0, 0};
    if (x.mine) {
        const rd_u64 place = first + rd_lowest(bits) * (g->count * (rd_u64)rd_lanes());
        x.v = sweep_item(app, s, sweep_at(c->scattered, (rd_u32)place, items));
        x.from = rd_ld_const(&s->row[x.v]);
        x.to = rd_ld_const(&s->row[x.v + 1]);
    }
    return x;
}

/* One look at those of the vertices whose bits are set, from the place `first` on: each lane at its own next one, so
 * that all have something to do as long as most have something left. The place in the graph of the one after it is
 * loaded meanwhile. @return the bits of those left. */
rd_fn rd_u32 stay_look(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                       rd_u64 first, rd_u32 items, rd_u32 open, rd_u64 most)
{
    const rd_u32 sum = gain->sum;
    rd_u32 left = 0;
    stay_one next = stay_load(c, app, s, g, first, items, open);
    for (rd_u32 bits = open; STAY_ANY(bits != 0);) {
        const stay_one now = next;
        const rd_u32 rest = bits & (bits - 1); /* 0 stays 0 */
        next = stay_load(c, app, s, g, first, items, rest);
        if (sweep_ask(c, app, s, g, gain, now.v, now.from, now.to, now.mine, most))
            left |= bits ^ rest;
        bits = rest;
    }
    gain->sum = sum; /* what is left in the end counts */
    return left;
}

/* Bits of the places from `first` on that have an item which is not idle. */
rd_fn rd_u32 stay_begin(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, const sweep_group *g, rd_u64 first,
                        rd_u32 items)
{
    const rd_u64 stride = g->count * (rd_u64)rd_lanes(), places = sweep_places(c->scattered, items);
    rd_u32 open = 0;
    for (rd_u32 k = 0; k < STAY_BITS && first + k * stride < places; k++) {
        const rd_u32 i = sweep_at(c->scattered, (rd_u32)(first + k * stride), items);
        if (i < items && !RD_SWEEP_IDLE(app, s, sweep_item(app, s, i)))
            open |= 1u << k;
    }
    return open;
}

/* Vertices with their edges. walks = 0: none. */
rd_fn void sweep_walk(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, sweep_group *g, rd_gain *gain,
                      rd_u32 walks)
{
    const rd_u32 items = !walks ? 0 : RD_SWEEP_LISTED(app, s) ? RD_SWEEP_ITEMS(app, s) : s->vertices;
    const rd_u64 places = sweep_places(c->scattered, items), all = g->count * (rd_u64)rd_lanes();
    for (rd_u64 base = g->id * (rd_u64)rd_lanes(); base < places; base += STAY_BITS * all) {
        const rd_u64 first = base + rd_lane();
        rd_u32 open = stay_begin(c, app, s, g, first, items), vain = 0;
        for (rd_u32 look = 0; look < STAY_LOOKS && vain < STAY_VAIN && STAY_ANY(open != 0); look++) {
            const rd_u32 left = stay_look(c, app, s, g, gain, first, items, open, look ? ~(rd_u64)0 : STAY_FEW);
            vain = STAY_ANY(left != open) || look == 0 ? 0 : vain + 1;
            open = left;
        }
        gain->sum += rd_popcount(open);
        sweep_add_up(g, gain);
    }
    sweep_parts(c, app, s, g, gain, walks);
}

#endif
