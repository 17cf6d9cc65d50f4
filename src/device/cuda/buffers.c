/* SPDX-License-Identifier: Apache-2.0 */
/* buffers.c - memory of a CUDA device. What is copied runs in the order of the thread's stream. */
#include "device/cuda/cuda.h"

#include "raddle/tool.h"

#include <string.h>

enum {
    FEW = 16 << 10,  /* bytes that go by way of the inbox */
    LARGE = 64 << 20 /* bytes for which pinned memory and threads are worth their while: some 20 ms */
};

static const rd__cuda_api *const cu = &rd__cuda;

rd_status rd__cuda_alloc(rd__buffer *buffer, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)buffer->device;
    unsigned long long address = 0;
    size_t free_bytes = 0, all = 0;
    char need[32], have[32];
    RD_TRY(rd__cuda_enter(device, err));
    int code = cu->MemAlloc(&address, buffer->bytes);
    if (code != CU_SUCCESS)
        (void)cu->MemGetInfo(&free_bytes, &all);
    (void)rd__cuda_leave(RD_OK);
    buffer->at.address = address;
    if (code == CU_OUT_OF_MEMORY)
        return rd__fail(err, RD_ENOMEM, "%s is out of memory: buffer '%s' needs %s (%llu bytes), %s are free",
                        device->base.info.name, buffer->name, rd_format_bytes(buffer->bytes, need, sizeof need),
                        (unsigned long long)buffer->bytes, rd_format_bytes(free_bytes, have, sizeof have));
    return code == CU_SUCCESS ? RD_OK : rd__cuda_fail(err, code, "cuMemAlloc", device->base.info.name);
}

void rd__cuda_free(rd__buffer *buffer)
{
    if (rd__cuda_enter((rd__cuda_device *)buffer->device, NULL) == RD_OK) {
        (void)cu->MemFree(buffer->at.address);
        (void)rd__cuda_leave(RD_OK);
    }
}

/* All that was given to the stream is done. */
static rd_status settle(rd__cuda_device *device, rd_error *err)
{
    rd__cuda_queue *queue = rd__cuda_queue_of(device);
    CU_TRY(cu->StreamSynchronize(queue->stream), device->base.info.name);
    queue->inbox_used = 0;
    return RD_OK;
}

/* A few words, by way of the inbox: the stream comes to them in its order, and nobody waits. A wait for each of the
 * three or four that a run begins with would take longer than many a run. */
rd_status rd__cuda_write_few(rd__cuda_device *device, unsigned long long to, uint64_t bytes, const void *data,
                             rd_error *err)
{
    enum { LINE = 64 };
    rd__cuda_queue *queue = rd__cuda_queue_of(device);
    if (queue->inbox_used + bytes > RD__CUDA_INBOX)
        RD_TRY(settle(device, err));
    char *place = queue->inbox + queue->inbox_used;
    memcpy(place, data, bytes);
    queue->inbox_used += (bytes + LINE - 1) / LINE * LINE;
    rd__device_count(&device->base);
    CU_TRY(cu->MemcpyHtoDAsync(to, place, bytes, queue->stream), device->base.info.name);
    return RD_OK;
}

static rd_status write_now(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)buffer->device;
    if (bytes <= FEW)
        return rd__cuda_write_few(device, buffer->at.address + offset, bytes, data, err);
    rd__device_count(&device->base);
    if (bytes >= LARGE) {
        int done = 0;
        RD_TRY(settle(device, err));
        RD_TRY(rd__cuda_upload(device, buffer->at.address + offset, bytes, data, &done, err));
        if (done)
            return RD_OK;
    }
    CU_TRY(cu->MemcpyHtoDAsync(buffer->at.address + offset, data, bytes, rd__cuda_queue_of(device)->stream),
           device->base.info.name);
    return settle(device, err);
}

rd_status rd__cuda_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    RD_TRY(rd__cuda_enter((rd__cuda_device *)buffer->device, err));
    return rd__cuda_leave(write_now(buffer, offset, bytes, data, err));
}

