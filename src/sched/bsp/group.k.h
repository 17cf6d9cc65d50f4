/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.k.h - scheduler `bsp`: constants, kernel arguments, what a group knows, and how a round is told from the
 * control words. See bsp.k.h.
 */
#ifndef RD_SCHED_BSP_GROUP_K_H
#define RD_SCHED_BSP_GROUP_K_H

#include "model/frontier.k.h"
#include "sched/bsp/layout.k.h"
#include "sched/edges/place.k.h"
#include "sched/edges/prefetch.k.h"

#ifdef RD_APP_REPEATS /* a task may be given again in later rounds, and has a phase: rd_app_when, rd_give_later */
#define BSP_REPEATS 1
#else
#define BSP_REPEATS 0
#endif
#ifdef RD_APP_LATE /* a vertex is given by many, and claimed when it is taken: rd_app_claim */
#define BSP_LATE 1
#else
#define BSP_LATE 0
#endif
#ifdef RD_APP_APART /* rounds of claims and rounds of edges take turns */
#define BSP_CLAIMS(round) (BSP_LATE && (round) % 2 == 0)
#define BSP_LEVEL(round)  ((round) / 2)
#else
#define BSP_CLAIMS(round) BSP_LATE
#define BSP_LEVEL(round)  (round)
#endif
#ifndef RD_APP_PULLS /* it has no rd_app_pull */
#undef BSP_CAN_PULL
#define BSP_CAN_PULL 0
#elif !defined(BSP_CAN_PULL) /* 0 in programs for runs that only push */
#define BSP_CAN_PULL 1
#endif

#ifndef BSP_LAUNCH /* which kernels to make; compiling takes time on some devices */
#define BSP_LAUNCH BSP_BOTH
#endif
#ifndef BSP_LEAVES /* 1: a run may be asked to leave when its rounds are narrow */
#ifdef BSP_OPTIONS /* programs that are compiled when they are needed say so */
#define BSP_LEAVES 0
#else
#define BSP_LEAVES !BSP_REPEATS
#endif
#endif
#ifndef BSP_FLAT /* 1: no vertex has more than BSP_ONE_GROUP_EDGES edges */
#define BSP_FLAT 0
#endif
#ifdef BSP_OPTIONS /* a constant on devices whose programs are compiled when they are needed */
#define bsp_option(c, mask) ((BSP_OPTIONS) & (mask))
#else
#define bsp_option(c, mask) ((c)->options & (mask))
#endif
#define BSP_COUNTS (BSP_CAN_PULL || !BSP_FLAT) /* a persistent run wants to know the degrees of what is given */
#if RD_LANES == 1
#undef BSP_BATCH
#define BSP_BATCH 512 /* edges between two looks at the stash */
#elif !defined(BSP_BATCH)
#define BSP_BATCH 4 /* edges a lane has in flight */
#endif
/* Whoever wrote the file of an own app may have broken the promise that a vertex is given once. What there is no room
 * for is dropped then, and the round that would have had it is not run: its count tells the host (check_bounds). The
 * library's own apps keep the promise, and pay nothing. */
#if defined(RD_OWN) && !BSP_REPEATS && !BSP_LATE
#define BSP_GUARDED 1
#else
#define BSP_GUARDED 0
#endif
#define BSP_TOO_MANY 0x80000000u            /* more than any round can have */
#define BSP_ROOM     (BSP_BATCH * RD_LANES) /* most that one batch can give */
#define BSP_STASH    (BSP_ROOM + (RD_LANES > 512 ? 1024 : RD_LANES == 1 ? 2560 : 2048))
#define BSP_TALLY    16
/* A core keeps later tasks in bins, and runs tasks that it found itself while they are few. */
#define BSP_FUSES (RD_LANES == 1 && BSP_REPEATS)
/* Rounds may be left half-way: bsp/edges_core.k.h. */
#ifdef RD_SHARES_CORES
#define BSP_HALVES 1
#else
#define BSP_HALVES 0
#endif
/* Vertices of more edges than these are cut into parts, and where a part of a vertex begins. A core that leaves
 * half-way through a part (bsp/edges_core.k.h) has it begin where it was: its parts are told by their first edge. */
