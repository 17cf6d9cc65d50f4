/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges_core.k.h - scheduler `bsp` on cores: the tasks of a round, which is left half-way when an urgent job waits
 * (parts/rest.k.h). Part of bsp/edges.k.h.
 *
 * Places are the parts of big vertices, then the tasks. A core looks at the stop word after each part and every
 * BSP_LOOK tasks, or sooner where these have many edges. What it found so far goes to the next round, which other
 * launches may add to. Where claims are made from pieces that have owners (bsp/own.k.h) the host finds what nobody took
 * in the owners' entries, and the launch that goes on takes all as it comes.
 */
#ifndef RD_SCHED_BSP_EDGES_CORE_K_H
#define RD_SCHED_BSP_EDGES_CORE_K_H

#define BSP_LOOK       16
#define BSP_LOOK_EDGES 256 /* each may be a way to memory */

#include "sched/bsp/list_core.k.h"

typedef struct {
    rest_plan plan;
    rd_global rd_u32 *entries;
    rd_u32 owned;
} bsp_work;

/* Task i of those up to `end`; last: nothing comes after these, and the stash is emptied. */
rd_fn void bsp_run_one(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 i, rd_u32 end, rd_u32 last,
                       rd_u32 counts)
{
    bsp_prefetch(c, app, g, i, end);
    const rd_u32 tiles = bsp_members(c, app, g, 0, i, 1, 0);
    for (rd_u32 t = 0; t < tiles; t++) {
        bsp_tile(c, app, g, 1, t, counts);
        (void)bsp_end_tile(c, app, g, last && i + 1 == end && t + 1 == tiles, 0, counts);
    }
}

/* Part i, or what is left of it, which is left half-way when somebody asks. last: nothing comes after it.
 * @return 0: some of it is left, and it begins there. */
rd_fn rd_u32 bsp_run_part(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 i, rd_u32 last, rd_u32 counts)
{
    const rd_u32 tiles = bsp_members(c, app, g, 1, i, 1, 0);
    rd_u32 t = 0, asked = 0;
    while (t < tiles && !asked) {
        bsp_tile(c, app, g, 1, t, counts);
        t++;
        (void)bsp_end_tile(c, app, g, last && t == tiles, 0, counts);
        asked = t < tiles && bsp_asked(g);
    }
    if (asked) {
        g->edges -= g->first[0] - t * BSP_BATCH;
        c->parts[g->view.big_start + i] += (rd_u64)t * BSP_BATCH << 32;
    }
    return !asked;
}

#if BSP_BY_CORE
/* Tasks from..end of the claim, which ends at `all`. */
rd_fn void bsp_run_listed(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 from, rd_u32 end, rd_u32 all,
                          rd_u32 last, rd_u32 counts)
{
    rd_u64 at = 0;
    for (rd_u32 i = from; i < end;) {
        const bsp_ran ran = bsp_run_list(g->context, g->app, c->queue + g->view.start, i, end, all, g->view.number,
                                         g->stash, g->stashed, &at);
        i = ran.next;
        g->stashed = ran.stashed;
        g->edges += ran.edges;
        (void)bsp_end_tile(c, app, g, last && i == all, 0, counts);
    }
}
#else
#define bsp_run_listed(c, app, g, from, end, all, last, counts)
#endif

/* The tasks of a piece, up to the next look. */
rd_fn void bsp_run_some(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 parts, rest_piece *piece,
                        rd_u32 *look, rd_u32 last, rd_u32 counts)
{
    const rd_u64 before = g->edges;
    if (piece->at < parts) {
        piece->at += bsp_run_part(c, app, g, piece->at, last && piece->at + 1 == piece->end, counts);
        bsp_note_some(c, g, counts);
        return;
    }
    const rd_u32 all = piece->end - parts, from = piece->at - parts, end = all - from < *look ? all : from + *look;
    if (bsp_runs_lists(c))
        bsp_run_listed(c, app, g, from, end, all, last, counts);
    else
        for (rd_u32 i = from; i < end; i++)
            bsp_run_one(c, app, g, i, all, last, counts);
    bsp_note_some(c, g, counts);
    *look = rest_some(*look, BSP_LOOK, g->edges - before, BSP_LOOK_EDGES);
    piece->at = end + parts;
}

