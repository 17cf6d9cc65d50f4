/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vertices.k.h - the worker's kernel for vertices: the app ranks them (rd_app_rank: the less, the sooner), their
 * edges are spread over the lanes of a group (edges/spread.k.h). Part of rank_work.k.h.
 *
 * An item is rank << 32 | vertex. A vertex whose rank fell while it waited is in the queue twice; the item with the
 * older rank is dropped when it is taken (rank_worth).
 *
 * Keeping work close. What a group finds with a rank of no more than the least it took, plus near_by, it runs itself
 * next, without a trip through the queue (up to one vertex a lane; in the widest groups 256). So near_by trades order
 * for time: 0 is Dijkstra's order as far as groups can have it; a large one is a search that ignores ranks. Kept tasks
 * count as pending. Where fewer than `few` vertices are pending, any rank is close enough: keeping few things in order
 * costs more than it saves (C. Huang, 2019, section 5.7: a heap from a threshold on).
 *
 * Room. One vertex may give a million others. So a group looks for room again every RANK_TILES tiles, and when there is
 * none it gives back the vertices it has not finished, which will be run again from their first edge: apps under
 * schedulers without rounds allow that. The stash has room for those, too. A group that is to leave gives back what it
 * kept.
 *
 * Vertices of very many edges are shared with all groups (edges/hubs.k.h), which take spans of them before they go to
 * the queue, when there is room for what a span gives.
 */
#ifndef RD_SCHED_RANK_VERTICES_K_H
#define RD_SCHED_RANK_VERTICES_K_H

#define HUBS_UNITS64 1
#define SPREAD_HERE  1 /* as under `steal` */
#include "sched/edges/spread.k.h"
#include "sched/parts/seed.k.h"

#define RANK_WORK_ARGS(buf, arg) RANK_ARGS(buf, arg) RANK_GRAPH_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

#define RANK_KEEP RANK_KEEP_OF(RD_LANES)

/* In the stash after a tile, when another one is to come, and after it the vertices that are given back. */
#define RANK_STASH (SPREAD_STASH - SPREAD_ROOM - RD_LANES)

/* An item with an older rank has a younger twin, or had one that was run. */
rd_fn rd_u32 rank_worth(const rd_app *app, heap_item item)
{
    return (rd_u32)(item >> 32) <= rd_app_rank(app, (rd_u32)item);
}

/* clang-format off */
#define RANK_SEED_ARGS(buf, arg) SEED_ARGS(buf, arg) \
    buf(heap_item, seed_items)                       \
    RD_APP_ARGS(buf, arg)
/* clang-format on */

/* Seeds with their ranks; the queue's own kernel puts them in place. */
rd_kernel(rank_seed, RANK_SEED_ARGS)
{
    const rd_app seed_app = rd_bind(RD_APP_ARGS);
    for (rd_u64 i = rd_group() * rd_lanes() + rd_lane(); i < seed_count; i += rd_groups() * rd_lanes()) {
        const rd_u32 v = seed_vertex(seed_list + seed_first, seed_count, seed_stride, (rd_u32)i);
        seed_items[i] = (rd_u64)rd_app_rank(&seed_app, v) << 32 | v;
    }
}

#define RANK_SEED_KERNELS(k) k(rank_seed, RANK_SEED_ARGS) SEED_KERNELS(k)

/* Sends each vertex of the stash where it goes: to those kept, or to the queue. @return how many are kept now. */
rd_fn rd_u32 rank_sort_out(rank_group *g, const rd_app *app, spread *s, rd_local rd_u32 *kept, rd_u32 keeping,
                           rd_u32 horizon, rd_u32 blocked, rd_u32 last)
{
    const rd_u32 rounds = s->stashed ? (s->stashed - 1) / rd_lanes() + 1 : 1;
    for (rd_u32 round = 0; round < rounds; round++) {
        const rd_u32 i = round * rd_lanes() + rd_lane(), has = i < s->stashed, v = has ? s->stash[i] : 0;
        const rd_u32 rank = has ? rd_app_rank(app, v) : 0, close = has && rank <= horizon && !blocked;
        rd_u32 all = 0;
        const rd_u32 place = keeping + rd_group_scan(g->scratch, close, &all);
        const rd_u32 stays = close && place < RANK_KEEP;
        if (stays)
            kept[place] = v;
        keeping = keeping + all < RANK_KEEP ? keeping + all : RANK_KEEP;
        g->slots[0] = (rd_u64)rank << 32 | v;
        rank_share(g, has && !stays, last && round + 1 == rounds);
    }
    s->stashed = 0;
    return keeping;
}

/* Up to which rank is what is found kept? Lanes may come to different answers, which does not matter. */
rd_fn rd_u32 rank_horizon(const rank_group *g, rd_u32 least, rd_u32 near_by, rd_u32 few)
{
    /* relaxed: a hint; partner: rank_pend */
    if (least + near_by < least || (few && rd_ld64_rlx(&g->words[RANK_PENDING]) < few))
        return 0xffffffffu;
    return least + near_by;
}

/* Is there no room to go on with a vertex? In all lanes. */
rd_fn rd_u32 rank_blocked(rank_group *g)
{
    if (rd_lane() == 0)
        g->act[0] = rank_queue_full(&g->q, g->limit);
    rd_barrier(); /* the word is there */
    const rd_u32 blocked = (rd_u32)g->act[0];
    rd_barrier(); /* the word is read */
    return blocked;
}

/* Puts one vertex of each lane that has one behind the stash. */
rd_fn void rank_give_back(spread *s, rd_u32 has, rd_u32 v)
{
    rd_worker w = {0, 0, 0};
    if (has)
        rd_give_again(&w, v);
    spread_stash(s, &w);
}

