/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl.c - any OpenCL device, through the loader opened at run time. One in-order queue with profiling; a second
 * queue carries the request to stop, which must not wait behind a running kernel. Kernel time is from the start of the
 * first launch to the end of the last, by the device's clock. opencl/buffers.c has memory, opencl/kernels.c programs
 * and launches.
 *
 * Lending (device/turns.h). Who runs beside has a third queue. OpenCL promises neither that launches of two queues run
 * at a time nor which of them goes first: the holder comes back after the other one's launch was given, and while
 * somebody is beside its launches are short (sched/parts/launch.h), so whoever waits behind one is not kept for long.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/opencl/opencl.h"

#include "core/memory.h"
#include "device/opencl/program.h"
#include "raddle/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rd_status probe(rd__device_sink *sink, rd_error *err)
{
    rd_device_info info = {0};
    rd__opencl_id id;
    unsigned count = 0;
    uint32_t found = 0;
    (void)err;
    snprintf(info.name, sizeof info.name, "opencl");
    snprintf(info.backend, sizeof info.backend, "opencl");
    const rd__opencl_api *cl = rd__opencl_open(info.reason, sizeof info.reason);
    if (!cl)
        return sink->add(sink->user, &info);
    if (cl->clGetPlatformIDs(0, NULL, &count) != 0)
        count = 0;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t d = 0; rd__opencl_describe(cl, p, d, &info, &id); d++, found++)
            RD_TRY(sink->add(sink->user, &info));
    if (found)
        return RD_OK;
    info = (rd_device_info){0};
    snprintf(info.name, sizeof info.name, "opencl");
    snprintf(info.backend, sizeof info.backend, "opencl");
    snprintf(info.reason, sizeof info.reason,
             "the OpenCL loader finds no device; is a driver installed, or OCL_ICD_VENDORS set?");
    return sink->add(sink->user, &info);
}

rd__opencl_queue *rd__opencl_lane(rd__opencl_device *device)
{
    return &device->lane[rd__device_is_beside(&device->base)];
}

static void forget_events(const rd__opencl_api *cl, rd__opencl_queue *lane)
{
    if (lane->first)
        (void)cl->clReleaseEvent(lane->first);
    if (lane->last && lane->last != lane->first)
        (void)cl->clReleaseEvent(lane->last);
    lane->first = lane->last = NULL;
}

/* OpenCL on a CPU runs a write on the threads that run kernels: one that asks kernels to leave would wait until they
 * have. There the word is the host's own memory, which such kernels see at once. Kernels that are late may still look
 * at old ones, so all stay until the device is closed. */
struct rd__opencl_word {
    struct rd__opencl_word *before;
    _Alignas(64) uint32_t stop[64];
};

static rd_status new_word(rd__opencl_device *device, struct rd__opencl_word **out, rd_error *err)
{
    *out = NULL;
    if (device->base.info.is_gpu)
        return RD_OK;
    RD_TRY(rd__array_new(out, "the word of a stop", 1, sizeof **out, err));
    memset(*out, 0, sizeof **out);
    return RD_OK;
}

static void free_words(rd__opencl_queue *lane)
{
    while (lane->word) {
        struct rd__opencl_word *before = lane->word->before;
        rd__array_free(lane->word);
        lane->word = before;
    }
}

static void close_lane(const rd__opencl_device *device, rd__opencl_queue *lane)
{
    const rd__opencl_api *cl = device->cl;
    if (lane->queue)
        (void)cl->clFinish(lane->queue);
    forget_events(cl, lane);
    rd__opencl_forget_read(device, lane);
    void *const words[] = {lane->control, lane->spare, lane->asked, lane->stage};
    for (int i = 0; i < 4; i++)
        if (words[i])
            (void)cl->clReleaseMemObject(words[i]);
    if (lane->queue)
        (void)cl->clReleaseCommandQueue(lane->queue);
    lane->queue = lane->control = lane->spare = lane->asked = lane->stage = lane->staged = NULL;
}

static void close_device(rd_device *base)
{
    rd__opencl_device *device = (rd__opencl_device *)base;
    const rd__opencl_api *cl = device->cl;
    close_lane(device, &device->lane[0]);
    close_lane(device, &device->lane[1]);
    rd__opencl_forget(device);
    if (device->control_queue)
        (void)cl->clReleaseCommandQueue(device->control_queue);
    if (device->context)
        (void)cl->clReleaseContext(device->context);
    free_words(&device->lane[0]);
    free_words(&device->lane[1]);
    rd__free(device);
}

