/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.c - engine: scheduler `steal` for fork-join tasks, host side (steal/forkjoin.k.h says what the kernel does;
 * sched/forkjoin/ makes and runs it). */
#include "sched/forkjoin/forkjoin.h"
#include "sched/steal/policy.h"

static const rd_option_info options[] = {
    {"deque", "lockfree|lock", "lockfree", "how a worker's deque is kept", 0},
    {"victim", "random|nearest|none", "random", "whom an idle worker steals from", 0},
    {"deal", "counter|block", "counter", "seeds by one counter, or a block for each worker", 0},
    {"steps", "0..65535", "0", "tasks that a lane runs at most before it looks around (default: by device)", 0},
    {"stack", "0..16777216", "0", "tasks that a lane's stack holds at first (default: by device)", 0},
    {"frames", "0..1073741824", "0", "waiting tasks that there is room for at first (default: by device)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd__engine rd__engine_steal_forkjoin = {
    .policy = &rd__policy_steal,
    .tag = "steal",
    .model = RD__MODEL_FORKJOIN,
    .options = options,
    .width = rd__forkjoin_width,
    .plan = rd__forkjoin_plan,
    .create = rd__forkjoin_create,
    .destroy = rd__forkjoin_destroy,
    .run = rd__forkjoin_run,
};
