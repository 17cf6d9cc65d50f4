/* SPDX-License-Identifier: Apache-2.0 */
/* pool_new.c - the CPU device's threads: how they begin and end. pool.c says what they do. */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include "device/cpu/pool_state.h"

#include "core/fork.h"
#include "core/log.h"
#include "core/memory.h"

#include <string.h>
#include <time.h>

enum { SPINS = 4000, STACK_BYTES = 8 << 20 };

static rd_status start_workers(rd__cpu_pool *pool, const uint32_t *pin, rd_error *err)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return rd__fail_memory(err, "thread attributes", sizeof attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES); /* kernels keep group memory on the stack */
    for (uint32_t i = 0; i < pool->threads; i++) {
        struct rd__cpu_worker *worker = &pool->worker[i];
        worker->pool = pool;
        worker->index = i;
        worker->processor = pin ? pin[i] : 0;
        int error = pthread_create(&worker->thread, &attributes, rd__cpu_pool_worker, worker);
        if (error) {
            pthread_attr_destroy(&attributes);
            return rd__fail(err, RD_EDEVICE,
                            "cpu: the system refused thread %u of %u (%s); ask for fewer with --threads", i + 1,
                            pool->threads, strerror(error));
        }
        pool->started++;
        if (pin) {
            cpu_set_t set;
            CPU_ZERO(&set);
            CPU_SET(pin[i], &set);
            error = pthread_setaffinity_np(worker->thread, sizeof set, &set);
            if (error)
                rd__log(RD_LOG_WARN, "cpu: thread %u could not be pinned to processor %u (%s)", i, pin[i],
                        strerror(error));
        }
    }
    pthread_attr_destroy(&attributes);
    return RD_OK;
}

static rd_status make_teams(rd__cpu_pool *pool, rd_error *err)
{
    if (pool->width == 1)
        return RD_OK;
    pool->team = rd__calloc(pool->teams, sizeof *pool->team);
    if (!pool->team)
        return rd__fail_memory(err, "groups of lanes", pool->teams * sizeof *pool->team);
    for (uint32_t i = 0; i < pool->teams; i++)
        RD_TRY(rd__cpu_team_new(pool->width, &pool->team[i], err));
    return RD_OK;
}

rd_status rd__cpu_pool_new(uint32_t teams, uint32_t width, const uint32_t *pin, rd_device *device, rd__cpu_pool **out,
                           rd_error *err)
{
    rd__cpu_pool *pool = NULL;
    *out = NULL;
    RD_TRY(rd__array_new(&pool, "the CPU's thread pool", 1, sizeof *pool, err));
    *pool = (rd__cpu_pool){.teams = teams, .width = width, .device = device};
    pool->threads = pool->active = teams * rd__cpu_team_threads(width);
    pool->generation = rd__fork_generation();
    pool->spins = pin ? SPINS : 0; /* more threads than processors: a spinning one only keeps another from running */
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC); /* deadlines are rd_now()'s */
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->next.wake, &monotonic);
    pthread_cond_init(&pool->met.wake, &monotonic);
    pthread_cond_init(&pool->wake_caller, &monotonic);
    pthread_condattr_destroy(&monotonic);

    rd_status status = make_teams(pool, err);
    if (status == RD_OK) {
        pool->worker = rd__calloc(pool->threads, sizeof *pool->worker);
        pool->kept = rd__malloc(RD__CPU_KEPT);
        status = pool->worker && pool->kept
                     ? start_workers(pool, pin, err)
                     : rd__fail_memory(err, "the CPU's threads", pool->threads * sizeof *pool->worker + RD__CPU_KEPT);
    }
    if (status != RD_OK) {
        rd__cpu_pool_free(pool);
        return status;
    }
    *out = pool;
    return RD_OK;
}

/* Not in a child of fork(): the threads are not there to be joined, and what they slept on there looks as if they still
 * did. */
static void end_workers(rd__cpu_pool *pool)
{
    __atomic_store_n(&pool->quit, 1, __ATOMIC_RELAXED); /* released by the change of batch */
    rd__cpu_pool_change(pool, &pool->next, &pool->batch, rd__cpu_pool_batch(pool));
    for (uint32_t i = 0; i < pool->started; i++)
        pthread_join(pool->worker[i].thread, NULL);
    pthread_cond_destroy(&pool->wake_caller);
    pthread_cond_destroy(&pool->next.wake);
    pthread_cond_destroy(&pool->met.wake);
    pthread_mutex_destroy(&pool->mutex);
}

void rd__cpu_pool_free(rd__cpu_pool *pool)
{
    if (!pool)
        return;
    if (pool->generation == rd__fork_generation())
        end_workers(pool);
    for (uint32_t i = 0; pool->team && i < pool->teams; i++)
        rd__cpu_team_free(pool->team[i]);
    rd__free(pool->team);
    rd__free(pool->worker);
    rd__free(pool->kept);
    rd__array_free(pool);
}