void rd__opencl_forget_read(const rd__opencl_device *device, rd__opencl_queue *lane)
{
    if (lane->reading)
        (void)device->cl->clReleaseEvent(lane->reading);
    lane->reading = NULL;
    lane->reads = 0;
}

/* Where control words are read to behind launches, if it can be had: else they are read when those have left. */
static void new_stage(const rd__opencl_device *device, rd__opencl_queue *lane)
{
    int code = 0;
    lane->stage = device->cl->clCreateBuffer(device->context, 1 | CL_ALLOC_HOST_MEMORY, RD__OPENCL_STAGE, NULL, &code);
    if (code != 0) {
        lane->stage = NULL;
        return;
    }
    lane->staged = device->cl->clEnqueueMapBuffer(lane->queue, lane->stage, 1, CL_MAP_BOTH, 0, RD__OPENCL_STAGE, 0,
                                                  NULL, NULL, &code);
    if (code != 0)
        lane->staged = NULL;
}

/* The word that asks launches to leave: a buffer, because an argument cannot be an address inside one. Written through
 * a queue of its own: the other one may be busy with kernels. */
static rd_status new_control(rd__opencl_device *device, rd__opencl_queue *lane, void **control, rd_error *err)
{
    const rd__opencl_api *cl = device->cl;
    const uint32_t zero = 0;
    int code = 0;
    struct rd__opencl_word *word;
    RD_TRY(new_word(device, &word, err));
    void *fresh = cl->clCreateBuffer(device->context, 1 | (word ? 8 : 0) /* read and write, the host's memory */, 256,
                                     word ? word->stop : NULL, &code);
    if (code != 0) {
        rd__array_free(word);
        return rd__opencl_fail(err, code, "clCreateBuffer", device->base.info.name);
    }
    if (word) {
        word->before = lane->word;
        lane->word = word;
        *control = fresh;
        return RD_OK;
    }
    code = cl->clEnqueueWriteBuffer(device->control_queue, fresh, 1, 0, sizeof zero, &zero, 0, NULL, NULL);
    if (code != 0) {
        (void)cl->clReleaseMemObject(fresh);
        return rd__opencl_fail(err, code, "clEnqueueWriteBuffer", device->base.info.name);
    }
    *control = fresh;
    return RD_OK;
}

static rd_status set_up_lane(rd__opencl_device *device, rd__opencl_queue *lane, rd_error *err)
{
    int code = 0;
    lane->queue = device->cl->clCreateCommandQueue(device->context, device->id.device, CL_QUEUE_PROFILING, &code);
    if (code != 0)
        return rd__opencl_fail(err, code, "clCreateCommandQueue", device->base.info.name);
    new_stage(device, lane);
    RD_TRY(new_control(device, lane, &lane->control, err));
    return lane->word ? RD_OK : new_control(device, lane, &lane->spare, err);
}

static rd_status set_up(rd__opencl_device *device, rd_error *err)
{
    const rd__opencl_api *cl = device->cl;
    const char *name = device->base.info.name;
    const intptr_t properties[] = {CL_CONTEXT_PLATFORM_ID, (intptr_t)device->id.platform, 0};
    int code = 0;
    device->context = cl->clCreateContext(properties, 1, &device->id.device, NULL, NULL, &code);
    if (code != 0)
        return rd__opencl_fail(err, code, "clCreateContext", name);
    device->control_queue = cl->clCreateCommandQueue(device->context, device->id.device, 0, &code);
    if (code != 0)
        return rd__opencl_fail(err, code, "clCreateCommandQueue", name);
    RD_TRY(set_up_lane(device, &device->lane[0], err));
    device->base.caps.lends =
        device->base.info.compute_units > 1 && set_up_lane(device, &device->lane[1], NULL) == RD_OK;
    if (!device->base.caps.lends)
        close_lane(device, &device->lane[1]);
    return RD_OK;
}

/* The first usable GPU of any platform, else the first device: what plain "opencl" means. */
static void first_choice(const rd__opencl_api *cl, uint32_t *p, uint32_t *d)
{
    rd_device_info info;
    rd__opencl_id id;
    unsigned count = 0;
    *p = *d = 0;
    if (cl->clGetPlatformIDs(0, NULL, &count) != 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; rd__opencl_describe(cl, i, k, &info, &id); k++)
            if (info.is_gpu && info.usable) {
                *p = i;
                *d = k;
                return;
            }
}

