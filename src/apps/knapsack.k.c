/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knapsack.k.c - 0/1 knapsack: best-first branch and bound.
 *
 * The tree. Items are sorted by value per weight. The break solution takes them in this order until one, the break
 * item, does not fit. Level t of the tree decides on one item, from the break item outwards, in turn behind and before
 * it: is it unlike in the break solution? So few decisions lead to any good solution (the core of E. Balas and E.
 * Zemel, 1980; the order of D. Pisinger's MINKNAP, 1997). A node is its level, weight and value; the weight may be
 * above the capacity while items before the window can still be taken out.
 *
 * The bound is Dantzig's: what is left of the capacity is filled with the items behind the window (or what is too much
 * is taken from those before it), the last one in part. prefix[] holds sums of weights and values, so a search that
 * doubles its steps finds the last item, near the window as a rule. The same without the last item is a solution.
 *
 * Hopeless: a node whose bound is not above the best value. The test needs no division: it compares products.
 * Dominated: a node of the same level and weight as one that was met before with at least its value. Slots of table[]
 * remember nodes; a slot holds all of (level, weight) but the bits that its index says, and a number that grows with
 * the value. A slot is overwritten freely: forgetting costs time, not correctness. Whoever writes a node into a slot
 * will search it, so what relies on it is searched too; it relies only on deeper levels, so never in a circle. Reads
 * and writes are single relaxed words: two workers may both search a node, none may skip it wrongly.
 *
 * A task is a subtree with a rest still to be searched. A worker takes the best one and searches it depth first for up
 * to `dive` nodes; then it gives the widest open branches as tasks of their own (as long as the pool has slots) and the
 * rest as one. Young tasks are split sooner, so that all workers soon have some. With dive 1 each node is a task: plain
 * best-first search. The pool bounds memory: when it is full, tasks go on without being split.
 *
 * Paths. A task holds the decisions of its last (level mod 64) levels and the index of the 64 before in the trail,
 * which names the 64 before those. Entries are shared by tasks that have the path in common and never changed once
 * shared; one that only this task knows is used again. A solution is written down as such a path.
 *
 * Memory order. Task records and trail entries are handed on by the scheduler with release and acquire. The bit of a
 * slot in used[] is taken with acquire and given back with release, so a record's next owner writes after its last one
 * read. best only grows; a stale look at it costs time.
 */
#include "sched/ranked.k.h"
#include "apps/knapsack_layout.k.h"

#define RD_TASK_GIVES    8
#define KNAPSACK_YOUNG   4 /* nodes that the first task searches; each split doubles it up to dive */
#define KNAPSACK_PROBES  8 /* words of used[] that are tried for a free slot */
#define KNAPSACK_NO_SLOT 0xffffffffu

/* clang-format off */
#define RD_APP_ARGS(arg)                                                           \
    arg(rd_global const rd_u64 *, problem)                                         \
    arg(rd_global const rd_u64 *, prefix) /* weight and value of the first i items */ \
    arg(rd_global const rd_i64 *, step) /* of each level: change of weight and value */ \
    arg(rd_global rd_u64 *, pool)                                                  \
    arg(rd_global rd_u32 *, used) /* a bit a slot of the pool */                   \
    arg(rd_global rd_u64 *, trail)                                                 \
    arg(rd_global rd_u64 *, table)                                                 \
    arg(rd_global rd_u64 *, notes)                                               \
    arg(rd_u32, items)                                                             \
    arg(rd_u32, break_item)                                                        \
    arg(rd_u32, pool_size) /* slots, a multiple of 32 */                             \
    arg(rd_u32, trail_size)                                                        \
    arg(rd_u32, table_bits) /* 0: no table */                                      \
    arg(rd_u32, dive)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

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

/* Is the bound above best? Products stay below 2^64: rest < weight < 2^32, and what is compared with is cut to 2^32. */
rd_fn rd_u32 knapsack_hopeful(const knapsack_bound *b, rd_i64 best)
{
    if (!b->over) {
        const rd_i64 lack = best - b->base + 1; /* what the part of the last item has to bring */
        return lack <= 0 || (b->weight && lack <= (rd_i64)b->value && b->rest * b->value >= (rd_u64)lack * b->weight);
    }
    const rd_i64 spare = b->base - best - 1; /* what the part of the last item may cost */
    return !b->impossible && spare >= 0 &&
           (b->rest == 0 || spare >= (rd_i64)b->value || b->rest * b->value <= (rd_u64)spare * b->weight);
}

