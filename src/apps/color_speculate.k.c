/* SPDX-License-Identifier: Apache-2.0 */
/*
 * color_speculate.k.c - colouring by guess and repair: a vertex takes the least colour that none of its neighbours has
 * now, without asking what they are about to do, and looks again. After A. Gebremedhin and F. Manne, "Scalable parallel
 * graph coloring algorithms", 2000, as tasks without rounds (Y. Chen and others, "Atos", 2022).
 *
 * A task looks at all neighbours. Has the vertex no colour yet, or one that clashes, it takes the least free one and
 * looks once more. When no clash is left the vertex is settled, says so beside its colour, and has no task any more.
 * Else it is given again. Of two that clash and are not settled only one has to change: the one that goes after the
 * other in the order of a hash. A settled one never changes. So two lanes that run in lockstep do not dodge each other
 * for ever.
 *
 * Why no clash remains. Between the store of a colour and the look at the neighbours' there is a sequentially
 * consistent fence. Of two neighbours that end with the same colour, let the fence after v's last store be the later
 * one in the order of all fences. Then all that v looks at after it includes the other's last store, so v's last look
 * found the clash; but then it was not the last.
 */
#define RD_APP_VERTEX 1
#define RD_APP_WIDE   32 /* edges up to which one lane does it alone */
#define RD_APP_WORDS  64 /* marks of a wide vertex: 2048 colours at a time */
#include "sched/worker.k.h"
#include "apps/color_hash.k.h"
#include "apps/color_layout.k.h"

#if RD_LANES == 1
#define COLOR_WORDS 32 /* marks of a narrow vertex: on the CPU all are narrow */
#else
#define COLOR_WORDS 2
#endif

/* clang-format off */
#define RD_APP_ARGS(arg) \
    arg(rd_global rd_u32 *, colour)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* A colour without the note beside it. */
rd_fn rd_u32 color_plain(rd_u32 word)
{
    return word == COLOR_NONE ? word : word & ~COLOR_SETTLED;
}

/* What a look found of clashes. */
#define COLOR_YIELD 1u /* with a neighbour that is settled or goes before: change */
#define COLOR_STAND 2u /* with one that will change */
rd_fn rd_u32 color_clash(rd_u32 v, rd_u32 mine, rd_u32 u, rd_u32 word)
{
    if (mine == COLOR_NONE || color_plain(word) != mine)
        return 0;
    return word & COLOR_SETTLED || color_hash(u) > color_hash(v) ? COLOR_YIELD : COLOR_STAND;
}

/* The lowest bit of a word that is 0; not all are 1. */
rd_fn rd_u32 color_low_zero(rd_u32 word)
{
    return rd_popcount((~word & (word + 1)) - 1);
}

/* ---- One lane ---- */

#if RD_LANES == 1
#define COLOR_BATCH 1
#else
#define COLOR_BATCH 4 /* neighbours in flight */
#endif

/* Marks the colour `theirs`, counted from `from`. */
rd_fn void color_mark(rd_u32 *mark, rd_u32 theirs, rd_u32 from)
{
    const rd_u32 at = theirs - from;
#if RD_LANES == 1
    if (at < 32 * COLOR_WORDS)
        mark[at / 32] |= 1u << at % 32;
#else
    RD_UNROLL
    for (rd_u32 i = 0; i < COLOR_WORDS; i++) /* so the marks are in registers */
        mark[i] |= at / 32 == i ? 1u << at % 32 : 0;
#endif
}

/* Looks at all neighbours. *least: the least colour from `from` on that none has, or COLOR_NONE when the marks end
 * before it. @return clashes. */
rd_fn rd_u32 color_look(const rd_app *a, rd_u32 v, rd_u32 mine, rd_global const rd_u32 *to, rd_u32 degree, rd_u32 from,
                        rd_u32 *least)
{
    const rd_u32 words = degree / 32 + 1 < COLOR_WORDS ? degree / 32 + 1 : COLOR_WORDS; /* more are not needed */
    rd_u32 mark[COLOR_WORDS], clash = 0;
    RD_UNROLL
    for (rd_u32 i = 0; i < COLOR_WORDS; i++)
        mark[i] = 0;
    for (rd_u32 e = 0; e < degree; e += COLOR_BATCH) {
        rd_u32 u[COLOR_BATCH], word[COLOR_BATCH];
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++)
            u[k] = e + k < degree ? rd_ld_const(&to[e + k]) : v;
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++)
            word[k] = u[k] == v ? COLOR_NONE : rd_ld_rlx(&a->colour[u[k]]); /* partners: the stores in u's task */
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++) {
            clash |= color_clash(v, mine, u[k], word[k]);
            color_mark(mark, color_plain(word[k]), from);
        }
    }
    *least = COLOR_NONE;
    RD_UNROLL
    for (rd_u32 i = 0; i < COLOR_WORDS; i++)
        if (*least == COLOR_NONE && i < words && ~mark[i])
            *least = from + 32 * i + color_low_zero(mark[i]);
    return clash;
}

