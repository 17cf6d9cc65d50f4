/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - programs of a CUDA device, from machine code that NVRTC made now or somebody ahead of time; launches. */
#include "device/cuda/ahead.h"
#include "device/cuda/compile.h"
#include "device/cuda/kernels.h"

#include "core/memory.h"
#include "device/source.h"

#include <stdio.h>
#include <string.h>

static const rd__cuda_api *const cu = &rd__cuda;

/* Machine code for it: the caller's, or NVRTC's, which is then *made. */
static rd_status find_image(const rd__cuda_device *device, const rd__program_spec *spec, char **made,
                            const void **image, rd_error *err)
{
    size_t bytes = 0;
    rd__program_spec plain = *spec;
    plain.places = 0;
    *image = rd__cuda_ahead_find(&plain, device->arch, &bytes);
    if (*image)
        return RD_OK;
    const rd_status status = rd__nvrtc_compile(spec, device->arch, (int)device->base.use_cache, made, &bytes, err);
    *image = *made;
    if (status == RD_EDEVICE && rd__cuda_ahead_has(&plain))
        return rd__fail(
            err, RD_EDEVICE,
            "%s: what was compiled ahead of time has no %s for sm_%d with groups of %u lanes and constants "
            "'%s'; write it again (raddle compile --for cuda:sm_%d, with the same options and such an input), "
            "or install NVRTC",
            spec->own->name, spec->name, device->arch, spec->lanes, spec->defines ? spec->defines : "", device->arch);
    return status;
}

rd_status rd__cuda_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)base;
    char *made = NULL;
    const void *image = NULL;
    if (spec->lanes < 1 || spec->lanes > base->info.max_group)
        return rd__fail(err, RD_EARG, "%s: a group may have 1 to %u lanes, %u were asked for", base->info.name,
                        base->info.max_group, spec->lanes);
    RD_TRY(find_image(device, spec, &made, &image, err));
    rd__program *program = rd__calloc(1, sizeof *program);
    rd_status status = program ? rd__cuda_enter(device, err) : rd__fail_memory(err, "a program", sizeof *program);
    if (status == RD_OK) {
        program->device = device;
        program->lanes = spec->lanes;
        size_t bytes = 0;
        int code = cu->ModuleLoadData(&program->module, image);
        if (code == CU_SUCCESS && spec->places && /* what was compiled ahead of time does not have it */
            (cu->ModuleGetGlobal(&program->places, &bytes, program->module, "rd_place") != CU_SUCCESS ||
             bytes != sizeof program->place))
            program->places = 0;
        (void)rd__cuda_leave(RD_OK);
        if (code != CU_SUCCESS)
            status = rd__cuda_fail(err, code, "cuModuleLoadData", base->info.name);
    }
    rd__free(made);
    if (status != RD_OK) {
        rd__free(program);
        return status;
    }
    *out = program;
    return RD_OK;
}

/* For the architecture that most GPUs of today can run: 8.0, or the nearest that NVRTC knows. */
rd_status rd__cuda_compile(const rd__program_spec *spec, rd_error *err)
{
    enum { USUAL = 80 };
    char *image = NULL;
    size_t bytes = 0;
    const rd_status status = rd__nvrtc_compile(spec, USUAL, 1, &image, &bytes, err);
    rd__free(image);
    return status;
}

void rd__cuda_unload(rd__program *program)
{
    if (rd__cuda_enter(program->device, NULL) == RD_OK) {
        rd__cuda_loop_close(&program->loop);
        (void)cu->ModuleUnload(program->module);
        (void)rd__cuda_leave(RD_OK);
    }
    for (rd__kernel *kernel = program->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        rd__free(kernel);
    }
    rd__free(program);
}

rd_status rd__cuda_kernel(rd__program *program, const char *name, rd__kernel **out, rd_error *err)
{
    rd__kernel *kernel = rd__calloc(1, sizeof *kernel);
    if (!kernel)
        return rd__fail_memory(err, "a kernel", sizeof *kernel);
    kernel->program = program;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    rd_status status = rd__cuda_enter(program->device, err);
    if (status == RD_OK) {
        int code = cu->ModuleGetFunction(&kernel->function, program->module, name);
        (void)rd__cuda_leave(RD_OK);
        if (code != CU_SUCCESS)
            status = rd__cuda_fail(err, code, "cuModuleGetFunction", name);
    }
    if (status != RD_OK) {
        rd__free(kernel);
        return status;
    }
    kernel->next = program->kernels;
    program->kernels = kernel;
    *out = kernel;
    return RD_OK;
}

/* The driver takes some microseconds for it, and some ask before each run. */
static rd_status count_blocks(rd__kernel *kernel, rd_error *err)
{
    rd__cuda_device *device = kernel->program->device;
    RD_TRY(rd__cuda_enter(device, err));
    int code = cu->Occupancy(&kernel->blocks, kernel->function, (int)kernel->program->lanes, 0);
    (void)rd__cuda_leave(RD_OK);
    if (code == CU_SUCCESS)
        return RD_OK;
    kernel->blocks = 0;
    return rd__cuda_fail(err, code, "cuOccupancyMaxActiveBlocksPerMultiprocessor", device->base.info.name);
}

