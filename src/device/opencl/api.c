/* SPDX-License-Identifier: Apache-2.0 */
/* api.c - opens the OpenCL loader and describes devices; see api.h. */
#include "device/opencl/api.h"

#include "core/fork.h"
#include "core/library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rd__opencl_api api;
static int ready;
static uint32_t generation; /* of the process that opened it */
static char failure[256];

static void open_once(void)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    char reason[200] = "";
    generation = rd__fork_generation();
    void *library = rd__library_open(names, reason, sizeof reason);
    if (!library) {
        snprintf(failure, sizeof failure, "the OpenCL loader was not found (%s)", reason);
        return;
    }
#define FN(type, name, params)                                                                                         \
    if (!rd__library_symbol(library, #name, &api.name)) {                                                              \
        snprintf(failure, sizeof failure, "the OpenCL loader is too old: it lacks " #name);                            \
        return;                                                                                                        \
    }
#include "device/opencl/opencl.fn"
#undef FN
    ready = 1;
}

const rd__opencl_api *rd__opencl_open(char *reason, size_t room)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (!ready) {
        snprintf(reason, room, "%s", failure);
        return NULL;
    }
    if (generation != rd__fork_generation()) {
        snprintf(reason, room,
                 "OpenCL was in use before this process was forked, and its drivers' threads stayed behind; fork "
                 "first, then open devices");
        return NULL;
    }
    return &api;
}

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void rd__opencl_lock(void)
{
    (void)pthread_mutex_lock(&one_at_a_time);
}

void rd__opencl_unlock(void)
{
    (void)pthread_mutex_unlock(&one_at_a_time);
}