#if BSP_HALVES
#define BSP_BIG(c)            ((c)->span / BSP_CORE_BIG)
#define BSP_PART_STEP(c)      (c)->span
#define BSP_PART_FROM(c, at)  (at)
#define BSP_PART_EDGES(c, at) ((c)->span - (at) % (c)->span)
#else
#define BSP_BIG(c)            (c)->span
#define BSP_PART_STEP(c)      1
#define BSP_PART_FROM(c, at)  (at) * (c)->span
#define BSP_PART_EDGES(c, at) (c)->span
#endif
/* What is in the stash is noted bit by bit (bsp/give.k.h), so that it leaves it in a microsecond. */
#define BSP_NOTES     (BSP_HALVES && !BSP_REPEATS)
#define BSP_NOTE_SOME 256
/* A wide group may run the tasks of the phase that it found itself, so many times in a row, as long as there is at most
 * one for each lane; bsp/edges.k.h. More often where no other group has anything to do.
 */
#if RD_LANES == 1 || !BSP_REPEATS
#define BSP_AHEAD(c) 0
#elif !defined(BSP_OPTIONS)
#define BSP_AHEAD(c) ((c)->ahead)
#elif defined(BSP_GOES_AHEAD)
#define BSP_AHEAD(c) 1
#else
#define BSP_AHEAD(c) 0
#endif
/* Phases of few tasks may be run together where they only save work; bsp/widen.k.h. */
#ifndef RD_APP_EARLY
#define BSP_WIDENS 0
#elif !defined(BSP_OPTIONS) || defined(BSP_WIDE_PHASES)
#define BSP_WIDENS 1 /* if the host says so */
#else
#define BSP_WIDENS 0
#endif
#define BSP_AHEAD_MOST  16
#define BSP_AHEAD_ALONE 64
#if defined(BSP_OPTIONS) && !(BSP_OPTIONS & BSP_BY_DEGREE)
#define BSP_DEGREES 1 /* not used */
#else
#define BSP_DEGREES RD_LANES
#endif
/* Who visits the edges of a vertex by its degree can be chosen: in programs that were asked to, or that ask each time.
 */
#if RD_LANES > 1 && (!defined(BSP_OPTIONS) || (BSP_OPTIONS & BSP_NESTED))
#define BSP_NESTS 1
#else
#define BSP_NESTS 0
#endif
#if RD_WARP == 32 && RD_LANES % 32 == 0
#define BSP_BY_WARP 1
#else
#define BSP_BY_WARP 0
#endif
/* Where tasks leave nothing for later a core runs rounds that are small by a loop of their own, and claims by another;
 * bsp/one_core.k.h, bsp/list_core.k.h. */
#define BSP_BY_CORE (RD_CORE && !BSP_REPEATS && !BSP_LATE)
/* A lane counts edges up to here, so that a group's sum fits a word. */
#define BSP_DEGREE_LIMIT (0xffffffffu / RD_LANES)

rd_context(bsp_ctx, BSP_ARGS);

/* Of a round that may be left half-way: was it begun by an earlier launch, left in this one, or one before it left? */
#if BSP_HALVES
#include "sched/parts/rest.k.h"
#define BSP_AGAIN(g)           ((g)->again)
#define BSP_IS_BEGUN(c, round) rest_resumes((c)->control + BSP_REST, round)
#define BSP_IS_LEFT(c, round)  rest_is_left((c)->control + BSP_REST, round)
#define BSP_WAS_LEFT(c, round) rest_was_left((c)->control + BSP_REST, round)
#else
#define BSP_AGAIN(g)           0
#define BSP_IS_BEGUN(c, round) 0
#define BSP_IS_LEFT(c, round)  0
#endif

