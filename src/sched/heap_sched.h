/* SPDX-License-Identifier: Apache-2.0 */
/* heap_sched.h - what apps may ask scheduler `heap` after a run that was stopped. */
#ifndef RD_SCHED_HEAP_SCHED_H
#define RD_SCHED_HEAP_SCHED_H

#include "sched/sched.h"

/* How many tasks wait, and the least rank among them (UINT64_MAX: none). Valid after a run, also one that the time
 * ended: workers leave with empty hands. */
rd_status rd__heap_rest(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err);

#endif
