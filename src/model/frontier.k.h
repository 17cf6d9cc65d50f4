/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frontier.k.h - model `frontier`: a task is a vertex of a graph, which gives others as tasks. This is the whole
 * contract of such an app; docs/frontier.md teaches it. The smallest one, as a whole (tests/lint.sh compiles it):
 *
 *     #include "model/frontier.k.h"
 *
 *     #define RD_APP_ARGS(buf, arg) buf(rd_u32, seen)
 *     rd_context(rd_app, RD_APP_ARGS);
 *
 *     rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
 *     {
 *         return 0;
 *     }
 *
 *     rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
 *     {
 *         return !rd_ld_rlx(&a->seen[v]);
 *     }
 *
 *     rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
 *     {
 *         if (!rd_xchg_rlx(&a->seen[v], 1))
 *             rd_give(w, v);
 *     }
 *
 * WHAT AN APP DEFINES
 *
 *   RD_APP_ARGS(buf, arg), rd_context(rd_app, RD_APP_ARGS)   its arguments, as its host side passes them
 *
 *   rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
 *       Task u is about to run. What it returns is the `value` of the functions below.
 *   rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
 *       Is an edge to v worth a visit? A cheap look that may be out of date. Without effects.
 *   void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
 *       Visits edge e, from u to v. May give one task.
 *
 * WHAT IT MAY DEFINE, #define RD_APP_NAME 1 before it includes this file
 *
 *   VERTEX     Tasks are whole vertices: instead of the three functions above
 *                  void rd_app_vertex(const rd_app *a, rd_worker *w, rd_u32 v, rd_global const rd_u32 *to,
 *                                     rd_u32 degree)
 *              runs v, on one lane; its edges lead to to[0] .. to[degree - 1]. May give one task. With it
 *                  #define RD_APP_WIDE n
 *                  void rd_app_vertex_wide(const rd_app *a, rd_worker *w, const rd_team *team, rd_u32 v,
 *                                          rd_global const rd_u32 *to, rd_u32 degree)
 *              runs a v of more than n edges, with all lanes of a group, where RD_LANES > 1: group operations are
 *              allowed (team->scratch), and each lane may give one task. RD_APP_WORDS [1]: words of group memory for
 *              the app, team->words, in no defined state at first. Not in rounds.
 *   NO_ROUNDS  Only where tasks run in any order. Then rd_app_open may have effects.
 *   SKIP v     (needs NO_ROUNDS) When rd_app_open returns v, the edges of the task are not visited.
 *   REPEATS    In rounds a vertex may be given again, for a phase:
 *                  rd_u32 rd_app_when(const rd_app *a, rd_u32 v)
 *              says the phase in which v is due as things are; it may fall while v waits, never rise. It is the same
 *              that rd_give_later was told, or less.
 *   RANKS      Vertices have a rank, the least first where the policy has an order:
 *                  rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
 *              The rank of a vertex may fall while it waits, and whoever lowers it gives the vertex again; it never
 *              rises. Such an app also runs under `heap` and `multi`, which may run a vertex again from its first
 *              edge.
 *   URGENT     The app calls rd_give_urgent.
 *   PULLS      (not with REPEATS) In rounds, when most vertices are given, one that is not may ask its neighbours
 *              instead of being told by them:
 *                  void rd_app_pull(const rd_app *a, rd_u32 v, rd_u32 u, rd_u32 round)
 *              v counts as given by u, a neighbour that was given for round `round`, any one of those. One lane at a
 *              time calls it for v, once. Symmetric graphs only; rd_app_edge gives v then, and not anything else. A v
 *              that it knows and does not give (bfs: a leaf) may be pulled later on, and counts as given then.
 *   EARLY      (with REPEATS, not with DUE) Phases only save work: a task may run before its phase has begun, and is
 *              given again by who improves it later.
 *   DUE        (with REPEATS) Rounds only, and no task runs before all of earlier phases are over. Where a task that
 *              waits may have become due earlier, and nobody gives it again, the app says so:
 *                  rd_due(w, when)   something waits that may be due in phase `when` now
 *              With SEEDS every vertex waits for its phase from the start: the predicate is asked for all, to give
 *              them their first state, and what it answers does not count. No task runs in phase 0 then.
 *   LATE       (not with REPEATS or PULLS) In rounds a vertex may be given by all its neighbours, and is claimed when a
 *              round takes it:
 *                  rd_u32 rd_app_claim(const rd_app *a, rd_u32 v, rd_u32 level)
 *              @return 1 to one of those that ask for v in a run, and to seeds: the task runs. 0: it was claimed, and
 *              is dropped. level: the seeds' is 0, and each claim leads to the next. With RD_APP_APART 1 rounds of
 *              claims and rounds of edges take turns: two rounds a level.
 *   SEEDS      Seeds by a predicate, for RD__SEEDS_WHERE of the host side (model/model.h has the other kinds):
 *                  rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
 *              RD_SEED_NOW: v is a seed. RD_SEED_NO: it is not. RD_SEED_LATER: not now, but v is to be asked again for
 *              the next stage, where that asks only those that were left (`later`). Asked once for each vertex, by one
 *              lane, in a launch before the run; may give v's data their first state. After this file will do too.
 *   SEED_EDGES (with SEEDS) The predicate adds up something over the edges of v, which a vertex of many edges has done
 *              by many lanes. Instead of rd_app_is_seed:
 *                  rd_u32 rd_app_seed_edge(const rd_app *a, rd_u32 v, rd_u32 u, rd_u64 e)
 *              what edge e from v to u counts, without effects, once for each edge; and
 *                  rd_u32 rd_app_is_seed_by(const rd_app *a, rd_u32 v, rd_u32 count)
 *              as rd_app_is_seed, with the sum over all edges of v. Instead of 1 it may be defined as a condition
 *              of a's numbers: where that is 0 the sum is 0, and edges are not looked at.
 *   PREFETCH   On a core: asks for memory before it is needed (rd_prefetch), and does nothing else.
 *                  void rd_app_prefetch_edges(const rd_app *a, rd_u64 e)   the app's own data of edges from e on
 *                  void rd_app_prefetch(const rd_app *a, rd_u32 v)         what an edge to v looks at
 *   and, where the text of the app has them, after this file too:
 *   OPENS_IN_ROUND   rd_u32 rd_app_open_in_round(const rd_app *a, rd_u32 u, rd_u32 round)
 *              The same result as rd_app_open, when the number of the round is known; the seeds' is 0.
 *   WANTS_EDGE       rd_u32 rd_app_want_edge(const rd_app *a, rd_u32 value, rd_u32 v, rd_u64 e)
 *              The same question as rd_app_want, with the edge; asked instead of it by some engines.
 *
 * Its text may ask RD_ROUNDS: 1, tasks run in rounds, 0, in any order; and is compiled for both unless it says
 * NO_ROUNDS or VERTEX.
 *
 * WHAT IT PROMISES
 *
 *   In rounds, without REPEATS or LATE, a vertex is given at most once in a run, seeds included: claim it by an atomic
 *   (above). With LATE each edge gives at most its target, and no vertex is claimed twice. Functions do not wait for
 *   other tasks, and have no group operations but in rd_app_vertex_wide.
 *
 * WHAT IT IS PROMISED
 *
 *   Every task that was given runs, and the run ends when none is left. In rounds all that round r gave runs in round
 *   r + 1 (of REPEATS: or sooner, when it is due in the phase at hand). Without rounds a task that is given while it
 *   waits may be one with the one that waits; given while it runs, it runs again. Two tasks of one vertex never have
 *   their calls mixed up: `value` is that of the task's own opening.
 *   rd_app_edge: once for each edge of a task that is wanted; also for edges that are not, where asking would cost
 *       more. Loops and duplicates are edges like others. (heap, multi: see RANKS.) Those of one task may be visited at
 *       the same time, by several groups.
 *   rd_app_open: without rounds once for each time that the vertex runs, before its edges. In rounds at least once: a
 *       vertex with very many edges is cut into parts, and each is opened by itself, maybe at the same time; so it
 *       must be without effects and come to the same each time.
 *   rd_app_want, _want_edge, _when, _rank, _prefetch, _prefetch_edges: any number of times, by anyone.
 *   rd_app_vertex, rd_app_vertex_wide: once for each time that the vertex runs, one of them.
 *   What a lane did before it gave a task is seen by the functions of that task, plain stores included (of REPEATS:
 *   by those from rd_app_when on). Tasks that run at the same time see each other's words through atomics only;
 *   relaxed ones will do unless a word tells of another. Between rounds lies a barrier: what one wrote the next may
 *   read, but not by rd_ld_const.
 *   rd_give_urgent: under engines with RD_URGENT such a task is taken before all others that wait in the shared
 *   queue; elsewhere it is an ordinary one.
 */