/* @return 0: there is none. first: the group's own. */
rd_fn rd_u32 bsp_take(const bsp_ctx *c, bsp_group *g, const bsp_work *work, rd_u32 first, rest_piece *piece)
{
    if (work->owned) {
        piece->at = first ? bsp_first_claim(c, g, work->plan.size, &piece->end)
                          : bsp_own_claim(c, g, work->plan.size, 0, &piece->end);
        return piece->at < g->view.tasks;
    }
    const rd_u32 claim = first ? g->id : bsp_next_claim(g, work->plan.claims, 0);
    if (claim >= work->plan.claims)
        return 0;
    *piece = rest_claim(work->entries, &work->plan, claim);
    return 1;
}

#if BSP_FUSES
#define bsp_leave_stash bsp_keep_stash
#else
rd_fn void bsp_leave_stash(const bsp_ctx *c, bsp_group *g, rd_u32 counts)
{
    if (g->stashed + g->late)
        bsp_flush(c, g, counts);
}
#endif

/* The tasks of a round. */
rd_fn rd_u32 bsp_tasks_of(const bsp_ctx *c, const bsp_view *v)
{
    const rd_u32 all = !v->tasks ? 0 : bsp_option(c, BSP_BITMAP) ? c->vertices : v->tasks;
    return v->kind == BSP_REFILL ? v->far_tasks : all;
}

rd_fn bsp_work bsp_work_of(const bsp_ctx *c, const bsp_group *g, rd_u32 parts, rd_u32 tasks)
{
    const rd_u32 size = g->all > 1 ? bsp_claim_size(c, g, tasks) : tasks ? tasks : 1;
    bsp_work work;
    work.plan = rest_open(c->control + BSP_REST, g->again, parts + tasks, parts, size);
    work.entries = bsp_rest_entries(c);
    work.owned = !g->again && bsp_is_owned(c, g);
    return work;
}

#if BSP_FUSES
/* By a core that left some in bins which it was opening, after its claims. */
rd_fn void bsp_leave_bins(const bsp_ctx *c, const bsp_group *g)
{
    const rest_piece none = {0, 0};
    const bsp_work work = bsp_work_of(c, g, g->view.parts, bsp_tasks_of(c, &g->view));
    rest_leave(c->control + BSP_REST, work.entries, &work.plan, g->view.number, g->id, g->all, none, none, work.owned);
}
#endif

/* Runs the round's tasks, or refills from the far set; and writes what is in the stash, also that of a round that
 * pulled. */
rd_fn void bsp_expand_claims(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 counts, rd_u32 stop)
{
    const bsp_view *v = &g->view;
    rd_global rd_u32 *const head = c->control + BSP_REST;
    const rd_u32 pulls = v->kind == BSP_PULL && v->tasks != 0;
    const rd_u32 tasks = pulls ? 0 : bsp_tasks_of(c, v), parts = pulls ? 0 : v->parts;
    /* Most rounds of a long path: there is nobody to claim from. Of apps whose tasks repeat: else bsp/one_core.k.h. */
    if (!BSP_BY_CORE && !g->looks && g->all == 1 && !parts) {
        for (rd_u32 i = 0; i < tasks; i++)
            bsp_run_one(c, app, g, i, tasks, 1, counts);
        return;
    }
    const bsp_work work = bsp_work_of(c, g, parts, tasks);
#if BSP_FUSES
    if (g->again)
        bsp_write_kept(c, g, counts);
#endif
    rest_piece now = {0, 0}, next = {0, 0};
    rd_u32 more = !pulls && bsp_take(c, g, &work, 1, &now), asked = 0, look = 1;
    while (more) {
        more = bsp_take(c, g, &work, 0, &next); /* early: its way to memory and back overlaps */
        while (now.at < now.end && !asked) {
            bsp_run_some(c, app, g, parts, &now, &look, !more, counts);
            asked = bsp_asked(g);
        }
        if (asked) {
            next.end = more ? next.end : next.at;
            rest_leave(head, work.entries, &work.plan, v->number, g->id, g->all, now, next, work.owned);
            more = 0;
        }
        now = next;
    }
    if (asked | pulls) /* where bins are, no round pulls */
        bsp_leave_stash(c, g, counts);
}

#endif
