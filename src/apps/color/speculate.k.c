/* SPDX-License-Identifier: Apache-2.0 */
/*
 * speculate.k.c - colouring by guess and repair: a vertex takes the least colour that none of its neighbours has
 * now, without asking what they are about to do, and looks again. After A. Gebremedhin and F. Manne, "Scalable parallel
 * graph coloring algorithms", 2000, as tasks without rounds (Y. Chen and others, "Atos", 2022).
 *
 * A task looks at all neighbours. Has the vertex no colour yet, or one that clashes, it takes the least free one and
 * looks once more. When no clash is left the vertex is settled, says so beside its colour, and has no task any more.
 * Else it is given again. Of two that clash and are not settled only one has to change: the one that comes later in
 * the order of degrees. A settled one never changes. So two lanes that run in lockstep do not dodge each other
 * for ever.
 *
 * Why no clash remains. Between the store of a colour and the look at the neighbours' there is a sequentially
 * consistent fence. Of two neighbours that end with the same colour, let the fence after v's last store be the later
 * one in the order of all fences. Then all that v looks at after it includes the other's last store, so v's last look
 * found the clash; but then it was not the last. A look after a new colour may pass over neighbours that were settled
 * when the colour was chosen: theirs is final, and it is another.
 *
 * Root color_kinds (COLOR_KINDS) has tasks of two kinds, as Atos does: one that gives a vertex a colour, and one that
 * looks for clashes. A vertex has one task at a time, so the kind need not be in the queue: one without a colour is to
 * get one, then it is to be looked at. A look that has to yield takes the colour away. The fence is before the look,
 * behind the store in the task that gave this one, so the argument is the same.
 */
#define RD_APP_VERTEX    1
#define RD_APP_NO_ROUNDS 1  /* a vertex may have to look again */
#define RD_APP_WIDE      32 /* edges up to which one lane does it alone */
#define RD_APP_WORDS     64 /* marks of a wide vertex: 2048 colours at a time */
#include "model/frontier.k.h"
#include "apps/color/layout.k.h"
#include "apps/color/marks.k.h"

#define COLOR_BATCH 4 /* neighbours in flight */
#ifndef COLOR_KINDS
#define COLOR_KINDS 0
#endif

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(rd_u64, state)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* A colour without the note beside it. */
rd_fn rd_u32 color_plain(rd_u32 colour)
{
    return colour == COLOR_NONE ? colour : colour & ~COLOR_SETTLED;
}

/* What a look found of clashes. */
#define COLOR_YIELD 1u /* with a neighbour that is settled or comes before: change */
#define COLOR_STAND 2u /* with one that will change */
/* own: the vertex's word; other: a neighbour's, or its own again. */
rd_fn rd_u32 color_clash(rd_u64 own, rd_u64 other)
{
    const rd_u32 mine = (rd_u32)own, theirs = (rd_u32)other;
    if (mine == COLOR_NONE || color_plain(theirs) != mine || other >> 32 == own >> 32)
        return 0;
    return theirs & COLOR_SETTLED || other >> 32 < own >> 32 ? COLOR_YIELD : COLOR_STAND;
}

/* The same word with another colour. */
rd_fn rd_u64 color_with(rd_u64 word, rd_u32 colour)
{
    return word >> 32 << 32 | colour;
}

/* After a task, by one lane. changed: it gave the vertex its colour, which nobody has looked at. */
rd_fn void color_end(const rd_app *a, rd_worker *w, rd_u32 v, rd_u64 own, rd_u32 changed, rd_u32 clash)
{
    if (COLOR_KINDS && changed) {
        rd_give(w, v);
    } else if (clash) {
        if (COLOR_KINDS && clash & COLOR_YIELD)
            rd_st64_rlx(&a->state[v], color_with(own, COLOR_NONE)); /* partner: color_look in other lanes */
        rd_give_again(w, v);
    } else {
        rd_st64_rlx(&a->state[v], own | COLOR_SETTLED); /* likewise */
    }
}

/* Has it to take another colour? */
rd_fn rd_u32 color_must(rd_u64 own, rd_u32 clash)
{
    return (rd_u32)own == COLOR_NONE || (!COLOR_KINDS && clash & COLOR_YIELD);
}

/* ---- One lane ---- */

/* Neighbours that were not settled when they were looked at. Those that were never change, and a vertex takes none of
 * their colours, so that it looks again at the others only: about half. A GPU's lanes look at all. */
#define COLOR_REST (RD_LANES == 1 ? 128u : 1u)

typedef struct {
    rd_u32 count; /* more are there than have room from COLOR_REST on */
    rd_u32 at[COLOR_REST];
} color_rest;

rd_fn void color_note(color_rest *rest, rd_u32 u, rd_u32 colour)
{
    if (RD_LANES == 1) {
        rest->at[rest->count % COLOR_REST] = u; /* without a branch: the next one is there if this one is settled */
        rest->count += colour == COLOR_NONE || !(colour & COLOR_SETTLED);
    }
}

/* Looks at all neighbours. *least: the least colour from `from` on that none has, or COLOR_NONE when the marks end
 * before it. @return clashes. */
