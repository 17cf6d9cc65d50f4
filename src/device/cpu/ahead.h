/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.h - own programs on the CPU that were compiled ahead of time, into the program that uses the library. */
#ifndef RD_DEVICE_CPU_AHEAD_H
#define RD_DEVICE_CPU_AHEAD_H

#include "device/device.h"
#include "dialect/cpu_lane.h"

/* C source of the program, for groups of one lane, complete but for its end: function `name` that gives its kernels.
 * And its key. *text is freed with rd__free. */
rd_status rd__cpu_ahead_write(const rd__program_spec *spec, char **text, uint64_t key[2], rd_error *err);
/* @return the kernels of the program, where the caller brought those that this library would make; else NULL. */
const rd__cpu_kernel_entry *rd__cpu_ahead_find(const rd__program_spec *spec, const rd__cpu_hooks *hooks);

#endif
