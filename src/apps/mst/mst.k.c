/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mst.k.c - a minimum spanning forest: edges of least total weight that connect whatever the graph connects. O.
 * Boruvka, 1926: each tree takes the least edge that leaves it, all at once, until none is left.
 *
 * Edges have an order without ties: by weight, then by their place in the graph, an edge being the one that is listed
 * at its lower end. So the forest is one and only one, whatever the order of lanes, and what trees take never closes a
 * circle: on one, the greatest edge would be no tree's least.
 *
 * Rounds work on a list of edges that shrinks. An edge is where it leads, the roots of its two trees when it was last
 * looked at, and its key: weight above place.
 *   LEAST   edges within one tree are dropped, the others go into the next list; each offers its key to both trees, by
 *           atomic minimum
 *   JOIN    an edge that is the least of one of its trees is taken, and joins them; that tree forgets it
 * Edges enter in two stages: those up to a weight that lets in a few for each vertex, and, when these are done with,
 * of the others those whose ends are still apart, by then few. (V. Osipov, P. Sanders, J. Singler: The filter-Kruskal
 * minimum spanning tree algorithm, 2009; on GPUs A. Fallin, A. Gonzalez, J. Seo, M. Burtscher: A high-performance MST
 * implementation for GPUs, SC 2023.) This is right since the forest of a part of the edges, all less than the rest, is
 * part of the forest of all. They enter by a phase of their own, ENTER, which is their first LEAST too; a core takes a
 * run of vertices at a time.
 *
 * Trees: mst/trees.k.h. Without lists: mst/all.k.c.
 *
 * Orders. All relaxed: phases are separated by the sweep's barrier, and within one a word stands for itself. Roots do
 * not change in LEAST and ENTER, since only JOIN hooks. In JOIN a tree's least edge is forgotten by no
 * other than that edge: all others find it is not theirs, before and after.
 */
#define RD_FOLD_NONE         0u
#define RD_FOLD_JOIN(x, y)   ((x) + (y))
#define RD_SWEEP_SCALARS     3
#define RD_SWEEP_WALKS(s)    (RD_LANES > 1 && (s)->phase == MST_ENTER)
#define RD_SWEEP_ITEMS(a, s) mst_items(s)
#define RD_SWEEP_FLIGHT      4
#define RD_SWEEP_STRETCH     16
#include "model/sweep.k.h"

#include "apps/mst/layout.k.h"

#define MST_FIRST 0
#define MST_ENTER 1
#define MST_LEAST 2
#define MST_JOIN  3

/* Scalars. */
#define MST_LENGTH 0 /* of the list at hand */
#define MST_TURN   1 /* lists that are complete; the next one has this number */
#define MST_HEAVY  2 /* the second stage */

/* Edges that a lane looks at before it reserves places for them: all lanes reserve at one word, and cores lose more by
 * that than a few cache lines of their own. */
#define MST_AT_ONCE (RD_LANES == 1 ? 64u : 8u)
#define MST_RUN     16u /* vertices of an item of ENTER */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                  \
    buf(const rd_u32, mst_weight)                                              \
    buf(rd_u32, mst_label)                                                     \
    buf(rd_u64, mst_best) /* of a root: the least key that leaves its tree */  \
    buf(rd_u32, mst_used) /* places of list number i that are taken */         \
    buf(rd_u64, mst_ends0) /* the lists, in turn: roots, one above the other, */ \
    buf(rd_u64, mst_ends1)                                                     \
    buf(rd_u64, mst_key0) /* and keys */                                       \
    buf(rd_u64, mst_key1)                                                      \
    buf(rd_u32, mst_taken) /* a bit an edge */                                 \
    arg(rd_u32, mst_limit) /* edges of the first stage weigh no more, as mst_ordered has it */ \
    arg(rd_u32, mst_hub)   /* a vertex whose tree is likely to be the largest */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 mst_chunks(rd_u32 length, rd_u32 each)
{
    return length / each + (length % each != 0);
}

