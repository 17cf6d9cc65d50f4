/* SPDX-License-Identifier: Apache-2.0 */
/* bound.k.h - Dantzig's bound of a node, and ranks made of bounds. Part of knapsack/knapsack.k.c, which explains it. */
#ifndef RD_APPS_KNAPSACK_BOUND_K_H
#define RD_APPS_KNAPSACK_BOUND_K_H

/* ---- Bits ---- */

rd_fn rd_u32 knapsack_count(rd_u64 x)
{
    return rd_popcount((rd_u32)x) + rd_popcount((rd_u32)(x >> 32));
}

/* The lowest and the highest 1 of x != 0. */
rd_fn rd_u32 knapsack_low(rd_u64 x)
{
    return knapsack_count((x & (0 - x)) - 1);
}

rd_fn rd_u32 knapsack_high(rd_u64 x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    x |= x >> 32;
    return knapsack_count(x) - 1;
}

rd_fn rd_u64 knapsack_below(rd_u32 bit) /* ones below it, bit < 64 */
{
    return ((rd_u64)1 << bit) - 1;
}

/* ---- The bound ---- */

/* A node's bound in parts: base, plus (over 0) or minus (over 1) rest * value / weight of an item. */
typedef struct {
    rd_i64 base;
    rd_u64 rest, value, weight; /* weight 0: no such item, base is the bound */
    rd_u32 over;                /* heavier than the capacity: base itself is no solution unless rest is 0 */
    rd_u32 impossible;
} knapsack_bound;

/* The sum of weights before item `at` is compared with limit from either side. */
rd_fn rd_u32 knapsack_within(const rd_app *a, rd_u32 at, rd_u64 limit, rd_u32 over)
{
    const rd_u64 sum = rd_ld_const(&a->prefix[2 * (rd_u64)at]);
    return over ? sum >= limit : sum <= limit;
}

/* The most items from `from` on, forwards or (over) backwards, whose weight is at most room. @return the place behind
 * (before) the last of them. One loop for both ways, so that lanes of both stay together. */
rd_fn rd_u32 knapsack_cut(const rd_app *a, rd_u32 from, rd_u64 room, rd_u32 over)
{
    const rd_u64 sum = rd_ld_const(&a->prefix[2 * (rd_u64)from]);
    const rd_u64 limit = over ? (sum > room ? sum - room : 0) : sum + room;
    rd_u32 at = from, stride = 1;
    while (stride <= (over ? at : a->items - at) && knapsack_within(a, over ? at - stride : at + stride, limit, over)) {
        at = over ? at - stride : at + stride;
        stride *= 2;
    }
    while (stride > 1) {
        stride /= 2;
        if (stride <= (over ? at : a->items - at) && knapsack_within(a, over ? at - stride : at + stride, limit, over))
            at = over ? at - stride : at + stride;
    }
    return at;
}

/* Items [*first, *end) are decided at levels below `level`. */
rd_fn void knapsack_window(const rd_app *a, rd_u32 level, rd_u32 *first, rd_u32 *end)
{
    const rd_u32 before = a->break_item, behind = a->items - before, both = before < behind ? before : behind;
    const rd_u32 left = level < 2 * both ? level / 2 : before < behind ? before : level - behind;
    *first = before - left;
    *end = before + (level - left);
}

rd_fn knapsack_bound knapsack_look(const rd_app *a, rd_u32 level, rd_i64 weight, rd_i64 value)
{
    const rd_i64 room = (rd_i64)rd_ld_const(&a->problem[KNAPSACK_CAPACITY]) - weight;
    rd_u32 first, end, cut, at;
    knapsack_bound b;
    knapsack_window(a, level, &first, &end);
    b.over = room < 0;
    at = b.over ? first : end;
    cut = knapsack_cut(a, at, (rd_u64)(b.over ? -room : room), b.over);
    b.weight = b.over ? cut > 0 : cut < a->items;
    const rd_u64 cut_weight = rd_ld_const(&a->prefix[2 * (rd_u64)cut]);
    const rd_u64 cut_value = rd_ld_const(&a->prefix[2 * (rd_u64)cut + 1]);
    b.base = value + (rd_i64)(cut_value - rd_ld_const(&a->prefix[2 * (rd_u64)at + 1]));
    b.rest = (rd_u64)(room - (rd_i64)(cut_weight - rd_ld_const(&a->prefix[2 * (rd_u64)at])));
    b.rest = b.over ? 0 - b.rest : b.rest;
    b.impossible = b.over && b.rest > 0 && cut == 0;
    b.value = 0;
    if (b.weight) {
        const rd_u32 other = b.over ? cut - 1 : cut + 1;
        const rd_u64 weight_there = rd_ld_const(&a->prefix[2 * (rd_u64)other]);
        const rd_u64 value_there = rd_ld_const(&a->prefix[2 * (rd_u64)other + 1]);
        b.weight = b.over ? cut_weight - weight_there : weight_there - cut_weight;
        b.value = b.over ? cut_value - value_there : value_there - cut_value;
    }
    return b;
}

