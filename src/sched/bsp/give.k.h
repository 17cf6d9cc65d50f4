/* SPDX-License-Identifier: Apache-2.0 */
/*
 * give.k.h - scheduler `bsp`: what becomes of tasks that are given. See bsp.k.h.
 *
 * Repeating apps. A task may be given again in a later round, and by many in one round. Sets of vertices, a bit each,
 * keep it from being queued twice: two sets for the tasks of rounds in turn (set for the next round when a task is
 * given, cleared when it is taken) and one for the far set (set when a task is put there, cleared when a refill takes
 * it out). So a round has at most as many tasks as there are vertices, and so has the far set: two queues and two far
 * sets of that size, in turn, cannot overflow.
 *
 * Stamps. Many cores that find the tasks of one neighbourhood write the same words of a set, 512 vertices to a cache
 * line, and once more as they take them. So where a CPU has several groups with bins, a word a vertex says instead for
 * which round it was queued last, by a number that goes on from run to run: whoever changes it queues the vertex, and
 * nobody has to take it back.
 *
 * The far set. A task that is to run in a later phase (rd_give_later) waits there. When a round is empty and the far
 * set is not, the next round is a refill: the phase becomes the least that was asked for, and each task in the far set
 * is looked at again, since it may be due earlier now (rd_app_when):
 *   - due in a phase that is over: it became due while that phase ran, so it was given to a round then; it is dropped;
 *   - due now: it goes to the next round;
 *   - due later: it goes to the other far set.
 *
 * Orders. All atomics are relaxed: a bit tells only whether the task is queued. What a task's data was when it was
 * given is seen by the round that runs it, because a barrier or a launch lies between.
 */
#ifndef RD_SCHED_BSP_GIVE_K_H
#define RD_SCHED_BSP_GIVE_K_H

#include "sched/bsp/bins.k.h"
#include "sched/bsp/own.k.h"
#include "sched/edges/place.k.h"

/* Lists v's edges in parts, from parts[base] on, when it is big. There are few such vertices: one reservation each. */
rd_fn void bsp_list_parts(const bsp_ctx *c, rd_global rd_u32 *slot, rd_u32 base, rd_u32 v, rd_u64 degree)
{
    if (c->span && degree > BSP_BIG(c)) {
        const rd_u32 count = (rd_u32)((degree + c->span - 1) / c->span);
        const rd_u32 at = rd_add_rlx(&slot[BSP_BIG_COUNT], count); /* partner: the same add in other lanes */
        if (BSP_GUARDED && base + at + count > c->control[BSP_PARTS]) {
            rd_or_rlx(&slot[BSP_COUNT], BSP_TOO_MANY); /* partner: bsp_look, behind a barrier or a launch */
            return;
        }
        for (rd_u32 p = 0; p < count; p++)
            c->parts[base + at + p] = (rd_u64)v | ((rd_u64)(p * BSP_PART_STEP(c)) << 32);
    }
}

/* Notes how many edges a task of the next round has. */
rd_fn void bsp_note_degree(bsp_group *g, rd_u64 degree)
{
    const rd_u32 room = BSP_DEGREE_LIMIT - g->degrees, some = degree < room ? (rd_u32)degree : room;
    g->degrees += some;
    g->most = some > g->most ? some : g->most;
}

/* ---- Which round it goes to ---- */

/* ahead: the group may run it itself. */
rd_fn rd_u32 bsp_place_as(const bsp_ctx *c, bsp_group *g, const rd_worker *w, rd_u32 ahead)
{
#if BSP_REPEATS
    const rd_u32 late = w->when > g->view.phase, bit = 1u << (w->task % 32);
#ifdef RD_APP_DUE
    if (!w->given && late) /* rd_due */
        g->soonest = w->when < g->soonest ? w->when : g->soonest;
#endif
    if (!w->given)
        return EDGES_NOWHERE;
    g->fresh += !w->again;
#if BSP_FUSES
    if (bsp_option(c, BSP_PUSH_MASK) == BSP_PUSH_BY_GROUP) {
        if (!late)
            return EDGES_NEXT; /* marked when it leaves the stash */
        if (bsp_bin_put(c, g, w->task, w->when))
            return EDGES_NOWHERE;
    }
#endif
    if (ahead && !late)
        return EDGES_NEXT; /* likewise */
    g->soonest = late && w->when < g->soonest ? w->when : g->soonest;
    rd_global rd_u32 *set = bsp_set(c, late ? 2 : (g->view.number + 1) % 2);
    if (rd_or_rlx(&set[w->task / 32], bit) & bit) /* partner: the same in other lanes; one of them queues it */
        return EDGES_NOWHERE;
    return late ? EDGES_LATER : EDGES_NEXT;
#else
    return w->given ? EDGES_NEXT : EDGES_NOWHERE;
#endif
}

