/* SPDX-License-Identifier: Apache-2.0 */
/* litmus.h - what the files of `raddle litmus` share. */
#ifndef RD_CLI_LITMUS_H
#define RD_CLI_LITMUS_H

#include "cli/open_device.h"
#include "raddle/litmus.h"

typedef struct litmus_job {
    cli_device_choice choice;
    rd_litmus_options options;
    char **name; /* of tests, as the user gave them */
    int names;
    int table, list, show, verbose, json, quiet;
    rd_progress_line line;
    const rd_device_info *info;
    uint64_t tests, skipped, runs, weak, forbidden, failed; /* so far; failed: tests with a forbidden outcome */
} litmus_job;

/* report.c. Each returns an exit code. */
int litmus_print_name(const litmus_job *job, const rd_litmus_test *test);
int litmus_print_table(const litmus_job *job, const rd_litmus_test *test, const rd_litmus_table *table);
int litmus_print(const litmus_job *job, const rd_litmus_test *test, const rd_litmus_result *result,
                 const rd_litmus_table *table, double seconds);
int litmus_print_sum(const litmus_job *job);
void litmus_add(litmus_job *job, const rd_litmus_result *result);

#endif
