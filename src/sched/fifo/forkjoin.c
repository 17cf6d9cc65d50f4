/* SPDX-License-Identifier: Apache-2.0 */
/* forkjoin.c - engine: scheduler `fifo` for fork-join tasks, host side (fifo/forkjoin.k.h says what the kernel does;
 * sched/forkjoin/ makes and runs it). */
#include "sched/fifo/policy.h"
#include "sched/forkjoin/forkjoin.h"

static const rd_option_info options[] = {
    RD__FORKJOIN_OPTIONS,
    {NULL, NULL, NULL, NULL, 0},
};

const rd__engine rd__engine_fifo_forkjoin = {
    .policy = &rd__policy_fifo,
    .tag = "fifo",
    .is = RD__ENGINE_SHARED,
    .options = options,
    RD__FORKJOIN_ENGINE,
};
