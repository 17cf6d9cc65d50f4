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

/* Neighbours of v that are in the bitmap, below v and not below `low`; parallel edges count as often as there are. */
rd_fn rd_u32 tc_bits_below(rd_global const rd_u32 *col, rd_global const rd_u32 *bits, rd_u64 i, rd_u64 i_end,
                           rd_u32 low, rd_u32 v)
{
    rd_u32 count = 0;
    if (i < i_end && rd_ld_const(&col[i]) < low)
        for (rd_u32 step = TC_LEAP; step; step /= 2)
            i += i_end - i > step && rd_ld_const(&col[i + step]) < low ? step : 0;
    for (; i < i_end; i++) {
        const rd_u32 w = rd_ld_const(&col[i]);
        if (w >= v)
            break;
        count += bits[w / 32] >> w % 32 & 1u;
    }
    return count;
}

/* The same by searches in the row [j, j_end) that the bitmap would have, for a group that has none. */
rd_fn rd_u32 tc_searched_below(rd_global const rd_u32 *col, rd_u64 i, rd_u64 i_end, rd_u64 j, rd_u64 j_end, rd_u32 v)
{
    rd_global const rd_u32 *const list = col + j;
    const rd_u32 length = (rd_u32)(j_end - j);
    rd_u32 count = 0, at = 0;
    for (; i < i_end && at < length && rd_ld_const(&col[i]) < v; i++) {
        at = tc_first_from(list, at, length, rd_ld_const(&col[i]));
        count += at < length && list[at] == rd_ld_const(&col[i]);
    }
    return count;
}

/* What tc_at_vertex is, by the group's bitmap, which is empty before and after: where rows are alike, and their
 * vertices often the same. It does not see parallel edges: *doubled says that there are some. */
rd_fn rd_u32 tc_by_row_bits(const rd_app *a, const rd_sweep *s, rd_u32 u, rd_u64 begin, rd_u64 end, rd_u32 *doubled)
{
    rd_global const rd_u32 *const col = s->col;
    const rd_u32 group = rd_group(), has = group < a->tc_maps;
    rd_global rd_u32 *const bits = a->tc_bits + (rd_u64)(has ? group : 0) * a->tc_words;
    rd_u32 count = 0, before = u;
    rd_u64 top = begin;
    for (; top < end && rd_ld_const(&col[top]) < u; top++) {
        const rd_u32 v = rd_ld_const(&col[top]);
        if (has)
            bits[v / 32] |= 1u << v % 32;
        *doubled |= v == before;
        before = v;
    }
    for (rd_u64 e = begin + 1; e < top; e++) {
        const rd_u32 v = rd_ld_const(&col[e]);
        const rd_u64 i = rd_ld_const(&s->row[v]), i_end = rd_ld_const(&s->row[v + 1]);
        count += has ? tc_bits_below(col, bits, i, i_end, rd_ld_const(&col[begin]), v)
                     : tc_searched_below(col, i, i_end, begin, top, v);
    }
    for (rd_u64 e = begin; e < top && has; e++)
        bits[rd_ld_const(&col[e]) / 32] = 0;
    return count;
}

/* Of block i of TC_BLOCK vertices. Apart: so the loop has all registers. Where a bitmap was used and met parallel
 * edges, a second step puts the number without them in the place of what the first one came to, modulo 2^64. */
rd_apart void tc_at_once(const rd_app *a, const rd_sweep *s, rd_u32 i, rd_gain *gain)
{
    rd_global const rd_u64 *const row = s->row;
    const rd_u32 first = i * TC_BLOCK, rest = s->vertices - first, last = first + (rest < TC_BLOCK ? rest : TC_BLOCK);
    const rd_u32 hubs = a->tc_flat == TC_HUBS, even = a->tc_flat == TC_EVEN, mend = s->phase == TC_MEND;
    const rd_u64 all = rd_ld_const(&row[first]);
    rd_u64 begin = all, count = 0;
    rd_u32 doubled = 0;
    for (rd_u32 u = first; u < last; u++) {
        const rd_u64 end = rd_ld_const(&row[u + 1]), by_bits = even ? tc_by_row_bits(a, s, u, begin, end, &doubled) : 0;
        count += mend ? 0 - by_bits : by_bits;
        count += mend || !even ? tc_at_vertex(row, s->col, u, begin, end, hubs) : 0;
        begin = end;
    }
    gain->edges += (rd_u32)(begin - all);
    gain->sum += doubled;
    if (count) /* partner: the same in other groups; a line of memory a group */
        rd_add64_rlx(&a->tc_found[rd_group() * 8 % TC_SLOTS], count);
}

#endif
#endif
