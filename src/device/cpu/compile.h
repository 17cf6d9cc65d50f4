/* SPDX-License-Identifier: Apache-2.0 */
/* compile.h - own programs on the CPU: compiled by the system's C compiler while this program runs, kept in the cache
 * of programs, and loaded into the process. */
#ifndef RD_DEVICE_CPU_COMPILE_H
#define RD_DEVICE_CPU_COMPILE_H

#include "device/device.h"
#include "dialect/cpu_lane.h"

/* Compiles spec->own for groups of one lane, or wide: of several; debug: what the app may not do is watched.
 * *library is given to rd__cpu_own_unload when no kernel of the table runs any more. RD_EBUILD: there is no compiler,
 * or it refused; err then has its first messages, which name the file and the line. */
rd_status rd__cpu_own_load(const rd__program_spec *spec, int wide, int debug, int use_cache, void **library,
                           const rd__cpu_kernel_entry **table, rd_error *err);
void rd__cpu_own_unload(void *library);

#endif