rd_fn rd_u32 bsp_place(const bsp_ctx *c, bsp_group *g, const rd_worker *w)
{
    return bsp_place_as(c, g, w, BSP_AHEAD(c));
}

/* A task was taken from the queue: it may be queued again. */
rd_fn void bsp_taken(const bsp_ctx *c, const bsp_group *g, rd_u32 v)
{
    if (BSP_FUSES && c->control[BSP_STAMP])
        return;
    if (BSP_REPEATS || bsp_option(c, BSP_BITMAP)) /* partners: the `or` of other rounds */
        rd_and_rlx(&bsp_front(c, g->view.number)[v / 32], ~(1u << (v % 32)));
}

#if BSP_REPEATS
/* What becomes of a task of the far set in a refill. */
rd_fn rd_u32 bsp_sort(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 v)
{
    const rd_u32 when = rd_app_when(app, v);
    rd_u32 later = when > g->view.phase, binned = 0;
#if BSP_FUSES
    if (later && bsp_bin_put(c, g, v, when)) { /* or each of many phases would go through all of the far set */
        later = 0;
        binned = 1;
    }
#endif
    if (later) {
        g->soonest = when < g->soonest ? when : g->soonest;
        return EDGES_LATER;
    }
    rd_and_rlx(&bsp_set(c, 2)[v / 32], ~(1u << (v % 32))); /* partner: the same of other vertices in the word */
    return when > g->view.phase_before && !binned ? EDGES_NEXT : EDGES_NOWHERE;
}
#endif

/* The entry of the far set that this round adds to. */
rd_fn rd_u32 bsp_far_to(const bsp_view *v)
{
    return v->far + (v->kind == BSP_REFILL);
}

rd_fn rd_global rd_u32 *bsp_far(const bsp_ctx *c, rd_u32 far)
{
    return c->queue + (rd_u64)(2 + far % 2) * c->vertices;
}

rd_fn rd_global rd_u32 *bsp_far_words(const bsp_ctx *c, rd_u32 far)
{
    return c->control + far % BSP_FAR_SETS * BSP_LINE;
}

/* ---- Writing ---- */

/* Has the next round room for so many tasks from place `at` on? Asked once for each reservation, not for each task: on
 * GPUs that took registers from the whole kernel. */
rd_fn rd_u32 bsp_has_room(const bsp_ctx *c, const bsp_view *v, rd_u32 at, rd_u32 count)
{
    return !BSP_GUARDED || (rd_u64)at + count <= c->vertices - ((rd_u32)v->ran + v->tasks); /* bsp_look */
}

/* Writes a task to its place in the next round. */
rd_fn void bsp_put_down(const bsp_ctx *c, const bsp_group *g, rd_u32 at, rd_u32 task)
{
    const bsp_view *v = &g->view;
    if (bsp_option(c, BSP_BITMAP))
        rd_or_rlx(&bsp_front(c, v->number + 1)[task / 32], 1u << (task % 32)); /* partner: the same in other lanes */
    else
        c->queue[bsp_queue_start(c, v->number + 1, v->ran + v->tasks) + at] = task;
}

/* What the next round is to know of a task. counts: someone will ask for degrees. */
rd_fn void bsp_note(const bsp_ctx *c, bsp_group *g, rd_u32 task, rd_u32 counts)
{
    const bsp_view *v = &g->view;
    if (counts || c->span) {
        const rd_u64 degree = rd_ld_const(&c->row[task + 1]) - rd_ld_const(&c->row[task]);
        bsp_list_parts(c, g->next, bsp_parts_start(c, v->number + 1, v->big_start + v->parts), task, degree);
        bsp_note_degree(g, degree);
    }
}

