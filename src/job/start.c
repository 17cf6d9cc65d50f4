/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start.c - jobs that run in a thread of their own and share their device with others (device/turns.h).
 *
 * The thread waits for a turn at the device, runs the job as rd_job_run does, and fetches the result before it gives
 * the device back: so whoever looks at the result later has no need of the device, on which others run by then.
 *
 * `running` is set by rd_job_start and taken back by the thread, so the job is not to be touched in between. All else
 * that both sides see is atomic, or lies behind `state`, which the thread stores last, with release under the mutex.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_condattr_setclock */
#include "job/job.h"

#include "apps/common/arrays.h"
#include "core/memory.h"
#include "core/signals.h"
#include "raddle/tool.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PAUSE_NONE, PAUSE_ASKED, PAUSE_DONE, PAUSE_FAILED };

struct rd__started {
    rd_job *job;
    pthread_t thread;
    rd__turn turn;
    rd_progress_fn progress; /* the program's */
    void *progress_user;
    double began, ended;
    uint32_t cancel;      /* atomic: a hint, relaxed */
    uint32_t state;       /* rd_job_state; atomic */
    uint64_t done, total; /* atomic: for who looks; relaxed */
    uint32_t pausing;     /* atomic: PAUSE_... */
    rd__pause pause;
    const char *pause_path; /* of who asked, who waits */
    rd_error pause_error;
    rd_status status;
    rd_report report;
    rd_error error;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* ---- The thread ---- */

static int is_cancelled(void *user)
{
    const struct rd__started *started = user;
    return __atomic_load_n(&started->cancel, __ATOMIC_RELAXED) != 0; /* partner: rd_job_cancel; a hint */
}

/* Stands before the program's own callback. */
static int watch(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    struct rd__started *started = user;
    if (done || total) { /* else it is not known, while kernels run: what was known last is told */
        __atomic_store_n(&started->done, done, __ATOMIC_RELAXED); /* partner of both: rd_job_poll */
        __atomic_store_n(&started->total, total, __ATOMIC_RELAXED);
    }
    if (is_cancelled(started))
        return 1;
    return started->progress ? started->progress(started->progress_user, what, done, total, unit) : 0;
}

/* ---- Pausing to a file ---- */

static int wants_pause(void *user)
{
    const struct rd__started *started = user;
    /* acquire: pairs with the release in rd_job_pause, which wrote the path before */
    return __atomic_load_n(&started->pausing, __ATOMIC_ACQUIRE) == PAUSE_ASKED;
}

/* Whoever asked is told how it went. */
static void tell_pause(struct rd__started *started, uint32_t how)
{
    pthread_mutex_lock(&started->mutex);
    __atomic_store_n(&started->pausing, how, __ATOMIC_RELEASE); /* pairs with the acquire in rd_job_pause */
    pthread_cond_broadcast(&started->changed);
    pthread_mutex_unlock(&started->mutex);
}

static rd_status write_pause(void *user, rd_error *err)
{
    struct rd__started *started = user;
    char path[300];
    snprintf(path, sizeof path, "%s", started->pause_path);
    const rd_status status = rd__job_freeze(started->job, started->pause_path, &started->pause_error);
    tell_pause(started, status == RD_OK ? PAUSE_DONE : PAUSE_FAILED);
    if (status != RD_OK)
        return RD_OK; /* nothing is lost: it goes on */
    return rd__fail(err, RD_ECANCELLED, "%s was paused; %s has what it takes to go on", started->job->app->info.name,
                    path);
}

/* With the device. */
static rd_status run_in_turn(struct rd__started *started)
{
    rd_job *job = started->job;
    if (!job->shares) { /* what was made for a run that need not make way may not be able to */
        job->shares = 1;
        rd__job_drop_sched(job);
    }
    job->turn = &started->turn;
    job->pause = &started->pause;
    job->progress = watch;
    job->progress_user = started;
    rd_status status = rd__device_is_open(job->device, &started->error);
    if (status == RD_OK)
        status = rd__job_run_alone(job, &started->report, &started->error);
    if (job->has_run && rd__app_fetch(job, status == RD_OK ? &started->error : NULL) != RD_OK) {
        status = status == RD_OK ? started->error.status : status;
        job->has_run = 0;
    }
    job->turn = NULL;
    job->pause = NULL;
    rd__free(job->frozen);
    job->frozen = NULL;
    job->progress = started->progress;
    job->progress_user = started->progress_user;
    return status;
}

static void *run_started(void *pointer)
{
    struct rd__started *started = pointer;
    rd_job *job = started->job;
    pthread_mutex_lock(&started->mutex); /* rd_job_start has written `thread` */
    pthread_mutex_unlock(&started->mutex);
    started->status = rd__turn_take(&started->turn, &started->error);
    if (started->status == RD_OK) {
        __atomic_store_n(&started->state, RD_JOB_RUNNING, __ATOMIC_RELAXED); /* partner: rd_job_poll, who only tells */
        started->status = run_in_turn(started);
        rd__turn_give(&started->turn);
    }
    started->ended = rd_now();
    if (wants_pause(started)) {
        (void)rd__fail(&started->pause_error, RD_EARG, "%s was done before it could be paused", job->app->info.name);
        tell_pause(started, PAUSE_FAILED);
    }
    pthread_mutex_lock(&started->mutex);
    __atomic_store_n(&job->running, 0, __ATOMIC_RELEASE);             /* pairs with the acquire in rd__job_ask */
    __atomic_store_n(&started->state, RD_JOB_DONE, __ATOMIC_RELEASE); /* pairs with the acquires in wait_until, poll */
    pthread_cond_broadcast(&started->changed);
    pthread_mutex_unlock(&started->mutex);
    return NULL;
}

/* ---- The program's side ---- */

static void free_started(struct rd__started *started)
{
    pthread_cond_destroy(&started->changed);
    pthread_mutex_destroy(&started->mutex);
    rd__free(started);
}

static struct rd__started *new_started(rd_job *job, const rd_start *start)
{
    struct rd__started *started = rd__calloc(1, sizeof *started);
    pthread_condattr_t monotonic;
    if (!started)
        return NULL;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC); /* rd_now()'s */
    pthread_mutex_init(&started->mutex, NULL);
    pthread_cond_init(&started->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    started->job = job;
    started->began = rd_now();
    started->state = RD_JOB_WAITING;
    started->progress = job->progress;
    started->progress_user = job->progress_user;
    started->pause = (rd__pause){wants_pause, write_pause, started};
    const uint32_t most = job->device->caps.lends ? job->device->info.compute_units - 1 : 0;
    started->turn = (rd__turn){.device = job->device,
                               .priority = start->priority,
                               .workers = start->workers < most ? start->workers : most,
                               .deadline = start->deadline > 0 ? started->began + start->deadline : 0,
                               .cancelled = is_cancelled,
                               .user = started};
    /* What is made on a device of its own memory (allocations, programs) may wait for all kernels that run there. */
    started->turn.held = !job->device->caps.shares_host && !rd__job_is_prepared(job, &started->turn);
    return started;
}

/* Of a run that is done, or never began: its thread has ended or is about to. */
static void forget(rd_job *job)
{
    struct rd__started *started = job->started;
    if (!started)
        return;
    (void)pthread_join(started->thread, NULL);
    job->started = NULL;
    free_started(started);
}

rd_status rd_job_start(rd_job *job, const rd_start *start, rd_error *err)
{
    static const rd_start usual = {.size = sizeof usual};
    RD_TRY(rd__job_ask(job, "rd_job_start", err));
    start = start ? start : &usual;
    if (start->size != sizeof *start)
        return rd__fail(err, RD_EARG, "rd_start.size is %zu, this library's is %zu: set it to sizeof the struct",
                        start->size, sizeof *start);
    if (!isfinite(start->deadline) || start->deadline < 0)
        return rd__fail(err, RD_EARG, "rd_start.deadline is a number of seconds from now, or 0");
    if (!job->device)
        return rd__fail(err, RD_EARG, "this job was made without a device: it can only be planned");
    if (job->ranks)
        return rd__fail(err, RD_EARG, "a job of several ranks has its device to itself: use rd_job_run");
    RD_TRY(rd__device_is_open(job->device, err));
    RD_TRY(rd__device_is_here(job->device, err));
    forget(job); /* an earlier run that nobody waited for */
    struct rd__started *started = new_started(job, start);
    if (!started)
        return rd__fail_memory(err, "a run that is started", sizeof *started);
    __atomic_store_n(&job->running, 1, __ATOMIC_RELAXED); /* the thread begins after it */
    job->started = started;
    pthread_mutex_lock(&started->mutex);
    rd__signals held;
    rd__signals_hold(&held); /* those that end a program are for threads of the program */
    const int error = pthread_create(&started->thread, NULL, run_started, started);
    rd__signals_release(&held);
    pthread_mutex_unlock(&started->mutex);
    if (!error)
        return RD_OK;
    job->started = NULL;
    __atomic_store_n(&job->running, 0, __ATOMIC_RELAXED); /* there is no other thread */
    free_started(started);
    return rd__fail(err, RD_EDEVICE, "%s: the system refused a thread for the job (%s)", job->app->info.name,
                    strerror(error));
}

/* Waits until the run is done or rd_now() is `until`. */
static int wait_until(struct rd__started *started, double until)
{
    struct timespec by = {0};
    int waits = 1;
    if (isfinite(until)) {
        by.tv_sec = (time_t)until;
        by.tv_nsec = (long)((until - (double)by.tv_sec) * 1e9);
    }
    pthread_mutex_lock(&started->mutex);
    while (waits && __atomic_load_n(&started->state, __ATOMIC_ACQUIRE) != RD_JOB_DONE) /* pairs with run_started */
        waits = (isfinite(until) ? pthread_cond_timedwait(&started->changed, &started->mutex, &by)
                                 : pthread_cond_wait(&started->changed, &started->mutex)) == 0;
    pthread_mutex_unlock(&started->mutex);
    return waits;
}

rd_status rd_job_poll(rd_job *job, double seconds, rd_job_now *now, rd_error *err)
{
    if (!job || !now)
        return rd__fail(err, RD_EARG, "rd_job_poll needs a job and a place for what it tells");
    *now = (rd_job_now){.state = RD_JOB_IDLE};
    struct rd__started *started = job->started;
    if (!started)
        return RD_OK;
    if (seconds > 0)
        (void)wait_until(started, seconds < 1e9 ? rd_now() + seconds : INFINITY);
    now->state = (rd_job_state)__atomic_load_n(&started->state, __ATOMIC_ACQUIRE); /* pairs with run_started */
    now->seconds = (now->state == RD_JOB_DONE ? started->ended : rd_now()) - started->began;
    now->done = __atomic_load_n(&started->done, __ATOMIC_RELAXED); /* partner of both: watch */
    now->total = __atomic_load_n(&started->total, __ATOMIC_RELAXED);
    const uint32_t has = __atomic_load_n(&started->turn.has, __ATOMIC_RELAXED); /* partner: rd__turn_tell_workers */
    now->workers = now->state == RD_JOB_RUNNING ? has : 0;
    if (now->state == RD_JOB_RUNNING && !has)
        now->state = RD_JOB_WAITING;
    return RD_OK;
}

rd_status rd_job_wait(rd_job *job, rd_report *report, rd_error *err)
{
    if (!job || !job->started)
        return rd__fail(err, RD_EARG, "rd_job_wait needs a job that rd_job_start has started");
    struct rd__started *started = job->started;
    if (pthread_equal(started->thread, pthread_self()))
        return rd__fail(err, RD_EARG, "rd_job_wait in a callback of the job that it waits for would wait for ever");
    (void)wait_until(started, INFINITY);
    const rd_status status = started->status;
    if (report)
        *report = started->report;
    if (err && (status != RD_OK || started->error.text[0]))
        *err = started->error;
    forget(job);
    return status;
}

rd_status rd_job_pause(rd_job *job, const char *path, rd_error *err)
{
    struct rd__started *started = job ? job->started : NULL;
    if (!started || !path)
        return rd__fail(err, RD_EARG, "rd_job_pause needs a job that rd_job_start has started, and the name of a file");
    if (pthread_equal(started->thread, pthread_self()))
        return rd__fail(err, RD_EARG, "rd_job_pause in a callback of the job would wait for ever");
    pthread_mutex_lock(&started->mutex);
    uint32_t how = PAUSE_FAILED;
    /* acquire of both: pairs with run_started and tell_pause */
    if (__atomic_load_n(&started->state, __ATOMIC_ACQUIRE) == RD_JOB_DONE) {
        (void)rd__fail(&started->pause_error, RD_EARG, "%s is done already", job->app->info.name);
    } else {
        started->pause_path = path;
        __atomic_store_n(&started->pausing, PAUSE_ASKED, __ATOMIC_RELEASE); /* pairs with wants_pause */
        pthread_mutex_unlock(&started->mutex);
        rd__turn_rouse(job->device);
        pthread_mutex_lock(&started->mutex);
        while ((how = __atomic_load_n(&started->pausing, __ATOMIC_ACQUIRE)) == PAUSE_ASKED)
            pthread_cond_wait(&started->changed, &started->mutex);
    }
    if (how != PAUSE_DONE && err)
        *err = started->pause_error;
    const rd_status status = how == PAUSE_DONE ? RD_OK : started->pause_error.status;
    pthread_mutex_unlock(&started->mutex);
    return status;
}

rd_status rd_job_resume(rd_job *job, const char *path, const rd_start *start, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_resume", err));
    char *copy = path ? rd__strdup(path) : NULL;
    if (!copy)
        return path ? rd__fail_memory(err, "the name of a file", strlen(path) + 1)
                    : rd__fail(err, RD_EARG, "rd_job_resume needs the file that rd_job_pause wrote");
    rd__free(job->frozen);
    job->frozen = copy;
    const rd_status status = rd_job_start(job, start, err);
    if (status != RD_OK) {
        rd__free(job->frozen);
        job->frozen = NULL;
    }
    return status;
}

rd_status rd_job_cancel(rd_job *job, rd_error *err)
{
    if (!job || !job->started)
        return rd__fail(err, RD_EARG, "rd_job_cancel needs a job that rd_job_start has started");
    __atomic_store_n(&job->started->cancel, 1, __ATOMIC_RELAXED); /* partner: is_cancelled; rousing orders it */
    rd__turn_rouse(job->device);
    return RD_OK;
}

void rd__job_end_started(rd_job *job)
{
    if (!job || !job->started || pthread_equal(job->started->thread, pthread_self()))
        return;
    (void)rd_job_cancel(job, NULL);
    (void)rd_job_wait(job, NULL, NULL);
}
