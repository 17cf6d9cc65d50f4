/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.k.c - kernels that use every primitive of the dialect so that a serial model can foretell the result exactly.
 */
#include "raddle/kernel.h"
#include "selftest/dialect_layout.k.h"

/* ---- Atomics under contention ---- */

/* Each lane does `turns` turns on a few shared words. Results whatever the interleaving:
 *   word[0] add: lanes*turns, and each old value was seen once (ticket[old] becomes 1)
 *   word[1] min, word[2] max of lane-dependent values; word[3] or, word[4] and of lane-dependent bits
 *   word[5] xchg: sum of old values returned + last value = sum of values written (sums in word[6], modulo 2^32)
 *   word[7] add_acq/rel/acqrel in turn: lanes*turns */
#define ATOMICS(s, T)                                                                                                  \
    rd_fn void atomics##s(rd_global T *word, rd_global T *ticket, rd_u32 turns)                                        \
    {                                                                                                                  \
        const T me = (T)rd_group() * rd_lanes() + rd_lane(), all = (T)rd_groups() * rd_lanes();                        \
        for (rd_u32 i = 0; i < turns; i++) {                                                                           \
            const T id = me + (T)i * all;                                                                              \
            T old = rd_add##s##_rlx(&word[0], 1);                                                                      \
            rd_add##s##_rlx(&ticket[old], 1);                                                                          \
            rd_min##s##_rlx(&word[1], ~id);                                                                            \
            rd_max##s##_rlx(&word[2], id);                                                                             \
            rd_or##s##_rlx(&word[3], (T)1 << (id % (8 * sizeof(T))));                                                  \
            const T bits = ~((T)1 << (id % (8 * sizeof(T))));                                                          \
            i % 2 ? rd_and##s##_rlx(&word[4], bits) : rd_and##s##_acq(&word[4], bits);                                 \
            T before = i % 3 == 0   ? rd_xchg##s##_rlx(&word[5], id)                                                   \
                       : i % 3 == 1 ? rd_xchg##s##_acq(&word[5], id)                                                   \
                                    : rd_xchg##s##_acqrel(&word[5], id);                                               \
            rd_add##s##_rlx(&word[6], before);                                                                         \
            if (i % 3 == 0)                                                                                            \
                rd_add##s##_acq(&word[7], 1);                                                                          \
            else if (i % 3 == 1)                                                                                       \
                rd_add##s##_rel(&word[7], 1);                                                                          \
            else                                                                                                       \
                rd_add##s##_acqrel(&word[7], 1);                                                                       \
        }                                                                                                              \
    }
ATOMICS(, rd_u32)
ATOMICS(64, rd_u64)

rd_kernel(atomics_32, ATOMICS32_ARGS)
{
    atomics(word, ticket, turns);
}

rd_kernel(atomics_64, ATOMICS64_ARGS)
{
    atomics64(word, ticket, turns);
}

/* Places in a list, of lanes some of which are elsewhere: each place is given once (ticket[place] becomes 1). */
rd_kernel(together, TOGETHER_ARGS)
{
    const rd_u32 me = rd_group() * rd_lanes() + rd_lane();
    for (rd_u32 i = 0; i < turns; i++) {
        const rd_u32 x = TOGETHER_ADDS(me, i);
        if (x != TOGETHER_AWAY) {
            const rd_u32 at = rd_add_together(word, x);
            for (rd_u32 k = 0; k < x; k++)
                rd_add_rlx(&ticket[at + k], 1);
        }
    }
}

/* Compare-and-swap: lane 0 of each group adds `turns` to each counter by CAS, trying again until it wins. Another group
 * may win meanwhile, but then that one has made progress, so no one waits for a group that does not run. word[0..1] 32
 * bits; wide[0..1] 64 bits, each step 2^32 + 1. sum: float adds of 1. */
rd_kernel(cas_float, CAS_ARGS)
{
    const rd_u64 step = ((rd_u64)1 << 32) + 1;
    for (rd_u32 i = 0; i < turns; i++) {
        rd_addf_rlx(sum, 1.0f);
        if (rd_lane() == 0) {
            rd_u32 old = rd_ld_rlx(&word[0]), seen = rd_cas_rlx(&word[0], old, old + 1);
            while (seen != old) {
                old = seen;
                seen = rd_cas_rlx(&word[0], old, old + 1);
            }
            old = rd_ld_acq(&word[1]);
            seen = rd_cas_acqrel(&word[1], old, old + 1);
            while (seen != old) {
                old = seen;
                seen = rd_cas_acqrel(&word[1], old, old + 1);
            }
            rd_u64 old64 = rd_ld64_rlx(&wide[0]), seen64 = rd_cas64_rlx(&wide[0], old64, old64 + step);
            while (seen64 != old64) {
                old64 = seen64;
                seen64 = rd_cas64_rlx(&wide[0], old64, old64 + step);
            }
            old64 = rd_ld64_acq(&wide[1]);
            seen64 = rd_cas64_acqrel(&wide[1], old64, old64 + step);
            while (seen64 != old64) {
                old64 = seen64;
                seen64 = rd_cas64_acqrel(&wide[1], old64, old64 + step);
            }
        }
    }
}

