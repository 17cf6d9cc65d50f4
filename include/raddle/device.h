/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - devices of the C API: which there are, and opening one. raddle.h has the rules. */
#ifndef RADDLE_DEVICE_H
#define RADDLE_DEVICE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rd_device rd_device;

typedef struct rd_device_info {
    char name[32];             /* what rd_device_open takes: "cpu", "cuda:0", "opencl:0.1" */
    char backend[16];          /* "cpu", "cuda", "opencl" */
    char model[128];           /* what its maker calls it */
    char driver[128];          /* driver or platform version */
    char reason[256];          /* why it cannot be used; empty when it can */
    uint64_t memory;           /* bytes, all of it */
    uint64_t memory_free;      /* bytes free now; 0 when the device does not say */
    uint64_t memory_max_alloc; /* largest single buffer in bytes */
    uint32_t compute_units;    /* cores, multiprocessors, compute units */
    uint32_t resident_lanes;   /* lanes that can be resident at once; 0 when the device does not say */
    uint32_t max_group;        /* most lanes in one group */
    uint32_t warp;             /* lanes that run in lockstep; 1 on a CPU */
    uint32_t local_bytes;      /* group-local memory */
    uint8_t usable;            /* 0: see reason */
    uint8_t is_gpu;
    uint8_t reserved[6];
} rd_device_info;

/* Lists every device; a back end with no device at all contributes one entry with usable = 0 and the reason.
 * *list is freed with rd_free. */
RD_API rd_status rd_device_list(rd_device_info **list, size_t *count, rd_error *err);

typedef struct rd_device_options {
    size_t size;
    uint32_t threads; /* cpu: number of worker threads, at most 4096; 0 = one for each core this process may use */
    uint8_t no_pin;   /* cpu: do not pin threads to cores */
    uint8_t no_cache; /* do not read or write the on-disk cache of compiled kernels */
    uint8_t debug; /* cpu: guards around buffers; an own app that touches what is outside of an array is RD_EDEVICE with
                      the array's name. Takes SIGSEGV and SIGBUS of the process */
    uint8_t reserved[1];
} rd_device_options;

/* Opens a device. name: NULL or "auto" (the first GPU that works, else the CPU), "cpu", "cpu:T" (T threads),
 * "cpu:TxW" (for tests: T groups of W lanes; at most 4096 lanes), "cuda", "cuda:N", "opencl",
 * "opencl:P.D".
 * @return RD_EARG for a name that names nothing, RD_EDEVICE for a device that is not here or does not work. */
RD_API rd_status rd_device_open(const char *name, const rd_device_options *options, rd_device **device, rd_error *err);
/* Jobs, heaps and microbenchmarks that are left on the device keep it until they are destroyed too. */
RD_API void rd_device_close(rd_device *device);
/* @return what the device is; for NULL an entry that is not usable. */
RD_API const rd_device_info *rd_device_get_info(const rd_device *device);

#ifdef __cplusplus
}
#endif

#endif
