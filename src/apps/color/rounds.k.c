/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rounds.k.c - colouring by guess and repair (A. Gebremedhin and F. Manne, 2000) in rounds of two steps: what
 * color/speculate.k.c does without rounds, as sweeps. In the first step vertices without a colour pick the least one
 * that no neighbour has now; neighbours that pick at the same time may pick the same. In the second, those that picked
 * look: of neighbours with the same colour the first in the order of degrees keeps it, or whoever has it for good. The
 * others are what the next round is about: all vertices are walked in the first round only, then a list of those that
 * have no colour. In the first one they come by number, or, `ordered`, by degrees: hubs that come late collect colours.
 *
 * Lanes that run in lockstep pick the same again and again, a clique one colour a round. So from the third round on
 * a vertex picks one of the first 2, 4, 8, .. free colours by chance.
 *
 * Colours that neighbours have are a word of 32 bits, so a vertex looks at 32 colours a round, and goes on to the next
 * 32 when all are gone. When these are more than it has edges, others were in the way that have moved since: it
 * begins again, and insists, which is to pass over picks of vertices that come later in the order.
 *
 * Why it ends. Of all vertices without a final colour take the first in the order. A pick of it that no neighbour has
 * for good it keeps. It picks after so many rounds as there are times 32 colours up to its degree, or else insists;
 * then only final colours are in its way, which are fewer than those up to its degree.
 *
 * A vertex' word (color/layout.k.h) has in its lower half: COLOR_SETTLED and its colour; or COLOR_TRIED and the colour
 * it picked; or the first of the 32 it looks at; with COLOR_FIRM beside the last two when it insists. COLOR_NONE at
 * first, which means 0.
 *
 * Lists: two, in turns; a place is taken by an addition to *tail, which is not set back: a scalar says what it was when
 * the list began.
 *
 * Orders. All relaxed. In a step that picks an old word of a neighbour costs a clash, which the next step finds:
 * between steps is a barrier. In that one only a vertex' own lane changes its word: a pick becomes final or is given
 * up, and a neighbour that looks at it sees the one or the other. Of two neighbours with the same pick the later one
 * gives it up unless the earlier one did so before, and then that one has no colour.
 */
#define ROUNDS_ALL            0xffffffffu
#define ROUNDS_PICK           0 /* phases: of all vertices, */
#define ROUNDS_LOOK           1
#define ROUNDS_PICK_LISTED    2 /* and of a list */
#define ROUNDS_LOOK_LISTED    3
#define ROUNDS_COUNT          0 /* scalars: how many are in the list at hand, */
#define ROUNDS_BEGAN          1 /* *tail when the next list began, */
#define ROUNDS_TURN           2 /* which of the lists that is, */
#define ROUNDS_MORE           3 /* and how many its first step appended to it */
#define RD_FOLD_ENOUGH(x)     ((x) == ROUNDS_ALL)
#define RD_SWEEP_FLIGHT       4
#define RD_SWEEP_RESIDENT     1024 /* 64 registers; with the 48 that the compiler takes, some are in memory */
#define RD_SWEEP_SCALARS      4
#define RD_SWEEP_LISTED(a, s) ((s)->phase >= ROUNDS_PICK_LISTED || (a)->ordered)
#define RD_SWEEP_ITEMS(a, s)  ((s)->phase >= ROUNDS_PICK_LISTED ? (s)->scalar[ROUNDS_COUNT] : (s)->vertices)
#include "model/sweep.k.h"
#include "apps/color/layout.k.h"

#define ROUNDS_COLOUR (COLOR_FIRM - 1)

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(rd_u64, state) \
    buf(rd_u32, list)  /* at first all vertices, by degrees */ \
    buf(rd_u32, other) \
    buf(rd_u32, tail)  \
    arg(rd_u32, ordered)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Does this step pick colours? Else it looks whether a vertex may keep the one it picked. */
rd_fn rd_u32 rounds_picks(const rd_sweep *s)
{
    return s->phase == ROUNDS_PICK || s->phase == ROUNDS_PICK_LISTED;
}

/* Is there anything to do for a vertex with this lower half, in this step? */
rd_fn rd_u32 rounds_acts(const rd_sweep *s, rd_u32 low)
{
    const rd_u32 open = low == COLOR_NONE || !(low & (COLOR_SETTLED | COLOR_TRIED));
    return rounds_picks(s) ? open : low != COLOR_NONE && !(low & COLOR_SETTLED) && low & COLOR_TRIED;
}

/* The first of the colours that a vertex looks at. */
rd_fn rd_u32 rounds_from(rd_u32 low)
{
    return low == COLOR_NONE ? 0 : low & ROUNDS_COLOUR & ~31u;
}

rd_fn rd_u32 rd_app_item(const rd_app *a, const rd_sweep *s, rd_u32 i)
{
    return rd_ld_rlx(&(s->scalar[ROUNDS_TURN] ? a->other : a->list)[i]); /* partner: rounds_append, steps ago */
}

