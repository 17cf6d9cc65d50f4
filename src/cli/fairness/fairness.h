/* SPDX-License-Identifier: Apache-2.0 */
/* fairness.h - what the files of `raddle fairness` share. */
#ifndef RD_CLI_FAIRNESS_H
#define RD_CLI_FAIRNESS_H

#include "cli/cli.h"
#include "raddle/fairness.h"

enum { FAIRNESS_SETTINGS = 16 };

typedef struct fairness_job {
    const char *model;
    rd_fairness_options options;
    const char *setting[FAIRNESS_SETTINGS + 1];
    uint32_t settings, schedulers;
    const char *dot;
    int json, stats;
    rd_progress_line line;
} fairness_job;

/* The built-in model of this name, else the file. @return 0, or the exit code after a message. */
int fairness_open(const fairness_job *job, const char *name, rd_fairness **model);

/* report.c: a check of one model. */
void fairness_print(const fairness_job *job, const rd_fairness_report *report);
void fairness_print_json(const fairness_job *job, const rd_fairness_report *report);
/* @return the weakest schedulers under which nothing starves, as "hsa or obe". */
const char *fairness_weakest(const rd_fairness_report *report, char text[64]);
/* dot.c */
int fairness_write_dot(const fairness_job *job, const rd_fairness_report *report);

/* tables.c */
int fairness_table(fairness_job *job, int protocols);
int fairness_order(fairness_job *job);

#endif
