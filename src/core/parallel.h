/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.h - fork-join over host threads, for building graphs and other host work. (Devices have their own threads.)
 */
#ifndef RD_CORE_PARALLEL_H
#define RD_CORE_PARALLEL_H

#include "core/error.h"

enum { RD__MAX_THREADS = 4096 }; /* anyone may ask for: each is memory, and far more than there are cores only wait */

/* @return the number of threads to use: requested, or for 0 the number of cores this process may run on. At least 1. */
unsigned rd__thread_count(unsigned requested);

/* Runs fn(arg, i, threads) for i = 0 .. threads-1, each in its own thread (i = 0 in the caller), and waits for all.
 * When the system refuses a thread, the caller runs that share itself: the work is always done, exactly once. So fn
 * must not wait for another share. */
void rd__parallel(unsigned threads, void (*fn)(void *arg, unsigned index, unsigned threads), void *arg);

/* Share i of n items in `threads` even parts: [*from, *to). */
static inline void rd__share(uint64_t n, unsigned index, unsigned threads, uint64_t *from, uint64_t *to)
{
    uint64_t part = n / threads, rest = n % threads;
    *from = part * index + (index < rest ? index : rest);
    *to = *from + part + (index < rest);
}

#endif
