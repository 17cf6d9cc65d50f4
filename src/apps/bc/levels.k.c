/* SPDX-License-Identifier: Apache-2.0 */
/*
 * levels.k.c - what bc/bc.k.c computes, on cores, in one launch a source: Brandes' algorithm over levels that are kept.
 *
 * An edge adds no more than a number to a number, and a core adds in a register what it gathers; so it goes by
 * vertices that ask their neighbours where that can be, and needs no atomics there:
 *   FIRST   words of every vertex as before the search
 *   OUT     a level pushes: its edges claim vertices of the next one, and add to their ways
 *   PULL    every vertex that has no level gathers the ways of its neighbours, and has a level when there are any.
 *           It looks at all its edges; that is less when most vertices have levels, or the level has most edges. Where
 *           edges lead both ways only.
 *   BACK    a level gathers what the next one has, and it is added to the scores; from the last level to the first
 *
 * Planes. A vertex has its numbers in one of two planes, by whether its level is odd or even, and 0 in the other one.
 * An edge leads to the next level, or to the same or an earlier one; whoever gathers looks at the plane of the next
 * level (PULL: of the one before). There those of its own level have 0; and those further on have no numbers yet, in
 * PULL, as have those before it in BACK. So a sum over all edges is the sum over those that count: no level is looked
 * at, and there is no branch that depends on one.
 *   What BACK gathers is 1 / w(v) + s(v) (bc/bc.k.c), made once for each vertex.
 *
 * Levels lie one after another in `order`, which begin at `start`. Those of a few vertices are run by one core, many in
 * a row, without atomics and without a barrier in between. One of more is cut into a piece for each core, or into
 * blocks (bc/out.k.h).
 *
 * Numbers. Floats, doubles or pairs, as bc_wide says (bc/layout.k.h); doubles and pairs are words of the same arrays
 * (bc/number.k.h). A search that finds more ways than its numbers should count ends at once, before it has changed a
 * score.
 *
 * Orders. Phases and levels are separated by the sweep's barrier. Within OUT claims and ways are relaxed atomics, as a
 * level's number stands for itself, and ways are read when the level is over. The rest has one writer.
 */
#define RD_SWEEP_SCALARS      7
#define RD_SWEEP_WALKS(s)     0
#define RD_SWEEP_ITEMS(a, s)  levels_items(a, s)
#define RD_SWEEP_DONE         1  /* a vertex is a task, on the way out and on the way back */
#define RD_SWEEP_STRETCH      1  /* items are blocks of vertices */
#define RD_SWEEP_SHARES       64 /* which differ in edges */
#define RD_GAINS              (RD_GAIN_SUM | RD_GAIN_MOST | RD_GAIN_TOTAL | RD_GAIN_SECOND)
#include "model/sweep.k.h"

#include "apps/bc/layout.k.h"
#include "apps/bc/number.k.h"

#define LEVELS_FIRST 0
#define LEVELS_OUT   1
#define LEVELS_PULL  2
#define LEVELS_BACK  3
#define LEVELS_PACK  4 /* before OUT in blocks and PULL: what is in lists is put in order */

/* Scalars. */
#define LEVELS_AT    0 /* the level */
#define LEVELS_BEGIN 1 /* its vertices are order[BEGIN .. END) */
#define LEVELS_END   2
#define LEVELS_FRONT 3 /* a float: its edges */
#define LEVELS_SEEN  4 /* likewise: those of all levels so far, about */
#define LEVELS_LAST  5 /* of BACK: the last level */
#define LEVELS_LISTS 6 /* 1: its vertices are in the cores' lists */

#define LEVELS_NONE     0xffffffffu
#define LEVELS_TOO_MANY 1e30f
#define LEVELS_STOP     0x80000000u /* of gain->most: there were too many */
#define LEVELS_ALONE    0x80000000u /* of start[]: one core ran the level */

