/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.c - waiting for kernels within limits. A kernel that has to leave early is asked through its launch's word,
 * which it reads with rd_stopped() wherever it polls; it leaves its data whole, so a run may say how far it came.
 *
 * The request is never taken back, because it could not be: a kernel that is slow to look would miss it and go on for
 * ever, or, were the word left set instead, every later launch would leave at once with its work undone. So a request
 * belongs to the launches it was made for (device.h), and whoever comes after them neither knows nor has to wait.
 *
 * The way. Who comes and goes before the holder of a device (turns.c) asks the holder's launches itself, on every kind
 * of device: the holder sleeps, and to be woken takes it longer than to write a word. `way` says who may touch what a
 * request is made of (which word is the launches' own, and that the next ones get another). It is the holder's, but
 * while it is OPEN, which it is only while the holder waits for launches that may be asked: so none is given meanwhile,
 * and a request is for those that are under way, never for a later one. Who comes takes it by an exchange of OPEN for
 * BUSY (acquire: what the holder did before it opened), makes the request, and leaves ASKED (release). The holder takes
 * it back before it does anything else: from OPEN nobody has asked, from BUSY it waits for ASKED (acquire: what was
 * done in its place), which is one call of a driver away. So of two who come one asks, and a request that is late finds
 * SHUT, or the holder's next wait, for launches that have to leave as well as long as the other one is not served: the
 * mutex of turns.c, under which it is made, keeps the holder from passing the device on meanwhile. A holder that looks
 * at its kernels again and again is woken then, to look without sleep: it is awake when they have left. One that the
 * last thread of a launch wakes (a CPU's, which needs the core) is let sleep. A thread of the launch may take the way
 * from ASKED to BUSY and back, too, when the launches have left: what it does between is done before the holder goes on
 * (turns.c). Requests are numbered: one that comes late, when the holder has gone on by itself and its next launches
 * were asked, finds another number, and leaves the way as it is.
 *
 * Calls. Where launches listen themselves (`hears`), who comes only calls them (`called`), which takes no driver. A
 * lane may be slow to hear it, or none does; so the holder, which learns of it as of a request, makes the request
 * itself if they have not left after patience_seconds. One or the other ends the call: then the next launches have
 * another word.
 */
#define _GNU_SOURCE /* sched_getcpu */
#include "device/chores.h"
#include "device/turns.h"

#include "raddle/tool.h"

#include <math.h>
#include <sched.h>
#include <time.h>

static const double look_seconds = 0.05;       /* between two questions whether to go on */
static const double patience_seconds = 0.0005; /* with launches that were called */
/* A short run should not wait for the end of a nap, which is longer than it says. A GPU does not need the core. */
static const double spin_seconds = 0.001, spin_beside_gpu = 0.02;

void rd__device_nap(rd_device *device, double began)
{
    static const double nap_seconds = 50e-6;
    const struct timespec nap = {.tv_nsec = (long)(1e9 * nap_seconds)};
    if (rd_now() - began > (device->info.is_gpu ? spin_beside_gpu : spin_seconds) && !rd__turn_nap(device, nap_seconds))
        nanosleep(&nap, NULL);
}

void rd__device_nudge(rd_device *device)
{
    for (int i = 0; i < 2; i++)
        __atomic_store_n(&device->nudged[i], 1, __ATOMIC_RELEASE); /* pairs with the exchange in wait_within */
    if (device->backend->rouse)
        device->backend->rouse(device);
    else
        rd__turn_end_nap(device);
}

int rd__device_ask(rd_device *device)
{
    uint32_t way = RD__WAY_OPEN;
    /* acquire: pairs with the release in wait_within */
    int asked = __atomic_compare_exchange_n(&device->way, &way, RD__WAY_BUSY, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    if (asked) {
        const uint32_t last = __atomic_load_n(&device->requests, __ATOMIC_RELAXED); /* nobody else writes it now */
        /* partners of both: rd__device_is_asked; and rd__device_hold_way, which acquires what is released below */
        __atomic_store_n(&device->requests, last + 1 ? last + 1 : 1, __ATOMIC_RELAXED);
        __atomic_store_n(&device->asker, (uint32_t)sched_getcpu(), __ATOMIC_RELAXED);
        device->called = device->hears && device->backend->call_stop && device->backend->call_stop(device);
        asked = device->called || device->backend->ask_stop(device, NULL) == RD_OK; /* else the holder says why not */
        __atomic_store_n(&device->way, asked ? RD__WAY_ASKED : RD__WAY_OPEN,
                         __ATOMIC_RELEASE); /* pairs with rd__device_shut_way */
    }
    if (!asked || !device->backend->rouse)
        rd__device_nudge(device);
    return asked;
}

uint32_t rd__device_is_asked(const rd_device *device, uint32_t *processor)
{
    /* hints, all of them: rd__device_hold_way decides. Partner: rd__device_ask */
    const uint32_t way = __atomic_load_n(&device->way, __ATOMIC_RELAXED);
    *processor = __atomic_load_n(&device->asker, __ATOMIC_RELAXED);
    return way == RD__WAY_ASKED || way == RD__WAY_BUSY ? __atomic_load_n(&device->requests, __ATOMIC_RELAXED) : 0;
}

int rd__device_hold_way(rd_device *device, uint32_t request)
{
    uint32_t way = RD__WAY_ASKED;
    /* acquire: pairs with the release in rd__device_ask */
    if (!__atomic_compare_exchange_n(&device->way, &way, RD__WAY_BUSY, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return 0;
    if (__atomic_load_n(&device->requests, __ATOMIC_RELAXED) == request) /* written before what was acquired */
        return 1;
    rd__device_free_way(device);
    return 0;
}

void rd__device_free_way(rd_device *device)
{
    __atomic_store_n(&device->way, RD__WAY_ASKED, __ATOMIC_RELEASE); /* pairs with rd__device_shut_way */
}

int rd__device_shut_way(rd_device *device)
{
    uint32_t way = RD__WAY_OPEN;
    /* acquire: pairs with the release in rd__device_ask */
    while (!__atomic_compare_exchange_n(&device->way, &way, RD__WAY_SHUT, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        if (way == RD__WAY_SHUT)
            return 0;
        /* acquire: likewise, and with that in rd__device_free_way */
        if (way == RD__WAY_ASKED &&
            __atomic_compare_exchange_n(&device->way, &way, RD__WAY_SHUT, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return 1;
        way = RD__WAY_OPEN;
        (void)sched_yield(); /* who is about it may need the core */
    }
    return 0;
}

int rd__device_is_nudged(const rd_device *device)
{
    /* a hint; acquired by wait_within */
    return __atomic_load_n(&device->nudged[rd__device_is_beside(device)], __ATOMIC_RELAXED) != 0;
}

/* Others want the device: kernels are asked to leave, once. */
static rd_status make_way(rd_device *device, const rd__limit *limit, int *asked, rd_error *err)
{
    if (*asked || !limit->wanted || !limit->wanted(limit->user))
        return RD_OK;
    *asked = 1;
    RD_TRY(device->backend->ask_stop(device, err));
    if (!rd__device_is_beside(device))
        device->asked_at = rd_now();
    return RD_OK;
}

/* The call that launches may have had has reached them, or is made a request when rd_now() is *by. */
static rd_status end_call(rd_device *device, int idle, double *by, rd_error *err)
{
    if (rd__device_is_beside(device) || !device->called)
        return RD_OK;
    if (!isfinite(*by))
        *by = rd_now() + patience_seconds;
    if (!idle && rd_now() < *by)
        return RD_OK;
    *by = INFINITY;
    device->called = 0;
    return idle ? device->backend->forget_call(device, err) : device->backend->ask_stop(device, err);
}

/* As the back end's, while others may ask launches to leave; *asked: they were. */
static rd_status idle_by(rd_device *device, const rd__limit *limit, double until, int *idle, int *asked, rd_error *err)
{
    const int beside = rd__device_is_beside(device), opens = limit->wanted && !*asked && !beside;
    if (opens)
        __atomic_store_n(&device->way, RD__WAY_OPEN, __ATOMIC_RELEASE); /* pairs with the exchange in rd__device_ask */
    const rd_status status = device->backend->idle_by(device, until, idle, err);
    if (opens && rd__device_shut_way(device)) {
        *asked = 1;
        limit->asked(limit->user);
    }
    if (*idle && !beside)
        device->idle_at = rd_now();
    return status;
}

/* Waits until the device is idle, the deadline passed or the caller wants to stop. */
static rd_status wait_within(rd_device *device, const rd__limit *limit, rd_status *reached, rd_error *err)
{
    const double deadline = limit->deadline != 0 ? limit->deadline : INFINITY;
    double patient_by = INFINITY;
    int idle = 0, asked = 0;
    *reached = RD_OK;
    while (!idle && *reached == RD_OK) {
        double look = limit->cancelled || limit->wanted ? rd_now() + look_seconds : INFINITY;
        look = !asked && limit->look_by != 0 && limit->look_by < look ? limit->look_by : look;
        look = patient_by < look ? patient_by : look;
        RD_TRY(make_way(device, limit, &asked, err));
        RD_TRY(idle_by(device, limit, look < deadline ? look : deadline, &idle, &asked, err));
        RD_TRY(end_call(device, idle, &patient_by, err));
        /* acquire: pairs with rd__device_nudge; what it is about is seen below, and by make_way */
        if (!idle)
            (void)__atomic_exchange_n(&device->nudged[rd__device_is_beside(device)], 0, __ATOMIC_ACQUIRE);
        if (!idle && rd_now() >= deadline)
            *reached = RD_ETIMEOUT;
        else if (!idle && limit->cancelled && limit->cancelled(limit->user))
            *reached = RD_ECANCELLED;
    }
    return RD_OK;
}

rd_status rd__device_wait_left(rd_device *device, const rd__limit *limit, int *left, rd_error *err)
{
    static const rd__limit none = {0};
    const rd__backend *backend = device->backend;
    const double grace = device->grace_seconds;
    rd_status reached;
    int idle = 0;
    if (left)
        *left = 1;
    RD_TRY(rd__chores_do(device, err));
    RD_TRY(wait_within(device, limit ? limit : &none, &reached, err));
    if (reached == RD_OK) {                                    /* idle: what stayed has left */
        if (__atomic_load_n(&device->stuck, __ATOMIC_RELAXED)) /* partner: the store below */
            __atomic_store_n(&device->stuck, 0, __ATOMIC_RELAXED);
        return RD_OK;
    }
    const char *why = reached == RD_ETIMEOUT ? "the time allowed was used up" : "a stop was asked for";
    if (!rd__device_is_beside(device))
        device->called = 0; /* the request goes to the same launches */
    RD_TRY(backend->ask_stop(device, err));
    RD_TRY(backend->idle_by(device, grace > 0 ? rd_now() + grace : INFINITY, &idle, err));
    if (!idle && backend->force) {
        RD_TRY(backend->force(device, err));
        RD_TRY(backend->idle_by(device, rd_now() + grace, &idle, err));
        device->forced++;
        if (idle)
            return rd__fail(err, reached,
                            "%s: %s, and a task did not return within %g s of that; it was made to. Does it end?",
                            device->info.name, why, grace);
    }
    if (left)
        *left = idle;
    if (!idle)
        __atomic_store_n(&device->stuck, 1, __ATOMIC_RELAXED); /* partner: the looks at it; a word alone */
    if (!idle)
        return rd__fail(err, reached,
                        "%s: %s and the kernel did not leave within %g s of being asked; the device may stay busy "
                        "until this process ends",
                        device->info.name, why, grace);
    return rd__fail(err, reached, "%s: %s while kernels ran; they were stopped", device->info.name, why);
}

int rd__device_is_stuck(rd_device *device, double seconds)
{
    rd_error ignored;
    int idle = 0;
    if (!__atomic_load_n(&device->stuck, __ATOMIC_RELAXED)) /* partner: the store above */
        return 0;
    if (device->backend->idle_by(device, rd_now() + seconds, &idle, &ignored) == RD_OK && idle)
        __atomic_store_n(&device->stuck, 0, __ATOMIC_RELAXED); /* likewise */
    return !idle;
}

rd_status rd__device_wait(rd_device *device, const rd__limit *limit, rd_error *err)
{
    return rd__device_wait_left(device, limit, NULL, err);
}
