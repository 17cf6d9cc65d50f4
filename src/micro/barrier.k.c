/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier.k.c - kernels that put the global barrier and discovery to the test, and to the clock. The kernels rounds_...
 * prove each barrier (barrier_rounds.k.h); timed_... hold only the barrier.
 */
#include "raddle/kernel.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/crew.k.h"
#include "sched/parts/discovery.k.h"
#include "micro/barrier_layout.k.h"
#include "micro/barrier_rounds.k.h"

ROUNDS_KERNEL(rounds_flags, rd_grid_open_flags, rd_grid_barrier_flags, 1)
ROUNDS_KERNEL(rounds_counter, rd_grid_open_counter, rd_grid_barrier_counter, 1)
ROUNDS_KERNEL(rounds_word, rd_grid_open_word, rd_grid_barrier_word, 1)
ROUNDS_KERNEL(rounds_tree, rd_grid_open_tree, rd_grid_barrier_tree, 1)
ROUNDS_KERNEL(timed_flags, rd_grid_open_flags, rd_grid_barrier_flags, 0)
ROUNDS_KERNEL(timed_counter, rd_grid_open_counter, rd_grid_barrier_counter, 0)
ROUNDS_KERNEL(timed_word, rd_grid_open_word, rd_grid_barrier_word, 0)
ROUNDS_KERNEL(timed_tree, rd_grid_open_tree, rd_grid_barrier_tree, 0)

/* The barrier among groups whose number may change (parts/crew.k.h), when it does not: what it costs to be able to. All
 * live from the start on; a grid's words have the crew's, its `turn` the phase. */
#define CREW_MAIL 32 /* words from the start on; mail has room for one value */

rd_fn rd_grid crew_open(rd_global rd_u32 *words, rd_u32 id, rd_u32 count)
{
    rd_global rd_u64 *const word = (rd_global rd_u64 *)words;
    rd_grid g = {words, id, count, 0};
    if (rd_lane() == 0) {
        const rd_u64 all = RD_CREW_FIRST((rd_u64)count, (rd_u64)count);
        if (id == 0 && rd_ld64_rlx(word) == 0) /* the first launch; pairs with the acquire below */
            rd_cas64_acqrel(word, 0, all);
        rd_u64 seen = rd_ld64_acq(word);
        for (rd_u32 looks = 0; seen == 0; looks++) {
            rd_wait(looks);
            seen = rd_ld64_acq(word);
        }
        g.turn = rd_crew_phase(seen); /* it opens only after this group has come to it */
    }
    return g;
}

rd_fn void crew_barrier(rd_grid *g, rd_local rd_u32 *scratch)
{
    const rd_u32 value = 0;
    rd_crew crew = {(rd_global rd_u64 *)g->word, g->word + CREW_MAIL, scratch, 1, 0, g->turn};
    (void)rd_resizing_barrier(&crew, &value, 1);
    g->turn = crew.phase;
}
#define CREW_BARRIER(g) crew_barrier(g, scratch)

ROUNDS_KERNEL(rounds_resizing, crew_open, CREW_BARRIER, 1)
ROUNDS_KERNEL(timed_resizing, crew_open, CREW_BARRIER, 0)

/* Discovery: each group leaves its number and the count it was told; participants then meet, which hangs unless they
 * are resident together. */
rd_context(discover_ctx, DISCOVER_ARGS);

rd_fn void discover_and_meet(const discover_ctx *c, rd_local rd_u32 *scratch)
{
    rd_u32 count = 0;
    const rd_u32 id = rd_discover(scratch, c->poll, c->kind, c->delay, c->native, &count);
    const rd_u32 end = id == RD_OUTSIDE ? 0 : c->meetings;
    rd_grid g = rd_grid_open(c->words, id == RD_OUTSIDE ? 0 : id, count);
    if (rd_lane() == 0) {
        c->found[2 * rd_group()] = id;
        c->found[2 * rd_group() + 1] = count;
    }
    for (rd_u32 r = 0; r < end; r++)
        rd_global_barrier(&g);
}

rd_kernel(discover, DISCOVER_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const discover_ctx c = rd_bind(DISCOVER_ARGS);
    discover_and_meet(&c, scratch);
}

/* The same with so much group memory that fewer groups fit. */
rd_kernel(discover_large, DISCOVER_ARGS)
{
    rd_local_array(rd_u32, scratch, BARRIER_LARGE_WORDS + RD_SCRATCH);
    const discover_ctx c = rd_bind(DISCOVER_ARGS);
    discover_and_meet(&c,
                      scratch + delay % BARRIER_LARGE_WORDS); /* or a compiler would see that most of it is not used */
}

/* The barrier of programs that assume that all groups of a launch run at once. When they do not, those that came wait
 * for others that start only after them: until the host tells them to leave, or they have looked so often that a device
 * which cannot be told would hang. out[BARRIER_COUNT] counts arrivals. */
rd_kernel(meet, MEET_ARGS)
{
    if (rd_lane() == 0) {
        rd_add_acqrel(&out[BARRIER_COUNT], 1); /* pairs with the loads below */
        rd_u32 all = 0, left = looks;
        while (!all && left) {
            all = rd_ld_acq(&out[BARRIER_COUNT]) == rd_groups(); /* pairs with the additions of others */
            left = left % 1024 == 0 && rd_stopped() ? 0 : left - 1;
            rd_pause();
        }
        if (all)
            rd_add_rlx(&out[BARRIER_DONE], 1); /* read by the host */
    }
}

/* Nothing, to be launched again and again. */
rd_kernel(nothing, NOTHING_ARGS)
{
}

/* clang-format off */
#define BARRIER_KERNELS(k)           \
    k(rounds_flags, ROUNDS_ARGS)     \
    k(rounds_counter, ROUNDS_ARGS)   \
    k(rounds_word, ROUNDS_ARGS)      \
    k(rounds_tree, ROUNDS_ARGS)      \
    k(timed_flags, ROUNDS_ARGS)      \
    k(timed_counter, ROUNDS_ARGS)    \
    k(timed_word, ROUNDS_ARGS)       \
    k(timed_tree, ROUNDS_ARGS)       \
    k(rounds_resizing, ROUNDS_ARGS)  \
    k(timed_resizing, ROUNDS_ARGS)   \
    k(discover, DISCOVER_ARGS)       \
    k(discover_large, DISCOVER_ARGS) \
    k(meet, MEET_ARGS)               \
    k(nothing, NOTHING_ARGS)
/* clang-format on */
rd_kernels(BARRIER_KERNELS);
