/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier.k.h - the global barrier: no lane of a participating group goes on before all lanes of all participating
 * groups have come.
 *
 * Use. All participants are resident at once (a cooperative launch, or parts/discovery.k.h) and know their number id <
 * count: rd_grid grid = rd_grid_open(words, id, count); for (...) { ...; rd_global_barrier(&grid); } Every lane of
 * every participant calls it equally often. The words are zero before the first use ever; each form leaves them ready
 * for the next barrier and the next launch, which may have another count.
 *
 * Forms. RD_GRID_FORM, a compile-time constant, says which one rd_global_barrier is.
 *
 *   flags    The master/slave barrier of Xiao and Feng (IPDPS 2010) with the orders of Sorensen (PhD thesis, 2018,
 *            3.5). Group 0 is the master: its lanes watch one flag a slave, and lower them when all are up. No
 *            read-modify-write operation at all.
 *   counter  Groups add to an arrival word; the last to come resets it and advances a generation word, on another line,
 *            which the rest watch.
 *   word     Groups add to one word and watch the same word (as CUDA's grid sync does). Its top bit tells the phase:
 *            the additions of one phase sum up to 2^31, because group 0 adds 2^31 - (count - 1) and the others 1, so
 *            the bit changes just when the last one comes, and the lower bits are back at zero.
 *   tree     The looks of very many groups hold up each other's additions. So groups add to one of RD_GRID_BRANCHES
 *            words first, and only the last one on each goes on to the word that all watch.
 *   best     word for up to RD_GRID_DIRECT groups, tree for more.
 *
 * Memory order. What any lane did before the barrier happens before what any other lane does after it, plain accesses
 * included. In the same group: by rd_barrier. From group A to group B: a lane of A, rd_barrier at A's entry, A's
 * release, the acquire in B, rd_barrier at B's exit, a lane of B. Between A's release and B's acquire:
 *
 *   flags    the master's acquire, the master's rd_barrier, the master's release; nothing when A or B is the master.
 *   counter  additions are acq_rel, so the last one has acquired all earlier ones; it releases the generation.
 *   word     additions only release. They are read-modify-writes of one word and hence one release sequence, so the
 *            acquire that sees the new phase synchronises with all of them.
 *   tree     additions to a branch are acq_rel, so the last one has acquired all on its branch; then as word.
 *
 * A watcher cannot miss a change of phase: the next one needs its own arrival.
 *
 * Waiting. A lane looks RD_GRID_EAGER times at full speed, since the others are usually less than a microsecond behind,
 * then pauses between looks; on a CPU it sleeps in the end, since one of the others has lost its processor.
 */
#ifndef RD_SCHED_BARRIER_K_H
#define RD_SCHED_BARRIER_K_H

#include "raddle/kernel.h"
#include "sched/parts/barrier_layout.k.h"

#define RD_GRID_EAGER 64
#ifndef RD_GRID_FORM
#define RD_GRID_FORM best
#endif

/* The participants as one of them sees them; private, equal in all lanes. */
typedef struct {
    rd_global rd_u32 *word;
    rd_u32 id, count;
    rd_u32 turn; /* what the watched word shows before this group arrives: a generation, or the phase bit */
} rd_grid;

/* Waits while (*p & mask) == old. */
rd_fn void rd_grid_wait(rd_global rd_u32 *p, rd_u32 mask, rd_u32 old)
{
    for (rd_u32 looks = 0; (rd_ld_acq(p) & mask) == old; looks++) /* pairs with the release that each caller names */
        if (looks >= RD_GRID_EAGER)
            rd_wait(looks - RD_GRID_EAGER);
}

/* ---- flags ---- */

rd_fn rd_grid rd_grid_open_flags(rd_global rd_u32 *words, rd_u32 id, rd_u32 count)
{
    const rd_grid g = {words, id, count, 0};
    return g;
}

rd_fn void rd_grid_barrier_flags(rd_grid *g)
{
    rd_barrier(); /* a slave has come as a whole */
    if (g->id == 0) {
        for (rd_u32 i = rd_lane() + 1; i < g->count; i += rd_lanes())
            rd_grid_wait(&g->word[i], 1, 0); /* pairs with the slave's release of 1 */
    } else if (rd_lane() == 0) {
        rd_st_rel(&g->word[g->id], 1);       /* pairs with the master's acquire */
        rd_grid_wait(&g->word[g->id], 1, 1); /* pairs with the master's release of 0 */
    }
    rd_barrier(); /* master: all slaves and all its lanes have come; slave: it may go on as a whole */
    if (g->id == 0)
        for (rd_u32 i = rd_lane() + 1; i < g->count; i += rd_lanes())
            rd_st_rel(&g->word[i], 0); /* pairs with the slave's acquire; the same lane watches this flag next time */
}

/* ---- counter ---- */

rd_fn rd_grid rd_grid_open_counter(rd_global rd_u32 *words, rd_u32 id, rd_u32 count)
{
    /* relaxed: the generation cannot advance before this group arrives, so there is only one value to see */
    const rd_grid g = {words, id, count, rd_ld_rlx(&words[RD_GRID_LINE])};
    return g;
}

rd_fn void rd_grid_barrier_counter(rd_grid *g)
{
    rd_barrier();
    if (rd_lane() == 0) {
        if (rd_add_acqrel(&g->word[0], 1) == g->count - 1) { /* pairs with the same addition in the other groups */
            rd_st_rlx(&g->word[0], 0); /* seen by the next arrivals: they acquire the generation first */
            rd_st_rel(&g->word[RD_GRID_LINE], g->turn + 1); /* pairs with the acquire of those who wait */
        } else {
            rd_grid_wait(&g->word[RD_GRID_LINE], 0xffffffffu, g->turn); /* pairs with the release by the last one */
        }
    }
    g->turn++;
    rd_barrier();
}

/* ---- word, tree, best ---- */

#define RD_GRID_PHASE 0x80000000u

rd_fn rd_grid rd_grid_open_word(rd_global rd_u32 *words, rd_u32 id, rd_u32 count)
{
    /* relaxed: the phase cannot change before this group arrives, so there is only one value to see */
    const rd_grid g = {words, id, count, rd_ld_rlx(&words[0]) & RD_GRID_PHASE};
    return g;
}

/* Adds one of n arrivals. */
rd_fn void rd_grid_arrive(rd_global rd_u32 *word, rd_u32 which, rd_u32 n)
{
    rd_add_rel(word, which == 0 ? RD_GRID_PHASE - (n - 1) : 1); /* pairs with the acquire in rd_grid_wait of all */
}

#define rd_grid_open_tree rd_grid_open_word
#define rd_grid_open_best rd_grid_open_word

/* Arrives on one of n branches. */
rd_fn void rd_grid_climb(const rd_grid *g, rd_u32 n)
{
    const rd_u32 mine = g->id % n, members = (g->count - mine + n - 1) / n;
    rd_global rd_u32 *const branch = &g->word[(mine + 1) * RD_GRID_LINE];
    if (rd_add_acqrel(branch, 1) == members - 1) { /* pairs with the same addition in the branch's other groups */
        rd_st_rlx(branch, 0);                      /* seen by the next arrivals: they acquire the new phase first */
        rd_grid_arrive(&g->word[0], mine, n < g->count ? n : g->count);
    }
}

/* More than `direct` groups arrive on n branches. */
rd_fn void rd_grid_barrier_climb(rd_grid *g, rd_u32 direct, rd_u32 n)
{
    rd_barrier();
    if (rd_lane() == 0) {
        if (g->count <= direct)
            rd_grid_arrive(&g->word[0], g->id, g->count);
        else
            rd_grid_climb(g, n);
        rd_grid_wait(&g->word[0], RD_GRID_PHASE, g->turn); /* pairs with the additions in rd_grid_arrive */
    }
    g->turn ^= RD_GRID_PHASE;
    rd_barrier();
}

#define rd_grid_barrier_word(g) rd_grid_barrier_climb(g, 0xffffffffu, 1)
#define rd_grid_barrier_tree(g) rd_grid_barrier_climb(g, 0, RD_GRID_BRANCHES)
#define rd_grid_barrier_best(g) rd_grid_barrier_climb(g, RD_GRID_DIRECT, RD_GRID_BRANCHES)

/* ---- The chosen form ---- */

#define RD_GRID_NAME_(verb, form) rd_grid_##verb##_##form
#define RD_GRID_NAME(verb, form)  RD_GRID_NAME_(verb, form)
/* All lanes call it, before this group's first barrier of the launch. */
#define rd_grid_open(words, id, count) RD_GRID_NAME(open, RD_GRID_FORM)(words, id, count)
#define rd_global_barrier(grid)        RD_GRID_NAME(barrier, RD_GRID_FORM)(grid)

#endif
