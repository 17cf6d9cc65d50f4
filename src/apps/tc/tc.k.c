/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tc.k.c - triangle counting: three vertices of which each two are neighbours, each such three once.
 *
 * Each edge is kept in one direction, towards the vertex of higher rank: the one of higher degree, of equal ones the
 * one with the higher number. So there are no cycles, every triangle is found at exactly one of its edges, the one
 * between its two vertices of lowest rank, and no vertex keeps more than sqrt(2 m) edges, whatever the shape: a hub's
 * neighbours keep the edges to it. (T. Schank, D. Wagner: Finding, counting and listing all triangles in large graphs,
 * 2005; M. Latapy, 2008.) Loops are not kept, and of parallel edges one is.
 *   KEEP    each chunk of the list of edges counts those it keeps; rows are no matter here, so hubs are not either
 *   PARTS, PREFIX   prefix sums over the chunks, piece by piece
 *   WRITE   what is kept is written, in order, so rows ascend as before; and where each row begins and ends
 *   COUNT   what kept rows have in common, for each edge that is kept
 * On a core KEEP writes too, and no sums are made: what a chunk keeps begins where the chunk does. So the degrees of
 * all ends of edges, which lie anywhere in memory, are looked at once and not twice.
 *   JOIN    the row that goes on behind its chunk is put together
 *
 * COUNT on a GPU: a lane an edge. Two rows of like length are merged; of unlike ones each element of the shorter is
 * searched for in the longer. On a core: a vertex at a time. Its row is set in a bitmap, a bit a vertex, one bitmap a
 * group; the rows of its neighbours are looked up in it, which has no branch to be foreseen; and a row that is much
 * longer is searched, as on a GPU. A group that has no bitmap takes edge after edge, as a lane of a GPU does.
 *
 * Where no vertex has many edges (roads, meshes), or there are hardly more edges than vertices (trees, stars), a core
 * counts at once, in the graph as it is: numbers are as good an order as degrees then, and making another graph would
 * take longer than counting does. Whatever the rows are like, an edge costs no more than searches for the shorter. So
 * it does where all rows are about as long and neighbours have neighbours in common (lattices, cliques), by a bitmap.
 *
 * COUNT may take minutes on cores. There it is many steps, each of as many vertices as will take a tenth of a second or
 * so, by what the step before came to, and a core that is to make way leaves a vertex of many edges half-way: it notes
 * which edge comes next, and takes the row out of its bitmap.
 *
 * Orders. Phases are separated by the sweep's barrier. Counters are relaxed sums; the bitmap is its group's own.
 */
#include "raddle/kernel.h"

#if RD_CORE
#define RD_SWEEP_SCALARS      3 /* edges that are kept; of COUNT: the first vertex, and how many */
#define RD_SWEEP_LISTED(a, s) ((s)->phase == TC_COUNT)
#define RD_SWEEP_STRETCH      1 /* items of KEEP are chunks of TC_CORE_CHUNK edges */
#define RD_SWEEP_HALVES       1
#else
#define RD_SWEEP_SCALARS 1 /* edges that are kept */
#endif
#define RD_SWEEP_WALKS(s)    ((s)->phase == TC_COUNT && RD_CORE)
#define RD_SWEEP_ITEMS(a, s) tc_items(a, s)
#define RD_SWEEP_IDEMPOTENT  1
#include "model/sweep.k.h"

#include "apps/tc/layout.k.h"

#define TC_KEEP   0
#define TC_SUMS   1
#define TC_PREFIX 2
#define TC_WRITE  3
#define TC_COUNT  4
#define TC_JOIN   5 /* after a KEEP that writes */
#define TC_MEND   6 /* after a KEEP that counted parallel edges as several */

#define TC_NEXT   1    /* of scalars: the first vertex of a step of COUNT, */
#define TC_MANY   2    /* and how many */
#define TC_FIRST  1024 /* the first step of COUNT has one vertex of so many */
#define TC_FASTER 16   /* the next one at most so many times as many */
#define TC_WORK   10   /* gains are steps of loops over 2^TC_WORK */
#define TC_STEP   17   /* a core should gain 2^TC_STEP of them in a step, */
#define TC_MOST   19   /* and has at most 2^TC_MOST vertices */

