/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx.h - atomics and warp operations as PTX, shared by CUDA and by NVIDIA's OpenCL, whose compiler accepts inline PTX
 * though it advertises only relaxed, work-group-scope atomics. Orders are PTX's own at gpu scope (PTX ISA, memory
 * consistency model; sm_70 and later).
 *
 * Relaxed operations carry no "memory" clobber: they order nothing. Acquire and release ones do, so that the compiler
 * keeps plain accesses on their side as the hardware does.
 */
#ifndef RD_DIALECT_PTX_H
#define RD_DIALECT_PTX_H

#define RD_WARP 32

#define RD_PTX_LOAD(name, T, reg, op, clobber)                                                                         \
    rd_fn T name(rd_global const T *p)                                                                                 \
    {                                                                                                                  \
        T x;                                                                                                           \
        RD_ASM(op " %0, [%1];" : "=" reg(x) : "l"(RD_PTX_ADDRESS(p))clobber);                                          \
        return x;                                                                                                      \
    }
#define RD_PTX_STORE(name, T, reg, op, clobber)                                                                        \
    rd_fn void name(rd_global T *p, T x)                                                                               \
    {                                                                                                                  \
        RD_ASM(op " [%0], %1;" : : "l"(RD_PTX_ADDRESS(p)), reg(x) clobber);                                            \
    }
#define RD_PTX_RMW(name, T, reg, op, clobber)                                                                          \
    rd_fn T name(rd_global T *p, T x)                                                                                  \
    {                                                                                                                  \
        T old;                                                                                                         \
        RD_ASM(op " %0, [%1], %2;" : "=" reg(old) : "l"(RD_PTX_ADDRESS(p)), reg(x) clobber);                           \
        return old;                                                                                                    \
    }
#define RD_PTX_CAS(name, T, reg, op, clobber)                                                                          \
    rd_fn T name(rd_global T *p, T expected, T x)                                                                      \
    {                                                                                                                  \
        T old;                                                                                                         \
        RD_ASM(op " %0, [%1], %2, %3;" : "=" reg(old) : "l"(RD_PTX_ADDRESS(p)), reg(expected), reg(x) clobber);        \
        return old;                                                                                                    \
    }

