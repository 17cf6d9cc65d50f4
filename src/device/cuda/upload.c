/* SPDX-License-Identifier: Apache-2.0 */
/*
 * upload.c - large inputs, at the speed of the bus. A driver copies from ordinary memory by one thread, through pinned
 * memory of its own: 8 GB/s, a sixth of what the bus can do. Here several threads do so, each piece by piece: into one
 * of two pinned slots, while the other one is on its way by the thread's own stream. Pinned memory takes the driver
 * longer than the bus takes for as many bytes, so what the threads copy by stays with the queue for the next one.
 *
 * Pieces are dealt out by a counter, which decides nothing else. A slot is written again when its event has passed. The
 * caller's stream is idle before the first piece, and all streams are after the last: to it the copy is one command.
 * A thread that gets no pinned memory leaves its pieces to others; if none gets any, the driver copies as it would.
 */
#include "device/cuda/cuda.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <stdatomic.h>
#include <string.h>

enum { PIECE = 2 << 20, SLOTS = 2, THREADS = 8 };

static const rd__cuda_api *const cu = &rd__cuda;

typedef struct copier {
    char *slot; /* SLOTS pieces, pinned */
    void *stream, *event[SLOTS];
    int open;
} copier;

struct rd__cuda_copiers {
    copier of[THREADS];
};

typedef struct upload {
    rd__cuda_device *device;
    copier *copier; /* of each thread */
    unsigned long long to;
    const char *from;
    uint64_t bytes;
    atomic_uint_fast64_t next; /* pieces from here on are nobody's yet */
    atomic_int code;           /* of a copy that failed */
} upload;

static int copier_open(copier *c)
{
    void *slot = NULL;
    if (c->open)
        return CU_SUCCESS;
    int code = cu->MemHostAlloc(&slot, (size_t)SLOTS * PIECE, 0);
    c->slot = slot;
    if (code == CU_SUCCESS)
        code = cu->StreamCreate(&c->stream, CU_STREAM_NON_BLOCKING);
    for (int k = 0; k < SLOTS && code == CU_SUCCESS; k++)
        code = cu->EventCreate(&c->event[k], 0);
    c->open = code == CU_SUCCESS;
    return code;
}

static void copier_close(copier *c)
{
    for (int k = 0; k < SLOTS; k++)
        if (c->event[k])
            (void)cu->EventDestroy(c->event[k]);
    if (c->stream)
        (void)cu->StreamDestroy(c->stream);
    if (c->slot)
        (void)cu->MemFreeHost(c->slot);
    *c = (copier){0};
}

void rd__cuda_upload_close(rd__cuda_queue *queue)
{
    for (int i = 0; queue->copiers && i < THREADS; i++)
        copier_close(&queue->copiers->of[i]);
    rd__free(queue->copiers);
    queue->copiers = NULL;
}

static int copy_pieces(upload *u, copier *c)
{
    int code = CU_SUCCESS;
    for (uint64_t i = 0; code == CU_SUCCESS; i++) {
        const int k = (int)(i % SLOTS);
        if (i >= SLOTS)
            code = cu->EventSynchronize(c->event[k]);
        /* pairs with itself in other threads: each piece has one */
        const uint64_t at = atomic_fetch_add_explicit(&u->next, PIECE, memory_order_relaxed);
        if (at >= u->bytes || code != CU_SUCCESS)
            break;
        const uint64_t some = u->bytes - at < PIECE ? u->bytes - at : PIECE;
        memcpy(c->slot + (size_t)k * PIECE, u->from + at, some);
        code = cu->MemcpyHtoDAsync(u->to + at, c->slot + (size_t)k * PIECE, some, c->stream);
        if (code == CU_SUCCESS)
            code = cu->EventRecord(c->event[k], c->stream);
    }
    const int last = cu->StreamSynchronize(c->stream);
    return code != CU_SUCCESS ? code : last;
}

static void copy(void *pointer, unsigned index, unsigned threads)
{
    upload *u = pointer;
    copier *c = &u->copier[index];
    (void)threads;
    if (rd__cuda_enter(u->device, NULL) != RD_OK)
        return;
    int code = copier_open(c);
    if (code != CU_SUCCESS)
        copier_close(c);
    else if ((code = copy_pieces(u, c)) != CU_SUCCESS)
        atomic_store_explicit(&u->code, code, memory_order_relaxed); /* read when the threads have ended */
    (void)rd__cuda_leave(RD_OK);
}

rd_status rd__cuda_upload(rd__cuda_device *device, unsigned long long to, uint64_t bytes, const void *data, int *done,
                          rd_error *err)
{
    rd__cuda_queue *queue = rd__cuda_queue_of(device);
    const unsigned cores = rd__thread_count(0);
    *done = 0;
    if (!queue->copiers && !(queue->copiers = rd__calloc(1, sizeof *queue->copiers)))
        return RD_OK; /* as without pinned memory */
    upload u = {.device = device, .copier = queue->copiers->of, .to = to, .from = data, .bytes = bytes};
    rd__parallel(cores < THREADS ? cores : THREADS, copy, &u);
    *done = atomic_load_explicit(&u.next, memory_order_relaxed) >= bytes; /* all threads have ended */
    const int code = atomic_load_explicit(&u.code, memory_order_relaxed);
    return code == CU_SUCCESS ? RD_OK : rd__cuda_fail(err, code, "cuMemcpyHtoDAsync", device->base.info.name);
}