/* Behind what the stream has to do. */
static rd_status read_later(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *to, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)buffer->device;
    rd__device_count(&device->base);
    CU_TRY(cu->MemcpyDtoHAsync(to, buffer->at.address + offset, bytes, rd__cuda_queue_of(device)->stream),
           device->base.info.name);
    return RD_OK;
}

static rd_status read_now(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)buffer->device;
    rd__cuda_queue *queue = rd__cuda_queue_of(device);
    queue->reads = 0; /* it takes their place */
    RD_TRY(read_later(buffer, offset, bytes, bytes <= RD__CUDA_STAGE ? queue->stage : data, err));
    RD_TRY(settle(device, err));
    if (bytes <= RD__CUDA_STAGE)
        memcpy(data, queue->stage, bytes);
    return RD_OK;
}

rd_status rd__cuda_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    RD_TRY(rd__cuda_enter((rd__cuda_device *)buffer->device, err));
    return rd__cuda_leave(read_now(buffer, offset, bytes, data, err));
}

/* Each has a half of the stage. */
rd_status rd__cuda_read_begin(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err)
{
    enum { HALF = RD__CUDA_STAGE / RD__CUDA_READS };
    rd__cuda_queue *queue = rd__cuda_queue_of((rd__cuda_device *)buffer->device);
    queue->reads = also ? queue->reads : 0;
    if (bytes > HALF || queue->reads == RD__CUDA_READS)
        return RD_OK; /* read at the end */
    const uint64_t at = (uint64_t)HALF * queue->reads;
    RD_TRY(rd__cuda_enter((rd__cuda_device *)buffer->device, err));
    RD_TRY(rd__cuda_leave(read_later(buffer, 0, bytes, queue->stage + at, err)));
    queue->begun[queue->reads].from = buffer->at.address;
    queue->begun[queue->reads++].at = at;
    return RD_OK;
}

rd_status rd__cuda_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)buffer->device;
    const rd__cuda_queue *queue = rd__cuda_queue_of(device);
    uint32_t i = 0;
    while (i < queue->reads && queue->begun[i].from != buffer->at.address)
        i++;
    if (i == queue->reads)
        return rd__cuda_read(buffer, 0, bytes, data, err);
    if (i == 0) { /* which the others came right behind */
        RD_TRY(rd__cuda_enter(device, err));
        RD_TRY(rd__cuda_leave(settle(device, err)));
    }
    memcpy(data, queue->stage + queue->begun[i].at, bytes);
    return RD_OK;
}

/* On the control stream, by a copy engine, to pinned memory: kernels do not hold it up, however long they run and
 * however many multiprocessors they fill (a kernel that copied would wait for room). Kernels' atomics are done in the
 * L2 cache, through which the engine reads, in sectors of 32 bytes; so an aligned word comes as it was before such an
 * atomic or after it, never half. CUDA's documents do not say so in words; `raddle selftest --filter device/peek` looks
 * for one that was never there. */
static rd_status peek_now(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err)
{
    const rd__cuda_device *device = (const rd__cuda_device *)buffer->device;
    const char *name = device->base.info.name;
    for (uint64_t done = 0, some; done < bytes; done += some) {
        some = bytes - done < RD__CUDA_PEEK ? bytes - done : RD__CUDA_PEEK;
        CU_TRY(cu->MemcpyDtoHAsync(device->peek, buffer->at.address + offset + done, some, device->control_stream),
               name);
        CU_TRY(cu->StreamSynchronize(device->control_stream), name);
        memcpy((char *)data + done, device->peek, some);
    }
    return RD_OK;
}

rd_status rd__cuda_peek(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err)
{
    RD_TRY(rd__cuda_enter((rd__cuda_device *)buffer->device, err));
    return rd__cuda_leave(peek_now(buffer, offset, bytes, data, err));
}

rd_status rd__cuda_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)buffer->device;
    RD_TRY(rd__cuda_enter(device, err));
    rd__device_count(&device->base);
    int code = cu->MemsetD32Async(buffer->at.address + offset, word, bytes / 4, rd__cuda_queue_of(device)->stream);
    (void)rd__cuda_leave(RD_OK);
    return code == CU_SUCCESS ? RD_OK : rd__cuda_fail(err, code, "cuMemsetD32Async", device->base.info.name);
}
