/* SPDX-License-Identifier: Apache-2.0 */
/* leave.h - makes a worker leave a kernel that does not leave by itself, or did what the processor refuses. For own
 * programs: those of the library look at their stop word. */
#ifndef RD_DEVICE_CPU_LEAVE_H
#define RD_DEVICE_CPU_LEAVE_H

#include <pthread.h>
#include <stdint.h>

struct rd__cpu_breach;

typedef enum rd__cpu_why {
    RD__CPU_RETURNED,
    RD__CPU_FORCED,   /* it was made to leave */
    RD__CPU_MEMORY,   /* it touched memory that is not there */
    RD__CPU_STACK,    /* the same, where its stack ends */
    RD__CPU_REFUSED,  /* the processor refused an instruction: a division by 0, a trap */
    RD__CPU_BREACHED, /* it broke a promise */
} rd__cpu_why;

/* Calls a function. @return why it is over; of memory *at is the address, of a promise the rd__cpu_breach. Memory,
 * stacks and instructions only while rd__cpu_leave_guard is on. It may have been on another stack of this thread. */
rd__cpu_why rd__cpu_leave_call(void (*call)(void *user), void *user, uintptr_t *at);
/* Makes a thread leave, if it is in such a call. */
void rd__cpu_leave_force(pthread_t thread);
/* Inside such a call: ends it. */
void rd__cpu_leave_breach(const struct rd__cpu_breach *what);
/* From now on faults inside such calls end the call; those elsewhere do what they did before. Process-wide. */
void rd__cpu_leave_guard(void);
/* A thread whose stack is used up has none for the handler of that: this one gives it another, for as long as `work`
 * runs. */
void rd__cpu_leave_with_stack(void (*work)(void *user), void *user);

#endif
