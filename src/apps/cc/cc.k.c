/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cc.k.c - connected components: trees of vertices that are hooked together along edges until there is one for each
 * component. Direction of edges does not matter.
 *
 * One word a vertex, `label`: the vertex' parent in its tree, itself for a root. A parent is always smaller than its
 * child: hooking puts the larger of two roots below the smaller by compare-and-swap, and finding a root shortens the
 * way to it (path halving, or for who asked alone), which only ever replaces a parent by one of its own ancestors. So
 * there are no cycles, a root is the smallest vertex of its tree, and when all trees are flat each vertex has the
 * smallest vertex of its component: whatever the order, the same result.
 *
 * Most edges need not be looked at (Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity Computation via
 * Subgraph Sampling, IPDPS 2018; hooking as in Jaiganesh, Burtscher: A High-Performance Connected Components
 * Implementation for GPUs, HPDC 2018):
 *   FIRST   each vertex starts below its first neighbour, the smallest, when that is smaller than itself; on cores,
 *           which take vertices upwards, below what that one is below, if it has started: trees are flat from the
 *           beginning, and a mesh is no row of a thousand vertices
 *   SECOND  each vertex is linked to one more neighbour
 *   FLAT    trees are made flat; most vertices of the largest component are in one tree now
 *   SAMPLE  a few vertices are compared; the label that most of them have is the one to skip
 *   REST    all other edges, but not those of vertices in the skipped tree
 *   FLAT    again
 * The last time, shortening must not undo what is done: a lane that shortens the way of another vertex may write an
 * ancestor that it read before that vertex got its root. So then it writes by atomic minimum, and nothing is less than
 * the root. Cores shorten nothing then: they take vertices upwards, so that most parents have got their root before.
 *   Skipping is right where each edge is listed at both ends: an edge is passed over only if both its ends were seen in
 * the skipped tree, each at its time, and trees never come apart. Elsewhere nothing is skipped, and REST follows FIRST.
 * So it does on graphs of few edges, where each is looked at from its upper end then, if it is listed at both.
 *
 * raddle cc kron:16 looks whether they are; as an own file (raddle run cc.k.c kron:16) it takes the user's word.
 *
 * Orders. All relaxed: a label is a single word that only moves to smaller values, and nothing else depends on it.
 */
#define RD_SWEEP_WALKS(s)    ((s)->phase == CC_REST)
#define RD_SWEEP_ITEMS(a, s) ((s)->phase == CC_SAMPLE ? CC_SAMPLES : (s)->vertices)
#define RD_SWEEP_FLIGHT      2
#if RD_CORE /* before their edges are counted, as rd_app_edges does elsewhere */
#define RD_SWEEP_IDLE(a, s, v) (CC_SKIPS(a) && cc_is_skipped(a, v))
#endif
#define RD_GAINS             0
#define RD_SWEEP_RESIDENT    1152 /* 56 registers; with the 40 that the compiler takes, some are in memory */
#include "model/sweep.k.h"

#define CC_FIRST  0
#define CC_SECOND 1
#define CC_FLAT   2
#define CC_SAMPLE 3
#define CC_REST   4
#define CC_DONE   5 /* FLAT for the last time */

/* Of can_skip: */
#define CC_PARTS    2 /* REST leaves out edges to ghosts of other ranks, which have no rows here */
#define CC_UPPER    3 /* nothing is skipped, but edges are looked at from one end */
#define CC_SKIPS(a) ((a)->can_skip == 1 || (a)->can_skip == CC_PARTS)

#define CC_SAMPLES 128
#define CC_AT_ONCE 16 /* samples whose labels are loaded together */
/* Hops to a root that are left as they are but for the first, which then leads to the root: on GPUs others' words near
 * a hub would be written by all lanes at once. On cores, of which there are few, the first to come shortens all. */
#if RD_CORE
#define CC_SHORT 0
#else
#define CC_SHORT 12
#endif

RD_APP(cc, "connected components: the smallest vertex of each vertex's component, edges taken both ways")
RD_ARRAY(rd_u32, label, vertices, 0xffffffff)
RD_ARRAY(rd_u64, largest, 1, 0) /* how many samples have a label, the label */
RD_OPTION(rd_u32, can_skip, 0, 0, 3,
          "1: edges are listed at both ends: not all are looked at; 2: the same in parts; 3: from one end")
