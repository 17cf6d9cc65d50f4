/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.c - see ranges.h. */
#include "ray/ranges.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <pthread.h>

enum { SMALL = 4096 }; /* items of a range that is not worth another thread */

struct rd__ranges {
    pthread_mutex_t lock;
    pthread_cond_t news;
    rd__range *item;
    uint32_t count, room, busy;
    rd__ranges_fn fn;
    void *user;
};

void rd__ranges_give(rd__ranges *ranges, rd__range range)
{
    if (range.to - range.from <= SMALL) {
        ranges->fn(ranges->user, ranges, &range);
        return;
    }
    pthread_mutex_lock(&ranges->lock);
    if (ranges->count == ranges->room) {
        const uint32_t room = ranges->room ? 2 * ranges->room : 256;
        rd__range *more = rd__realloc(ranges->item, room * sizeof *more);
        if (more) {
            ranges->item = more;
            ranges->room = room;
        }
    }
    const int fits = ranges->count < ranges->room;
    if (fits)
        ranges->item[ranges->count++] = range;
    pthread_cond_signal(&ranges->news);
    pthread_mutex_unlock(&ranges->lock);
    if (!fits)
        ranges->fn(ranges->user, ranges, &range); /* slower, but not lost */
}

static void work(void *arg, unsigned index, unsigned threads)
{
    rd__ranges *ranges = arg;
    (void)index;
    (void)threads;
    pthread_mutex_lock(&ranges->lock);
    while (ranges->count || ranges->busy) {
        if (!ranges->count) { /* those at work may give more; they do not wait for us */
            pthread_cond_wait(&ranges->news, &ranges->lock);
            continue;
        }
        const rd__range range = ranges->item[--ranges->count];
        ranges->busy++;
        pthread_mutex_unlock(&ranges->lock);
        ranges->fn(ranges->user, ranges, &range);
        pthread_mutex_lock(&ranges->lock);
        if (--ranges->busy == 0)
            pthread_cond_broadcast(&ranges->news);
    }
    pthread_mutex_unlock(&ranges->lock);
}

rd_status rd__ranges_run(rd__range first, unsigned threads, rd__ranges_fn fn, void *user, rd_error *err)
{
    rd__ranges ranges = {.fn = fn, .user = user, .room = 256};
    ranges.item = rd__malloc(ranges.room * sizeof *ranges.item);
    if (!ranges.item)
        return rd__fail_memory(err, "a list of ranges", ranges.room * sizeof *ranges.item);
    if (pthread_mutex_init(&ranges.lock, NULL) != 0) {
        rd__free(ranges.item);
        return rd__fail(err, RD_ENOMEM, "the system has no lock left");
    }
    if (pthread_cond_init(&ranges.news, NULL) != 0) {
        pthread_mutex_destroy(&ranges.lock);
        rd__free(ranges.item);
        return rd__fail(err, RD_ENOMEM, "the system has no condition variable left");
    }
    ranges.item[ranges.count++] = first;
    rd__parallel(threads, work, &ranges);
    pthread_cond_destroy(&ranges.news);
    pthread_mutex_destroy(&ranges.lock);
    rd__free(ranges.item);
    return RD_OK;
}