/* A round, as its control words tell; equal in all groups. */
typedef struct {
    rd_u32 number, kind;
    rd_u64 start; /* in the queue */
    rd_u32 tasks;
    rd_u32 big_start, parts;
    rd_u32 most; /* edges of the largest task */
    rd_u32 set;
    rd_u32 wary;                /* pulling has not paid */
    rd_u32 narrow;              /* BSP_NARROW */
    rd_u32 phase, phase_before; /* differ in a refill */
    rd_u32 width, done;         /* BSP_WIDTH, BSP_DONE */
    rd_u32 far, far_tasks;      /* number and tasks of the far set that there is */
    rd_u32 binned;              /* tasks in all groups' bins of the least phase that bins have */
    rd_u64 ran, front, seen;
} bsp_view;

/* What the lanes of a group share, and what each of them has for itself. */
typedef struct {
    EDGES_MEMBERS
    rd_local rd_u32 *degree; /* --spread degree: how many there are */
    rd_local rd_u32 *second; /* --spread degree: tiles of a warp before its member */
#if BSP_NESTS
    rd_local rd_u32 *third;  /* --spread ...,edgeN: edges that are left to all lanes, of the members before it */
    rd_u32 fine, fine_tiles; /* of all members */
#endif
    rd_local rd_u32 *stash; /* tasks given: those of the next round from below, those for the far set from above */
    rd_local rd_u32 *tally;
    bsp_view view;
    rd_global rd_u32 *now; /* slots of this round and the next */
    rd_global rd_u32 *next;
    rd_u32 id, all;                 /* this group among those that share the round */
    rd_u32 stashed, late;           /* equal in all lanes */
    rd_u32 group_tiles, warp_tiles; /* --spread degree: of the group; of the lane's warp */
    rd_u64 edges;                   /* looked at by the group; equal in all lanes */
    rd_u32 degrees, most;           /* of what this lane saw being given in this round; limited: it only guides */
    rd_u32 soonest;                 /* least phase of what this lane gave to the far set in this round */
    rd_u32 fresh;                   /* tasks that this lane gave for the first time */
    rd_u32 fused, fused_before;     /* tasks run in the round that found them; up to the round before */
    rd_global rd_u32 *region;       /* its bins */
#if BSP_HALVES
    rd_global const rd_u32 *stop; /* not 0: it is asked to leave */
    rd_u32 looks, again;          /* at that word; another launch began the round */
    rd_u32 noted;                 /* of the stash, BSP_NOTES */
#endif
#if BSP_BY_CORE
    const bsp_ctx *context; /* copies, for functions that are called */
    const rd_app *app;
#endif
    rd_u32 owner; /* cores: whose tasks it takes: its own, 0, or of the group so many behind it */
} bsp_group;

#if BSP_HALVES
#define bsp_asked(g)        rd_asked((g)->stop) /* partner: the host */
#define bsp_rest_entries(c) ((c)->control + BSP_OWN + 2 * BSP_LINE * (c)->control[BSP_OWNERS])
#else
#define bsp_asked(g) 0
#endif

/* ---- Words ---- */

rd_fn rd_global rd_u32 *bsp_slot(const bsp_ctx *c, rd_u32 round)
{
    return c->control + round % BSP_SLOTS * BSP_SLOT_WORDS;
}

rd_fn rd_global rd_u32 *bsp_set(const bsp_ctx *c, rd_u32 which)
{
    return c->bits + (rd_u64)which * ((c->vertices + 31) / 32);
}

/* --frontier bitmap: the tasks of a round. Where tasks repeat it is the set that keeps them from being queued twice. */
rd_fn rd_global rd_u32 *bsp_front(const bsp_ctx *c, rd_u32 round)
{
    return bsp_set(c, (BSP_REPEATS ? 0 : 2) + round % 2);
}

/* Where round `round` has its tasks in the queue, when `ran` tasks ran before it. */
rd_fn rd_u64 bsp_queue_start(const bsp_ctx *c, rd_u32 round, rd_u64 ran)
{
    return BSP_REPEATS ? (rd_u64)(round % 2) * c->vertices : ran;
}

