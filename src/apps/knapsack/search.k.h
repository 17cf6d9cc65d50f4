/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search.k.h - the search of a subtree, depth first, one node after another, without a stack: what was decided
 * and what is still open are bits, and a decision is taken back by subtracting what it added. Part of knapsack.k.c.
 *
 * Between functions, bits and open describe the levels from (level & ~63) up to, not including, level. knapsack_descend
 * hands full words to the trail, knapsack_back takes them from there.
 */
#ifndef RD_APPS_KNAPSACK_SEARCH_K_H
#define RD_APPS_KNAPSACK_SEARCH_K_H

typedef struct {
    rd_u64 bits, open;
    rd_i64 weight, value;
    rd_u32 level, trail, top;
    rd_u32 enter;
    rd_u32 fresh; /* entries of the trail above here that no one else knows */
    rd_u32 spare; /* an entry to use again, or KNAPSACK_ROOT */
    rd_u32 lost;
    rd_u32 nodes, hopeless, dominated;
} knapsack_search;

/* Begins the next 64 levels: what was decided goes into the trail. */
rd_fn void knapsack_descend(const rd_app *a, knapsack_search *s)
{
    rd_u32 at = s->spare;
    if (at == KNAPSACK_ROOT) {
        const rd_u64 ticket = rd_add64_rlx(&a->notes[KNAPSACK_TRAIL], 1); /* hands out places; partner: itself */
        at = ticket < a->trail_size ? (rd_u32)ticket : KNAPSACK_ROOT;
    }
    s->spare = KNAPSACK_ROOT;
    if (at == KNAPSACK_ROOT) {
        s->lost = 1;
    } else {
        rd_global rd_u64 *entry = a->trail + KNAPSACK_TRAIL_WORDS * (rd_u64)at;
        entry[KNAPSACK_TRAIL_BITS] = s->bits;
        entry[KNAPSACK_TRAIL_OPEN] = s->open;
        entry[KNAPSACK_TRAIL_PARENT] = s->trail;
    }
    s->trail = at;
    s->fresh++;
    s->bits = s->open = 0;
}

/* One level down, deciding as told. */
rd_fn void knapsack_decide(const rd_app *a, knapsack_search *s, rd_u32 unlike)
{
    const rd_u64 bit = (rd_u64)1 << (s->level & 63);
    if (unlike) {
        s->bits |= bit;
        s->weight += a->step[2 * (rd_u64)s->level];
        s->value += a->step[2 * (rd_u64)s->level + 1];
    } else {
        s->bits &= ~bit;
    }
    s->level++;
    if ((s->level & 63) == 0)
        knapsack_descend(a, s);
}

/* Takes back the decisions of these 64 levels from `bit` on; level is set to that of `bit`. */
rd_fn void knapsack_undo(const rd_app *a, knapsack_search *s, rd_u32 bit)
{
    const rd_u32 base = s->level & ~63u;
    rd_u64 left = s->bits & ~knapsack_below(bit);
    s->bits &= knapsack_below(bit);
    s->level = base + bit;
    while (left) {
        const rd_u64 at = base + knapsack_low(left);
        s->weight -= a->step[2 * at];
        s->value -= a->step[2 * at + 1];
        left &= left - 1;
    }
}

/* Goes to the deepest open branch and takes it. @return 0 when the subtree is searched. */
rd_fn rd_u32 knapsack_back(const rd_app *a, knapsack_search *s)
{
    while (s->open == 0 && s->level >> 6 > s->top >> 6) {
        rd_global const rd_u64 *entry = a->trail + KNAPSACK_TRAIL_WORDS * (rd_u64)s->trail;
        knapsack_undo(a, s, 0);
        if (s->fresh) {
            s->fresh--;
            s->spare = s->trail;
        }
        s->bits = entry[KNAPSACK_TRAIL_BITS];
        s->open = entry[KNAPSACK_TRAIL_OPEN];
        s->trail = (rd_u32)entry[KNAPSACK_TRAIL_PARENT];
        /* The level is the first of the 64 that were left: one below the last of these. */
        if (s->open == 0)
            s->level--; /* so that undo takes these 64 back */
    }
    if (s->open == 0)
        return 0;
    const rd_u32 bit = knapsack_high(s->open);
    if ((s->level & 63) == 0)
        s->level--; /* these 64 are full */
    const rd_u32 unlike = (s->bits >> bit & 1) == 0;
    knapsack_undo(a, s, bit);
    s->open &= ~((rd_u64)1 << bit);
    knapsack_decide(a, s, unlike);
    return 1;
}

