/* SPDX-License-Identifier: Apache-2.0 */
/* trade.h - ranks that give each other tasks: the loop that those who have tasks (ranks_share.c, ranks_bound.c) run in:
 * see trade.c.
 */
#ifndef RD_JOB_TRADE_H
#define RD_JOB_TRADE_H

#include "job/ranks.h"
#include "sched/freeze.h"

/* Who has tasks. */
typedef struct rd__trader {
    void *user;
    int (*busy)(void *user); /* are there tasks here? */
    /* Runs them for some hundredths of a second, or to their end. */
    rd_status (*run)(void *user, rd_report *report, rd_error *err);
    /* Takes some of them, of at most so many bytes, out of its own, about `part` of all where it can, else half: *batch
     * gets memory of rd__array_new, or no bytes: none to spare. */
    rd_status (*give)(void *user, double part, uint64_t most, rd__deal *batch, rd_error *err);
    rd_status (*take)(void *user, const void *data, uint64_t bytes, rd_error *err);
    /* A number of which each rank hears the highest of all, some time later. NULL: none. */
    rd_status (*offer)(void *user, uint64_t *value, rd_error *err);
    rd_status (*hear)(void *user, uint64_t highest, rd_error *err);
    /* All that it has between two runs. */
    rd__freeze_fn *freeze;
} rd__trader;

/* All ranks: until there is no task anywhere. */
rd_status rd__trade(rd_job *job, const rd__trader *trader, rd_report *report, rd_error *err);

#endif
