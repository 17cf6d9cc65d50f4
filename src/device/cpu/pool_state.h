/* SPDX-License-Identifier: Apache-2.0 */
/* pool_state.h - what pool.c and pool_new.c know of a pool. */
#ifndef RD_DEVICE_CPU_POOL_STATE_H
#define RD_DEVICE_CPU_POOL_STATE_H

#include "device/cpu/pool.h"
#include "device/cpu/team.h"

#include <pthread.h>

enum { RD__CPU_LIST = 256, RD__CPU_STOP_WORDS = 1024, RD__CPU_KEPT = 256 << 10 };

struct rd__cpu_worker {
    rd__cpu_pool *pool;
    pthread_t thread;
    uint32_t index;
    uint32_t processor; /* that it is pinned to */
};

/* Threads that sleep until a word changes. There are two words: a thread that waits for the next batch, which may take
 * part in none for long, is not woken at each barrier of the others. */
struct rd__cpu_gate {
    pthread_cond_t wake;
    uint32_t sleepers;
};

struct rd__cpu_pool {
    uint32_t threads, teams, width, spins;
    struct rd__cpu_worker *worker;
    rd__cpu_team **team; /* of groups of several lanes; else NULL */
    uint32_t started;
    uint32_t generation; /* of the process whose threads they are: see core/fork.h */

    rd__cpu_command list[RD__CPU_LIST];
    uint32_t count;
    unsigned char *kept; /* RD__CPU_KEPT bytes for what its writes are to write */
    uint64_t kept_bytes; /* of these, in use */
    uint32_t active;   /* threads that take part; the caller's own */
    double launch_end; /* when the last launch was complete */
    rd_device *device; /* whose holder the caller is; NULL: it is beside that one */
    /* Ask kernels to leave early; relaxed on both sides, a hint. Launches look at the word that was `stops` when they
     * were given; a request sets it and moves on to the next. All are used before any is used again. */
    uint32_t stop[RD__CPU_STOP_WORDS], stops;
    /* What ended a launch: the first that says why says where. Relaxed: the barrier orders both before the caller's
     * look. */
    uint32_t why;
    uintptr_t at;

    pthread_mutex_t mutex;
    pthread_cond_t wake_caller;
    struct rd__cpu_gate next, met; /* of `batch`, of `phase` */
    _Alignas(64) uint64_t batch;   /* advances when there is a list to run (or to quit); below: by how many threads */
    uint32_t quit;                 /* atomic: a thread that takes no part may look at any time */
    uint32_t finished;
    uint32_t unsaid;  /* that it is */
    uint32_t server;  /* others want the cores of who is done; 1 + the thread that best serves them. Atomic */
    uint32_t request; /* which it serves; atomic */
    uint32_t nudged;  /* a caller that waits for so long is to look up */
    uint32_t running; /* the list was handed over; the caller's own */
    _Alignas(64) uint32_t arrived; /* at the barrier */
    _Alignas(64) uint64_t phase;   /* advances when all have arrived */
};

/* Under no lock: *word is `next` from now on, and who sleeps for it awake. */
void rd__cpu_pool_change(rd__cpu_pool *pool, struct rd__cpu_gate *gate, uint64_t *word, uint64_t next);
/* The next batch, for those threads that are active. */
uint64_t rd__cpu_pool_batch(const rd__cpu_pool *pool);
/* What a worker does until the pool ends; pointer: it. */
void *rd__cpu_pool_worker(void *pointer);

#endif
