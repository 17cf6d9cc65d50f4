/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rounds.k.c - colouring in rounds of two steps over all vertices: what color/speculate.k.c and
 * color/priority.k.c do without rounds, as sweeps of the scheduler `bsp`.
 *
 * Guess and repair (A. Gebremedhin and F. Manne, 2000): a step in which every vertex without a final colour picks the
 * least one that no neighbour has for good; then one in which it looks whether a neighbour picked the same. The
 * first of these in the order of degrees keeps it. That is at least one vertex of all that are left, so rounds end.
 *
 * By priority (M. Jones and P. Plassmann, 1993): a step in which every vertex looks whether all neighbours before it
 * in that order have their colours; then one in which those for which that holds take the least colour left. No
 * two of them are neighbours.
 *
 * What neighbours have taken is a word of 32 bits, so a vertex looks at 32 colours a round, and goes on to the next 32
 * when all are gone. It need not come back: colours are for good.
 *
 * A vertex' word (color/layout.k.h) has in its lower half: COLOR_SETTLED and its colour; or COLOR_TRIED and the colour
 * it picked, or, by priority, the first of the 32 it looks at, now that it may; or the latter without the note;
 * COLOR_NONE at first, which means 0.
 *
 * Orders. All relaxed. Within a step only a vertex' own lane changes its word, and in no way that another could
 * mistake: a pick that becomes final stays the same colour, and final colours do not change.
 */
#define RD_FOLD_ENOUGH(x) ((x) == ROUNDS_ALL)
#define RD_SWEEP_FLIGHT   4
#include "model/sweep.k.h"
#include "apps/color/layout.k.h"

#define ROUNDS_ALL    0xffffffffu
#define ROUNDS_COLOUR (COLOR_TRIED - 1)

/* clang-format off */
#define RD_APP_ARGS(buf, arg)           \
    buf(rd_u64, state) \
    arg(rd_u32, by_priority)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* Does this step take colours? Else it looks whether the vertex may have the one it picked, or may pick. */
rd_fn rd_u32 rounds_picks(const rd_app *a, const rd_sweep *s)
{
    return s->phase == a->by_priority;
}

/* Is there anything to do for a vertex with this word, in this step? */
rd_fn rd_u32 rounds_acts(const rd_app *a, const rd_sweep *s, rd_u64 word)
{
    const rd_u32 low = (rd_u32)word, tried = low != COLOR_NONE && low & COLOR_TRIED;
    if (low != COLOR_NONE && low & COLOR_SETTLED)
        return 0;
    return a->by_priority ? rounds_picks(a, s) == tried : rounds_picks(a, s) || tried;
}

/* The first of the colours that a vertex looks at. */
rd_fn rd_u32 rounds_from(rd_u64 word)
{
    return (rd_u32)word == COLOR_NONE ? 0 : (rd_u32)word & ROUNDS_COLOUR & ~31u;
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    if (!rounds_acts(a, s, rd_ld64_rlx(&a->state[v]))) /* partner: the store in rd_app_vertex */
        *from = *to;
}

/* Picking: the neighbour's colour as a bit, if it is one of the 32. Looking: all bits if the neighbour is in the way.
 */
rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    const rd_u64 own = rd_ld64_rlx(&a->state[v]), other = rd_ld64_rlx(&a->state[u]); /* partner: as above */
    const rd_u32 low = (rd_u32)other, settled = low != COLOR_NONE && low & COLOR_SETTLED;
    if (rounds_picks(a, s)) {
        const rd_u32 at = (low & ROUNDS_COLOUR) - rounds_from(own);
        return settled && u != v && at < 32 ? 1u << at : 0;
    }
    if (other >> 32 >= own >> 32) /* itself, or later in the order */
        return 0;
    if (a->by_priority)
        return settled ? 0 : ROUNDS_ALL;
    const rd_u32 has = settled || (low != COLOR_NONE && low & COLOR_TRIED);
    return has && (low & ROUNDS_COLOUR) == ((rd_u32)own & ROUNDS_COLOUR) ? ROUNDS_ALL : 0;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    const rd_u64 own = rd_ld64_rlx(&a->state[v]); /* only this lane writes it now */
    rd_u32 low = (rd_u32)own;
    if (rounds_acts(a, s, own)) {
        const rd_u32 from = rounds_from(own), lowest = ~fold & (fold + 1); /* bit that is 0, if any is */
        if (!rounds_picks(a, s))
            low = fold ? low : a->by_priority ? COLOR_TRIED | from : (low & ROUNDS_COLOUR) | COLOR_SETTLED;
        else if (fold == ROUNDS_ALL)
            low = (from + 32) | (a->by_priority ? COLOR_TRIED : 0);
        else
            low = (from + rd_popcount(lowest - 1)) | (a->by_priority ? COLOR_SETTLED : COLOR_TRIED);
        rd_st64_rlx(&a->state[v], own >> 32 << 32 | low); /* partner: the loads in rd_app_edge */
    }
    gain->sum += low == COLOR_NONE || !(low & COLOR_SETTLED); /* has no colour yet */
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    return s->phase == 0 ? 1 : gain->sum ? 0 : RD_SWEEP_END;
}