const char *rd__opencl_error(int code)
{
    static const struct {
        int code;
        const char *name;
    } table[] = {{-1, "CL_DEVICE_NOT_FOUND"},
                 {-2, "CL_DEVICE_NOT_AVAILABLE"},
                 {-3, "CL_COMPILER_NOT_AVAILABLE"},
                 {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                 {-5, "CL_OUT_OF_RESOURCES"},
                 {-6, "CL_OUT_OF_HOST_MEMORY"},
                 {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
                 {-11, "CL_BUILD_PROGRAM_FAILURE"},
                 {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
                 {-30, "CL_INVALID_VALUE"},
                 {-33, "CL_INVALID_DEVICE"},
                 {-34, "CL_INVALID_CONTEXT"},
                 {-36, "CL_INVALID_COMMAND_QUEUE"},
                 {-38, "CL_INVALID_MEM_OBJECT"},
                 {-42, "CL_INVALID_BINARY"},
                 {-43, "CL_INVALID_BUILD_OPTIONS"},
                 {-44, "CL_INVALID_PROGRAM"},
                 {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
                 {-46, "CL_INVALID_KERNEL_NAME"},
                 {-48, "CL_INVALID_KERNEL"},
                 {-49, "CL_INVALID_ARG_INDEX"},
                 {-50, "CL_INVALID_ARG_VALUE"},
                 {-51, "CL_INVALID_ARG_SIZE"},
                 {-52, "CL_INVALID_KERNEL_ARGS"},
                 {-54, "CL_INVALID_WORK_GROUP_SIZE"},
                 {-55, "CL_INVALID_WORK_ITEM_SIZE"},
                 {-61, "CL_INVALID_BUFFER_SIZE"},
                 {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
                 {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].code == code)
            return table[i].name;
    return "an OpenCL error";
}

/* ---- Describing ---- */

static void get_text(const rd__opencl_api *cl, void *device, unsigned what, char *text, size_t room)
{
    if (cl->clGetDeviceInfo(device, what, room - 1, text, NULL) != 0)
        text[0] = '\0';
    text[room - 1] = '\0';
}

static uint64_t get_number(const rd__opencl_api *cl, void *device, unsigned what, size_t bytes)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (bytes == sizeof narrow)
        return cl->clGetDeviceInfo(device, what, sizeof narrow, &narrow, NULL) == 0 ? narrow : 0;
    return cl->clGetDeviceInfo(device, what, sizeof wide, &wide, NULL) == 0 ? wide : 0;
}

/* "OpenCL 3.0 ..." -> 30 */
static int version_number(const char *text)
{
    int major = 1, minor = 0;
    (void)sscanf(text, "OpenCL %d.%d", &major, &minor);
    return 10 * major + minor;
}

static void choose_atomics(const rd__opencl_api *cl, void *device, const char *vendor, int version, rd__opencl_id *id)
{
    const char *forced = getenv("RADDLE_OPENCL_ATOMICS"); /* for tests: "legacy" */
    const uint64_t need = CL_ATOMIC_ACQ_REL | CL_ATOMIC_SCOPE_DEVICE;
    id->standard = 12;
    id->atomics = RD__CL_LEGACY;
    if (forced && strcmp(forced, "legacy") == 0)
        return;
    if (strstr(vendor, "NVIDIA")) {
        id->atomics = RD__CL_PTX;
    } else if (version >= 30 && (get_number(cl, device, CL_DEVICE_ATOMIC_MEMORY, 8) & need) == need) {
        id->atomics = RD__CL_EXPLICIT;
        id->standard = 30;
    } else if (version >= 20 && version < 30) {
        id->atomics = RD__CL_EXPLICIT;
        id->standard = 20;
    }
}

/* The widest of sub-groups that a compiler can be told to make, of those that the dialect takes. */
static uint32_t widest(const rd__opencl_api *cl, void *device)
{
    size_t sizes[16] = {0}, bytes = 0, best = 0;
    if (cl->clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES, sizeof sizes, sizes, &bytes) != 0)
        return 0;
    for (size_t i = 0; i < bytes / sizeof *sizes && i < sizeof sizes / sizeof *sizes; i++)
        if ((sizes[i] == 8 || sizes[i] == 16 || sizes[i] == 32) && sizes[i] > best)
            best = sizes[i];
    return (uint32_t)best;
}

/* Sub-groups as warps: where a compiler can be told how wide they are to be, or the device says how wide its are and
 * each kernel can be asked whether its are so. Wider ones than 32 lanes are not used: a vote is a word. */
static void choose_subgroups(const rd__opencl_api *cl, const char *extensions, int version, rd__opencl_id *id)
{
    const char *wanted = getenv("RADDLE_OPENCL_SUBGROUPS"); /* "off" */
    const int there = strstr(extensions, "cl_khr_subgroups") != NULL && id->atomics == RD__CL_EXPLICIT;
    id->subgroup = 0;
    if (!there || (wanted && strcmp(wanted, "off") == 0))
        return;
    if (strstr(extensions, "cl_intel_required_subgroup_size")) {
        id->subgroup = widest(cl, id->device);
        return;
    }
    uint64_t lanes = 0;
    if (strstr(extensions, "cl_amd_device_attribute_query"))
        lanes = get_number(cl, id->device, CL_DEVICE_WAVEFRONT_WIDTH_AMD, 4);
    else if (version >= 30)
        lanes = get_number(cl, id->device, CL_DEVICE_GROUP_MULTIPLE, sizeof(size_t));
    void *ask = cl->clGetExtensionFunctionAddressForPlatform(id->platform, "clGetKernelSubGroupInfoKHR");
    if (!ask || (lanes != 8 && lanes != 16 && lanes != 32))
        return;
    memcpy(&id->sub_group_info, &ask, sizeof ask); /* POSIX: a function's address fits */
    id->subgroup = (uint32_t)lanes;
}

/* PoCL, unless its cache is turned off. */
static int keeps_programs(const char *platform)
{
    const char *cache = getenv("POCL_KERNEL_CACHE");
    return strcmp(platform, "Portable Computing Language") == 0 && !(cache && strcmp(cache, "0") == 0);
}

static void check_usable(const rd__opencl_api *cl, void *device, const char *extensions, rd_device_info *info)
{
    if (!get_number(cl, device, CL_DEVICE_AVAILABLE_ID, 4))
        snprintf(info->reason, sizeof info->reason, "its driver says that it is not available");
    else if (!get_number(cl, device, CL_DEVICE_COMPILER, 4))
        snprintf(info->reason, sizeof info->reason, "its driver has no compiler for OpenCL C");
    else if (!strstr(extensions, "cl_khr_int64_base_atomics") || !strstr(extensions, "cl_khr_int64_extended_atomics"))
        snprintf(info->reason, sizeof info->reason,
                 "it has no 64-bit atomics (cl_khr_int64_base_atomics, _extended_atomics)");
    else
        info->usable = 1;
}

int rd__opencl_describe(const rd__opencl_api *cl, uint32_t p, uint32_t d, rd_device_info *info, rd__opencl_id *id)
{
    void *platforms[64], *devices[64];
    unsigned count = 0;
    char platform[96] = "", platform_version[96] = "", version[64], vendor[128], driver[64], extensions[8192];
    if (cl->clGetPlatformIDs(64, platforms, &count) != 0 || p >= count || p >= 64)
        return 0;
    id->platform = platforms[p];
    if (cl->clGetDeviceIDs(id->platform, 0xFFFFFFFF, 64, devices, &count) != 0 || d >= count || d >= 64)
        return 0;
    id->device = devices[d];
    (void)cl->clGetPlatformInfo(id->platform, CL_PLATFORM_NAME_ID, sizeof platform - 1, platform, NULL);
    (void)cl->clGetPlatformInfo(id->platform, CL_PLATFORM_VERSION_ID, sizeof platform_version - 1, platform_version,
                                NULL);
    get_text(cl, id->device, CL_DEVICE_VERSION_ID, version, sizeof version);
    get_text(cl, id->device, CL_DEVICE_VENDOR_ID, vendor, sizeof vendor);
    get_text(cl, id->device, CL_DRIVER_VERSION_ID, driver, sizeof driver);
    get_text(cl, id->device, CL_DEVICE_EXTENSIONS_ID, extensions, sizeof extensions);

    *info = (rd_device_info){.warp = 1};
    get_text(cl, id->device, CL_DEVICE_NAME_ID, info->model, sizeof info->model);
    choose_atomics(cl, id->device, vendor, version_number(version), id);
    snprintf(info->name, sizeof info->name, "opencl:%u.%u", p, d);
    snprintf(info->backend, sizeof info->backend, "opencl");
    snprintf(info->driver, sizeof info->driver, "%.60s, driver %.40s", platform, driver);
    info->is_gpu = (get_number(cl, id->device, CL_DEVICE_TYPE_ID, 8) & CL_DEVICE_TYPE_GPU_BIT) != 0;
    info->memory = get_number(cl, id->device, CL_DEVICE_GLOBAL_MEM, 8);
    info->memory_max_alloc = get_number(cl, id->device, CL_DEVICE_MAX_ALLOC, 8);
    info->compute_units = (uint32_t)get_number(cl, id->device, CL_DEVICE_COMPUTE_UNITS, 4);
    info->max_group = (uint32_t)get_number(cl, id->device, CL_DEVICE_GROUP_SIZE, sizeof(size_t));
    info->local_bytes = (uint32_t)get_number(cl, id->device, CL_DEVICE_LOCAL_MEM, 8);
    /* CPUs round so anyway. */
    id->takes_lists = get_number(cl, id->device, CL_DEVICE_ARGUMENT_BYTES, 8) >= 1024;
    id->rounds_division =
        info->is_gpu && (get_number(cl, id->device, CL_DEVICE_SINGLE_FP, 8) & CL_FP_ROUNDED_DIVIDE_SQRT) != 0;
    choose_subgroups(cl, extensions, version_number(version), id);
    if (id->atomics == RD__CL_PTX)
        info->warp = 32;
    else if (id->subgroup)
        info->warp = id->subgroup;
    id->keeps_programs = keeps_programs(platform);
    snprintf(id->build, sizeof id->build, "%s|%s|%s|%s|%s", platform, platform_version, version, driver, info->model);
    check_usable(cl, id->device, extensions, info);
    return 1;
}

rd_status rd__opencl_fail(rd_error *err, int code, const char *call, const char *device)
{
    int memory = code == CL_ALLOCATION_FAILURE || code == CL_NO_RESOURCES || code == CL_NO_HOST_MEMORY;
    return rd__fail(err, memory ? RD_ENOMEM : RD_EDEVICE, "%s: %s failed with %s (%d)", device, call,
                    rd__opencl_error(code), code);
}
