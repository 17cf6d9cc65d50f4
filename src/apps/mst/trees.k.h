/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trees.k.h - what spanning forests with and without lists share: trees, and the least edge that leaves one. After the
 * app's arguments. Trees are as in cc/cc.k.c: `label` is a parent, smaller than its child, roots are hooked by
 * compare-and-swap, ways to them are halved.
 */
#ifndef RD_APPS_MST_TREES_K_H
#define RD_APPS_MST_TREES_K_H

#define MST_NONE 0xffffffffffffffffull /* no edge */

/* Words of weights are in the order of signed numbers, whole or real; this is in that of unsigned ones. */
rd_fn rd_u32 mst_ordered(const rd_app *a, rd_u64 e)
{
    return rd_ld_const(&a->mst_weight[e]) ^ 0x80000000u;
}

/* Partners of all loads: the stores and swaps of others. An old value is an ancestor too. */
rd_fn rd_u32 mst_root(const rd_app *a, rd_u32 v)
{
    rd_u32 child = v, parent = rd_ld_stale(&a->mst_label[v]);
    if (parent != child) {
        rd_u32 next = rd_ld_stale(&a->mst_label[parent]);
        while (next < parent) {
            rd_st_rlx(&a->mst_label[child], next); /* child is no root, so no one swaps here */
            child = parent;
            parent = next;
            next = rd_ld_stale(&a->mst_label[parent]);
        }
    }
    return parent;
}

rd_fn void mst_link(const rd_app *a, rd_u32 u, rd_u32 v)
{
    rd_u32 x = mst_root(a, u), y = mst_root(a, v);
    while (x != y) {
        const rd_u32 high = x > y ? x : y, low = x > y ? y : x;
        const rd_u32 old = rd_cas_rlx(&a->mst_label[high], high, low); /* partner: the same swap in other lanes */
        y = low;
        x = old == high ? low : old; /* done, or go on from where someone else hooked it to */
    }
}

rd_fn void mst_offer(const rd_app *a, rd_u32 root, rd_u64 key)
{
    if (rd_ld64_rlx(&a->mst_best[root]) > key) /* partner: the minimum in other lanes; what is old costs one in vain */
        rd_min64_rlx(&a->mst_best[root], key);
}

/* Takes an edge into the forest: it joins its trees. */
rd_fn void mst_take(const rd_app *a, rd_u32 e, rd_u32 u, rd_u32 v)
{
    rd_or_rlx(&a->mst_taken[e / 32], 1u << e % 32); /* partner: the same of other edges */
    mst_link(a, u, v);
}

#endif
