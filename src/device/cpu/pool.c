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
 * Served in the caller's place. Where somebody waits for the end of a list (device/turns.h), one of its threads serves
 * that one when the list is done, and lets the caller sleep: two that wake at a time would want the same core. It is
 * the thread on whose processor the other one waits, if it comes, else another one. The other one rouses the caller
 * when it has begun; before a worker falls asleep it does so in any case (`unsaid`). Workers that look for the next
 * list yield their cores meanwhile, for the other one may be looking for its turn on one of them: a core that is idle
 * takes longer to wake for it than one that looks, and one that looks without yielding longer still.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/cpu/leave.h"
#include "device/cpu/pause.h"
#include "device/cpu/pool_state.h"
#include "device/turns.h"

#include "core/fork.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum { YIELDS = 64, PATIENCE = 200 }; /* turns; the latter are 3 us */

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
static uint64_t wait_for_change(rd__cpu_pool *pool, struct rd__cpu_gate *gate, uint64_t *word, uint64_t old,
                                uint32_t spins)
{
    uint64_t now = old;
    for (uint32_t i = 0; i < spins; i++) {
        now = __atomic_load_n(word, __ATOMIC_ACQUIRE); /* pairs with the release in open_gate */
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
    while ((now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == old) /* pairs with the release in open_gate */
        pthread_cond_wait(&gate->wake, &pool->mutex);
    gate->sleepers--;
    pthread_mutex_unlock(&pool->mutex);
    return now;
}

/* Under the mutex. */
static void open_gate(struct rd__cpu_gate *gate, uint64_t *word, uint64_t next)
{
    __atomic_store_n(word, next, __ATOMIC_RELEASE); /* pairs with the acquires in wait_for_change */
    if (gate->sleepers)
        pthread_cond_broadcast(&gate->wake);
}

void rd__cpu_pool_change(rd__cpu_pool *pool, struct rd__cpu_gate *gate, uint64_t *word, uint64_t next)
{
    pthread_mutex_lock(&pool->mutex);
    open_gate(gate, word, next);
    pthread_mutex_unlock(&pool->mutex);
}

/* Under the mutex: of so many threads that have run a list the one that serves who asked from that processor. Not one
 * that may have to be woken for it. */
static uint32_t server_of(const rd__cpu_pool *pool, uint32_t threads, uint32_t processor, uint32_t last)
{
    for (uint32_t i = 0; i < threads && pool->spins && !pool->met.sleepers; i++)
        if (pool->worker[i].processor == processor)
            return i;
    return last;
}

/* By the last thread of a list. The caller is woken, first: others wait for it, but nobody for workers that have
 * nothing to do. */
static void end_list(rd__cpu_pool *pool, uint64_t next, uint32_t threads, uint32_t last)
{
    uint32_t processor = 0;
    const uint32_t request = pool->device ? rd__device_is_asked(pool->device, &processor) : 0;
    pthread_mutex_lock(&pool->mutex);
    pool->finished = 1;
    pool->unsaid = 1;
    /* partners of both: end_work, behind the change of phase; or by a thread that is late, of a list before this one:
     * then what it takes is the request of this one, which has come to its end too */
    __atomic_store_n(&pool->request, request, __ATOMIC_RELAXED);
    __atomic_store_n(&pool->server, request ? 1 + server_of(pool, threads, processor, last) : 0, __ATOMIC_RELAXED);
    if (!request)
        say_finished(pool);
    open_gate(&pool->met, &pool->phase, next);
    pthread_mutex_unlock(&pool->mutex);
}

/* By each thread that has run a list. If the one that is to serve has lost its processor, another one does. @return how
 * long it looks for the next list before it sleeps. */
static uint32_t end_work(rd__cpu_pool *pool, uint32_t index)
{
    const uint32_t server = __atomic_load_n(&pool->server, __ATOMIC_RELAXED); /* partner of all: end_list, above */
    for (uint32_t i = 0; server && server != index + 1 && i < PATIENCE; i++) {
        if (!__atomic_load_n(&pool->request, __ATOMIC_RELAXED))
            break;
        rd__cpu_relax();
    }
    const uint32_t request = server ? __atomic_exchange_n(&pool->request, 0, __ATOMIC_RELAXED) : 0;
    if (request && !rd__turn_serve(pool->device, request)) {
        pthread_mutex_lock(&pool->mutex);
        say_finished(pool);
        pthread_mutex_unlock(&pool->mutex);
    }
    return pool->spins && server ? YIELDS : pool->spins;
}

uint64_t rd__cpu_pool_batch(const rd__cpu_pool *pool)
{
    return ((pool->batch >> 32) + 1) << 32 | pool->active;
}

/* What the last to arrive has to tell: a launch is complete, the caller's list is done. */
typedef struct arrival {
    int launched, last;
} arrival;

static void meet(rd__cpu_pool *pool, uint32_t threads, uint32_t index, arrival what)
{
    const uint64_t phase = __atomic_load_n(&pool->phase, __ATOMIC_RELAXED); /* cannot change before we arrive */
    /* acq_rel: pairs with itself in the other threads; the last one has seen what all did */
    if (__atomic_add_fetch(&pool->arrived, 1, __ATOMIC_ACQ_REL) == threads) {
        __atomic_store_n(&pool->arrived, 0,
                         __ATOMIC_RELAXED); /* read again only after phase advanced, which releases it */
        if (what.launched)
            pool->launch_end = rd_now();
        if (what.last)
            end_list(pool, phase + 1, threads, index);
        else
            rd__cpu_pool_change(pool, &pool->met, &pool->phase, phase + 1);
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
    struct rd__cpu_worker *me = pointer;
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
            case RD__CPU_WRITE:
                if (me->index == 0)
                    memcpy(command->to, command->data, command->bytes);
                break;
            case RD__CPU_TIME:
                if (me->index == 0)
                    *command->when = rd_now();
                break;
            }
            meet(pool, threads, me->index,
                 (arrival){.launched = command->kind == RD__CPU_LAUNCH, .last = i + 1 == count});
        }
        spins = end_work(pool, me->index);
    }
}

