/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda.c - NVIDIA GPUs through the driver API, opened at run time. One primary context, one stream: commands run in
 * order. The words that ask kernels to stop lie in device memory and are written through a second stream, which is not
 * held up by a running kernel. A launch gets the address of one; a request sets that word and moves on to the next.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/cuda/ahead.h"
#include "device/cuda/compile.h"
#include "device/cuda/driver.h"

#include "core/memory.h"
#include "device/source.h"
#include "raddle/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STAGE_BYTES = 64 << 10, INBOX_BYTES = 256 << 10, INBOX_MOST = 16 << 10, STOP_WORDS = 4096 };

static const rd__cuda_api *const cu = &rd__cuda;

static rd_status fail_call(rd_error *err, int code, const char *call, const char *device)
{
    return rd__cuda_fail(err, code, call, device);
}
#define CU_TRY(call, device)                                                                                           \
    do {                                                                                                               \
        int code_ = (call);                                                                                            \
        if (code_ != CU_SUCCESS)                                                                                       \
            return fail_call(err, code_, #call, device);                                                               \
    } while (0)

typedef struct cuda_device {
    rd_device base;
    int device, arch;
    void *context, *stream, *control_stream, *begin, *end;
    unsigned long long control; /* STOP_WORDS words, */
    uint32_t stops;             /* of which so many have been used */
    void *stage;                /* pinned, so that small reads do not pay for staging in the driver */
    char *inbox;                /* pinned: small writes on their way, */
    uint64_t inbox_used;        /* as many bytes, since the stream was last idle */
} cuda_device;

struct rd__program {
    cuda_device *device;
    void *module;
    uint32_t lanes;
    rd__kernel *kernels;
};

struct rd__kernel {
    rd__program *program;
    void *function;
    char name[64];
    rd__kernel *next;
};

static rd_status cuda_probe(rd__device_sink *sink, rd_error *err)
{
    rd_device_info info = {.is_gpu = 1};
    int count = 0, handle, arch;
    (void)err;
    snprintf(info.name, sizeof info.name, "cuda");
    snprintf(info.backend, sizeof info.backend, "cuda");
    if (!rd__cuda_open(info.reason, sizeof info.reason))
        return sink->add(sink->user, &info);
    if (cu->DeviceGetCount(&count) != CU_SUCCESS || count == 0) {
        snprintf(info.reason, sizeof info.reason, "the driver shows no GPU (is CUDA_VISIBLE_DEVICES set?)");
        return sink->add(sink->user, &info);
    }
    for (int i = 0; i < count; i++) {
        (void)rd__cuda_describe(i, &info, &handle, &arch);
        RD_TRY(sink->add(sink->user, &info));
    }
    return RD_OK;
}

/* Every entry makes the device's context current and gives back what was current before, so a program may use CUDA
 * itself. */
static rd_status enter(cuda_device *device, rd_error *err)
{
    CU_TRY(cu->CtxPush(device->context), device->base.info.name);
    return RD_OK;
}

static rd_status leave(rd_status status)
{
    void *context;
    (void)cu->CtxPop(&context);
    return status;
}

static void cuda_close(rd_device *base)
{
    cuda_device *device = (cuda_device *)base;
    if (device->context && cu->CtxPush(device->context) == CU_SUCCESS) {
        if (device->stream)
            (void)cu->StreamSynchronize(device->stream);
        if (device->control)
            (void)cu->MemFree(device->control);
        if (device->stage)
            (void)cu->MemFreeHost(device->stage);
        if (device->inbox)
            (void)cu->MemFreeHost(device->inbox);
        if (device->begin)
            (void)cu->EventDestroy(device->begin);
        if (device->end)
            (void)cu->EventDestroy(device->end);
        if (device->stream)
            (void)cu->StreamDestroy(device->stream);
        if (device->control_stream)
            (void)cu->StreamDestroy(device->control_stream);
        (void)leave(RD_OK);
    }
    if (device->context)
        (void)cu->PrimaryCtxRelease(device->device);
    rd__free(device);
}

static rd_status set_up(cuda_device *device, rd_error *err)
{
    const char *name = device->base.info.name;
    size_t free_bytes = 0, all = 0;
    void *inbox = NULL;
    CU_TRY(cu->StreamCreate(&device->stream, CU_STREAM_NON_BLOCKING), name);
    CU_TRY(cu->StreamCreate(&device->control_stream, CU_STREAM_NON_BLOCKING), name);
    CU_TRY(cu->EventCreate(&device->begin, 0), name);
    CU_TRY(cu->EventCreate(&device->end, 0), name);
    CU_TRY(cu->MemAlloc(&device->control, 4 * STOP_WORDS), name);
    CU_TRY(cu->MemHostAlloc(&device->stage, STAGE_BYTES, 0), name);
    CU_TRY(cu->MemHostAlloc(&inbox, INBOX_BYTES, 0), name);
    device->inbox = inbox;
    CU_TRY(cu->MemsetD32Async(device->control, 0, STOP_WORDS, device->stream), name);
    CU_TRY(cu->StreamSynchronize(device->stream), name);
    CU_TRY(cu->MemGetInfo(&free_bytes, &all), name);
    device->base.info.memory_free = free_bytes;
    return RD_OK;
}

static rd_status cuda_open(const char *which, const rd_device_options *options, rd_device **out, rd_error *err)
{
    uint64_t ordinal = 0;
    int count = 0;
    char reason[256];
    (void)options;
    if (rd__cuda_is_ahead(which))
        return rd__cuda_ahead_open(which, out, err);
    if (*which && !rd_parse_u64(which + 1, &ordinal))
        return rd__fail(err, RD_EARG,
                        "'cuda%s' is no CUDA device: use cuda:N with N = 0, 1, ..., or cuda:sm_NN to compile for one",
                        which);
    if (!rd__cuda_open(reason, sizeof reason))
        return rd__fail(err, RD_EDEVICE, "cuda%s cannot be used: %s", which, reason);
    if (cu->DeviceGetCount(&count) != CU_SUCCESS || ordinal >= (uint64_t)count)
        return rd__fail(err, RD_EDEVICE, "cuda%s is not here: the driver shows %d GPU%s (`raddle devices` lists them)",
                        which, count, count == 1 ? "" : "s");
    cuda_device *device = rd__calloc(1, sizeof *device);
    if (!device)
        return rd__fail_memory(err, "a cuda device", sizeof *device);
    device->base.backend = &rd__cuda_backend;
    rd_status status = RD_OK;
    if (!rd__cuda_describe((int)ordinal, &device->base.info, &device->device, &device->arch))
        status = rd__fail(err, RD_EDEVICE, "%s cannot be used: %s", device->base.info.name, device->base.info.reason);
    if (status == RD_OK) {
        int code = cu->PrimaryCtxRetain(&device->context, device->device);
        if (code != CU_SUCCESS) {
            device->context = NULL;
            status = fail_call(err, code, "cuDevicePrimaryCtxRetain", device->base.info.name);
        }
    }
    if (status == RD_OK && (status = enter(device, err)) == RD_OK)
        status = leave(set_up(device, err));
    device->base.caps = (rd__device_caps){.coresident = 1, .toolkit = 1};
    device->base.caps.grid_sync = status == RD_OK && rd__cuda_cooperates(&device->base);
    if (status != RD_OK) {
        cuda_close(&device->base);
        return status;
    }
    *out = &device->base;
    return RD_OK;
}

/* ---- Buffers ---- */

static rd_status cuda_alloc(rd__buffer *buffer, rd_error *err)
{
    cuda_device *device = (cuda_device *)buffer->device;
    unsigned long long address = 0;
    size_t free_bytes = 0, all = 0;
    char need[32], have[32];
    RD_TRY(enter(device, err));
    int code = cu->MemAlloc(&address, buffer->bytes);
    if (code != CU_SUCCESS)
        (void)cu->MemGetInfo(&free_bytes, &all);
    (void)leave(RD_OK);
    buffer->at.address = address;
    if (code == CU_OUT_OF_MEMORY)
        return rd__fail(err, RD_ENOMEM, "%s is out of memory: buffer '%s' needs %s (%llu bytes), %s are free",
                        device->base.info.name, buffer->name, rd_format_bytes(buffer->bytes, need, sizeof need),
                        (unsigned long long)buffer->bytes, rd_format_bytes(free_bytes, have, sizeof have));
    return code == CU_SUCCESS ? RD_OK : fail_call(err, code, "cuMemAlloc", device->base.info.name);
}

static void cuda_free(rd__buffer *buffer)
{
    if (enter((cuda_device *)buffer->device, NULL) == RD_OK) {
        (void)cu->MemFree(buffer->at.address);
        (void)leave(RD_OK);
    }
}

/* All that was given to the stream is done. */
static rd_status settle(cuda_device *device, rd_error *err)
{
    CU_TRY(cu->StreamSynchronize(device->stream), device->base.info.name);
    device->inbox_used = 0;
    return RD_OK;
}

/* A few words, by way of the inbox: the stream comes to them in its order, and nobody waits. A wait for each of the
 * three or four that a run begins with would take longer than many a run. */
static rd_status write_few(cuda_device *device, unsigned long long to, uint64_t bytes, const void *data, rd_error *err)
{
    enum { LINE = 64 };
    if (device->inbox_used + bytes > INBOX_BYTES)
        RD_TRY(settle(device, err));
    char *place = device->inbox + device->inbox_used;
    memcpy(place, data, bytes);
    device->inbox_used += (bytes + LINE - 1) / LINE * LINE;
    CU_TRY(cu->MemcpyHtoDAsync(to, place, bytes, device->stream), device->base.info.name);
    return RD_OK;
}

static rd_status write_now(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    cuda_device *device = (cuda_device *)buffer->device;
    if (bytes <= INBOX_MOST)
        return write_few(device, buffer->at.address + offset, bytes, data, err);
    CU_TRY(cu->MemcpyHtoDAsync(buffer->at.address + offset, data, bytes, device->stream), device->base.info.name);
    return settle(device, err);
}

static rd_status cuda_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    RD_TRY(enter((cuda_device *)buffer->device, err));
    return leave(write_now(buffer, offset, bytes, data, err));
}

