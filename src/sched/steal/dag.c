/* SPDX-License-Identifier: Apache-2.0 */
/* dag.c - engine: scheduler `steal` for task graphs, host side (steal/dag.k.h says what the kernel does; sched/dag/
 * makes and runs it). */
#include "sched/dag/dag.h"
#include "sched/steal/policy.h"

static const rd_option_info options[] = {
    {"deque", "lockfree|lock", "lockfree", "how a worker's deque is kept", 0},
    {"victim", "random|nearest|none", "random", "whom an idle worker steals from", 0},
    RD__DAG_OPTIONS,
    {NULL, NULL, NULL, NULL, 0},
};

const rd__engine rd__engine_steal_dag = {
    .policy = &rd__policy_steal,
    .tag = "steal",
    .options = options,
    RD__DAG_ENGINE,
};
