/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.c - the CPU device's threads.
 *
 * The caller appends commands to a list; rd__cpu_pool_run hands the list over and sleeps. The workers (one for each
 * group that runs at a time, pinned; with several lanes in a group team.c has the rest) walk the list together: each
 * does its share of a command, then meets the others at a barrier. So a batch of 64 BFS levels costs one wake-up of the
 * workers and one of the caller, and a level costs one barrier among threads that are already running.
 *
 * Waiting. At the barrier a thread spins for a while, because the others are usually a microsecond behind, then sleeps:
 * a straggler must not make the others burn their cores. Between batches workers spin equally briefly and then sleep.
 *
 * Orders. `arrived` is incremented with acq_rel: the last to arrive has acquired all that the others released. It then
 * advances `phase` with release, and waiters read `phase` with acquire; hence everything before the barrier in any
 * thread happens before everything after it in every thread. `phase` is also changed under the mutex when someone
 * sleeps, so no wake-up is lost: a sleeper re-reads it under the mutex before it waits. The hand-over of a batch
 * (`batch`) works the same way.
 *
 * Fewer threads. A caller that lends some of its processors has batches run by its first threads only. How many take
 * part stands in the lower half of `batch`, so a thread that comes late knows from one load which batch it sees and
 * whether it is wanted: whoever is not goes back to sleep, and nobody waits for it. One that takes part in a batch
 * cannot miss it, since the batch does not end without it.
 *
 * Served in the caller's place. Where somebody waits for the end of a list (device/turns.h), its last thread serves
 * that one, after it has said that the list is done, and lets the caller sleep: two that wake at a time would want the
 * same core. The other one rouses the caller when it has begun; before a worker falls asleep it does so in any case
 * (`unsaid`). Workers that look for the next list yield their cores meanwhile: a core that is idle takes longer to wake
 * for the other one than one that looks, and one that looks without yielding longer still.
 */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include "device/cpu/leave.h"
#include "device/cpu/pause.h"
#include "device/cpu/pool.h"
#include "device/cpu/team.h"
#include "device/turns.h"

#include "core/fork.h"
#include "core/log.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum { LIST = 256, SPINS = 4000, YIELDS = 64, STACK_BYTES = 8 << 20 };
enum { STOP_WORDS = 1024 };

struct worker {
    rd__cpu_pool *pool;
    pthread_t thread;
    uint32_t index;
};

/* Threads that sleep until a word changes. There are two words: a thread that waits for the next batch, which may take
 * part in none for long, is not woken at each barrier of the others. */
struct gate {
    pthread_cond_t wake;
    uint32_t sleepers;
};

struct rd__cpu_pool {
    uint32_t threads, teams, width, spins;
    struct worker *worker;
    rd__cpu_team **team; /* of groups of several lanes; else NULL */
    uint32_t started;
    uint32_t generation; /* of the process whose threads they are: see core/fork.h */

    rd__cpu_command list[LIST];
    uint32_t count;
    uint32_t active;   /* threads that take part; the caller's own */
    double launch_end; /* when the last launch was complete */
    rd_device *device; /* whose holder the caller is; NULL: it is beside that one */
    /* Ask kernels to leave early; relaxed on both sides, a hint. Launches look at the word that was `stops` when they
     * were given; a request sets it and moves on to the next. All are used before any is used again. */
    uint32_t stop[STOP_WORDS], stops;
    /* What ended a launch: the first that says why says where. Relaxed: the barrier orders both before the caller's
     * look. */
    uint32_t why;
    uintptr_t at;

    pthread_mutex_t mutex;
    pthread_cond_t wake_caller;
    struct gate next, met;       /* of `batch`, of `phase` */
    _Alignas(64) uint64_t batch; /* advances when there is a list to run (or to quit); below: by how many threads */
    uint32_t quit;               /* atomic: a thread that takes no part may look at any time */
    uint32_t finished;
    uint32_t unsaid;               /* that it is */
    uint32_t serves;               /* others want the cores of who is done. Atomic */
    uint32_t nudged;               /* a caller that waits for so long is to look up */
    uint32_t running;              /* the list was handed over; the caller's own */
    _Alignas(64) uint32_t arrived; /* at the barrier */
    _Alignas(64) uint64_t phase;   /* advances when all have arrived */
};