#ifndef RD_MODEL_FRONTIER_K_H
#define RD_MODEL_FRONTIER_K_H

#include "raddle/kernel.h"

/* 1: tasks run in rounds. 0: in any order. The engine's line in sched/engines.def says which. */
#ifndef RD_ROUNDS
#error "the engine's constants must say RD_ROUNDS: do tasks run in rounds?"
#endif
#ifndef RD_URGENT
#error "the engine's constants must say RD_URGENT: do urgent tasks go before the others?"
#endif

#if defined(RD_APP_VERTEX) && !defined(RD_APP_WIDE)
#error "RD_APP_VERTEX needs RD_APP_WIDE: the most edges of a vertex that one lane runs alone"
#endif
#if !defined(RD_APP_VERTEX) && (defined(RD_APP_WIDE) || defined(RD_APP_WORDS))
#error "RD_APP_WIDE and RD_APP_WORDS belong to RD_APP_VERTEX"
#endif
#if defined(RD_APP_SKIP) && !defined(RD_APP_NO_ROUNDS)
#error "RD_APP_SKIP needs RD_APP_NO_ROUNDS: in rounds edges are visited whatever rd_app_open returns"
#endif
#if defined(RD_APP_REPEATS) && (defined(RD_APP_NO_ROUNDS) || defined(RD_APP_VERTEX))
#error "RD_APP_REPEATS is about rounds: leave it out where there are none (RD_APP_NO_ROUNDS, RD_APP_VERTEX)"
#endif
#if defined(RD_APP_PULLS) && (defined(RD_APP_REPEATS) || defined(RD_APP_NO_ROUNDS) || defined(RD_APP_VERTEX))
#error "RD_APP_PULLS is for rounds in which each vertex is given once: not with REPEATS, NO_ROUNDS or VERTEX"
#endif
#if defined(RD_APP_LATE) &&                                                                                            \
    (defined(RD_APP_REPEATS) || defined(RD_APP_PULLS) || defined(RD_APP_NO_ROUNDS) || defined(RD_APP_VERTEX))
