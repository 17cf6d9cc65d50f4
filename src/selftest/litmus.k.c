/* SPDX-License-Identifier: Apache-2.0 */
/*
 * litmus.k.c - small shapes whose forbidden outcomes would break every scheduler. None waits without bound, so all are
 * safe on devices that do not promise that two groups run at once; how often the interesting overlap happened is
 * counted too.
 */
#include "raddle/kernel.h"
#include "selftest/litmus_layout.k.h"

#define POLLS 32

/* Message passing. Groups come in pairs; lane i of the even one writes data, then raises a flag with release; lane i of
 * the odd one looks at the flag with acquire and, when it is up, must see the data. Each round has places of its own.
 * bad: stale data seen; met: flags seen up. `how` selects the operations. */

rd_fn void raise(rd_global rd_u32 *flag, rd_global rd_u64 *flag64, rd_u32 how)
{
    if (how == 0)
        rd_st_rel(flag, 1); /* each of these pairs with the acquire of the same `how` in is_up */
    else if (how == 1)
        rd_add_rel(flag, 1);
    else if (how == 2)
        rd_xchg_acqrel(flag, 1);
    else if (how == 3)
        rd_cas_acqrel(flag, 0, 1);
    else if (how == 4)
        rd_st64_rel(flag64, 1);
    else if (how == 5)
        rd_add64_acqrel(flag64, 1);
    else {
        rd_fence_rel();
        if (how == 6)
            rd_st_fen(flag, 1);
        else if (how == 7)
            rd_xchg_fen(flag, 1);
        else if (how == 8)
            rd_or_fen(flag, 1);
        else
            rd_st64_fen(flag64, 1);
    }
}

rd_fn rd_u32 is_up(rd_global rd_u32 *flag, rd_global rd_u64 *flag64, rd_u32 how)
{
    if (how == 0 || how == 2 || how == 6)
        return rd_ld_acq(flag); /* each of these pairs with the release of the same `how` in raise */
    if (how == 1)
        return rd_add_acq(flag, 0);
    if (how == 3)
        return rd_cas_acqrel(flag, 1, 1);
    if (how == 4 || how == 9)
        return (rd_u32)rd_ld64_acq(flag64);
    if (how == 7)
        return rd_and_acq(flag, 1);
    if (how == 8)
        return rd_xchg_acq(flag, 0);
    return (rd_u32)rd_add64_acq(flag64, 0);
}

rd_kernel(message, MESSAGE_ARGS)
{
    const rd_u32 pair = rd_group() / 2 * rd_lanes() + rd_lane(), pairs = rd_groups() / 2 * rd_lanes();
    rd_u32 bad = 0, met = 0;
    for (rd_u32 r = 0; r < rounds; r++) {
        const rd_u32 at = r * pairs + pair;
        /* data lies far from its flag, and neighbours in the launch are not neighbours in memory, so that lines move
         * between groups */
        const rd_u32 where = (at * 17u) % (rounds * pairs);
        if (rd_group() % 2 == 0) {
            data[where] = at + 1;
            raise(&flag[at], &flag64[at], how);
        } else {
            rd_u32 up = 0;
            for (rd_u32 i = 0; i < POLLS && !up; i++)
                up = is_up(&flag[at], &flag64[at], how);
            met += up != 0;
            if (up)
                bad += data[where] != at + 1;
        }
    }
    if (bad)
        rd_add_rlx(&count[0], bad); /* read by the host after the launch */
    if (met)
        rd_add_rlx(&count[1], met);
}

/* Coherence. Even groups raise a shared counter; odd ones read it again and again: it never goes back, and never
 * exceeds the end. */
rd_kernel(coherence, COHERENCE_ARGS)
{
    rd_u32 bad = 0, last = 0, moved = 0;
    rd_u64 last64 = 0;
    for (rd_u32 r = 0; r < rounds; r++) {
        if (rd_group() % 2 == 0) {
            rd_add_rlx(word, 1);
            rd_add64_rlx(word64, ((rd_u64)1 << 32) + 1);
        } else {
            rd_u32 now = rd_ld_rlx(word);
            rd_u64 now64 = rd_ld64_rlx(word64);
            bad += now < last;
            bad += now64 < last64;
            bad += (rd_u32)now64 != (rd_u32)(now64 >> 32); /* both halves move together */
            moved += now > last;
            last = now;
            last64 = now64;
        }
    }
    if (bad)
        rd_add_rlx(&count[0], bad);
    if (moved)
        rd_add_rlx(&count[1], moved);
}

/* Group barrier. Each round every lane writes local and global memory, passes the barrier and must see what another
 * lane wrote, then passes it again. */
rd_kernel(barrier_web, BARRIER_ARGS)
{
    rd_local_array(rd_u32, near, RD_LANES);
    rd_u32 bad = 0;
    const rd_u32 base = rd_group() * rd_lanes();
    for (rd_u32 r = 0; r < rounds; r++) {
        const rd_u32 other = (rd_lane() + r) % rd_lanes();
        near[rd_lane()] = r * 31 + rd_lane();
        board[base + rd_lane()] = r * 37 + rd_lane();
        rd_barrier();
        bad += near[other] != r * 31 + other;
        bad += board[base + other] != r * 37 + other;
        rd_barrier();
    }
    if (bad)
        rd_add_rlx(&count[0], bad);
}

/* Launch order. Launch k finds k-1 in every word and leaves k. */
rd_kernel(launch_step, STEP_ARGS)
{
    rd_u32 bad = 0;
    /* another lane than in the launch before touches a word */
    for (rd_u32 i = rd_group() * rd_lanes() + rd_lane(); i < words; i += rd_groups() * rd_lanes()) {
        const rd_u32 at = (i + step * 61) % words;
        bad += board[at] != step - 1;
        board[at] = step;
    }
    if (bad)
        rd_add_rlx(&count[0], bad);
}

/* Runs until it is asked to stop, or for a long but bounded time; and then for `linger` more looks. */
rd_kernel(endless, ENDLESS_ARGS)
{
    rd_u32 polls = 0;
    for (rd_u32 stop = 0; !stop && polls < most; polls++) {
        stop = rd_stopped();
        rd_pause();
    }
    for (rd_u32 i = 0; i < linger; i++)
        polls += rd_ld_rlx(&count[1]); /* 0 */
    if (rd_lane() == 0)
        rd_add_rlx(&count[0], polls < most);
}

/* Words fall, each by all lanes that share it, from 0xffffffff to 0; both halves are the same at any time. The host
 * looks at them meanwhile. */
rd_kernel(falling, FALLING_ARGS)
{
    for (rd_u32 r = 0x10000; r > 0 && !rd_stopped(); r--)
        for (rd_u32 i = (rd_group() * rd_lanes() + rd_lane()) % words; i < words; i += rd_groups() * rd_lanes())
            rd_min_rlx(&word[i], (r - 1) * 0x10001u); /* partner: the host's looks, rd__buffer_peek */
}

/* clang-format off */
#define LITMUS_KERNELS(k)        \
    k(message, MESSAGE_ARGS)     \
    k(coherence, COHERENCE_ARGS) \
    k(barrier_web, BARRIER_ARGS) \
    k(launch_step, STEP_ARGS)    \
    k(endless, ENDLESS_ARGS)     \
    k(falling, FALLING_ARGS)
/* clang-format on */
rd_kernels(LITMUS_KERNELS);
