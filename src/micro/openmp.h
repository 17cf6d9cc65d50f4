/* SPDX-License-Identifier: Apache-2.0 */
/* openmp.h - OpenMP's tasks as a peer of fork-join, for `raddle bench forkjoin`. GCC's run-time library (libgomp) is
 * opened when the peer is asked for; nothing is needed at build time. */
#ifndef RD_MICRO_OPENMP_H
#define RD_MICRO_OPENMP_H

#include "device/device.h"

typedef struct rd__openmp rd__openmp;

/* fib of n, a task for each call, with as many threads as the device has, which must be a CPU. */
rd_status rd__openmp_open(const rd_device *device, uint32_t n, rd__openmp **out, rd_error *err);
rd_status rd__openmp_run(rd__openmp *openmp, double *seconds, uint64_t *tasks, rd_error *err);
void rd__openmp_close(rd__openmp *openmp);

#endif
