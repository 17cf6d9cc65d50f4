/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl_legacy.h - atomics by OpenCL 1.2's functions and fences, for devices that offer nothing better.
 *
 * OpenCL 1.2 promises no order between groups. What every implementation we know of gives is that a global memory fence
 * keeps a lane's accesses in order as other groups see them; release = fence before, acquire = fence after. Loads and
 * stores are atomic operations too (add 0, exchange), because a plain access may be served by a cache that is not
 * coherent.
 */
#ifndef RD_DIALECT_OPENCL_LEGACY_H
#define RD_DIALECT_OPENCL_LEGACY_H

#define RD_CL_NOTHING
#define RD_CL_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#define RD_CL_RMW(name, T, fn, before, after)                                                                          \
    rd_fn T name(rd_global T *p, T x)                                                                                  \
    {                                                                                                                  \
        before T old = fn((volatile __global T *)p, x);                                                                \
        after return old;                                                                                              \
    }
#define RD_CL_CAS(name, T, fn, before, after)                                                                          \
    rd_fn T name(rd_global T *p, T expected, T x)                                                                      \
    {                                                                                                                  \
        before T old = fn((volatile __global T *)p, expected, x);                                                      \
        after return old;                                                                                              \
    }
/* f: "atomic_" for 32 bits; "atom_" (cl_khr_int64_base_atomics and _extended_atomics) for 64. */
#define RD_CL_ATOMICS(s, T, f)                                                                                         \
    rd_fn T rd_ld##s##_rlx(rd_global const T *p)                                                                       \
    {                                                                                                                  \
        return f## or ((volatile __global T *)p, 0);                                                                   \
    }                                                                                                                  \
    rd_fn T rd_ld##s##_acq(rd_global const T *p)                                                                       \
    {                                                                                                                  \
        T x = f## or ((volatile __global T *)p, 0);                                                                    \
        mem_fence(CLK_GLOBAL_MEM_FENCE);                                                                               \
        return x;                                                                                                      \
    }                                                                                                                  \
    rd_fn void rd_st##s##_rlx(rd_global T *p, T x)                                                                     \
    {                                                                                                                  \
        f##xchg((volatile __global T *)p, x);                                                                          \
    }                                                                                                                  \
    rd_fn void rd_st##s##_rel(rd_global T *p, T x)                                                                     \
    {                                                                                                                  \
        mem_fence(CLK_GLOBAL_MEM_FENCE);                                                                               \
        f##xchg((volatile __global T *)p, x);                                                                          \
    }                                                                                                                  \
    RD_CL_RMW(rd_add##s##_rlx, T, f##add, RD_CL_NOTHING, RD_CL_NOTHING)                                                \
    RD_CL_RMW(rd_add##s##_acq, T, f##add, RD_CL_NOTHING, RD_CL_FENCE)                                                  \
    RD_CL_RMW(rd_add##s##_rel, T, f##add, RD_CL_FENCE, RD_CL_NOTHING)                                                  \
    RD_CL_RMW(rd_add##s##_acqrel, T, f##add, RD_CL_FENCE, RD_CL_FENCE)                                                 \
    RD_CL_RMW(rd_min##s##_rlx, T, f##min, RD_CL_NOTHING, RD_CL_NOTHING)                                                \
    RD_CL_RMW(rd_max##s##_rlx, T, f##max, RD_CL_NOTHING, RD_CL_NOTHING)                                                \
    RD_CL_RMW(rd_or##s##_rlx, T, f## or, RD_CL_NOTHING, RD_CL_NOTHING)                                                 \
    RD_CL_RMW(rd_and##s##_rlx, T, f##and, RD_CL_NOTHING, RD_CL_NOTHING)                                                \
    RD_CL_RMW(rd_or##s##_acqrel, T, f## or, RD_CL_FENCE, RD_CL_FENCE)                                                  \
    RD_CL_RMW(rd_and##s##_acqrel, T, f##and, RD_CL_FENCE, RD_CL_FENCE)                                                 \
    RD_CL_RMW(rd_xchg##s##_rlx, T, f##xchg, RD_CL_NOTHING, RD_CL_NOTHING)                                              \
    RD_CL_RMW(rd_and##s##_acq, T, f##and, RD_CL_NOTHING, RD_CL_FENCE)                                                  \
    RD_CL_RMW(rd_xchg##s##_acq, T, f##xchg, RD_CL_NOTHING, RD_CL_FENCE)                                                \
    RD_CL_RMW(rd_xchg##s##_acqrel, T, f##xchg, RD_CL_FENCE, RD_CL_FENCE)                                               \
    RD_CL_CAS(rd_cas##s##_rlx, T, f##cmpxchg, RD_CL_NOTHING, RD_CL_NOTHING)                                            \
    RD_CL_CAS(rd_cas##s##_acq, T, f##cmpxchg, RD_CL_NOTHING, RD_CL_FENCE)                                              \
    RD_CL_CAS(rd_cas##s##_acqrel, T, f##cmpxchg, RD_CL_FENCE, RD_CL_FENCE)
RD_CL_ATOMICS(, rd_u32, atomic_)
RD_CL_ATOMICS(64, rd_u64, atom_)

rd_fn void rd_fence_rel(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

rd_fn void rd_fence_sc(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

#endif