/* The bound itself, of a node that is possible. */
rd_fn rd_i64 knapsack_value(const knapsack_bound *b)
{
    if (b->weight == 0 || b->rest == 0)
        return b->base;
    return b->over ? b->base - (rd_i64)((b->rest * b->value + b->weight - 1) / b->weight)
                   : b->base + (rd_i64)(b->rest * b->value / b->weight);
}

rd_fn rd_u64 knapsack_rank(const rd_app *a, rd_i64 bound, rd_u32 level)
{
    const rd_i64 upper = (rd_i64)rd_ld_const(&a->problem[KNAPSACK_UPPER]);
    const rd_u32 deep = level < (1u << KNAPSACK_RANK_SHIFT) - 1 ? level : (1u << KNAPSACK_RANK_SHIFT) - 1;
    return (rd_u64)(bound < upper ? upper - bound : 0) << KNAPSACK_RANK_SHIFT |
           ((1u << KNAPSACK_RANK_SHIFT) - 1 - deep);
}

rd_fn rd_i64 knapsack_bound_of(const rd_app *a, rd_u64 rank)
{
    return (rd_i64)(rd_ld_const(&a->problem[KNAPSACK_UPPER]) - (rank >> KNAPSACK_RANK_SHIFT));
}

/* ---- The pool ---- */

/* @return a slot, or KNAPSACK_NO_SLOT when none was found in a few looks. */
rd_fn rd_u32 knapsack_take_slot(const rd_app *a, rd_u32 hint)
{
    const rd_u32 words = a->pool_size / 32;
    rd_u32 at = (hint * 2654435761u) % words, slot = KNAPSACK_NO_SLOT;
    for (rd_u32 i = 0; i < KNAPSACK_PROBES && slot == KNAPSACK_NO_SLOT; i++) {
        const rd_u32 word = rd_ld_rlx(&a->used[at]);
        if (word != 0xffffffffu) {
            const rd_u32 bit = rd_popcount((~word & (word + 1)) - 1);
            /* Pairs with the release in knapsack_free_slot: the last owner has read its record. */
            if (rd_cas_acqrel(&a->used[at], word, word | 1u << bit) == word)
                slot = at * 32 + bit;
        }
        at = at + 1 < words ? at + 1 : 0;
    }
    return slot;
}

rd_fn void knapsack_free_slot(const rd_app *a, rd_u32 slot)
{
    rd_add_rel(&a->used[slot / 32], 0u - (1u << slot % 32)); /* the bit is set: pairs with knapsack_take_slot */
}

