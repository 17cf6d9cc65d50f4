/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.k.c - colouring of a part of a graph, whose other parts other ranks colour (color/parts.c). Each vertex has a
 * priority, from its degree and its number in the whole graph; it takes the least colour that no neighbour of higher
 * priority has, once all of these have one (M. Jones and P. Plassmann, 1993). So colours are those of going through all
 * vertices by priority, whoever colours them. Ghosts are told what they are by their owners; a run goes on until no
 * vertex of the part can be coloured.
 *
 * Orders. All relaxed: a vertex depends on single words of its neighbours, and an old one only makes it wait.
 */
#define RD_FOLD_ENOUGH(x) ((x) != 0)
#define RD_SWEEP_FLIGHT   4 /* a few are often enough */
#include "model/sweep.k.h"

#include "apps/color/layout.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)          \
    buf(rd_u64, state)  /* color/layout.k.h; the upper half is the priority */ \
    arg(rd_u32, begins) /* only the priorities of own vertices are wanted */ \
    arg(rd_u32, lowest) /* number of vertex 0 in the whole graph */ \
    arg(rd_u32, owned)                 \
    arg(rd_u32, below)  /* so many ghosts have lower numbers than own vertices */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* By the number of bits of the degree, then by chance. */
rd_fn rd_u32 color_priority_of(rd_u32 v, rd_u64 degree)
{
    rd_u32 bits = 0, x = v * 2654435769u;
    x = (x ^ x >> 16) * 0x7feb352du;
    while (degree) {
        degree /= 2;
        bits++;
    }
    return bits << 26 | x >> 6;
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    /* partner: the store in rd_app_vertex */
    if (a->begins || v >= a->owned || (rd_u32)rd_ld64_rlx(&a->state[v]) != COLOR_NONE)
        *from = *to;
}

/* Has u the higher number in the whole graph? v is owned. */
rd_fn rd_u32 color_is_above(const rd_app *a, rd_u32 u, rd_u32 v)
{
    return u < a->owned ? u > v : u >= a->owned + a->below;
}

/* Has v to wait for u? */
rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    const rd_u64 word = rd_ld64_rlx(&a->state[u]); /* partner: the store in rd_app_vertex */
    const rd_u32 mine = (rd_u32)(rd_ld64_rlx(&a->state[v]) >> 32), other = (rd_u32)(word >> 32); /* never change */
    if ((rd_u32)word != COLOR_NONE || u == v)
        return 0;
    return other > mine || (other == mine && color_is_above(a, u, v));
}

/* The least colour that no neighbour has: 32 at a time. */
rd_fn rd_u32 color_find(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_gain *gain)
{
    const rd_u64 begin = rd_ld_const(&s->row[v]), end = rd_ld_const(&s->row[v + 1]);
    rd_u32 taken = 0xffffffffu, from = 0;
    while (taken == 0xffffffffu) {
        taken = 0;
        for (rd_u64 e = begin; e < end; e++) {
            const rd_u32 u = rd_ld_const(&s->col[e]);
            const rd_u32 at = (rd_u32)rd_ld64_rlx(&a->state[u]) - from; /* partner: the store in rd_app_vertex */
            if (at < 32)
                taken |= 1u << at;
        }
        gain->edges += (rd_u32)(end - begin);
        from += taken == 0xffffffffu ? 32u : 0u;
    }
    return from + rd_popcount((~taken & (taken + 1)) - 1);
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (v >= a->owned)
        return;
    if (a->begins) {
        const rd_u64 degree = rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]);
        a->state[v] = (rd_u64)color_priority_of(a->lowest + v, degree) << 32 | COLOR_NONE; /* read after the run */
        return;
    }
    const rd_u64 word = rd_ld64_rlx(&a->state[v]); /* only this lane writes it now */
    if ((rd_u32)word != COLOR_NONE || fold)
        return;
    gain->sum++;
    const rd_u64 coloured = (word & 0xffffffff00000000u) | color_find(a, s, v, gain);
    rd_st64_rlx(&a->state[v], coloured); /* partner: the loads above */
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    return gain->sum ? 0 : RD_SWEEP_END;
}