#define TC_UNLIKE 8 /* a row so many times longer than another is searched, not merged */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                            \
    buf(rd_u32, tc_chunk) /* edges kept by each chunk, then by those before it */ \
    buf(rd_u32, tc_part) /* the same of TC_PARTS pieces */               \
    buf(rd_u32, tc_span) /* where the kept row of v begins and ends: 2 v, 2 v + 1; undefined without edges */ \
    buf(rd_u32, tc_from) /* of kept edges; on cores, by vertex: edges of it that were counted before it was left */ \
    buf(rd_u32, tc_to)                                                   \
    buf(rd_u32, tc_bits) /* bitmaps, of cores */                         \
    buf(rd_u64, tc_found) /* triangles, in TC_SLOTS words */             \
    arg(rd_u32, tc_chunks)                                               \
    arg(rd_u32, tc_size) /* edges of a chunk */                          \
    arg(rd_u32, tc_flat) /* TC_SPARSE ...: cores count at once */            \
    arg(rd_u32, tc_once) /* 1: they keep edges at once, without sums */  \
    arg(rd_u64, tc_edges)                                                \
    arg(rd_u32, tc_words) /* of a bitmap */                              \
    arg(rd_u32, tc_maps) /* bitmaps */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

#if RD_CORE
#define TC_ONCE(a) ((a)->tc_once)
#else
#define TC_ONCE(a)            0
#define tc_keep_once(a, s, c) 0
#define tc_join(a, s, c)
#endif

rd_fn rd_u32 tc_items(const rd_app *a, const rd_sweep *s)
{
    if (RD_CORE && a->tc_flat)
        return s->vertices / TC_BLOCK + (s->vertices % TC_BLOCK != 0);
    if (s->phase == TC_KEEP || s->phase == TC_WRITE || s->phase == TC_JOIN)
        return a->tc_chunks;
#if RD_CORE
    if (s->phase == TC_COUNT)
        return s->scalar[TC_MANY];
#endif
    return s->phase == TC_COUNT ? s->scalar[0] : TC_PARTS;
}

#if RD_CORE
rd_fn rd_u32 rd_app_item(const rd_app *a, const rd_sweep *s, rd_u32 i)
{
    return s->scalar[TC_NEXT] + i;
}

/* The vertices of the next step of COUNT. @return 0: there are none. work: the gain of this one. By the device's cores,
 * not by how many groups there are: another launch, of fewer, may go on with a step, and has to come to the same. */
rd_fn rd_u32 tc_more(const rd_app *a, rd_sweep *s, rd_u32 work)
{
    const rd_u32 next = s->scalar[TC_NEXT] + s->scalar[TC_MANY];
    const rd_u64 most = (rd_u64)a->tc_maps << TC_MOST, aim = (rd_u64)a->tc_maps << TC_STEP;
    rd_u64 many = s->scalar[TC_MANY] * aim / (work + 1) + 1;
    many = many > TC_FASTER * (rd_u64)s->scalar[TC_MANY] ? TC_FASTER * (rd_u64)s->scalar[TC_MANY] : many;
    many = many > most ? most : many;
    s->scalar[TC_NEXT] = next;
    s->scalar[TC_MANY] = many < s->vertices - next ? (rd_u32)many : s->vertices - next;
    return s->scalar[TC_MANY];
}
#endif

/* ---- Making the graph acyclic ---- */

rd_fn rd_u64 tc_degree(const rd_sweep *s, rd_u32 v)
{
    return rd_ld_const(&s->row[v + 1]) - rd_ld_const(&s->row[v]);
}