/* @return how many turns the group has been without work; it rests meanwhile. */
rd_fn rd_u32 rank_idle(rank_group *g, rd_u32 count, rd_u32 idle)
{
    idle = count ? 0 : idle + 1;
    if (idle)
        rank_rest(g, idle);
    return idle;
}

rd_fn void rank_leave(rank_group *g, const spread *s, rd_u32 tasks, rd_u32 pruned, rd_u32 at_once)
{
    rank_count(g, RANK_TASKS, tasks);
    rank_count(g, RANK_PRUNED, pruned);
    rank_count(g, RANK_AT_ONCE, at_once);
    rank_count(g, RANK_FRESH, s->fresh);
    rank_count(g, RANK_EDGES, s->edges);
    rank_close(g);
}

/* A turn of a group. */
typedef struct {
    rd_local rd_u32 *found; /* RANK_KEEP: what is kept */
    rd_u32 keeping, horizon, blocked, walked;
} rank_turn;

/* Was the lane's member posted as a hub? Then it has no edges here. */
rd_fn rd_u32 rank_posted(const spread *s, const hubs *h, rd_global const rd_u64 *row, rd_u32 has, rd_u32 v)
{
    const rd_u32 next = rd_lane() + 1 < rd_lanes() ? s->first[rd_lane() + 1] : s->total;
    return has && next == s->first[rd_lane()] && rd_ld_const(&row[v + 1]) - rd_ld_const(&row[v]) > h->most;
}

/* Walks the members' tiles. v: the lane's member, if it has one; last: the turn's last members. */
rd_fn void rank_tiles(rank_group *g, const rd_app *app, spread *s, rd_global const rd_u32 *col, rank_turn *t,
                      rd_u32 tiles, rd_u32 has, rd_u32 v, rd_u32 skipped, rd_u32 last)
{
    rd_u32 tile = 0, more = 1;
    while (more) { /* at least once, for what was found before may have to go */
        rd_once(tile < tiles)
            spread_tile(s, app, col, tile);
        tile++;
        t->walked++;
        rd_once(t->walked % RANK_TILES == 0 && !t->blocked)
            t->blocked = rank_blocked(g);
        more = tile < tiles && !t->blocked;
        rd_once(skipped || (t->blocked && tile < tiles))
            rank_give_back(s, has, v);
        const rd_u32 ends = !more && last;
        rd_once(ends || s->stashed > RANK_STASH)
            t->keeping = rank_sort_out(g, app, s, t->found, t->keeping, t->horizon, t->blocked, ends);
    }
}

rd_kernel_apart(O2, rank_work, RANK_WORK_ARGS)
{
    rd_local_array(heap_item, list, RANK_QUEUE_LIST);
    rd_local_array(rd_u64, board, RANK_BOARD);
    heap_item slots[1];
    SPREAD_MAKE(s);
    rd_local_array(rd_u32, kept, 2 * RANK_KEEP); /* those that run and those found meanwhile */
    const rd_app app = rd_bind(RD_APP_ARGS);
    const rank_args args = rd_bind(RANK_ARGS);
    const hubs h = hubs_open(hub_board, &words[RANK_PENDING], hub_span);
    rank_group g;
    rank_open(&g, &args, list, board, s.scratch, slots);
    rd_u32 act = RANK_IDLE, idle = 0, tasks = 0, pruned = 0, at_once = 0, own = 0, least = 0, side = 0;
    if (rd_lane() == 0)
        s.hint[0] = 0;
    while (act != RANK_LEAVES) {
        const rd_u32 spans = rd_lane() == 0 ? hubs_ask(&h) : 0;
        act = rank_look(&g, own, spans, rd_lane() == 0 ? rd_asked(rd_stop_word()) : 0);
        rd_u32 got = 0, span = 0;
        rd_once(act == RANK_RUNS && !own) {
            got = rank_take(&g, fetch);
            least = got ? (rd_u32)(g.inbox[0] >> 32) : 0;
        }
        rd_once(h.span && act == RANK_HELPS) { /* of two tiles or four: no look for room is due */
            span = spread_span(&s, &h);
            least = span ? rd_app_rank(&app, s.vertex[0]) : 0;
        }
        const rd_u32 count = own + got + (span != 0); /* one of them is not 0 */
        rd_local rd_u32 *running = kept + side * RANK_KEEP;
        rank_turn t = {kept + (1 - side) * RANK_KEEP, 0, rank_horizon(&g, least, near_by, few), g.leaving, 0};
        for (rd_u32 base = 0; base < count; base += rd_lanes()) {
            const rd_u32 i = base + rd_lane();
            rd_u32 has = i < count && !span, v = 0, tiles = span;
            t.blocked = t.blocked || (RD_CORE && base && rd_asked(rd_stop_word())); /* the rest goes back */
            if (has && own) {
                v = running[i];
                at_once += !t.blocked;
            } else if (has) {
                const heap_item item = g.inbox[i];
                v = (rd_u32)item;
                has = rank_worth(&app, item);
                pruned += !has;
            }
            tasks += has && !t.blocked;
            const rd_u32 skipped = t.blocked;
            rd_once(!span)
                tiles = spread_members(&s, &app, row, has && !skipped, v, &h);
            rd_barrier(); /* the members are complete */
            if (h.span && !skipped && rank_posted(&s, &h, row, has, v))
                has = 0;
            rank_tiles(&g, &app, &s, col, &t, tiles, has, v, skipped, base + rd_lanes() >= count);
        }
        rank_done(&g, count, t.keeping);
        own = t.keeping;
        side = 1 - side;
        g.turn += count != 0;
        idle = rank_idle(&g, count, idle);
    }
    rank_leave(&g, &s, tasks, pruned, at_once);
}

#endif
