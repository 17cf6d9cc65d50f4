/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leave.c - see leave.h. A call notes where it can be left (sigsetjmp) in a place of its thread, and a signal handler
 * that finds it noted jumps there. Kernels hold no locks and own no memory, so nothing is left behind but the data of
 * the run, which whoever asked for this throws away. A thread that is not in such a call ignores the signal. SIGURG is
 * ignored by default and means nothing to a thread, so one that comes late does no harm.
 *
 * A stack that is used up is told from other memory that is not there by where the stack pointer was: what was touched
 * is just below it, or above it where the pointer itself, below a large frame, points to nothing. Handlers then need
 * another stack: a part of the thread's own, above all that calls use.
 */
#define _GNU_SOURCE
#include "device/cpu/leave.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>
#include <unistd.h>

enum { HANDLER_STACK = 32 << 10, RED_ZONE = 64 << 10, LARGE_FRAME = 64 << 20 };

static _Thread_local struct place {
    sigjmp_buf at;
    volatile sig_atomic_t armed;
    volatile uintptr_t fault;
} place;

static pthread_once_t once_force = PTHREAD_ONCE_INIT, once_guard = PTHREAD_ONCE_INIT;
static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { FAULT_SIGNALS = sizeof fault_signals / sizeof fault_signals[0] };
static struct sigaction before[FAULT_SIGNALS];

static void on_force(int signal)
{
    (void)signal;
    if (place.armed) {
        place.armed = 0;
        siglongjmp(place.at, RD__CPU_FORCED);
    }
}

/* @return 0 where nobody has said how this processor calls it: then a stack is memory like any other. */
static uintptr_t stack_pointer(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#elif defined(__riscv) && defined(REG_SP)
    return (uintptr_t)context->uc_mcontext.__gregs[REG_SP];
#else
    (void)context;
    return 0;
#endif
}

/* The system says so of the address of a name. Safe in a handler. */
static int has_memory(uintptr_t at)
{
    return access((const char *)at, F_OK) == 0 || errno != EFAULT;
}

static rd__cpu_why why_of(int signal, uintptr_t address, const ucontext_t *context)
{
    const uintptr_t top = stack_pointer(context);
    if (signal != SIGSEGV && signal != SIGBUS)
        return RD__CPU_REFUSED;
    const int below = address < top && top - address <= RED_ZONE;
    const int above = address >= top && address - top < LARGE_FRAME && !has_memory(top);
    return top && (below || above) ? RD__CPU_STACK : RD__CPU_MEMORY;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    size_t which = 0;
    while (which + 1 < FAULT_SIGNALS && fault_signals[which] != signal)
        which++;
    const struct sigaction *old = &before[which];
    if (place.armed) {
        place.armed = 0;
        place.fault = (uintptr_t)info->si_addr;
        siglongjmp(place.at, (int)why_of(signal, place.fault, context));
    }
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(signal, info, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(signal);
    } else {
        (void)sigaction(signal, old, NULL); /* the instruction runs again, and ends the process as it would have */
    }
}

static void take_force(void)
{
    struct sigaction action = {.sa_handler = on_force, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGURG, &action, NULL);
}

static void take_faults(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FAULT_SIGNALS; i++)
        (void)sigaction(fault_signals[i], &action, &before[i]);
}

void rd__cpu_leave_breach(const struct rd__cpu_breach *what)
{
    if (place.armed) {
        place.armed = 0;
        place.fault = (uintptr_t)what;
        siglongjmp(place.at, RD__CPU_BREACHED);
    }
}

void rd__cpu_leave_guard(void)
{
    (void)pthread_once(&once_guard, take_faults);
}

void rd__cpu_leave_force(pthread_t thread)
{
    (void)pthread_once(&once_force, take_force);
    (void)pthread_kill(thread, SIGURG);
}

rd__cpu_why rd__cpu_leave_call(void (*call)(void *user), void *user, uintptr_t *at)
{
    const int why = sigsetjmp(place.at, 1);
    if (why == RD__CPU_RETURNED) {
        place.armed = 1;
        call(user);
        place.armed = 0;
    }
    *at = place.fault;
    return (rd__cpu_why)why;
}

void rd__cpu_leave_with_stack(void (*work)(void *user), void *user)
{
    _Alignas(64) char stack[HANDLER_STACK];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    stack_t old = {.ss_flags = SS_DISABLE};
    const int given = sigaltstack(&other, &old) == 0;
    work(user);
    if (given)
        (void)sigaltstack(&old, NULL); /* a sanitizer's, which it will look for */
}
