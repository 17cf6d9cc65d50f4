/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu.h - the dialect on the CPU: C11 with the compiler's __atomic builtins, whose orders are C11's.
 *
 * Kernels are compiled twice. RD_CPU_WIDE=0: a group is one lane, so barriers vanish, scans are the identity and a loop
 * over lanes is a plain loop. RD_CPU_WIDE=1, for tests: a group is up to RD_LANES lanes with real barriers
 * (device/cpu/team.c), which are threads where ThreadSanitizer looks on.
 */
#ifndef RD_DIALECT_CPU_H
#define RD_DIALECT_CPU_H

#include <stdint.h>

#include "dialect/cpu_lane.h"

typedef uint32_t rd_u32;
typedef int32_t rd_i32;
typedef uint64_t rd_u64;
typedef int64_t rd_i64;
typedef float rd_f32;
typedef double rd_f64;
#define RD_HAS_F64 1
typedef struct {
    rd_f32 x, y, z, w;
} __attribute__((aligned(16))) rd_f32x4;
typedef struct {
    rd_u32 x, y, z, w;
} __attribute__((aligned(16))) rd_u32x4;

/* Declarations of own files (docs/own-tasks.md): the host reads them, to compilers they are nothing. Others get blanks
 * in their place; here the library's own apps, which are such files, are compiled as they are. */
#define RD_APP(...)
#define RD_OPTION(...)
#define RD_SCALAR(...)
#define RD_ARRAY(...)
#define RD_RESULT(...)
#define RD_SET(...)
#define RD_CONSTANT(...)
#define RD_SEEDS(...)
#define RD_SOURCE(...)
#define RD_STAGES(...)
#define RD_WEIGHTS(...)
#define RD_ROWS(...)
#define RD_TARGETS(...)
#define RD_SYMMETRIC(...)
#define RD_SAMPLE(...)

#define rd_fn    static inline
#define rd_apart static __attribute__((noinline))
#define rd_global
#define rd_local
#define RD_UNROLL
/* Somebody waits for programs of own files: half the time of gcc is for what runs once in a hundred tasks. */
#if defined(RD_CPU_OWN) && !RD_CPU_WIDE && RD_CPU_PART != 2 && defined(__OPTIMIZE__) && !defined(__clang__)
#define RD_COLD_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O1\")")
#define RD_COLD_END   _Pragma("GCC pop_options")
#endif
/* Else what kernels call in several places, or several of them, stays apart, and has its numbers in memory. */
#if !RD_CPU_WIDE && defined(__OPTIMIZE__)
#define RD_FLAT __attribute__((flatten))
#endif
#define RD_WARP 1
/* --debug: what an app may not do ends the run with the line that did it. Models ask in the app's calls. */
#ifdef RD_CPU_DEBUG
#define RD_ALLOW(good, sentence)                                                                                       \
    __extension__({                                                                                                    \
        static const rd__cpu_breach rd_here = {__FILE__, sentence, __LINE__};                                          \
        if (!(good))                                                                                                   \
            rd__cpu_hook.breach(&rd_here);                                                                             \
    })
#endif

/* A kernel is a body and an entry that unpacks the argument vector. Loads happen in declarations, one after another. */
#define RD_LOAD_ARG(type, name)    type name = *(type const *)*rd_argv++;
#define RD_LOAD_BUFFER(type, name) type *name = *(type *const *)*rd_argv++;
#define RD_PASS_ARG(type, name)    , name
#define RD_CPU_KERNEL(linkage, name, ARGS)                                                                             \
    static void name##_body(rd__cpu_lane *rd_self ARGS(RD_BUFFER_PARAM, RD_PARAM));                                    \
    linkage void name##_entry(rd__cpu_lane *rd_self, void *const *rd_argv)                                             \
    {                                                                                                                  \
        (void)rd_argv;                                                                                                 \
        ARGS(RD_LOAD_BUFFER, RD_LOAD_ARG)                                                                              \
        name##_body(rd_self ARGS(RD_PASS_ARG, RD_PASS_ARG));                                                           \
    }                                                                                                                  \
    static void name##_body(rd__cpu_lane *rd_self ARGS(RD_BUFFER_PARAM, RD_PARAM))
