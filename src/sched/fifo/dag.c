/* SPDX-License-Identifier: Apache-2.0 */
/* dag.c - engine: scheduler `fifo` for task graphs, host side (fifo/dag.k.h says what the kernel does; sched/dag/ makes
 * and runs it). */
#include "sched/dag/dag.h"
#include "sched/fifo/policy.h"

static const rd_option_info options[] = {
    RD__DAG_OPTIONS,
    {NULL, NULL, NULL, NULL, 0},
};

const rd__engine rd__engine_fifo_dag = {
    .policy = &rd__policy_fifo,
    .tag = "fifo",
    .is = RD__ENGINE_SHARED,
    .options = options,
    RD__DAG_ENGINE,
};
