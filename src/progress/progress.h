/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - what the files of this room share, and the probe of the self-test. */
#ifndef RD_PROGRESS_H
#define RD_PROGRESS_H

#include "device/device.h"
#include "raddle/progress.h"

/* The options with their defaults filled in. */
rd_status rd__progress_defaults(const rd_progress_options *options, rd_progress_options *set, rd_error *err);
/* @return the place of a scheduler in rd_fairness_schedulers(). */
uint32_t rd__progress_scheduler(const char *name);

/* A quick look (a second at most where all is well) at what persistent launches need: small programs that end where
 * groups that have begun are run on. RD_EDEVICE: one of them hung, and the device was marked (device/promise.h).
 * launches: how many were made; may be NULL. */
rd_status rd__progress_probe(rd_device *device, uint64_t seed, uint32_t *launches, rd_error *err);

#endif
