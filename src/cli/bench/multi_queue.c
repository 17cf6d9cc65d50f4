/* SPDX-License-Identifier: Apache-2.0 */
/* multi_queue.c - see multi_queue.h. */
#include "cli/bench/multi_queue.h"

#include "cli/bench/binary_heap.h"
#include "raddle/tool.h"

#include <pthread.h>

enum { HEAPS_A_THREAD = 4 };
#define EMPTY_TOP UINT32_MAX

struct part {
    _Alignas(64) pthread_mutex_t mutex;
    binary_heap heap;
    uint64_t room;
    uint32_t top; /* a hint, read without the lock: relaxed on both sides */
};

struct multi_queue {
    uint32_t threads, parts;
    struct part *part;
};

struct work {
    multi_queue *queue;
    pthread_t thread;
    const uint32_t *in; /* NULL: delete */
    uint32_t *out;
    uint64_t count, random;
    int started, failed;
};

multi_queue *multi_queue_new(uint32_t threads, uint64_t room)
{
    multi_queue *queue = calloc(1, sizeof *queue);
    const uint32_t parts = HEAPS_A_THREAD * threads;
    struct part *part = queue ? aligned_alloc(64, parts * sizeof *part) : NULL;
    if (!part) {
        free(queue);
        return NULL;
    }
    *queue = (multi_queue){threads, parts, part};
    int good = 1;
    for (uint32_t i = 0; i < parts; i++) { /* random shares differ: each part has room for twice its own */
        part[i].room = 2 * room / parts + 1024;
        part[i].top = EMPTY_TOP;
        good &= binary_heap_init(&part[i].heap, part[i].room);
        pthread_mutex_init(&part[i].mutex, NULL);
    }
    if (good)
        return queue;
    multi_queue_free(queue);
    return NULL;
}

void multi_queue_free(multi_queue *queue)
{
    for (uint32_t i = 0; queue && i < queue->parts; i++) {
        binary_heap_free(&queue->part[i].heap);
        pthread_mutex_destroy(&queue->part[i].mutex);
    }
    if (queue)
        free(queue->part);
    free(queue);
}

static struct part *any(struct work *work)
{
    work->random = work->random * 6364136223846793005u + 1442695040888963407u;
    return &work->queue->part[(work->random >> 33) % work->queue->parts];
}

static void unlock(struct part *part)
{
    const uint32_t top = part->heap.count ? part->heap.key[0] : EMPTY_TOP;
    __atomic_store_n(&part->top, top, __ATOMIC_RELAXED); /* pairs with the looks in delete_one */
    pthread_mutex_unlock(&part->mutex);
}

static void insert_one(struct work *work, uint32_t key)
{
    int done = 0;
    while (!done) {
        struct part *part = any(work);
        if (pthread_mutex_trylock(&part->mutex) == 0) {
            done = part->heap.count < part->room;
            if (done)
                binary_heap_insert(&part->heap, key);
            unlock(part);
        }
    }
}

/* There is a key for each deletion: after some looks in vain the parts are tried one by one. */
static uint32_t delete_one(struct work *work)
{
    for (uint32_t attempt = 0;; attempt++) {
        struct part *part = any(work), *other = any(work);
        if (__atomic_load_n(&other->top, __ATOMIC_RELAXED) < __atomic_load_n(&part->top, __ATOMIC_RELAXED))
            part = other;
        if (attempt > 16)
            part = &work->queue->part[attempt % work->queue->parts];
        if (pthread_mutex_trylock(&part->mutex) == 0) {
            const int found = part->heap.count > 0;
            const uint32_t key = found ? binary_heap_delete(&part->heap) : 0;
            unlock(part);
            if (found)
                return key;
        }
    }
}

static void *run(void *user)
{
    struct work *work = user;
    for (uint64_t i = 0; i < work->count; i++)
        if (work->in)
            insert_one(work, work->in[i]);
        else
            work->out[i] = delete_one(work);
    return NULL;
}

static double run_all(multi_queue *queue, const uint32_t *in, uint32_t *out, uint64_t count)
{
    struct work *work = calloc(queue->threads, sizeof *work);
    int good = work != NULL;
    const double began = rd_now();
    for (uint32_t t = 0; work && t < queue->threads; t++) {
        const uint64_t from = count * t / queue->threads, end = count * (t + 1) / queue->threads;
        work[t] = (struct work){.queue = queue, .in = in ? in + from : NULL, .out = out ? out + from : NULL};
        work[t].count = end - from;
        work[t].random = t + 1;
        work[t].started = pthread_create(&work[t].thread, NULL, run, &work[t]) == 0;
        good &= work[t].started;
    }
    for (uint32_t t = 0; work && t < queue->threads; t++)
        if (work[t].started)
            pthread_join(work[t].thread, NULL);
    free(work);
    return good ? rd_now() - began : -1;
}

double multi_queue_insert(multi_queue *queue, const uint32_t *key, uint64_t count)
{
    return run_all(queue, key, NULL, count);
}

double multi_queue_delete(multi_queue *queue, uint32_t *key, uint64_t count)
{
    return run_all(queue, NULL, key, count);
}