/* Where it has its parts of big vertices, when `listed` were listed before it. A round has each of them at most once.
 */
rd_fn rd_u32 bsp_parts_start(const bsp_ctx *c, rd_u32 round, rd_u32 listed)
{
    return BSP_REPEATS ? round % 2 * c->control[BSP_PARTS] : listed;
}

/* A 64-bit value in two words that are not accessed by atomics. */
rd_fn rd_u64 bsp_wide(rd_global const rd_u32 *word)
{
    return (rd_u64)word[1] << 32 | word[0];
}

rd_fn void bsp_put_wide(rd_global rd_u32 *word, rd_u64 value)
{
    word[0] = (rd_u32)value;
    word[1] = (rd_u32)(value >> 32);
}

/* Makes a slot ready for what the round before it will add. */
rd_fn void bsp_clear_slot(rd_global rd_u32 *slot)
{
    rd_st_rlx(&slot[BSP_COUNT], 0); /* partners: the atomics of rounds that a barrier or a launch keeps apart */
    rd_st_rlx(&slot[BSP_BIG_COUNT], 0);
    rd_st64_rlx((rd_global rd_u64 *)&slot[BSP_FRONT_EDGES], 0);
    rd_st_rlx(&slot[BSP_MOST_EDGES], 0);
    rd_st_rlx(&slot[BSP_SPILLED], 0);
    if (RD_CORE)
        rd_st_rlx(&slot[BSP_OWNED], 0);
    rd_st_rlx(&slot[BSP_CURSOR], 0);
    rd_st64_rlx((rd_global rd_u64 *)&slot[BSP_LOOKED], 0);
}

#if BSP_FUSES
rd_fn rd_u32 bsp_bins_soonest(const bsp_ctx *c, rd_u32 round, rd_u32 *tasks, rd_u32 *ran);
#endif

/* What the app says of a task before its edges are visited. */
#ifdef RD_APP_OPENS_IN_ROUND
#define bsp_open(app, v, round) rd_app_open_in_round(app, v, round)
#else
#define bsp_open(app, v, round) rd_app_open(app, v)
#endif

/* ---- The round ---- */

#if BSP_CAN_PULL
/* May a round of this run pull? GPUs have programs for runs that only push; a core has one for all, and on a path the
 * question alone takes a third of a round. */
rd_fn rd_u32 bsp_may_pull(const bsp_ctx *c)
{
    return !RD_CORE || c->direction != BSP_ALWAYS_PUSH;
}

/* Push to pull when that is expected to look at fewer edges than the round has: a vertex without a place looks at
 * edges / (the round's edges) of its own until it finds one that leads to the round, or at all. Back when the tasks are
 * under 1/BETA of all vertices.
 * Where neighbours of neighbours are neighbours (web crawls) many look through all they have, and find none. A round
 * that looked at GAMMA times its edges shows that, and none pulls any more, but where all that is left are fewer edges
 * than the round's.
 * Cores ask some vertices first (bsp/probe.k.h). To look at a bit takes them half as long as to offer a vertex a place,
 * which is a way to memory, and a quarter where that is far away and others write there too. Each vertex that is asked
 * takes half an edge. */
#define BSP_BETA         18
#define BSP_GAMMA        3
#define BSP_PROBES_ASKED 32
#define BSP_PROBE_EDGES  32
#define BSP_PROBE_SHARE  32 /* a round that finds one in so many vertices is worth it */
#define BSP_PROBE_FAR    16 /* log2 of how many vertices are so far that what is known of them is in no near cache */
/* What it found out, in one word: how many vertices were asked, for how many edges in all, and: most lead far. */
#define BSP_PROBED_ASKED(word)         ((word)&127)
#define BSP_PROBED_FAR(word)           ((word) >> 7 & 1)
#define BSP_PROBED_EDGES(word)         ((word) >> 8)
#define BSP_PROBED_WORD(n, far, edges) ((edges) << 8 | (far) << 7 | (n))