void *rd__cpu_pool_worker(void *pointer)
{
    rd__cpu_leave_with_stack(work, pointer);
    return NULL;
}

/* ---- The caller's side ---- */

rd__cpu_command *rd__cpu_pool_next(rd__cpu_pool *pool)
{
    if (pool->count == RD__CPU_LIST || pool->running)
        rd__cpu_pool_finish(pool);
    return &pool->list[pool->count++];
}

/* A copy of some bytes that lasts as long as the list. @return NULL: there is no room for it. */
static void *keep(rd__cpu_pool *pool, const void *data, uint64_t bytes)
{
    if (bytes > RD__CPU_KEPT - pool->kept_bytes)
        return NULL;
    void *copy = memcpy(pool->kept + pool->kept_bytes, data, bytes);
    pool->kept_bytes += bytes;
    return copy;
}

/* To hand a list over and to wait for it wakes all threads and then the caller, a tenth of a millisecond where they are
 * sixteen. A run that fills, writes a word and launches should do so once. */
void rd__cpu_pool_write(rd__cpu_pool *pool, void *to, const void *data, uint64_t bytes)
{
    const int begun = pool->running || pool->count == RD__CPU_LIST;
    const void *copy = begun || !pool->count ? NULL : keep(pool, data, bytes);
    if (!copy) {
        rd__cpu_pool_finish(pool);
        memcpy(to, data, bytes);
        return;
    }
    rd__cpu_command *command = rd__cpu_pool_next(pool);
    command->kind = RD__CPU_WRITE;
    command->to = to;
    command->data = copy;
    command->bytes = bytes;
}

static void empty_list(rd__cpu_pool *pool)
{
    pool->running = pool->count = 0;
    pool->kept_bytes = 0;
}

int rd__cpu_pool_run(rd__cpu_pool *pool, double until)
{
    struct timespec by = {0};
    int timed_out = 0;
    if (pool->generation != rd__fork_generation())
        empty_list(pool); /* a child of fork(): nobody is here to run them, and nobody could wait */
    if (!pool->count)
        return 1;
    if (!pool->running) {
        pool->running = 1;
        pool->finished = 0;
        rd__cpu_pool_change(pool, &pool->next, &pool->batch, rd__cpu_pool_batch(pool));
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
        empty_list(pool);
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
    const int last = pool->stops + 1 == RD__CPU_STOP_WORDS;
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
