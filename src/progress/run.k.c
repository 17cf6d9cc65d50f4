/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.k.c - runs copies of a small program whose threads are groups. One kernel for all programs: lane 0 of a group
 * goes through a list of steps in memory, so no program has to be compiled, and no compiler sees a loop that it could
 * think endless or rewrite. What is tested is the device's scheduler.
 *
 * Orders. The checker's programs are sequentially consistent, so each step comes after a fence that makes them so here.
 * The acquires and releases of the words pair with each other (await with set, lock with unlock); all that they carry
 * is the words themselves. Words of `at` and `out` are relaxed: they are for the host, or for who has waited too long.
 *
 * Ending. A group waits for others that may never run, which is the question; so it waits a bounded time. Whoever polls
 * `limit` times while nobody in the whole launch makes a step says so in `out`, and all who wait, or begin later, leave
 * with their place in `at` kept. The host's word is looked at too, for devices where the one who polls is not run.
 */
#include "raddle/kernel.h"

#include "progress/run_layout.k.h"

#define IS_DONE   0u
#define MUST_WAIT 1u
#define LEAVES    2u

rd_context(progress_ctx, PROGRESS_ARGS);

rd_fn rd_u32 look(rd_global rd_u32 *word, rd_u32 kind)
{
    if (kind == PROGRESS_AWAIT)
        return rd_ld_acq(word) ? IS_DONE : MUST_WAIT; /* pairs with the release of SET */
    if (kind == PROGRESS_UNLESS)
        return rd_ld_acq(word) ? IS_DONE : LEAVES; /* pairs with the release of SET */
    if (kind == PROGRESS_LOCK)
        return rd_xchg_acqrel(word, 1) ? MUST_WAIT : IS_DONE; /* pairs with the release of UNLOCK */
    rd_st_rel(word, kind == PROGRESS_SET);                    /* pairs with the acquires above */
    return IS_DONE;
}

/* Makes groups come to their steps in another order each time. */
rd_fn void delay(const progress_ctx *c, rd_u32 key)
{
    rd_u32 turns = (key + c->seed) * 2654435769u;
    turns = (turns ^ turns >> 15) * 2246822519u;
    turns = c->jitter ? (turns ^ turns >> 13) % c->jitter : 0;
    for (rd_u32 i = 0; i < turns; i++)
        rd_pause();
}

/* @return 1: those who wait give up. */
rd_fn rd_u32 is_over(const progress_ctx *c, rd_global const rd_u32 *stop)
{
    return rd_ld_rlx(&c->out[PROGRESS_OUT_GAVE_UP]) | rd_ld_rlx(stop);
}

/* Makes one step, however long that takes. @return MUST_WAIT: it was given up. */
rd_fn rd_u32 step(const progress_ctx *c, rd_global rd_u32 *word, rd_u32 kind, rd_global const rd_u32 *stop)
{
    rd_u32 polls = 0, seen = rd_ld_rlx(&c->out[PROGRESS_OUT_STEPS]), over = 0;
    rd_fence_sc();
    rd_u32 so = look(word, kind);
    while (so == MUST_WAIT && !over) {
        rd_pause();
        if (++polls % 64 == 0)
            over = is_over(c, stop);
        if (polls >= c->limit) {
            const rd_u32 now = rd_ld_rlx(&c->out[PROGRESS_OUT_STEPS]);
            if (now == seen)
                rd_st_rlx(&c->out[PROGRESS_OUT_GAVE_UP], 1);
            over |= now == seen;
            seen = now;
            polls = 0;
        }
        so = look(word, kind);
    }
    if (so != MUST_WAIT) {
        rd_add_rlx(&c->out[PROGRESS_OUT_STEPS], 1);
        if (polls > c->limit / 4)
            rd_add_rlx(&c->out[PROGRESS_OUT_SLOW], 1);
    }
    return so;
}

rd_fn void run_thread(const progress_ctx *c, rd_u32 role, rd_global const rd_u32 *stop)
{
    const rd_u32 copy = role / 8, thread = role % 8;
    rd_u32 so = is_over(c, stop) ? MUST_WAIT : IS_DONE;
    for (rd_u32 i = 0; i < PROGRESS_STEPS && so == IS_DONE; i++) {
        const rd_u32 code = rd_ld_const(&c->code[PROGRESS_STEPS * thread + i]);
        if (code == PROGRESS_END)
            break;
        delay(c, role * PROGRESS_STEPS + i);
        rd_st_rlx(&c->at[role], 1 + i);
        so = step(c, &c->word[(PROGRESS_WORDS * copy + code / PROGRESS_KINDS) * c->apart], code % PROGRESS_KINDS, stop);
    }
    if (so != MUST_WAIT) {
        rd_st_rlx(&c->at[role], PROGRESS_DONE);
        rd_add_rlx(&c->out[PROGRESS_OUT_ENDED], 1);
    }
}

rd_kernel(light, PROGRESS_ARGS)
{
    const progress_ctx c = rd_bind(PROGRESS_ARGS);
    const rd_u32 mine = rd_ld_const(&role[rd_group()]);
    if (rd_lane() == 0 && mine != PROGRESS_IDLE)
        run_thread(&c, mine, rd_stop_word());
}

/* The same with so much group memory that few groups are resident. It is written and read, or compilers would leave it
 * out. */
rd_kernel(heavy, PROGRESS_ARGS)
{
    rd_local_array(rd_u32, fat, PROGRESS_FAT);
    const progress_ctx c = rd_bind(PROGRESS_ARGS);
    for (rd_u32 i = rd_lane(); i < PROGRESS_FAT; i += rd_lanes())
        fat[i] = seed;
    rd_barrier();
    const rd_u32 mine = rd_ld_const(&role[rd_group()]) | (fat[(rd_lane() + seed) % PROGRESS_FAT] - seed);
    if (rd_lane() == 0 && mine != PROGRESS_IDLE)
        run_thread(&c, mine, rd_stop_word());
}

/* clang-format off */
#define PROGRESS_KERNELS(k)  \
    k(light, PROGRESS_ARGS)  \
    k(heavy, PROGRESS_ARGS)
/* clang-format on */
rd_kernels(PROGRESS_KERNELS);