/* The upper half of a product. */
rd_fn rd_u64 knapsack_upper_half(rd_u64 a, rd_u64 b)
{
    const rd_u64 low = (rd_u64)(rd_u32)a * (rd_u32)b, one = (a >> 32) * (rd_u32)b + (low >> 32);
    const rd_u64 two = (rd_u64)(rd_u32)a * (b >> 32) + (rd_u32)one;
    return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
}

/* a * b >= c * d. Of numbers below 2^32 as they are; `wide`: there are longer ones. */
rd_fn rd_u32 knapsack_product_reaches(rd_u32 wide, rd_u64 a, rd_u64 b, rd_u64 c, rd_u64 d)
{
    if (!wide)
        return a * b >= c * d;
    const rd_u64 left = knapsack_upper_half(a, b), right = knapsack_upper_half(c, d);
    return left > right || (left == right && a * b >= c * d);
}

/* Is the bound above best? rest < weight, and what is compared with is at most value: no factor is longer than the
 * longest number of an item. */
rd_fn rd_u32 knapsack_hopeful(const rd_app *a, const knapsack_bound *b, rd_i64 best)
{
    if (!b->over) {
        const rd_i64 lack = best - b->base + 1; /* what the part of the last item has to bring */
        return lack <= 0 || (b->weight && lack <= (rd_i64)b->value &&
                             knapsack_product_reaches(a->wide, b->rest, b->value, (rd_u64)lack, b->weight));
    }
    const rd_i64 spare = b->base - best - 1; /* what the part of the last item may cost */
    return !b->impossible && spare >= 0 &&
           (b->rest == 0 || spare >= (rd_i64)b->value ||
            knapsack_product_reaches(a->wide, (rd_u64)spare, b->weight, b->rest, b->value));
}

/* rest * value / weight from above (up) or below; rest < weight. Of long numbers some last bits are left out, so it
 * may be further up or down than it had to be, never on the other side. */
rd_fn rd_u64 knapsack_share(const rd_app *a, rd_u64 rest, rd_u64 value, rd_u64 weight, rd_u32 up)
{
    if (!a->wide)
        return (rest * value + (up ? weight - 1 : 0)) / weight;
    const rd_u32 long_value = value >> 31 ? knapsack_high(value) - 30 : 0;
    const rd_u32 long_weight = weight >> 31 ? knapsack_high(weight) - 30 : 0;
    const rd_u64 some = (value >> long_value) + (long_value && up),
                 all = (weight >> long_weight) + (long_weight && !up);
    const rd_u64 part = (rest >> long_weight) + (long_weight && up);
    const rd_u64 share = some * part / all + up; /* factors are at most 2^31 */
    return up && share >= value >> long_value ? value : share << long_value;
}

/* The bound of a node that is possible; of long numbers perhaps a little more. */
rd_fn rd_i64 knapsack_value(const rd_app *a, const knapsack_bound *b)
{
    if (b->weight == 0 || b->rest == 0)
        return b->base;
    if (b->over)
        return b->base - (rd_i64)knapsack_share(a, b->rest, b->value, b->weight, a->wide == 0);
    return b->base + (rd_i64)knapsack_share(a, b->rest, b->value, b->weight, a->wide);
}

rd_fn rd_u64 knapsack_rank(const rd_app *a, rd_i64 bound, rd_u32 level)
{
    const rd_i64 upper = (rd_i64)rd_ld_const(&a->problem[KNAPSACK_UPPER]);
    const rd_u32 deep = level < (1u << KNAPSACK_RANK_SHIFT) - 1 ? level : (1u << KNAPSACK_RANK_SHIFT) - 1;
    const rd_u64 below = (rd_u64)(bound < upper ? upper - bound : 0) >> rd_ld_const(&a->problem[KNAPSACK_RANK_DROP]);
    return below << KNAPSACK_RANK_SHIFT | ((1u << KNAPSACK_RANK_SHIFT) - 1 - deep);
}

rd_fn rd_i64 knapsack_bound_of(const rd_app *a, rd_u64 rank)
{
    return (rd_i64)(rd_ld_const(&a->problem[KNAPSACK_UPPER]) -
                    (rank >> KNAPSACK_RANK_SHIFT << rd_ld_const(&a->problem[KNAPSACK_RANK_DROP])));
}

#endif
