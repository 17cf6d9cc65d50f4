/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h - NVIDIA's driver API, opened at run time: its functions, the numbers of its ABI that are used, its GPUs. */
#ifndef RD_DEVICE_CUDA_DRIVER_H
#define RD_DEVICE_CUDA_DRIVER_H

#include "device/device.h"

/* Numbers of the driver's ABI that are used here. */
enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_READY = 600,
    CU_COOPERATIVE_TOO_LARGE = 720,
    CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_ATTRIBUTE_SHARED_PER_BLOCK = 8,
    CU_ATTRIBUTE_WARP = 10,
    CU_ATTRIBUTE_MULTIPROCESSORS = 16,
    CU_ATTRIBUTE_THREADS_PER_MULTIPROCESSOR = 39,
    CU_ATTRIBUTE_MAJOR = 75,
    CU_ATTRIBUTE_MINOR = 76,
    CU_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_STREAM_NON_BLOCKING = 1,
    CU_WRITE_VALUE_DEFAULT = 0, /* with a fence before it; going without is refused by the second version of the call */
    OLDEST_ARCH = 70            /* acquire and release in PTX */
};

typedef struct rd__cuda_api {
#define FN(name, symbol, params) int(*name) params;
#define MAY                      FN
#include "device/cuda/driver.fn"
#undef MAY
#undef FN
} rd__cuda_api;

extern rd__cuda_api rd__cuda; /* filled by rd__cuda_open, once */
/* @return 1 when the driver can be used; else the reason: no driver, one too old, or no NVRTC to compile with. */
int rd__cuda_open(char *reason, size_t room);
/* GPU `ordinal` of those the driver shows. @return 1 when it can be used; else info.reason says why not. */
int rd__cuda_describe(int ordinal, rd_device_info *info, int *handle, int *arch);
/* @return 1 when a device of this back end can launch cooperatively. */
int rd__cuda_cooperates(const rd_device *device);
/* Writes "DEVICE: CALL failed with NAME" for an error code of the driver; `call` may be a whole expression. */
rd_status rd__cuda_fail(rd_error *err, int code, const char *call, const char *device);

#endif
