/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stops.c - how launches of a CUDA device are asked to leave. Each request has a word of its own, in device memory,
 * which the launches it is for look at (device/wait.c says why); the word after it is for those that follow.
 *
 * Two ways lead to a word. Through the driver: the front end of a stream of its own writes it, and so does a copy on
 * another one. That reaches every launch, and takes 50 us where nobody has called the driver for a while. And by ear:
 * next to the word is the address of another one in the host's memory, pinned, and one lane of a launch looks there now
 * and then (rd_asked in dialect/cuda.h) and writes the launch's word for all. That takes whoever asks one store. Only
 * launches of a job that takes turns have such words, `heard`, for a look goes over the bus; and only persistent ones
 * look (`hears`, which sched/parts/launch.c says). Who waits for them asks by the other way too, when they have not
 * left after a while (device/wait.c), so that nothing hangs on whether a lane listens.
 *
 * Order: a word alone, relaxed on both sides; nothing is passed on with it.
 */
#include "device/cuda/cuda.h"

#include <string.h>

static const rd__cuda_api *const cu = &rd__cuda;

/* As dialect/cuda.h reads it. */
struct rd__cuda_stop {
    uint32_t word, looked;
    uint64_t ear;
};
enum { BYTES = RD__CUDA_STOPS * sizeof(struct rd__cuda_stop) };
_Static_assert(sizeof(struct rd__cuda_stop) == 16, "a kernel finds its word and the ear by this");

/* Words of the host are in the image of the device's. */
static void clean(struct rd__cuda_stop *image)
{
    for (uint32_t i = 0; i < RD__CUDA_STOPS; i++)
        image[i] = (struct rd__cuda_stop){.ear = (uint64_t)(uintptr_t)&image[i].word};
}

rd_status rd__cuda_stops_open(rd__cuda_queue *queue, int heard, const char *name, rd_error *err)
{
    void *image = NULL;
    CU_TRY(cu->MemAlloc(&queue->control, BYTES), name);
    CU_TRY(cu->MemsetD32Async(queue->control, 0, BYTES / 4, queue->stream), name);
    if (heard) {
        CU_TRY(cu->MemAlloc(&queue->heard, BYTES), name);
        CU_TRY(cu->MemHostAlloc(&image, BYTES, 0), name);
        queue->image = image;
        clean(queue->image);
        CU_TRY(cu->MemcpyHtoDAsync(queue->heard, queue->image, BYTES, queue->stream), name);
    }
    CU_TRY(cu->StreamSynchronize(queue->stream), name);
    return RD_OK;
}

void rd__cuda_stops_close(rd__cuda_queue *queue)
{
    if (queue->control)
        (void)cu->MemFree(queue->control);
    if (queue->heard)
        (void)cu->MemFree(queue->heard);
    if (queue->image)
        (void)cu->MemFreeHost(queue->image);
}

static int takes_turns(const rd__cuda_device *device, const rd__cuda_queue *queue)
{
    return queue->heard && device->base.in_turn;
}

unsigned long long rd__cuda_stop_word(const rd__cuda_device *device, const rd__cuda_queue *queue)
{
    return (takes_turns(device, queue) ? queue->heard : queue->control) +
           sizeof(struct rd__cuda_stop) * (unsigned long long)queue->stops;
}

/* The next launches have another word. After the last all are as new: nobody looks at any of them then. */
static rd_status turn_page(rd__cuda_device *device, rd__cuda_queue *queue, rd_error *err)
{
    const char *name = device->base.info.name;
    if (++queue->stops < RD__CUDA_STOPS)
        return RD_OK;
    CU_TRY(cu->StreamSynchronize(queue->stream), name);
    if (device->quick_stream)
        CU_TRY(cu->StreamSynchronize(device->quick_stream), name);
    CU_TRY(cu->MemsetD32Async(queue->control, 0, BYTES / 4, device->control_stream), name);
    if (queue->image) {
        clean(queue->image);
        CU_TRY(cu->MemcpyHtoDAsync(queue->heard, queue->image, BYTES, device->control_stream), name);
    }
    CU_TRY(cu->StreamSynchronize(device->control_stream), name);
    queue->stops = 0;
    return RD_OK;
}

/* On streams of their own: the other one is busy with the kernels that shall see it. A copy and no fill, which could
 * need room on a multiprocessor; and nobody waits for it: who leaves has seen it. Before it the front end of another
 * stream writes the same, which a copy engine takes longer to come to. CUDA does not promise that streams are apart (a
 * program that has many shares hardware queues among them, and there it would come after the kernel), so the copy
 * follows in any case. */
static rd_status ask_by_driver(rd__cuda_device *device, rd_error *err)
{
    const char *name = device->base.info.name;
    rd__cuda_queue *queue = rd__cuda_queue_of(device);
    if (queue->stops + 1 == RD__CUDA_STOPS && !rd__device_is_mine(&device->base))
        return rd__fail(err, RD_EDEVICE, "%s: who waits for the launches has to ask them", name);
    const unsigned long long word = rd__cuda_stop_word(device, queue);
    if (device->quick_stream)
        (void)cu->StreamWriteValue32(device->quick_stream, word, 1, CU_WRITE_VALUE_DEFAULT);
    CU_TRY(cu->MemcpyHtoDAsync(word, device->one, 4, device->control_stream), name);
    return turn_page(device, queue, err);
}

rd_status rd__cuda_ask_stop(rd_device *base, rd_error *err)
{
    RD_TRY(rd__cuda_enter((rd__cuda_device *)base, err));
    return rd__cuda_leave(ask_by_driver((rd__cuda_device *)base, err));
}

int rd__cuda_call_stop(rd_device *base)
{
    rd__cuda_device *device = (rd__cuda_device *)base;
    rd__cuda_queue *queue = &device->queue[0];
    if (!takes_turns(device, queue))
        return 0;
    __atomic_store_n(&queue->image[queue->stops].word, 1, __ATOMIC_RELAXED); /* partner: rd_asked; a hint only */
    return 1;
}

rd_status rd__cuda_forget_call(rd_device *base, rd_error *err)
{
    rd__cuda_device *device = (rd__cuda_device *)base;
    RD_TRY(rd__cuda_enter(device, err));
    return rd__cuda_leave(turn_page(device, &device->queue[0], err));
}