/* The vertex whose row edge e is in, from v on: mostly it is near. */
rd_fn rd_u32 tc_row_of(const rd_sweep *s, rd_u64 e, rd_u32 v)
{
    for (rd_u32 i = 0; i < 4 && v < s->vertices; i++, v++)
        if (rd_ld_const(&s->row[v + 1]) > e)
            return v;
    rd_u32 low = v, high = s->vertices; /* the first whose row ends behind e is in [low, high) */
    while (low < high) {
        const rd_u32 middle = low + (high - low) / 2;
        if (rd_ld_const(&s->row[middle + 1]) > e)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Counts what chunk c keeps; with `write` that is written, from `at` on. */
rd_fn rd_u32 tc_keep(const rd_app *a, const rd_sweep *s, rd_u32 c, rd_u32 at, rd_u32 write)
{
    const rd_u64 first = (rd_u64)c * a->tc_size, rest = a->tc_edges - first,
                 end = first + (rest < a->tc_size ? rest : a->tc_size);
    rd_u32 v = 0;
    const rd_u32 before = at;
    for (rd_u64 e = first; e < end;) {
        v = tc_row_of(s, e, v);
        const rd_u64 begin = rd_ld_const(&s->row[v]), over = rd_ld_const(&s->row[v + 1]),
                     stop = over < end ? over : end;
        const rd_u64 degree = over - begin;
        rd_u32 last = e > begin ? rd_ld_const(&s->col[e - 1]) : v; /* v itself is no neighbour that could be last */
        if (write && e == begin)
            a->tc_span[2 * (rd_u64)v] = at;
        for (; e < stop; e++) {
            const rd_u32 u = rd_ld_const(&s->col[e]);
            const rd_u64 other = tc_degree(s, u);
            const rd_u32 kept = u != last && u != v && (other > degree || (other == degree && u > v));
            if (kept && write)
                a->tc_to[at] = u;
            if (kept && write && !RD_CORE)
                a->tc_from[at] = v;
            at += kept;
            last = u;
        }
        if (write && e == over)
            a->tc_span[2 * (rd_u64)v + 1] = at;
    }
    return at - before;
}

/* The chunks of piece i of the prefix sum. */
rd_fn rd_u32 tc_first_of(const rd_app *a, rd_u32 i)
{
    return (rd_u32)((rd_u64)a->tc_chunks * i / TC_PARTS);
}

rd_fn void tc_sums(const rd_app *a, rd_u32 i)
{
    rd_u32 sum = 0;
    for (rd_u32 c = tc_first_of(a, i); c < tc_first_of(a, i + 1); c++)
        sum += a->tc_chunk[c];
    a->tc_part[i] = sum;
}

rd_fn void tc_prefix(const rd_app *a, rd_u32 i)
{
    rd_u32 sum = 0;
    for (rd_u32 k = 0; k < i; k++)
        sum += a->tc_part[k];
    for (rd_u32 c = tc_first_of(a, i); c < tc_first_of(a, i + 1); c++) {
        const rd_u32 own = a->tc_chunk[c];
        a->tc_chunk[c] = sum;
        sum += own;
    }
}

#if RD_CORE
/* What chunk c keeps, at once. As no row keeps more than it has, what a chunk keeps may begin where the chunk does:
 * first what it keeps of a row that began before it, then rows that begin in it. @return how many edges. */
rd_apart rd_u32 tc_keep_once(const rd_app *a, const rd_sweep *s, rd_u32 c)
{
    rd_global const rd_u64 *const row = s->row;
    rd_global const rd_u32 *const col = s->col;
    rd_global rd_u32 *const to = a->tc_to, *const span = a->tc_span;
    const rd_u64 first = (rd_u64)c * a->tc_size, rest = a->tc_edges - first,
                 end = first + (rest < a->tc_size ? rest : a->tc_size);
    rd_u32 v = tc_row_of(s, first, 0), at = (rd_u32)first, begun = 0;
    rd_u64 begin = rd_ld_const(&row[v]);
    for (rd_u64 e = first; e < end; v++) {
        const rd_u64 over = rd_ld_const(&row[v + 1]), degree = over - begin, stop = over < end ? over : end;
        rd_u32 last = e > begin ? rd_ld_const(&col[e - 1]) : v; /* v itself is no neighbour that could be last */
        if (e == begin) {
            span[2 * (rd_u64)v] = at;
            begun += !begun ? at - (rd_u32)first + 1 : 0;
        }
        for (; e < stop; e++) {
            const rd_u32 u = rd_ld_const(&col[e]);
            const rd_u64 other = rd_ld_const(&row[u + 1]) - rd_ld_const(&row[u]);
            to[at] = u; /* the next one takes the place of what is not kept: no branch has to be foreseen */
            at += (u != last) & (u != v) & ((other > degree) | ((other == degree) & (u > v)));
            last = u;
        }
        if (begin >= first)
            span[2 * (rd_u64)v + 1] = at;
        begin = over;
    }
    a->tc_chunk[c] = begun ? begun - 1 : at - (rd_u32)first;
    return at - (rd_u32)first;
}

/* The row that begins in chunk c and goes on behind it: what the chunks that follow keep of it is put where it ends. */
rd_fn void tc_join(const rd_app *a, const rd_sweep *s, rd_u32 c)
{
    const rd_u64 first = (rd_u64)c * a->tc_size, end = first + a->tc_size;
    if (end >= a->tc_edges)
        return;
    const rd_u32 v = tc_row_of(s, end - 1, 0);
    const rd_u64 over = rd_ld_const(&s->row[v + 1]);
    if (rd_ld_const(&s->row[v]) < first || over <= end)
        return;
    rd_u32 at = a->tc_span[2 * (rd_u64)v + 1];
    for (rd_u64 from = end; from < over; from += a->tc_size) {
        const rd_u32 kept = a->tc_chunk[++c];
        for (rd_u32 i = 0; i < kept; i++)
            a->tc_to[at++] = a->tc_to[from + i]; /* at <= from + i */
    }
    a->tc_span[2 * (rd_u64)v + 1] = at;
}
#endif

/* ---- Counting ---- */

/* The first of list[from .. to), which ascends, that is not below `wanted`; `to`: there is none. */
rd_fn rd_u32 tc_first_from(rd_global const rd_u32 *list, rd_u32 from, rd_u32 to, rd_u32 wanted)
{
    rd_u32 step = 1, end = from; /* doubling steps, then halving ones: what is near is found soon */
    while (end < to && list[end] < wanted) {
        from = end + 1;
        end = to - end > step ? end + step : to;
        step *= 2;
    }
    while (from < end) {
        const rd_u32 middle = from + (end - from) / 2;
        if (list[middle] < wanted)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* How many of list[low .. high) are in list[from .. to), which is longer: both ascend, so the search does too. */
rd_fn rd_u32 tc_search(rd_global const rd_u32 *list, rd_u32 low, rd_u32 high, rd_u32 from, rd_u32 to)
{
    rd_u32 count = 0;
    for (; low < high && from < to; low++) {
        const rd_u32 wanted = list[low];
        from = tc_first_from(list, from, to, wanted);
        count += from < to && list[from] == wanted;
    }
    return count;
}

rd_fn rd_u32 tc_merge(rd_global const rd_u32 *list, rd_u32 i, rd_u32 i_end, rd_u32 j, rd_u32 j_end)
{
    rd_u32 count = 0;
    if (i >= i_end || j >= j_end)
        return 0;
    rd_u32 x = list[i], y = list[j];
    while (i < i_end && j < j_end) {
        const rd_u32 next_i = x <= y, next_j = y <= x;
        count += next_i & next_j;
        i += next_i;
        j += next_j;
        if (next_i && i < i_end)
            x = list[i];
        if (next_j && j < j_end)
            y = list[j];
    }
    return count;
}

/* What the rows [i, i_end) and [j, j_end) have in common. */
rd_fn rd_u32 tc_common(rd_global const rd_u32 *list, rd_u32 i, rd_u32 i_end, rd_u32 j, rd_u32 j_end)
{
    if ((rd_u64)(i_end - i) * TC_UNLIKE < j_end - j)
        return tc_search(list, i, i_end, j, j_end);
    if ((rd_u64)(j_end - j) * TC_UNLIKE < i_end - i)
        return tc_search(list, j, j_end, i, i_end);
    return tc_merge(list, i, i_end, j, j_end);
}

/* At kept edge number e, of u: who is above both of its ends. */
rd_fn rd_u32 tc_at_edge(const rd_app *a, rd_u32 u, rd_u32 e)
{
    const rd_u32 v = a->tc_to[e];
    return tc_common(a->tc_to, a->tc_span[2 * (rd_u64)u], a->tc_span[2 * (rd_u64)u + 1], a->tc_span[2 * (rd_u64)v],
                     a->tc_span[2 * (rd_u64)v + 1]);
}

/* At edges from *at on, up to the next look; the row begin .. end - 1 is in the bitmap. */
rd_fn rd_u32 tc_some_by_bits(const rd_app *a, rd_global const rd_u32 *bits, rd_u32 begin, rd_u32 end, rd_u32 *at,
                             rd_u32 *work)
{
    rd_global const rd_u32 *const list = a->tc_to;
    rd_u32 count = 0, e = *at, sum = 0;
    for (; e < end && sum < RD_SWEEP_LOOK; e++) {
        if (e + 16 < end)
            rd_prefetch(&a->tc_span[2 * (rd_u64)list[e + 16]]);
        if (e + 8 < end)
            rd_prefetch(&list[a->tc_span[2 * (rd_u64)list[e + 8]]]);
        const rd_u32 from = a->tc_span[2 * (rd_u64)list[e]], to = a->tc_span[2 * (rd_u64)list[e] + 1];
        rd_u32 found = 0;
        sum += to - from;
        if ((rd_u64)(end - begin) * TC_UNLIKE < to - from)
            found = tc_search(list, begin, end, from, to);
        else
            for (rd_u32 i = from; i < to; i++)
                found += bits[list[i] / 32] >> list[i] % 32 & 1u;
        count += found;
    }
    *at = e;
    *work = sum;
    return count;
}

/* The triangles whose lowest vertex is u, by the group's bitmap, which is empty before and after; from edge *at on,
 * which becomes the one to go on with. */
rd_fn rd_u64 tc_by_bits(const rd_app *a, rd_global rd_u32 *bits, rd_u32 begin, rd_u32 end, rd_u32 *at, rd_u64 *work,
                        rd_gain *gain)
{
    rd_global const rd_u32 *const list = a->tc_to;
    rd_u64 count = 0;
    for (rd_u32 e = begin; e < end; e++)
        bits[list[e] / 32] |= 1u << list[e] % 32;
    for (rd_u32 asked = 0, some = 0; *at < end && !asked;) {
        count += tc_some_by_bits(a, bits, begin, end, at, &some);
        *work += some;
        asked = rd_sweep_asked(gain, some);
    }
    for (rd_u32 e = begin; e < end; e++)
        bits[list[e] / 32] = 0;
    return count;
}

/* The same, edge by edge. */
rd_fn rd_u64 tc_by_edges(const rd_app *a, rd_u32 u, rd_u32 end, rd_u32 *at, rd_u64 *work, rd_gain *gain)
{
    rd_u64 count = 0;
    for (rd_u32 asked = 0; *at < end && !asked; ++*at) {
        count += tc_at_edge(a, u, *at);
        *work += end - *at;
        asked = rd_sweep_asked(gain, end - *at);
    }
    return count;
}

rd_fn void tc_of_vertex(const rd_app *a, const rd_sweep *s, rd_u32 u, rd_gain *gain)
{
    if (!tc_degree(s, u))
        return;
    const rd_u32 begin = a->tc_span[2 * (rd_u64)u], end = a->tc_span[2 * (rd_u64)u + 1], group = rd_group();
    rd_u64 count = 0, work = 0;
    if (end - begin < 2)
        return;
    const rd_u32 before = RD_SWEEP_LEAVES_ITEMS ? a->tc_from[u] : 0;
    rd_u32 at = begin + before;
    if (group < a->tc_maps)
        count = tc_by_bits(a, a->tc_bits + (rd_u64)group * a->tc_words, begin, end, &at, &work, gain);
    else
        count = tc_by_edges(a, u, end, &at, &work, gain);
    if (at < end || before)
        a->tc_from[u] = at < end ? at - begin : 0;
    rd_sweep_leave(gain, at < end);
    gain->sum += (rd_u32)((work + (rd_u64)(end - begin) * (end - begin)) >> TC_WORK);
    if (count) /* partner: the same in other groups; a line of memory a group */
        rd_add64_rlx(&a->tc_found[group * 8 % TC_SLOTS], count);
}

#include "apps/tc/at_once.k.h"

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    *from = *to; /* a core takes vertices as a whole */
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return RD_FOLD_NONE;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 i, RD_FOLD fold, rd_gain *gain)
{
#if RD_CORE
    if (a->tc_flat) {
        tc_at_once(a, s, i, gain);
        return;
    }
#endif
    if (s->phase == TC_KEEP) {
        const rd_u32 kept = TC_ONCE(a) ? tc_keep_once(a, s, i) : tc_keep(a, s, i, 0, 0);
        if (!TC_ONCE(a))
            a->tc_chunk[i] = kept;
        gain->sum += kept;
        gain->edges += i + 1 < a->tc_chunks ? a->tc_size : (rd_u32)(a->tc_edges - (rd_u64)i * a->tc_size);
    } else if (s->phase == TC_JOIN) {
        tc_join(a, s, i);
    } else if (s->phase == TC_SUMS) {
        tc_sums(a, i);
    } else if (s->phase == TC_PREFIX) {
        tc_prefix(a, i);
    } else if (s->phase == TC_WRITE) {
        tc_keep(a, s, i, a->tc_chunk[i], 1);
    } else if (RD_CORE) {
        tc_of_vertex(a, s, i, gain);
    } else {
        const rd_u32 count = tc_at_edge(a, a->tc_from[i], i);
        if (count)
            rd_add64_rlx(&a->tc_found[i % TC_SLOTS], count); /* partner: the same in other lanes */
    }
}

rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    if (s->phase == TC_KEEP)
        s->scalar[0] = gain->sum;
#if RD_CORE
    if (a->tc_flat)
        return s->phase == TC_KEEP && gain->sum ? TC_MEND : RD_SWEEP_END;
    if (s->phase == TC_KEEP && a->tc_once)
        return s->scalar[0] ? TC_JOIN : RD_SWEEP_END;
    if (s->phase == TC_WRITE || s->phase == TC_JOIN) {
        s->scalar[TC_NEXT] = 0;
        s->scalar[TC_MANY] = s->vertices / TC_FIRST + 1;
        return s->scalar[0] ? TC_COUNT : RD_SWEEP_END;
    }
    if (s->phase == TC_COUNT && tc_more(a, s, gain->sum))
        return TC_COUNT;
#endif
    return s->phase == TC_COUNT || !s->scalar[0] ? RD_SWEEP_END : s->phase + 1;
}
