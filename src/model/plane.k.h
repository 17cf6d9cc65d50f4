/* SPDX-License-Identifier: Apache-2.0 */
/* plane.k.h - a task of scheduler tiles, and what a lane's tasks give. Included after RD_APP_PACK and RD_APP_GIVES
 * are defined. */
#ifndef RD_SCHED_TILES_TASK_H
#define RD_SCHED_TILES_TASK_H

#include "raddle/kernel.h"

typedef struct {
    rd_f32x4 a, b;
} rd_task;

typedef struct {
    rd_task task[RD_APP_GIVES * RD_APP_PACK];
    rd_u32 given[RD_APP_GIVES * RD_APP_PACK];
} rd_given;

#endif
