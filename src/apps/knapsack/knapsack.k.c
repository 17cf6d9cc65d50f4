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
#include "model/ranked.k.h"
#include "apps/knapsack/layout.k.h"

#define RD_TASK_GIVES    8
#define KNAPSACK_YOUNG   4 /* nodes that the first task searches; each split doubles it up to dive */
#define KNAPSACK_PROBES  8 /* words of used[] that are tried for a free slot */
#define KNAPSACK_NO_SLOT 0xffffffffu

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                           \
    buf(const rd_u64, problem)                                         \
    buf(const rd_u64, prefix) /* weight and value of the first i items */ \
    buf(const rd_i64, step) /* of each level: change of weight and value */ \
    buf(rd_u64, pool)                                                  \
    buf(rd_u32, used) /* a bit a slot of the pool */                   \
    buf(rd_u64, trail)                                                 \
    buf(rd_u64, table)                                                 \
    buf(rd_u64, notes)                                               \
    arg(rd_u32, items)                                                             \
    arg(rd_u32, break_item)                                                        \
    arg(rd_u32, pool_size) /* slots, a multiple of 32 */                             \
    arg(rd_u32, trail_size)                                                        \
    arg(rd_u32, table_bits) /* 0: no table */                                      \
    arg(rd_u32, dive)                                                              \
    arg(rd_u32, wide) /* some value or weight has more than 32 bits */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

#include "apps/knapsack/bound.k.h"
#include "apps/knapsack/search.k.h"

/* ---- The pool ---- */

/* @return a slot, or KNAPSACK_NO_SLOT when none was found in a few looks. */
rd_fn rd_u32 knapsack_take_slot(const rd_app *a, rd_u32 hint)
{
    const rd_u32 words = a->pool_size / 32;
    rd_u32 at = (hint * 2654435761u) % words, slot = KNAPSACK_NO_SLOT;
    for (rd_u32 i = 0; i < KNAPSACK_PROBES && slot == KNAPSACK_NO_SLOT; i++) {
        const rd_u32 word = rd_ld_rlx(&a->used[at]); /* a guess: the swap decides */
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
    if (knapsack_hopeful(a, &b, best)) {
        const rd_u32 other = knapsack_take_slot(a, slot + level);
        if (other == KNAPSACK_NO_SLOT)
            return 0;
        knapsack_decide(a, &branch, unlike);
        s->lost |= branch.lost;
        branch.top = branch.level;
        branch.enter = 1;
        knapsack_store(a, &branch, other, age);
        s->fresh = 0; /* the path above is shared now */
        rd_give_ranked(w, knapsack_rank(a, knapsack_value(a, &b), branch.level), other);
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
    const rd_i64 now = b.impossible ? bound : knapsack_value(a, &b);
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

    const rd_u32 young = (rd_u32)KNAPSACK_YOUNG << (age < 16 ? age : 16), most = young < a->dive ? young : a->dive;
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
        rd_add64_rlx(&a->notes[KNAPSACK_LOST], 1); /* likewise */
}