rd_fn void bsp_put(const bsp_ctx *c, bsp_group *g, rd_u32 at, rd_u32 task, rd_u32 counts)
{
    bsp_put_down(c, g, at, task);
    bsp_note(c, g, task, counts);
}

/* Adds vertices of a word to the set of the settled. A round that pulls makes the whole set anew. */
rd_fn void bsp_settle(const bsp_ctx *c, const bsp_group *g, rd_u32 word, rd_u32 bits)
{
#if BSP_CAN_PULL
    if (g->view.kind == BSP_PUSH && c->direction != BSP_ALWAYS_PUSH)
        rd_or_rlx(&bsp_set(c, g->view.set)[word], bits); /* partner: the same in other lanes */
#endif
}

#if BSP_NOTES
/* What is noted of tasks of the next round, of those before them too. */
typedef struct {
    rd_u32 degrees, most;
} bsp_noted;

/* Notes tasks of the stash, and adds them to the set of the settled if there is one. Neighbours come in order, so many
 * in a row have a word of the set in common, which is changed once for them. Apart, and by values: what is in registers
 * where tasks are run stays there. */
rd_across(rd_apart, bsp_noted, bsp_note_list,
          (const bsp_ctx *c, rd_global rd_u32 *next, rd_u32 parts, rd_global rd_u32 *set, rd_local const rd_u32 *list,
           rd_u32 count, bsp_noted all))
{
    rd_u32 bits = 0;
    for (rd_u32 i = 0; i < count; i++) {
        const rd_u32 v = list[i];
        const rd_u64 degree = rd_ld_const(&c->row[v + 1]) - rd_ld_const(&c->row[v]);
        const rd_u32 room = BSP_DEGREE_LIMIT - all.degrees, some = degree < room ? (rd_u32)degree : room;
        bsp_list_parts(c, next, parts, v, degree);
        all.degrees += some;
        all.most = some > all.most ? some : all.most;
        bits |= 1u << (v % 32);
        if (set && (i + 1 == count || list[i + 1] / 32 != v / 32)) {
            rd_or_rlx(&set[v / 32], bits); /* partner: the same in other groups */
            bits = 0;
        }
    }
    return all;
}

/* What is new in the stash. */
rd_fn void bsp_note_stash(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    bsp_ctx here; /* what of it bsp_note_list looks at: all of it takes longer to copy than a few tasks to note */
    here.row = c->row;
    here.span = c->span;
    here.parts = c->parts;
    here.control = c->control;
    const bsp_view *v = &g->view;
    const rd_u32 settles = BSP_CAN_PULL && v->kind == BSP_PUSH && c->direction != BSP_ALWAYS_PUSH;
    const bsp_noted before = {g->degrees, g->most};
    if (g->noted < g->stashed && (counts || c->span || settles)) { /* else there was no room for them */
        const bsp_noted all =
            bsp_note_list(&here, g->next, bsp_parts_start(c, v->number + 1, v->big_start + v->parts),
                          settles ? bsp_set(c, v->set) : 0, g->stash + g->noted, g->stashed - g->noted, before);
        g->degrees = all.degrees;
        g->most = all.most;
    }
    g->noted = g->stashed;
}

/* The same as it goes: who leaves then has little to note. */
rd_fn void bsp_note_some(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    if (g->stashed - g->noted >= BSP_NOTE_SOME)
        bsp_note_stash(c, g, counts);
}

rd_fn void bsp_put_stash(const bsp_ctx *c, bsp_group *g, rd_u32 at, rd_u32 counts)
{
    const bsp_view *v = &g->view;
    const rd_u32 count = g->stashed;
    bsp_note_stash(c, g, counts);
    g->noted = 0;
    if (bsp_option(c, BSP_BITMAP)) {
        for (rd_u32 i = 0; i < count; i++)
            bsp_put_down(c, g, at + i, g->stash[i]);
        return;
    }
    rd_global rd_u32 *const to = c->queue + bsp_queue_start(c, v->number + 1, v->ran + v->tasks) + at;
    rd_local const rd_u32 *const stash = g->stash;
    for (rd_u32 i = 0; i < count; i++)
        to[i] = stash[i];
}
#else
#define bsp_note_some(c, g, counts) ((void)0)
/* Writes a lane's tasks of the stash to their places from `at` on. Neighbours come in order, so on a core many in a row
 * have a word of the set in common, which is changed once for them. */
