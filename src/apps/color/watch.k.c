/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.k.c - the colouring of color/priority.k.c, by watching instead of counting: a vertex is a task from the start,
 * in the order of degrees, and looks whether all neighbours that come before it have their colours. After M. Jones and
 * P. Plassmann, "A parallel graph coloring heuristic", 1993, in the order of Welsh and Powell.
 *
 * Counting runs each vertex once; but a hub, whose edges take long, begins with them when the last one before it is
 * done, and of hubs each comes before the next. Watching, all hubs have walked their edges by then, and a colour passes
 * from one to the next in a trip to memory: on a GPU kron:20 takes 3.5 ms instead of 192. Where chains go through
 * vertices of all degrees, as in cliques that overlap, those that wait keep the groups from those that they wait for,
 * and there it may take for ever: the host gives up and goes another way (color.c).
 *
 * Tasks come in the same order, so those that a vertex has to wait for are done or under way. A narrow vertex, which is
 * one lane's of many, looks once, and is given again when one of them has no colour yet. A wide one, which has a whole
 * group, waits: each lane watches those of its neighbours that have none. The wait is bounded, since one of them may
 * have been given again and be nobody's at the moment; then the waiting one is given again too, before all that have
 * not started, so that what it waits for is never behind it in the queue. A narrow one goes behind all others: very
 * many would keep the groups from those that they wait for. Each turn of the queue colours the first one without a
 * colour at least, so there is always one that gets on.
 *
 * A group that waited in vain has little patience with its next vertices, until it colours one: so that it soon sees
 * the host's request to stop, whatever it has in hand.
 *
 * A group of one lane does not rely on others at all. It takes a moment for those it has to wait for, and then colours
 * them itself, and before them those that they wait for. Whoever else is at one of them comes to the same colour, as it
 * follows from those of earlier ones, which are final. So nobody waits for a core that sleeps or for tasks that lie in
 * another's hands, and each look colours a vertex or goes on to an earlier one. After COLOR_HELP of them the vertex is
 * given again, so that the host's request to stop is seen.
 *
 * A colour is one word and carries no other data, so all orders are relaxed.
 */
#define RD_APP_VERTEX    1
#define RD_APP_NO_ROUNDS 1  /* a vertex may have to look again */
#define RD_APP_URGENT    1  /* who waits is waited for by later ones */
#define RD_APP_WIDE      31 /* edges up to which one lane does it alone: in the order all wide ones come before */
#define COLOR_MARKS      64 /* words with marks of a wide vertex: 2048 colours at a time */
#define RD_APP_WORDS     65 /* and behind them: */
#define COLOR_MOOD       64 /* COLOR_VAIN: the group has waited in vain; anything else: it has not */
#include "model/frontier.k.h"
#include "apps/color/layout.k.h"
#include "apps/color/marks.k.h"

/* Looks before a vertex that waits is given again: longer than any chain of wide vertices takes. Lanes that take turns
 * take long for one look. A group of one lane: before it helps. */
#define COLOR_PATIENCE  (RD_LANES == 1 || RD_WARP == 1 ? 64 : 8192)
#define COLOR_IMPATIENT (COLOR_PATIENCE / 128 + 8)
#define COLOR_VAIN      0x7a11u
#define COLOR_HELP      4096 /* looks at others */
#define COLOR_STACK     32   /* vertices that wait for each other, remembered; more are found again */
#define COLOR_BATCH     4    /* neighbours in flight */
#define COLOR_WATCHED   8    /* neighbours that a lane watches at a time; at least twice a batch */

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(rd_u64, state) \
    buf(const rd_u64, graph_row) \
    buf(const rd_u32, graph_col)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* ---- One lane ---- */

/* A batch of neighbours, `stride` apart, and what their words say; all loads of a kind are under way together. */
rd_fn void color_fetch(const rd_app *a, rd_global const rd_u32 *to, rd_u32 degree, rd_u32 first, rd_u32 stride,
                       rd_u32 *u, rd_u64 *word)
{
    RD_UNROLL
    for (rd_u32 k = 0; k < COLOR_BATCH; k++)
        u[k] = first + k * stride < degree ? rd_ld_const(&to[first + k * stride]) : COLOR_NONE;
    RD_UNROLL
    for (rd_u32 k = 0; k < COLOR_BATCH; k++)
        word[k] = u[k] != COLOR_NONE ? rd_ld64_rlx(&a->state[u[k]]) : ~(rd_u64)0; /* partner: stores of colours */
}

