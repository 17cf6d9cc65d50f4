/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.k.h - colouring by priority: what a vertex that has its colour tells its neighbours. A vertex waits for those
 * that come before it in the order; each tells it its colour, once for each edge, and whoever tells it the last one
 * gives it the least colour that it was not told. After M. Jones and P. Plassmann, "A parallel graph coloring
 * heuristic", 1993, in the order of Welsh and Powell: the serial greedy colouring in this order.
 *
 * So a vertex is looked at when its colour follows, and not before: nobody waits, and nobody looks in vain. Parallel
 * edges are waited for and told one by one; loops are neither.
 *
 * told: a 64-bit word a vertex, above how many edges are still to tell it, below a bit for each of the first 32
 * colours. taken: bits of all other colours up to the degree (no vertex needs a higher one), word c / 32 from
 * color_taken_at on.
 *
 * Orders. Taking an edge off told is acq_rel, and comes after the bit, or sets it: who takes off the last one sees the
 * bits that were set before the others were taken off.
 */
#ifndef RD_APPS_COLOR_WAIT_K_H
#define RD_APPS_COLOR_WAIT_K_H

#include "raddle/kernel.h"
#include "apps/color/layout.k.h"

/* Where the bits of a vertex begin whose first edge is so many: vertex v has degree / 32 + 1 words at least. */
rd_fn rd_u64 color_taken_at(rd_u32 v, rd_u64 first_edge)
{
    return v + first_edge / 32;
}

/* Before anybody tells v: it waits for so many edges. One that waits for none has the first colour. */
rd_fn void color_expect(rd_global rd_u64 *state, rd_global rd_u64 *told, rd_global rd_u32 *taken,
                        rd_global const rd_u64 *row, rd_u32 v, rd_u32 count)
{
    const rd_u64 first = rd_ld_const(&row[v]), degree = rd_ld_const(&row[v + 1]) - first;
    const rd_u64 at = color_taken_at(v, first);
    rd_st64_rlx(&told[v], (rd_u64)count << 32); /* partners of all these: color_tell, in later launches or steps */
    for (rd_u64 i = 1; i <= degree / 32; i++)
        rd_st_rlx(&taken[at + i], 0);
    if (!count)
        rd_st64_rlx(&state[v], rd_ld64_rlx(&state[v]) >> 32 << 32); /* no one else writes it now */
}

/* The least colour that a vertex was not told. */
rd_fn rd_u32 color_follows(rd_u32 first_bits, rd_global const rd_u32 *taken)
{
    rd_u32 bits = first_bits, i = 0;
    while (!~bits) { /* ends: there is a bit more than there are edges */
        i++;
        bits = rd_ld_rlx(&taken[i]); /* partner: color_tell, through told */
    }
    return 32 * i + rd_popcount((~bits & (bits + 1)) - 1);
}

/* Takes an edge off a word of told, and sets bits in its lower half. @return what the word was. */
rd_fn rd_u64 color_take_off(rd_global rd_u64 *word, rd_u32 bits)
{
    const rd_u64 one = (rd_u64)1 << 32;
    rd_u64 old = rd_ld64_rlx(word), seen = ~old; /* partner: the exchange below */
    while ((bits & ~(rd_u32)old) && seen != old) {
        seen = old;
        old = rd_cas64_acqrel(word, seen, (seen | bits) - one); /* pairs with the same by v's other neighbours */
    }
    return seen == old ? old : rd_add64_acqrel(word, 0 - one); /* likewise: the bits were there */
}

/* Tells v, which comes later in the order, a colour. @return 1 when v has its own by that. */
rd_fn rd_u32 color_tell(rd_global rd_u64 *state, rd_global rd_u64 *told, rd_global rd_u32 *taken,
                        rd_global const rd_u64 *row, rd_u32 v, rd_u32 colour)
{
    const rd_u64 first = rd_ld_const(&row[v]);
    if (colour >= 32 && colour <= rd_ld_const(&row[v + 1]) - first) {
        rd_global rd_u32 *word = &taken[color_taken_at(v, first) + colour / 32];
        if (!(rd_ld_rlx(word) >> colour % 32 & 1))
            rd_or_rlx(word, 1u << colour % 32); /* partner: color_follows, through told */
    }
    const rd_u64 old = color_take_off(&told[v], colour < 32 ? 1u << colour : 0);
    if (old >> 32 != 1)
        return 0;
    const rd_u32 bits = (rd_u32)old | (colour < 32 ? 1u << colour : 0);
    const rd_u32 own = color_follows(bits, taken + color_taken_at(v, first));
    rd_st64_rlx(&state[v], rd_ld64_rlx(&state[v]) >> 32 << 32 | own); /* no one else is left to write it */
    return 1;
}

#endif
