/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leave.c - see leave.h. A call notes where it can be left (sigsetjmp) in a place of its thread, and a signal handler
 * that finds it noted jumps there. Kernels hold no locks and own no memory, so nothing is left behind but the data of
 * the run, which whoever asked for this throws away. A thread that is not in such a call ignores the signal. SIGURG is
 * ignored by default and means nothing to a thread, so one that comes late does no harm.
 */
#define _GNU_SOURCE
#include "device/cpu/leave.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

enum { FORCED = 1, FAULTED = 2, BREACHED = 3 };

static _Thread_local struct place {
    sigjmp_buf at;
    volatile sig_atomic_t armed;
    volatile uintptr_t fault;
} place;

static pthread_once_t once_force = PTHREAD_ONCE_INIT, once_guard = PTHREAD_ONCE_INIT;
static struct sigaction before[2]; /* of SIGSEGV and SIGBUS */

static void on_force(int signal)
{
    (void)signal;
    if (place.armed) {
        place.armed = 0;
        siglongjmp(place.at, FORCED);
    }
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    const struct sigaction *old = &before[signal == SIGBUS];
    if (place.armed) {
        place.armed = 0;
        place.fault = (uintptr_t)info->si_addr;
        siglongjmp(place.at, FAULTED);
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
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGSEGV, &action, &before[0]);
    (void)sigaction(SIGBUS, &action, &before[1]);
}

void rd__cpu_leave_breach(const struct rd__cpu_breach *what)
{
    if (place.armed) {
        place.armed = 0;
        place.fault = (uintptr_t)what;
        siglongjmp(place.at, BREACHED);
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

int rd__cpu_leave_call(void (*call)(void *user), void *user, uintptr_t *fault)
{
    const int why = sigsetjmp(place.at, 1);
    if (why == 0) {
        place.armed = 1;
        call(user);
        place.armed = 0;
    }
    *fault = place.fault;
    return why;
}
