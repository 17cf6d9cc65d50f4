/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.k.c - vertices in the order of degrees, largest first: by powers of two, and in no order among those of
 * one power. Two launches: color_count counts each class (a class is the number of bits of the degree), color_place
 * gives each vertex its place. Lanes that run in lockstep take places of one class together.
 *
 * count: COLOR_CLASSES words of how many there are, then as many of how many have a place; all 0 at first.
 */
#include "raddle/kernel.h"
#include "apps/color/layout.k.h"

rd_context(order_ctx, ORDER_ARGS);

rd_fn rd_u32 order_class(const order_ctx *c, rd_u32 v)
{
    rd_u32 degree = (rd_u32)(rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v])), bits = 0;
    while (degree) {
        degree /= 2;
        bits++;
    }
    return bits;
}

/* Adds 1 to word[kind] in each lane that has one. @return what the word was, as if one lane after another had. */
rd_fn rd_u32 order_add(rd_global rd_u32 *word, rd_u32 has, rd_u32 kind)
{
    rd_u32 place = 0;
#if RD_LANES > 1 && RD_WARP > 1
    rd_u32 left = rd_warp_ballot(has);
    while (left) { /* equal in all lanes of the warp */
        const rd_u32 leader = rd_popcount((left & (0u - left)) - 1), which = rd_warp_shuffle(kind, leader);
        const rd_u32 same = rd_warp_ballot(has && kind == which), me = rd_warp_lane();
        rd_u32 first = 0;
        if (me == leader)
            first = rd_add_rlx(&word[which], rd_popcount(same)); /* partner: the same in other warps */
        first = rd_warp_shuffle(first, leader);
        if (same >> me & 1)
            place = first + rd_popcount(same & ((1u << me) - 1));
        left &= ~same;
    }
#else
    if (has)
        place = rd_add_rlx(&word[kind], 1); /* partner: the same in other lanes */
#endif
    return place;
}

rd_kernel(color_count, ORDER_ARGS)
{
    const order_ctx c = rd_bind(ORDER_ARGS);
    const rd_u64 step = (rd_u64)rd_groups() * rd_lanes();
    for (rd_u64 base = (rd_u64)rd_group() * rd_lanes(); base < vertices; base += step) { /* equal in all lanes */
        const rd_u64 i = base + rd_lane();
        const rd_u32 has = i < vertices;
        order_add(count, has, has ? order_class(&c, (rd_u32)i) : 0);
    }
}

rd_kernel(color_place, ORDER_ARGS)
{
    const order_ctx c = rd_bind(ORDER_ARGS);
    const rd_u64 step = (rd_u64)rd_groups() * rd_lanes();
    for (rd_u64 base = (rd_u64)rd_group() * rd_lanes(); base < vertices; base += step) { /* equal in all lanes */
        const rd_u64 i = base + rd_lane();
        const rd_u32 has = i < vertices, v = has ? (rd_u32)(i * stride % vertices) : 0;
        const rd_u32 kind = has ? order_class(&c, v) : 0;
        rd_u32 place = order_add(count + COLOR_CLASSES, has, kind);
        for (rd_u32 k = kind + 1; k < COLOR_CLASSES; k++)
            place += rd_ld_const(&count[k]);
        if (has) {
            order[place] = v;
            state[v] = (rd_u64)place << 32 | COLOR_NONE;
        }
    }
}

#define ORDER_KERNELS(k) k(color_count, ORDER_ARGS) k(color_place, ORDER_ARGS)
rd_kernels(ORDER_KERNELS);
