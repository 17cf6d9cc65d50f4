/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hold.c - the life of a device: who holds it, who is at work on it, and whether it is still this process's.
 *
 * Holders. rd_device_open makes the caller the first holder, and rd_device_close drops that. Jobs, heaps and
 * microbenchmarks hold theirs until they are destroyed, so that the order of closing does not matter. The decrement is
 * acq_rel: the last one to drop the device has acquired all that the others did with it before, and may free it.
 *
 * Work. A device runs one list of commands. Two jobs on it at once, from two threads or from a callback of the first,
 * would mix theirs, so the second is refused: `busy` is taken by an exchange with acquire, given back with release.
 * Jobs that are started rather than run wait for it instead, or have some of its workers beside: device/turns.c.
 */
#include "device/chores.h"
#include "device/turns.h"

#include "core/fork.h"

void rd__device_hold(rd_device *device)
{
    if (device)
        __atomic_add_fetch(&device->holders, 1, __ATOMIC_RELAXED); /* by one who is sure of it: nothing to order */
}

int rd__device_owns(const rd_device *device)
{
    if (__atomic_load_n(&device->stuck, __ATOMIC_RELAXED)) /* partner: wait.c; a word alone */
        return 0;
    return device->generation == rd__fork_generation() || device->caps.shares_host;
}

void rd__device_drop(rd_device *device)
{
    if (device && __atomic_sub_fetch(&device->holders, 1, __ATOMIC_ACQ_REL) == 0 && /* pairs with itself in others */
        !rd__device_is_stuck(device, device->grace_seconds) && rd__device_owns(device)) {
        struct rd__turns *turns = device->turns;
        rd__chores_close(device);
        device->backend->close(device);
        rd__turns_free(turns);
    }
}

void rd_device_close(rd_device *device)
{
    /* A second close, while a job still holds the device, must not take the job's hold. Pairs with itself. */
    if (device && !__atomic_exchange_n(&device->closed, 1, __ATOMIC_ACQ_REL))
        rd__device_drop(device);
}

rd_status rd__device_is_here(const rd_device *device, rd_error *err)
{
    if (device->generation != rd__fork_generation())
        return rd__fail(err, RD_EDEVICE,
                        "%s: this process was forked after the device was opened, and the device's threads stayed "
                        "behind; open it again here",
                        device->info.name);
    return RD_OK;
}

rd_status rd__device_is_open(const rd_device *device, rd_error *err)
{
    if (__atomic_load_n(&device->closed, __ATOMIC_ACQUIRE)) /* pairs with the exchange in rd_device_close */
        return rd__fail(err, RD_EDEVICE, "%s was closed with rd_device_close: open it again, and make a new job on it",
                        device->info.name);
    return RD_OK;
}

static _Thread_local char thread_mark; /* its address is the thread's own */

int rd__device_try_enter(rd_device *device)
{
    if (__atomic_exchange_n(&device->busy, 1, __ATOMIC_ACQUIRE)) /* pairs with the release in rd__device_leave */
        return 0;
    __atomic_store_n(&device->worker, &thread_mark, __ATOMIC_RELAXED); /* only the thread itself finds itself there */
    return 1;
}

int rd__device_is_mine(const rd_device *device)
{
    return __atomic_load_n(&device->worker, __ATOMIC_RELAXED) == &thread_mark || /* partner: rd__device_try_enter */
           rd__device_is_beside(device);
}

void rd__device_enter_beside(rd_device *device)
{
    __atomic_store_n(&device->beside, &thread_mark, __ATOMIC_RELAXED); /* only the thread itself finds itself there */
}

void rd__device_leave_beside(rd_device *device)
{
    rd__chores_leave(device);
    __atomic_store_n(&device->beside, NULL, __ATOMIC_RELAXED); /* likewise */
}

int rd__device_is_beside(const rd_device *device)
{
    return __atomic_load_n(&device->beside, __ATOMIC_RELAXED) == &thread_mark; /* partner: rd__device_enter_beside */
}

static const double late_seconds = 10;

rd_status rd__device_enter(rd_device *device, rd_error *err)
{
    RD_TRY(rd__device_is_here(device, err));
    RD_TRY(rd__device_is_open(device, err));
    if (!rd__device_try_enter(device))
        return rd__fail(err, RD_EDEVICE,
                        "%s is at work already, in another thread or in the call that this callback serves: a device "
                        "does one thing at a time; open it once for each thread",
                        device->info.name);
    if (rd__device_is_stuck(device, device->grace_seconds + late_seconds)) /* who is only late is waited for */
        return rd__device_leave(device, rd__fail(err, RD_EDEVICE,
                                                 "%s is still busy with a kernel that was asked to leave and did not; "
                                                 "it may stay so until this process ends",
                                                 device->info.name));
    return RD_OK;
}

rd_status rd__device_leave(rd_device *device, rd_status status)
{
    rd__chores_leave(device);
    __atomic_store_n(&device->worker, NULL, __ATOMIC_RELAXED); /* as in rd__device_try_enter */
    __atomic_store_n(&device->busy, 0, __ATOMIC_RELEASE);      /* pairs with the acquire in rd__device_enter */
    return status;
}
