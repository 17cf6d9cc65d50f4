/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp.k.h - scheduler `bsp`, kernel side: tasks run in rounds; what a round gives is the next round.
 *
 * Launches. Discrete: one launch of bsp_expand runs one round. Persistent: bsp_loop runs them all, with a global
 * barrier (parts/barrier.k.h) between two rounds. Rounds are told by control words in device memory (bsp/group.k.h):
 * round r has slot r % BSP_SLOTS, appends to the queue through the COUNT of slot r+1, and one group makes slot r+2
 * ready, which no one touches during round r. So the host may launch many rounds without looking, and groups in a loop
 * need to agree on nothing but the number of the round. A persistent launch that the host asks to stop ends between two
 * rounds, on cores within one (bsp/edges_core.k.h); another one goes on from there. So does one that finds its rounds
 * narrow for long, where the host wants to know that: bsp_leaves comes to the same in all groups, since what it looks
 * at was written a round ago.
 *
 * Launch `graph`: the device repeats BSP_LOOP launches of bsp_expand and one of bsp_again, which counts the rounds and
 * ends that when there is no more, or the host asked to stop: so it too ends between two rounds.
 *
 * The queue. Where each task runs once (the app's promise), a vertex enters the queue at most once in a run: an array
 * of one word a vertex, rounds are consecutive pieces of it, and nothing can overflow. Where tasks repeat, see
 * bsp_give.k.h. Where a vertex is claimed when it is taken (RD_APP_LATE) it enters the queue once for each edge of a
 * task, and of those that take it one runs it, the others drop it; so the array has a word for each edge, and one for
 * each vertex where claims have rounds of their own. No vertex is cut into parts then: they would be listed as often.
 *
 * Spreading edges (bsp/edges.k.h). The lanes of a group take one vertex each, scan the degrees, and then share all
 * edges of these vertices evenly: edge i belongs to the last vertex whose scan value is at most i (load-balancing
 * search, a binary search in group memory). BSP_BATCH edges a lane are in flight together: first all targets are
 * loaded, then the app is asked which it wants (it may load), then the wanted ones are visited. A vertex with more than
 * `span` edges would still keep one group busy for long; it is cut into parts of `span` edges when it is given, the
 * parts are listed apart, and the vertex in the queue counts as having no edges.
 *
 * Giving (bsp/give.k.h). Lanes count what they found, a scan places it in the group's stash, and a full stash goes to
 * the queue with one reservation.
 *
 * Direction (bsp/pull.k.h). When a round has many edges it is cheaper to ask the vertices that are not settled whether
 * a neighbour is (pull) than to visit the edges of those that are (push).
 *
 * Small rounds of a persistent run are run by group 0 alone while the others wait: then no barrier lies between them.
 * Where lanes run in warps, group 0 keeps such rounds in its own memory (bsp/one_group.k.h); a core goes from one to
 * the next without the words of rounds (bsp/one_core.k.h).
 *
 * Orders. All atomics are relaxed: they only hand out places. The data itself (queue, parts, slots, sets) is written in
 * one round and read in another, and a launch, a global barrier, or for group 0 alone a group barrier lies between.
 * Within a round no group reads what another wrote, except through the app's own atomics.
 */
#ifndef RD_SCHED_BSP_K_H
#define RD_SCHED_BSP_K_H

#include "sched/bsp/edges.k.h"
#include "sched/bsp/probe.k.h"
#include "sched/bsp/pull.k.h"
#include "sched/bsp/one_group.k.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/discovery.k.h"
#include "sched/bsp/seed.k.h"

#define BSP_KERNEL_ARGS(buf, arg) BSP_ARGS(buf, arg) RD_APP_ARGS(buf, arg)

#if BSP_NESTS
#define BSP_MAKE_NESTED(g)                                                                                             \
    rd_local_array(rd_u32, third, RD_LANES);                                                                           \
    g.third = third;                                                                                                   \
    g.fine = 0;                                                                                                        \
    g.fine_tiles = 0;
#else
#define BSP_MAKE_NESTED(g)
#endif

#if BSP_HALVES
#define BSP_LEAVE_BINS(c, g, left)                                                                                     \
    if (left)                                                                                                          \
    bsp_leave_bins(c, g)
#define BSP_MAKE_NOTES(g) g.noted = 0;
#else
#define BSP_LEAVE_BINS(c, g, left) ((void)(left))
#define BSP_MAKE_NOTES(g)
#endif

/* What functions of a core are called with: copies, so that no one has the address of what is in registers. */
#if BSP_BY_CORE
#define BSP_SHOW(g, c, a)                                                                                              \
    const rd_app own = a;                                                                                              \
    g.context = &c;                                                                                                    \
    g.app = &own;
#else
#define BSP_SHOW(g, c, a)
#endif

/* At the top of a kernel: group memory, and a group that knows it. */
#define BSP_MAKE_GROUP(g)                                                                                              \
    rd_local_array(rd_u32, scratch, RD_SCRATCH);                                                                       \
    rd_local_array(rd_u32, first, RD_LANES);                                                                           \
    rd_local_array(rd_u32, vertex, RD_LANES);                                                                          \
    rd_local_array(rd_u32, value, RD_LANES);                                                                           \
    rd_local_array(rd_u64, from, RD_LANES);                                                                            \
    rd_local_array(rd_u32, stash, BSP_STASH);                                                                          \
    rd_local_array(rd_u32, tally, BSP_TALLY);                                                                          \
    rd_local_array(rd_u32, degree, BSP_DEGREES);                                                                       \
    rd_local_array(rd_u32, second, BSP_DEGREES);                                                                       \
    bsp_group g;                                                                                                       \
    g.scratch = scratch;                                                                                               \
    g.first = first;                                                                                                   \
    g.vertex = vertex;                                                                                                 \
    g.value = value;                                                                                                   \
    g.from = from;                                                                                                     \
    g.stash = stash;                                                                                                   \
    g.tally = tally;                                                                                                   \
    g.degree = degree;                                                                                                 \
    g.second = second;                                                                                                 \
    g.group_tiles = 0;                                                                                                 \
    g.warp_tiles = 0;                                                                                                  \
    g.stashed = 0;                                                                                                     \
    g.late = 0;                                                                                                        \
    g.edges = 0;                                                                                                       \
    g.fresh = 0;                                                                                                       \
    g.fused = 0;                                                                                                       \
    g.fused_before = 0;                                                                                                \
    g.owner = 0;                                                                                                       \
    BSP_MAKE_NESTED(g)                                                                                                 \
    BSP_MAKE_NOTES(g)                                                                                                  \
    if (rd_lane() == 0) {                                                                                              \
        g.vertex[0] = 0; /* a claim without members looks at it, in vain */                                            \
        g.value[0] = 0;                                                                                                \
        g.from[0] = 0;                                                                                                 \
    }

rd_fn void bsp_point(const bsp_ctx *c, bsp_group *g, const bsp_view *v)
{
    g->view = *v;
    g->now = bsp_slot(c, v->number);
    g->next = bsp_slot(c, v->number + 1);
#if BSP_HALVES /* not of small rounds: others may not take part */
    g->looks = !bsp_is_small(c, v) && g->all <= REST_MOST;
    g->again = 0;
    g->stop = c->control + BSP_REST + REST_NEVER;
    if (g->looks) {
        g->again = rest_resumes(c->control + BSP_REST, v->number);
        g->stop = rd_stop_word();
    }
#endif
}

/* Narrow rounds that are not small cost a barrier of all groups and keep few of them busy. Another engine may go on
 * with a run that has many of them. Small ones do not count: they cost no barrier. */
rd_fn rd_u32 bsp_narrow(const bsp_ctx *c, const bsp_view *v)
{
    return bsp_is_small(c, v) ? v->narrow : v->tasks < c->control[BSP_LEAVE_TASKS] ? v->narrow + 1 : 0;
}

/* Is it time to leave, before round v? What waits must all be in the queue: then the round would push, and none of it
 * has been run. */
rd_fn rd_u32 bsp_leaves(const bsp_ctx *c, const bsp_view *v)
{
    const rd_u32 rounds = BSP_LEAVES ? c->control[BSP_LEAVE_ROUNDS] : 0;
    return rounds && v->narrow >= rounds && v->kind == BSP_PUSH && v->tasks < c->control[BSP_LEAVE_TASKS] &&
           (!c->control[BSP_LEAVE_LATE] || v->seen >= c->edges / 2) && !bsp_is_small(c, v) &&
           !BSP_IS_BEGUN(c, v->number);
}

/* One round, or this group's share of it. */
rd_fn void bsp_round(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 counts, rd_u32 stop)
{
    if (g->id == g->all - 1 && rd_lane() == 0 && !BSP_AGAIN(g)) { /* it is least likely to have a claim */
        bsp_turn(c, g);
        if (BSP_LEAVES)
            g->next[BSP_NARROW] = bsp_narrow(c, &g->view);
    }
    g->degrees = 0;
    g->most = 0;
    g->soonest = BSP_NEVER;
#if BSP_CAN_PULL
    rd_once(bsp_may_pull(c))
        bsp_pull_aside(c, app, g);
#endif
    bsp_expand_claims(c, app, g, counts, stop);
#if BSP_CAN_PULL && RD_CORE
    if (g->id == g->all - 1 && bsp_may_pull(c))
        bsp_probe(c, g);
#endif
#if BSP_FUSES
    rd_u32 left = 0;
    if (c->bin_words && g->view.kind >= BSP_REFILL && !BSP_IS_LEFT(c, g->view.number)) /* else when it goes on */
        left = bsp_open_bins(c, app, g, counts);
    BSP_LEAVE_BINS(c, g, left);
    if (c->bin_words)
        bsp_show_bins(c, g);
#endif
    bsp_report_round(c, g, counts);
}

/* At the end of a launch: what the group counted. */
rd_fn void bsp_report_launch(const bsp_ctx *c, bsp_group *g)
{
    if (rd_lane() == 0 && g->edges) /* partner: the same add in other groups; read by the host */
        rd_add64_rlx((rd_global rd_u64 *)&c->control[BSP_EDGES], g->edges);
#if BSP_REPEATS || BSP_LATE
    const rd_u32 fresh = rd_group_sum(g->scratch, g->fresh);
    if (rd_lane() == 0 && fresh) /* likewise */
        rd_add64_rlx((rd_global rd_u64 *)&c->control[BSP_FRESH], fresh);
#endif
#if BSP_REPEATS
    if (rd_lane() == 0 && g->fused) /* likewise */
        rd_add64_rlx((rd_global rd_u64 *)&c->control[BSP_FUSED], g->fused);
#endif
}

#if BSP_LAUNCH != BSP_PERSISTENT

#if BSP_LAUNCH == BSP_LOOPED
#define BSP_FIRST c.control[BSP_AT] /* written by a launch before */
#define BSP_STOPS 0                 /* between two rounds, not within one */
#elif BSP_HALVES
#define BSP_FIRST 0
#define BSP_STOPS 0 /* it looks as it goes */
#else
#define BSP_FIRST 0
#define BSP_STOPS rd_stopped()
#endif

rd_kernel_apart(hot, bsp_expand, BSP_KERNEL_ARGS)
{
    BSP_MAKE_GROUP(g)
    const bsp_ctx c = rd_bind(BSP_ARGS), shown = c;
    const rd_app app = rd_bind(RD_APP_ARGS);
    const bsp_view v = bsp_look(&shown, BSP_FIRST + round);
    BSP_SHOW(g, shown, app)
    g.id = rd_group();
    g.all = rd_groups();
    g.region = bsp_region(&c, g.id);
    bsp_point(&c, &g, &v);
#if BSP_HALVES
    if (!BSP_WAS_LEFT(&c, v.number))
#endif
        bsp_round(&c, &app, &g, BSP_CAN_PULL, BSP_STOPS);
    bsp_report_launch(&c, &g);
}

#endif
#if BSP_LAUNCH == BSP_LOOPED

/* One lane, after `round` more rounds. */
rd_kernel(bsp_again, BSP_KERNEL_ARGS)
{
    const bsp_ctx c = rd_bind(BSP_ARGS);
    if (rd_lane() == 0) {
        const bsp_view v = bsp_look(&c, c.control[BSP_AT] + round);
        c.control[BSP_AT] = v.number;
        if (bsp_over(&v) || bsp_leaves(&c, &v) || rd_stopped())
            rd_loop_end();
    }
}

#endif
#if BSP_LAUNCH == BSP_BOTH || BSP_LAUNCH == BSP_PERSISTENT

/* The words of the steps of a persistent launch, two pairs in turn: group 0 writes one before a barrier, all read it
 * after that barrier, and it is written again only after the next. */
rd_fn rd_global rd_u32 *bsp_step(const bsp_ctx *c, rd_u32 step)
{
    return &c->control[BSP_STEPS + 2 * (step % 2)];
}

rd_fn void bsp_tell(const bsp_ctx *c, rd_u32 step, rd_u32 next, rd_u32 halt)
{
    bsp_step(c, step)[BSP_STEP_AT] = next;
    bsp_step(c, step)[BSP_STEP_HALT] = halt;
}

#if !BSP_BY_WARP
/* This group's share of a round; alone, a core runs several. @return the number of the round that is next. */
rd_fn rd_u32 bsp_here(const bsp_ctx *c, const rd_app *app, bsp_group *g, rd_u32 alone, rd_global const rd_u32 *stop)
{
#if BSP_BY_CORE
    if (alone && bsp_suits_core(c, &g->view)) { /* by copies: who is called has no address of what is in registers */
        const bsp_ctx context = *c;
        const rd_app own = *app;
        bsp_view view = g->view;
        rd_u64 edges = 0;
        bsp_one_core(&context, &own, &view, stop, &edges);
        g->edges += edges;
        return view.number;
    }
#endif
    bsp_round(c, app, g, BSP_COUNTS, 0);
    rd_barrier(); /* all that the group did is done: it may look at the next round, should it stay alone */
    return g->view.number + 1;
}
#endif

/* How groups find out who is resident: a constant where programs are compiled for their options. */
#ifdef BSP_DISCOVERY
#define BSP_POLL_KIND(delay) ((delay) ? BSP_DISCOVERY : RD_DISCOVERY_NONE)
#else
#define BSP_POLL_KIND(delay) ((delay) >> BSP_LOOKS_BITS)
#endif

RD_FLAT rd_kernel_apart(hot, bsp_loop, BSP_KERNEL_ARGS)
{
    BSP_MAKE_GROUP(g)
    const bsp_ctx c = rd_bind(BSP_ARGS), shown = c;
    const rd_app app = rd_bind(RD_APP_ARGS);
    BSP_SHOW(g, shown, app)
    rd_u32 found = 0, step = 0, halt = 0, met = 0;
    const rd_u32 id = rd_discover(scratch, grid, BSP_POLL_KIND(delay), BSP_LOOKS(delay), 0, &found), count = found;
    g.region = bsp_region(&c, id == RD_OUTSIDE ? 0 : id);
    rd_grid all = rd_grid_open(grid + RD_DISCOVERY_WORDS, id == RD_OUTSIDE ? 0 : id, count);
    bsp_view v;
    rd_u32 going = id != RD_OUTSIDE;
    v.number = round;
    if (going) { /* a group outside does not look: the others may have changed slots already */
        v = bsp_look(&shown, round);
        going = !bsp_over(&v) && !bsp_leaves(&c, &v);
    }
    while (going) {
        /* Before a small round all meet once more: group 0 must not change slots that a slow group still looks at. */
        const rd_u32 is_small = bsp_is_small(&c, &v), alone = is_small && met, meet = is_small && !met;
        const rd_u32 mine = alone ? id == 0 : !meet;
        rd_u32 next = meet ? v.number : v.number + 1, stay = 0;
        g.id = alone ? 0 : id;
        g.all = alone ? 1 : count;
        bsp_point(&c, &g, &v);
#if BSP_BY_WARP
        rd_once(alone && mine)
            next = bsp_one_group(&c, &app, &g);
        rd_once(!is_small)
            bsp_round(&c, &app, &g, BSP_COUNTS, 0);
#else
        rd_once(mine)
            next = bsp_here(&c, &app, &g, alone, rd_stop_word());
        if (alone && mine)
            v = bsp_look(&shown, next);
        stay = alone && mine && bsp_is_small(&c, &v) && !bsp_over(&v);
#endif
        if (id == 0 && rd_lane() == 0) {
            halt = !meet && rd_asked_alone(rd_stop_word());
            bsp_tell(&c, step, next, halt);
        }
        stay = rd_group_broadcast(scratch, stay && !halt, 0);
        rd_once(!stay) {
            rd_global_barrier(&all);
            next = alone ? bsp_step(&c, step)[BSP_STEP_AT] : next;
            const rd_u32 is_left = BSP_IS_LEFT(&c, v.number) & !is_small;
            halt = bsp_step(&c, step)[BSP_STEP_HALT] | is_left;
            if (!(meet | is_left)) /* else group 0 may be changing slots already, and the round is still the same */
                v = bsp_look(&shown, next);
            met = meet;
            step++;
        }
        going = !bsp_over(&v) && !halt && !bsp_leaves(&c, &v); /* a group that stays has not been asked to stop */
    }
    if (id == 0 && rd_lane() == 0) { /* read by the host */
        c.control[BSP_AT] = v.number;
        c.control[BSP_MEMBERS] = count;
    }
    bsp_report_launch(&c, &g);
}

#endif

#if BSP_LAUNCH == BSP_DISCRETE
#define BSP_ROUND_KERNELS(k) k(bsp_expand, BSP_KERNEL_ARGS)
#elif BSP_LAUNCH == BSP_PERSISTENT
#define BSP_ROUND_KERNELS(k) k(bsp_loop, BSP_KERNEL_ARGS)
#elif BSP_LAUNCH == BSP_LOOPED
#define BSP_ROUND_KERNELS(k) k(bsp_expand, BSP_KERNEL_ARGS) k(bsp_again, BSP_KERNEL_ARGS)
#else
#define BSP_ROUND_KERNELS(k) k(bsp_expand, BSP_KERNEL_ARGS) k(bsp_loop, BSP_KERNEL_ARGS)
#endif
#define BSP_KERNELS(k) BSP_ROUND_KERNELS(k) k(bsp_seed, BSP_SEED_ARGS) SEED_KERNELS(k)
rd_kernels(BSP_KERNELS);

#endif