/* Looks at all neighbours. *least: the least colour from `from` on that none before v has, or COLOR_NONE when the marks
 * end before it. @return one before v that has no colour, or COLOR_NONE. */
rd_fn rd_u32 color_look(const rd_app *a, rd_u32 place, rd_global const rd_u32 *to, rd_u32 degree, rd_u32 from,
                        rd_u32 *least)
{
    rd_u32 mark[COLOR_WORDS], whom = COLOR_NONE;
    const rd_u32 words = color_words(degree);
    color_clear(mark, words);
    for (rd_u32 e = 0; e < degree; e += COLOR_BATCH) {
        rd_u32 u[COLOR_BATCH];
        rd_u64 word[COLOR_BATCH];
        color_fetch(a, to, degree, e, 1, u, word);
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++)
            if ((rd_u32)(word[k] >> 32) < place) {
                whom = (rd_u32)word[k] == COLOR_NONE ? u[k] : whom;
                color_mark(mark, words, (rd_u32)word[k], from);
            }
    }
    *least = color_least(mark, words, from);
    return whom;
}

/* The look again, further, when all colours of the first one are taken; and the colour is stored. */
rd_fn void color_take(const rd_app *a, rd_u32 v, rd_u64 place, rd_global const rd_u32 *to, rd_u32 degree, rd_u32 least)
{
    for (rd_u32 from = 32 * COLOR_WORDS; least == COLOR_NONE; from += 32 * COLOR_WORDS)
        color_look(a, (rd_u32)place, to, degree, from, &least);
    rd_st64_rlx(&a->state[v], place << 32 | least); /* partner: the looks of other lanes */
}

#if RD_LANES == 1

/* Colours whom, and before it all that it waits for. @return 0 when that takes too long. */
rd_fn rd_u32 color_help(const rd_app *a, rd_u32 whom)
{
    rd_u32 stack[COLOR_STACK], depth = 1, looks = 0;
    stack[0] = whom;
    while (depth && looks < COLOR_HELP) {
        const rd_u32 v = stack[depth - 1];
        const rd_u64 word = rd_ld64_rlx(&a->state[v]), begin = rd_ld_const(&a->graph_row[v]); /* partner: its store */
        const rd_u32 degree = (rd_u32)(rd_ld_const(&a->graph_row[v + 1]) - begin);
        rd_global const rd_u32 *to = a->graph_col + begin;
        rd_u32 least = COLOR_NONE, other = COLOR_NONE;
        if ((rd_u32)word == COLOR_NONE)
            other = color_look(a, (rd_u32)(word >> 32), to, degree, 0, &least);
        if ((rd_u32)word == COLOR_NONE && other == COLOR_NONE)
            color_take(a, v, word >> 32, to, degree, least);
        depth = other == COLOR_NONE ? depth - 1 : depth < COLOR_STACK ? depth + 1 : 2;
        if (other != COLOR_NONE)
            stack[depth - 1] = other;
        looks++;
    }
    return depth == 0;
}

/* Waits for whom a moment, then helps. @return 0 when it is still not coloured. */
rd_fn rd_u32 color_await(const rd_app *a, rd_u32 whom)
{
    for (rd_u32 turns = 0; turns < COLOR_PATIENCE; turns++) {
        if ((rd_u32)rd_ld64_rlx(&a->state[whom]) != COLOR_NONE) /* partner: the store of its colour */
            return 1;
        rd_pause();
    }
    return color_help(a, whom);
}

#endif

rd_fn void rd_app_vertex(const rd_app *a, rd_worker *w, rd_u32 v, rd_global const rd_u32 *to, rd_u32 degree)
{
    const rd_u64 place = rd_ld64_rlx(&a->state[v]) >> 32; /* the upper half: no one changes it in a run */
    rd_u32 least = COLOR_NONE, whom = color_look(a, (rd_u32)place, to, degree, 0, &least);
#if RD_LANES == 1
    rd_u32 going = 1;
    while (whom != COLOR_NONE && going) {
        going = color_await(a, whom);
        whom = going ? color_look(a, (rd_u32)place, to, degree, 0, &least) : whom;
    }
#endif
    if (whom != COLOR_NONE)
        rd_give_again(w, v);
    else
        color_take(a, v, place, to, degree, least);
}

