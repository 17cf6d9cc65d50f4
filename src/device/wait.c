/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.c - waiting for kernels within limits. A kernel that has to leave early is asked through its launch's word,
 * which it reads with rd_stopped() wherever it polls; it leaves its data whole, so a run may say how far it came.
 *
 * The request is never taken back, because it could not be: a kernel that is slow to look would miss it and go on for
 * ever, or, were the word left set instead, every later launch would leave at once with its work undone. So a request
 * belongs to the launches it was made for (device.h), and whoever comes after them neither knows nor has to wait.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "device/turns.h"

#include "raddle/tool.h"

#include <math.h>
#include <time.h>

static const double look_seconds = 0.05; /* between two questions whether to go on */
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
        (void)device->backend->rouse(device, 0);
    else
        rd__turn_end_nap(device);
}

int rd__device_ask(rd_device *device)
{
    if (device->backend->rouse && device->backend->rouse(device, 1))
        return 1;
    rd__device_nudge(device);
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
    device->asked_at[rd__device_is_beside(device)] = rd_now();
    return RD_OK;
}

/* Waits until the device is idle, the deadline passed or the caller wants to stop. */
static rd_status wait_within(rd_device *device, const rd__limit *limit, rd_status *reached, rd_error *err)
{
    const double deadline = limit->deadline != 0 ? limit->deadline : INFINITY;
    uint32_t *way = &device->way[rd__device_is_beside(device)];
    int idle = 0, asked = 0;
    *reached = RD_OK;
    while (!idle && *reached == RD_OK) {
        double look = limit->cancelled || limit->wanted ? rd_now() + look_seconds : INFINITY;
        look = !asked && limit->look_by != 0 && limit->look_by < look ? limit->look_by : look;
        RD_TRY(make_way(device, limit, &asked, err));
        *way = limit->wanted && !asked ? RD__WAY_OPEN : RD__WAY_SHUT;
        RD_TRY(device->backend->idle_by(device, look < deadline ? look : deadline, &idle, err));
        if (*way == RD__WAY_ASKED) {
            asked = 1;
            limit->asked(limit->user);
        }
        *way = RD__WAY_SHUT; /* for whoever waits without a limit */
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
    RD_TRY(wait_within(device, limit ? limit : &none, &reached, err));
    if (reached == RD_OK) {                                    /* idle: what stayed has left */
        if (__atomic_load_n(&device->stuck, __ATOMIC_RELAXED)) /* partner: the store below */
            __atomic_store_n(&device->stuck, 0, __ATOMIC_RELAXED);
        return RD_OK;
    }
    const char *why = reached == RD_ETIMEOUT ? "the time allowed was used up" : "a stop was asked for";
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