/* ":P.D", ":P" or "" */
static int parse_which(const char *which, uint32_t *p, uint32_t *d)
{
    char text[24];
    uint64_t platform = 0, number = 0;
    if (*which) {
        if (strlen(which) > sizeof text)
            return 0;
        snprintf(text, sizeof text, "%s", which + 1);
        char *dot = strchr(text, '.');
        if (dot)
            *dot++ = '\0';
        if (!rd_parse_u64(text, &platform) || (dot && !rd_parse_u64(dot, &number)) || platform > 1000 || number > 1000)
            return 0;
    }
    *p = (uint32_t)platform;
    *d = (uint32_t)number;
    return 1;
}

static rd_status open_device(const char *which, const rd_device_options *options, rd_device **out, rd_error *err)
{
    char reason[256];
    uint32_t p, d;
    (void)options;
    if (!parse_which(which, &p, &d))
        return rd__fail(err, RD_EARG, "'opencl%s' is no OpenCL device: use opencl:PLATFORM.DEVICE, such as opencl:0.0",
                        which);
    const rd__opencl_api *cl = rd__opencl_open(reason, sizeof reason);
    if (!cl)
        return rd__fail(err, RD_EDEVICE, "opencl%s cannot be used: %s", which, reason);
    if (!*which)
        first_choice(cl, &p, &d);
    rd__opencl_device *device = rd__calloc(1, sizeof *device);
    if (!device)
        return rd__fail_memory(err, "an OpenCL device", sizeof *device);
    device->base.backend = &rd__opencl_backend;
    device->cl = cl;
    rd_status status = RD_OK;
    if (!rd__opencl_describe(cl, p, d, &device->base.info, &device->id))
        status = rd__fail(err, RD_EDEVICE, "opencl:%u.%u is not here (`raddle devices` lists those that are)", p, d);
    else if (!device->base.info.usable)
        status = rd__fail(err, RD_EDEVICE, "%s cannot be used: %s", device->base.info.name, device->base.info.reason);
    else
        status = set_up(device, err);
    device->base.caps.slow_wide_compile = !device->base.info.is_gpu;
    /* A CPU's take longer to be compiled than they save. */
    device->base.caps.chores = device->base.info.is_gpu && device->id.takes_lists;
    if (status != RD_OK) {
        close_device(&device->base);
        return status;
    }
    *out = &device->base;
    return RD_OK;
}

static rd_status opencl_probe(rd__device_sink *sink, rd_error *err)
{
    rd__opencl_lock();
    const rd_status status = probe(sink, err);
    rd__opencl_unlock();
    return status;
}

static rd_status opencl_open(const char *which, const rd_device_options *options, rd_device **out, rd_error *err)
{
    rd__opencl_lock();
    const rd_status status = open_device(which, options, out, err);
    rd__opencl_unlock();
    return status;
}

static void opencl_close(rd_device *base)
{
    rd__opencl_lock();
    close_device(base);
    rd__opencl_unlock();
}

/* ---- Waiting and time ---- */

/* It is the next spare one. */
void rd__opencl_take_back(rd__opencl_device *device, rd__opencl_queue *lane)
{
    const uint32_t zero = 0;
    void *word = lane->asked;
    lane->asked = NULL;
    if (!lane->spare &&
        device->cl->clEnqueueWriteBuffer(device->control_queue, word, 1, 0, sizeof zero, &zero, 0, NULL, NULL) == 0)
        lane->spare = word;
    else
        (void)device->cl->clReleaseMemObject(word);
}

static rd_status opencl_idle_by(rd_device *base, double until, int *idle, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)base;
    rd__opencl_queue *lane = rd__opencl_lane(device);
    void *last = lane->reading ? lane->reading : lane->last;
    const double began = rd_now();
    int state = 0, code = 0;
    if (isfinite(until) && last) { /* a command may be asked how it is, the queue may not */
        state = 1;
        code = device->cl->clFlush(lane->queue);
        while (code == 0 && state > 0 && rd_now() < until && !rd__device_is_nudged(base)) {
            code = device->cl->clGetEventInfo(last, CL_EVENT_STATUS, sizeof state, &state, NULL);
            if (code == 0 && state > 0)
                rd__device_nap(base, began);
        }
        code = state < 0 ? state : code;
    }
    if (code == 0 && state == 0)
        code = device->cl->clFinish(lane->queue);
    *idle = code == 0 && state == 0;
    lane->idle = *idle != 0;
    return code == 0 ? RD_OK : rd__opencl_fail(err, code, "a kernel", base->info.name);
}

