/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_lane.h - what a CPU kernel sees of the back end: who it is, its group's barrier and memory. device/cpu/ has the
 * functions. */
#ifndef RD_DIALECT_CPU_LANE_H
#define RD_DIALECT_CPU_LANE_H

#include <stddef.h>
#include <stdint.h>

#define RD_CPU_WIDE_MAX   64 /* most lanes in a group in the test mode */
#define RD__CPU_MOST_ARGS 32 /* of a kernel: RD__MAX_ARGS of device/device.h */

typedef struct rd__cpu_lane {
    uint32_t lane, lanes, group, groups;
    const uint32_t *stop;      /* the host's request to leave early */
    struct rd__cpu_team *team; /* that run a group together (wide mode) */
    uint32_t crowded;          /* workers share processors */
    size_t memory_used;        /* of the team's memory, by this lane's own count */
} rd__cpu_lane;

typedef struct rd__cpu_kernel_entry {
    const char *name;
    void (*entry)(rd__cpu_lane *self, void *const *argv);
    const char *args; /* their kinds: b (buffer), u (32 bits), w (64 bits), f (float) */
} rd__cpu_kernel_entry;

/* What an app promised and did not keep: a place in its text, and a sentence. */
typedef struct rd__cpu_breach {
    const char *file, *text;
    int line;
} rd__cpu_breach;

/* Where a program that was compiled while this one ran finds the back end. Not by names: those would have to be
 * exported by whatever the library was linked into. */
#define RD__CPU_YIELDS 32 /* turns without work from which on a worker that shares its core yields it */

typedef struct rd__cpu_hooks {
    ptrdiff_t self; /* where rd__cpu_self is, from the thread pointer: the same in every thread */
    rd__cpu_lane *(*get_self)(void);
    void (*group_barrier)(rd__cpu_lane *self);
    void *(*group_memory)(rd__cpu_lane *self, size_t bytes);
    void (*pause)(void);
    void (*idle)(uint32_t turns);
    void (*wait)(uint32_t turns);
    void (*breach)(const rd__cpu_breach *what); /* does not return */
} rd__cpu_hooks;

#ifdef __has_builtin
#if __has_builtin(__builtin_thread_pointer)
#define RD_CPU_THREAD_POINTER 1
#endif
#endif

#ifdef RD_CPU_OWN

#if RD_CPU_PART == 1 /* cpu.h */
extern rd__cpu_hooks rd__cpu_hook __attribute__((visibility("hidden")));
#elif RD_CPU_PART == 2
rd__cpu_hooks rd__cpu_hook __attribute__((visibility("hidden")));
#else
static rd__cpu_hooks rd__cpu_hook;
#endif
#ifdef RD_CPU_THREAD_POINTER
#define rd__cpu_self (*(rd__cpu_lane **)(void *)((char *)__builtin_thread_pointer() + rd__cpu_hook.self))
#else
#define rd__cpu_self (rd__cpu_hook.get_self())
#endif
#define rd__cpu_group_barrier rd__cpu_hook.group_barrier
#define rd__cpu_group_memory  rd__cpu_hook.group_memory
#define rd__cpu_pause         rd__cpu_hook.pause
#define rd__cpu_idle          rd__cpu_hook.idle
#define rd__cpu_wait          rd__cpu_hook.wait

#else

extern _Thread_local rd__cpu_lane *rd__cpu_self __attribute__((tls_model("initial-exec")));

void rd__cpu_group_barrier(rd__cpu_lane *self);
void *rd__cpu_group_memory(rd__cpu_lane *self, size_t bytes);
void rd__cpu_pause(void);
void rd__cpu_idle(uint32_t turns);
void rd__cpu_wait(uint32_t turns);

#endif

#endif
