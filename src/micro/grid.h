/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h - runs the kernels of micro/barrier.k.c: the self-test asks whether they are right, the microbenchmarks how
 * fast they are. */
#ifndef RD_MICRO_GRID_H
#define RD_MICRO_GRID_H

#include "device/device.h"
#include "sched/parts/barrier_layout.k.h"
#include "micro/barrier_layout.k.h"

typedef struct rd__grid {
    rd_device *device;
    rd__program *program;
    rd__buffer poll, words, board, phase, out;
    char form[32]; /* whose words these are; barriers leave them ready for the next launch */
    uint32_t lanes;
    uint32_t patience; /* discovery before a barrier gets so many times the usual delay; 0: once */
} rd__grid;

/* lanes 0: the device's default. rd__grid_close afterwards, also when it failed. */
rd_status rd__grid_load(rd__grid *grid, rd_device *device, uint32_t lanes, rd_error *err);
/* The same with the one form "gridsync" alone: CUDA's own, by a header of its toolkit. RD_EDEVICE where the device is
 * none of CUDA's or cannot launch cooperatively, or the header is not there. */
rd_status rd__grid_load_cuda(rd__grid *grid, rd_device *device, uint32_t lanes, rd_error *err);
void rd__grid_close(rd__grid *grid);

/* How many groups of the kernel are certainly resident together: asked on CUDA and CPU, compute units on an OpenCL CPU.
 * 0: nobody knows. */
rd_status rd__grid_bound(rd__grid *grid, const char *kernel, uint32_t *groups, rd_error *err);
/* A delay for this kind of discovery that finds most groups on this device. */
uint32_t rd__grid_delay(const rd_device *device, uint32_t kind);

typedef struct rd__grid_times {
    double kernel_s, total_s;
} rd__grid_times;

/* `rounds` barriers of a form ("flags") among `groups` groups, 0: as many as fit; at most as many as do. Where a launch
 * cannot promise that they are resident together, discovery comes first. check: verify each barrier, by way of plain
 * memory. out: BARRIER_OUT words, see barrier_layout.k.h. */
rd_status rd__grid_rounds(rd__grid *grid, const char *form, uint32_t groups, uint32_t rounds, uint32_t check,
                          uint32_t *out, rd__grid_times *times, rd_error *err);
/* RD_EWRONG when out has a fault or not all groups came through. */
rd_status rd__grid_verdict(const rd__grid *grid, const char *form, const uint32_t *out, rd_error *err);

typedef struct rd__grid_poll {
    const char *kernel;           /* discover or discover_large */
    uint32_t groups;              /* to launch */
    uint32_t kind, delay, native; /* of discovery */
    uint32_t meetings;            /* barriers among those found */
} rd__grid_poll;
/* Discovers, and proves the guarantees: someone takes part, numbers are dense (or native), all were told the same
 * count. */
rd_status rd__grid_discover(rd__grid *grid, const rd__grid_poll *poll, uint32_t *count, rd__grid_times *times,
                            rd_error *err);

/* One barrier among `groups` groups that were never promised to run at once. *met: all came through, within so many
 * seconds; else they were told to leave. */
rd_status rd__grid_meet(rd__grid *grid, uint32_t groups, double seconds, int *met, rd__grid_times *times,
                        rd_error *err);

/* `count` launches of an empty kernel with `groups` groups, chosen as for rounds; *launched says how many. */
rd_status rd__grid_launches(rd__grid *grid, uint32_t groups, uint32_t count, uint32_t *launched, rd__grid_times *times,
                            rd_error *err);

#endif
