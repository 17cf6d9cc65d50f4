/* SPDX-License-Identifier: Apache-2.0 */
/* api.h - OpenCL's functions, opened at run time, the numbers of its ABI that are used, and what a device is. */
#ifndef RD_DEVICE_OPENCL_API_H
#define RD_DEVICE_OPENCL_API_H

#include "device/device.h"

enum {
    CL_DEVICE_TYPE_GPU_BIT = 1 << 2,
    CL_PLATFORM_VERSION_ID = 0x0901,
    CL_PLATFORM_NAME_ID = 0x0902,
    CL_DEVICE_TYPE_ID = 0x1000,
    CL_DEVICE_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_ALLOC = 0x1010,
    CL_DEVICE_ARGUMENT_BYTES = 0x1017,
    CL_DEVICE_SINGLE_FP = 0x101B,
    CL_DEVICE_GLOBAL_MEM = 0x101F,
    CL_DEVICE_LOCAL_MEM = 0x1023,
    CL_DEVICE_AVAILABLE_ID = 0x1027,
    CL_DEVICE_COMPILER = 0x1028,
    CL_DEVICE_NAME_ID = 0x102B,
    CL_DEVICE_VENDOR_ID = 0x102C,
    CL_DRIVER_VERSION_ID = 0x102D,
    CL_DEVICE_VERSION_ID = 0x102F,
    CL_DEVICE_EXTENSIONS_ID = 0x1030,
    CL_DEVICE_ATOMIC_MEMORY = 0x1063,
    CL_DEVICE_GROUP_MULTIPLE = 0x1067,      /* OpenCL 3.0 */
    CL_DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043, /* cl_amd_device_attribute_query */
    CL_DEVICE_SUB_GROUP_SIZES = 0x4108,     /* cl_intel_required_subgroup_size */
    CL_KERNEL_SUB_GROUP_SIZE = 0x2033,      /* cl_khr_subgroups: the largest, of a group of so many lanes */
    CL_ATOMIC_ACQ_REL = 1 << 1,
    CL_ATOMIC_SCOPE_DEVICE = 1 << 5,
    CL_FP_ROUNDED_DIVIDE_SQRT = 1 << 7,
    CL_QUEUE_PROFILING = 1 << 1,
    CL_ALLOC_HOST_MEMORY = 1 << 4,
    CL_MAP_BOTH = 3, /* to read and to write */
    CL_CONTEXT_PLATFORM_ID = 0x1084,
    CL_PROGRAM_BINARY_SIZES_ID = 0x1165,
    CL_PROGRAM_BINARIES_ID = 0x1166,
    CL_PROGRAM_BUILD_LOG_ID = 0x1183,
    CL_KERNEL_ARGS = 0x1191,
    CL_EVENT_STATUS = 0x11D3,
    CL_PROFILING_START = 0x1282,
    CL_PROFILING_END = 0x1283,
    CL_ALLOCATION_FAILURE = -4,
    CL_NO_RESOURCES = -5,
    CL_NO_PROFILE = -7,
    CL_NO_HOST_MEMORY = -6,
    CL_GROUP_TOO_LARGE = -54
};

typedef struct rd__opencl_api {
#define FN(type, name, params) type(*name) params;
#include "device/opencl/opencl.fn"
#undef FN
} rd__opencl_api;

/* Which of the dialect's three bodies for atomics a device takes. */
typedef enum rd__opencl_atomics { RD__CL_EXPLICIT, RD__CL_PTX, RD__CL_LEGACY } rd__opencl_atomics;

/* clGetKernelSubGroupInfoKHR */
typedef int (*rd__opencl_sub_group_info)(void *kernel, void *device, unsigned what, size_t in_bytes, const void *in,
                                         size_t room, void *value, size_t *bytes);

typedef struct rd__opencl_id {
    void *platform, *device;
    rd__opencl_atomics atomics;
    uint32_t subgroup;                        /* lanes of a sub-group, where these are used as warps; else 0 */
    rd__opencl_sub_group_info sub_group_info; /* NULL: compilers are told how wide, and nobody has to ask */
    int standard;                             /* OpenCL C version for -cl-std: 12, 20, 30 */
    int rounds_division; /* it can round x / y and sqrt as IEEE 754 says; OpenCL C alone allows 2.5 ulp */
    int takes_lists;     /* kernels may have 1,024 bytes of arguments, as OpenCL's full profile says */
    int keeps_programs;  /* the driver has a cache on disk of its own, and compiles what is run: see program.c */
    char build[512];     /* whatever changes the meaning of a binary: platform, device and driver versions */
} rd__opencl_id;

/* @return the functions, or NULL and the reason. */
const rd__opencl_api *rd__opencl_open(char *reason, size_t room);
/* Drivers promise that their calls may come from several threads at once, and some (PoCL 3.1) crash all the same while
 * they look for devices, make contexts or compile. So that is done by one thread at a time, on whatever device; kernels
 * and copies run without the lock. Not recursive. */
void rd__opencl_lock(void);
void rd__opencl_unlock(void);
/* Device d of platform p. @return 0 when there is none; else fills info (usable or with the reason why not) and id. */
int rd__opencl_describe(const rd__opencl_api *cl, uint32_t p, uint32_t d, rd_device_info *info, rd__opencl_id *id);
/* @return a name for an OpenCL error code; static. */
const char *rd__opencl_error(int code);
/* Writes "DEVICE: CALL failed with NAME" for an error code. */
rd_status rd__opencl_fail(rd_error *err, int code, const char *call, const char *device);

#endif
