/* SPDX-License-Identifier: Apache-2.0 */
/* opencl_explicit.h - atomics by OpenCL C 2.0's _explicit functions, at device scope. */
#ifndef RD_DIALECT_OPENCL_EXPLICIT_H
#define RD_DIALECT_OPENCL_EXPLICIT_H

#define RD_CL_RMW(name, T, A, fn, order)                                                                               \
    rd_fn T name(rd_global T *p, T x)                                                                                  \
    {                                                                                                                  \
        return fn((volatile __global A *)p, x, order, memory_scope_device);                                            \
    }
#define RD_CL_CAS(name, T, A, order, failure)                                                                          \
    rd_fn T name(rd_global T *p, T expected, T x)                                                                      \
    {                                                                                                                  \
        T old = expected;                                                                                              \
        atomic_compare_exchange_strong_explicit((volatile __global A *)p, &old, x, order, failure,                     \
                                                memory_scope_device);                                                  \
        return old;                                                                                                    \
    }
#define RD_CL_ATOMICS(s, T, A)                                                                                         \
    rd_fn T rd_ld##s##_rlx(rd_global const T *p)                                                                       \
    {                                                                                                                  \
        return atomic_load_explicit((volatile __global A *)p, memory_order_relaxed, memory_scope_device);              \
    }                                                                                                                  \
    rd_fn T rd_ld##s##_acq(rd_global const T *p)                                                                       \
    {                                                                                                                  \
        return atomic_load_explicit((volatile __global A *)p, memory_order_acquire, memory_scope_device);              \
    }                                                                                                                  \
    rd_fn void rd_st##s##_rlx(rd_global T *p, T x)                                                                     \
    {                                                                                                                  \
        atomic_store_explicit((volatile __global A *)p, x, memory_order_relaxed, memory_scope_device);                 \
    }                                                                                                                  \
    rd_fn void rd_st##s##_rel(rd_global T *p, T x)                                                                     \
    {                                                                                                                  \
        atomic_store_explicit((volatile __global A *)p, x, memory_order_release, memory_scope_device);                 \
    }                                                                                                                  \
    RD_CL_RMW(rd_add##s##_rlx, T, A, atomic_fetch_add_explicit, memory_order_relaxed)                                  \
    RD_CL_RMW(rd_add##s##_acq, T, A, atomic_fetch_add_explicit, memory_order_acquire)                                  \
    RD_CL_RMW(rd_add##s##_rel, T, A, atomic_fetch_add_explicit, memory_order_release)                                  \
    RD_CL_RMW(rd_add##s##_acqrel, T, A, atomic_fetch_add_explicit, memory_order_acq_rel)                               \
    RD_CL_RMW(rd_min##s##_rlx, T, A, atomic_fetch_min_explicit, memory_order_relaxed)                                  \
    RD_CL_RMW(rd_max##s##_rlx, T, A, atomic_fetch_max_explicit, memory_order_relaxed)                                  \
    RD_CL_RMW(rd_or##s##_rlx, T, A, atomic_fetch_or_explicit, memory_order_relaxed)                                    \
    RD_CL_RMW(rd_and##s##_rlx, T, A, atomic_fetch_and_explicit, memory_order_relaxed)                                  \
    RD_CL_RMW(rd_or##s##_acqrel, T, A, atomic_fetch_or_explicit, memory_order_acq_rel)                                 \
    RD_CL_RMW(rd_and##s##_acqrel, T, A, atomic_fetch_and_explicit, memory_order_acq_rel)                               \
    RD_CL_RMW(rd_xchg##s##_rlx, T, A, atomic_exchange_explicit, memory_order_relaxed)                                  \
    RD_CL_RMW(rd_and##s##_acq, T, A, atomic_fetch_and_explicit, memory_order_acquire)                                  \
    RD_CL_RMW(rd_xchg##s##_acq, T, A, atomic_exchange_explicit, memory_order_acquire)                                  \
    RD_CL_RMW(rd_xchg##s##_acqrel, T, A, atomic_exchange_explicit, memory_order_acq_rel)                               \
    RD_CL_CAS(rd_cas##s##_rlx, T, A, memory_order_relaxed, memory_order_relaxed)                                       \
    RD_CL_CAS(rd_cas##s##_acq, T, A, memory_order_acquire, memory_order_acquire)                                       \
    RD_CL_CAS(rd_cas##s##_acqrel, T, A, memory_order_acq_rel, memory_order_acquire)
RD_CL_ATOMICS(, rd_u32, atomic_uint)
RD_CL_ATOMICS(64, rd_u64, atomic_ulong)

rd_fn void rd_fence_rel(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
}

/* Devices without this order say so; a fence in both directions is then what there is. */
rd_fn void rd_fence_sc(void)
{
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_atomic_order_seq_cst)
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
#else
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#endif
}

#endif