RD_RESULT(label)
RD_SAMPLE("graph=kron:8")

/* In REST: is v in the tree that is skipped? That may be hooked to another one meanwhile, and who comes by then
 * shortens ways: v's word becomes what its old root's is. If that did not count, v's edges would be looked at, the ways
 * of whoever is there shortened, and so on through the tree. GPUs gain nothing by it. */
rd_fn rd_u32 cc_is_skipped(const rd_app *a, rd_u32 v)
{
    const rd_u32 root = (rd_u32)*a->largest, parent = rd_ld_stale(&a->label[v]); /* `largest`: of the step before */
    return parent == root || (RD_CORE && parent == rd_ld_stale(&a->label[root]));
}

/* Partners of all loads: the stores and compare-and-swaps of others. An old value is an ancestor too, so it may come
 * from a cache nearby: near the roots all lanes read the same few words. Who hooks finds out by the swap what is new.
 */
rd_fn rd_u32 cc_root(const rd_app *a, rd_u32 v, rd_u32 last)
{
    rd_u32 child = v, parent = rd_ld_stale(&a->label[v]), hops = 0;
    if (parent != child) {
        rd_u32 next = rd_ld_stale(&a->label[parent]);
        while (next < parent) {
            const rd_u32 is_long = ++hops > CC_SHORT;
            if (is_long && last)
                rd_min_rlx(&a->label[child], next); /* partner: the store of child's root in rd_app_vertex */
            else if (is_long)
                rd_st_rlx(&a->label[child], next); /* child has a parent already, so no one swaps here */
            child = parent;
            parent = next;
            next = rd_ld_stale(&a->label[parent]);
        }
    }
    /* Who comes to v again finds its root at once, and v's word is no one's else. */
    if (CC_SHORT && hops > 1 && !last)
        rd_st_rlx(&a->label[v], parent); /* v has a parent already, so no one swaps here */
    return parent;
}

#if RD_CORE
/* The last time: nothing is shortened. */
rd_fn rd_u32 cc_last_root(const rd_app *a, rd_u32 v)
{
    rd_u32 parent = rd_ld_stale(&a->label[v]), next = rd_ld_stale(&a->label[parent]);
    while (next < parent) {
        parent = next;
        next = rd_ld_stale(&a->label[parent]);
    }
    return parent;
}
#endif

rd_fn void cc_link(const rd_app *a, rd_u32 u, rd_u32 v)
{
    rd_u32 x = cc_root(a, u, 0), y = cc_root(a, v, 0);
    while (x != y) {
        const rd_u32 high = x > y ? x : y, low = x > y ? y : x;
        rd_u32 old = rd_ld_rlx(&a->label[high]); /* the lanes of a warp load a word together and swap it one by one */
        if (old == high)
            old = rd_cas_rlx(&a->label[high], high, low); /* partner: the same swap in other lanes */
        y = low;
        x = old == high ? low : old; /* done, or go on from where someone else hooked it to */
    }
}

/* Which of v's neighbours SECOND takes: the first that FIRST did not. */
rd_fn rd_u64 cc_second(const rd_sweep *s, rd_u32 v, rd_u64 from, rd_u64 to)
{
    return from < to && rd_ld_const(&s->col[from]) < v ? from + 1 : from;
}

rd_fn void cc_first(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_gain *gain)
{
    const rd_u64 from = rd_ld_const(&s->row[v]), to = rd_ld_const(&s->row[v + 1]);
    const rd_u32 u = from < to ? rd_ld_const(&s->col[from]) : v;
    rd_u32 parent = u < v ? u : v;
#if RD_CORE
    const rd_u32 above = rd_ld_rlx(&a->label[parent]); /* partner: the store below, in others; or it has none yet */
    parent = above < parent ? above : parent;
#endif
    rd_st_rlx(&a->label[v], parent); /* partner: the loads of later phases; v is this lane's alone */
    gain->edges += from < to;
}