/* v is for the next round. */
rd_fn void rounds_append(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_gain *gain)
{
    const rd_u32 at = rd_add_together(a->tail, 1) - s->scalar[ROUNDS_BEGAN]; /* partner: the same in other lanes */
    rd_st_rlx(&(s->scalar[ROUNDS_TURN] ? a->list : a->other)[at], v);
    gain->sum++;
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    if (!rounds_acts(s, (rd_u32)rd_ld64_rlx(&a->state[v]))) /* partner: the store in rd_app_vertex */
        *from = *to;
}

/* Picking: the neighbour's colour as a bit, if it is one of the 32. Looking: all bits if the neighbour is in the way.
 */
rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    const rd_u64 own = rd_ld64_rlx(&a->state[v]), other = rd_ld64_rlx(&a->state[u]); /* partner: as above */
    const rd_u32 mine = (rd_u32)own, theirs = (rd_u32)other, before = other >> 32 < own >> 32;
    const rd_u32 settled = theirs != COLOR_NONE && theirs & COLOR_SETTLED;
    if (u == v || theirs == COLOR_NONE || !(theirs & (COLOR_SETTLED | COLOR_TRIED)))
        return 0;
    if (rounds_picks(s)) {
        const rd_u32 at = (theirs & ROUNDS_COLOUR) - rounds_from(mine);
        const rd_u32 insists = mine != COLOR_NONE && mine & COLOR_FIRM;
        return at < 32 && (settled || before || !insists) ? 1u << at : 0;
    }
    return (settled || before) && (theirs & ROUNDS_COLOUR) == (mine & ROUNDS_COLOUR) ? ROUNDS_ALL : 0;
}

/* One of the first colours that are free: free has a bit for each of them, at least one. */
rd_fn rd_u32 rounds_choose(const rd_sweep *s, rd_u32 v, rd_u32 free_bits)
{
    const rd_u32 round = s->step / 2, some = rd_popcount(free_bits);
    const rd_u32 width = round < 2 ? 1 : round < 7 ? 1u << (round - 1) : 32;
    rd_u32 x = (v + round * 0x9e3779b9u) * 2654435769u, bits = free_bits;
    x = (x ^ x >> 16) * 0x7feb352du;
    for (rd_u32 skip = (x >> 8) % (width < some ? width : some); skip; skip--)
        bits &= bits - 1;
    return rd_lowest(bits);
}

/* The new lower half of a vertex that picks. taken: a bit for each of the 32 colours that a neighbour has. */
rd_fn rd_u32 rounds_pick(const rd_sweep *s, rd_u32 v, rd_u32 low, rd_u32 taken)
{
    const rd_u64 edges = rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]), others = s->vertices - 1;
    const rd_u64 degree = edges < others ? edges : others; /* loops and parallel edges are more, neighbours are not */
    const rd_u32 from = rounds_from(low), firm = low == COLOR_NONE ? 0 : low & COLOR_FIRM;
    const rd_u32 within = degree < from ? 0 : degree - from < 31 ? (2u << (rd_u32)(degree - from)) - 1 : ROUNDS_ALL;
    if (~taken & within)
        return COLOR_TRIED | firm | (from + rounds_choose(s, v, ~taken & within));
    return degree >= from + 32 ? firm | (from + 32) : COLOR_FIRM;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    const rd_u64 own = rd_ld64_rlx(&a->state[v]); /* only this lane writes it now */
    rd_u32 low = (rd_u32)own;
    if (!rounds_acts(s, low))
        return;
    if (rounds_picks(s))
        low = rounds_pick(s, v, low, fold);
    else if (!fold)
        low = (low & ROUNDS_COLOUR) | COLOR_SETTLED;
    else
        low = low & COLOR_FIRM ? COLOR_FIRM : rounds_from(low);
    rd_st64_rlx(&a->state[v], own >> 32 << 32 | low); /* partner: the loads in rd_app_edge */
    if (!(low & (COLOR_SETTLED | COLOR_TRIED)))
        rounds_append(a, s, v, gain);
}

/* A round appends in both of its steps. */
rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    if (rounds_picks(s)) {
        s->scalar[ROUNDS_MORE] = gain->sum;
        return s->phase == ROUNDS_PICK ? ROUNDS_LOOK : ROUNDS_LOOK_LISTED;
    }
    s->scalar[ROUNDS_COUNT] = s->scalar[ROUNDS_MORE] + gain->sum;
    s->scalar[ROUNDS_BEGAN] += s->scalar[ROUNDS_COUNT];
    s->scalar[ROUNDS_TURN] = !s->scalar[ROUNDS_TURN];
    return s->scalar[ROUNDS_COUNT] ? ROUNDS_PICK_LISTED : RD_SWEEP_END;
}
