/* SPDX-License-Identifier: Apache-2.0 */
/* checkpoint.h - inside src/job: when a run on ranks is written down, and how it goes on: see checkpoint.c. */
#ifndef RD_JOB_CHECKPOINT_H
#define RD_JOB_CHECKPOINT_H

#include "job/job.h"
#include "sched/freeze.h"

/* Of a run that begins. All ranks. With a checkpoint to go on from, `move` takes what this rank had. *resumed: so. */
rd_status rd__checkpoint_begin(rd_job *job, rd__freeze_fn *move, void *user, rd_report *report, int *resumed,
                               rd_error *err);
/* Rank 0's word, which all ranks add up in the next wave: is it time to write one? */
uint64_t rd__checkpoint_due(const rd_job *job);
/* All ranks, at a cut: no message is under way, and none sends one before all are done here. `move` lists what this
 * rank has. A checkpoint that cannot be written is a warning, and the one before stays. */
rd_status rd__checkpoint_write(rd_job *job, rd__freeze_fn *move, void *user, rd_report *report, rd_error *err);
/* The run has ended on all ranks: there is nothing to go on with. */
void rd__checkpoint_end(rd_job *job, rd_report *report);
void rd__checkpoint_free(rd_job *job);

#endif