#define LEVELS_FEW_TASKS 64   /* of a level that one core runs */
#define LEVELS_FEW_EDGES 1024 /* likewise */
#define LEVELS_DEAR      16   /* edges that are gathered while one pushes, about */
#define LEVELS_PAIR      8    /* likewise, of two cores, */
#define LEVELS_CHEAP     4    /* and where a core is alone and needs no atomics */
#define LEVELS_RUN       4096 /* vertices that it runs in a row, about: a run can be left between steps only */
#define LEVELS_MOST      64   /* vertices of a block */
#define LEVELS_LEAST     8
#define LEVELS_STRETCH   512  /* vertices by number, of FIRST and PULL */
#define LEVELS_SPLIT     2048 /* vertices of a level that is cut into a piece a core on the way back */
#define LEVELS_SPARSE    16   /* ... where vertices have as many edges, on average */
#define LEVELS_ROOM      256  /* found vertices that a block has in hand */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                   \
    buf(rd_u32, bc_depth)                                                       \
    buf(rd_f32, bc_ways) /* two planes: of level L, v's is at (L % 2) n + v */  \
    buf(rd_f32, bc_through) /* likewise: what BACK gathers */                   \
    buf(rd_u64, bc_ways64) /* both for what is no float; else unused */         \
    buf(rd_u64, bc_through64)                                                   \
    buf(rd_f32, bc_score)                                                       \
    buf(rd_u32, bc_order)                                                       \
    buf(rd_u32, bc_start) /* of levels, and where the last one ends */          \
    buf(rd_u32, bc_lists) /* of cores: see bc/layout.k.h */                     \
    buf(rd_u32, bc_note) /* see bc/layout.k.h */                                \
    arg(rd_u32, bc_source)                                                      \
    arg(rd_u32, bc_wide)                                                        \
    arg(rd_u32, bc_pulls) /* edges lead both ways */                            \
    arg(rd_u32, bc_cores)                                                       \
    arg(rd_f32, bc_edges)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* ---- What a step is ---- */

rd_fn rd_u32 levels_tasks(const rd_sweep *s)
{
    return s->scalar[LEVELS_END] - s->scalar[LEVELS_BEGIN];
}

/* How a level that pushes is run: by one core, by a piece for each, or in blocks. */
#define LEVELS_BY_ONE    0
#define LEVELS_BY_PIECES 1
#define LEVELS_BY_BLOCKS 2

rd_fn rd_u32 levels_kind(const rd_sweep *s)
{
    const rd_f32 edges = rd_as_f32(s->scalar[LEVELS_FRONT]);
    if (levels_tasks(s) <= LEVELS_FEW_TASKS && edges <= LEVELS_FEW_EDGES)
        return LEVELS_BY_ONE;
    return edges <= BC_LIST ? LEVELS_BY_PIECES : LEVELS_BY_BLOCKS;
}

rd_fn rd_u32 levels_ceil(rd_u32 x, rd_u32 y)
{
    return x / y + (x % y != 0);
}

/* Vertices of a block, of a level of so many. Where there are few, and few edges, a piece for each core: what lies side
 * by side in one level has its neighbours side by side in the next, and a core finds them in its own cache. By the
 * device's cores, whoever is at work: a step that another launch goes on with has to say the same. */
rd_fn rd_u32 levels_block(const rd_app *a, const rd_sweep *s, rd_u32 tasks)
{
    const rd_u32 share = tasks / (a->bc_cores * RD_SWEEP_SHARES);
    if (tasks && tasks <= LEVELS_SPLIT && a->bc_edges <= LEVELS_SPARSE * (rd_f32)s->vertices)
        return levels_ceil(tasks, a->bc_cores);
    return share < LEVELS_LEAST ? LEVELS_LEAST : share > LEVELS_MOST ? LEVELS_MOST : share;
}

/* Where a level begins, on the way back. */
rd_fn rd_u32 levels_start(const rd_app *a, rd_u32 level)
{
    return a->bc_start[level] & ~LEVELS_ALONE;
}

rd_fn rd_u32 levels_items(const rd_app *a, const rd_sweep *s)
{
    if (s->phase == LEVELS_FIRST || s->phase == LEVELS_PULL)
        return levels_ceil(s->vertices, LEVELS_STRETCH);
    if (s->phase == LEVELS_OUT) {
        const rd_u32 kind = levels_kind(s), tasks = levels_tasks(s);
        return kind == LEVELS_BY_ONE      ? 1
               : kind == LEVELS_BY_PIECES ? a->bc_cores
                                          : levels_ceil(tasks, levels_block(a, s, tasks));
    }
    const rd_u32 level = s->scalar[LEVELS_AT], tasks = levels_start(a, level + 1) - levels_start(a, level);
    return s->phase == LEVELS_PACK || (a->bc_start[level] & LEVELS_ALONE)
               ? 1
               : levels_ceil(tasks, levels_block(a, s, tasks));
}