rd_fn void bsp_put_stash(const bsp_ctx *c, bsp_group *g, rd_u32 at, rd_u32 counts)
{
    rd_u32 bits = 0;
    for (rd_u32 i = rd_lane(); i < g->stashed; i += rd_lanes()) {
        const rd_u32 v = g->stash[i];
        bsp_put(c, g, at + i, v, counts);
        bits |= 1u << (v % 32);
        if (RD_LANES > 1 || i + 1 == g->stashed || g->stash[i + 1] / 32 != v / 32) {
            bsp_settle(c, g, v / 32, bits);
            bits = 0;
        }
    }
}

#endif

#if BSP_FUSES
/* Marks what leaves the stash for the next round, and keeps one of each that were not marked. */
rd_fn void bsp_mark_stash(const bsp_ctx *c, bsp_group *g)
{
    rd_global rd_u32 *const next = bsp_set(c, (g->view.number + 1) % 2);
    const rd_u32 stashed = g->stashed;
    g->stashed = 0;
    for (rd_u32 i = 0; i < stashed; i++) {
        const rd_u32 v = g->stash[i], bit = 1u << (v % 32);
        if (!(rd_or_rlx(&next[v / 32], bit) & bit)) /* partner: the same in other groups; one of them queues it */
            g->stash[g->stashed++] = v;
    }
}

/* The same by stamps. */
rd_fn void bsp_stamp_stash(const bsp_ctx *c, bsp_group *g)
{
    const rd_u32 stamp = c->control[BSP_STAMP] + g->view.number + 1, stashed = g->stashed;
    rd_global rd_u32 *const stamps = bsp_set(c, 3);
    g->stashed = 0;
    for (rd_u32 i = 0; i < stashed; i++) {
        rd_global rd_u32 *const word = &stamps[g->stash[i]];
        /* partner of both: the exchange in other groups. Who sees another's stamp leaves the line where it is. */
        if (rd_ld_rlx(word) != stamp && rd_xchg_rlx(word, stamp) != stamp)
            g->stash[g->stashed++] = g->stash[i];
    }
}
#endif

#if RD_LANES > 1 && BSP_REPEATS
/* The same by all lanes, each for its own places in the stash; then writes what is left to the next round. */
rd_fn void bsp_flush_marked(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    rd_global rd_u32 *const next = bsp_set(c, (g->view.number + 1) % 2);
    rd_u32 mine = 0, all = 0, at = 0;
    for (rd_u32 i = rd_lane(); i < g->stashed; i += rd_lanes()) {
        const rd_u32 v = g->stash[i], bit = 1u << (v % 32);
        if (rd_or_rlx(&next[v / 32], bit) & bit) /* partner: the same in other lanes; one of them queues it */
            g->stash[i] = BSP_NEVER;
        else
            mine++;
    }
    const rd_u32 before = rd_group_scan(g->scratch, mine, &all);
    if (rd_lane() == 0 && all)
        at = rd_add_rlx(&g->next[BSP_COUNT], all); /* partner: the same add in other groups */
    at = rd_group_broadcast(g->scratch, at, 0) + before;
    for (rd_u32 i = rd_lane(); i < g->stashed; i += rd_lanes())
        if (g->stash[i] != BSP_NEVER)
            bsp_put(c, g, at++, g->stash[i], counts);
}
#endif

/* ... as they are. */
rd_fn void bsp_flush_plain(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    rd_u32 at = 0;
#if BSP_FUSES
    if (c->control[BSP_STAMP])
        bsp_stamp_stash(c, g);
    else if (bsp_option(c, BSP_PUSH_MASK) == BSP_PUSH_BY_GROUP)
        bsp_mark_stash(c, g);
#endif
    if (rd_lane() == 0 && g->stashed)
        at = rd_add_rlx(&g->next[BSP_COUNT], g->stashed); /* partner: the same add in other groups */
    at = rd_group_broadcast(g->scratch, at, 0);
    if (!bsp_has_room(c, &g->view, at, g->stashed))
        g->stashed = 0; /* the same in all lanes */
    bsp_own(c, g, at, g->stashed);
    bsp_put_stash(c, g, at, counts);
}

