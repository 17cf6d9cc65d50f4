/* SPDX-License-Identifier: Apache-2.0 */
/*
 * out.k.h - bc/levels.k.c on the way out: FIRST, OUT and PULL, for one vertex after another. Part of that text.
 *
 * A level that pushes is one core's, or a piece for each, or in blocks. Pieces are for levels of some hundred vertices,
 * of which roads have thousands: each core's finds go to a list of its own, and the lists, one behind the other, are
 * the next level. So what a core finds it mostly takes itself, and two cores seldom have to give each other a line of
 * memory; where they find unlike numbers pieces follow. What is in lists is put in order, for the way back, by whoever
 * takes it. In blocks a core puts what it found at the end of the order, with one addition for many.
 */
#ifndef RD_APPS_BC_OUT_K_H
#define RD_APPS_BC_OUT_K_H

#include "apps/bc/gather.k.h"

/* ---- FIRST ---- */

rd_fn void levels_clear(const rd_app *a, const rd_sweep *s, rd_u32 from, rd_u32 to, rd_gain *gain)
{
    const rd_u64 n = s->vertices;
    const rd_u32 source = a->bc_source;
    for (rd_u32 v = from; v < to; v++)
        a->bc_depth[v] = LEVELS_NONE;
    for (rd_u32 v = from; v < to && a->bc_wide; v++)
        a->bc_ways64[v] = a->bc_ways64[n + v] = a->bc_through64[v] = a->bc_through64[n + v] = 0;
    for (rd_u32 v = from; v < to && !a->bc_wide; v++)
        a->bc_ways[v] = a->bc_ways[n + v] = a->bc_through[v] = a->bc_through[n + v] = 0;
    if (from <= source && source < to) {
        a->bc_depth[source] = 0;
        if (a->bc_wide)
            a->bc_ways64[source] = bc_wide_one(a->bc_wide);
        else
            a->bc_ways[source] = 1;
        a->bc_order[0] = source;
        a->bc_note[BC_TAIL] = 1;
        gain->total += (rd_f32)levels_degree(s, source);
    }
}

/* ---- OUT ---- */

/* Is no other group at work? Then nothing has to be atomic, whatever groups a launch before had. */
#define LEVELS_BY_ITSELF (RD_CORE && rd_groups() == 1)

/* The list of core c for a level: how many there are, and then they. */
rd_fn rd_global rd_u32 *levels_list(const rd_app *a, rd_u32 level, rd_u32 c)
{
    return a->bc_lists + (level % 2 * (rd_u64)a->bc_cores + c) * BC_LIST_WORDS;
}

/* Vertices of the next level, before they are in a list or have a place in the order. */
typedef struct {
    rd_global rd_u32 *list; /* where they go to; without one: into the order */
    rd_u32 use_list, count;
    rd_u32 vertex[LEVELS_ROOM];
} levels_found;

rd_fn void levels_place(const rd_app *a, const rd_sweep *s, levels_found *found, rd_gain *gain)
{
    rd_global rd_u32 *to = found->list;
    rd_u64 edges = 0;
    if (!found->count)
        return;
    if (!found->use_list) /* partner: the same in other groups */
        to = a->bc_order + rd_add_rlx(&a->bc_note[BC_TAIL], found->count);
    for (rd_u32 i = 0; i < found->count; i++) {
        to[i] = found->vertex[i];
        edges += levels_degree(s, found->vertex[i]);
    }
    found->list += found->use_list ? found->count : 0;
    gain->sum += found->count;
    gain->total += (rd_f32)edges;
    found->count = 0;
}

/* More ways, beside others who may add to them. @return whether they are too many, as BC_MANY. */
rd_fn rd_u32 levels_add(rd_global rd_f32 *ways, rd_f32 more)
{
    return rd_addf_rlx(ways, more) + more > LEVELS_TOO_MANY; /* partner: the same in other groups */
}

rd_fn rd_u32 levels_add64(rd_u32 wide, rd_global rd_u64 *ways, rd_u64 more)
{
    rd_u64 old = rd_ld64_rlx(ways), seen = ~old; /* partner: the swap in other groups */
    while (old != seen) {
        seen = old;
        old = rd_cas64_rlx(ways, seen, bc_wide_sum(wide, seen, more));
    }
    return bc_wide_many(wide, bc_wide_sum(wide, old, more));
}

/* Vertices of the level, with others at work. Apart, as others are below: what is in the loop has all registers.
 * @return as above. */
