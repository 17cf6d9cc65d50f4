/* SPDX-License-Identifier: Apache-2.0 */
/* guard.h - buffers with memory around them that nobody may touch, for the debug mode of the CPU. */
#ifndef RD_DEVICE_CPU_GUARD_H
#define RD_DEVICE_CPU_GUARD_H

#include "core/error.h"
#include "device/cpu/leave.h"
#include "dialect/cpu_lane.h"

typedef struct rd__cpu_guarded rd__cpu_guarded;

/* A buffer whose last byte is the last one before the guard. @return NULL when there is no memory. */
void *rd__cpu_guarded_alloc(rd__cpu_guarded **list, const char *name, uint64_t bytes);
void rd__cpu_guarded_free(rd__cpu_guarded **list, void *data);
/* What ended a launch: RD__CPU_RETURNED when nothing did. */
typedef struct rd__cpu_fault {
    rd__cpu_why why;
    uintptr_t at; /* the address, or the rd__cpu_breach */
} rd__cpu_fault;

/* The message for it: which buffer the address belongs to, or which line of the app it was. @return RD_EDEVICE,
 * RD_EINPUT. */
rd_status rd__cpu_guarded_explain(const rd__cpu_guarded *list, const rd__cpu_fault *fault, const char *device,
                                  rd_error *err);

#endif
