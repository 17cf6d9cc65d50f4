/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - knapsack on several ranks: see ranks.c, and rd__app_bound in app.h for what each function does. */
#ifndef RD_APPS_KNAPSACK_RANKS_H
#define RD_APPS_KNAPSACK_RANKS_H

#include "apps/knapsack/state.h"

struct rd__freeze;

rd_status rd__knapsack_share_begin(rd_job *job, int first, rd_error *err);
void rd__knapsack_share_free(knapsack_state *own);
uint64_t rd__knapsack_share_count(const rd_job *job);
rd_status rd__knapsack_share_run(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err);
rd_status rd__knapsack_share_give(rd_job *job, uint64_t most, void **data, uint64_t *bytes, rd_error *err);
rd_status rd__knapsack_share_take(rd_job *job, const void *data, uint64_t bytes, rd_error *err);
uint64_t rd__knapsack_share_best(const rd_job *job);
rd_status rd__knapsack_share_hear(rd_job *job, uint64_t best, rd_error *err);
rd_status rd__knapsack_share_freeze(rd_job *job, struct rd__freeze *freeze, rd_error *err);
rd_status rd__knapsack_share_end(rd_job *job, rd_report *report, rd_error *err);

#endif
