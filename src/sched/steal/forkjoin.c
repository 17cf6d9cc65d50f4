/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.c - engine: scheduler `steal` for fork-join tasks, host side (steal/forkjoin.k.h says what the kernel does;
 * sched/forkjoin/ makes and runs it). */
#include "sched/forkjoin/forkjoin.h"
#include "sched/steal/policy.h"

static const rd_option_info options[] = {
    {"deque", "lockfree|lock", "lockfree", "how a worker's deque is kept", 0},
    {"victim", "random|nearest|none", "random", "whom an idle worker steals from", 0},
    {"deal", "counter|block", "counter", "seeds by one counter, or a block for each worker", 0},
    RD__FORKJOIN_OPTIONS,
    {NULL, NULL, NULL, NULL, 0},
};

const rd__engine rd__engine_steal_forkjoin = {
    .policy = &rd__policy_steal,
    .tag = "steal",
    .options = options,
    RD__FORKJOIN_ENGINE,
};
