/* SPDX-License-Identifier: Apache-2.0 */
/* leave.h - makes a worker leave a kernel that does not leave by itself, or that touched memory that is not there. For
 * own programs: those of the library look at their stop word. */
#ifndef RD_DEVICE_CPU_LEAVE_H
#define RD_DEVICE_CPU_LEAVE_H

#include <pthread.h>
#include <stdint.h>

struct rd__cpu_breach;

/* Calls a function. @return 0; 1 when it was made to leave; 2 when it touched *fault, which is not there (only while
 * rd__cpu_leave_guard is on); 3 when it broke a promise, a rd__cpu_breach at *fault. It may have been on another stack
 * of this thread when it was. */
int rd__cpu_leave_call(void (*call)(void *user), void *user, uintptr_t *fault);
/* Makes a thread leave, if it is in such a call. */
void rd__cpu_leave_force(pthread_t thread);
/* Inside such a call: ends it. */
void rd__cpu_leave_breach(const struct rd__cpu_breach *what);
/* From now on faults of memory inside such calls end the call; those elsewhere do what they did before. Process-wide.
 */
void rd__cpu_leave_guard(void);

#endif