rd_fn rd_u32 mst_items(const rd_sweep *s)
{
    if (s->phase == MST_LEAST)
        return mst_chunks(s->scalar[MST_LENGTH], MST_AT_ONCE);
    if (s->phase == MST_ENTER)
        return mst_chunks(s->vertices, MST_RUN);
    return s->phase == MST_FIRST ? s->vertices : s->scalar[MST_LENGTH];
}

rd_fn rd_global rd_u64 *mst_ends(const rd_app *a, rd_u32 list)
{
    return list % 2 ? a->mst_ends1 : a->mst_ends0;
}

rd_fn rd_global rd_u64 *mst_key(const rd_app *a, rd_u32 list)
{
    return list % 2 ? a->mst_key1 : a->mst_key0;
}

#include "apps/mst/trees.k.h"

/* An edge between trees x and y offers itself to both, but not to that of `hub`, which need not choose: whoever leaves
 * it leads to a tree that does, and in the end most edges lead to it, so that all would look at one word. While edges
 * offer, roots stay. Cores have that word in their caches. */
rd_fn void mst_offer_both(const rd_app *a, rd_u32 x, rd_u32 y, rd_u64 key)
{
    const rd_u32 most = RD_LANES > 1 ? mst_root(a, a->mst_hub) : 0xffffffffu;
    if (x != most)
        mst_offer(a, x, key);
    if (y != most)
        mst_offer(a, y, key);
}

/* ---- Edges that enter ---- */

/* Is the edge of this stage? Loops are nobody's way out. */
rd_fn rd_u32 mst_staged(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    return u > v && (mst_ordered(a, e) > a->mst_limit) == s->scalar[MST_HEAVY];
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
}

/* ENTER, a lane an edge. */
rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    if (!mst_staged(a, s, v, u, e))
        return 0;
    const rd_u32 heavy = s->scalar[MST_HEAVY], turn = s->scalar[MST_TURN];
    const rd_u32 x = heavy ? mst_root(a, v) : v, y = heavy ? mst_root(a, u) : u; /* at first each is its own tree */
    if (x == y)
        return 0;
    const rd_u64 key = (rd_u64)mst_ordered(a, e) << 32 | (rd_u32)e;
    const rd_u32 at = rd_add_together(&a->mst_used[turn], 1); /* partner: the same in other lanes */
    mst_ends(a, turn)[at] = (rd_u64)x << 32 | y;
    mst_key(a, turn)[at] = key;
    mst_offer_both(a, x, y, key);
    return 1;
}

/* ---- Rounds ---- */

/* Edge k of chunk i: a core takes what is side by side, lanes that run together are side by side. */
rd_fn rd_u32 mst_index(const rd_sweep *s, rd_u32 i, rd_u32 k)
{
    return RD_LANES == 1 ? i * MST_AT_ONCE + k : i + k * mst_chunks(s->scalar[MST_LENGTH], MST_AT_ONCE);
}

/* Edges on their way into a list. */
typedef struct {
    rd_u32 count;
    rd_u64 ends[MST_AT_ONCE], key[MST_AT_ONCE];
} mst_kept;

rd_fn void mst_keep(const rd_app *a, mst_kept *kept, rd_u32 x, rd_u32 y, rd_u64 key)
{
    kept->ends[kept->count] = (rd_u64)x << 32 | y;
    kept->key[kept->count++] = key;
    mst_offer_both(a, x, y, key);
}

rd_fn void mst_append(const rd_app *a, rd_u32 turn, mst_kept *kept, rd_gain *gain)
{
    if (!kept->count)
        return;
    const rd_u32 to = rd_add_together(&a->mst_used[turn], kept->count); /* partner: the same in other lanes */
    for (rd_u32 k = 0; k < kept->count; k++) {
        mst_ends(a, turn)[to + k] = kept->ends[k];
        mst_key(a, turn)[to + k] = kept->key[k];
    }
    gain->sum += kept->count;
    kept->count = 0;
}

