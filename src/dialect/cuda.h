/* SPDX-License-Identifier: Apache-2.0 */
/* cuda.h - the dialect in CUDA C++, compiled by NVRTC or nvcc with nothing included. */
#ifndef RD_DIALECT_CUDA_H
#define RD_DIALECT_CUDA_H

typedef unsigned int rd_u32;
typedef int rd_i32;
typedef unsigned long long rd_u64;
typedef long long rd_i64;
typedef float rd_f32;
typedef double rd_f64;
#define RD_HAS_F64 1
typedef float4 rd_f32x4;
typedef uint4 rd_u32x4;

#define rd_fn    static __device__ __forceinline__
#define rd_apart static __device__ __noinline__
#define rd_global
#define rd_local
#define RD_UNROLL _Pragma("unroll")

#ifndef RD_LANES
#error "RD_LANES (lanes in a group) must be defined when a kernel is compiled"
#endif

/* An engine may say for how many lanes of a unit registers are to suffice: #undef RD_BOUNDS, #define RD_BOUNDS
 * RD_BOUNDS_FOR(lanes). Other dialects have no word for it. */
#define RD_BOUNDS            __launch_bounds__(RD_LANES)
#define RD_BOUNDS_FOR(lanes) __launch_bounds__(RD_LANES, (lanes) >= RD_LANES ? (lanes) / RD_LANES : 1)

/* Word 0 of rd_control is the host's request to stop; every kernel gets it before its own arguments. What follows it is
 * rd_hear's. */
#define rd_kernel(name, ARGS)                                                                                          \
    extern "C" __global__ void RD_BOUNDS name(rd_u32 *rd_control ARGS(RD_BUFFER_PARAM, RD_PARAM))
#define rd_kernels(LIST)
#define rd_local_array(type, name, count) __shared__ type name[count]

#define rd_lane()      ((rd_u32)threadIdx.x)
#define rd_lanes()     ((rd_u32)RD_LANES)
#define rd_barrier()   __syncthreads()
#define rd_stop_word() rd_control
#define rd_stopped()   rd_ld_rlx(rd_stop_word()) /* pairs with the host's write; a hint only */

/* Of programs whose launches may be of some of their groups only, while another job has the room of the others: the
 * first that runs, and how many do not. All zero: all run. */
#if RD_PLACES
extern "C" {
__constant__ rd_u32 rd_place[2];
}
rd_fn rd_u32 rd_groups(void)
{
    return gridDim.x + rd_place[1];
}
rd_fn rd_u32 rd_group(void)
{
    const rd_u32 place = blockIdx.x + rd_place[0], groups = rd_groups();
    return place < groups ? place : place - groups;
}
#else
#define rd_group()  ((rd_u32)blockIdx.x)
#define rd_groups() ((rd_u32)gridDim.x)
#endif

/* Of programs whose launches the device repeats (launch `graph`): by one lane of the tail, they end. */
#if RD_LOOPS
extern "C" {
__constant__ rd_u64 rd_loop; /* of the node that repeats them */
__device__ void cudaGraphSetConditional(rd_u64 node, rd_u32 goes_on);
}
#define rd_loop_end() cudaGraphSetConditional(rd_loop, 0)
#endif

#define rd_ld_const(p)  __ldg(p)
#define rd_popcount(x)  ((rd_u32)__popc(x))
#define rd_lowest(x)    ((rd_u32)__ffs((int)(x)) - 1u)
#define rd_ld_const4(p) __ldg(p)
#define rd_prefetch(p)  ((void)(p))
#define rd_sqrt(x)      sqrtf(x)
#define rd_pow(x, y)    powf(x, y)
#define rd_exp(x)       expf(x)
#define rd_log(x)       logf(x)
#define rd_sin(x)       sinf(x)
#define rd_cos(x)       cosf(x)
#define rd_sqrt64(x)    sqrt((rd_f64)(x))
#define rd_pow64(x, y)  pow((rd_f64)(x), (rd_f64)(y))
#define rd_exp64(x)     exp((rd_f64)(x))
#define rd_log64(x)     log((rd_f64)(x))
#define rd_sin64(x)     sin((rd_f64)(x))
#define rd_cos64(x)     cos((rd_f64)(x))

rd_fn void rd_or_local(rd_u32 *p, rd_u32 bits)
{
    if (~*(volatile rd_u32 *)p & bits)
        atomicOr(p, bits);
}

rd_fn rd_u32 rd_add_local(rd_u32 *p, rd_u32 x)
{
    return atomicAdd(p, x);
}

#define RD_ASM            asm volatile
#define RD_PTX_ADDRESS(p) (__cvta_generic_to_global((const void *)(p)))
#define RD_PTX            1 /* kernel.h includes ptx.h */

/* Has the launch been asked to leave? Behind the stop word are the time of the last look and the address of a word in
 * the host's memory, or 0 (device/cuda/stops.c). To look there takes a trip over the bus, 1.5 us; so one lane of the
 * launch does it for all, and no more often than every RD_HEAR_CYCLES. What it hears it writes to the stop word, which
 * the others look at. */
#define RD_HAS_EAR     1
#define RD_HEAR_CYCLES 32768 /* 18 us */
rd_fn rd_u32 rd_hear(const rd_u32 *stop)
{
    const rd_u64 at = RD_PTX_ADDRESS(stop);
    rd_u32 stopped, looked, heard;
    rd_u64 ear;
    RD_ASM("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];" : "=r"(stopped), "=r"(looked) : "l"(at)); /* the host's */
    RD_ASM("ld.global.u64 %0, [%1+8];" : "=l"(ear) : "l"(at));
    const rd_u32 now = (rd_u32)clock64();
    if (stopped || !ear || now - looked < RD_HEAR_CYCLES)
        return stopped;
    RD_ASM("st.relaxed.gpu.global.u32 [%0+4], %1;" : : "l"(at), "r"(now));  /* nobody else's */
    RD_ASM("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(heard) : "l"(ear)); /* partner: rd__cuda_call_stop */
    if (heard)
        RD_ASM("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(at), "r"(heard)); /* partner: rd_stopped in other groups */
    return heard;
}
/* The address is the same as long as the launch runs: it is near, where the words behind it are not. */
rd_fn rd_u32 rd_may_be_asked(const rd_u32 *stop)
{
    rd_u64 ear;
    RD_ASM("ld.global.nc.u64 %0, [%1+8];" : "=l"(ear) : "l"(RD_PTX_ADDRESS(stop)));
    return ear != 0;
}
#define rd_hears()             (blockIdx.x == 0)
#define rd_asked_if(stop, may) (rd_hears() && (may) ? rd_hear(stop) : rd_ld_rlx(stop))
#define rd_asked(stop)         rd_asked_if(stop, rd_may_be_asked(stop))
#define rd_asked_alone(stop)   rd_hear(stop)

#endif