/* ---- All lanes of a group ---- */

#if RD_LANES > 1

/* What a lane does of a wide vertex. */
typedef struct {
    rd_u32 next;                /* its next edge to look at */
    rd_u32 watched;             /* in use of: */
    rd_u32 whom[COLOR_WATCHED]; /* neighbours without a colour; COLOR_NONE: none */
} color_lane;

/* Looks at those that are watched, then at more edges while there is room to watch what they lead to. */
rd_fn void color_watch(const rd_app *a, rd_local rd_u32 *mark, color_lane *l, rd_u32 place, rd_global const rd_u32 *to,
                       rd_u32 degree, rd_u32 from)
{
    RD_UNROLL
    for (rd_u32 k = 0; k < COLOR_WATCHED; k++)
        if (l->whom[k] != COLOR_NONE) {
            const rd_u32 colour = (rd_u32)rd_ld64_rlx(&a->state[l->whom[k]]); /* partner: the stores of colours */
            if (colour != COLOR_NONE) {
                color_mark_local(mark, colour, from);
                l->whom[k] = COLOR_NONE;
                l->watched--;
            }
        }
    while (l->next < degree && l->watched <= COLOR_WATCHED - COLOR_BATCH) {
        rd_u32 u[COLOR_BATCH];
        rd_u64 word[COLOR_BATCH];
        color_fetch(a, to, degree, l->next, rd_lanes(), u, word);
        RD_UNROLL
        for (rd_u32 k = 0; k < COLOR_BATCH; k++)
            if ((rd_u32)(word[k] >> 32) < place) {
                rd_u32 kept = (rd_u32)word[k] != COLOR_NONE;
                if (kept)
                    color_mark_local(mark, (rd_u32)word[k], from);
                l->watched += !kept;
                RD_UNROLL
                for (rd_u32 i = 0; i < COLOR_WATCHED; i++) { /* written so that they are in registers */
                    const rd_u32 here = !kept && l->whom[i] == COLOR_NONE;
                    l->whom[i] = here ? u[k] : l->whom[i];
                    kept |= here;
                }
            }
        l->next += COLOR_BATCH * rd_lanes();
    }
}

rd_fn void rd_app_vertex_wide(const rd_app *a, rd_worker *w, const rd_team *t, rd_u32 v, rd_global const rd_u32 *to,
                              rd_u32 degree)
{
    const rd_u64 place = rd_ld64_rlx(&a->state[v]) >> 32; /* equal in all lanes, as all below but the lane's share */
    rd_u32 from = 0, turns = 0, going = 1, least = COLOR_NONE;
    color_lane mine;
    mine.next = rd_lane();
    mine.watched = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < COLOR_WATCHED; k++)
        mine.whom[k] = COLOR_NONE;
    color_clear_local(t->words);
    rd_barrier(); /* the marks are clear, and the last vertex' mood is known */
    const rd_u32 patience = t->words[COLOR_MOOD] == COLOR_VAIN ? COLOR_IMPATIENT : COLOR_PATIENCE;
    while (going) {
        color_watch(a, t->words, &mine, (rd_u32)place, to, degree, from);
        const rd_u32 left = rd_group_sum(t->scratch, mine.next < degree || mine.watched); /* completes the marks */
        rd_once(left == 0) {
            least = rd_group_min(t->scratch, color_least_local(t->words, from));
            color_clear_local(t->words); /* for a further look, when all these are taken */
            rd_barrier();
            from += 32 * COLOR_MARKS;
            mine.next = rd_lane();
        }
        turns++;
        going = left ? turns < patience : least == COLOR_NONE;
    }
    if (rd_lane() == 0) {
        t->words[COLOR_MOOD] = least == COLOR_NONE ? COLOR_VAIN : 0; /* read behind the next barrier */
        if (least == COLOR_NONE)
            rd_give_urgent(w, v);
        else
            rd_st64_rlx(&a->state[v], place << 32 | least); /* partner: the looks of other lanes */
    }
}

#endif
