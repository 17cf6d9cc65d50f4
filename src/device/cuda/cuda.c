/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda.c - NVIDIA GPUs through the driver API, opened at run time. One primary context, one stream: commands run in
 * order. The words that ask kernels to stop lie in device memory and are written through a second stream, which is not
 * held up by a running kernel. A launch gets the address of one; a request sets that word and moves on to the next. The
 * driver's calls may come from any thread, and which word is next is written by one at a time: device/wait.c.
 * The same stream reads words while kernels run: rd__cuda_peek.
 * cuda/buffers.c has memory, cuda/kernels.c programs and launches, cuda/loops.c launches that repeat themselves.
 *
 * Lending (device/turns.h). Who runs beside has a stream of its own, of the greatest priority there is: groups of its
 * launches that wait for room are placed before those of the holder, whose stream has the least. Nothing is
 * partitioned: the holder's launch leaves, its next one is smaller, and the hardware puts both where there is room.
 * Words that ask to stop are not in pinned host memory: thousands of groups look at them, and each look would cross the
 * bus. Where streams have one priority only, or anything of the second one cannot be had, the device does not lend, and
 * jobs take turns.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/cuda/ahead.h"
#include "device/cuda/kernels.h"

#include "core/log.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <math.h>
#include <stdio.h>

static const rd__cuda_api *const cu = &rd__cuda;

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

rd_status rd__cuda_enter(rd__cuda_device *device, rd_error *err)
{
    CU_TRY(cu->CtxPush(device->context), device->base.info.name);
    return RD_OK;
}

rd_status rd__cuda_leave(rd_status status)
{
    void *context;
    (void)cu->CtxPop(&context);
    return status;
}

rd__cuda_queue *rd__cuda_queue_of(rd__cuda_device *device)
{
    return &device->queue[rd__device_is_beside(&device->base)];
}

static void close_queue(rd__cuda_queue *queue)
{
    if (queue->stream)
        (void)cu->StreamSynchronize(queue->stream);
    rd__cuda_upload_close(queue);
    rd__cuda_stops_close(queue);
    if (queue->stage)
        (void)cu->MemFreeHost(queue->stage);
    if (queue->inbox)
        (void)cu->MemFreeHost(queue->inbox);
    if (queue->begin)
        (void)cu->EventDestroy(queue->begin);
    if (queue->end)
        (void)cu->EventDestroy(queue->end);
    if (queue->stream)
        (void)cu->StreamDestroy(queue->stream);
    *queue = (rd__cuda_queue){0};
}

static void cuda_close(rd_device *base)
{
    rd__cuda_device *device = (rd__cuda_device *)base;
    if (device->context && cu->CtxPush(device->context) == CU_SUCCESS) {
        close_queue(&device->queue[0]);
        close_queue(&device->queue[1]);
        if (device->peek)
            (void)cu->MemFreeHost(device->peek);
        if (device->control_stream)
            (void)cu->StreamDestroy(device->control_stream);
        if (device->quick_stream)
            (void)cu->StreamDestroy(device->quick_stream);
        if (device->one)
            (void)cu->MemFreeHost(device->one);
        (void)rd__cuda_leave(RD_OK);
    }
    if (device->context)
        (void)cu->PrimaryCtxRelease(device->device);
    rd__free(device);
}

/* Its stream is there. */
static rd_status set_up_queue(rd__cuda_queue *queue, int heard, const char *name, rd_error *err)
{
    void *inbox = NULL, *stage = NULL;
    CU_TRY(cu->EventCreate(&queue->begin, 0), name);
    CU_TRY(cu->EventCreate(&queue->end, 0), name);
    CU_TRY(cu->MemHostAlloc(&stage, RD__CUDA_STAGE, 0), name);
    queue->stage = stage;
    CU_TRY(cu->MemHostAlloc(&inbox, RD__CUDA_INBOX, 0), name);
    queue->inbox = inbox;
    return rd__cuda_stops_open(queue, heard, name, err);
}

/* Made with the device: later it would wait for kernels, as allocations may. @return 0: the device does not lend. */
static int set_up_beside(rd__cuda_device *device)
{
    rd__cuda_queue *queue = &device->queue[1];
    int least = 0, greatest = 0;
    const int ready = device->base.info.compute_units > 1 && cu->StreamPriorityRange(&least, &greatest) == CU_SUCCESS &&
                      greatest < least &&
                      cu->StreamCreateWithPriority(&queue->stream, CU_STREAM_NON_BLOCKING, greatest) == CU_SUCCESS &&
                      set_up_queue(queue, 0, device->base.info.name, NULL) == RD_OK;
    if (!ready) {
        close_queue(queue);
        rd__log(RD_LOG_INFO,
                "%s: no second stream of a higher priority: jobs that ask for some workers have it in turn",
                device->base.info.name);
    }
    return ready;
}

/* Of a priority of its own where there are several, so that it shares no hardware queue with launches. */
static void set_up_quick(rd__cuda_device *device)
{
    int least = 0, greatest = 0;
    if (!cu->StreamWriteValue32 || cu->StreamPriorityRange(&least, &greatest) != CU_SUCCESS ||
        cu->StreamCreateWithPriority(&device->quick_stream, CU_STREAM_NON_BLOCKING,
                                     greatest + 1 < least ? greatest + 1 : greatest) != CU_SUCCESS)
        device->quick_stream = NULL;
}

