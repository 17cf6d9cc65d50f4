/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.k.c - three small programs that explain why a switch of `raddle study` helps on one device and not on
 * another; after chapter 4 of Sorensen's thesis.
 *
 *   combine  all lanes add to one word, each by itself or once for a warp (where there are none: a group). Each uses
 *            what it got, as pushes to a queue do.
 *   stride   each lane reads words of its own that follow one another, so that at any time lanes of a group read far
 *            apart; with or without a barrier after each, which nothing needs but which keeps the lanes together, and
 *            with them what caches hold.
 *   work     a loop of known length that touches no memory, for launches of known time.
 */
#include "raddle/kernel.h"
#include "micro/explain_layout.k.h"

/* Adds one for each lane. @return what the word was, as if each had done it in turn. */
rd_fn rd_u32 combine_add(rd_global rd_u32 *word, rd_local rd_u32 *scratch)
{
    rd_u32 at = 0;
#if RD_WARP > 1 && RD_LANES % RD_WARP == 0
    (void)scratch;
    if (rd_warp_lane() == 0)
        at = rd_add_rlx(word, RD_WARP); /* partner: the same add of others */
    return rd_warp_shuffle(at, 0) + rd_warp_lane();
#else
    if (rd_lane() == 0)
        at = rd_add_rlx(word, rd_lanes()); /* partner: the same add of others */
    return rd_group_broadcast(scratch, at, 0) + rd_lane();
#endif
}

rd_kernel(explain_combine, COMBINE_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const rd_u32 all = rd_groups() * rd_lanes() * rounds;
    rd_u32 before = 0, wrong = 0;
    for (rd_u32 round = 0; round < rounds; round++) {
        rd_u32 got = 0;
        if (by == EXPLAIN_BY_LANE)
            got = rd_add_rlx(&out[EXPLAIN_SUM], 1); /* partner: the same add of others */
        rd_once(by != EXPLAIN_BY_LANE)
            got = combine_add(&out[EXPLAIN_SUM], scratch);
        wrong |= got >= all || (round && got <= before); /* a lane's own numbers ascend */
        before = got;
    }
    if (wrong)
        rd_add_rlx(&out[EXPLAIN_WRONG], 1); /* partner: the same add of others; read by the host */
}

rd_kernel(explain_stride, STRIDE_ARGS)
{
    const rd_u64 first = ((rd_u64)rd_group() * rd_lanes() + rd_lane()) * rounds;
    rd_u32 sum = 0;
    for (rd_u32 round = 0; round < rounds; round++) {
        sum += word[first + round];
        rd_once(meets)
            rd_barrier();
    }
    if (sum != rounds)
        rd_add_rlx(&out[EXPLAIN_WRONG], 1); /* partner: the same add of others; read by the host */
}

rd_kernel(explain_work, WORK_ARGS)
{
    rd_u32 x = rd_lane() + 1;
    for (rd_u32 i = 0; i < loops; i++)
        x = x * 1664525u + 1013904223u;
    if (x == loops)                       /* hardly ever: so the loop is not left out */
        rd_st_rlx(&out[EXPLAIN_SINK], x); /* partner: none; nobody reads it */
}

#define EXPLAIN_KERNELS(k) k(explain_combine, COMBINE_ARGS) k(explain_stride, STRIDE_ARGS) k(explain_work, WORK_ARGS)
rd_kernels(EXPLAIN_KERNELS);
