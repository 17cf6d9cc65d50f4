/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c - see driver.h. */
#include "device/cuda/driver.h"

#include "device/cuda/compile.h"
#include "core/fork.h"
#include "core/library.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

rd__cuda_api rd__cuda;
static int ready, version;
static uint32_t generation; /* of the process that opened it */
static char failure[256];

rd_status rd__cuda_fail(rd_error *err, int code, const char *call, const char *device)
{
    const char *name = NULL, *text = NULL;
    (void)rd__cuda.GetErrorName(code, &name);
    (void)rd__cuda.GetErrorString(code, &text);
    const int length = (int)strcspn(call, "("); /* of a whole expression, the function */
    return rd__fail(err, code == CU_OUT_OF_MEMORY ? RD_ENOMEM : RD_EDEVICE, "%s: %.*s failed with %s (%d): %s", device,
                    length, call, name ? name : "an unknown error", code, text ? text : "no text");
}
static void open_once(void)
{
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1", NULL};
    char reason[200] = "";
    generation = rd__fork_generation();
    void *library = rd__library_open(names, reason, sizeof reason);
    if (!library) {
        snprintf(failure, sizeof failure, "NVIDIA's driver was not found (%s)", reason);
        return;
    }
#define FN(name, symbol, params)                                                                                       \
    if (!rd__library_symbol(library, #symbol, &rd__cuda.name)) {                                                       \
        snprintf(failure, sizeof failure, "NVIDIA's driver is too old: it lacks " #symbol);                            \
        return;                                                                                                        \
    }
#define MAY(name, symbol, params)                                                                                      \
    if (!rd__library_symbol(library, #symbol, &rd__cuda.name))                                                         \
        rd__cuda.name = NULL;
#include "device/cuda/driver.fn"
#undef MAY
#undef FN
    int code = rd__cuda.Init(0);
    if (code != CU_SUCCESS) {
        const char *text = NULL;
        (void)rd__cuda.GetErrorString(code, &text);
        snprintf(failure, sizeof failure, "cuInit failed with %d: %s", code, text ? text : "no text");
        return;
    }
    (void)rd__cuda.DriverGetVersion(&version);
    ready = 1;
}

int rd__cuda_open(char *reason, size_t room)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (!ready)
        snprintf(reason, room, "%s", failure);
    else if (generation != rd__fork_generation())
        snprintf(reason, room,
                 "CUDA was in use before this process was forked, and does not survive that; fork first, then open "
                 "devices");
    return ready && generation == rd__fork_generation();
}

static int attribute(int device, int which)
{
    int value = 0;
    return rd__cuda.DeviceGetAttribute(&value, which, device) == CU_SUCCESS ? value : 0;
}

int rd__cuda_describe(int ordinal, rd_device_info *info, int *handle, int *arch)
{
    int device = 0;
    size_t bytes = 0;
    *info = (rd_device_info){.is_gpu = 1};
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->name, sizeof info->name, "cuda:%d", ordinal);
    (void)rd__nvrtc_open(info->reason, sizeof info->reason);
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d, NVRTC %d.%d", version / 1000, version % 1000 / 10,
             rd__nvrtc_version() / 1000, rd__nvrtc_version() % 1000 / 10);
    info->reason[0] = '\0';
    if (rd__cuda.DeviceGet(&device, ordinal) != CU_SUCCESS ||
        rd__cuda.DeviceGetName(info->model, sizeof info->model, device) != CU_SUCCESS ||
        rd__cuda.DeviceTotalMem(&bytes, device) != CU_SUCCESS) {
        snprintf(info->reason, sizeof info->reason, "the driver does not describe it");
        return 0;
    }
    *handle = device;
    *arch = 10 * attribute(device, CU_ATTRIBUTE_MAJOR) + attribute(device, CU_ATTRIBUTE_MINOR);
    info->memory = info->memory_max_alloc = bytes;
    info->compute_units = (uint32_t)attribute(device, CU_ATTRIBUTE_MULTIPROCESSORS);
    info->resident_lanes = info->compute_units * (uint32_t)attribute(device, CU_ATTRIBUTE_THREADS_PER_MULTIPROCESSOR);
    info->max_group = (uint32_t)attribute(device, CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    info->warp = (uint32_t)attribute(device, CU_ATTRIBUTE_WARP);
    info->local_bytes = (uint32_t)attribute(device, CU_ATTRIBUTE_SHARED_PER_BLOCK);
    if (*arch < OLDEST_ARCH) {
        snprintf(info->reason, sizeof info->reason,
                 "compute capability %d.%d; %d.%d is the least (acquire and release)", *arch / 10, *arch % 10,
                 OLDEST_ARCH / 10, OLDEST_ARCH % 10);
        return 0;
    }
    /* Without NVRTC nobody is to take it by himself; whoever names it runs what was compiled ahead of time. */
    info->usable = (uint8_t)rd__nvrtc_open(info->reason, sizeof info->reason);
    return 1;
}

int rd__cuda_cooperates(const rd_device *device)
{
    int ordinal = 0, handle = 0;
    return sscanf(device->info.name, "cuda:%d", &ordinal) == 1 && rd__cuda.DeviceGet(&handle, ordinal) == CU_SUCCESS &&
           attribute(handle, CU_ATTRIBUTE_COOPERATIVE_LAUNCH);
}
