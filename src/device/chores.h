/* SPDX-License-Identifier: Apache-2.0 */
/* chores.h - small writes and fills that wait for the next command that needs them, and are done by one launch. */
#ifndef RD_DEVICE_CHORES_H
#define RD_DEVICE_CHORES_H

#include "device/device.h"

/* With the device's first program: has it chores done by a launch, where it has a use for that (caps.chores; the
 * environment's RADDLE_CHORES=on|off goes before it) and can compile the kernel. */
void rd__chores_open(rd_device *device);
/* As above, whatever the environment says, where the device's memory is not the host's. For tests. */
rd_status rd__chores_force(rd_device *device, rd_error *err);
void rd__chores_close(rd_device *device);

/* *kept: it is done before whatever may see it. Else the caller gives the command to the back end, now. */
rd_status rd__chores_write(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, int *kept,
                           rd_error *err);
rd_status rd__chores_fill(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, int *kept,
                          rd_error *err);
/* Gives the device all that this thread kept: before each command that reads memory, and before a wait. */
rd_status rd__chores_do(rd_device *device, rd_error *err);
/* Likewise, by one who leaves the device: what fails is told by the next rd__chores_do. */
void rd__chores_leave(rd_device *device);
/* The buffer is freed: nothing is to be done in it. */
void rd__chores_forget(const rd__buffer *buffer);

#endif