/* Of a program that is compiled in two parts (device/cpu/cc.c), the second has the kernel that says so, the first all
 * others and what it calls across. To each the other's are names; their text becomes a function that nobody calls. */
#define RD_CPU_HIDDEN __attribute__((visibility("hidden")))
#define RD_CPU_ELSEWHERE(name, ARGS)                                                                                   \
    RD_CPU_HIDDEN void name##_entry(rd__cpu_lane *rd_self, void *const *rd_argv);                                      \
    rd_fn void name##_elsewhere(rd__cpu_lane *rd_self ARGS(RD_BUFFER_PARAM, RD_PARAM))
#if RD_CPU_PART == 1
#define rd_kernel(name, ARGS)              RD_CPU_KERNEL(RD_CPU_HIDDEN, name, ARGS)
#define rd_kernel_apart(level, name, ARGS) RD_CPU_ELSEWHERE(name, ARGS)
#define rd_across(how, type, name, args)   RD_CPU_HIDDEN __attribute__((noinline)) type name args
#elif RD_CPU_PART == 2
#define rd_kernel(name, ARGS)              RD_CPU_ELSEWHERE(name, ARGS)
#define rd_kernel_apart(level, name, ARGS) RD_CPU_KERNEL(static, name, ARGS)
#define rd_across(how, type, name, args)                                                                               \
    RD_CPU_HIDDEN type name args;                                                                                      \
    rd_fn type name##_elsewhere args
#else
#define rd_kernel(name, ARGS) RD_CPU_KERNEL(static, name, ARGS)
#endif

