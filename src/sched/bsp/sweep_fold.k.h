/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_fold.k.h - sweeps: what the edges of a vertex come to, by one lane or by a whole warp. The
 * lanes of a warp read neighbouring edges; each has RD_SWEEP_FLIGHT of them under way at once, since what limits a
 * GPU here is how many far reads it has under way.
 */
#ifndef RD_SCHED_SWEEP_FOLD_K_H
#define RD_SCHED_SWEEP_FOLD_K_H

#include "model/sweep.k.h"
#include "sched/bsp/sweep_layout.k.h"

#if RD_WARP == 32 && RD_LANES % 32 == 0
#define SWEEP_BY_WARP 1
#else
#define SWEEP_BY_WARP 0
#endif
#define SWEEP_MANY      16 /* edges of a vertex for which a CPU's thread unrolls the loop */
#define SWEEP_BLOCK     64 /* edges of a vertex that are folded in one go there */
#define SWEEP_LEVELS    55
#define SWEEP_FEW       4   /* edges of a vertex that are looked at without a loop */
#define SWEEP_WIDE      16  /* edges from which on some lanes of a warp take a vertex, */
#define SWEEP_TEAM      8   /* so many; which read a sector of memory together */
#define SWEEP_VERY_WIDE 128 /* edges from which on all of them do */

/* A function, so that a macro that names its arguments twice runs no shuffle twice. */
rd_fn RD_FOLD sweep_join(RD_FOLD x, RD_FOLD y)
{
    return RD_FOLD_JOIN(x, y);
}

/* ---- Folding edges ---- */

#ifdef RD_FOLD_ENOUGH
#define SWEEP_ENOUGH(x) RD_FOLD_ENOUGH(x)
#else
#define SWEEP_ENOUGH(x) 0
#endif

#if RD_LANES == 1

#ifdef RD_FOLD_ENOUGH

/* One by one: most often the first few are enough. */
rd_fn RD_FOLD sweep_fold(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to, rd_u32 stride)
{
    RD_FOLD x = RD_FOLD_NONE;
    for (rd_u64 e = from; e < to && !SWEEP_ENOUGH(x); e++)
        x = sweep_join(x, rd_app_edge(app, s, v, rd_ld_const(&s->col[e]), e));
    return x;
}

#else

#ifdef RD_SWEEP_IDEMPOTENT

/* Up to four edges without a branch: how many there are is hard to foresee, and a wrong guess costs more than edges
 * looked at twice, which the app allows. By masks, since processors that have no choice between two fractions (x86-64)
 * would branch for it. */
rd_fn RD_FOLD sweep_fold_kept(RD_FOLD x, rd_u32 kept)
{
    const rd_u32 mask = 0u - kept;
    return RD_FOLD_OF((RD_FOLD_WORD(x) & mask) | (RD_FOLD_WORD(RD_FOLD_NONE) & ~mask));
}

rd_fn RD_FOLD sweep_fold_few(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to)
{
    const rd_u64 last = to - 1, e1 = from + 1, e2 = e1 + (e1 < last);
    const RD_FOLD w = rd_app_edge(app, s, v, rd_ld_const(&s->col[from]), from);
    if (from == last) /* where they are many, most are foreseen: leaves of a hub, ends of chains */
        return w;
    const RD_FOLD x = rd_app_edge(app, s, v, rd_ld_const(&s->col[e1]), e1);
    const RD_FOLD y = rd_app_edge(app, s, v, rd_ld_const(&s->col[e2]), e2);
    const RD_FOLD z = rd_app_edge(app, s, v, rd_ld_const(&s->col[last]), last);
    return sweep_join(sweep_join(w, x), sweep_join(sweep_fold_kept(y, e2 > e1), sweep_fold_kept(z, last > e2)));
}

#endif

/* Four sums at once where there are many edges, so that one addition need not wait for the other. Where an edge does
 * much (RD_SWEEP_FLIGHT) that gains nothing, and each copy of it takes a compiler long. */
