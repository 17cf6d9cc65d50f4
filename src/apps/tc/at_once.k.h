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

/* The triangles whose highest number is u's. */
rd_fn void tc_at_once(const rd_app *a, const rd_sweep *s, rd_u32 u, rd_gain *gain)
{
    const rd_u64 begin = rd_ld_const(&s->row[u]), end = rd_ld_const(&s->row[u + 1]);
    const rd_u32 hubs = a->tc_flat == TC_HUBS;
    rd_u32 count = 0, before = u;
    for (rd_u64 e = begin; e < end; e++) {
        const rd_u32 v = rd_ld_const(&s->col[e]);
        if (v >= u)
            break;
        if (v != before)
            count += hubs ? tc_common_below(s->col, begin, e, rd_ld_const(&s->row[v]), rd_ld_const(&s->row[v + 1]), v)
                          : tc_below(s->col, begin, e, rd_ld_const(&s->row[v]), rd_ld_const(&s->row[v + 1]), v);
        before = v;
    }
    gain->edges += (rd_u32)(end - begin);
    if (count) /* partner: the same in other groups; a line of memory a group */
        rd_add64_rlx(&a->tc_found[rd_group() * 8 % TC_SLOTS], count);
}

#endif
#endif
