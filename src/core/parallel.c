/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.c - fork-join over host threads. Threads are made for each call: a call does milliseconds of work at least,
 * a thread costs tens of microseconds, and a pool would be state to own. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "core/parallel.h"

#include "core/memory.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

unsigned rd__thread_count(unsigned requested)
{
    if (requested)
        return requested;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (unsigned)cores : 1;
}

struct share {
    void (*fn)(void *, unsigned, unsigned);
    void *arg;
    unsigned index, threads;
    pthread_t thread;
    int started;
};

static void *run_share(void *pointer)
{
    struct share *share = pointer;
    share->fn(share->arg, share->index, share->threads);
    return NULL;
}

void rd__parallel(unsigned threads, void (*fn)(void *, unsigned, unsigned), void *arg)
{
    struct share *share = threads > 1 ? rd__calloc(threads, sizeof *share) : NULL;
    if (!share) {
        for (unsigned i = 0; i < threads; i++)
            fn(arg, i, threads);
        return;
    }
    for (unsigned i = 1; i < threads; i++) {
        share[i] = (struct share){.fn = fn, .arg = arg, .index = i, .threads = threads};
        share[i].started = pthread_create(&share[i].thread, NULL, run_share, &share[i]) == 0;
    }
    fn(arg, 0, threads);
    for (unsigned i = 1; i < threads; i++) {
        if (share[i].started)
            pthread_join(share[i].thread, NULL);
        else
            fn(arg, i, threads);
    }
    rd__free(share);
}
