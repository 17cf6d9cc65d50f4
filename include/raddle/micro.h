/* SPDX-License-Identifier: Apache-2.0 */
/* micro.h - microbenchmarks of the C API: what the library's own parts cost on a device. raddle.h has the rules. */
#ifndef RADDLE_MICRO_H
#define RADDLE_MICRO_H

#include "base.h"
#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rd_micro rd_micro;

typedef struct rd_micro_options {
    size_t size;
    uint32_t count;      /* operations a run; 0: so many that the device takes some milliseconds */
    uint32_t lanes;      /* in a group; 0: the device's default; the CPU has only that */
    uint32_t per_unit;   /* groups a compute unit, at most what fits; 0: as many as fit */
    uint32_t share;      /* queue, deque: one in so many of the groups that fit, at least one; 0: all */
    uint8_t large_local; /* discovery: groups that need so much memory of their own that fewer fit */
    uint8_t token_bits;  /* queue: bits of a token, 32 or 64; 0: 32 */
    uint8_t native;      /* discovery: groups keep their own numbers, where lower ones start first */
    uint8_t reserved[5];
    uint32_t delay;    /* discovery: turns or looks between polling and closing, plus 1; 0: by device */
    uint32_t burst;    /* deque: most items of one operation: with one lane 1 to 64, else one a lane; 0: by device */
    const char *input; /* peers of ray: the scene; count is then the width of the picture */
} rd_micro_options;

typedef struct rd_micro_report {
    double kernel_s;     /* by the device's own clock */
    double total_s;      /* by the host's */
    uint64_t count;      /* operations done */
    uint32_t groups;     /* that took part */
    uint32_t bound;      /* that fit at once; 0 where no one can say */
    uint32_t lanes;      /* in a group */
    uint32_t token_bits; /* of queues: bits of a token */
    /* of queues: atomics that reserved, those that failed to, and looks in vain */
    uint64_t reservations, retries, empty_polls;
    double success; /* deques: thefts that were won, of those tried; below 0: none was tried */
    double share;   /* deques: items of the busiest group, over the mean */
    double work_s;  /* chains of dependent tasks: of kernel_s, what the tasks themselves took; 0: not known */
} rd_micro_report;

/* @return the microbenchmarks with one line each ("barrier/tree"), ended by an entry whose name is NULL. Peers to
 * compare with can be opened too, and are not listed: "embree/single" and "embree/packets" where rd_build_info() names
 * embree; "openmp/fib" (count: fib of what) on CPUs where libgomp is, "barrier/gridsync" on CUDA with
 * cooperative_groups.h installed, else RD_EDEVICE. */
RD_API const rd_name_text *rd_micros(void);
RD_API rd_status rd_micro_open(rd_device *device, const char *name, const rd_micro_options *options, rd_micro **micro,
                               rd_error *err);
/* Runs once, measures, and proves that what was measured works: RD_EWRONG when it does not. */
RD_API rd_status rd_micro_run(rd_micro *micro, rd_micro_report *report, rd_error *err);
RD_API void rd_micro_close(rd_micro *micro);

#ifdef __cplusplus
}
#endif

#endif
