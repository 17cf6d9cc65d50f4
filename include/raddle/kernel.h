/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/*
 * kernel.h - the kernel dialect: about fifty names in which a kernel is written once for CPUs, CUDA and OpenCL.
 * docs/dialect.md teaches it with a complete example. The language is what C11, CUDA C++ and OpenCL C have in common:
 * no recursion, no function pointers, no variable-length arrays, no bit-fields, an address space on every pointer.
 *
 * Types        rd_u32 rd_i32 rd_u64 rd_i64 rd_f32; rd_f32x4, rd_u32x4: four of them, .x .y .z .w, aligned to 16 bytes
 *              rd_f64 where RD_HAS_F64 is defined: not every OpenCL device has it
 * Qualifiers   rd_fn        a function called by kernels
 *              rd_apart     the same, never inlined: what runs seldom and would take registers from what runs often
 *              rd_global    pointee in device memory          rd_local   pointee in the group's memory
 *              RD_COLD_BEGIN ... RD_COLD_END   functions between them run seldom: compiled cheap where somebody waits
 *              rd_kernel_apart(O1, turn, TURN_ARGS)   rd_kernel(turn, TURN_ARGS), of a program with one large kernel:
 *                           where somebody waits for a C compiler, that is compiled apart from the rest, at the same
 *                           time, by -O1 (Og, O2, O3; hot: tasks run in it). What it calls of the rest is
 *              rd_across(rd_fn, rd_u32, run, (rd_u32 n))   ... elsewhere rd_fn rd_u32 run(rd_u32 n)
 *              RD_FLAT      before a kernel that runs often: on CPUs all that it calls is copied into it
 * Kernels      #define ADD_ARGS(buf, arg) buf(rd_u32, out) arg(rd_u32, n)
 *              rd_kernel(add, ADD_ARGS) { ... }               arguments are a list: buf(type, name) points
 *                                                             into device memory, arg(type, name) is a number
 *              rd_context(add_ctx, ADD_ARGS);                 a private struct with the same fields
 *              add_ctx c = rd_bind(ADD_ARGS);                 ... filled from the arguments, inside the kernel
 *              rd_local_array(rd_u32, name, count)            group memory; only at the top of a kernel, count constant
 *              rd_kernels(LIST)                               at the end: #define LIST(k) k(add, ADD_ARGS)
 * Where am I   rd_lane() < rd_lanes() in group rd_group() < rd_groups(). RD_LANES: constant, rd_lanes() <= RD_LANES
 *              RD_CORE: 1 where a group is a core of a CPU: one lane, no warps, a cache and a branch predictor of
 *              its own
 * Group        rd_barrier()          all lanes; orders local and global memory within the group
 *              rd_group_scan(s, x, &total)   sum of x over lower lanes, and over all
 *              rd_group_sum rd_group_min rd_group_max (s, x)   rd_group_any rd_group_all (s, p)
 *              rd_group_broadcast(s, x, lane)        s: rd_local_array(rd_u32, s, RD_SCRATCH)
 * Warp         RD_WARP > 1 where lanes run in lockstep: rd_warp_lane() rd_warp_ballot(p) rd_warp_shuffle(x, lane)
 *              rd_warp_scan(x): the sum of x over this lane and all lower ones of the warp
 * Atomics      device scope, on words of device memory, named by operation and order:
 *              rd_ld_rlx rd_ld_acq (p)   rd_st_rlx rd_st_rel (p, x)   and these, which return the old value:
 *              rd_add_rlx rd_add_acq rd_add_rel rd_add_acqrel rd_min_rlx rd_max_rlx rd_or_rlx rd_or_acqrel
 *              rd_and_rlx rd_and_acq rd_and_acqrel rd_xchg_rlx rd_xchg_acq rd_xchg_acqrel (p, x)
 *              rd_cas_rlx rd_cas_acq rd_cas_acqrel (p, expected, x)
 *              the same with 64: rd_ld64_rlx ... rd_cas64_acqrel;   rd_addf_rlx(p, x) on rd_f32
 *              rd_ld_stale rd_ld64_stale (p)   as rd_ld_rlx, but may go on giving an old value until the next launch or
 *              global barrier: where any value that was ever there will do, it may come from a cache nearby
 *              rd_ldf_stale(p) rd_stf_rlx(p, x)   of a word that holds the bits of an rd_f32
 *              rd_add_together(p, x)   as rd_add_rlx, where lanes that come by together name the same word, as for
 *              places in a list: those of a warp add once for all of them
 *              on words of group memory, relaxed: rd_or_local(p, bits), rd_add_local(p, x) returns the old value
 *              rd_fence_rel()  then rd_st_fen rd_st64_fen rd_xchg_fen rd_or_fen (p, x): each of them is a release of
 *              what came before that fence in the same lane. For a row of releases: on a GPU each waits until all that
 *              was written is seen, and one such wait is enough
 *              rd_fence_sc()   a sequentially consistent fence
 * Other        rd_ld_const(p)    a load of what no one writes during the launch; rd_ld_const4(p): of an rd_f32x4
 *              rd_prefetch(p)    this will be read soon: a core fetches it meanwhile; elsewhere it is nothing
 *              rd_as_u32(x) rd_as_f32(bits)   the bits of an rd_f32 as an rd_u32, and back   rd_sqrt(x) rd_pow(x, y)
 *              rd_as_u64(x) rd_as_f64(bits)   the same of an rd_f64
 *              rd_exp(x) rd_log(x) rd_sin(x) rd_cos(x)   of an rd_f32; of an rd_f64: rd_exp64 rd_log64 rd_sin64
 *              rd_cos64 rd_sqrt64 rd_pow64. As exact as the device's own functions are: last digits differ
 *              rd_popcount(x)    rd_lowest(x) the number of the lowest bit that is set; x is not 0
 *              rd_pause()        in a loop that waits for another group
 *              rd_wait(turns)    in a loop that waits for groups that are on their way, as at a barrier
 *              rd_idle(turns, most)   in a loop without work: the more turns, the longer it rests; on GPUs up to
 *                                64 ns << most: RD_IDLE_SHORT where others wait for who rests, RD_IDLE_LONG where
 *                                thousands that look slow down those that have work
 *              rd_make_way()     between two pieces of work, of a group whose tasks others may wait for: where groups
 *                                share cores, another one runs first. rd_shares_core(): does this one?
 *              rd_stopped()      the host asked this launch to stop (a relaxed load; ask seldom)
 *              rd_stop_word()    the word that tells; functions called by a kernel load it with rd_ld_rlx
 *              rd_asked(stop)    the same, of a persistent launch whose groups all look, by one lane of each: it also
 *                                hears what reaches no word of the device yet. rd_asked_alone(stop): by one lane of all
 *              rd_hears()        is this the group that hears it? Then it should come by often. 0 where nobody has to
 *              rd_may_be_asked(stop)   may somebody wait for this launch to leave? The same as long as it runs, so who
 *                                looks often keeps it: rd_asked_if(stop, may)
 *              RD_UNROLL         before a loop of constant length
 *              rd_once(c)        an `if` around a group operation; c is equal in all lanes. See the first rule below
 *
 * Vectors      rd_f32v rd_u32v: RD_VECTOR values at once, eight in a lane of a CPU, elsewhere one; see dialect/vector.h
 *
 * Rules that no compiler checks:
 *   - A loop that contains a group operation has one exit, tested at its top on a value equal in all lanes, and no
 * return, break or continue inside. (OpenCL compilers for CPUs turn lanes into loops between barriers and get other
 * shapes wrong.) An `if` with a group operation inside is such a shape: rd_once(c) is an `if` that they see as a loop.
 *   - Never wait for another lane of the same group, nor for a group that may not have started.
 *   - After a group operation its scratch may be used again at once; each operation ends with a barrier.
 *   - A word that is accessed by an atomic during a launch is accessed only by atomics during that launch.
 */
