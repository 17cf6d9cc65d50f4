/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - what the files of `raddle progress` share. */
#ifndef RD_CLI_PROGRESS_H
#define RD_CLI_PROGRESS_H

#include "cli/open_device.h"
#include "raddle/progress.h"

typedef struct progress_job {
    cli_device_choice choice;
    rd_progress_options options;
    const char *need; /* a scheduler: what the exit status is about */
    int json, quiet, list, all;
    rd_progress_line line;
    /* what is known so far: */
    rd_progress_program *program;
    size_t programs, run;
    rd_device_info info;
    rd_progress_verdicts verdicts;
    uint32_t most_groups, slow, killed; /* killed: children that had to be */
    double seconds;
} progress_job;

/* child.c: runs all programs in child processes, one after another where one has to be ended. @return 0, or the exit
 * code after a message. */
int progress_run(progress_job *job);
/* report.c */
int progress_print_list(const progress_job *job);
int progress_print(const progress_job *job);
/* @return the place of a scheduler in rd_fairness_schedulers(), or -1. */
int progress_scheduler(const char *name);

#endif
