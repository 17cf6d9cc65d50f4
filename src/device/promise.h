/* SPDX-License-Identifier: Apache-2.0 */
/*
 * promise.h - what a device was seen to do to groups that wait for one another, kept beside compiled kernels; and the
 * refusal that follows: a persistent launch needs that groups which have begun go on being run (the scheduler `obe` of
 * docs/progress.md), and on a device that was seen not to do that it would hang.
 *
 * `raddle progress` writes records, and the self-test's probe marks a device for as long as it is open. A device of
 * which nothing is known is trusted: to look costs a file that is not there.
 */
#ifndef RD_DEVICE_PROMISE_H
#define RD_DEVICE_PROMISE_H

#include "device/device.h"
#include "raddle/progress.h"

/* Records by name, model and driver of the device and the version of the library. @return 1: there was one. */
int rd__promise_get(const rd_device_info *info, rd_progress_verdicts *record);
void rd__promise_put(const rd_device_info *info, const rd_progress_verdicts *record);

/* Marks an open device: groups that had begun were not run on, as `program` showed. */
void rd__promise_broken(rd_device *device, const char *program);
/* RD_EDEVICE: the device was seen to leave groups that have begun; with what showed it, and what to do. */
rd_status rd__device_may_persist(rd_device *device, rd_error *err);

#endif