_Thread_local rd__cpu_lane *rd__cpu_self __attribute__((tls_model("initial-exec")));

/* ---- The workers ---- */

/* Under the mutex. */
static void say_finished(rd__cpu_pool *pool)
{
    if (pool->unsaid)
        pthread_cond_signal(&pool->wake_caller);
    pool->unsaid = 0;
}

/* Waits until *word differs from old. See "Waiting" and "Orders" above. @return what it is then. */
static uint64_t wait_for_change(rd__cpu_pool *pool, struct gate *gate, uint64_t *word, uint64_t old, uint32_t spins)
{
    uint64_t now = old;
    for (uint32_t i = 0; i < spins; i++) {
        now = __atomic_load_n(word, __ATOMIC_ACQUIRE); /* pairs with the release in change */
        if (now != old)
            return now;
        if (spins == YIELDS)
            (void)sched_yield();
        else
            rd__cpu_relax();
    }
    pthread_mutex_lock(&pool->mutex);
    say_finished(pool);
    gate->sleepers++;
    while ((now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == old) /* pairs with the release in change */
        pthread_cond_wait(&gate->wake, &pool->mutex);
    gate->sleepers--;
    pthread_mutex_unlock(&pool->mutex);
    return now;
}

/* done: the caller is woken, first: others wait for it, but nobody for workers that have nothing to do. */
static void change(rd__cpu_pool *pool, struct gate *gate, uint64_t *word, uint64_t next, int done)
{
    const uint32_t serves = done && pool->device && rd__device_is_asked(pool->device);
    if (done)
        __atomic_store_n(&pool->serves, serves, __ATOMIC_RELAXED); /* partner: the look in work */
    pthread_mutex_lock(&pool->mutex);
    if (done) {
        pool->finished = 1;
        pool->unsaid = 1;
    }
    if (!serves)
        say_finished(pool);
    __atomic_store_n(word, next, __ATOMIC_RELEASE); /* pairs with the acquires in wait_for_change */
    if (gate->sleepers)
        pthread_cond_broadcast(&gate->wake);
    pthread_mutex_unlock(&pool->mutex);
    if (serves && !rd__turn_serve(pool->device)) {
        pthread_mutex_lock(&pool->mutex);
        say_finished(pool);
        pthread_mutex_unlock(&pool->mutex);
    }
}

/* The next batch, for those threads that are active. */
static uint64_t next_batch(const rd__cpu_pool *pool)
{
    return ((pool->batch >> 32) + 1) << 32 | pool->active;
}

/* What the last to arrive has to tell: a launch is complete, the caller's list is done. */
typedef struct arrival {
    int launched, last;
} arrival;

static void meet(rd__cpu_pool *pool, uint32_t threads, arrival what)
{
    const uint64_t phase = __atomic_load_n(&pool->phase, __ATOMIC_RELAXED); /* cannot change before we arrive */
    /* acq_rel: pairs with itself in the other threads; the last one has seen what all did */
    if (__atomic_add_fetch(&pool->arrived, 1, __ATOMIC_ACQ_REL) == threads) {
        __atomic_store_n(&pool->arrived, 0,
                         __ATOMIC_RELAXED); /* read again only after phase advanced, which releases it */
        if (what.launched)
            pool->launch_end = rd_now();
        change(pool, &pool->met, &pool->phase, phase + 1, what.last);
    } else {
        (void)wait_for_change(pool, &pool->met, &pool->phase, phase, pool->spins);
    }
}

/* A group of a launch: one lane, or a team of which this thread is one or all. */
typedef struct group_run {
    rd__cpu_pool *pool;
    const rd__cpu_command *command;
    rd__cpu_lane *lane;
    uint32_t team, thread;
} group_run;

static void run_group(void *user)
{
    const group_run *run = user;
    if (run->pool->team) {
        rd__cpu_team_run(run->pool->team[run->team], run->thread, run->lane, run->command->entry, run->command->argv);
    } else {
        rd__cpu_self = run->lane;
        run->command->entry(run->lane, run->command->argv);
    }
}

/* Has a group left half-way, for what it did? Others may wait for it at a barrier. Pairs with the exchange in
 * run_own. */
static int is_over(const rd__cpu_pool *pool)
{
    return __atomic_load_n(&pool->why, __ATOMIC_RELAXED) != RD__CPU_RETURNED;
}

/* A group that begins when another has left does not: it looks after it can be made to leave, and the other makes all
 * leave after it has said so. */
static void run_group_of_own(void *user)
{
    const group_run *run = user;
    if (!is_over(run->pool))
        run_group(user);
}

/* Whoever leaves half-way leaves work that others wait for: they are asked to leave too, and made to when what it did
 * ends the run. */
static void run_own(group_run *run)
{
    rd__cpu_pool *pool = run->pool;
    const rd__cpu_command *command = run->command;
    uintptr_t at = 0;
    uint32_t none = RD__CPU_RETURNED;
    const rd__cpu_why why = rd__cpu_leave_call(run_group_of_own, run, &at);
    if (why == RD__CPU_RETURNED)
        return;
    const int ends = why != RD__CPU_FORCED; /* below: see the fields */
    if (ends && __atomic_compare_exchange_n(&pool->why, &none, why, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        __atomic_store_n(&pool->at, at, __ATOMIC_RELAXED);
    __atomic_store_n(&pool->stop[command->stop - pool->stop], 1, __ATOMIC_RELAXED); /* pairs with rd_stopped() */
    if (ends)
        rd__cpu_pool_force(pool);
}

static void run_launch(rd__cpu_pool *pool, const rd__cpu_command *command, uint32_t index, uint32_t threads)
{
    const uint32_t each = pool->threads / pool->teams, team = index / each;
    rd__cpu_lane lane = {
        .lanes = pool->width, .groups = command->groups, .stop = command->stop, .crowded = pool->spins == 0};
    for (uint32_t i = team; i < command->present; i += threads / each) {
        lane.group = (uint32_t)(((uint64_t)command->first + i) % command->groups);
        group_run run = {pool, command, &lane, team, index % each};
        if (command->own && each == 1) /* lanes that are threads would wait for the one that left */
            run_own(&run);
        else
            run_group(&run);
    }
    rd__cpu_self = NULL;
}

static void work(void *pointer)
{
    struct worker *me = pointer;
    rd__cpu_pool *pool = me->pool;
    uint32_t spins = pool->spins;
    for (uint64_t seen = 0;;) {
        seen = wait_for_change(pool, &pool->next, &pool->batch, seen, spins);
        if (__atomic_load_n(&pool->quit, __ATOMIC_RELAXED)) /* written before batch was advanced, which is acquired */
            return;
        const uint32_t threads = (uint32_t)seen;
        spins = 0; /* the processor of one that takes no part is someone else's */
        if (me->index >= threads)
            continue;
        /* A copy: after the last barrier the caller may already be filling the list for the next batch. */
        const uint32_t count = pool->count;
        for (uint32_t i = 0; i < count; i++) {
            const rd__cpu_command *command = &pool->list[i];
            switch (command->kind) {
            case RD__CPU_LAUNCH: run_launch(pool, command, me->index, threads); break;
            case RD__CPU_FILL: rd__cpu_fill(command, me->index, threads); break;
            case RD__CPU_TIME:
                if (me->index == 0)
                    *command->when = rd_now();
                break;
            }
            meet(pool, threads, (arrival){.launched = command->kind == RD__CPU_LAUNCH, .last = i + 1 == count});
        }
        /* partner: the store in change, or that of the next list's caller, when it is late; a hint */
        spins = pool->spins && __atomic_load_n(&pool->serves, __ATOMIC_RELAXED) ? YIELDS : pool->spins;
    }
}

static void *worker_main(void *pointer)
{
    rd__cpu_leave_with_stack(work, pointer);
    return NULL;
}

/* ---- The caller's side ---- */

rd__cpu_command *rd__cpu_pool_next(rd__cpu_pool *pool)
{
    if (pool->count == LIST || pool->running)
        rd__cpu_pool_finish(pool);
    return &pool->list[pool->count++];
}

int rd__cpu_pool_run(rd__cpu_pool *pool, double until)
{
    struct timespec by = {0};
    int timed_out = 0;
    if (pool->generation != rd__fork_generation())
        pool->count = 0; /* a child of fork(): nobody is here to run them, and nobody could wait */
    if (!pool->count)
        return 1;
    if (!pool->running) {
        pool->running = 1;
        pool->finished = 0;
        change(pool, &pool->next, &pool->batch, next_batch(pool), 0);
    }
    if (isfinite(until)) {
        by.tv_sec = (time_t)until;
        by.tv_nsec = (long)((until - (double)by.tv_sec) * 1e9);
    }
    pthread_mutex_lock(&pool->mutex);
    while (!pool->finished && !timed_out && !(pool->nudged && isfinite(until)))
        timed_out = isfinite(until) ? pthread_cond_timedwait(&pool->wake_caller, &pool->mutex, &by) == ETIMEDOUT
                                    : pthread_cond_wait(&pool->wake_caller, &pool->mutex) != 0;
    const int idle = (int)pool->finished;
    pool->nudged = isfinite(until) ? 0 : pool->nudged;
    pthread_mutex_unlock(&pool->mutex);
    if (idle)
        pool->running = pool->count = 0;
    return idle;
}

void rd__cpu_pool_finish(rd__cpu_pool *pool)
{
    (void)rd__cpu_pool_run(pool, INFINITY);
}

void rd__cpu_pool_use(rd__cpu_pool *pool, uint32_t teams)
{
    const uint32_t threads = teams * (pool->threads / pool->teams);
    if (threads == pool->active)
        return;
    rd__cpu_pool_finish(pool); /* a list is run by as many as it was made for */
    pool->active = threads;
}

void rd__cpu_pool_rouse(rd__cpu_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->nudged = 1;
    pthread_cond_signal(&pool->wake_caller);
    pthread_mutex_unlock(&pool->mutex);
}

const uint32_t *rd__cpu_pool_stop_word(const rd__cpu_pool *pool)
{
    return &pool->stop[pool->stops];
}

int rd__cpu_pool_stop(rd__cpu_pool *pool, int mine)
{
    const int last = pool->stops + 1 == STOP_WORDS;
    if (last && !mine)
        return 0;
    __atomic_store_n(&pool->stop[pool->stops], 1, __ATOMIC_RELAXED); /* pairs with rd_stopped(); a hint only */
    pool->stops++;
    if (!last)
        return 1;
    rd__cpu_pool_finish(pool); /* whoever looks at one of the words leaves before they are used again */
    memset(pool->stop, 0, sizeof pool->stop);
    pool->stops = 0;
    return 1;
}

void rd__cpu_pool_force(rd__cpu_pool *pool)
{
    for (uint32_t i = 0; i < pool->started && pool->threads == pool->teams; i++)
        rd__cpu_leave_force(pool->worker[i].thread);
}

rd__cpu_fault rd__cpu_pool_fault(rd__cpu_pool *pool)
{
    rd__cpu_fault fault; /* see the fields */
    fault.at = __atomic_load_n(&pool->at, __ATOMIC_RELAXED);
    fault.why = (rd__cpu_why)__atomic_exchange_n(&pool->why, RD__CPU_RETURNED, __ATOMIC_RELAXED);
    return fault;
}

double rd__cpu_pool_launch_end(const rd__cpu_pool *pool)
{
    return pool->launch_end;
}

static rd_status start_workers(rd__cpu_pool *pool, const uint32_t *pin, rd_error *err)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return rd__fail_memory(err, "thread attributes", sizeof attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES); /* kernels keep group memory on the stack */
    for (uint32_t i = 0; i < pool->threads; i++) {
        struct worker *worker = &pool->worker[i];
        worker->pool = pool;
        worker->index = i;
        int error = pthread_create(&worker->thread, &attributes, worker_main, worker);
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
        status = pool->worker ? start_workers(pool, pin, err)
                              : rd__fail_memory(err, "the CPU's threads", pool->threads * sizeof *pool->worker);
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
    change(pool, &pool->next, &pool->batch, next_batch(pool), 0);
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
    rd__array_free(pool);
}
