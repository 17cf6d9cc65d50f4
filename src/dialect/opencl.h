/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl.h - the dialect in OpenCL C. The host looks at the device and chooses one of three bodies for atomics:
 *   RD_CL_PTX       NVIDIA: inline PTX (ptx.h)
 *   RD_CL_EXPLICIT  OpenCL 2.x, and 3.0 with device scope and acquire/release: the _explicit functions
 * (opencl_explicit.h) RD_CL_LEGACY    the rest: OpenCL 1.2 atomics with fences (opencl_legacy.h)
 * and whether lanes run in warps: NVIDIA's do, others with RD_CL_SUBGROUPS=LANES (opencl_subgroups.h).
 */
#ifndef RD_DIALECT_OPENCL_H
#define RD_DIALECT_OPENCL_H

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

typedef uint rd_u32;
typedef int rd_i32;
typedef ulong rd_u64;
typedef long rd_i64;
typedef float rd_f32;
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64) /* a device may have none: RD_HAS_F64 says */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double rd_f64;
#define RD_HAS_F64 1
#endif
typedef float4 rd_f32x4;
typedef uint4 rd_u32x4;

#define rd_fn     static inline
#define rd_apart  static
#define rd_global __global
#define rd_local  __local
#ifdef RD_CL_PTX
#define RD_UNROLL _Pragma("unroll")
#else
#define RD_UNROLL /* CPUs run lanes as loops; unrolled bodies only make those compile slowly */
#endif

#ifndef RD_LANES
#error "RD_LANES (lanes in a group) must be defined when a kernel is compiled"
#endif

/* A compiler that chooses how wide sub-groups are, kernel by kernel, is told. */
#if defined(RD_CL_SUBGROUPS) && defined(cl_intel_required_subgroup_size)
#define RD_CL_WIDTH __attribute__((intel_reqd_sub_group_size(RD_CL_SUBGROUPS)))
#else
#define RD_CL_WIDTH
#endif
#define rd_kernel(name, ARGS)                                                                                          \
    __attribute__((reqd_work_group_size(RD_LANES, 1, 1))) RD_CL_WIDTH __kernel void name(                              \
        __global rd_u32 *rd_control ARGS(RD_BUFFER_PARAM, RD_PARAM))
#define rd_kernels(LIST)
#define rd_local_array(type, name, count) __local type name[count]

#define rd_lane()   ((rd_u32)get_local_id(0))
#define rd_lanes()  ((rd_u32)RD_LANES)
#define rd_group()  ((rd_u32)get_group_id(0))
#define rd_groups() ((rd_u32)get_num_groups(0))
#if RD_LANES == 1
#define rd_barrier() ((void)0) /* and compilers that cut kernels at barriers have nothing to cut */
#else
#define rd_barrier() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#define rd_stop_word() rd_control
#define rd_stopped()   rd_ld_rlx(rd_stop_word()) /* pairs with the host's write; a hint only */

#define rd_ld_const(p)  (*(p))
#define rd_popcount(x)  ((rd_u32)popcount(x))
#define rd_lowest(x)    (31u - (rd_u32)clz((x) & (0u - (x))))
#define rd_ld_const4(p) (*(p))
#define rd_prefetch(p)  ((void)(p))
#define rd_sqrt(x)      sqrt(x)
#define rd_pow(x, y)    pow(x, y)
#define rd_exp(x)       exp((rd_f32)(x))
#define rd_log(x)       log((rd_f32)(x))
#define rd_sin(x)       sin((rd_f32)(x))
#define rd_cos(x)       cos((rd_f32)(x))
#define rd_sqrt64(x)    sqrt((rd_f64)(x))
#define rd_pow64(x, y)  pow((rd_f64)(x), (rd_f64)(y))
#define rd_exp64(x)     exp((rd_f64)(x))
#define rd_log64(x)     log((rd_f64)(x))
#define rd_sin64(x)     sin((rd_f64)(x))
#define rd_cos64(x)     cos((rd_f64)(x))

rd_fn void rd_or_local(rd_local rd_u32 *p, rd_u32 bits)
{
    if (~*(volatile rd_local rd_u32 *)p & bits)
        atomic_or((volatile rd_local rd_u32 *)p, bits);
}

rd_fn rd_u32 rd_add_local(rd_local rd_u32 *p, rd_u32 x)
{
    return atomic_add((volatile rd_local rd_u32 *)p, x);
}

#if defined(RD_CL_PTX)
#define RD_ASM            asm volatile
#define RD_PTX_ADDRESS(p) (p)
#define RD_PTX            1 /* kernel.h includes ptx.h */
#elif defined(RD_CL_EXPLICIT)
#include "dialect/opencl_explicit.h"
#elif defined(RD_CL_LEGACY)
#include "dialect/opencl_legacy.h"
#else
#error "define RD_CL_PTX, RD_CL_EXPLICIT or RD_CL_LEGACY"
#endif

#if defined(RD_CL_SUBGROUPS)
#include "dialect/opencl_subgroups.h"
#elif !defined(RD_CL_PTX)
#define RD_WARP 1
#endif

#ifndef RD_CL_PTX
/* Float add is not in OpenCL 1.2 and optional in 3.0: exchange the bits until no other lane got between. */
rd_fn rd_f32 rd_addf_rlx(rd_global rd_f32 *p, rd_f32 x)
{
    rd_global rd_u32 *bits = (rd_global rd_u32 *)p;
    rd_u32 old = rd_ld_rlx(bits), seen = rd_cas_rlx(bits, old, as_uint(as_float(old) + x));
    while (seen != old) {
        old = seen;
        seen = rd_cas_rlx(bits, old, as_uint(as_float(old) + x));
    }
    return as_float(old);
}

rd_fn void rd_pause(void)
{
}

rd_fn rd_u64 rd_clock(void)
{
    return 0; /* there is none */
}

rd_fn void rd_wait(rd_u32 turns)
{
}

rd_fn void rd_idle(rd_u32 turns, rd_u32 most)
{
}

#endif

#endif
