/* SPDX-License-Identifier: Apache-2.0 */
/* dag.h - times task graphs of micro/dag.k.c under one engine: a chain, whose time is that from the end of a task to
 * the start of the one that waits for it, or wide rows, whose time is that of tasks. */
#ifndef RD_MICRO_DAG_H
#define RD_MICRO_DAG_H

#include "sched/sched.h"

typedef struct rd__dags {
    rd_device *device;
    rd__buffer depth;
    rd__sched_state *state;
    rd__sched_job job;
    rd__settings settings;
    rd__arg arg[4];
    uint32_t width, rows;
} rd__dags;

/* kind: "fifo/chain", "fifo/own", "fifo/wide", the same of "steal". count 0: so many tasks that it takes some
 * milliseconds. rd__dags_close afterwards, also when it failed. */
rd_status rd__dags_open(rd__dags *dags, rd_device *device, const char *kind, const rd_micro_options *options,
                        rd_error *err);
void rd__dags_close(rd__dags *dags);
/* Runs once; RD_EWRONG when a task ran before one that it waits for, or not at all. A chain is run once more with tasks
 * that do what they do twice: what that takes longer is the time of the tasks themselves (report->work_s). */
rd_status rd__dags_run(rd__dags *dags, rd_micro_report *report, rd_error *err);

#endif