#define RD_CLOBBER_NONE
#define RD_CLOBBER_MEMORY : "memory"
#define RD_PTX_ATOMICS(s, T, reg, u, b)                                                                                \
    RD_PTX_LOAD(rd_ld##s##_rlx, T, reg, "ld.relaxed.gpu.global." u, RD_CLOBBER_NONE)                                   \
    RD_PTX_LOAD(rd_ld##s##_acq, T, reg, "ld.acquire.gpu.global." u, RD_CLOBBER_MEMORY)                                 \
    RD_PTX_STORE(rd_st##s##_rlx, T, reg, "st.relaxed.gpu.global." u, RD_CLOBBER_NONE)                                  \
    RD_PTX_STORE(rd_st##s##_rel, T, reg, "st.release.gpu.global." u, RD_CLOBBER_MEMORY)                                \
    RD_PTX_RMW(rd_add##s##_rlx, T, reg, "atom.relaxed.gpu.global.add." u, RD_CLOBBER_NONE)                             \
    RD_PTX_RMW(rd_add##s##_acq, T, reg, "atom.acquire.gpu.global.add." u, RD_CLOBBER_MEMORY)                           \
    RD_PTX_RMW(rd_add##s##_rel, T, reg, "atom.release.gpu.global.add." u, RD_CLOBBER_MEMORY)                           \
    RD_PTX_RMW(rd_add##s##_acqrel, T, reg, "atom.acq_rel.gpu.global.add." u, RD_CLOBBER_MEMORY)                        \
    RD_PTX_RMW(rd_min##s##_rlx, T, reg, "atom.relaxed.gpu.global.min." u, RD_CLOBBER_NONE)                             \
    RD_PTX_RMW(rd_max##s##_rlx, T, reg, "atom.relaxed.gpu.global.max." u, RD_CLOBBER_NONE)                             \
    RD_PTX_RMW(rd_or##s##_rlx, T, reg, "atom.relaxed.gpu.global.or." b, RD_CLOBBER_NONE)                               \
    RD_PTX_RMW(rd_and##s##_rlx, T, reg, "atom.relaxed.gpu.global.and." b, RD_CLOBBER_NONE)                             \
    RD_PTX_RMW(rd_or##s##_acqrel, T, reg, "atom.acq_rel.gpu.global.or." b, RD_CLOBBER_MEMORY)                          \
    RD_PTX_RMW(rd_and##s##_acqrel, T, reg, "atom.acq_rel.gpu.global.and." b, RD_CLOBBER_MEMORY)                        \
    RD_PTX_RMW(rd_xchg##s##_rlx, T, reg, "atom.relaxed.gpu.global.exch." b, RD_CLOBBER_NONE)                           \
    RD_PTX_RMW(rd_and##s##_acq, T, reg, "atom.acquire.gpu.global.and." b, RD_CLOBBER_MEMORY)                           \
    RD_PTX_RMW(rd_xchg##s##_acq, T, reg, "atom.acquire.gpu.global.exch." b, RD_CLOBBER_MEMORY)                         \
    RD_PTX_RMW(rd_xchg##s##_acqrel, T, reg, "atom.acq_rel.gpu.global.exch." b, RD_CLOBBER_MEMORY)                      \
    RD_PTX_CAS(rd_cas##s##_rlx, T, reg, "atom.relaxed.gpu.global.cas." b, RD_CLOBBER_NONE)                             \
    RD_PTX_CAS(rd_cas##s##_acq, T, reg, "atom.acquire.gpu.global.cas." b, RD_CLOBBER_MEMORY)                           \
    RD_PTX_CAS(rd_cas##s##_acqrel, T, reg, "atom.acq_rel.gpu.global.cas." b, RD_CLOBBER_MEMORY)
RD_PTX_ATOMICS(, rd_u32, "r", "u32", "b32")
RD_PTX_ATOMICS(64, rd_u64, "l", "u64", "b64")
RD_PTX_LOAD(rd_ld_stale, rd_u32, "r", "ld.relaxed.cta.global.u32", RD_CLOBBER_NONE)
RD_PTX_LOAD(rd_ld64_stale, rd_u64, "l", "ld.relaxed.cta.global.u64", RD_CLOBBER_NONE)
#define RD_HAS_STALE 1
RD_PTX_RMW(rd_addf_rlx, rd_f32, "f", "atom.relaxed.gpu.global.add.f32", RD_CLOBBER_NONE)

rd_fn void rd_fence_rel(void)
{
    RD_ASM("fence.acq_rel.gpu;" : : : "memory");
}

rd_fn void rd_fence_sc(void)
{
    RD_ASM("fence.sc.gpu;" : : : "memory");
}

rd_fn rd_u32 rd_warp_lane(void)
{
    return rd_lane() % RD_WARP;
}

rd_fn rd_u32 rd_warp_shuffle(rd_u32 x, rd_u32 lane)
{
    rd_u32 y;
    RD_ASM("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x), "r"(lane));
    return y;
}

rd_fn rd_u32 rd_warp_ballot(rd_u32 p)
{
    rd_u32 mask;
    RD_ASM("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, 0xffffffff; }" : "=r"(mask) : "r"(p));
    return mask;
}

/* Lanes of a warp that are here together add once: at one word an L2 cache makes one addition in two or three cycles,
 * whoever asks, and a million of them take half a millisecond. Which lanes these are does not matter to the result. */
#define RD_HAS_TOGETHER 1
rd_fn rd_u32 rd_add_together(rd_global rd_u32 *p, rd_u32 x)
{
    rd_u32 here, below, first = 0, before = 0, all = 0, more = 1;
    RD_ASM("activemask.b32 %0;" : "=r"(here) :);
    RD_ASM("mov.u32 %0, %%lanemask_lt;" : "=r"(below) :);
    for (rd_u32 bit = 0; more; bit++) { /* bit by bit of x: whose it is set */
        rd_u32 set;
        RD_ASM("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, %2; }"
               : "=r"(set)
               : "r"(x >> bit & 1), "r"(here));
        RD_ASM("{ .reg .pred q, r; setp.ne.u32 q, %1, 0; vote.sync.any.pred r, q, %2; selp.u32 %0, 1, 0, r; }"
               : "=r"(more)
               : "r"(x >> bit >> 1), "r"(here));
        before += rd_popcount(set & below) << bit;
        all += rd_popcount(set) << bit;
    }
    if (!(here & below))
        first = rd_add_rlx(p, all); /* partner: as at the call */
    RD_ASM("shfl.sync.idx.b32 %0, %1, %2, 0x1f, %3;" : "=r"(first) : "r"(first), "r"(rd_lowest(here)), "r"(here));
    return first + before;
}

/* Ticks of the clock of this lane's multiprocessor: for differences. */
rd_fn rd_u64 rd_clock(void)
{
    rd_u64 ticks;
    RD_ASM("mov.u64 %0, %%clock64;" : "=l"(ticks) : : "memory");
    return ticks;
}

rd_fn void rd_pause(void)
{
    RD_ASM("nanosleep.u32 64;" : :);
}

rd_fn void rd_wait(rd_u32 turns)
{
    (void)turns; /* the others are on their way */
    rd_pause();
}

rd_fn void rd_idle(rd_u32 turns, rd_u32 most)
{
    const rd_u32 ns = 64u << (turns < most ? turns : most);
    RD_ASM("nanosleep.u32 %0;" : : "r"(ns));
}

#endif