/* clang-format on */
#ifndef RADDLE_KERNEL_H
#define RADDLE_KERNEL_H

#if defined(RD_TARGET_CPU)
#include "dialect/cpu.h"
#elif defined(RD_TARGET_CUDA)
#include "dialect/cuda.h"
#elif defined(RD_TARGET_OPENCL)
#include "dialect/opencl.h"
#else
#error "define RD_TARGET_CPU, RD_TARGET_CUDA or RD_TARGET_OPENCL"
#endif
#ifdef RD_PTX
#include "dialect/ptx.h"
#endif
#ifndef RD_HAS_FENCED
#define rd_st_fen(p, x)   rd_st_rlx(p, x)
#define rd_st64_fen(p, x) rd_st64_rlx(p, x)
#define rd_xchg_fen(p, x) rd_xchg_rlx(p, x)
#define rd_or_fen(p, x)   rd_or_rlx(p, x)
#endif
#ifndef RD_FLAT
#define RD_FLAT
#endif
#define RD_IDLE_SHORT 5 /* 2 us */
#define RD_IDLE_LONG  7 /* 8 us */
#ifndef rd_across
#define rd_across(how, type, name, args) how type name args
#endif
#ifndef rd_kernel_apart
#define rd_kernel_apart(level, name, ARGS) rd_kernel(name, ARGS)
#endif
#ifndef RD_COLD_BEGIN
#define RD_COLD_BEGIN
#define RD_COLD_END
#endif
#ifndef RD_HAS_STALE
#define rd_ld_stale(p)   rd_ld_rlx(p)
#define rd_ld64_stale(p) rd_ld64_rlx(p)
#endif
#ifndef RD_HAS_TOGETHER
#define rd_add_together(p, x) rd_add_rlx(p, x)
#endif
#ifndef RD_SHARES_CORES
#define rd_shares_core() 0
#define rd_make_way()    ((void)0)
#endif
#ifndef RD_HAS_EAR
#define rd_hears()             0
#define rd_asked(stop)         rd_ld_rlx(stop)
#define rd_asked_if(stop, may) rd_ld_rlx(stop)
#define rd_asked_alone(stop)   rd_ld_rlx(stop)
#define rd_may_be_asked(stop)  1
#endif
#include "dialect/bits.h"
#ifndef RD_HAS_NUMBERS
#define rd_ldf_stale(p)  rd_as_f32(rd_ld_stale(p))
#define rd_stf_rlx(p, x) rd_st_rlx(p, rd_as_u32(x))
#endif
#include "dialect/group.h"
#include "dialect/vector.h"

/* An `if` that compilers which turn lanes into loops see as a loop; it has a name of its own, for it may be nested. */
#define RD_ONCE_(c, line) for (rd_u32 rd_once_##line = (c); rd_once_##line; rd_once_##line = 0)
#define RD_ONCE(c, line)  RD_ONCE_(c, line)
#define rd_once(c)        RD_ONCE(c, __LINE__)

/* Argument lists: what the items of ARGS(arg) expand to. */
#define RD_PARAM(type, name)        , type name
#define RD_BUFFER_PARAM(type, name) , rd_global type *name
#define RD_FIELD(type, name)        type name;
#define RD_BUFFER_FIELD(type, name) rd_global type *name;
#define RD_TAKE(type, name)         name,
#define rd_context(name, ARGS)                                                                                         \
    typedef struct {                                                                                                   \
        ARGS(RD_BUFFER_FIELD, RD_FIELD)                                                                                \
    } name
#define rd_bind(ARGS)                                                                                                  \
    {                                                                                                                  \
        ARGS(RD_TAKE, RD_TAKE)                                                                                         \
    }

#endif