/* Loads and stores of every order, each lane on its own words: narrow and wide take the sum of what was stored. */
rd_kernel(load_store, LOAD_STORE_ARGS)
{
    const rd_u32 me = rd_group() * rd_lanes() + rd_lane();
    rd_st_rlx(&narrow[me], me);
    rd_u32 x = rd_ld_rlx(&narrow[me]);
    rd_st_rel(&narrow[me], x + 1);
    x = rd_ld_acq(&narrow[me]);
    rd_st_rlx(&narrow[me], x * 3);
    rd_st64_rlx(&wide[me], (rd_u64)me << 20);
    rd_u64 y = rd_ld64_rlx(&wide[me]);
    rd_st64_rel(&wide[me], y + 1);
    y = rd_ld64_acq(&wide[me]);
    rd_st64_rlx(&wide[me], y * 3 + rd_popcount(me) + rd_lowest(me | 1u << 20));
}

/* ---- Collectives ---- */

/* in: one word a lane of the launch. out: 10 words a lane: scan, total, sum, min, max, any, all, broadcast, and of the
 * warp ballot and shuffle (or the model's own values where lanes do not run in warps). Done `turns` times so that
 * scratch is reused without a pause; the last turn counts. */
rd_kernel(collectives, COLLECTIVES_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const rd_u32 me = rd_group() * rd_lanes() + rd_lane();
    rd_u32 total = 0, scan = 0, sum = 0, least = 0, most = 0, any = 0, all = 0, told = 0;
    for (rd_u32 i = 0; i < turns; i++) {
        const rd_u32 x = in[me] + turns - 1 - i;
        scan = rd_group_scan(scratch, x, &total);
        sum = rd_group_sum(scratch, x);
        least = rd_group_min(scratch, x);
        most = rd_group_max(scratch, x);
        any = rd_group_any(scratch, x % 97 == 0);
        all = rd_group_all(scratch, x % 97 != 0);
        told = rd_group_broadcast(scratch, x, from);
    }
    out[10 * me + 0] = scan;
    out[10 * me + 1] = total;
    out[10 * me + 2] = sum;
    out[10 * me + 3] = least;
    out[10 * me + 4] = most;
    out[10 * me + 5] = any;
    out[10 * me + 6] = all;
    out[10 * me + 7] = told;
#if RD_WARP > 1 && RD_LANES % RD_WARP == 0
    out[10 * me + 8] = rd_warp_ballot(in[me] % 3 == 0);
    out[10 * me + 9] = rd_warp_shuffle(in[me], rd_warp_lane() ^ 5);
#else
    out[10 * me + 8] = 0;
    out[10 * me + 9] = 0;
#endif
}

/* Word 4: what the group's lanes added up in its own memory. Word 5: what it was before this lane's turn; each lane
 * adds one, so these are the numbers below rd_lanes(), in some order. */
rd_kernel(geometry, GEOMETRY_ARGS)
{
    rd_local_array(rd_u32, sum, 1);
    const rd_u32 me = rd_group() * rd_lanes() + rd_lane();
    if (rd_lane() == 0)
        sum[0] = 0;
    rd_barrier();
    const rd_u32 before = rd_add_local(&sum[0], 1); /* partner: the same in other lanes */
    rd_barrier();
    out[6 * me + 0] = rd_lane();
    out[6 * me + 1] = rd_lanes();
    out[6 * me + 2] = rd_group();
    out[6 * me + 3] = rd_groups();
    out[6 * me + 4] = sum[0];
    out[6 * me + 5] = before;
}

/* clang-format off */
#define DIALECT_KERNELS(k)           \
    k(atomics_32, ATOMICS32_ARGS)    \
    k(atomics_64, ATOMICS64_ARGS)    \
    k(together, TOGETHER_ARGS)       \
    k(cas_float, CAS_ARGS)           \
    k(load_store, LOAD_STORE_ARGS)   \
    k(collectives, COLLECTIVES_ARGS) \
    k(geometry, GEOMETRY_ARGS)
/* clang-format on */
rd_kernels(DIALECT_KERNELS);