/* --direction pull. On a deep graph each round would ask all that are left for the few it has, thousands of times the
 * work; so a core only does it for rounds that have one in DELTA of what there is to look at. */
#define BSP_DELTA 4

rd_fn rd_u32 bsp_has_to_pull(const bsp_ctx *c, const bsp_view *v, rd_u64 unseen)
{
    return c->direction == BSP_ALWAYS_PULL &&
           (!RD_CORE || unseen + c->vertices - v->ran <= BSP_DELTA * (v->front + v->tasks));
}

/* Is a round of a core better pulled? By what one found out; or, where a round has few tasks and nobody asked, because
 * all the edges that are left are that few: it has a hub. */
rd_fn rd_u32 bsp_probed(const bsp_ctx *c, const bsp_view *v, rd_u64 unseen, rd_u32 probed)
{
    const rd_u64 settled = v->ran + v->tasks, open = settled < c->vertices ? c->vertices - settled : 0;
    const rd_u64 looks = probed ? open * BSP_PROBED_EDGES(probed) / BSP_PROBED_ASKED(probed) : unseen;
    return looks + open / 2 < v->front * (BSP_PROBED_FAR(probed) ? 4 : 2);
}

rd_fn rd_u32 bsp_choose(const bsp_ctx *c, const bsp_view *v, rd_u32 was, rd_u32 spilled, rd_u32 probed)
{
    const rd_u64 unseen = v->seen < c->edges ? c->edges - v->seen : 0, settled = v->ran + v->tasks;
    const rd_u64 each = v->front ? c->edges / v->front : c->edges;
    const rd_u64 all = settled < c->vertices ? (c->vertices - settled) * each : 0, looks = all < unseen ? all : unseen;
    const rd_u32 much = was == BSP_PULL          ? v->tasks >= c->vertices / BSP_BETA
                        : RD_CORE && probed != 0 ? bsp_probed(c, v, unseen, probed)
                                                 : looks < v->front || (RD_CORE && bsp_probed(c, v, unseen, 0));
    const rd_u32 surely = unseen < v->front && v->tasks >= c->vertices / BSP_BETA; /* it cannot look at more */
    const rd_u32 better = (much && !v->wary) || surely;
    return spilled || bsp_has_to_pull(c, v, unseen) || (c->direction == BSP_SWITCHING && better) ? BSP_PULL : BSP_PUSH;
}
#endif

#if BSP_REPEATS
#include "sched/bsp/widen.k.h"
#endif

/* Loads that follow a barrier or a launch, after which no one changes these words before the next. Relaxed atomics
 * where words are changed by atomics in other rounds. */