/* Behind what the stream has to do: to the stage, or where a stage is too small, to data. */
static rd_status read_later(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    cuda_device *device = (cuda_device *)buffer->device;
    void *to = bytes <= STAGE_BYTES ? device->stage : data;
    CU_TRY(cu->MemcpyDtoHAsync(to, buffer->at.address + offset, bytes, device->stream), device->base.info.name);
    return RD_OK;
}

/* When the stream is done. */
static rd_status take_read(cuda_device *device, uint64_t bytes, void *data, rd_error *err)
{
    RD_TRY(settle(device, err));
    if (bytes <= STAGE_BYTES)
        memcpy(data, device->stage, bytes);
    return RD_OK;
}

static rd_status read_now(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    RD_TRY(read_later(buffer, offset, bytes, data, err));
    return take_read((cuda_device *)buffer->device, bytes, data, err);
}

static rd_status cuda_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    RD_TRY(enter((cuda_device *)buffer->device, err));
    return leave(read_now(buffer, offset, bytes, data, err));
}

static rd_status cuda_read_begin(const rd__buffer *buffer, uint64_t bytes, rd_error *err)
{
    if (bytes > STAGE_BYTES)
        return RD_OK; /* read at the end */
    RD_TRY(enter((cuda_device *)buffer->device, err));
    return leave(read_later(buffer, 0, bytes, NULL, err));
}