rd_fn RD_FOLD sweep_fold_block(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to)
{
    rd_global const rd_u32 *col = s->col;
    RD_FOLD w = RD_FOLD_NONE;
    rd_u64 e = from;
#ifdef RD_SWEEP_IDEMPOTENT
    if (to - from - 1 < 4)
        return sweep_fold_few(app, s, v, from, to);
#endif
#if RD_SWEEP_FLIGHT > 2
    if (to - from >= SWEEP_MANY) {
        RD_FOLD x = RD_FOLD_NONE, y = RD_FOLD_NONE, z = RD_FOLD_NONE;
        for (; e + 4 <= to; e += 4) {
            w = sweep_join(w, rd_app_edge(app, s, v, rd_ld_const(&col[e]), e));
            x = sweep_join(x, rd_app_edge(app, s, v, rd_ld_const(&col[e + 1]), e + 1));
            y = sweep_join(y, rd_app_edge(app, s, v, rd_ld_const(&col[e + 2]), e + 2));
            z = sweep_join(z, rd_app_edge(app, s, v, rd_ld_const(&col[e + 3]), e + 3));
        }
        w = sweep_join(w, x);
        y = sweep_join(y, z);
        w = sweep_join(w, y);
    }
#endif
    for (; e < to; e++)
        w = sweep_join(w, rd_app_edge(app, s, v, rd_ld_const(&col[e]), e));
    return w;
}

/* Very many edges block by block, and blocks by twos, fours and so on: one after another, a long sum of small numbers
 * in single precision would be wrong by as many roundings as it has terms. */
rd_fn RD_FOLD sweep_fold(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to, rd_u32 stride)
{
    RD_FOLD level[SWEEP_LEVELS], x = RD_FOLD_NONE; /* level k: 2^k blocks, where bit k of `blocks` is set */
    rd_u64 blocks = 0, left;
    rd_u32 k = 0;
    if (to - from <= SWEEP_BLOCK)
        return sweep_fold_block(app, s, v, from, to);
    for (rd_u64 e = from; e < to; e += SWEEP_BLOCK) {
        x = sweep_fold_block(app, s, v, e, to - e < SWEEP_BLOCK ? to : e + SWEEP_BLOCK);
        for (k = 0, left = blocks; left & 1; left /= 2, k++)
            x = sweep_join(level[k], x);
        level[k] = x;
        blocks++;
    }
    x = RD_FOLD_NONE;
    for (k = 0, left = blocks; left; left /= 2, k++)
        if (left & 1)
            x = sweep_join(level[k], x);
    return x;
}

#endif

#else

/* Where no warp shares a vertex one lane may have thousands of edges: joined in runs, as rounding asks for above. */
#if !SWEEP_BY_WARP && !defined(RD_FOLD_ENOUGH)
#define SWEEP_RUN 16 /* turns */
#else
#define SWEEP_RUN 0
#endif

/* Every stride-th edge from `from` on, RD_SWEEP_FLIGHT at a time: first all targets are loaded, then the app is asked.
 */
rd_fn RD_FOLD sweep_fold(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to, rd_u32 stride)
{
    RD_FOLD x = RD_FOLD_NONE;
#if SWEEP_RUN
    RD_FOLD runs = RD_FOLD_NONE;
    rd_u32 turn = 0;
#endif
    for (rd_u64 e = from; e < to && !SWEEP_ENOUGH(x); e += RD_SWEEP_FLIGHT * stride) {
        rd_u32 u[RD_SWEEP_FLIGHT];
        RD_FOLD y[RD_SWEEP_FLIGHT];
        RD_UNROLL
        for (rd_u32 k = 0; k < RD_SWEEP_FLIGHT; k++)
            u[k] = e + k * stride < to ? rd_ld_const(&s->col[e + k * stride]) : 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < RD_SWEEP_FLIGHT; k++) {
            y[k] = RD_FOLD_NONE;
            if (e + k * stride < to)
                y[k] = rd_app_edge(app, s, v, u[k], e + k * stride);
        }
        /* by twos, fours, ...: the sum so far is rounded once for all of them */
        RD_UNROLL
        for (rd_u32 apart = 1; apart < RD_SWEEP_FLIGHT; apart *= 2) {
            RD_UNROLL
            for (rd_u32 k = 0; k + apart < RD_SWEEP_FLIGHT; k += 2 * apart)
                y[k] = sweep_join(y[k], y[k + apart]);
        }
        x = sweep_join(x, y[0]);
#if SWEEP_RUN
        if (++turn % SWEEP_RUN == 0) {
            runs = sweep_join(runs, x);
            x = RD_FOLD_NONE;
        }
#endif
    }