#define RD_JOIN_(a, b, c) a##b##c
#define RD_JOIN(a, b, c)  RD_JOIN_(a, b, c)
/* The kinds of the arguments, a letter each: what a launch gives is held against them. */
#define RD_KIND_rd_u32              "u"
#define RD_KIND_rd_u64              "w"
#define RD_KIND_rd_f32              "f"
#define RD_KIND_rd_f64              "w" /* its bits */
#define RD_KIND_chores_list         "l" /* device/chores.k.c: other devices have a use for it */
#define RD_ARG_KIND(type, name)     RD_KIND_##type
#define RD_BUFFER_KIND(type, name)  "b"
#define RD_FITS(name, ARGS)                                                                                            \
    _Static_assert(sizeof("" ARGS(RD_BUFFER_KIND, RD_ARG_KIND)) - 1 <= RD__CPU_MOST_ARGS,                              \
                   "kernel " #name " has more arguments than a launch can give");
#define RD_KERNEL_ENTRY(name, ARGS) {#name, name##_entry, "" ARGS(RD_BUFFER_KIND, RD_ARG_KIND)},
#if RD_CPU_PART == 1 /* the other one has the table */
#define rd_kernels(LIST)
#elif defined(RD_CPU_OWN) /* compiled by device/cpu/compile.c, which calls this for the table */
#define rd_kernels(LIST)                                                                                               \
    __attribute__((visibility("default"))) const rd__cpu_kernel_entry *rd__cpu_own_table(const rd__cpu_hooks *hooks);  \
    const rd__cpu_kernel_entry *rd__cpu_own_table(const rd__cpu_hooks *hooks)                                          \
    {                                                                                                                  \
        static const rd__cpu_kernel_entry table[] = {LIST(RD_KERNEL_ENTRY){0, 0, 0}};                                  \
        rd__cpu_hook = *hooks;                                                                                         \
        return table;                                                                                                  \
    }
#else
#if RD_CPU_WIDE
#define RD_TABLE RD_JOIN(rd__cpu_, RD_PROGRAM, _wide)
#elif defined(RD_CPU_AVX2)
#define RD_TABLE RD_JOIN(rd__cpu_, RD_PROGRAM, _avx2)
#else
#define RD_TABLE RD_JOIN(rd__cpu_, RD_PROGRAM, _one)
#endif
#define rd_kernels(LIST)                                                                                               \
    LIST(RD_FITS)                                                                                                      \
    extern const rd__cpu_kernel_entry RD_TABLE[];                                                                      \
    const rd__cpu_kernel_entry RD_TABLE[] = {LIST(RD_KERNEL_ENTRY){0, 0, 0}}
#endif

#if RD_CPU_WIDE
#define RD_LANES     RD_CPU_WIDE_MAX
#define rd_lane()    (rd__cpu_self->lane)
#define rd_lanes()   (rd__cpu_self->lanes)
#define rd_barrier() rd__cpu_group_barrier(rd__cpu_self)
/* Each lane asks for the same arrays in the same order, so each gets the same memory. */
#define rd_local_array(type, name, count)                                                                              \
    type *const name = (type *)rd__cpu_group_memory(rd__cpu_self, sizeof(type) * (count))
#else
#define RD_LANES                          1
#define rd_lane()                         0u
#define rd_lanes()                        1u
#define rd_barrier()                      ((void)0)
#define rd_local_array(type, name, count) type name[count]
#endif
#define rd_group()  (rd__cpu_self->group)
#define rd_groups() (rd__cpu_self->groups)
#define rd_pause()  rd__cpu_pause()
#if defined(__x86_64__) || defined(__i386__)
#define rd_clock() ((rd_u64)__builtin_ia32_rdtsc())
#elif defined(__aarch64__)
#define rd_clock() rd__cpu_clock() /* the generic timer's, of which user space may read this one */
static inline rd_u64 rd__cpu_clock(void)
{
    rd_u64 ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define rd_clock() ((rd_u64)0) /* none that is as cheap */
#endif
#define rd_idle(n, m)  ((void)(m), rd__cpu_idle(n))
#define rd_wait(n)     rd__cpu_wait(n)
#define rd_stop_word() (rd__cpu_self->stop)
#if RD_LANES == 1 /* else lanes take turns by themselves */
#define RD_SHARES_CORES  1
#define rd_shares_core() (rd__cpu_self->crowded)
#define rd_make_way()    (rd_shares_core() ? rd__cpu_idle(RD__CPU_YIELDS) : (void)0)
#endif
#define rd_stopped()                                                                                                   \
    (__atomic_load_n(rd__cpu_self->stop, __ATOMIC_RELAXED)) /* pairs with cpu_stop's store; a hint only */

#define rd_ld_const(p)  (*(p))
#define rd_popcount(x)  ((rd_u32)__builtin_popcount(x))
#define rd_lowest(x)    ((rd_u32)__builtin_ctz(x))
#define rd_ld_const4(p) (*(p))
/* The empty text: gcc takes a function that only prefetches for one without effects, and leaves out calls of it. */
#define rd_prefetch(p)                                                                                                 \
    __extension__({                                                                                                    \
        __builtin_prefetch(p);                                                                                         \
        __asm__ volatile("");                                                                                          \
    })
#define rd_sqrt(x)     __builtin_sqrtf(x)
#define rd_pow(x, y)   __builtin_powf(x, y)
#define rd_exp(x)      __builtin_expf(x)
#define rd_log(x)      __builtin_logf(x)
#define rd_sin(x)      __builtin_sinf(x)
#define rd_cos(x)      __builtin_cosf(x)
#define rd_sqrt64(x)   __builtin_sqrt(x)
#define rd_pow64(x, y) __builtin_pow(x, y)
#define rd_exp64(x)    __builtin_exp(x)
#define rd_log64(x)    __builtin_log(x)
#define rd_sin64(x)    __builtin_sin(x)
#define rd_cos64(x)    __builtin_cos(x)

/* One line an operation and order; s is "" or "64". The partner of each is named where it is used. */
#define RD_CPU_ATOMICS(s, T)                                                                                           \
    rd_fn T rd_ld##s##_rlx(const T *p)                                                                                 \
    {                                                                                                                  \
        return __atomic_load_n(p, __ATOMIC_RELAXED);                                                                   \
    }                                                                                                                  \
    rd_fn T rd_ld##s##_acq(const T *p)                                                                                 \
    {                                                                                                                  \
        return __atomic_load_n(p, __ATOMIC_ACQUIRE);                                                                   \
    }                                                                                                                  \
    rd_fn void rd_st##s##_rlx(T *p, T x)                                                                               \
    {                                                                                                                  \
        __atomic_store_n(p, x, __ATOMIC_RELAXED);                                                                      \
    }                                                                                                                  \
    rd_fn void rd_st##s##_rel(T *p, T x)                                                                               \
    {                                                                                                                  \
        __atomic_store_n(p, x, __ATOMIC_RELEASE);                                                                      \
    }                                                                                                                  \
    rd_fn T rd_add##s##_rlx(T *p, T x)                                                                                 \
    {                                                                                                                  \
        return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                  \
    rd_fn T rd_add##s##_acq(T *p, T x)                                                                                 \
    {                                                                                                                  \
        return __atomic_fetch_add(p, x, __ATOMIC_ACQUIRE);                                                             \
    }                                                                                                                  \
    rd_fn T rd_add##s##_rel(T *p, T x)                                                                                 \
    {                                                                                                                  \
        return __atomic_fetch_add(p, x, __ATOMIC_RELEASE);                                                             \
    }                                                                                                                  \
    rd_fn T rd_add##s##_acqrel(T *p, T x)                                                                              \
    {                                                                                                                  \
        return __atomic_fetch_add(p, x, __ATOMIC_ACQ_REL);                                                             \
    }                                                                                                                  \
    rd_fn T rd_or##s##_rlx(T *p, T x)                                                                                  \
    {                                                                                                                  \
        return __atomic_fetch_or(p, x, __ATOMIC_RELAXED);                                                              \
    }                                                                                                                  \
    rd_fn T rd_and##s##_rlx(T *p, T x)                                                                                 \
    {                                                                                                                  \
        return __atomic_fetch_and(p, x, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                  \
    rd_fn T rd_or##s##_acqrel(T *p, T x)                                                                               \
    {                                                                                                                  \
        return __atomic_fetch_or(p, x, __ATOMIC_ACQ_REL);                                                              \
    }                                                                                                                  \
    rd_fn T rd_and##s##_acqrel(T *p, T x)                                                                              \
    {                                                                                                                  \
        return __atomic_fetch_and(p, x, __ATOMIC_ACQ_REL);                                                             \
    }                                                                                                                  \
    rd_fn T rd_xchg##s##_rlx(T *p, T x)                                                                                \
    {                                                                                                                  \
        return __atomic_exchange_n(p, x, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                  \
    rd_fn T rd_and##s##_acq(T *p, T x)                                                                                 \
    {                                                                                                                  \
        return __atomic_fetch_and(p, x, __ATOMIC_ACQUIRE);                                                             \
    }                                                                                                                  \
    rd_fn T rd_xchg##s##_acq(T *p, T x)                                                                                \
    {                                                                                                                  \
        return __atomic_exchange_n(p, x, __ATOMIC_ACQUIRE);                                                            \
    }                                                                                                                  \
    rd_fn T rd_xchg##s##_acqrel(T *p, T x)                                                                             \
    {                                                                                                                  \
        return __atomic_exchange_n(p, x, __ATOMIC_ACQ_REL);                                                            \
    }                                                                                                                  \
    rd_fn T rd_cas##s##_rlx(T *p, T expected, T x)                                                                     \
    {                                                                                                                  \
        __atomic_compare_exchange_n(p, &expected, x, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                           \
        return expected;                                                                                               \
    }                                                                                                                  \
    rd_fn T rd_cas##s##_acq(T *p, T expected, T x)                                                                     \
    {                                                                                                                  \
        __atomic_compare_exchange_n(p, &expected, x, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);                           \
        return expected;                                                                                               \
    }                                                                                                                  \
    rd_fn T rd_cas##s##_acqrel(T *p, T expected, T x)                                                                  \
    {                                                                                                                  \
        __atomic_compare_exchange_n(p, &expected, x, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                           \
        return expected;                                                                                               \
    }                                                                                                                  \
    /* C11 has no fetch-min: retry while our value would still improve the word. */                                    \
    rd_fn T rd_min##s##_rlx(T *p, T x)                                                                                 \
    {                                                                                                                  \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                                  \
        while (x < old && !__atomic_compare_exchange_n(p, &old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {           \
        }                                                                                                              \
        return old;                                                                                                    \
    }                                                                                                                  \
    rd_fn T rd_max##s##_rlx(T *p, T x)                                                                                 \
    {                                                                                                                  \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                                  \
        while (x > old && !__atomic_compare_exchange_n(p, &old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {           \
        }                                                                                                              \
        return old;                                                                                                    \
    }
RD_CPU_ATOMICS(, rd_u32)
RD_CPU_ATOMICS(64, rd_u64)

rd_fn void rd_or_local(rd_u32 *p, rd_u32 bits)
{
    if (~__atomic_load_n(p, __ATOMIC_RELAXED) & bits)
        __atomic_fetch_or(p, bits, __ATOMIC_RELAXED);
}

rd_fn rd_u32 rd_add_local(rd_u32 *p, rd_u32 x)
{
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); /* partners: where it is used */
}

/* A release costs a core next to nothing, and the thread sanitizer knows no fences: each operation is one. */
#define RD_HAS_FENCED
#define rd_fence_rel()    ((void)0)
#define rd_st_fen(p, x)   rd_st_rel(p, x)
#define rd_st64_fen(p, x) rd_st64_rel(p, x)
#define rd_xchg_fen(p, x) rd_xchg_acqrel(p, x)
#define rd_or_fen(p, x)   rd_or_acqrel(p, x)

rd_fn void rd_fence_sc(void)
{
#ifdef __SANITIZE_THREAD__ /* which knows no fences; a full barrier all the same */
    rd_u32 word = 0;
    __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* A word that holds a number, straight to a register for numbers. What compilers make of a relaxed atomic goes through
 * an integer register, which chains of sums feel; a load or store of one aligned word is as atomic by itself. */
#if defined(__aarch64__) && !defined(__SANITIZE_THREAD__)
#define RD_HAS_NUMBERS
rd_fn rd_f32 rd_ldf_stale(const rd_u32 *p)
{
    rd_f32 x;
    __asm__("ldr %s0, %1" : "=w"(x) : "m"(*p));
    return x;
}
rd_fn void rd_stf_rlx(rd_u32 *p, rd_f32 x)
{
    __asm__("str %s1, %0" : "=m"(*p) : "w"(x));
}
#elif defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define RD_HAS_NUMBERS
rd_fn rd_f32 rd_ldf_stale(const rd_u32 *p)
{
    rd_f32 x;
    __asm__("movss %1, %0" : "=x"(x) : "m"(*p));
    return x;
}
rd_fn void rd_stf_rlx(rd_u32 *p, rd_f32 x)
{
    __asm__("movss %1, %0" : "=m"(*p) : "x"(x));
}
#endif

rd_fn rd_f32 rd_addf_rlx(rd_f32 *p, rd_f32 x)
{
    rd_f32 old, sum;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do {
        sum = old + x;
    } while (!__atomic_compare_exchange(p, &old, &sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

#endif