/* What is known of a level when it is begun, for the way back; by one core. */
rd_fn void levels_note(const rd_app *a, rd_u32 level, rd_u32 begin, rd_u32 end, rd_u32 small)
{
    a->bc_start[level] = begin | (small ? LEVELS_ALONE : 0);
    a->bc_start[level + 1] = end;
    a->bc_note[BC_DEEPEST] = level;
    a->bc_note[BC_REACHED] = end;
}

rd_fn rd_u32 levels_degree(const rd_sweep *s, rd_u32 v)
{
    const rd_u64 degree = rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]);
    return degree < 0x7fffffffu ? (rd_u32)degree : 0x7fffffffu;
}

#include "apps/bc/out.k.h"
#include "apps/bc/back.k.h"

/* ---- The sweep ---- */

rd_fn rd_u64 rd_app_done(const rd_app *a, const rd_sweep *s, rd_global rd_u32 *waits)
{
    const rd_u32 level = s->scalar[LEVELS_AT];
    *waits = 1; /* the source */
    if (s->phase == RD_SWEEP_END || s->phase == LEVELS_BACK) { /* on the way out others write these */
        const rd_u64 all = 2 * (rd_u64)a->bc_note[BC_REACHED];
        if (s->phase == RD_SWEEP_END)
            return all;
        *waits = levels_start(a, level + 1) - levels_start(a, level);
        return all - levels_start(a, level + 1);
    }
    if (s->phase != LEVELS_FIRST)
        *waits = levels_tasks(s);
    return s->phase != LEVELS_FIRST ? s->scalar[LEVELS_BEGIN] : 0;
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    *from = *to; /* no phase walks */
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return RD_FOLD_NONE;
}

/* Block i of those from `begin` to `end`. */
rd_fn void levels_of_block(rd_u32 i, rd_u32 size, rd_u32 begin, rd_u32 end, rd_u32 *from, rd_u32 *to)
{
    *from = begin + i * size;
    *to = end - *from < size ? end : *from + size;
}

/* A block or a piece of a level, on the way out. */
rd_fn void levels_forth(const rd_app *a, const rd_sweep *s, rd_u32 i, rd_gain *gain)
{
    const rd_u32 level = s->scalar[LEVELS_AT], begin = s->scalar[LEVELS_BEGIN], end = s->scalar[LEVELS_END];
    rd_u32 from = 0, to = 0, many = 0;
    if (i == 0)
        levels_note(a, level, begin, end, levels_kind(s) == LEVELS_BY_ONE);
    if (s->phase == LEVELS_PULL) {
        levels_of_block(i, LEVELS_STRETCH, 0, s->vertices, &from, &to);
        many = levels_pull(a, s, from, to, gain);
    } else if (levels_kind(s) == LEVELS_BY_PIECES) {
        many = levels_out_piece(a, s, i, gain);
    } else {
        levels_of_block(i, levels_block(a, s, end - begin), begin, end, &from, &to);
        many = levels_out(a, s, from, to, gain);
    }
    gain->most |= many ? LEVELS_STOP | many : 0;
}

/* Likewise, on the way back. */
rd_fn void levels_return(const rd_app *a, const rd_sweep *s, rd_u32 i, rd_gain *gain)
{
    const rd_u32 level = s->scalar[LEVELS_AT], begin = levels_start(a, level), end = levels_start(a, level + 1);
    rd_u32 from = 0, to = 0;
    levels_of_block(i, levels_block(a, s, end - begin), begin, end, &from, &to);
    levels_back_some(a, s, level, from, to, gain);
    gain->sum += i == 0;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 i, RD_FOLD fold, rd_gain *gain)
{
    rd_u32 from = 0, to = 0;
    if (s->phase == LEVELS_FIRST) {
        levels_of_block(i, LEVELS_STRETCH, 0, s->vertices, &from, &to);
        levels_clear(a, s, from, to, gain);
    } else if (s->phase == LEVELS_PACK) {
        levels_put(a, s, 0, levels_tasks(s));
        a->bc_note[BC_TAIL] = s->scalar[LEVELS_END];
    } else if (s->phase == LEVELS_BACK && (a->bc_start[s->scalar[LEVELS_AT]] & LEVELS_ALONE)) {
        levels_back_alone(a, s, gain);
    } else if (s->phase == LEVELS_BACK) {
        levels_return(a, s, i, gain);
    } else if (s->phase == LEVELS_OUT && levels_kind(s) == LEVELS_BY_ONE) {
        levels_out_alone(a, s, gain);
    } else {
        levels_forth(a, s, i, gain);
    }
    if (gain->most & LEVELS_STOP) /* partner: the same in other groups; read by the host */
        rd_max_rlx(&a->bc_note[BC_MANY], gain->most & 3);
}