/* All edges of run i that enter. */
rd_fn void mst_enter_run(const rd_app *a, const rd_sweep *s, rd_u32 i, rd_gain *gain)
{
    const rd_u32 begin = i * MST_RUN, end = s->vertices - begin < MST_RUN ? s->vertices : begin + MST_RUN;
    mst_kept kept;
    kept.count = 0;
    for (rd_u32 v = begin; v < end; v++) {
        const rd_u64 from = rd_ld_const(&s->row[v]), to = rd_ld_const(&s->row[v + 1]);
        const rd_u32 x = mst_root(a, v);
        gain->edges += (rd_u32)(to - from);
        for (rd_u64 e = from; e < to; e++) {
            const rd_u32 u = rd_ld_const(&s->col[e]);
            if (!mst_staged(a, s, v, u, e))
                continue;
            const rd_u32 y = mst_root(a, u);
            if (x != y)
                mst_keep(a, &kept, x, y, (rd_u64)mst_ordered(a, e) << 32 | (rd_u32)e);
            if (kept.count == MST_AT_ONCE)
                mst_append(a, s->scalar[MST_TURN], &kept, gain);
        }
    }
    mst_append(a, s->scalar[MST_TURN], &kept, gain);
}

rd_fn void mst_least(const rd_app *a, const rd_sweep *s, rd_u32 i, rd_gain *gain)
{
    const rd_u32 turn = s->scalar[MST_TURN];
    mst_kept kept;
    kept.count = 0;
    for (rd_u32 k = 0; k < MST_AT_ONCE; k++) {
        const rd_u32 at = mst_index(s, i, k);
        const rd_u64 old = at < s->scalar[MST_LENGTH] ? mst_ends(a, turn + 1)[at] : 0;
        const rd_u32 x = mst_root(a, (rd_u32)(old >> 32)), y = mst_root(a, (rd_u32)old);
        if (x != y)
            mst_keep(a, &kept, x, y, mst_key(a, turn + 1)[at]);
    }
    mst_append(a, turn, &kept, gain);
}

/* @return 1: the edge is the least that leaves this tree, which has forgotten it now. */
rd_fn rd_u32 mst_forget(const rd_app *a, rd_u32 root, rd_u64 key)
{
    const rd_u32 least = rd_ld64_stale(&a->mst_best[root]) == key; /* partner of both: the same by other edges */
    if (least)
        rd_st64_rlx(&a->mst_best[root], MST_NONE);
    return least;
}

rd_fn void mst_join(const rd_app *a, const rd_sweep *s, rd_u32 i)
{
    const rd_u32 turn = s->scalar[MST_TURN];
    const rd_u64 ends = mst_ends(a, turn)[i], key = mst_key(a, turn)[i];
    const rd_u32 x = (rd_u32)(ends >> 32), y = (rd_u32)ends;
    const rd_u32 first = mst_forget(a, x, key), second = mst_forget(a, y, key);
    if (first || second)
        mst_take(a, (rd_u32)key, x, y);
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 i, RD_FOLD fold, rd_gain *gain)
{
    if (s->phase == MST_FIRST) {
        a->mst_label[i] = i;
        a->mst_best[i] = MST_NONE;
    } else if (s->phase == MST_LEAST) {
        mst_least(a, s, i, gain);
    } else if (s->phase == MST_JOIN) {
        mst_join(a, s, i);
    } else if (RD_LANES == 1) {
        mst_enter_run(a, s, i, gain);
    } else {
        gain->sum += fold;
    }
}

/* Goes on to edges that enter in the second stage, unless that was it. */
rd_fn rd_u32 mst_next_stage(const rd_app *a, rd_sweep *s)
{
    if (s->scalar[MST_HEAVY] || a->mst_limit == 0xffffffffu)
        return RD_SWEEP_END;
    s->scalar[MST_HEAVY] = 1;
    return MST_ENTER;
}

rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    if (s->phase == MST_FIRST)
        return MST_ENTER;
    if (s->phase != MST_JOIN) {
        s->scalar[MST_LENGTH] = gain->sum;
        if (gain->sum)
            return MST_JOIN;
        s->scalar[MST_TURN]++;
        return mst_next_stage(a, s);
    }
    /* A list is complete, and done with but for what it leads to. */
    s->scalar[MST_TURN]++;
    return MST_LEAST;
}