/* Writes the stash to the next round, and to the far set, with one reservation each. */
rd_fn void bsp_flush(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
#if RD_LANES > 1 && BSP_REPEATS
    rd_once(BSP_AHEAD(c))
        bsp_flush_marked(c, g, counts);
    rd_once(!BSP_AHEAD(c))
        bsp_flush_plain(c, g, counts);
#else
    bsp_flush_plain(c, g, counts);
#endif
#if BSP_REPEATS
    const bsp_view *v = &g->view;
    rd_u32 late_at = 0;
    if (rd_lane() == 0 && g->late) /* partner: the same add in other groups */
        late_at = rd_add_rlx(&bsp_far_words(c, bsp_far_to(v))[BSP_FAR_COUNT], g->late);
    late_at = rd_group_broadcast(g->scratch, late_at, 0);
    for (rd_u32 i = rd_lane(); i < g->late; i += rd_lanes())
        bsp_far(c, bsp_far_to(v))[late_at + i] = g->stash[BSP_STASH - 1 - i];
    g->late = 0;
#endif
    rd_barrier(); /* the stash is read; it may be written again */
    g->stashed = 0;
}

/* Without stash: `count` tasks of this lane, or of the lanes of its warp together, get places by one reservation.
 * @return the first place of this lane. */
rd_fn rd_u32 bsp_reserve(rd_global rd_u32 *word, rd_u32 count, rd_u32 by_warp)
{
#if BSP_BY_WARP
    if (by_warp) {
        const rd_u32 sum = rd_warp_scan(count), all = rd_warp_shuffle(sum, RD_WARP - 1);
        rd_u32 at = 0;
        if (rd_warp_lane() == 0 && all)
            at = rd_add_rlx(word, all); /* partner: the same add of others */
        return rd_warp_shuffle(at, 0) + sum - count;
    }
#endif
    return count ? rd_add_rlx(word, count) : 0; /* partner: the same add of others */
}

/* --push lane, --push warp: tasks go to their places at once. */
rd_fn void bsp_push_now(const bsp_ctx *c, bsp_group *g, const rd_u32 *found, const rd_u32 *where, rd_u32 n,
                        rd_u32 counts)
{
    const rd_u32 by_warp = bsp_option(c, BSP_PUSH_MASK) == BSP_PUSH_BY_WARP;
    rd_u32 near_count = 0;
    for (rd_u32 k = 0; k < n; k++)
        near_count += where[k] == EDGES_NEXT;
    rd_u32 at = bsp_reserve(&g->next[BSP_COUNT], near_count, by_warp);
    if (!bsp_has_room(c, &g->view, at, near_count))
        return;
    for (rd_u32 k = 0; k < n; k++)
        if (where[k] == EDGES_NEXT) {
            bsp_put(c, g, at++, found[k], counts);
            bsp_settle(c, g, found[k] / 32, 1u << (found[k] % 32));
        }
#if BSP_REPEATS
    rd_u32 late_count = 0;
    for (rd_u32 k = 0; k < n; k++)
        late_count += where[k] == EDGES_LATER;
    at = bsp_reserve(&bsp_far_words(c, bsp_far_to(&g->view))[BSP_FAR_COUNT], late_count, by_warp);
    for (rd_u32 k = 0; k < n; k++)
        if (where[k] == EDGES_LATER)
            bsp_far(c, bsp_far_to(&g->view))[at++] = found[k];
#endif
}

/* At the end of a round: what its lanes counted. */
rd_fn void bsp_report_round(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    rd_once(counts) {
        const rd_u32 degrees = rd_group_sum(g->scratch, g->degrees), most = rd_group_max(g->scratch, g->most);
        if (rd_lane() == 0 && most) { /* partners: the same in other groups */
            rd_add64_rlx((rd_global rd_u64 *)&g->next[BSP_FRONT_EDGES], degrees);
            rd_max_rlx(&g->next[BSP_MOST_EDGES], most);
        }
    }
#if BSP_REPEATS
    const rd_u32 soonest = rd_group_min(g->scratch, g->soonest);
    if (rd_lane() == 0 && soonest != BSP_NEVER) /* partner: the same in other groups */
        rd_min_rlx(&bsp_far_words(c, bsp_far_to(&g->view))[BSP_FAR_SOON], soonest);
#endif
}

#endif
