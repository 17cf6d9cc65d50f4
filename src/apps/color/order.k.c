/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.k.c - vertices in the order of degrees, largest first: by powers of two, and in no order among those of
 * one power. Two launches: color_count counts each class (a class is the number of bits of the degree), color_place
 * gives each vertex its place. Lanes that run in lockstep take places of one class together, for several vertices each:
 * where most degrees are of one class, adding to its counter would else be most of the time.
 *
 * The order follows from the graph alone: a job's next run keeps it, and color_again takes the colours away.
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

#if RD_LANES > 1 && RD_WARP > 1
#define ORDER_SHARE 8 /* vertices of a lane at a time: a class has one counter, and warps that add to it queue up */
#else
#define ORDER_SHARE 1
#endif

/* The lane's next vertices: numbers from `base` on, a row of lanes after another. */
typedef struct {
    rd_u32 has[ORDER_SHARE], vertex[ORDER_SHARE], kind[ORDER_SHARE], place[ORDER_SHARE];
} order_share;

rd_fn void order_look(const order_ctx *c, rd_u64 base, rd_u32 stride, order_share *s)
{
    RD_UNROLL
    for (rd_u32 k = 0; k < ORDER_SHARE; k++) {
        const rd_u64 i = base + (rd_u64)k * rd_lanes() + rd_lane();
        s->has[k] = i < c->vertices;
        s->vertex[k] = !s->has[k] ? 0 : stride == 1 ? (rd_u32)i : (rd_u32)(i * stride % c->vertices);
        s->kind[k] = s->has[k] ? order_class(c, s->vertex[k]) : 0;
    }
}

/* Adds 1 to word[kind] for each vertex, and gives it as its place what the word was: as if one vertex after another had
 * been counted. */
rd_fn void order_add(rd_global rd_u32 *word, order_share *s)
{
#if RD_LANES > 1 && RD_WARP > 1
    const rd_u32 me = rd_warp_lane(), before = (1u << me) - 1;
    rd_u32 todo = 0, left;
    RD_UNROLL
    for (rd_u32 k = 0; k < ORDER_SHARE; k++)
        todo |= s->has[k] << k;
    left = rd_warp_ballot(todo != 0);
    while (left) { /* equal in all lanes of the warp: one class a turn */
        const rd_u32 leader = rd_lowest(left);
        rd_u32 mine = 0, same[ORDER_SHARE], all = 0, first = 0;
        RD_UNROLL
        for (rd_u32 k = 0; k < ORDER_SHARE; k++)
            mine = todo >> k & 1 ? s->kind[k] : mine;
        const rd_u32 which = rd_warp_shuffle(mine, leader);
        RD_UNROLL
        for (rd_u32 k = 0; k < ORDER_SHARE; k++) {
            same[k] = rd_warp_ballot((todo >> k & 1) && s->kind[k] == which);
            all += rd_popcount(same[k]);
        }
        if (me == leader)
            first = rd_add_rlx(&word[which], all); /* partner: the same in other warps */
        first = rd_warp_shuffle(first, leader);
        RD_UNROLL
        for (rd_u32 k = 0; k < ORDER_SHARE; k++) {
            if (same[k] >> me & 1) {
                s->place[k] = first + rd_popcount(same[k] & before);
                todo &= ~(1u << k);
            }
            first += rd_popcount(same[k]);
        }
        left = rd_warp_ballot(todo != 0);
    }
#else
    if (s->has[0])
        s->place[0] = rd_add_rlx(&word[s->kind[0]], 1); /* partner: the same in other lanes */
#endif
}

rd_kernel(color_count, ORDER_ARGS)
{
    const order_ctx c = rd_bind(ORDER_ARGS);
    const rd_u64 turn = (rd_u64)ORDER_SHARE * rd_lanes();
    for (rd_u64 base = rd_group() * turn; base < vertices; base += rd_groups() * turn) { /* equal in all lanes */
        order_share s;
        order_look(&c, base, 1, &s);
        order_add(count, &s);
    }
}

rd_kernel(color_place, ORDER_ARGS)
{
    rd_local_array(rd_u32, start, COLOR_CLASSES); /* the first place of each class */
    const order_ctx c = rd_bind(ORDER_ARGS);
    const rd_u64 turn = (rd_u64)ORDER_SHARE * rd_lanes();
    for (rd_u32 kind = rd_lane(); kind < COLOR_CLASSES; kind += rd_lanes()) {
        start[kind] = 0;
        for (rd_u32 larger = kind + 1; larger < COLOR_CLASSES; larger++)
            start[kind] += rd_ld_const(&count[larger]);
    }
    rd_barrier();                                                                        /* all starts are there */
    for (rd_u64 base = rd_group() * turn; base < vertices; base += rd_groups() * turn) { /* equal in all lanes */
        order_share s;
        order_look(&c, base, stride, &s);
        order_add(count + COLOR_CLASSES, &s);
        RD_UNROLL
        for (rd_u32 k = 0; k < ORDER_SHARE; k++)
            if (s.has[k]) {
                const rd_u32 place = start[s.kind[k]] + s.place[k];
                order[place] = s.vertex[k];
                state[s.vertex[k]] = (rd_u64)place << 32 | COLOR_NONE;
            }
    }
}

rd_kernel(color_again, ORDER_ARGS)
{
    for (rd_u64 v = rd_group() * rd_lanes() + rd_lane(); v < vertices; v += (rd_u64)rd_groups() * rd_lanes())
        state[v] |= COLOR_NONE;
}

#define ORDER_KERNELS(k) k(color_count, ORDER_ARGS) k(color_place, ORDER_ARGS) k(color_again, ORDER_ARGS)
rd_kernels(ORDER_KERNELS);