/* A solution better than all before is written down: its path; the host adds what the bound filled in. */
rd_fn void knapsack_improve(const rd_app *a, knapsack_search *s, rd_i64 value)
{
    const rd_u64 old = rd_max64_rlx(&a->notes[KNAPSACK_BEST], (rd_u64)value); /* partner: itself, and looks at it */
    if (old < (rd_u64)value) {
        const rd_u64 at = rd_add64_rlx(&a->notes[KNAPSACK_SOLUTIONS], 1) % KNAPSACK_LIST_SIZE;
        rd_global rd_u64 *solution = a->notes + KNAPSACK_LIST + KNAPSACK_SOLUTION_WORDS * at;
        solution[KNAPSACK_SOLUTION_VALUE] = (rd_u64)value;
        solution[KNAPSACK_SOLUTION_BITS] = s->bits;
        solution[KNAPSACK_SOLUTION_PLACE] = s->level | (rd_u64)s->trail << 32;
        s->fresh = 0; /* the host will follow the trail */
    }
}

/* Was a node of this level and weight met that is at least as good? If not, this one is remembered. */
rd_fn rd_u32 knapsack_dominated(const rd_app *a, rd_u32 level, rd_i64 weight, rd_i64 base)
{
    const rd_u32 key_bits = (rd_u32)rd_ld_const(&a->problem[KNAPSACK_KEY_BITS]);
    const rd_u32 value_bits = (rd_u32)rd_ld_const(&a->problem[KNAPSACK_VALUE_BITS]);
    const rd_u64 mask = key_bits < 64 ? ((rd_u64)1 << key_bits) - 1 : ~(rd_u64)0;
    /* Multiplying by an odd number and xor with a shift permute the numbers below 2^key_bits. */
    rd_u64 key = level * rd_ld_const(&a->problem[KNAPSACK_SPAN]) + (rd_u64)weight;
    key = key * 0x9e3779b97f4a7c15ul & mask;
    key ^= key >> (key_bits / 2 + 1);
    key = key * 0xbf58476d1ce4e5b9ul & mask;
    key ^= key >> (key_bits / 2 + 1);
    rd_global rd_u64 *slot = a->table + (key & knapsack_below(a->table_bits));
    /* At least 1 for a hopeful node: base + most > start. Grows with the value, for equal level and weight. */
    const rd_u64 number =
        (rd_u64)(base + (rd_i64)(rd_ld_const(&a->problem[KNAPSACK_MOST]) - rd_ld_const(&a->problem[KNAPSACK_START])));
    const rd_u64 mine = rd_ld_const(&a->problem[KNAPSACK_EPOCH]) | key >> a->table_bits << value_bits | number;
    const rd_u64 there = rd_ld64_rlx(slot); /* partner: the store below */
    if (there >> value_bits == mine >> value_bits && there >= mine)
        return 1;
    rd_st64_rlx(slot, mine); /* partner: the load above; a node that is forgotten costs time only */
    return 0;
}

/* Looks at the node that was entered: goes one level down, or leaves it to knapsack_back. */
rd_fn void knapsack_node(const rd_app *a, knapsack_search *s)
{
    const knapsack_bound b = knapsack_look(a, s->level, s->weight, s->value);
    rd_i64 best = (rd_i64)rd_ld64_rlx(&a->notes[KNAPSACK_BEST]); /* partner: the maximum in knapsack_improve */
    const rd_i64 solution = !b.over || b.rest == 0 ? b.base : b.base - (rd_i64)b.value;
    s->nodes++;
    s->enter = 0;
    if (!b.impossible && solution > best) {
        knapsack_improve(a, s, solution);
        best = solution;
    }
    if (!knapsack_hopeful(a, &b, best) || s->level == a->items) {
        s->hopeless++;
    } else if (a->table_bits && knapsack_dominated(a, s->level, s->weight, b.base)) {
        s->dominated++;
    } else {
        const rd_i64 change = a->step[2 * (rd_u64)s->level];
        const rd_i64 room = (rd_i64)rd_ld_const(&a->problem[KNAPSACK_CAPACITY]) - s->weight;
        s->open |= (rd_u64)1 << (s->level & 63);
        s->enter = 1;
        knapsack_decide(a, s, change > 0 ? change <= room : room < 0); /* towards the capacity first */
    }
}

#endif