#error "RD_APP_LATE is for rounds in which each vertex runs once: not with REPEATS, PULLS, NO_ROUNDS or VERTEX"
#endif
#if defined(RD_APP_DUE) && !defined(RD_APP_REPEATS)
#error "RD_APP_DUE is about phases: define RD_APP_REPEATS too"
#endif
#if defined(RD_APP_EARLY) && (!defined(RD_APP_REPEATS) || defined(RD_APP_DUE))
#error "RD_APP_EARLY is about phases that only save work: with RD_APP_REPEATS, and without RD_APP_DUE"
#endif
#if defined(RD_APP_VERTEX) && defined(RD_APP_RANKS)
#error "RD_APP_RANKS is for apps of edges: no engine has an order of whole vertices"
#endif

/* What was said before this file: what is said later would be heard by some only. */
#ifdef RD_APP_URGENT
#define RD_SAID_URGENT 1
#endif
#if defined(RD_APP_VERTEX) || defined(RD_APP_SKIP) || defined(RD_APP_REPEATS) || defined(RD_APP_PULLS) ||              \
    defined(RD_APP_LATE)
#define RD_SAID_KIND 1
#endif

/* What rd_app_is_seed returns. */
#define RD_SEED_NO    0
#define RD_SEED_NOW   1
#define RD_SEED_LATER 2

/* Private to a lane. A function of the app gives at most one task per call. */
typedef struct {
    rd_u32 task;
    rd_u32 given;
    rd_u32 again;
#if RD_ROUNDS
    rd_u32 when;
#endif
} rd_worker;
#if RD_ROUNDS
#define RD_WORKER_NEW                                                                                                  \
    {                                                                                                                  \
        0, 0, 0, 0                                                                                                     \
    }