rd_fn void rd_app_vertex(const rd_app *a, rd_worker *w, rd_u32 v, rd_global const rd_u32 *to, rd_u32 degree)
{
    rd_u32 mine = rd_ld_rlx(&a->colour[v]), least = COLOR_NONE; /* a vertex's tasks run one at a time */
    rd_u32 clash = color_look(a, v, mine, to, degree, 0, &least);
    if (mine == COLOR_NONE || clash & COLOR_YIELD) {
        for (rd_u32 from = 32 * COLOR_WORDS; least == COLOR_NONE; from += 32 * COLOR_WORDS)
            color_look(a, v, COLOR_NONE, to, degree, from, &least);
        mine = least;
        rd_st_rlx(&a->colour[v], mine); /* partner: color_look in other lanes */
        rd_fence_sc();                  /* pairs with itself in other lanes: before the look */
        clash = color_look(a, v, mine, to, degree, 0, &least);
    }
    if (clash)
        rd_give_again(w, v);
    else
        rd_st_rlx(&a->colour[v], mine | COLOR_SETTLED); /* partner: color_look in other lanes */
}

/* ---- All lanes of a group ---- */

#if RD_LANES > 1

/* The lane's share of a look, with the marks in group memory. @return clashes. */
rd_fn rd_u32 color_look_wide(const rd_app *a, rd_local rd_u32 *mark, rd_u32 v, rd_u32 mine, rd_global const rd_u32 *to,
                             rd_u32 degree, rd_u32 from)
{
    rd_u32 clash = 0;
    for (rd_u32 e = rd_lane(); e < degree; e += rd_lanes()) {
        const rd_u32 u = rd_ld_const(&to[e]);
        const rd_u32 word = u == v ? COLOR_NONE : rd_ld_rlx(&a->colour[u]); /* partners: the stores in u's task */
        const rd_u32 at = color_plain(word) - from;
        clash |= color_clash(v, mine, u, word);
        if (at < 32 * RD_APP_WORDS)
            rd_or_local(&mark[at / 32], 1u << at % 32);
    }
    return clash;
}

rd_fn void rd_app_vertex_wide(const rd_app *a, rd_worker *w, const rd_team *t, rd_u32 v, rd_global const rd_u32 *to,
                              rd_u32 degree)
{
    /* As in rd_app_vertex. Equal in all lanes, as all below but what is found. */
    rd_u32 mine = rd_ld_rlx(&a->colour[v]);
    rd_u32 from = 0, clash = 0, must = 0, changed = 0, going = 1;
    while (going) {
        for (rd_u32 i = rd_lane(); i < RD_APP_WORDS; i += rd_lanes())
            t->words[i] = 0;
        rd_barrier(); /* the marks are clear; a new colour is stored, and the fence passed */
        const rd_u32 found = color_look_wide(a, t->words, v, from ? COLOR_NONE : mine, to, degree, from);
        rd_barrier(); /* the marks are complete */
        rd_u32 least = COLOR_NONE;
        for (rd_u32 i = rd_lane(); i < RD_APP_WORDS; i += rd_lanes())
            if (least == COLOR_NONE && ~t->words[i])
                least = from + 32 * i + color_low_zero(t->words[i]);
        const rd_u32 sum = rd_group_sum(t->scratch, (found & COLOR_YIELD) | (found & COLOR_STAND) << 15);
        least = rd_group_min(t->scratch, least);
        if (from == 0) {
            clash = (sum & 0xffff ? COLOR_YIELD : 0) | (sum >> 16 ? COLOR_STAND : 0);
            must = !changed && (mine == COLOR_NONE || clash & COLOR_YIELD);
        }
        going = must;
        from = must && least == COLOR_NONE ? from + 32 * RD_APP_WORDS : 0; /* all these are taken: look further */
        if (must && least != COLOR_NONE) {
            mine = least;
            changed = 1;
            if (rd_lane() == 0) {
                rd_st_rlx(&a->colour[v], mine); /* partner: color_look in other groups */
                rd_fence_sc();                  /* pairs with itself there: before the look of all lanes */
            }
        }
    }
    if (rd_lane() == 0) {
        if (clash)
            rd_give_again(w, v);
        else
            rd_st_rlx(&a->colour[v], mine | COLOR_SETTLED); /* partner: color_look in other groups */
    }
}

#endif

#include "sched/entry.k.h"
