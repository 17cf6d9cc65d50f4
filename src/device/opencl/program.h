/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - kernel source to a built OpenCL program, through the cache. */
#ifndef RD_DEVICE_OPENCL_PROGRAM_H
#define RD_DEVICE_OPENCL_PROGRAM_H

#include "device/opencl/api.h"

typedef struct rd__opencl_device {
    rd_device base;
    const rd__opencl_api *cl;
    rd__opencl_id id;
    void *context, *queue, *control_queue, *control;
    struct rd__opencl_word *word; /* of CPUs: the host's memory behind control, and all that were before it; or NULL */
    void *first, *last; /* events of launches since time_begin; may be the same one */
} rd__opencl_device;

rd_status rd__opencl_build(rd__opencl_device *device, const rd__program_spec *spec, void **program, rd_error *err);

#endif
