/* SPDX-License-Identifier: Apache-2.0 */
/* buffers.c - memory of an OpenCL device. What is copied runs in the order of the thread's queue. */
#include "device/opencl/opencl.h"

#include "raddle/tool.h"

#include <string.h>

rd_status rd__opencl_alloc(rd__buffer *buffer, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)buffer->device;
    const uint32_t zero = 0;
    char need[32];
    int code = 0;
    buffer->at.object = device->cl->clCreateBuffer(device->context, 1 /* read and write */, buffer->bytes, NULL, &code);
    if (code == 0) {
        /* Many drivers allocate on first use; a write here makes "out of memory" appear where the buffer has a name. */
        code = device->cl->clEnqueueFillBuffer(rd__opencl_lane(device)->queue, buffer->at.object, &zero, sizeof zero, 0,
                                               4, 0, NULL, NULL);
        if (code == 0)
            code = device->cl->clFinish(rd__opencl_lane(device)->queue);
        if (code != 0)
            (void)device->cl->clReleaseMemObject(buffer->at.object);
    }
    if (code == 0)
        return RD_OK;
    rd_status status = rd__opencl_fail(NULL, code, "", "");
    return rd__fail(err, status == RD_ENOMEM || code == -61 ? RD_ENOMEM : RD_EDEVICE,
                    "%s: buffer '%s' of %s (%llu bytes) could not be allocated: %s (%d)", device->base.info.name,
                    buffer->name, rd_format_bytes(buffer->bytes, need, sizeof need), (unsigned long long)buffer->bytes,
                    rd__opencl_error(code), code);
}

void rd__opencl_free(rd__buffer *buffer)
{
    (void)((rd__opencl_device *)buffer->device)->cl->clReleaseMemObject(buffer->at.object);
}

rd_status rd__opencl_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)buffer->device;
    rd__device_count(&device->base);
    int code = device->cl->clEnqueueWriteBuffer(rd__opencl_lane(device)->queue, buffer->at.object, 1, offset, bytes,
                                                data, 0, NULL, NULL);
    return code == 0 ? RD_OK : rd__opencl_fail(err, code, "clEnqueueWriteBuffer", device->base.info.name);
}

rd_status rd__opencl_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)buffer->device;
    rd__device_count(&device->base);
    int code = device->cl->clEnqueueReadBuffer(rd__opencl_lane(device)->queue, buffer->at.object, 1, offset, bytes,
                                               data, 0, NULL, NULL);
    return code == 0 ? RD_OK : rd__opencl_fail(err, code, "clEnqueueReadBuffer", device->base.info.name);
}

/* Behind the launches, so that whoever waits for them has the words as soon as they have left. To the driver's own
 * memory: a driver may copy to the caller's only while the call lasts, however long the launches do. */
rd_status rd__opencl_read_begin(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err)
{
    enum { HALF = RD__OPENCL_STAGE / RD__OPENCL_READS };
    rd__opencl_device *device = (rd__opencl_device *)buffer->device;
    rd__opencl_queue *lane = rd__opencl_lane(device);
    void *event = NULL;
    if (!also)
        rd__opencl_forget_read(device, lane);
    if (bytes > HALF || !lane->staged || lane->reads == RD__OPENCL_READS)
        return RD_OK; /* read at the end */
    rd__device_count(&device->base);
    const int code =
        device->cl->clEnqueueReadBuffer(lane->queue, buffer->at.object, 0, 0, bytes,
                                        (char *)lane->staged + (size_t)HALF * lane->reads, 0, NULL, &event);
    if (code != 0)
        return rd__opencl_fail(err, code, "clEnqueueReadBuffer", device->base.info.name);
    if (lane->reading)
        (void)device->cl->clReleaseEvent(lane->reading);
    lane->reading = event;
    lane->begun[lane->reads++] = buffer->at.object;
    return RD_OK;
}

rd_status rd__opencl_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err)
{
    enum { HALF = RD__OPENCL_STAGE / RD__OPENCL_READS };
    rd__opencl_device *device = (rd__opencl_device *)buffer->device;
    const rd__opencl_queue *lane = rd__opencl_lane(device);
    uint32_t i = 0;
    while (i < lane->reads && lane->begun[i] != buffer->at.object)
        i++;
    if (i == lane->reads)
        return rd__opencl_read(buffer, 0, bytes, data, err);
    const int code = i == 0 ? device->cl->clFinish(lane->queue) : 0; /* who did not wait waits here, for all of them */
    if (code != 0)
        return rd__opencl_fail(err, code, "clEnqueueReadBuffer", device->base.info.name);
    memcpy(data, (const char *)lane->staged + (size_t)HALF * i, bytes);
    return RD_OK;
}

rd_status rd__opencl_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    rd__opencl_device *device = (rd__opencl_device *)buffer->device;
    rd__device_count(&device->base);
    int code = device->cl->clEnqueueFillBuffer(rd__opencl_lane(device)->queue, buffer->at.object, &word, sizeof word,
                                               offset, bytes, 0, NULL, NULL);
    return code == 0 ? RD_OK : rd__opencl_fail(err, code, "clEnqueueFillBuffer", device->base.info.name);
}