static rd_status cuda_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err)
{
    if (bytes > STAGE_BYTES)
        return cuda_read(buffer, 0, bytes, data, err);
    RD_TRY(enter((cuda_device *)buffer->device, err));
    return leave(take_read((cuda_device *)buffer->device, bytes, data, err));
}

static rd_status cuda_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    cuda_device *device = (cuda_device *)buffer->device;
    RD_TRY(enter(device, err));
    int code = cu->MemsetD32Async(buffer->at.address + offset, word, bytes / 4, device->stream);
    (void)leave(RD_OK);
    return code == CU_SUCCESS ? RD_OK : fail_call(err, code, "cuMemsetD32Async", device->base.info.name);
}

/* ---- Programs ---- */

/* Machine code for it: the caller's, or NVRTC's, which is then *made. */
static rd_status find_image(const cuda_device *device, const rd__program_spec *spec, char **made, const void **image,
                            rd_error *err)
{
    size_t bytes = 0;
    *image = rd__cuda_ahead_find(spec, device->arch, &bytes);
    if (*image)
        return RD_OK;
    const rd_status status = rd__nvrtc_compile(spec, device->arch, (int)device->base.use_cache, made, &bytes, err);
    *image = *made;
    if (status == RD_EDEVICE && rd__cuda_ahead_has(spec))
        return rd__fail(
            err, RD_EDEVICE,
            "%s: what was compiled ahead of time has no %s for sm_%d with groups of %u lanes and constants "
            "'%s'; write it again (raddle compile --for cuda:sm_%d, with the same options and such an input), "
            "or install NVRTC",
            spec->own->name, spec->name, device->arch, spec->lanes, spec->defines ? spec->defines : "", device->arch);
    return status;
}