/* ---- Searching a subtree ---- */

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
    const rd_u64 mine = key >> a->table_bits << value_bits | number;
    const rd_u64 there = rd_ld64_rlx(slot); /* partner: the store below */
    if (there >> value_bits == mine >> value_bits && there >= mine)
        return 1;
    rd_st64_rlx(slot, mine);
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
    if (!knapsack_hopeful(&b, best) || s->level == a->items) {
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

/* ---- Tasks ---- */

rd_fn void knapsack_store(const rd_app *a, const knapsack_search *s, rd_u32 slot, rd_u32 age)
{
    rd_global rd_u64 *task = a->pool + KNAPSACK_TASK_WORDS * (rd_u64)slot;
    const rd_u32 older = age < 255 ? age + 1 : 255;
    task[KNAPSACK_TASK_BITS] = s->bits;
    task[KNAPSACK_TASK_OPEN] = s->open;
    task[KNAPSACK_TASK_WEIGHT] = (rd_u64)s->weight;
    task[KNAPSACK_TASK_VALUE] = (rd_u64)s->value;
    task[KNAPSACK_TASK_PLACE] = s->level | (rd_u64)s->trail << 32;
    task[KNAPSACK_TASK_TOP] = s->top | (rd_u64)(s->enter | older << KNAPSACK_AGE_SHIFT) << 32;
}

/* Gives the open branch nearest to the root (of these 64 levels) as a task of its own.
 * @return 0 when there is no slot for it; 1 otherwise, given or hopeless. */
rd_fn rd_u32 knapsack_split(const rd_app *a, rd_ranked_worker *w, knapsack_search *s, rd_u32 slot, rd_u32 age,
                            rd_i64 best)
{
    knapsack_search branch = *s;
    const rd_u32 bit = knapsack_low(s->open), unlike = (s->bits >> bit & 1) == 0;
    knapsack_undo(a, &branch, bit);
    branch.open = 0;
    branch.spare = KNAPSACK_ROOT;
    const rd_u32 level = branch.level;
    const rd_i64 weight = branch.weight + (unlike ? a->step[2 * (rd_u64)level] : 0);
    const rd_i64 value = branch.value + (unlike ? a->step[2 * (rd_u64)level + 1] : 0);
    const knapsack_bound b = knapsack_look(a, level + 1, weight, value);
    if (knapsack_hopeful(&b, best)) {
        const rd_u32 other = knapsack_take_slot(a, slot + level);
        if (other == KNAPSACK_NO_SLOT)
            return 0;
        knapsack_decide(a, &branch, unlike);
        s->lost |= branch.lost;
        branch.top = branch.level;
        branch.enter = 1;
        knapsack_store(a, &branch, other, age);
        s->fresh = 0; /* the path above is shared now */
        rd_give_ranked(w, knapsack_rank(a, knapsack_value(&b), branch.level), other);
    } else {
        s->nodes++;
        s->hopeless++;
    }
    s->open &= ~((rd_u64)1 << bit);
    return 1;
}

/* The best that the rest of a task may bring, at most what it was: the bound of the node that all of it hangs from. */
rd_fn rd_i64 knapsack_rest(const rd_app *a, const knapsack_search *s, rd_i64 bound)
{
    if (s->level >> 6 != s->top >> 6 || (s->open == 0 && !s->enter))
        return bound;
    knapsack_search root = *s;
    if (s->open)
        knapsack_undo(a, &root, knapsack_low(s->open));
    const knapsack_bound b = knapsack_look(a, root.level, root.weight, root.value);
    const rd_i64 now = b.impossible ? bound : knapsack_value(&b);
    return now < bound ? now : bound;
}

rd_fn rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
{
    const rd_i64 best = (rd_i64)rd_ld64_rlx(&a->notes[KNAPSACK_BEST]); /* partner: the maximum in knapsack_improve */
    if (knapsack_bound_of(a, rank) > best)
        return 1;
    knapsack_free_slot(a, (rd_u32)data);
    return 0;
}

rd_fn void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    rd_global const rd_u64 *task = a->pool + KNAPSACK_TASK_WORDS * data;
    const rd_u32 flags = (rd_u32)(task[KNAPSACK_TASK_TOP] >> 32), age = flags >> KNAPSACK_AGE_SHIFT;
    knapsack_search s;
    s.bits = task[KNAPSACK_TASK_BITS];
    s.open = task[KNAPSACK_TASK_OPEN];
    s.weight = (rd_i64)task[KNAPSACK_TASK_WEIGHT];
    s.value = (rd_i64)task[KNAPSACK_TASK_VALUE];
    s.level = (rd_u32)task[KNAPSACK_TASK_PLACE];
    s.trail = (rd_u32)(task[KNAPSACK_TASK_PLACE] >> 32);
    s.top = (rd_u32)task[KNAPSACK_TASK_TOP];
    s.enter = flags & KNAPSACK_ENTER;
    s.fresh = s.lost = s.nodes = s.hopeless = s.dominated = 0;
    s.spare = KNAPSACK_ROOT;

    const rd_u32 young = KNAPSACK_YOUNG << (age < 16 ? age : 16), most = young < a->dive ? young : a->dive;
    rd_u32 more = 1;
    while (more && s.nodes < most && !s.lost) {
        if (!s.enter)
            more = knapsack_back(a, &s);
        if (more)
            knapsack_node(a, &s);
    }
    if (more && !s.enter && s.open == 0 && s.level >> 6 == s.top >> 6)
        more = 0;

    const rd_i64 best = (rd_i64)rd_ld64_rlx(&a->notes[KNAPSACK_BEST]); /* partner: the maximum in knapsack_improve */
    rd_u32 splits = more && !s.lost ? RD_TASK_GIVES - 1 : 0;
    while (splits && s.open) {
        const rd_u32 before = s.nodes;
        const rd_u32 there = knapsack_split(a, w, &s, (rd_u32)data, age, best);
        splits = there ? splits - (s.nodes == before) : 0;
    }
    const rd_i64 rest = more && !s.lost ? knapsack_rest(a, &s, knapsack_bound_of(a, rank)) : 0;
    if (more && !s.lost && rest > best) {
        knapsack_store(a, &s, (rd_u32)data, age);
        rd_give_ranked(w, knapsack_rank(a, rest, s.level), data);
    } else {
        knapsack_free_slot(a, (rd_u32)data);
    }
    rd_global rd_u64 *count = a->notes + KNAPSACK_COUNTS + 8 * (rd_group() % KNAPSACK_SHARDS);
    rd_add64_rlx(&count[KNAPSACK_NODES], s.nodes); /* counters, read after the launch */
    rd_add64_rlx(&count[KNAPSACK_HOPELESS], s.hopeless);
    rd_add64_rlx(&count[KNAPSACK_DOMINATED], s.dominated);
    if (s.lost)
        rd_add64_rlx(&a->notes[KNAPSACK_LOST], 1);
}

#include "sched/entry.k.h"
