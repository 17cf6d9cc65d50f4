/* SPDX-License-Identifier: Apache-2.0 */
/* guard.h - buffers with memory around them that nobody may touch, for the debug mode of the CPU. */
#ifndef RD_DEVICE_CPU_GUARD_H
#define RD_DEVICE_CPU_GUARD_H

#include "core/error.h"

typedef struct rd__cpu_guarded rd__cpu_guarded;

/* A buffer whose last byte is the last one before the guard. @return NULL when there is no memory. */
void *rd__cpu_guarded_alloc(rd__cpu_guarded **list, const char *name, uint64_t bytes);
void rd__cpu_guarded_free(rd__cpu_guarded **list, void *data);
/* The message for an address that was touched: which buffer it belongs to. @return RD_EDEVICE. */
rd_status rd__cpu_guarded_explain(const rd__cpu_guarded *list, uintptr_t address, const char *device, rd_error *err);

#endif