static rd_status cuda_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err)
{
    cuda_device *device = (cuda_device *)base;
    char *made = NULL;
    const void *image = NULL;
    if (spec->lanes < 1 || spec->lanes > base->info.max_group)
        return rd__fail(err, RD_EARG, "%s: a group may have 1 to %u lanes, %u were asked for", base->info.name,
                        base->info.max_group, spec->lanes);
    RD_TRY(find_image(device, spec, &made, &image, err));
    rd__program *program = rd__calloc(1, sizeof *program);
    rd_status status = program ? enter(device, err) : rd__fail_memory(err, "a program", sizeof *program);
    if (status == RD_OK) {
        program->device = device;
        program->lanes = spec->lanes;
        int code = cu->ModuleLoadData(&program->module, image);
        (void)leave(RD_OK);
        if (code != CU_SUCCESS)
            status = fail_call(err, code, "cuModuleLoadData", base->info.name);
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
static rd_status cuda_compile(const rd__program_spec *spec, rd_error *err)
{
    enum { USUAL = 80 };
    char *image = NULL;
    size_t bytes = 0;
    const rd_status status = rd__nvrtc_compile(spec, USUAL, 1, &image, &bytes, err);
    rd__free(image);
    return status;
}

static void cuda_unload(rd__program *program)
{
    if (enter(program->device, NULL) == RD_OK) {
        (void)cu->ModuleUnload(program->module);
        (void)leave(RD_OK);
    }
    for (rd__kernel *kernel = program->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        rd__free(kernel);
    }
    rd__free(program);
}

static rd_status cuda_kernel(rd__program *program, const char *name, rd__kernel **out, rd_error *err)
{
    rd__kernel *kernel = rd__calloc(1, sizeof *kernel);
    if (!kernel)
        return rd__fail_memory(err, "a kernel", sizeof *kernel);
    kernel->program = program;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    rd_status status = enter(program->device, err);
    if (status == RD_OK) {
        int code = cu->ModuleGetFunction(&kernel->function, program->module, name);
        (void)leave(RD_OK);
        if (code != CU_SUCCESS)
            status = fail_call(err, code, "cuModuleGetFunction", name);
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

static rd_status cuda_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    cuda_device *device = kernel->program->device;
    int blocks = 0;
    RD_TRY(enter(device, err));
    int code = cu->Occupancy(&blocks, kernel->function, (int)kernel->program->lanes, 0);
    (void)leave(RD_OK);
    if (code != CU_SUCCESS)
        return fail_call(err, code, "cuOccupancyMaxActiveBlocksPerMultiprocessor", device->base.info.name);
    if (blocks <= 0)
        return rd__fail(err, RD_EDEVICE,
                        "%s: not one group of %u lanes of %s fits a multiprocessor; use a smaller --worker",
                        device->base.info.name, kernel->program->lanes, kernel->name);
    *groups = (uint32_t)blocks * device->base.info.compute_units;
    return RD_OK;
}

static rd_status cuda_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                             rd_error *err)
{
    cuda_device *device = kernel->program->device;
    uint64_t address[RD__MAX_ARGS];
    unsigned long long stop_word = device->control + 4ull * device->stops;
    void *param[RD__MAX_ARGS + 1];
    if (count > RD__MAX_ARGS)
        return rd__fail(err, RD_EDEVICE, "kernel %s: too many arguments", kernel->name);
    param[0] = &stop_word;
    for (uint32_t i = 0; i < count; i++) {
        /* cuLaunchKernel only reads through these pointers; values live in args, addresses here. */
        const void *value = NULL;
        switch (args[i].kind) {
        case RD__ARG_BUFFER:
            address[i] = args[i].as.buffer->at.address;
            value = &address[i];
            break;
        case RD__ARG_U32: value = &args[i].as.u32; break;
        case RD__ARG_U64: value = &args[i].as.u64; break;
        case RD__ARG_F32: value = &args[i].as.f32; break;
        }
        memcpy(&param[i + 1], &value, sizeof value);
    }
    RD_TRY(enter(device, err));
    const uint32_t lanes = kernel->program->lanes;
    int code = cooperative
                   ? cu->LaunchCooperativeKernel(kernel->function, groups, 1, 1, lanes, 1, 1, 0, device->stream, param)
                   : cu->LaunchKernel(kernel->function, groups, 1, 1, lanes, 1, 1, 0, device->stream, param, NULL);
    (void)leave(RD_OK);
    if (code == CU_COOPERATIVE_TOO_LARGE)
        return rd__fail(err, RD_EDEVICE,
                        "%s: %u groups of %u lanes of %s cannot be resident at once; ask for fewer or use --launch "
                        "discrete",
                        device->base.info.name, groups, lanes, kernel->name);
    return code == CU_SUCCESS ? RD_OK : fail_call(err, code, kernel->name, device->base.info.name);
}

/* ---- Waiting and time ---- */

/* A hint: wait.c takes it away, with acquire. */
static int is_nudged(const rd_device *device)
{
    return __atomic_load_n(&device->nudged, __ATOMIC_RELAXED) != 0; /* partner: rd__device_nudge */
}

static rd_status cuda_idle_by(rd_device *base, double until, int *idle, rd_error *err)
{
    cuda_device *device = (cuda_device *)base;
    const double began = rd_now();
    int code;
    RD_TRY(enter(device, err));
    if (isfinite(until)) {
        while ((code = cu->StreamQuery(device->stream)) == CU_NOT_READY && rd_now() < until && !is_nudged(base))
            rd__device_nap(began);
    } else {
        code = cu->StreamSynchronize(device->stream);
    }
    (void)leave(RD_OK);
    *idle = code == CU_SUCCESS;
    if (*idle)
        device->inbox_used = 0;
    return code == CU_SUCCESS || code == CU_NOT_READY ? RD_OK : fail_call(err, code, "a kernel", base->info.name);
}

/* On a stream of its own: the other one is busy with the kernels that shall see it. */
static rd_status ask_stop_now(cuda_device *device, rd_error *err)
{
    const char *name = device->base.info.name;
    CU_TRY(cu->MemsetD32Async(device->control + 4ull * device->stops, 1, 1, device->control_stream), name);
    CU_TRY(cu->StreamSynchronize(device->control_stream), name);
    if (++device->stops < STOP_WORDS)
        return RD_OK;
    CU_TRY(cu->StreamSynchronize(device->stream), name); /* no one looks at any of the words now */
    CU_TRY(cu->MemsetD32Async(device->control, 0, STOP_WORDS, device->control_stream), name);
    CU_TRY(cu->StreamSynchronize(device->control_stream), name);
    device->stops = 0;
    return RD_OK;
}

static rd_status cuda_ask_stop(rd_device *base, rd_error *err)
{
    RD_TRY(enter((cuda_device *)base, err));
    return leave(ask_stop_now((cuda_device *)base, err));
}

static rd_status record(cuda_device *device, void *event, rd_error *err)
{
    RD_TRY(enter(device, err));
    int code = cu->EventRecord(event, device->stream);
    (void)leave(RD_OK);
    return code == CU_SUCCESS ? RD_OK : fail_call(err, code, "cuEventRecord", device->base.info.name);
}

static rd_status cuda_time_begin(rd_device *base, rd_error *err)
{
    return record((cuda_device *)base, ((cuda_device *)base)->begin, err);
}

static rd_status cuda_time_mark(rd_device *base, rd_error *err)
{
    return record((cuda_device *)base, ((cuda_device *)base)->end, err);
}

static rd_status time_end_now(cuda_device *device, double *seconds, rd_error *err)
{
    float milliseconds = 0;
    const char *name = device->base.info.name;
    CU_TRY(cu->EventSynchronize(device->end), name);
    CU_TRY(cu->EventElapsedTime(&milliseconds, device->begin, device->end), name);
    *seconds = 1e-3 * (double)milliseconds;
    return RD_OK;
}

static rd_status cuda_time_end(rd_device *base, double *seconds, rd_error *err)
{
    RD_TRY(enter((cuda_device *)base, err));
    return leave(time_end_now((cuda_device *)base, seconds, err));
}

const rd__backend rd__cuda_backend = {
    .name = "cuda",
    .probe = cuda_probe,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .write = cuda_write,
    .read = cuda_read,
    .read_begin = cuda_read_begin,
    .read_end = cuda_read_end,
    .fill = cuda_fill,
    .load = cuda_load,
    .compile = cuda_compile,
    .unload = cuda_unload,
    .kernel = cuda_kernel,
    .resident = cuda_resident,
    .launch = cuda_launch,
    .idle_by = cuda_idle_by,
    .ask_stop = cuda_ask_stop,
    .grace_seconds = 5,
    .time_begin = cuda_time_begin,
    .time_mark = cuda_time_mark,
    .time_end = cuda_time_end,
};