rd_status rd__cuda_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    const rd__cuda_device *device = kernel->program->device;
    if (!kernel->blocks)
        RD_TRY(count_blocks(kernel, err));
    if (kernel->blocks <= 0)
        return rd__fail(err, RD_EDEVICE,
                        "%s: not one group of %u lanes of %s fits a multiprocessor; use a smaller --worker",
                        device->base.info.name, kernel->program->lanes, kernel->name);
    *groups = (uint32_t)kernel->blocks * device->base.info.compute_units;
    return RD_OK;
}

rd_status rd__cuda_values(const rd__kernel *kernel, const rd__arg *args, uint32_t count, rd__cuda_params *params,
                          rd_error *err)
{
    rd__cuda_device *device = kernel->program->device;
    if (count > RD__MAX_ARGS)
        return rd__fail(err, RD_EDEVICE, "kernel %s: too many arguments", kernel->name);
    memset(params->value, 0, sizeof params->value);
    params->count = count + 1;
    params->value[0].u64 = rd__cuda_stop_word(device, rd__cuda_queue_of(device));
    for (uint32_t i = 0; i < count; i++)
        switch (args[i].kind) {
        case RD__ARG_BUFFER: params->value[i + 1].u64 = args[i].as.buffer->at.address; break;
        case RD__ARG_U32: params->value[i + 1].u32 = args[i].as.u32; break;
        case RD__ARG_U64: params->value[i + 1].u64 = args[i].as.u64; break;
        case RD__ARG_F32: params->value[i + 1].f32 = args[i].as.f32; break;
        case RD__ARG_LIST: break; /* the driver takes it from where it is */
        }
    return RD_OK;
}

void rd__cuda_point(rd__cuda_params *params)
{
    for (uint32_t i = 0; i < params->count; i++)
        params->pointer[i] = &params->value[i];
}

/* The driver copies arguments while it is called. It does not change them: its pointers are not const, that is all. */
static void point_to_lists(const rd__arg *args, uint32_t count, rd__cuda_params *params)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i].kind == RD__ARG_LIST)
            memcpy(&params->pointer[i + 1], &args[i].as.list.data, sizeof params->pointer[i + 1]);
}

static rd_status launch_groups(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args,
                               uint32_t count, rd_error *err)
{
    rd__cuda_device *device = kernel->program->device;
    const rd__cuda_queue *queue = rd__cuda_queue_of(device);
    rd__cuda_params params;
    RD_TRY(rd__cuda_values(kernel, args, count, &params, err));
    rd__cuda_point(&params);
    point_to_lists(args, count, &params);
    RD_TRY(rd__cuda_enter(device, err));
    const uint32_t lanes = kernel->program->lanes;
    rd__device_count(&device->base);
    int code =
        cooperative
            ? cu->LaunchCooperativeKernel(kernel->function, groups, 1, 1, lanes, 1, 1, 0, queue->stream, params.pointer)
            : cu->LaunchKernel(kernel->function, groups, 1, 1, lanes, 1, 1, 0, queue->stream, params.pointer, NULL);
    (void)rd__cuda_leave(RD_OK);
    if (code == CU_COOPERATIVE_TOO_LARGE)
        return rd__fail(err, RD_EDEVICE,
                        "%s: %u groups of %u lanes of %s cannot be resident at once; ask for fewer or use --launch "
                        "discrete",
                        device->base.info.name, groups, lanes, kernel->name);
    return code == CU_SUCCESS ? RD_OK : rd__cuda_fail(err, code, kernel->name, device->base.info.name);
}

/* Groups of the launches given from now on: the first of them, and how many are left out. */
rd_status rd__cuda_set_place(rd__program *program, uint32_t first, uint32_t absent, rd_error *err)
{
    const uint32_t place[2] = {first, absent};
    if (!program->places || memcmp(place, program->place, sizeof place) == 0)
        return RD_OK;
    RD_TRY(rd__cuda_enter(program->device, err));
    RD_TRY(rd__cuda_leave(rd__cuda_write_few(program->device, program->places, sizeof place, place, err)));
    memcpy(program->place, place, sizeof place);
    return RD_OK;
}

rd_status rd__cuda_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                          rd_error *err)
{
    RD_TRY(rd__cuda_set_place(kernel->program, 0, 0, err));
    return launch_groups(kernel, groups, cooperative, args, count, err);
}

/* Where the program does not know of places all are launched: those for which there is no room wait for it. */
rd_status rd__cuda_launch_some(rd__kernel *kernel, uint32_t groups, uint32_t first, uint32_t present,
                               const rd__arg *args, uint32_t count, rd_error *err)
{
    if (!kernel->program->places)
        return launch_groups(kernel, groups, 0, args, count, err);
    RD_TRY(rd__cuda_set_place(kernel->program, first, groups - present, err));
    return launch_groups(kernel, present, 0, args, count, err);
}
