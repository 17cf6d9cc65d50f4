/* SPDX-License-Identifier: Apache-2.0 */
/* deque.h - runs the kernel of micro/deque.k.c: the self-test asks whether deques are right, the microbenchmarks how
 * fast they are. */
#ifndef RD_MICRO_DEQUE_H
#define RD_MICRO_DEQUE_H

#include "device/device.h"
#include "sched/parts/deque_layout.k.h"
#include "micro/deque_layout.k.h"

typedef struct rd__deques {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer line, item, control, seen;
    uint32_t lanes, resident; /* groups that surely run at once */
} rd__deques;

typedef struct rd__deque_case {
    const char *name;
    uint32_t shift, each, burst;
    uint32_t acts;
    uint32_t thieves; /* groups that own nothing */
    uint32_t groups;  /* most; 0: all that are resident */
    uint64_t head;    /* tag and index at the start */
    uint32_t kind;
} rd__deque_case;

typedef struct rd__deque_numbers {
    double kernel_s, total_s;
    uint64_t tokens;
    uint32_t groups, won, failed, empty;
    double share; /* of the group that met most, over the mean */
} rd__deque_numbers;

/* lanes 0: the device's default. rd__deques_close afterwards, also when it failed. */
rd_status rd__deques_load(rd__deques *deques, rd_device *device, uint32_t lanes, rd_error *err);
void rd__deques_close(rd__deques *deques);
/* Runs once; RD_EWRONG when a token was lost, met twice or made up. */
rd_status rd__deques_run(rd__deques *deques, const rd__deque_case *shape, rd__deque_numbers *numbers, rd_error *err);

#endif