rd_fn rd_u32 color_look(const rd_app *a, rd_u64 own, rd_global const rd_u32 *to, rd_u32 degree, rd_u32 from,
                        rd_u32 *least, color_rest *rest)
{
    rd_u32 mark[COLOR_WORDS], clash = 0;
    const rd_u32 words = color_words(degree);
    color_clear(mark, words);
    for (rd_u32 e = 0; e < degree; e += COLOR_BATCH) {
        rd_u64 word[COLOR_BATCH];
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++) /* partners: the stores in the neighbour's task */
            word[k] = e + k < degree ? rd_ld64_rlx(&a->state[rd_ld_const(&to[e + k])]) : own;
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++) {
            clash |= color_clash(own, word[k]);
            if (word[k] >> 32 != own >> 32) {
                color_mark(mark, words, color_plain((rd_u32)word[k]), from);
                color_note(rest, rd_ld_const(&to[e + k]), (rd_u32)word[k]);
            }
        }
    }
    *least = color_least(mark, words, from);
    return clash;
}

/* The look after a vertex took a colour. @return clashes. */
rd_fn rd_u32 color_look_again(const rd_app *a, rd_u64 own, rd_global const rd_u32 *to, rd_u32 degree,
                              const color_rest *rest)
{
    const rd_u32 all = rest->count >= COLOR_REST, count = all ? degree : rest->count;
    rd_u32 clash = 0;
    for (rd_u32 e = 0; e < count; e++) /* partners: the stores in the neighbour's task */
        clash |= color_clash(own, rd_ld64_rlx(&a->state[all ? rd_ld_const(&to[e]) : rest->at[e]]));
    return clash;
}

rd_fn void rd_app_vertex(const rd_app *a, rd_worker *w, rd_u32 v, rd_global const rd_u32 *to, rd_u32 degree)
{
    rd_u64 own = rd_ld64_rlx(&a->state[v]); /* a vertex's tasks run one at a time */
    if (COLOR_KINDS && (rd_u32)own != COLOR_NONE)
        rd_fence_sc(); /* pairs with itself in other lanes: before the look */
    color_rest rest = {0};
    rd_u32 least = COLOR_NONE, clash = color_look(a, own, to, degree, 0, &least, &rest);
    const rd_u32 must = color_must(own, clash);
    if (must) {
        for (rd_u32 from = 32 * COLOR_WORDS; least == COLOR_NONE; from += 32 * COLOR_WORDS)
            color_look(a, own, to, degree, from, &least, &rest);
        own = color_with(own, least);
        rd_st64_rlx(&a->state[v], own); /* partner: color_look in other lanes */
        if (!COLOR_KINDS) {
            rd_fence_sc(); /* pairs with itself in other lanes: before the look */
            clash = RD_LANES == 1 ? color_look_again(a, own, to, degree, &rest)
                                  : color_look(a, own, to, degree, 0, &least, &rest); /* all, many at a time */
        }
    }
    color_end(a, w, v, own, must, clash);
}

/* ---- All lanes of a group ---- */

#if RD_LANES > 1

/* The lane's share of a look, with the marks in group memory. @return clashes. */
rd_fn rd_u32 color_look_wide(const rd_app *a, rd_local rd_u32 *mark, rd_u64 own, rd_global const rd_u32 *to,
                             rd_u32 degree, rd_u32 from)
{
    rd_u32 clash = 0;
    for (rd_u32 e = rd_lane(); e < degree; e += COLOR_BATCH * rd_lanes()) {
        rd_u64 word[COLOR_BATCH];
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++) { /* partners: the stores in the neighbour's task */
            const rd_u32 at = e + k * rd_lanes();
            word[k] = at < degree ? rd_ld64_rlx(&a->state[rd_ld_const(&to[at])]) : own;
        }
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++) {
            clash |= color_clash(own, word[k]);
            if (word[k] >> 32 != own >> 32)
                color_mark_local(mark, color_plain((rd_u32)word[k]), from);
        }
    }
    return clash;
}

rd_fn void rd_app_vertex_wide(const rd_app *a, rd_worker *w, const rd_team *t, rd_u32 v, rd_global const rd_u32 *to,
                              rd_u32 degree)
{
    /* As in rd_app_vertex. Equal in all lanes, as all below but what is found. */
    rd_u64 own = rd_ld64_rlx(&a->state[v]);
    rd_u32 from = 0, clash = 0, must = 0, changed = 0, going = 1;
    if (COLOR_KINDS && rd_lane() == 0 && (rd_u32)own != COLOR_NONE)
        rd_fence_sc(); /* pairs with itself in other groups: before the look of all lanes */
    while (going) {
        color_clear_local(t->words);
        rd_barrier(); /* the marks are clear; a new colour is stored, and the fence passed */
        const rd_u32 found = color_look_wide(a, t->words, own, to, degree, from);
        const rd_u32 sum = rd_group_sum(t->scratch, (found & COLOR_YIELD) | (found & COLOR_STAND) << 15);
        const rd_u32 least = rd_group_min(t->scratch, color_least_local(t->words, from)); /* all marks are made */
        if (from == 0) {
            clash = (sum & 0xffff ? COLOR_YIELD : 0) | (sum >> 16 ? COLOR_STAND : 0);
            must = !changed && color_must(own, clash);
        }
        going = must && !(COLOR_KINDS && least != COLOR_NONE);
        from = must && least == COLOR_NONE ? from + 32 * RD_APP_WORDS : 0; /* all these are taken: look further */
        if (must && least != COLOR_NONE) {
            own = color_with(own, least);
            changed = 1;
            if (rd_lane() == 0) {
                rd_st64_rlx(&a->state[v], own); /* partner: color_look in other groups */
                rd_fence_sc();                  /* pairs with itself there: before the look of all lanes */
            }
        }
    }
    if (rd_lane() == 0)
        color_end(a, w, v, own, changed, clash);
}

#endif
