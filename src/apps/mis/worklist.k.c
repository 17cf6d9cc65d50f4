/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worklist.k.c - the independent set of mis/mis.k.c by tasks, where there are no sweeps: each vertex is a task once,
 * when all neighbours of higher priority are decided, and so is it. (G. Blelloch, J. Fineman, J. Shun: Greedy
 * sequential maximal independent set and matching are parallel on average, SPAA 2012, "root sets".)
 *
 * Two words a vertex: `mark`, 1 in the set, 0 out of it, once it is decided; and `waits`, how many edges lead to
 * neighbours of higher priority that have not told it that they are out, with the bit SHUT once one told it that it is
 * in. The seeds are those that wait for no one. A task that is in tells all neighbours that are open: whoever sets SHUT
 * decides the neighbour, which is out, and gives it, however many others it still waits for. One that is out tells
 * open neighbours of lower priority, by taking off an edge each; who takes off the last decides the neighbour, which is
 * in, and gives it. A neighbour that is in has higher priority than who is open, as of two neighbours the lower one
 * comes in only after the higher one is out. So the set is that of going through all vertices by priority: the same in
 * every run, and the same as in sweeps. Parallel edges are waited for and told one by one; loops are neither.
 *   Hubs have low priority and a neighbour that is in at once: without SHUT they would be told by each of theirs.
 *
 * Each vertex is given once: the value 0 is come to by the last edge taken off, with SHUT not set, which then no one is
 * left to set, since whoever could would not have taken off its own edge; and SHUT is set once. Edges taken off after
 * that leave the bit alone, there being no more of them than were counted.
 *
 * Orders. All relaxed: all that is told of a vertex is in one word, and what it is in its mark is stored before it is
 * given.
 */
#define RD_APP_SEEDS      1
#define RD_APP_SEED_EDGES 1
#define RD_APP_NO_ROUNDS  1 /* in rounds there are sweeps */
#include "model/frontier.k.h"

#include "apps/mis/priority.k.h"

#define MIS_SHUT 0x80000000u

/* clang-format off */
#define RD_APP_ARGS(buf, arg)      \
    buf(rd_u32, mark)              \
    buf(rd_u32, waits)             \
    buf(const rd_u64, mis_row)     \
    arg(rd_f32, mean) /* degree */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 mis_priority(const rd_app *a, rd_u32 v)
{
    return mis_priority_of(v, rd_ld_const(&a->mis_row[v + 1]) - rd_ld_const(&a->mis_row[v]), a->mean);
}

/* Does u, of priority `other`, go before v? */
rd_fn rd_u32 mis_before(rd_u32 u, rd_u32 other, rd_u32 v, rd_u32 mine)
{
    return other > mine || (other == mine && u > v);
}

rd_fn rd_u32 rd_app_seed_edge(const rd_app *a, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return mis_before(u, mis_priority(a, u), v, mis_priority(a, v));
}

rd_fn rd_u32 rd_app_is_seed_by(const rd_app *a, rd_u32 v, rd_u32 count)
{
    a->waits[v] = count; /* the run comes after this launch */
    a->mark[v] = !count;
    return count ? RD_SEED_NO : RD_SEED_NOW;
}

/* Above, its priority, of less than 31 bits; below, whether it is in the set. It is decided. */
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return mis_priority(a, u) << 1 | rd_ld_rlx(&a->mark[u]); /* partner: the store below, before u was given */
}

/* Who is open waits for someone, and is not shut out. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    const rd_u32 waits = rd_ld_rlx(&a->waits[v]); /* partner: what is done to it below; an old value is open */
    return waits && !(waits & MIS_SHUT);
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    rd_u32 decided;
    if (value & 1) /* partner of both: the same by v's other neighbours */
        decided = !(rd_or_rlx(&a->waits[v], MIS_SHUT) & MIS_SHUT);
    else
        decided = mis_before(u, value >> 1, v, mis_priority(a, v)) && rd_add_rlx(&a->waits[v], ~(rd_u32)0) == 1;
    if (decided) { /* by this lane alone */
        rd_st_rlx(&a->mark[v], !(value & 1));
        rd_give(w, v);
    }
}
