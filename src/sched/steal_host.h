/* SPDX-License-Identifier: Apache-2.0 */
/* steal_host.h - scheduler `steal`, host side: what steal.c makes and steal_run.c runs. */
#ifndef RD_SCHED_STEAL_HOST_H
#define RD_SCHED_STEAL_HOST_H

#include "sched/steal.h"
#include "sched/steal_vertex.h"

enum { RD__STEAL_MOST_STACK = 24 }; /* a lane's stack has at most 2^24 tasks */

struct rd__sched_state {
    rd__steal_vertex *vertex; /* of apps whose tasks are vertices; then nothing below is used */
    rd_device *device;
    rd__program *program;
    rd__kernel *run, *grow, *copy;
    rd__buffer control, line, item, stack, lane_state, frame;
    rd__task_shape task;
    uint32_t groups, lanes, stack_shift, deque_shift, frames, steps, choices;
    uint32_t persistent, together; /* together: all groups of a launch surely run at once */
    uint32_t shared;               /* one queue instead of deques: scheduler fifo */
};

/* Stacks of 2^shift tasks for all lanes, and an array of so many frames. */
uint64_t rd__steal_stack_bytes(const rd__sched_state *state, uint32_t shift);
uint64_t rd__steal_frame_bytes(const rd__sched_state *state, uint32_t frames);

#endif