/* How the level at hand is to find the next one. An edge that pushes takes two atomics, for which two cores have to
 * give each other a line of memory, and some ten times as long as one that is gathered; looking for vertices without a
 * level takes half as long for each. */
rd_fn rd_u32 levels_turn(const rd_app *a, const rd_sweep *s)
{
    const rd_f32 front = rd_as_f32(s->scalar[LEVELS_FRONT]), seen = rd_as_f32(s->scalar[LEVELS_SEEN]);
    const rd_f32 left = a->bc_edges > seen ? a->bc_edges - seen : 0, looks = left + (rd_f32)s->vertices / 2;
    const rd_u32 kind = levels_kind(s);
    const rd_f32 dear = a->bc_cores == 1 ? LEVELS_CHEAP : a->bc_cores == 2 ? LEVELS_PAIR : LEVELS_DEAR;
    const rd_u32 pulls = a->bc_pulls && kind != LEVELS_BY_ONE && looks < dear * front;
    if (s->scalar[LEVELS_LISTS] && (pulls || kind == LEVELS_BY_BLOCKS))
        return LEVELS_PACK;
    return pulls ? LEVELS_PULL : LEVELS_OUT;
}

/* After a step on the way out. */
rd_fn rd_u32 levels_found_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    const rd_u32 kind = s->phase == LEVELS_OUT ? levels_kind(s) : LEVELS_BY_BLOCKS, alone = kind == LEVELS_BY_ONE;
    const rd_u32 tasks = alone ? gain->most : gain->sum;
    const rd_f32 mean = a->bc_edges / (rd_f32)s->vertices;
    const rd_f32 more = alone ? (rd_f32)gain->sum * mean : gain->total;
    s->scalar[LEVELS_AT] += alone ? (rd_u32)gain->second : 1;
    s->scalar[LEVELS_END] += gain->sum;
    s->scalar[LEVELS_BEGIN] = s->scalar[LEVELS_END] - tasks;
    s->scalar[LEVELS_FRONT] = rd_as_u32(gain->total);
    s->scalar[LEVELS_SEEN] = rd_as_u32(rd_as_f32(s->scalar[LEVELS_SEEN]) + more);
    s->scalar[LEVELS_LISTS] = kind == LEVELS_BY_PIECES;
    if (tasks)
        return levels_turn(a, s);
    s->scalar[LEVELS_LAST] = --s->scalar[LEVELS_AT];
    return s->scalar[LEVELS_AT] > 1 ? LEVELS_BACK : RD_SWEEP_END; /* nobody lies between a source and its neighbours */
}

rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    if (a->bc_source >= s->vertices) /* there is none */
        return RD_SWEEP_END;
    if (s->phase == LEVELS_FIRST) {
        s->scalar[LEVELS_AT] = s->scalar[LEVELS_BEGIN] = s->scalar[LEVELS_LISTS] = 0;
        s->scalar[LEVELS_END] = 1;
        s->scalar[LEVELS_FRONT] = s->scalar[LEVELS_SEEN] = rd_as_u32(gain->total);
        return levels_turn(a, s);
    }
    if (s->phase == LEVELS_PACK) {
        s->scalar[LEVELS_LISTS] = 0;
        return levels_turn(a, s);
    }
    if (s->phase == LEVELS_BACK) {
        s->scalar[LEVELS_AT] -= gain->sum;
        return s->scalar[LEVELS_AT] ? LEVELS_BACK : RD_SWEEP_END;
    }
    return gain->most & LEVELS_STOP ? RD_SWEEP_END : levels_found_next(a, s, gain);
}
