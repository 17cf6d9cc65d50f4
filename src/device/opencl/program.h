/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - kernel source to a built OpenCL program, through the cache. */
#ifndef RD_DEVICE_OPENCL_PROGRAM_H
#define RD_DEVICE_OPENCL_PROGRAM_H

#include "device/opencl/opencl.h"

/* The caller has the lock (api.h) and releases the program, with clReleaseProgram. */
rd_status rd__opencl_build(rd__opencl_device *device, const rd__program_spec *spec, void **program, rd_error *err);

/* Are programs of so many lanes compiled for sub-groups as warps? */
int rd__opencl_has_warps(const rd__opencl_device *device, uint32_t lanes);

/* Gives back what the device keeps: when it is closed. */
void rd__opencl_forget(rd__opencl_device *device);

#endif