static rd_status set_up(rd__cuda_device *device, rd_error *err)
{
    const char *name = device->base.info.name;
    size_t free_bytes = 0, all = 0;
    void *one = NULL;
    CU_TRY(cu->MemHostAlloc(&one, sizeof *device->one, 0), name);
    device->one = one;
    *device->one = 1;
    CU_TRY(cu->StreamCreate(&device->queue[0].stream, CU_STREAM_NON_BLOCKING), name);
    CU_TRY(cu->StreamCreate(&device->control_stream, CU_STREAM_NON_BLOCKING), name);
    set_up_quick(device);
    RD_TRY(set_up_queue(&device->queue[0], 1, name, err));
    CU_TRY(cu->MemHostAlloc(&device->peek, RD__CUDA_PEEK, 0), name); /* now: later it might wait for kernels */
    device->base.caps.peeks = 1;
    device->base.caps.lends = set_up_beside(device) != 0;
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
    rd__cuda_device *device = rd__calloc(1, sizeof *device);
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
            status = rd__cuda_fail(err, code, "cuDevicePrimaryCtxRetain", device->base.info.name);
        }
    }
    if (status == RD_OK && (status = rd__cuda_enter(device, err)) == RD_OK)
        status = rd__cuda_leave(set_up(device, err));
    device->base.caps.coresident = device->base.caps.toolkit = device->base.caps.chores = 1;
    device->base.caps.loops = rd__cuda_can_loop() != 0;
    device->base.caps.grid_sync = status == RD_OK && rd__cuda_cooperates(&device->base);
    if (status != RD_OK) {
        cuda_close(&device->base);
        return status;
    }
    *out = &device->base;
    return RD_OK;
}

/* ---- Waiting and time ---- */

static rd_status cuda_idle_by(rd_device *base, double until, int *idle, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)base;
    rd__cuda_queue *queue = rd__cuda_queue_of(device);
    const double began = rd_now();
    int code;
    RD_TRY(rd__cuda_enter(device, err));
    if (isfinite(until)) {
        while ((code = cu->StreamQuery(queue->stream)) == CU_NOT_READY && rd_now() < until &&
               !rd__device_is_nudged(base))
            rd__device_nap(base, began);
    } else {
        code = cu->StreamSynchronize(queue->stream);
    }
    (void)rd__cuda_leave(RD_OK);
    *idle = code == CU_SUCCESS;
    if (*idle)
        queue->inbox_used = 0;
    return code == CU_SUCCESS || code == CU_NOT_READY ? RD_OK : rd__cuda_fail(err, code, "a kernel", base->info.name);
}

static rd_status record(rd__cuda_device *device, void *event, rd_error *err)
{
    RD_TRY(rd__cuda_enter(device, err));
    rd__device_count(&device->base);
    int code = cu->EventRecord(event, rd__cuda_queue_of(device)->stream);
    (void)rd__cuda_leave(RD_OK);
    return code == CU_SUCCESS ? RD_OK : rd__cuda_fail(err, code, "cuEventRecord", device->base.info.name);
}

static rd_status cuda_time_begin(rd_device *base, rd_error *err)
{
    return record((rd__cuda_device *)base, rd__cuda_queue_of((rd__cuda_device *)base)->begin, err);
}

static rd_status cuda_time_mark(rd_device *base, rd_error *err)
{
    return record((rd__cuda_device *)base, rd__cuda_queue_of((rd__cuda_device *)base)->end, err);
}

static rd_status time_end_now(rd__cuda_device *device, double *seconds, rd_error *err)
{
    float milliseconds = 0;
    const char *name = device->base.info.name;
    const rd__cuda_queue *queue = rd__cuda_queue_of(device);
    CU_TRY(cu->EventSynchronize(queue->end), name);
    CU_TRY(cu->EventElapsedTime(&milliseconds, queue->begin, queue->end), name);
    *seconds = 1e-3 * (double)milliseconds;
    return RD_OK;
}

static rd_status cuda_time_end(rd_device *base, double *seconds, rd_error *err)
{
    RD_TRY(rd__cuda_enter((rd__cuda_device *)base, err));
    return rd__cuda_leave(time_end_now((rd__cuda_device *)base, seconds, err));
}

const rd__backend rd__cuda_backend = {
    .name = "cuda",
    .probe = cuda_probe,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = rd__cuda_alloc,
    .free = rd__cuda_free,
    .write = rd__cuda_write,
    .read = rd__cuda_read,
    .read_begin = rd__cuda_read_begin,
    .read_end = rd__cuda_read_end,
    .peek = rd__cuda_peek,
    .fill = rd__cuda_fill,
    .load = rd__cuda_load,
    .compile = rd__cuda_compile,
    .unload = rd__cuda_unload,
    .kernel = rd__cuda_kernel,
    .resident = rd__cuda_resident,
    .launch = rd__cuda_launch,
    .launch_some = rd__cuda_launch_some,
    .loop = rd__cuda_loop_launch,
    .idle_by = cuda_idle_by,
    .ask_stop = rd__cuda_ask_stop,
    .call_stop = rd__cuda_call_stop,
    .forget_call = rd__cuda_forget_call,
    .grace_seconds = 5,
    .time_begin = cuda_time_begin,
    .time_mark = cuda_time_mark,
    .time_end = cuda_time_end,
};
