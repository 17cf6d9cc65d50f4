/* SPDX-License-Identifier: Apache-2.0 */
/* at_once.k.h - triangles on cores of graphs that are counted as they are; part of tc/tc.k.c, which says of which. */
#ifndef RD_APPS_TC_AT_ONCE_K_H
#define RD_APPS_TC_AT_ONCE_K_H

#if RD_CORE

/* What the ascending rows [i, i_end) and [j, j_end) of the graph itself have in common below v, which ends the first of
 * them: of parallel edges one counts. */
rd_fn rd_u32 tc_below(rd_global const rd_u32 *col, rd_u64 i, rd_u64 i_end, rd_u64 j, rd_u64 j_end, rd_u32 v)
{
    rd_u32 count = 0, last = v; /* none is v */
    while (i < i_end && j < j_end) {
        const rd_u32 x = rd_ld_const(&col[i]), y = rd_ld_const(&col[j]);
        if (y >= v)
            break;
        count += x == y && x != last;
        last = x == y ? x : last;
        i += x <= y;
        j += y <= x;
    }
    return count;
}

/* The same of rows of which the first is much shorter: each of its elements is searched for in the other. */
rd_fn rd_u32 tc_few_below(rd_global const rd_u32 *col, rd_u64 i, rd_u64 i_end, rd_u64 j, rd_u64 j_end, rd_u32 v)
{
    rd_global const rd_u32 *const row = col + j;
    const rd_u32 length = (rd_u32)(j_end - j);
    rd_u32 count = 0, last = v, at = 0;
    for (; i < i_end && at < length; i++) {
        const rd_u32 x = rd_ld_const(&col[i]);
        if (x >= v)
            break;
        at = tc_first_from(row, at, length, x);
        count += x != last && at < length && row[at] == x;
        last = x;
    }
    return count;
}

rd_fn rd_u32 tc_common_below(rd_global const rd_u32 *col, rd_u64 i, rd_u64 i_end, rd_u64 j, rd_u64 j_end, rd_u32 v)
{
    if ((i_end - i) * TC_UNLIKE < j_end - j)
        return tc_few_below(col, i, i_end, j, j_end, v);
    if ((j_end - j) * TC_UNLIKE < i_end - i)
        return tc_few_below(col, j, j_end, i, i_end, v);
    return tc_below(col, i, i_end, j, j_end, v);
}

/* The triangles whose highest number is u's: they take two neighbours of lower ones, which most vertices of a tree do
 * not have. */
rd_fn rd_u32 tc_at_vertex(rd_global const rd_u64 *row, rd_global const rd_u32 *col, rd_u32 u, rd_u64 begin, rd_u64 end,
                          rd_u32 hubs)
{
    rd_u32 count = 0;
    if (end - begin < 2 || rd_ld_const(&col[begin + 1]) >= u)
        return 0;
    rd_u32 before = rd_ld_const(&col[begin]);
    for (rd_u64 e = begin + 1; e < end; e++) {
        const rd_u32 v = rd_ld_const(&col[e]);
        if (v >= u)
            break;
        if (v != before)
            count += hubs ? tc_common_below(col, begin, e, rd_ld_const(&row[v]), rd_ld_const(&row[v + 1]), v)
                          : tc_below(col, begin, e, rd_ld_const(&row[v]), rd_ld_const(&row[v + 1]), v);
        before = v;
    }
    return count;
}

/* Of block i of TC_BLOCK vertices. */
rd_fn void tc_at_once(const rd_app *a, const rd_sweep *s, rd_u32 i, rd_gain *gain)
{
    rd_global const rd_u64 *const row = s->row;
    rd_global const rd_u32 *const col = s->col;
    const rd_u32 first = i * TC_BLOCK, rest = s->vertices - first, last = first + (rest < TC_BLOCK ? rest : TC_BLOCK);
    const rd_u32 hubs = a->tc_flat == TC_HUBS;
    const rd_u64 all = rd_ld_const(&row[first]);
    rd_u64 begin = all;
    rd_u32 count = 0;
    for (rd_u32 u = first; u < last; u++) {
        const rd_u64 end = rd_ld_const(&row[u + 1]);
        count += tc_at_vertex(row, col, u, begin, end, hubs);
        begin = end;
    }
    gain->edges += (rd_u32)(begin - all);
    if (count) /* partner: the same in other groups; a line of memory a group */
        rd_add64_rlx(&a->tc_found[rd_group() * 8 % TC_SLOTS], count);
}

#endif
#endif