rd_across(rd_fn, bsp_view, bsp_look, (const bsp_ctx *c, rd_u32 round))
{
    rd_global const rd_u32 *now = bsp_slot(c, round), *before = bsp_slot(c, round + BSP_SLOTS - 1);
    bsp_view v;
    v.number = round;
    v.kind = BSP_PUSH;
    v.tasks = rd_ld_rlx(&now[BSP_COUNT]);
    v.parts = rd_ld_rlx(&now[BSP_BIG_COUNT]);
    v.front = rd_ld64_rlx((rd_global const rd_u64 *)&now[BSP_FRONT_EDGES]);
    v.most = rd_ld_rlx(&now[BSP_MOST_EDGES]);
    v.ran = bsp_wide(&now[BSP_RAN]);
    v.start = bsp_queue_start(c, round, v.ran);
    v.big_start = now[BSP_BIG_START];
    v.seen = (round ? bsp_wide(&before[BSP_SEEN_EDGES]) : 0) + v.front;
    if (BSP_GUARDED && v.ran + v.tasks > c->vertices) {
        v.ran += v.tasks; /* so that the rounds after it say so too */
        v.tasks = v.parts = 0;
    }
    v.set = now[BSP_SET];
    v.narrow = BSP_LEAVES ? now[BSP_NARROW] : 0;
    v.phase = v.phase_before = v.far = v.far_tasks = v.binned = v.done = 0;
    v.width = 1;
    v.wary = 0;
#if BSP_CAN_PULL
    if (bsp_may_pull(c)) {
        if (round) { /* partners: the adds in bsp_pull_round and where tasks are given, before a barrier or a launch */
            const rd_u64 looked = rd_ld64_rlx((rd_global const rd_u64 *)&before[BSP_LOOKED]);
            const rd_u64 front = rd_ld64_rlx((rd_global const rd_u64 *)&before[BSP_FRONT_EDGES]);
            v.wary = before[BSP_WARY] || looked > BSP_GAMMA * front;
        }
        v.kind = bsp_choose(c, &v, round ? before[BSP_KIND] : BSP_PUSH, rd_ld_rlx(&now[BSP_SPILLED]),
                            RD_CORE ? now[BSP_PROBED] : 0);
    }
#endif
#if BSP_REPEATS
    v.phase = v.phase_before = now[BSP_PHASE];
    v.far = now[BSP_FAR];
    rd_global const rd_u32 *far = c->control + v.far % BSP_FAR_SETS * BSP_LINE;
    v.far_tasks = rd_ld_rlx(&far[BSP_FAR_COUNT]);
    rd_u32 bins = BSP_NEVER, ran = 0;
#if BSP_FUSES
    bins = bsp_bins_soonest(c, round, &v.binned, &ran);
#endif
    bsp_widen(c, now, &v, ran);
    if (!v.tasks && (v.far_tasks || v.binned)) {
        const rd_u32 far_soon = v.far_tasks ? rd_ld_rlx(&far[BSP_FAR_SOON]) : BSP_NEVER;
        const rd_u32 soonest = far_soon < bins ? far_soon : bins;
        v.phase = bsp_last_of(soonest, v.width);
        v.kind = far_soon <= v.phase ? BSP_REFILL : BSP_OPEN; /* what is due in the far set must not be passed over */
    }
#endif
    return v;
}

rd_fn rd_u32 bsp_over(const bsp_view *v)
{
    return v->tasks == 0 && v->far_tasks == 0 && !v->binned;
}

/* Once a round, by one lane: what follows from this round for the next, and the one after made ready. */
rd_fn void bsp_turn(const bsp_ctx *c, const bsp_group *g)
{
    const bsp_view *v = &g->view;
    const rd_u32 pulls = v->kind == BSP_PULL && v->tasks, refills = v->kind == BSP_REFILL;
    bsp_put_wide(&g->next[BSP_RAN], v->ran + v->tasks);
    g->next[BSP_BIG_START] = bsp_parts_start(c, v->number + 1, v->big_start + v->parts);
    g->next[BSP_SET] = v->set ^ pulls;
    g->next[BSP_PHASE] = v->phase;
    if (BSP_CAN_PULL && RD_CORE)
        g->next[BSP_PROBED] = 0;
#if BSP_WIDENS
    bsp_put_width(g->next, v, v->tasks);
#endif
    g->next[BSP_FAR] = v->far + refills;
    g->now[BSP_KIND] = v->kind;
    g->now[BSP_WARY] = v->wary;
    bsp_put_wide(&g->now[BSP_SEEN_EDGES], v->seen);
    bsp_clear_slot(bsp_slot(c, v->number + 2));
    c->control[BSP_ROUNDS] += v->tasks != 0;
    c->control[BSP_PULLED] += pulls;
    c->control[BSP_REFILLS] += refills;
    if (refills) { /* entry + 1 is being filled; entry + 2 comes next and was last used two refills ago */
        rd_global rd_u32 *far = c->control + (v->far + 2) % BSP_FAR_SETS * BSP_LINE;
        rd_st_rlx(&far[BSP_FAR_COUNT], 0); /* partners: the atomics of rounds kept apart */
        rd_st_rlx(&far[BSP_FAR_SOON], BSP_NEVER);
    }
}

#endif