rd_apart rd_u32 levels_push(const rd_app *a, const rd_sweep *s, rd_global const rd_u32 *vertices, rd_u32 count,
                            levels_found *found, rd_gain *gain)
{
    const rd_u32 level = s->scalar[LEVELS_AT], below = level + 1, wide = a->bc_wide;
    const rd_u64 n = s->vertices, from = level % 2 * n, to = below % 2 * n;
    rd_global const rd_u64 *const row = s->row;
    rd_global const rd_u32 *const col = s->col;
    rd_global rd_u32 *const depth = a->bc_depth;
    rd_u32 many = 0;
    for (rd_u32 i = 0; i < count; i++) {
        const rd_u32 u = vertices[i];
        const rd_u64 first = rd_ld_const(&row[u]), last = rd_ld_const(&row[u + 1]);
        const rd_u64 more64 = wide ? a->bc_ways64[from + u] : 0;
        const rd_f32 more = wide ? 0 : a->bc_ways[from + u];
        levels_ahead(vertices, row, col, i, count);
        gain->edges += (rd_u32)(last - first);
        for (rd_u64 e = first; e < last; e++) {
            const rd_u32 v = rd_ld_const(&col[e]);
            rd_u32 was = rd_ld_rlx(&depth[v]); /* partner: the claim below */
            if (was == LEVELS_NONE) {
                was = rd_cas_rlx(&depth[v], LEVELS_NONE, below); /* partner: the same in other groups */
                if (was == LEVELS_NONE)
                    found->vertex[found->count++] = v;
                if (found->count == LEVELS_ROOM)
                    levels_place(a, s, found, gain);
            }
            if (was == LEVELS_NONE || was == below)
                many |=
                    wide ? levels_add64(wide, &a->bc_ways64[to + v], more64) : levels_add(&a->bc_ways[to + v], more);
        }
    }
    return many;
}

/* Vertices of a level with nobody else at work: without atomics. */
typedef struct {
    rd_u32 found; /* vertices of the next one, from `to` on */
    rd_u32 many;  /* it has too many ways: as BC_MANY */
    rd_u64 edges; /* of those that were found */
} levels_next;

rd_apart levels_next levels_push_alone(const rd_app *a, const rd_sweep *s, rd_u32 level,
                                       rd_global const rd_u32 *vertices, rd_u32 count, rd_global rd_u32 *found)
{
    const rd_u64 n = s->vertices, from = level % 2 * n, to = (level + 1) % 2 * n;
    rd_global const rd_u64 *const row = s->row, *const ways64 = a->bc_ways64 + from;
    rd_global const rd_u32 *const col = s->col;
    rd_global const rd_f32 *const ways = a->bc_ways + from;
    rd_global rd_u32 *const depth = a->bc_depth;
    rd_global rd_f32 *const next = a->bc_ways + to;
    rd_global rd_u64 *const next64 = a->bc_ways64 + to;
    const rd_u32 wide = a->bc_wide, below = level + 1;
    levels_next x = {0, 0, 0};
    for (rd_u32 i = 0; i < count; i++) {
        const rd_u32 u = vertices[i];
        const rd_u64 last = rd_ld_const(&row[u + 1]), more64 = wide ? ways64[u] : 0;
        const rd_f32 more = wide ? 0 : ways[u];
        levels_ahead(vertices, row, col, i, count);
        for (rd_u64 e = rd_ld_const(&row[u]); e < last; e++) {
            const rd_u32 v = rd_ld_const(&col[e]), was = depth[v];
            if (was == LEVELS_NONE) {
                depth[v] = below;
                found[x.found++] = v;
                x.edges += rd_ld_const(&row[v + 1]) - rd_ld_const(&row[v]);
            }
            if ((was == LEVELS_NONE || was == below) && wide) {
                next64[v] = bc_wide_sum(wide, next64[v], more64);
                x.many |= bc_wide_many(wide, next64[v]);
            } else if (was == LEVELS_NONE || was == below) {
                next[v] += more;
                x.many |= next[v] > LEVELS_TOO_MANY;
            }
        }
    }
    return x;
}

/* The same of a step that others have a part in, or had before they left: what is found goes to a list or into the
 * order, and is counted as theirs is. @return as above, and in *found how many. */
rd_fn rd_u32 levels_push_some(const rd_app *a, const rd_sweep *s, rd_global const rd_u32 *vertices, rd_u32 count,
                              rd_global rd_u32 *to, rd_gain *gain, rd_u32 *found)
{
    const levels_next x = levels_push_alone(a, s, s->scalar[LEVELS_AT], vertices, count, to);
    for (rd_u32 i = 0; i < count; i++)
        gain->edges += levels_degree(s, vertices[i]);
    gain->sum += x.found;
    gain->total += (rd_f32)x.edges;
    *found = x.found;
    return x.many;
}

rd_fn rd_u32 levels_out(const rd_app *a, const rd_sweep *s, rd_u32 begin, rd_u32 end, rd_gain *gain)
{
    levels_found found;
    if (LEVELS_BY_ITSELF) {
        rd_u32 more = 0;
        const rd_u32 too_many =
            levels_push_some(a, s, a->bc_order + begin, end - begin, a->bc_order + a->bc_note[BC_TAIL], gain, &more);
        a->bc_note[BC_TAIL] += more;
        return too_many;
    }
    found.list = a->bc_order; /* not used */
    found.use_list = found.count = 0;
    const rd_u32 many = levels_push(a, s, a->bc_order + begin, end - begin, &found, gain);
    levels_place(a, s, &found, gain);
    return many;
}

