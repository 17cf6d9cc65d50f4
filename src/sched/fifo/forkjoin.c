/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.c - engine: scheduler `fifo` for fork-join tasks, host side (fifo/forkjoin.k.h says what the kernel does;
 * sched/forkjoin/ makes and runs it). */
#include "sched/fifo/policy.h"
#include "sched/forkjoin/forkjoin.h"

static const rd_option_info options[] = {
    {"steps", "0..65535", "0", "tasks that a lane runs at most before it looks around (default: by device)", 0},
    {"stack", "0..16777216", "0", "tasks that a lane's stack holds at first (default: by device)", 0},
    {"frames", "0..1073741824", "0", "waiting tasks that there is room for at first (default: by device)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__engine rd__engine_fifo_forkjoin = {
    .policy = &rd__policy_fifo,
    .tag = "fifo",
    .model = RD__MODEL_FORKJOIN,
    .is = RD__ENGINE_SHARED,
    .options = options,
    .width = rd__forkjoin_width,
    .plan = rd__forkjoin_plan,
    .create = rd__forkjoin_create,
    .destroy = rd__forkjoin_destroy,
    .run = rd__forkjoin_run,
};
