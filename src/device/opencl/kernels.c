/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - programs of an OpenCL device, which program.c builds; kernels and launches. */
#include "device/opencl/opencl.h"
#include "device/opencl/program.h"

#include "core/memory.h"

#include <stdio.h>

struct rd__program {
    rd__opencl_device *device;
    void *object;
    uint32_t lanes;
    rd__kernel *kernels;
};

struct rd__kernel {
    rd__program *program;
    void *object;
    uint32_t args;
    char name[64];
    rd__kernel *next;
};

rd_status rd__opencl_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)base;
    if (spec->lanes < 1 || spec->lanes > base->info.max_group)
        return rd__fail(err, RD_EARG, "%s: a group may have 1 to %u lanes, %u were asked for", base->info.name,
                        base->info.max_group, spec->lanes);
    rd__program *program = rd__calloc(1, sizeof *program);
    if (!program)
        return rd__fail_memory(err, "a program", sizeof *program);
    program->device = device;
    program->lanes = spec->lanes;
    rd__opencl_lock();
    rd_status status = rd__opencl_build(device, spec, &program->object, err);
    rd__opencl_unlock();
    if (status != RD_OK) {
        rd__free(program);
        return status;
    }
    *out = program;
    return RD_OK;
}

void rd__opencl_unload(rd__program *program)
{
    const rd__opencl_api *cl = program->device->cl;
    rd__opencl_lock();
    for (rd__kernel *kernel = program->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        (void)cl->clReleaseKernel(kernel->object);
        rd__free(kernel);
    }
    (void)cl->clReleaseProgram(program->object);
    rd__opencl_unlock();
    rd__free(program);
}

/* Does the kernel run in sub-groups of the width that it was compiled for? Else its shuffles would be wrong. */
static rd_status check_warps(const rd__program *program, const rd__kernel *kernel, rd_error *err)
{
    const rd__opencl_id *id = &program->device->id;
    const size_t lanes = program->lanes;
    size_t width = 0;
    if (!id->sub_group_info || !rd__opencl_has_warps(program->device, program->lanes))
        return RD_OK;
    const int code = id->sub_group_info(kernel->object, id->device, CL_KERNEL_SUB_GROUP_SIZE, sizeof lanes, &lanes,
                                        sizeof width, &width, NULL);
    if (code != 0)
        return rd__opencl_fail(err, code, "clGetKernelSubGroupInfoKHR", kernel->name);
    if (width == id->subgroup)
        return RD_OK;
    return rd__fail(err, RD_EBUILD,
                    "%s: kernel %s runs in sub-groups of %zu lanes, and not of %u as the device said; set "
                    "RADDLE_OPENCL_SUBGROUPS=off in the environment to do without them",
                    program->device->base.info.name, kernel->name, width, id->subgroup);
}

rd_status rd__opencl_kernel(rd__program *program, const char *name, rd__kernel **out, rd_error *err)
{
    const rd__opencl_api *cl = program->device->cl;
    const char *device = program->device->base.info.name;
    unsigned args = 0;
    int code = 0;
    rd__kernel *kernel = rd__calloc(1, sizeof *kernel);
    if (!kernel)
        return rd__fail_memory(err, "a kernel", sizeof *kernel);
    rd__opencl_lock();
    kernel->object = cl->clCreateKernel(program->object, name, &code);
    rd__opencl_unlock();
    if (code != 0) {
        rd__free(kernel);
        return rd__opencl_fail(err, code, "clCreateKernel", name);
    }
    kernel->program = program;
    kernel->next = program->kernels;
    program->kernels = kernel;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    code = cl->clGetKernelInfo(kernel->object, CL_KERNEL_ARGS, sizeof args, &args, NULL);
    if (code != 0)
        return rd__opencl_fail(err, code, "clGetKernelInfo", device);
    kernel->args = args;
    RD_TRY(check_warps(program, kernel, err));
    *out = kernel;
    return RD_OK;
}

rd_status rd__opencl_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    const rd_device_info *info = &kernel->program->device->base.info;
    const uint32_t lanes_per_unit =
        info->is_gpu ? 2048 : kernel->program->lanes; /* OpenCL has no occupancy query: a usual figure */
    (void)err;
    *groups =
        info->compute_units * (lanes_per_unit / kernel->program->lanes ? lanes_per_unit / kernel->program->lanes : 1);
    return RD_OK;
}

static rd_status set_args(rd__kernel *kernel, const rd__arg *args, uint32_t count, rd_error *err)
{
    rd__opencl_device *device = kernel->program->device;
    if (count + 1 != kernel->args)
        return rd__fail(err, RD_EDEVICE, "kernel %s takes %u arguments, %u were given", kernel->name, kernel->args - 1,
                        count);
    const rd__opencl_queue *lane = rd__opencl_lane(device);
    int code = device->cl->clSetKernelArg(kernel->object, 0, sizeof lane->control, &lane->control);
    for (uint32_t i = 0; code == 0 && i < count; i++) {
        const void *value = NULL;
        size_t bytes = 0;
        switch (args[i].kind) {
        case RD__ARG_BUFFER: value = &args[i].as.buffer->at.object, bytes = sizeof(void *); break;
        case RD__ARG_U32: value = &args[i].as.u32, bytes = 4; break;
        case RD__ARG_U64: value = &args[i].as.u64, bytes = 8; break;
        case RD__ARG_F32: value = &args[i].as.f32, bytes = 4; break;
        case RD__ARG_LIST: value = args[i].as.list.data, bytes = args[i].as.list.bytes; break;
        }
        code = device->cl->clSetKernelArg(kernel->object, i + 1, bytes, value);
    }
    return code == 0 ? RD_OK : rd__opencl_fail(err, code, "clSetKernelArg", kernel->name);
}

rd_status rd__opencl_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                            rd_error *err)
{
    rd__opencl_device *device = kernel->program->device;
    const rd__opencl_api *cl = device->cl;
    rd__opencl_queue *lane = rd__opencl_lane(device);
    const size_t local = kernel->program->lanes, global = local * groups;
    void *event = NULL;
    if (cooperative)
        return rd__fail(err, RD_EDEVICE,
                        "%s: OpenCL cannot promise that %u groups are resident at once; use --launch discrete",
                        device->base.info.name, groups);
    rd__opencl_forget_read(device, lane); /* its event tells no more that all is done */
    RD_TRY(set_args(kernel, args, count, err));
    rd__device_count(&device->base);
    int code = cl->clEnqueueNDRangeKernel(lane->queue, kernel->object, 1, NULL, &global, &local, 0, NULL, &event);
    /* Not asked for beforehand: NVIDIA's driver answers 256 for kernels that do run with more. */
    if (code == CL_GROUP_TOO_LARGE || code == CL_NO_RESOURCES)
        return rd__fail(err, RD_EDEVICE, "%s: groups of %u lanes of %s do not fit (%s); use a smaller --worker",
                        device->base.info.name, kernel->program->lanes, kernel->name, rd__opencl_error(code));
    if (code != 0)
        return rd__opencl_fail(err, code, kernel->name, device->base.info.name);
    /* who lent the room comes back when this was given: device/turns.c */
    const int left = lane->idle && lane->asked;
    if (rd__device_is_beside(&device->base) || left)
        (void)cl->clFlush(lane->queue);
    if (left) /* now, while this one runs: others waited for the launch that was asked */
        rd__opencl_take_back(device, lane);
    lane->idle = 0;
    if (lane->last && lane->last != lane->first)
        (void)cl->clReleaseEvent(lane->last);
    lane->last = event;
    if (!lane->first)
        lane->first = event;
    return RD_OK;
}