#else
#define RD_WORKER_NEW                                                                                                  \
    {                                                                                                                  \
        0, 0, 0                                                                                                        \
    }
#endif

/* What the lanes of a group share while they run one task together. */
typedef struct {
    rd_local rd_u32 *scratch; /* RD_SCRATCH words, of collectives */
    rd_local rd_u32 *words;   /* RD_APP_WORDS words for the app */
} rd_team;

rd_fn void rd_give(rd_worker *w, rd_u32 task)
{
    w->task = task;
    w->given = 1;
}

/* Gives a task that was given before: work that better luck would have saved. Counted as such. */
rd_fn void rd_give_again(rd_worker *w, rd_u32 task)
{
    rd_give(w, task);
    w->again = 1;
}

/* Gives a task that is not to run before phase `when`: the lower, the sooner. In rounds a phase begins when no task of
 * the phases before it is left (with RD_APP_EARLY, or sooner). Without rounds it is an ordinary task. Of apps that
 * define RD_APP_REPEATS; rd_give of such an app is for the phase at hand. */
rd_fn void rd_give_later(rd_worker *w, rd_u32 task, rd_u32 when)
{
    rd_give(w, task);
#if RD_ROUNDS
    w->when = when;
#endif
}

rd_fn void rd_give_again_later(rd_worker *w, rd_u32 task, rd_u32 when)
{
    rd_give_again(w, task);
#if RD_ROUNDS
    w->when = when;
#endif
}

#if RD_ROUNDS && defined(RD_APP_DUE)
/* Instead of giving a task: one that waits may be due in phase `when`, later than the one at hand. */
rd_fn void rd_due(rd_worker *w, rd_u32 when)
{
    w->when = when;
}
#endif

/* The same, before all tasks of rd_give that wait: a correction, whose delay would spread what is wrong. An app that
 * uses it defines RD_APP_URGENT; where the scheduler has no such thing it is as rd_give_again. */
#if RD_URGENT && defined(RD_APP_URGENT)
#define RD_TASK_URGENT 0x80000000u /* in the task, until it is in its queue */
#else
#define RD_TASK_URGENT 0u
#endif
rd_fn void rd_give_urgent(rd_worker *w, rd_u32 task)
{
    rd_give_again(w, task | RD_TASK_URGENT);
}

#ifdef RD_ALLOW
/* What a call of the app gives beside what it has given. */
#define RD_GIVES_ONE(w, v, give)                                                                                       \
    __extension__({                                                                                                    \
        rd_worker *const rd_w = (w);                                                                                   \
        const rd_u32 rd_v = (v);                                                                                       \
        RD_ALLOW(!rd_w->given || rd_w->task == rd_v,                                                                   \
                 "a call gives a second task, and only the last one would run: give one in a call");                   \
        give;                                                                                                          \
    })
#define rd_give(w, v)                   RD_GIVES_ONE(w, v, rd_give(rd_w, rd_v))
#define rd_give_again(w, v)             RD_GIVES_ONE(w, v, rd_give_again(rd_w, rd_v))
#define rd_give_later(w, v, when)       RD_GIVES_ONE(w, v, rd_give_later(rd_w, rd_v, when))
#define rd_give_again_later(w, v, when) RD_GIVES_ONE(w, v, rd_give_again_later(rd_w, rd_v, when))
#define rd_give_urgent(w, v)            RD_GIVES_ONE(w, v, rd_give_urgent(rd_w, rd_v))
#endif

#else /* the engine's text includes this again, after the app's */

#ifndef RD_APP_ARGS
#error "the app has no RD_APP_ARGS(buf, arg): the list of its kernel arguments, and rd_context(rd_app, RD_APP_ARGS)"
#endif
#if defined(RD_APP_URGENT) && !defined(RD_SAID_URGENT)
#error "define RD_APP_URGENT before you include model/frontier.k.h"
#endif
#if (defined(RD_APP_VERTEX) || defined(RD_APP_SKIP) || defined(RD_APP_REPEATS) || defined(RD_APP_PULLS) ||             \
     defined(RD_APP_LATE)) &&                                                                                          \
    !defined(RD_SAID_KIND)
#error "define RD_APP_VERTEX, _SKIP, _REPEATS, _LATE and _PULLS before you include model/frontier.k.h"
#endif

#endif