/* Launches given from now on get another buffer. A GPU's driver may wait for kernels that run when it is asked for
 * memory, or given some back: so the next word is there already, and this one is kept until they have left. Nobody
 * waits for the write: who leaves has seen it, and the next one to that word comes behind it. */
static rd_status opencl_ask_stop(rd_device *base, rd_error *err)
{
    static const uint32_t one = 1;
    rd__opencl_device *device = (rd__opencl_device *)base;
    rd__opencl_queue *lane = rd__opencl_lane(device);
    struct rd__opencl_word *word = lane->word;
    void *fresh = lane->spare, *old = lane->control;
    int code = 0;
    if (!fresh && !word && !rd__device_is_mine(base))
        return rd__fail(err, RD_EDEVICE, "%s: who waits for the launches has to ask them", base->info.name);
    if (!fresh)
        RD_TRY(new_control(device, lane, &fresh, err));
    lane->spare = NULL;
    lane->control = fresh;
    if (word)
        __atomic_store_n(&word->stop[0], one, __ATOMIC_RELAXED); /* pairs with rd_stopped(); a hint only */
    else if ((code = device->cl->clEnqueueWriteBuffer(device->control_queue, old, 0, 0, sizeof one, &one, 0, NULL,
                                                      NULL)) == 0)
        code = device->cl->clFlush(device->control_queue);
    if (word || lane->asked)
        (void)device->cl->clReleaseMemObject(old); /* commands that are under way keep theirs alive */
    else
        lane->asked = old;
    return code == 0 ? RD_OK : rd__opencl_fail(err, code, "clEnqueueWriteBuffer", base->info.name);
}

static rd_status opencl_time_begin(rd_device *base, rd_error *err)
{
    (void)err;
    rd__opencl_device *device = (rd__opencl_device *)base;
    rd__opencl_queue *lane = rd__opencl_lane(device);
    forget_events(device->cl, lane);
    lane->began = rd_now();
    return RD_OK;
}

static rd_status opencl_time_mark(rd_device *base, rd_error *err)
{
    (void)base; /* every launch leaves its event */
    (void)err;
    return RD_OK;
}

static rd_status opencl_time_end(rd_device *base, double *seconds, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)base;
    const rd__opencl_api *cl = device->cl;
    const rd__opencl_queue *lane = rd__opencl_lane(device);
    uint64_t from = 0, to = 0;
    *seconds = 0;
    RD_TRY(rd__device_wait(base, NULL, err));
    if (!lane->first)
        return RD_OK;
    int code = cl->clGetEventProfilingInfo(lane->first, CL_PROFILING_START, sizeof from, &from, NULL);
    if (code == 0)
        code = cl->clGetEventProfilingInfo(lane->last, CL_PROFILING_END, sizeof to, &to, NULL);
    if (code == CL_NO_PROFILE) { /* NVIDIA's says so of launches that are over, when other processes use the GPU too */
        *seconds = rd_now() - lane->began;
        return RD_OK;
    }
    if (code != 0)
        return rd__opencl_fail(err, code, "clGetEventProfilingInfo", base->info.name);
    *seconds = to > from ? 1e-9 * (double)(to - from) : 0;
    return RD_OK;
}

const rd__backend rd__opencl_backend = {
    .name = "opencl",
    .probe = opencl_probe,
    .open = opencl_open,
    .close = opencl_close,
    .alloc = rd__opencl_alloc,
    .free = rd__opencl_free,
    .write = rd__opencl_write,
    .read = rd__opencl_read,
    .read_begin = rd__opencl_read_begin,
    .read_end = rd__opencl_read_end,
    .fill = rd__opencl_fill,
    .load = rd__opencl_load,
    .unload = rd__opencl_unload,
    .kernel = rd__opencl_kernel,
    .resident = rd__opencl_resident,
    .launch = rd__opencl_launch,
    .idle_by = opencl_idle_by,
    .ask_stop = opencl_ask_stop,
    .grace_seconds = 5,
    .time_begin = opencl_time_begin,
    .time_mark = opencl_time_mark,
    .time_end = opencl_time_end,
};