#if SWEEP_RUN
    x = sweep_join(runs, x);
#endif
    return x;
}

#endif

#if SWEEP_BY_WARP

/* Up to SWEEP_FEW edges of a lane's vertex: as on roads, where a loop for eight would look at six that are not there.
 */
rd_fn RD_FOLD sweep_fold_few(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u32 degree)
{
    rd_global const rd_u32 *const col = s->col + from;
    rd_u32 u[SWEEP_FEW];
    RD_FOLD y[SWEEP_FEW];
    RD_UNROLL
    for (rd_u32 k = 0; k < SWEEP_FEW; k++)
        u[k] = k < degree ? rd_ld_const(&col[k]) : 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < SWEEP_FEW; k++) {
        y[k] = RD_FOLD_NONE;
        if (k < degree)
            y[k] = rd_app_edge(app, s, v, u[k], from + k);
    }
    return sweep_join(sweep_join(y[0], y[1]), sweep_join(y[2], y[3]));
}

/* As sweep_fold, by a team of lanes of a warp that share the edges; all lanes of the warp call it. Where one edge is
 * likely to be enough each lane looks at a single one first, and what one of them finds is enough for its team: of 32
 * neighbours one will do, and there may be 256 under way at once. */
rd_fn RD_FOLD sweep_fold_shared(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to, rd_u32 stride,
                                rd_u32 team)
{
#if RD_SWEEP_ONE_DOES
    const rd_u32 whole = team < RD_WARP ? ((1u << team) - 1) << rd_warp_lane() / team * team : ~0u;
    RD_FOLD x = RD_FOLD_NONE;
    if (from < to)
        x = rd_app_edge(app, s, v, rd_ld_const(&s->col[from]), from);
    if (!(rd_warp_ballot(SWEEP_ENOUGH(x)) & whole))
        x = sweep_join(x, sweep_fold(app, s, v, from + stride, to, stride));
    return x;
#else
    return sweep_fold(app, s, v, from, to, stride);
#endif
}

/* Folds the vertices of a warp that have many edges: one after another by all its lanes where they are very many, else
 * some at a time, each by a team of lanes, as the lanes of a warp would have an edge or two each, and wait for the far
 * reads of one vertex after those of another.
 * @return what this lane's vertex came to, when it is one of them. */
rd_fn RD_FOLD sweep_fold_wide(const rd_app *app, const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u32 degree)
{
    const rd_u32 me = rd_warp_lane(), below = (1u << me) - 1;
    RD_FOLD mine = RD_FOLD_NONE;
    rd_u32 wide = rd_warp_ballot(degree >= SWEEP_WIDE), very = rd_warp_ballot(degree >= SWEEP_VERY_WIDE);
    while (wide) {
        /* Equal in all lanes: who is next, and the lanes of a team. Team i has the i-th of them. */
        const rd_u32 next = very ? very : wide, team = very ? RD_WARP : SWEEP_TEAM;
        rd_u32 rest = next;
        for (rd_u32 i = me / team; i > 0; i--)
            rest &= rest - 1; /* 0 stays 0 */
        const rd_u32 owner = rest ? rd_lowest(rest) : 0, edges = rd_warp_shuffle(degree, owner);
        const rd_u32 low = rd_warp_shuffle((rd_u32)from, owner), high = rd_warp_shuffle((rd_u32)(from >> 32), owner);
        const rd_u64 begin = (rd_u64)high << 32 | low, end = begin + (rest ? edges : 0);
        const rd_u32 whose = rd_warp_shuffle(v, owner); /* lists and --scatter: not the next in number */
        RD_FOLD x = sweep_fold_shared(app, s, whose, begin + me % team, end, team, team);
        for (rd_u32 step = team / 2; step > 0; step /= 2)
            x = sweep_join(x, RD_FOLD_OF(rd_warp_shuffle(RD_FOLD_WORD(x), me ^ step)));
        const rd_u32 place = rd_popcount(next & below) * team, had = (next >> me & 1) && place < RD_WARP;
        x = RD_FOLD_OF(rd_warp_shuffle(RD_FOLD_WORD(x), place % RD_WARP));
        mine = had ? x : mine;
        const rd_u32 done = rd_warp_ballot(had);
        wide &= ~done;
        very &= ~done;
    }
    return mine;
}

#endif

#endif
