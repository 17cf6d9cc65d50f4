/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - scheduler `steal`, host side: what forkjoin/forkjoin.c makes and forkjoin/run.c runs. */
#ifndef RD_SCHED_STEAL_HOST_H
#define RD_SCHED_STEAL_HOST_H

#include "sched/forkjoin/forkjoin.h"

enum { RD__FORKJOIN_MOST_STACK = 24 }; /* a lane's stack has at most 2^24 tasks */

struct rd__sched_state {
    rd_device *device;
    rd__program *program;
    rd__kernel *run, *grow, *copy;
    rd__buffer control, line, item, stack, lane_state, frame;
    rd__forkjoin task; /* what tasks are like */
    uint32_t groups, lanes, stack_shift, deque_shift, frames, steps, choices;
    uint32_t persistent, together; /* together: all groups of a launch surely run at once */
    uint32_t shared;               /* one queue instead of deques: scheduler fifo */
};

/* Stacks of 2^shift tasks for all lanes, and an array of so many frames. */
uint64_t rd__forkjoin_stack_bytes(const rd__sched_state *state, uint32_t shift);
uint64_t rd__forkjoin_frame_bytes(const rd__sched_state *state, uint32_t frames);

#endif