/* Of the level's vertices those from `from` to `to`, which are in lists, go to their places in the order. */
rd_fn void levels_put(const rd_app *a, const rd_sweep *s, rd_u32 from, rd_u32 to)
{
    rd_global rd_u32 *const order = a->bc_order + s->scalar[LEVELS_BEGIN];
    rd_u32 base = 0;
    for (rd_u32 c = 0; c < a->bc_cores && base < to; c++) {
        rd_global const rd_u32 *const list = levels_list(a, s->scalar[LEVELS_AT], c);
        for (rd_u32 i = from > base ? from - base : 0; i < list[0] && base + i < to; i++)
            order[base + i] = list[1 + i];
        base += list[0];
    }
}

/* Piece c of the level, one for each core. */
rd_fn rd_u32 levels_out_piece(const rd_app *a, const rd_sweep *s, rd_u32 c, rd_gain *gain)
{
    const rd_u64 tasks = levels_tasks(s);
    const rd_u32 from = (rd_u32)(tasks * c / a->bc_cores), to = (rd_u32)(tasks * (c + 1) / a->bc_cores);
    rd_global rd_u32 *const list = levels_list(a, s->scalar[LEVELS_AT] + 1, c);
    levels_found found;
    found.list = list + 1;
    found.use_list = 1;
    found.count = 0;
    if (s->scalar[LEVELS_LISTS])
        levels_put(a, s, from, to);
    if (LEVELS_BY_ITSELF)
        return levels_push_some(a, s, a->bc_order + s->scalar[LEVELS_BEGIN] + from, to - from, list + 1, gain, list);
    const rd_u32 many = levels_push(a, s, a->bc_order + s->scalar[LEVELS_BEGIN] + from, to - from, &found, gain);
    levels_place(a, s, &found, gain);
    list[0] = (rd_u32)(found.list - (list + 1));
    return many;
}

/* Small levels in a row, from the step's on. */
rd_fn void levels_out_alone(const rd_app *a, const rd_sweep *s, rd_gain *gain)
{
    rd_u32 level = s->scalar[LEVELS_AT], begin = s->scalar[LEVELS_BEGIN], end = s->scalar[LEVELS_END], run = 0;
    rd_u64 edges = (rd_u64)rd_as_f32(s->scalar[LEVELS_FRONT]);
    rd_global rd_u32 *const order = a->bc_order;
    const rd_u32 before = end;
    if (s->scalar[LEVELS_LISTS])
        levels_put(a, s, 0, end - begin);
    do {
        levels_note(a, level, begin, end, 1);
        gain->edges += (rd_u32)edges;
        const levels_next next = levels_push_alone(a, s, level, order + begin, end - begin, order + end);
        edges = next.edges;
        gain->most |= next.many ? LEVELS_STOP | next.many : 0;
        begin = end;
        end += next.found;
        level++;
        run++;
    } while (end > begin && end - begin <= LEVELS_FEW_TASKS && edges <= LEVELS_FEW_EDGES && end - before < LEVELS_RUN &&
             !gain->most);
    a->bc_note[BC_TAIL] = end;
    gain->sum += end - before;
    gain->most = gain->most ? gain->most : end - begin;
    gain->total += (rd_f32)edges;
    gain->second += (rd_f32)run;
}

/* ---- PULL ---- */

/* Vertices by number. Those that have no level get the next one when a neighbour is of this one. @return as above. */
rd_apart rd_u32 levels_pull(const rd_app *a, const rd_sweep *s, rd_u32 begin, rd_u32 end, rd_gain *gain)
{
    const rd_u32 level = s->scalar[LEVELS_AT], below = level + 1, wide = a->bc_wide;
    const rd_u64 n = s->vertices, from = level % 2 * n, to = below % 2 * n;
    rd_global const rd_u64 *const row = s->row;
    rd_global rd_u32 *const depth = a->bc_depth;
    rd_u32 many = 0;
    levels_found found;
    found.list = a->bc_order; /* not used */
    found.use_list = found.count = 0;
    for (rd_u32 v = begin; v < end; v++) {
        if (depth[v] != LEVELS_NONE)
            continue;
        const rd_u64 first = rd_ld_const(&row[v]), last = rd_ld_const(&row[v + 1]);
        const rd_u64 sum64 = wide ? levels_gather_wide(wide, a->bc_ways64 + from, s->col, first, last) : 0;
        const rd_f32 sum = wide ? 0 : levels_gather(a->bc_ways + from, s->col, first, last);
        gain->edges += (rd_u32)(last - first);
        if (!sum64 && sum == 0)
            continue;
        depth[v] = below;
        if (wide)
            a->bc_ways64[to + v] = sum64;
        else
            a->bc_ways[to + v] = sum;
        many |= wide ? bc_wide_many(wide, sum64) : sum > LEVELS_TOO_MANY;
        found.vertex[found.count++] = v;
        if (found.count == LEVELS_ROOM)
            levels_place(a, s, &found, gain);
    }
    levels_place(a, s, &found, gain);
    return many;
}

#endif