/* The label of sample i. No one writes labels in this phase. */
rd_fn rd_u32 cc_sampled(const rd_app *a, const rd_sweep *s, rd_u32 i)
{
    const rd_u32 fraction = i * 2654435769u; /* of 2^32: spread evenly, by the golden ratio */
    return a->label[(rd_u32)((rd_u64)fraction * s->vertices >> 32)];
}

/* How many samples have the label that sample i has? */
rd_fn void cc_sample(const rd_app *a, const rd_sweep *s, rd_u32 i)
{
    const rd_u32 mine = cc_sampled(a, s, i);
    rd_u32 same = 0;
    for (rd_u32 k = 0; k < CC_SAMPLES; k += CC_AT_ONCE) {
        RD_UNROLL
        for (rd_u32 j = 0; j < CC_AT_ONCE; j++)
            same += cc_sampled(a, s, k + j) == mine;
    }
    rd_max64_rlx(a->largest, (rd_u64)same << 32 | mine); /* partner: the same in other lanes; read in the next step */
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (s->phase == CC_FIRST) {
        cc_first(a, s, v, gain);
    } else if (s->phase == CC_SECOND) {
        const rd_u64 from = rd_ld_const(&s->row[v]), to = rd_ld_const(&s->row[v + 1]), e = cc_second(s, v, from, to);
        if (e < to)
            cc_link(a, v, rd_ld_const(&s->col[e]));
        gain->edges += e < to;
    } else if (s->phase == CC_FLAT || s->phase == CC_DONE) {
        /* partners: the loads and minima of cc_root; v is no root, or is its own */
#if RD_CORE /* functions of their own, so that searches for roots to link have no more to do than that */
        rd_st_rlx(&a->label[v], s->phase == CC_DONE ? cc_last_root(a, v) : cc_root(a, v, 0));
#else
        rd_st_rlx(&a->label[v], cc_root(a, v, s->phase == CC_DONE));
#endif
    } else if (s->phase == CC_SAMPLE) {
        cc_sample(a, s, v);
    }
}

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    if (!RD_CORE && CC_SKIPS(a) && cc_is_skipped(a, v)) {
        *from = *to;
    } else {
        const rd_u64 first = cc_second(s, v, *from, *to) + CC_SKIPS(a);
        *from = first < *to ? first : *to;
        if (a->can_skip == CC_PARTS) { /* ghosts are the last of a row, and are many times as many as others */
            rd_u64 e = *from;
            while (e < *to && rd_ld_const(&s->col[e]) < s->vertices)
                e++;
            *to = e;
        }
    }
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    if (u < v || a->can_skip != CC_UPPER)
        cc_link(a, v, u);
    return RD_FOLD_NONE;
}

rd_fn rd_u32 rd_app_next(const rd_app *a, const rd_sweep *s, const rd_gain *gain)
{
    if (s->phase == CC_FIRST && !CC_SKIPS(a))
        return s->vertices ? CC_REST : RD_SWEEP_END;
    return s->phase == CC_DONE || s->vertices == 0 ? RD_SWEEP_END : s->phase + 1;
}

#ifdef RD_CHECK
#include <stdlib.h>
/* One edge after another: below the smaller of two roots goes the larger one. */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    rd_u32 *root = malloc(4ull * c->vertices + 4);
    rd_u64 wrong = root ? RD_RIGHT : 0;
    for (rd_u32 v = 0; v < c->vertices && wrong; v++)
        root[v] = v;
    for (rd_u32 u = 0; u < c->vertices && wrong; u++)
        for (rd_u64 e = c->row[u]; e < c->row[u + 1]; e++) {
            rd_u32 x = u, y = c->col[e];
            while (root[x] != x)
                x = root[x] = root[root[x]];
            while (root[y] != y)
                y = root[y] = root[root[y]];
            root[x > y ? x : y] = x > y ? y : x;
        }
    for (rd_u32 v = 0; v < c->vertices && wrong == RD_RIGHT; v++) { /* a parent is smaller: its root is known already */
        root[v] = root[root[v]];
        wrong = root[v] == a->label[v] ? RD_RIGHT : v;
    }
    free(root);
    return wrong;
}
#endif
